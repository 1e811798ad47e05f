//! Untrusted text into text with marks.
//!
//! A server may write anything. Whatever could drive a terminal (C0, DEL, C1, escape sequences),
//! reorder what is read (bidirectional controls) or hide (zero-width characters, tag characters,
//! stray variation selectors, blank fillers, excess combining marks, private use and unassigned
//! code points) is replaced by a visible mark. Nothing is removed, and the marks can be undone:
//! `restore(&reveal_text(x).plain()) == x` for every string `x`, and the same for [`reveal_line`].
//!
//! # What marks look like
//!
//! | source | mark |
//! |---|---|
//! | C0 and DEL | control picture: `␀` … `␛` … `␡` |
//! | a run of tag characters U+E0020..U+E007E | `⟨TAG:the ASCII they stand for⟩` |
//! | anything else | `⟨U+202E⟩` |
//! | a control picture, or `⟨U+` / `⟨TAG:` in the source itself | `⟨U+2400⟩`, `⟨U+27E8⟩` (kind `Literal`) |
//! | U+FFFD | itself, as a mark of kind `Replacement` |
//!
//! # What stays, because it is real text
//!
//! Newlines and tabs in [`reveal_text`]; a carriage return before a newline becomes `␍` of kind
//! `Layout`, which warns of nothing. Emoji joined by ZWJ (up to eight), with skin tones, keycaps
//! and one presentation selector; the three subdivision flags that fonts know (England, Scotland,
//! Wales: other tag sequences look like a plain black flag and are marked). ZWJ and ZWNJ between
//! letters of Arabic, Indic and similar scripts, and after a virama. One variation selector after
//! a Han or Mongolian letter. Up to ten combining marks on a base. NBSP, thin space, narrow NBSP
//! and the ideographic space: they are visible as blanks and ordinary typography; all other
//! unusual spaces are marked.

mod context;
mod emoji;
mod kind;
mod marks;
mod scan;
mod table;
#[cfg(test)]
mod tests;

pub use kind::{Counts, MarkKind};
pub use marks::{decode_tags, restore};

use crate::domain::UntrustedText;
use scan::{Mode, Scanner};
use std::borrow::Cow;

pub(super) use scan::{Found, Mode as RevealMode, Scanner as RevealScanner};
#[cfg(test)]
pub(super) use tests::nasty_text;

/// A stretch of revealed text: readable text, or one mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece<'a> {
    /// What to show. Borrowed from the source where nothing had to be changed.
    pub text: Cow<'a, str>,
    /// Why it is a mark, or `None` for text as the server wrote it.
    pub mark: Option<MarkKind>,
    /// What stands there in the source. Never for a terminal.
    pub source: &'a str,
}

impl<'a> Piece<'a> {
    pub(super) fn from_found(found: Found<'a>) -> Self {
        let text = match found.kind {
            None => Cow::Borrowed(found.source),
            Some(kind) => marks::mark_text(found.source, kind),
        };
        Self { text, mark: found.kind, source: found.source }
    }
}

/// Text with its marks, in order; the sources of the pieces add up to the whole input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Revealed<'a> {
    /// The pieces. No two neighbours are both without a mark.
    pub pieces: Vec<Piece<'a>>,
    /// How many characters were marked, by kind.
    pub counts: Counts,
}

impl Revealed<'_> {
    /// The text with its marks as one string, fit for a terminal.
    pub fn plain(&self) -> String {
        self.pieces.iter().map(|piece| piece.text.as_ref()).collect()
    }
}

/// The pieces of [`reveal_line`], one by one.
pub fn pieces_line(text: &str) -> impl Iterator<Item = Piece<'_>> {
    Scanner::new(text, Mode::Line).map(Piece::from_found)
}

/// The pieces of [`reveal_text`], one by one: for writing out a large text without a copy of it.
pub fn pieces_text(text: &str) -> impl Iterator<Item = Piece<'_>> {
    Scanner::new(text, Mode::Text).map(Piece::from_found)
}

/// Reveals text for a place that holds one line: newlines, carriage returns and tabs become
/// marks (`␊`, `␍`, `␉`) too.
pub fn reveal_line(text: &str) -> Revealed<'_> {
    reveal(text, Mode::Line)
}

/// Reveals a block of text: `\n` and `\t` stay; `\r\n` becomes `␍` and a newline, a lone `\r` is a
/// mark. A screen expands the tab itself ([`layout`](super::layout)); in plain output it is
/// harmless.
///
/// A text of nothing but marks takes some hundred bytes a character here; for large texts there
/// are [`pieces_text`], [`plain_text`], [`count_text`] and [`Document`](super::Document).
pub fn reveal_text(text: &str) -> Revealed<'_> {
    reveal(text, Mode::Text)
}

fn reveal(text: &str, mode: Mode) -> Revealed<'_> {
    let mut revealed = Revealed::default();
    for found in Scanner::new(text, mode) {
        revealed.counts.note(&found);
        revealed.pieces.push(Piece::from_found(found));
    }
    revealed
}

/// How many characters [`reveal_line`] would mark, without building pieces.
pub fn count_line(text: &str) -> Counts {
    count(text, Mode::Line)
}

/// How many characters [`reveal_text`] would mark, without building pieces.
pub fn count_text(text: &str) -> Counts {
    count(text, Mode::Text)
}

fn count(text: &str, mode: Mode) -> Counts {
    let mut counts = Counts::default();
    for found in Scanner::new(text, mode) {
        counts.note(&found);
    }
    counts
}

/// One line of a server, for plain output and logs.
pub fn plain_line(text: &UntrustedText) -> String {
    plain(text.raw(), Mode::Line)
}

/// A block of text of a server, for plain output and logs. Holds no control byte but `\n`
/// and `\t`.
pub fn plain_text(text: &UntrustedText) -> String {
    plain(text.raw(), Mode::Text)
}

fn plain(text: &str, mode: Mode) -> String {
    let mut out = String::with_capacity(text.len());
    for found in Scanner::new(text, mode) {
        match found.kind {
            None => out.push_str(found.source),
            Some(kind) => marks::push_mark(&mut out, found.source, kind),
        }
    }
    out
}
