//! Texts for the clipboard of the terminal, by OSC 52: the one road that also leads out of a
//! remote shell. What the terminal does with it is not told back.

use crossterm::Command;
use crossterm::clipboard::CopyToClipboard;
use std::ffi::OsString;

/// The longest text that is sent, in bytes: 100 kB of base64. Terminals drop what is longer than
/// they take, without a word.
pub const LONGEST: usize = 75_000;

/// The longest piece of a sequence that `screen` passes on in one.
const SCREEN_PIECE: usize = 240;

/// What stands between us and the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Road {
    /// Nothing.
    Direct,
    /// `tmux`.
    Tmux,
    /// `screen`.
    Screen,
}

impl Road {
    /// By the variables that those set.
    pub(super) fn of(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let set = |name| variable(name).is_some_and(|value| !value.is_empty());
        match (set("TMUX"), set("STY")) {
            (true, _) => Self::Tmux,
            (false, true) => Self::Screen,
            (false, false) => Self::Direct,
        }
    }

    /// What it needs, for whoever wonders why nothing came.
    pub fn needs(self) -> &'static str {
        match self {
            Self::Direct => "",
            Self::Tmux => ", if tmux lets it (set-clipboard on)",
            Self::Screen => ", if screen lets it",
        }
    }

    /// The whole sequence for a text.
    pub(super) fn sequence(self, text: &str) -> String {
        let mut plain = String::new();
        // Writing into a string cannot fail.
        let _ = CopyToClipboard::to_clipboard_from(text).write_ansi(&mut plain);
        match self {
            Self::Direct => plain,
            // Twice: tmux takes the wrapped one to the terminal where it may pass on what it does
            // not know, and the plain one into its own clipboard where it may do that.
            Self::Tmux => format!("\x1bPtmux;{}\x1b\\{plain}", plain.replace('\x1b', "\x1b\x1b")),
            // It ends at the first ESC \, so the sequence in it ends with BEL.
            Self::Screen => pieces(&plain.replace("\x1b\\", "\x07")),
        }
    }
}

/// A sequence in pieces that `screen` passes on.
fn pieces(sequence: &str) -> String {
    let mut out = String::new();
    let mut rest = sequence;
    while !rest.is_empty() {
        let end = rest.floor_char_boundary(SCREEN_PIECE);
        let (piece, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        out.push_str(&format!("\x1bP{piece}\x1b\\"));
        rest = behind;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_road_has_its_wrapping() {
        assert_eq!(Road::Direct.sequence("hi"), "\x1b]52;c;aGk=\x1b\\");
        let tmux = "\x1bPtmux;\x1b\x1b]52;c;aGk=\x1b\x1b\\\x1b\\\x1b]52;c;aGk=\x1b\\";
        assert_eq!(Road::Tmux.sequence("hi"), tmux);
        assert_eq!(Road::Screen.sequence("hi"), "\x1bP\x1b]52;c;aGk=\x07\x1b\\");
    }

    #[test]
    fn a_long_text_passes_screen_in_pieces() {
        let sequence = Road::Screen.sequence(&"x".repeat(1000));
        let passed: Vec<&str> =
            sequence.split("\x1bP").filter_map(|piece| piece.strip_suffix("\x1b\\")).collect();
        assert!(passed.len() > 5 && passed.iter().all(|piece| piece.len() <= SCREEN_PIECE));
        let whole = Road::Direct.sequence(&"x".repeat(1000));
        assert_eq!(passed.concat(), whole.replace("\x1b\\", "\x07"));
    }

    #[test]
    fn the_road_is_told_by_variables_that_are_set() {
        let road = |name: &'static str, value: &'static str| {
            Road::of(move |asked| (asked == name).then(|| value.into()))
        };
        assert_eq!(road("TMUX", "/tmp/tmux-0/default,1,0"), Road::Tmux);
        assert_eq!(road("STY", "1.pts-0.host"), Road::Screen);
        assert_eq!((road("TMUX", ""), road("TERM", "screen")), (Road::Direct, Road::Direct));
    }

    #[test]
    fn nothing_that_is_copied_can_end_the_sequence() {
        let sequence = Road::Direct.sequence("\x1b\\\x07\x1b]0;x\x07");
        assert_eq!(sequence.matches(['\x1b', '\x07']).count(), 2);
    }
}
