//! One line of text into display rows: soft wrapping, lazily.
//!
//! A row is laid out from its byte offset in the line by looking at a bounded stretch behind it,
//! so that a line of 20 MB costs no more to show than a short one. To be able to go backwards as
//! cheaply, rows of long lines also end at fixed places, the anchors, every 16 KiB.

use super::cells::{cell_width, cluster_width, squeeze, take_cells};
use super::fit::{BYTES_PER_CELL, LOOK_AHEAD};
use super::reveal::{Found, Piece, RevealMode, RevealScanner};
use std::borrow::Cow;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// Distance of two tab stops, in cells, counted from the start of the row.
pub const TAB_STOP: usize = 4;

/// Bytes between two places at which a row of a long line ends in any case.
const ANCHOR: usize = 16 * 1024;

/// Bytes that one cell of ordinary text takes at most.
const USUAL_BYTES_PER_CELL: usize = 4;

/// Cells that a tag mark takes besides its letters: `⟨TAG:` and `⟩`.
const TAG_FRAME: usize = 6;

/// One display row of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row<'a> {
    /// Index of the line in its document; 0 from [`wrap`].
    pub line: usize,
    /// Where the row starts, in bytes from the start of the line.
    pub start_byte: usize,
    /// Where it ends, and the next row of the line starts.
    pub end_byte: usize,
    /// What to show, tabs expanded.
    pub pieces: Vec<Piece<'a>>,
    /// The cells that the pieces take; never more than asked for.
    pub width: usize,
}

impl Row<'_> {
    /// The text as one string.
    pub fn plain(&self) -> String {
        self.pieces.iter().map(|piece| piece.text.as_ref()).collect()
    }
}

/// The rows of one line (without its line break) for a width in cells; at least one row. A width
/// of 0 is taken as 1.
pub fn wrap(line: &str, width: u16) -> impl Iterator<Item = Row<'_>> {
    rows(line, 0, 0, width)
}

/// The rows of a line from a byte offset on, which should be the start of a row. At least one
/// where the offset is 0.
pub(super) fn rows(
    line: &str,
    index: usize,
    from: usize,
    width: u16,
) -> impl Iterator<Item = Row<'_>> {
    let mut next = (from == 0 || from < line.len()).then_some(from);
    std::iter::from_fn(move || {
        let row = lay_row(line, index, next?, usize::from(width.max(1)));
        next = (row.end_byte < line.len()).then_some(row.end_byte);
        Some(row)
    })
}

/// Where the last row before `before` (a byte offset of the line, not 0) starts.
pub(super) fn row_start_before(line: &str, before: usize, width: u16) -> usize {
    let mut start = anchor_before(line, before);
    for row in rows(line, 0, start, width) {
        start = row.start_byte;
        if row.end_byte >= before {
            break;
        }
    }
    start
}

/// Moves an anchor to a cluster boundary at or before it, by looking at its surroundings only.
fn settle(line: &str, anchor: usize) -> usize {
    let start = line.floor_char_boundary(anchor.saturating_sub(LOOK_AHEAD));
    let end = line.ceil_char_boundary(anchor.saturating_add(LOOK_AHEAD).min(line.len()));
    let around = line.get(start..end).unwrap_or_default();
    around
        .grapheme_indices(true)
        .map(|(at, _)| start + at)
        .take_while(|at| *at <= anchor)
        .last()
        .filter(|at| *at > start)
        .unwrap_or_else(|| line.floor_char_boundary(anchor))
}

/// The first anchor after `from`, or the end.
fn anchor_after(line: &str, from: usize) -> usize {
    let mut anchor = (from / ANCHOR + 1) * ANCHOR;
    while anchor < line.len() {
        let settled = settle(line, anchor);
        if settled > from {
            return settled;
        }
        anchor += ANCHOR;
    }
    line.len()
}

/// The last anchor before `before`, or the start.
fn anchor_before(line: &str, before: usize) -> usize {
    let mut anchor = before.min(line.len()) / ANCHOR * ANCHOR;
    while anchor > 0 {
        let settled = settle(line, anchor);
        if settled < before {
            return settled;
        }
        anchor -= ANCHOR;
    }
    0
}

/// Lays out the row that starts at `from`. Looks at a short stretch first, which nearly always is
/// enough, and at the longest one that a row can need only where it is not.
fn lay_row(line: &str, index: usize, from: usize, width: usize) -> Row<'_> {
    let start = line.floor_char_boundary(from);
    let bound = |bytes_per_cell: usize| {
        line.floor_char_boundary(start.saturating_add(width * bytes_per_cell + 2 * LOOK_AHEAD))
    };
    let anchor = anchor_after(line, start);
    let (near, far) = (bound(USUAL_BYTES_PER_CELL).min(anchor), bound(BYTES_PER_CELL).min(anchor));
    let mut row = lay_row_within(line, index, start..near, width);
    if near < far && row.end_byte + LOOK_AHEAD > near {
        row = lay_row_within(line, index, start..far, width);
    }
    if row.end_byte < anchor {
        row.end_at_word(line, width);
    }
    row
}

