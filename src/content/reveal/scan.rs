//! The scanner: cuts a text into unmarked stretches and marks, without copying.

use super::context::{Verdict, judge};
use super::kind::MarkKind;
use super::table::{is_clean_ascii, is_clean_byte, is_surely_plain};

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

/// Bytes looked at together. The compiler makes vector code of it.
const BLOCK: usize = 64;

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
    ///
    /// Goes by bytes: one that needs a look is always the first of its character, so that every
    /// position at which this stops is a character boundary.
    fn skip_plain(&self, from: usize) -> usize {
        let clean = match self.mode {
            Mode::Line => &CLEAN_IN_LINE,
            Mode::Text => &CLEAN_IN_TEXT,
        };
        let bytes = self.text.as_bytes();
        let mut at = from;
        loop {
            let mut quiet = 0;
            while quiet < BLOCK {
                let Some(byte) = bytes.get(at) else { return bytes.len() };
                if clean.get(usize::from(*byte)).is_some_and(|clean| *clean) {
                    at += 1;
                    quiet += 1;
                    continue;
                }
                let character = self.text.get(at..).and_then(|rest| rest.chars().next());
                match character {
                    Some(c) if is_surely_plain(c) => at += c.len_utf8(),
                    _ => return at,
                }
            }
            let (blocks, _) = bytes.get(at..).unwrap_or_default().as_chunks::<BLOCK>();
            let layout = self.mode == Mode::Text;
            at += BLOCK * blocks.iter().take_while(|block| is_clean(block, layout)).count();
        }
    }
}

const CLEAN_IN_LINE: [bool; 256] = clean_bytes(false);
const CLEAN_IN_TEXT: [bool; 256] = clean_bytes(true);

const fn stays(byte: u8, layout: bool) -> bool {
    is_clean_ascii(byte) | (layout & ((byte == b'\n') | (byte == b'\t')))
}

#[allow(clippy::indexing_slicing)] // At compile time, over all bytes.
const fn clean_bytes(layout: bool) -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = u8::MAX;
    loop {
        table[byte as usize] = stays(byte, layout) || is_clean_byte(byte);
        if byte == 0 {
            return table;
        }
        byte -= 1;
    }
}

/// Whether all of a block stays: ASCII first, which is the usual case.
fn is_clean(block: &[u8; BLOCK], layout: bool) -> bool {
    // Without an early way out, so that each of the two becomes vector code.
    block.iter().fold(true, |clean, byte| clean & stays(*byte, layout))
        || block
            .iter()
            .fold(true, |clean, byte| clean & (stays(*byte, layout) | is_clean_byte(*byte)))
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
