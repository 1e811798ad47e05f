//! A text resource ready to page through.

use super::layout::{Row, row_start_before, rows};
use crate::domain::UntrustedText;
use memchr::{memchr, memchr_iter};

/// A place whose line number is known is kept every so many lines…
const LINES_APART: usize = 64;

/// …or so many bytes, whichever comes first.
const BYTES_APART: usize = 32 * 1024;

/// The start of a line.
#[derive(Debug, Clone, Copy)]
struct Checkpoint {
    line: usize,
    byte: usize,
}

/// A text, owned and not copied, with an index of its lines.
///
/// Building it costs one search for newlines. The index is sparse (16 bytes for 64 lines or
/// 32 KiB), so that a text of nothing but newlines stays cheap too. Lines end with `\n` or `\r\n`,
/// which are no part of them; as with [`str::lines`], a newline at the end starts no line.
///
/// The lines are raw: they reach a screen through [`rows_from`](Self::rows_from) only.
#[derive(Debug, Clone)]
pub struct Document {
    text: String,
    lines: usize,
    checkpoints: Vec<Checkpoint>,
}

impl Document {
    /// Takes a text over and indexes it.
    pub fn new(text: UntrustedText) -> Self {
        let text = text.into_raw();
        let mut checkpoints = vec![Checkpoint { line: 0, byte: 0 }];
        let mut last = Checkpoint { line: 0, byte: 0 };
        let mut lines = 0;
        for newline in memchr_iter(b'\n', text.as_bytes()) {
            lines += 1;
            let byte = newline + 1;
            if lines - last.line >= LINES_APART || byte - last.byte >= BYTES_APART {
                last = Checkpoint { line: lines, byte };
                checkpoints.push(last);
            }
        }
        if !text.is_empty() && !text.ends_with('\n') {
            lines += 1;
        }
        Self { text, lines, checkpoints }
    }

    /// How many lines; 0 for an empty text.
    pub fn line_count(&self) -> usize {
        self.lines
    }

    /// Length of the text in bytes.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The whole text, raw.
    pub fn raw(&self) -> &str {
        &self.text
    }

    /// Gives the text back, without a copy.
    pub fn into_text(self) -> UntrustedText {
        UntrustedText::new(self.text)
    }

    /// A line, counted from 0, without its line break. Raw. Does not search through the line,
    /// however long it is.
    pub fn line(&self, index: usize) -> Option<&str> {
        if index >= self.lines {
            return None;
        }
        let next = index + 1;
        let end = if next < self.lines { self.start_of(next) } else { self.text.len() };
        let line = self.text.get(self.start_of(index)..end)?;
        match line.strip_suffix('\n') {
            Some(line) => Some(line.strip_suffix('\r').unwrap_or(line)),
            None => Some(line),
        }
    }

    /// The lines from one on. Raw.
    pub fn lines_from(&self, index: usize) -> impl Iterator<Item = &str> {
        let start = if index < self.lines { self.start_of(index) } else { self.text.len() };
        self.text.get(start..).unwrap_or_default().lines()
    }

    /// The line that holds a byte of the text, and the offset in that line: for going to a match.
    pub fn place_of(&self, byte: usize) -> Option<(usize, usize)> {
        if byte >= self.text.len() {
            return None;
        }
        let after = self.checkpoints.partition_point(|point| point.byte <= byte);
        let point = self.checkpoints.get(after.checked_sub(1)?)?;
        let between = self.text.as_bytes().get(point.byte..byte)?;
        let (mut line, mut start) = (point.line, point.byte);
        for newline in memchr_iter(b'\n', between) {
            line += 1;
            start = point.byte + newline + 1;
        }
        Some((line, byte - start))
    }

    /// Where a line starts, for an index below the number of lines.
    fn start_of(&self, index: usize) -> usize {
        let after = self.checkpoints.partition_point(|point| point.line <= index);
        let point = after.checked_sub(1).and_then(|at| self.checkpoints.get(at));
        let Some(point) = point else { return 0 };
        let mut byte = point.byte;
        for _ in point.line..index {
            let rest = self.text.as_bytes().get(byte..).unwrap_or_default();
            byte += memchr(b'\n', rest).map_or(rest.len(), |newline| newline + 1);
        }
        byte
    }

