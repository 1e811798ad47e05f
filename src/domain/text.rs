//! Text that somebody else wrote.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Text that a server, or anything else outside this program, wrote.
///
/// It implements neither `Display` nor `Deref`: the ways out are `content::reveal` (marks for a
/// screen or a log), serialisation to JSON (escaped by its rules) and [`raw`](Self::raw), which
/// is for computing with it, for sending it back, and for bytes to a file asked for by name.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UntrustedText(String);

impl UntrustedText {
    /// Takes over text from outside.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text exactly as it was sent. Never for a terminal, a log or plain output.
    pub fn raw(&self) -> &str {
        &self.0
    }

    /// Gives the text back by value, for a large one that must not be copied.
    pub fn into_raw(self) -> String {
        self.0
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
        Self(text)
    }
}

impl From<&str> for UntrustedText {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
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
    fn a_debug_print_holds_no_control_byte_and_is_short() {
        let shown =
            format!("{:?}", UntrustedText::new(format!("\x1b]0;t\x07{}", "é".repeat(5000))));
        assert!(shown.bytes().all(|b| (0x20..0x7f).contains(&b) || b >= 0x80), "{shown}");
        assert!(shown.len() < 3000);
    }
}
