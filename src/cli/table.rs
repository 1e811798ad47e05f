//! Plain columns: two blanks between them, no head, no frame.

use crate::content::cell_width;
use std::io::{self, Write};

/// The widest column that others are aligned to, in cells of a terminal. A longer entry is printed whole
/// and pushes what follows it to the right, in its own row only.
const MAX_ALIGNED: usize = 48;

/// Writes rows. `cells` makes the texts of a row, already revealed; it is called twice for each,
/// so that a long list is never held a second time.
///
/// # Errors
/// Those of the writer.
pub(super) fn write<R, const N: usize>(
    out: &mut dyn Write,
    rows: impl Iterator<Item = R> + Clone,
    cells: impl Fn(&R) -> [String; N],
) -> io::Result<()> {
    let mut widths = [0_usize; N];
    for row in rows.clone() {
        for (width, cell) in widths.iter_mut().zip(cells(&row)) {
            *width = (*width).max(cell_width(&cell).min(MAX_ALIGNED));
        }
    }
    let mut line = String::new();
    for row in rows {
        line.clear();
        for (width, cell) in widths.iter().zip(cells(&row)) {
            line.push_str(&cell);
            let missing = width.saturating_sub(cell_width(&cell));
            line.extend(std::iter::repeat_n(' ', missing + 2));
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[[&str; 3]]) -> String {
        let mut out = Vec::new();
        write(&mut out, rows.iter(), |row| row.map(str::to_owned)).expect("written");
        String::from_utf8(out).expect("UTF-8")
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
}
