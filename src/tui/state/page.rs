//! Something long to page through: lines of ours and documents of servers, one after another.

use super::line::Line;
use super::sent::Sent;
use crate::content::reveal::count_text;
use crate::content::{self, Document, reveal_text};
use crate::domain::UntrustedText;
use crate::tui::theme::Role;
use serde_json::Value;
use std::sync::Arc;

/// From this many bytes on, a text is a part of its own, laid out only where it is looked at.
const LONG: usize = 4096;

/// Bytes that count as one line, in however many rows they stand.
const HEX_LINE: usize = 16;

/// One part of a page.
#[derive(Debug, Clone)]
pub enum Part {
    /// One line, folded to the width.
    Line(Line),
    /// A text of any length, laid out only where it is looked at.
    Text(Arc<Document>),
    /// The first bytes of something that is no text, in as many columns as there are.
    Hex(Arc<[u8]>),
}

/// Where a window on a page begins: the part, the line in it, and how far into that line (bytes
/// of a text, rows of a line, bytes of bytes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Place {
    /// Which part.
    pub part: usize,
    /// Which line of it.
    pub line: usize,
    /// How far into the line.
    pub offset: usize,
}

/// A page. Cheap to clone: texts are shared.
#[derive(Debug, Clone, Default)]
pub struct Page {
    parts: Vec<Part>,
    hidden: usize,
    bytes: usize,
    sent: Option<Arc<Sent>>,
}

impl Page {
    /// How many hidden characters were found and marked in it.
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// Roughly the memory that its texts take, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// What it shows, as it was sent.
    pub fn sent(&self) -> Option<&Sent> {
        self.sent.as_deref()
    }

    /// Keeps what it shows, as it was sent.
    pub fn keep(&mut self, sent: Sent) {
        self.bytes += sent.bytes();
        self.sent = Some(Arc::new(sent));
    }

    /// The number of the part that comes next.
    pub fn next_part(&self) -> usize {
        self.parts.len()
    }

    /// Adds a line.
    pub fn push(&mut self, line: Line) {
        self.bytes += line.spans.iter().map(|s| s.text.len()).sum::<usize>();
        self.parts.push(Part::Line(line));
    }

    /// Adds a line in which hidden characters were found.
    pub fn push_counted(&mut self, line: Line, hidden: usize) {
        self.hidden += hidden;
        self.push(line);
    }

    /// Puts another line in the place of one.
    pub fn replace_line(&mut self, part: usize, line: Line) {
        if let Some(Part::Line(before)) = self.parts.get_mut(part) {
            *before = line;
        }
    }

    /// Adds a line of our own words.
    pub fn say(&mut self, role: Role, text: impl Into<String>) {
        self.push(Line::of(role, text));
    }

    /// Adds an empty line.
    pub fn gap(&mut self) {
        self.push(Line::default());
    }

    /// Adds a field of ours: a label and our words.
    pub fn field(&mut self, label: &str, text: impl Into<String>) {
        let mut line = labelled(label);
        line.say(Role::Plain, text);
        self.push(line);
    }

    /// Adds a field on one line that a server filled.
    pub fn show(&mut self, label: &str, text: &UntrustedText) {
        let mut line = labelled(label);
        if text.len() > LONG {
            self.push(line);
            self.text(text.clone());
            return;
        }
        self.hidden += line.show(Role::Plain, text);
        self.push(line);
    }

    /// Adds a line of a server, in a role.
    pub fn show_line(&mut self, role: Role, text: &UntrustedText) {
        if text.len() > LONG {
            self.text(text.clone());
            return;
        }
        let mut line = Line::default();
        self.hidden += line.show(role, text);
        self.push(line);
    }

    /// Adds a text of a server that may have several lines, folded between words while it is
    /// short.
    pub fn show_block(&mut self, text: &UntrustedText) {
        if text.len() > LONG {
            self.text(text.clone());
            return;
        }
        let revealed = reveal_text(text.raw());
        self.hidden += revealed.counts.hidden();
        let mut line = Line::default();
        for piece in &revealed.pieces {
            let role = if piece.mark.is_some() { Role::Mark } else { Role::Plain };
            let mut parts = piece.text.split('\n');
            line.say(role, parts.next().unwrap_or_default());
            for part in parts {
                self.push(std::mem::take(&mut line));
                line.say(role, part);
            }
        }
        self.push(line);
    }

