//! Plain columns: two blanks between them, no frame. In a pipe nothing is cut and there is no
//! head; on a terminal there is one, and no row is wider than a line.

use crate::content::{Piece, cell_width, fit};
use std::{
    borrow::Cow,
    io::{self, Write},
};

/// In a pipe the widest column that others are aligned to, in cells of a terminal. A longer entry
/// is printed whole and pushes what follows it to the right, in its own row only.
const MAX_ALIGNED: usize = 48;

/// Blanks between two columns.
const GAP: usize = 2;

/// Bytes at the end of a text that are looked at for each cell of its last part.
const BYTES_PER_CELL: usize = 16;

/// Which part of a text goes when it is too wide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// Its end.
    End,
    /// Its middle: of an address the end tells most.
    Middle,
}

/// A column: what its head says, and how it is cut.
pub(super) type Column = (&'static str, Cut);

/// Writes rows; `width` is that of the terminal in cells, or none in a pipe. `cells` makes the
/// texts of a row, already revealed; it is called twice for each, so that a long list is never
/// held a second time.
///
/// # Errors
/// Those of the writer.
pub(super) fn write<R, const N: usize>(
    out: &mut dyn Write,
    columns: &[Column; N],
    width: Option<usize>,
    rows: impl Iterator<Item = R> + Clone,
    cells: impl Fn(&R) -> [String; N],
) -> io::Result<()> {
    let mut widths = [0_usize; N];
    let mut empty = true;
    let most = width.unwrap_or(MAX_ALIGNED);
    for row in rows.clone() {
        empty = false;
        for (width, cell) in widths.iter_mut().zip(cells(&row)) {
            *width = (*width).max(cell_width(&cell).min(most));
        }
    }
    let head = width.is_some() && !empty;
    if let Some(line) = width {
        for (width, (name, _)) in widths.iter_mut().zip(columns) {
            // A column in which nothing stands has no head either.
            if *width > 0 {
                *width = (*width).max(cell_width(name));
            }
        }
        shrink(&mut widths, line);
    }
    let whole = width.is_none();
    let mut line = String::new();
    if head {
        let names = columns.each_ref().map(|(name, _)| Cow::Borrowed(*name));
        fill(&mut line, columns, &widths, whole, names);
        writeln!(out, "{}", line.trim_end())?;
    }
    for row in rows {
        line.clear();
        fill(&mut line, columns, &widths, whole, cells(&row).map(Cow::Owned));
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// Takes cells from the widest columns until all of them fit into a line. The first column is
/// what a person writes into the next command, so that it keeps twice as much as the others.
fn shrink(widths: &mut [usize], line: usize) {
    let shown = widths.iter().filter(|width| **width > 0).count();
    let room = line.saturating_sub(GAP * shown.saturating_sub(1));
    let weight = |n: usize, width: usize| if n == 0 { width / 2 } else { width };
    while widths.iter().sum::<usize>() > room {
        let widest = widths.iter_mut().enumerate().filter(|(_, width)| **width > 1);
        match widest.max_by_key(|(n, width)| weight(*n, **width)) {
            Some((_, width)) => *width -= 1,
            None => return,
        }
    }
}

/// Adds the cells of one row.
fn fill<const N: usize>(
    line: &mut String,
    columns: &[Column; N],
    widths: &[usize; N],
    whole: bool,
    cells: [Cow<'_, str>; N],
) {
    for ((width, (_, way)), cell) in widths.iter().zip(columns).zip(cells) {
        if *width == 0 && !whole {
            continue;
        }
        let cell = if whole { cell } else { Cow::Owned(cut(&cell, *width, *way)) };
        line.push_str(&cell);
        let missing = width.saturating_sub(cell_width(&cell));
        line.extend(std::iter::repeat_n(' ', missing + GAP));
    }
}

/// A revealed text of at most `room` cells, with `…` where something is missing.
fn cut(text: &str, room: usize, way: Cut) -> String {
    if cell_width(text) <= room {
        return text.to_owned();
    }
    let end = if way == Cut::Middle { tail(text, room / 2) } else { "" };
    let piece = Piece { text: Cow::Borrowed(text), mark: None, source: "" };
    let mut start = fit([piece], room - cell_width(end)).plain();
    start.push_str(end);
    start
}

/// The longest end of a text that fits into `room` cells, in whole clusters.
fn tail(text: &str, room: usize) -> &str {
    let far = text.len().saturating_sub(room.saturating_mul(BYTES_PER_CELL));
    let window = text.get(text.ceil_char_boundary(far)..).unwrap_or_default();
    let whole = cell_width(window);
    let ends = window.char_indices().filter_map(|(at, _)| window.split_at_checked(at));
    // Where a cluster is split, its parts are counted twice.
    let mut clean = ends.filter(|(start, end)| cell_width(start) + cell_width(end) == whole);
    clean.find(|(_, end)| cell_width(end) <= room).map_or("", |(_, end)| end)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [Column; 3] =
        [("uri", Cut::Middle), ("server", Cut::End), ("description", Cut::End)];

    fn written(rows: &[[&str; 3]], width: Option<usize>) -> String {
        let mut out = Vec::new();
        let cells = |row: &&[&str; 3]| row.map(str::to_owned);
        write(&mut out, &COLUMNS, width, rows.iter(), cells).expect("written");
        String::from_utf8(out).expect("UTF-8")
    }

    fn table(rows: &[[&str; 3]]) -> String {
        written(rows, None)
    }

    #[test]
    fn columns_are_aligned_and_lines_end_where_their_text_does() {
        let text = table(&[["a", "bb", "first"], ["aaa", "", "second"], ["a", "b", ""]]);
        assert_eq!(text, "a    bb  first\naaa      second\na    b\n");
        assert_eq!(table(&[["漢字", "x", ""], ["a", "y", ""]]), "漢字  x\na     y\n");
    }

    #[test]
    fn one_giant_entry_is_whole_and_does_not_move_the_others() {
        let giant = "x".repeat(500);
        let text = table(&[["a", "b", ""], [&giant, "b", ""]]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0].len(), MAX_ALIGNED + 3);
        assert_eq!(lines[1], format!("{giant}  b"));
    }

    #[test]
    fn a_terminal_gets_a_head_and_no_row_wider_than_a_line() {
        let giant = "漢".repeat(500);
        let rows = [
            ["demo://a/very/long/address/of/a/page.html", "library", "words and more words"],
            ["a:b", "s", &giant],
        ];
        for width in [1, 5, 9, 20, 33, 40, 79, 80, 81, 200] {
            let text = written(&rows, Some(width));
            let widest = text.lines().map(cell_width).max();
            // Three columns of one cell are the least there is.
            assert!(widest <= Some(width.max(7)), "{width}: {text}");
            assert_eq!(text.lines().count(), 3, "{width}: {text}");
        }
        let text = written(&rows, Some(46));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "uri                       server   description");
        assert_eq!(lines[1], "demo://a/ve…/a/page.html  library  words and …");
        assert!(lines[2].ends_with("漢…"), "{text}");
    }

    #[test]
    fn what_fits_is_not_cut_and_nothing_has_no_head() {
        let text = written(&[["a:b", "", "words"]], Some(80));
        assert_eq!(text, "uri  description\na:b  words\n");
        assert_eq!(written(&[], Some(80)), "");
    }

    #[test]
    fn a_text_is_cut_between_clusters_and_an_address_keeps_its_end() {
        for (text, room, way, shown) in [
            ("abcdefgh", 8, Cut::Middle, "abcdefgh"),
            ("abcdefgh", 5, Cut::Middle, "ab…gh"),
            ("abcdefgh", 4, Cut::Middle, "a…gh"),
            ("abcdefgh", 1, Cut::Middle, "…"),
            ("abcdefgh", 4, Cut::End, "abc…"),
            ("日本語日本語", 6, Cut::Middle, "日…語"),
            ("aaaaae\u{301}e\u{301}", 4, Cut::Middle, "a…e\u{301}e\u{301}"),
            ("abcdefgh", 0, Cut::End, ""),
        ] {
            assert_eq!(cut(text, room, way), shown, "{text} in {room}");
        }
    }
}