/// Lays out a row from a stretch of a line.
fn lay_row_within(line: &str, index: usize, within: Range<usize>, width: usize) -> Row<'_> {
    let start_byte = within.start;
    let window = line.get(within).unwrap_or_default();
    let mut row =
        Row { line: index, start_byte, end_byte: start_byte, pieces: Vec::new(), width: 0 };
    let tag_run = width.saturating_sub(TAG_FRAME);
    for found in RevealScanner::new(window, RevealMode::Text).with_tag_run(tag_run) {
        let full = if found.kind.is_some() {
            !place_mark(&mut row, found, width)
        } else {
            !place_text(&mut row, found.source, width)
        };
        if full {
            break;
        }
    }
    row
}

impl<'a> Row<'a> {
    /// Moves the end of a row that the width cut back to the last space, if that leaves it at
    /// least half full. A space right behind the row is taken into it, so that no row starts with
    /// the space that divides two words.
    fn end_at_word(&mut self, line: &'a str, width: usize) {
        let behind = line.get(self.end_byte..).unwrap_or_default();
        if behind.starts_with(' ') {
            let source = behind.get(..1).unwrap_or_default();
            self.push(Piece { text: Cow::Borrowed(""), mark: None, source }, 0);
            return;
        }
        let mut before = self.width;
        for index in (0..self.pieces.len()).rev() {
            let Some(piece) = self.pieces.get_mut(index) else { return };
            before -= cell_width(&piece.text);
            let Some(kept) = after_last_space(piece) else { continue };
            let kept_width = before + cell_width(kept);
            if kept_width * 2 < width {
                return;
            }
            *piece = Piece { text: Cow::Borrowed(kept), mark: None, source: kept };
            self.pieces.truncate(index + 1);
            self.width = kept_width;
            let bytes: usize = self.pieces.iter().map(|piece| piece.source.len()).sum();
            self.end_byte = self.start_byte + bytes;
            return;
        }
    }

    fn push(&mut self, piece: Piece<'a>, cells: usize) {
        self.end_byte += piece.source.len();
        self.width += cells;
        self.pieces.push(piece);
    }
}

/// The plain text of a piece up to and with its last space.
fn after_last_space<'a>(piece: &Piece<'a>) -> Option<&'a str> {
    if piece.mark.is_some() || piece.text != piece.source {
        return None;
    }
    piece.source.get(..=piece.source.rfind(' ')?)
}

/// Whether the mark found its place in this row. One that is wider than a whole row is cut.
fn place_mark<'a>(row: &mut Row<'a>, found: Found<'a>, width: usize) -> bool {
    let mut piece = Piece::from_found(found);
    let (bytes, cells) = take_cells(&piece.text, width - row.width);
    if bytes == piece.text.len() {
        row.push(piece, cells);
        return true;
    }
    if row.width == 0 {
        piece.text = Cow::Owned(squeeze(&piece.text, width));
        let cells = cell_width(&piece.text);
        row.push(piece, cells);
    }
    false
}

/// Whether all of the text found its place in this row.
fn place_text<'a>(row: &mut Row<'a>, text: &'a str, width: usize) -> bool {
    let mut rest = text;
    while !rest.is_empty() {
        let room = width - row.width;
        if let Some(after) = rest.strip_prefix('\t') {
            if room == 0 {
                return false;
            }
            let cells = (TAB_STOP - row.width % TAB_STOP).min(room);
            let tab = rest.get(..1).unwrap_or_default();
            row.push(Piece { text: Cow::Owned(" ".repeat(cells)), mark: None, source: tab }, cells);
            rest = after;
            continue;
        }
        let until_tab = rest.split('\t').next().unwrap_or(rest);
        let (bytes, cells) = take_cells(until_tab, room);
        let (fits, after) = rest.split_at_checked(bytes).unwrap_or((rest, ""));
        if !fits.is_empty() {
            row.push(Piece { text: Cow::Borrowed(fits), mark: None, source: fits }, cells);
        }
        if bytes < until_tab.len() {
            if row.width == 0 {
                force_cluster(row, after, width);
            }
            return false;
        }
        rest = after;
    }
    true
}