    /// Adds a text of any length.
    pub fn text(&mut self, text: UntrustedText) {
        self.document(Arc::new(Document::new(text)));
    }

    /// Adds a text that is kept elsewhere as well.
    pub fn document(&mut self, document: Arc<Document>) {
        self.bytes += document.len();
        self.hidden += count_text(document.raw()).hidden();
        self.parts.push(Part::Text(document));
    }

    /// Adds bytes.
    pub fn hex(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len();
        self.parts.push(Part::Hex(bytes.into()));
    }

    /// Adds JSON, indented.
    pub fn json(&mut self, value: &Value) {
        // A value that was parsed can be written again; the compact form is a fallback only.
        let text = serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string());
        self.text(text.into());
    }

    fn lines_of(part: &Part) -> usize {
        match part {
            Part::Line(_) => 1,
            Part::Hex(bytes) => bytes.len().div_ceil(HEX_LINE),
            Part::Text(document) => document.line_count(),
        }
    }

    /// How many lines it has, before any folding.
    pub fn line_count(&self) -> usize {
        self.parts.iter().map(Self::lines_of).sum()
    }

    /// The number of the line at a place, from 1.
    pub fn line_number(&self, place: Place) -> usize {
        let before: usize = self.parts.iter().take(place.part).map(Self::lines_of).sum();
        let within = match self.parts.get(place.part) {
            Some(Part::Hex(_)) => place.offset / HEX_LINE,
            Some(Part::Line(_) | Part::Text(_)) | None => place.line,
        };
        before + within + 1
    }

    /// At most `count` rows of at most `width` columns from a place on, each with its own place.
    pub fn rows(&self, from: Place, width: usize, count: usize) -> Vec<(Place, Line)> {
        let mut rows = Vec::new();
        let (mut line, mut offset) = (from.line, from.offset);
        for (part, body) in self.parts.iter().enumerate().skip(from.part) {
            let room = count.saturating_sub(rows.len());
            if room == 0 {
                break;
            }
            match body {
                Part::Line(text) => {
                    let folded = text.rows(width).into_iter().enumerate();
                    let shown = folded.skip(offset).take(room);
                    rows.extend(shown.map(|(offset, l)| (Place { part, line: 0, offset }, l)));
                }
                Part::Hex(bytes) => {
                    let per_row = hex_columns(width);
                    let shown = content::hex_rows(bytes, per_row, usize::MAX).into_iter();
                    let shown = shown.enumerate().skip(offset / per_row).take(room);
                    rows.extend(shown.map(|(row, text)| {
                        let line = Line { whole: true, ..Line::of(Role::Dim, text) }.fit(width);
                        (Place { part, line: 0, offset: row * per_row }, line)
                    }));
                }
                Part::Text(document) => {
                    rows.extend(
                        text_rows(document, (line, offset), width, room)
                            .into_iter()
                            .map(|(line, offset, l)| (Place { part, line, offset }, l)),
                    );
                }
            }
            (line, offset) = (0, 0);
        }
        rows
    }

    /// The place `count` rows after another, never beyond the last full window of `height` rows.
    pub fn forward(&self, from: Place, width: usize, height: usize, count: usize) -> Place {
        let rows = self.rows(from, width, count.saturating_add(height.max(1)));
        // Only near the end is the last window looked for: that goes back row by row.
        match rows.get(count) {
            Some((place, _)) if rows.len() >= count.saturating_add(height.max(1)) => *place,
            Some(_) | None => self.last_window(width, height),
        }
    }

    /// The place `count` rows before another.
    pub fn back(&self, from: Place, width: usize, count: usize) -> Place {
        let mut at = from;
        for _ in 0..count {
            match self.row_before(at, width) {
                Some(before) => at = before,
                None => break,
            }
        }
        at
    }

    /// Where the last full window begins.
    pub fn last_window(&self, width: usize, height: usize) -> Place {
        let end = Place { part: self.parts.len(), line: 0, offset: 0 };
        if self.parts.is_empty() { Place::default() } else { self.back(end, width, height.max(1)) }
    }

    fn row_before(&self, at: Place, width: usize) -> Option<Place> {
        match self.parts.get(at.part) {
            Some(Part::Hex(_)) if at.offset > 0 => {
                let row = (at.offset - 1) / hex_columns(width);
                return Some(Place { offset: row * hex_columns(width), ..at });
            }
            Some(Part::Line(_)) if at.offset > 0 => {
                return Some(Place { offset: at.offset - 1, ..at });
            }
            Some(Part::Text(document)) if at.line > 0 || at.offset > 0 => {
                let (line, offset) = document.row_before(at.line, at.offset, cells(width))?;
                return Some(Place { line, offset, ..at });
            }
            Some(Part::Line(_) | Part::Text(_) | Part::Hex(_)) | None => {}
        }
        // The last row of the nearest part before that has any.
        (0..at.part).rev().find_map(|part| match self.parts.get(part)? {
            Part::Hex(bytes) => {
                let row = bytes.len().checked_sub(1)? / hex_columns(width);
                Some(Place { part, line: 0, offset: row * hex_columns(width) })
            }
            Part::Line(line) => {
                Some(Place { part, line: 0, offset: line.rows(width).len().saturating_sub(1) })
            }
            Part::Text(document) => {
                let (line, offset) = document.row_before(document.line_count(), 0, cells(width))?;
                Some(Place { part, line, offset })
            }
        })
    }
}

