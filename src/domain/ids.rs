//! Names that are ours. An id from the wire is never one of these.

use serde::{Serialize, Serializer};
use std::{fmt, sync::Arc};

/// The name under which the user knows a server: from a configuration file or made from its
/// command. Checked when it is made, so it is safe to print and to use in an address.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServerId(Arc<str>);

/// Why a text cannot name a server.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ServerIdError {
    /// Nothing but white space.
    #[error("a server's name may not be empty")]
    Empty,
    /// Longer than [`ServerId::MAX_CHARS`].
    #[error("a server's name may have at most {} characters", ServerId::MAX_CHARS)]
    TooLong,
    /// A control, formatting or other invisible character, or one that addresses need.
    #[error("a server's name may hold letters, digits, spaces and - _ . / @ +, not U+{0:04X}")]
    Character(u32),
}

impl ServerId {
    /// The longest name, in characters.
    pub const MAX_CHARS: usize = 64;

    /// Checks and takes a name.
    ///
    /// # Errors
    /// [`ServerIdError`] when the name is empty, too long, or holds a character that could not be
    /// told from another on a screen.
    pub fn new(name: &str) -> Result<Self, ServerIdError> {
        let name = name.trim();
        if name.is_empty() {
            return Err(ServerIdError::Empty);
        }
        if name.chars().count() > Self::MAX_CHARS {
            return Err(ServerIdError::TooLong);
        }
        if let Some(c) = name.chars().find(|c| !allowed(*c)) {
            return Err(ServerIdError::Character(c as u32));
        }
        Ok(Self(name.into()))
    }

    /// The nearest permitted name to any text: forbidden characters become `-`.
    pub fn sanitized(text: &str) -> Self {
        let name: String = text
            .trim()
            .chars()
            .take(Self::MAX_CHARS)
            .map(|c| if allowed(c) { c } else { '-' })
            .collect();
        let name = name.trim();
        Self(if name.is_empty() { "server".into() } else { name.into() })
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn allowed(c: char) -> bool {
    // Letters with a visible, unambiguous shape only: `is_alphanumeric` alone would let the
    // Hangul fillers through, which are letters and invisible.
    c.is_ascii_alphanumeric()
        || " -_./@+".contains(c)
        || (c.is_alphanumeric() && !matches!(c, '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}'))
}

impl fmt::Display for ServerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for ServerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for ServerId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

/// One call that the user made: a read, a prompt, a tool call. Minted by whoever makes the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct CallId(pub u64);

/// One sampling request under review. Minted by the sampling service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct ReviewId(pub u64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_could_deceive_is_refused_with_its_code_point() {
        for (name, c) in [
            ("a\u{202E}b", 0x202E),
            ("a\u{200B}", 0x200B),
            ("\u{3164}x", 0x3164),
            ("a\x1b[2J", 0x1b),
            ("a:b", 0x3a),
        ] {
            assert_eq!(ServerId::new(name), Err(ServerIdError::Character(c)), "{name:?}");
            assert!(ServerId::new(ServerId::sanitized(name).as_str()).is_ok());
        }
        assert_eq!(ServerId::new("  "), Err(ServerIdError::Empty));
        assert_eq!(ServerId::new(&"x".repeat(65)), Err(ServerIdError::TooLong));
        assert_eq!(
            ServerId::new(" größe 漢字.v2 ").map(|s| s.to_string()),
            Ok("größe 漢字.v2".to_owned())
        );
    }
}
