//! The one error of this room, and the place in a file that it points at.

use crate::domain::{Fault, FaultKind};
use std::{
    fmt, io,
    path::{Path, PathBuf},
};

/// The most characters of a faulty line that are shown.
const SHOWN_CHARS: usize = 160;

/// Why a file or an argument that configures something cannot be used.
///
/// Its text is for people and safe to print: what comes from a file is escaped.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read {}: {cause}", shown_path(path))]
    Read {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        #[source]
        cause: io::Error,
    },
    /// The file is larger than [`MAX_FILE_BYTES`](super::MAX_FILE_BYTES).
    #[error("{} is larger than {limit} bytes, the most that is read", shown_path(path))]
    TooLarge {
        /// Which file.
        path: PathBuf,
        /// The bound in bytes.
        limit: usize,
    },
    /// The file is not UTF-8 text.
    #[error(
        "{} is not UTF-8 text: byte {offset} does not belong there; save it as UTF-8",
        shown_path(path)
    )]
    NotUtf8 {
        /// Which file.
        path: PathBuf,
        /// The first byte that is wrong, counted from 0.
        offset: usize,
    },
    /// The file breaks its format, or a value in it is out of its bounds.
    #[error("{place}: {message}\n  {} | {}", place.line, place.text)]
    Syntax {
        /// Where.
        place: Place,
        /// What is wrong there.
        message: String,
    },
    /// The file is well formed and yet not what it should be.
    #[error("{}: {message}", shown_path(path))]
    Shape {
        /// Which file.
        path: PathBuf,
        /// What is missing, and what to try.
        message: String,
    },
    /// A command, an address or a header given on the command line cannot be used.
    #[error("{message}")]
    Argument {
        /// What is wrong with it, and what to try.
        message: String,
    },
    /// The system does not say where this user's files belong.
    #[error("there is no home folder for this user; set {} to a folder", super::HOME_VARIABLE)]
    NoHome,
}

impl ConfigError {
    pub(super) fn argument(message: impl Into<String>) -> Self {
        Self::Argument { message: message.into() }
    }

    /// Whether the file is simply not there: for files that may be absent.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Read { cause, .. } if cause.kind() == io::ErrorKind::NotFound)
    }

    /// The same as a fault of class [`FaultKind::Usage`] (exit code 2).
    pub fn fault(&self) -> Fault {
        let fault = Fault::new(FaultKind::Usage, self.to_string());
        match self {
            Self::Read { .. } if self.is_missing() => fault.hint("check the path"),
            Self::Syntax { .. } => fault.hint("correct that line and start again"),
            Self::Read { .. }
            | Self::TooLarge { .. }
            | Self::NotUtf8 { .. }
            | Self::Shape { .. }
            | Self::Argument { .. }
            | Self::NoHome => fault,
        }
    }
}

/// A place in a text file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Which file.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The line itself, escaped, values of keys that name secrets masked, at most 160 characters
    /// around the column.
    pub text: String,
}

impl Place {
    /// The place of a byte offset in a text; an offset past the end is the end.
    pub(super) fn at(file: &Path, text: &str, offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line = before.matches('\n').count();
        let column = before.rsplit('\n').next().map_or(0, |part| part.chars().count());
        let shown = text.split('\n').nth(line).unwrap_or_default().trim_end_matches('\r');
        Self {
            file: file.to_owned(),
            line: line + 1,
            column: column + 1,
            text: around(&super::masking::mask_pairs(shown), column),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}, column {}", shown_path(&self.file), self.line, self.column)
    }
}

/// The part of a line around a column, cut on both sides where it is long.
fn around(line: &str, column: usize) -> String {
    // Masking may have shortened the line, so the column is only roughly where it was.
    let spare = line.chars().count().saturating_sub(SHOWN_CHARS);
    let skip = column.saturating_sub(SHOWN_CHARS / 2).min(spare);
    let mut shown = String::new();
    if skip > 0 {
        shown.push('…');
    }
    let part: String = line.chars().skip(skip).take(SHOWN_CHARS).collect();
    shown.push_str(&escaped(&part));
    if line.chars().nth(skip + SHOWN_CHARS).is_some() {
        shown.push('…');
    }
    shown
}

/// A path as text that cannot drive a terminal.
pub(super) fn shown_path(path: &Path) -> String {
    escaped(&path.to_string_lossy())
}

/// Text with every control character, and every character that is invisible or turns the
/// direction of writing, written as its escape.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || is_invisible(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// Formatting characters that change how their neighbours look (Unicode general category Cf, the
/// line and paragraph separators, and the tag block).
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_counts_characters_and_shows_its_line() {
        let text = "{\r\n  \"größe\": oops,\r\n}";
        let place = Place::at(Path::new("a.json"), text, text.find("oops").unwrap());
        assert_eq!((place.line, place.column), (2, 12));
        assert_eq!(place.text, "  \"größe\": oops,");
        assert_eq!(place.to_string(), "a.json, line 2, column 12");
    }

    #[test]
    fn a_long_line_is_cut_around_the_column() {
        let text = format!("{}!{}", "a".repeat(5000), "b".repeat(5000));
        let place = Place::at(Path::new("a"), &text, 5000);
        assert!(place.text.chars().count() <= SHOWN_CHARS + 2, "{}", place.text);
        assert!(place.text.contains('!') && place.text.starts_with('…'));
        assert!(place.text.ends_with('…'));
    }

    #[test]
    fn an_error_holds_no_control_character_of_the_file() {
        let place = Place::at(Path::new("a\x1b[2J\u{202e}"), "x\x1b]0;t\x07\u{200b}", 0);
        let error = ConfigError::Syntax { place, message: "bad".into() };
        let fault = error.fault();
        assert_eq!(fault.kind, FaultKind::Usage);
        for text in [error.to_string(), fault.to_string()] {
            assert!(text.chars().all(|c| c == '\n' || !(c.is_control() || is_invisible(c))));
            assert!(text.contains("\\u{1b}"), "{text}");
        }
    }
}
