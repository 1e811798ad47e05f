//! The scanner: cuts a text into unmarked stretches and marks, without copying.

use super::context::{Verdict, judge};
use super::kind::MarkKind;
use super::table::{is_clean_ascii, is_surely_plain};

/// For which place a text is revealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::content) enum Mode {
    /// One line: line breaks and tabs are marks.
    Line,
    /// A block: `\n` and `\t` stay.
    Text,
}

/// One stretch of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::content) struct Found<'a> {
    /// The source. For a mark: one character, or a run of tag letters.
    pub(in crate::content) source: &'a str,
    /// Why it is a mark; `None`: it stays.
    pub(in crate::content) kind: Option<MarkKind>,
}

/// Iterates over the stretches of a text. Lazy: what is not asked for is not scanned, except that
/// an unmarked stretch is scanned to its end.
#[derive(Debug, Clone)]
pub(in crate::content) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    mode: Mode,
    tag_run: usize,
    pending: Option<Found<'a>>,
}

/// Bytes looked at together where all is ASCII. The compiler makes vector code of it.
const BLOCK: usize = 32;

impl<'a> Scanner<'a> {
    pub(in crate::content) fn new(text: &'a str, mode: Mode) -> Self {
        Self { text, at: 0, mode, tag_run: usize::MAX, pending: None }
    }

    /// At most so many tag letters go into one mark, so that marks can be wrapped.
    pub(in crate::content) fn with_tag_run(mut self, letters: usize) -> Self {
        self.tag_run = letters;
        self
    }

    /// The first position at or after `from` whose character needs a decision, or the end.
    fn skip_plain(&self, from: usize) -> usize {
        let mut at = from;
        loop {
            at += self.skip_ascii_blocks(at);
            let Some(rest) = self.text.get(at..) else { return self.text.len() };
            let mut ascii = 0;
            let mut passed = 0;
            for c in rest.chars() {
                if c.is_ascii() {
                    let stays = self.stays(c);
                    if !stays {
                        return at + passed;
                    }
                    ascii += 1;
                } else if is_surely_plain(c) {
                    ascii = 0;
                } else {
                    return at + passed;
                }
                passed += c.len_utf8();
                if ascii >= BLOCK {
                    break;
                }
            }
            at += passed;
            if at >= self.text.len() {
                return at;
            }
        }
    }

    fn stays(&self, c: char) -> bool {
        matches!(c, ' '..='~') || (self.mode == Mode::Text && matches!(c, '\n' | '\t'))
    }

    /// How many bytes from here are whole blocks of ASCII that stays.
    fn skip_ascii_blocks(&self, from: usize) -> usize {
        let Some(bytes) = self.text.as_bytes().get(from..) else { return 0 };
        let (blocks, _) = bytes.as_chunks::<BLOCK>();
        let clean = match self.mode {
            Mode::Line => blocks.iter().take_while(|block| is_clean_line(block)).count(),
            Mode::Text => blocks.iter().take_while(|block| is_clean_text(block)).count(),
        };
        clean * BLOCK
    }
}

/// Without an early way out, so that it becomes vector code.
fn is_clean_line(block: &[u8; BLOCK]) -> bool {
    block.iter().fold(true, |clean, byte| clean & is_clean_ascii(*byte))
}

fn is_clean_text(block: &[u8; BLOCK]) -> bool {
    block
        .iter()
        .fold(true, |clean, byte| clean & (is_clean_ascii(*byte) | (*byte == 9) | (*byte == 10)))
}

impl<'a> Iterator for Scanner<'a> {
    type Item = Found<'a>;

    fn next(&mut self) -> Option<Found<'a>> {
        if let Some(found) = self.pending.take() {
            return Some(found);
        }
        let start = self.at;
        let mut at = start;
        loop {
            at = self.skip_plain(at);
            let run = self.text.get(start..at).unwrap_or_default();
            let rest = self.text.get(at..).unwrap_or_default();
            if rest.is_empty() {
                self.at = at;
                return (!run.is_empty()).then_some(Found { source: run, kind: None });
            }
            match judge(run, rest, self.mode, self.tag_run) {
                Verdict::Keep(size) => at += size,
                Verdict::Mark(size, kind) => {
                    self.at = at + size;
                    let source = rest.get(..size).unwrap_or_default();
                    let mark = Found { source, kind: Some(kind) };
                    if run.is_empty() {
                        return Some(mark);
                    }
                    self.pending = Some(mark);
                    return Some(Found { source: run, kind: None });
                }
            }
        }
    }
}