/// Puts something of a cluster that is wider than a whole row into an empty row: as many of its
/// characters as fit, or `…` for the first one.
fn force_cluster<'a>(row: &mut Row<'a>, text: &'a str, width: usize) {
    let cluster = text.graphemes(true).next().unwrap_or(text);
    let mut bytes = 0;
    for (at, c) in cluster.char_indices() {
        let end = at + c.len_utf8();
        if cluster.get(..end).is_some_and(|part| cluster_width(part) > width) {
            break;
        }
        bytes = end;
    }
    if bytes > 0 {
        let part = cluster.get(..bytes).unwrap_or_default();
        let cells = cluster_width(part);
        row.push(Piece { text: Cow::Borrowed(part), mark: None, source: part }, cells);
    } else {
        let first = cluster.chars().next().map_or(0, char::len_utf8);
        let source = cluster.get(..first).unwrap_or_default();
        row.push(Piece { text: Cow::Borrowed("…"), mark: None, source }, 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(line: &str, width: u16) -> Vec<String> {
        wrap(line, width).map(|row| row.plain()).collect()
    }

    #[test]
    fn lines_wrap_on_clusters_with_tabs_and_marks() {
        assert_eq!(shown("", 5), [""]);
        assert_eq!(shown("abcdefg", 3), ["abc", "def", "g"]);
        assert_eq!(shown("abc", 3), ["abc"]);
        assert_eq!(shown("日本語", 5), ["日本", "語"]);
        assert_eq!(shown("a\tb", 10), ["a   b"]);
        assert_eq!(shown("abcd\tb", 6), ["abcd  ", "b"]);
        assert_eq!(shown("abcdef\tb", 6), ["abcdef", "    b"]);
        assert_eq!(shown("e\u{301}e\u{301}e\u{301}", 2), ["e\u{301}e\u{301}", "e\u{301}"]);
        assert_eq!(shown("abc\u{202e}d", 10), ["abc", "⟨U+202E⟩d"]);
        assert_eq!(shown("\u{1b}[2J", 2), ["␛[", "2J"]);
    }

    #[test]
    fn rows_end_between_words_where_they_can() {
        assert_eq!(shown("the quick brown fox", 10), ["the quick ", "brown fox"]);
        assert_eq!(shown("the quick", 3), ["the", "qui", "ck"]);
        assert_eq!(shown("a longwordthatfillsit", 10), ["a longword", "thatfillsi", "t"]);
        assert_eq!(shown("日本 日本語", 8), ["日本 ", "日本語"]);
    }

    #[test]
    fn rows_too_narrow_for_what_they_hold_still_show_that_it_is_there() {
        assert_eq!(shown("日x", 1), ["…", "x"]);
        assert_eq!(shown("\u{202e}x", 4), ["⟨U+…", "x"]);
        assert_eq!(shown("ab", 0), ["a", "b"]);
    }

    #[test]
    fn a_run_of_tags_wraps_in_parts() {
        let tags: String =
            "ignore".chars().map(|c| char::from_u32(0xe0000 + c as u32).unwrap()).collect();
        assert_eq!(shown(&tags, 9), ["⟨TAG:ign⟩", "⟨TAG:ore⟩"]);
    }

    #[test]
    fn a_huge_line_is_shown_anywhere_without_reading_it_all() {
        let line = "abc\u{202e}d日e\u{301}".repeat(1_500_000);
        let mut at = line.floor_char_boundary(line.len() - 5000);
        for _ in 0..20 {
            let row = rows(&line, 0, at, 80).next().expect("a row");
            at = row.end_byte;
        }
        for _ in 0..20 {
            at = row_start_before(&line, at, 80);
        }
        assert!(line.len() - at < 10_000, "{at}");
    }

    #[test]
    fn one_endless_cluster_is_cut_into_rows() {
        for unit in ["\u{1100}", "\u{301}", "\u{1f468}\u{200d}", "\u{915}\u{94d}", "\u{e0041}"] {
            let line = format!("a{}", unit.repeat(50_000));
            let rows: Vec<_> = wrap(&line, 40).take(300).collect();
            assert!(
                rows.iter().all(|row| row.width <= 40 && row.end_byte > row.start_byte),
                "{unit:?}"
            );
            let longest = rows.iter().map(|row| row.end_byte - row.start_byte).max();
            assert!(longest < Some(6000), "{unit:?} {longest:?}");
        }
    }

    #[test]
    fn going_back_meets_the_rows_of_going_forward() {
        let line = "word \u{202e}日本\te\u{301} 👨\u{200d}👩\u{200d}👧".repeat(500);
        assert!(line.len() > ANCHOR);
        for width in [17, 80] {
            let mut starts: Vec<usize> = wrap(&line, width).map(|row| row.start_byte).collect();
            starts.push(line.len());
            let near_anchor = starts.partition_point(|start| *start < ANCHOR);
            for (i, pair) in starts.windows(2).enumerate() {
                if i % 37 == 0 || i.abs_diff(near_anchor) < 3 || i + 3 > starts.len() {
                    assert_eq!(row_start_before(&line, pair[1], width), pair[0], "{width}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn rows_hold_everything_and_are_never_too_wide(
            text in crate::content::reveal::nasty_text(), width in 1_u16..30
        ) {
            let line = text.replace('\n', "");
            let mut at = 0;
            for row in wrap(&line, width) {
                prop_assert_eq!(row.start_byte, at);
                prop_assert!(row.width <= usize::from(width));
                let cells: usize = row.pieces.iter().map(|p| cell_width(&p.text)).sum();
                prop_assert_eq!(cells, row.width);
                let source: String = row.pieces.iter().map(|p| p.source).collect();
                prop_assert_eq!(Some(source.as_str()), line.get(row.start_byte..row.end_byte));
                prop_assert!(row.pieces.iter().all(|p| (!p.text.is_empty() || p.source == " ")
                    && !p.text.contains(char::is_control)));
                at = row.end_byte;
            }
            prop_assert_eq!(at, line.len());
        }
    }
}
