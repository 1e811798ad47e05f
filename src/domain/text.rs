//! Text that somebody else wrote.

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{self, Visitor},
};
use std::{borrow::Cow, fmt};

/// Text that a server, or anything else outside this program, wrote.
///
/// It implements neither `Display` nor `Deref`: the ways out are `content::reveal` (marks for a
/// screen or a log), serialisation to JSON (escaped by its rules) and [`raw`](Self::raw), which
/// is for computing with it, for sending it back, and for bytes to a file asked for by name.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct UntrustedText(Cow<'static, str>);

impl UntrustedText {
    /// Takes over text from outside.
    pub fn new(text: impl Into<String>) -> Self {
        Self(Cow::Owned(text.into()))
    }

    /// The text exactly as it was sent. Never for a terminal, a log or plain output.
    pub fn raw(&self) -> &str {
        &self.0
    }

    /// Gives the text back by value, for a large one that must not be copied.
    pub fn into_raw(self) -> String {
        self.0.into_owned()
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<String> for UntrustedText {
    fn from(text: String) -> Self {
        Self(Cow::Owned(text))
    }
}

impl From<&str> for UntrustedText {
    fn from(text: &str) -> Self {
        Self(word(text).map_or_else(|| Cow::Owned(text.to_owned()), Cow::Borrowed))
    }
}

/// The words that stand in nearly every item of a long list. They are kept once, not once an item.
fn word(text: &str) -> Option<&'static str> {
    Some(match text {
        "user" => "user",
        "assistant" => "assistant",
        "text/plain" => "text/plain",
        "text/markdown" => "text/markdown",
        "text/html" => "text/html",
        "image/png" => "image/png",
        "application/json" => "application/json",
        "application/octet-stream" => "application/octet-stream",
        _ => return None,
    })
}

impl<'de> Deserialize<'de> for UntrustedText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = UntrustedText;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<UntrustedText, E> {
                Ok(text.into())
            }
            fn visit_string<E: de::Error>(self, text: String) -> Result<UntrustedText, E> {
                Ok(text.into())
            }
        }
        deserializer.deserialize_str(Text)
    }
}

impl fmt::Debug for UntrustedText {
    /// Escaped and cut at 200 characters, so that a debug print cannot drive a terminal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 200;
        write!(f, "\"")?;
        for c in self.0.chars().take(SHOWN) {
            if c.is_ascii_graphic() || c == ' ' {
                write!(f, "{c}")?;
            } else {
                write!(f, "{}", c.escape_unicode())?;
            }
        }
        write!(f, "\"")?;
        if self.0.len() > SHOWN {
            write!(f, "… {} bytes", self.0.len())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_common_word_is_a_text_like_any_other() {
        for text in ["user", "text/plain", "application/json", "else", ""] {
            let read: UntrustedText =
                serde_json::from_str(&serde_json::to_string(text).expect("JSON")).expect("a text");
            assert_eq!(read, UntrustedText::new(text));
            assert_eq!((read.raw(), read.len()), (text, text.len()));
            assert_eq!(serde_json::to_value(&read).expect("JSON"), text);
            assert_eq!(read.into_raw(), text);
        }
        assert!(serde_json::from_str::<UntrustedText>("5").is_err());
    }

    #[test]
    fn a_debug_print_holds_no_control_byte_and_is_short() {
        let shown =
            format!("{:?}", UntrustedText::new(format!("\x1b]0;t\x07{}", "é".repeat(5000))));
        assert!(shown.bytes().all(|b| (0x20..0x7f).contains(&b) || b >= 0x80), "{shown}");
        assert!(shown.len() < 3000);
    }
}