    /// At most `count` display rows of `width` cells, from a byte offset in a line on and into
    /// the lines after it. The offset should be the start of a row: 0, the `end_byte` of a row, or
    /// what [`row_before`](Self::row_before) gave. Looks only at what it lays out.
    pub fn rows_from(&self, line: usize, byte: usize, width: u16, count: usize) -> Vec<Row<'_>> {
        let mut laid_out = Vec::new();
        let mut from = byte;
        for index in line..self.lines {
            let room = count - laid_out.len();
            let Some(text) = self.line(index).filter(|_| room > 0) else { break };
            laid_out.extend(rows(text, index, from, width).take(room));
            from = 0;
        }
        laid_out
    }

    /// The line and byte offset at which the row before a place starts; `None` at the start of
    /// the document. For scrolling back; costs at most 16 KiB of layout.
    pub fn row_before(&self, line: usize, byte: usize, width: u16) -> Option<(usize, usize)> {
        if byte > 0 {
            return Some((line, row_start_before(self.line(line)?, byte, width)));
        }
        let line = line.checked_sub(1)?;
        let text = self.line(line)?;
        Some((line, if text.is_empty() { 0 } else { row_start_before(text, text.len(), width) }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn document(text: impl Into<String>) -> Document {
        Document::new(UntrustedText::new(text))
    }

    #[test]
    fn lines_are_those_a_reader_counts() {
        for (text, lines) in [
            ("", vec![]),
            ("a", vec!["a"]),
            ("a\n", vec!["a"]),
            ("a\n\n", vec!["a", ""]),
            ("a\r\nb\rc\n\r\nd", vec!["a", "b\rc", "", "d"]),
        ] {
            let document = document(text);
            assert_eq!(document.line_count(), lines.len(), "{text:?}");
            assert_eq!(document.lines_from(0).collect::<Vec<_>>(), lines);
            assert_eq!(document.line(lines.len()), None);
        }
    }

    #[test]
    fn the_text_comes_back_without_a_copy() {
        let text = UntrustedText::new("a\nb".repeat(1000));
        let place = text.raw().as_ptr();
        let back = Document::new(text).into_text();
        assert_eq!(back.raw().as_ptr(), place);
    }

    #[test]
    fn lines_far_into_a_text_are_found() {
        let text: String =
            (0..5000).map(|i| format!("line {i}{}\n", "x".repeat(i % 900))).collect();
        let document = document(text);
        for i in [0, 1, 63, 64, 65, 127, 2048, 4999] {
            assert!(
                document.line(i).is_some_and(|l| l.trim_end_matches('x') == format!("line {i}"))
            );
        }
        assert_eq!(document.line_count(), 5000);
    }

    #[test]
    fn rows_run_over_lines_and_back() {
        let document = document("abcde\n\nfg\u{1b}\r\nxyz");
        let rows = document.rows_from(0, 0, 3, 10);
        let shown: Vec<String> = rows.iter().map(Row::plain).collect();
        assert_eq!(shown, ["abc", "de", "", "fg␛", "xyz"]);
        let places: Vec<(usize, usize)> = rows.iter().map(|r| (r.line, r.start_byte)).collect();
        assert_eq!(places, [(0, 0), (0, 3), (1, 0), (2, 0), (3, 0)]);
        for pair in places.windows(2) {
            assert_eq!(document.row_before(pair[1].0, pair[1].1, 3), Some(pair[0]));
        }
        assert_eq!(document.row_before(0, 0, 3), None);
        assert_eq!(document.rows_from(0, 3, 3, 2).len(), 2);
        assert_eq!(document.rows_from(9, 0, 3, 2).len(), 0);
    }

    #[test]
    fn a_huge_line_among_others_is_not_searched_through() {
        let document =
            document(format!("a\n{}\nb\n{}", "x".repeat(20_000_000), "y".repeat(9_000_000)));
        let started = std::time::Instant::now();
        for byte in 0..400 {
            assert_eq!(document.rows_from(1, byte * 40_000, 80, 3).len(), 3);
            assert_eq!(document.rows_from(2, 0, 80, 3).len(), 3);
        }
        assert!(started.elapsed() < std::time::Duration::from_secs(3), "{:?}", started.elapsed());
    }

    proptest! {
        #[test]
        fn every_line_is_found(text in "([ab\r日]{0,3}\n){0,200}[ab]?") {
            let document = document(text.clone());
            let lines: Vec<&str> = text.lines().collect();
            prop_assert_eq!(document.line_count(), lines.len());
            for (i, line) in lines.iter().enumerate() {
                prop_assert_eq!(document.line(i), Some(*line));
                let byte = line.as_ptr().addr() - text.as_ptr().addr();
                if byte < text.len() {
                    prop_assert_eq!(document.place_of(byte), Some((i, 0)));
                }
            }
        }
    }
}