fn cells(width: usize) -> u16 {
    u16::try_from(width).unwrap_or(u16::MAX)
}

/// How many bytes stand in a row of so many columns, their characters beside them: sixteen, eight
/// or four.
fn hex_columns(width: usize) -> usize {
    match width {
        78.. => HEX_LINE,
        44.. => HEX_LINE / 2,
        _ => HEX_LINE / 4,
    }
}

fn labelled(label: &str) -> Line {
    let mut line = Line::of(Role::Label, format!("{label:<12} "));
    line.indent = 13;
    line
}

/// Rows of a document from a line and a byte in it.
fn text_rows(
    document: &Document,
    (line, offset): (usize, usize),
    width: usize,
    count: usize,
) -> Vec<(usize, usize, Line)> {
    document
        .rows_from(line, offset, cells(width), count)
        .into_iter()
        .map(|row| {
            let mut shown = Line::default();
            for piece in &row.pieces {
                let role = if piece.mark.is_some() { Role::Mark } else { Role::Plain };
                shown.say(role, piece.text.as_ref());
            }
            (row.line, row.start_byte, shown)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Page {
        let mut page = Page::default();
        page.say(Role::Label, "a heading that is long enough to be folded a few times over");
        page.text("one\ntwo is rather longer than the window is wide\n\nfour".into());
        page.gap();
        page.text(UntrustedText::new("x".repeat(200)));
        page.hex(&[7; 40]);
        page.say(Role::Dim, "the end");
        page
    }

    #[test]
    fn going_down_and_up_again_comes_back_row_by_row() {
        let page = page();
        for (width, height) in [(1, 1), (7, 3), (20, 10), (80, 24)] {
            let all: Vec<Place> =
                page.rows(Place::default(), width, usize::MAX).iter().map(|(p, _)| *p).collect();
            assert!(all.is_sorted() && all.len() > 6, "{width}");
            let end = page.last_window(width, height);
            assert_eq!(Some(&end), all.get(all.len().saturating_sub(height)), "{width}x{height}");
            for (n, place) in all.iter().enumerate().step_by(7) {
                assert_eq!(page.back(*place, width, n), Place::default(), "{width} from {n}");
                let down = page.forward(Place::default(), width, height, n);
                assert_eq!(down, (*place).min(end), "{width} to {n}");
            }
        }
    }

    #[test]
    fn an_empty_page_has_one_place() {
        let page = Page::default();
        assert_eq!(page.forward(Place::default(), 10, 10, 3), Place::default());
        assert_eq!(page.back(Place::default(), 10, 3), Place::default());
        assert_eq!(page.last_window(10, 10), Place::default());
    }

    #[test]
    fn the_number_of_a_line_counts_across_parts() {
        let page = page();
        assert_eq!(page.line_count(), 1 + 4 + 1 + 1 + 3 + 1);
        assert_eq!(page.line_number(Place { part: 1, line: 2, offset: 0 }), 4);
    }
}
