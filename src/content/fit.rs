//! A revealed one-liner cut to a number of terminal cells, for rows of lists.

use super::cells::{cell_width, take_cells};
use super::reveal::{Piece, pieces_line};
use std::borrow::Cow;

/// Upper bound of the bytes that one cell of unmarked text can take: an emoji of two cells joined
/// from eight parts, each with skin tone and presentation selector.
pub(super) const BYTES_PER_CELL: usize = 128;

/// Bytes looked at beyond that, so that the last decision sees its neighbours.
pub(super) const LOOK_AHEAD: usize = 256;

/// What fits.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fitted<'a> {
    /// The pieces; where something is missing the last one is `…`.
    pub pieces: Vec<Piece<'a>>,
    /// The cells they take; never more than asked for.
    pub width: usize,
    /// Whether something is missing.
    pub cut: bool,
}

impl Fitted<'_> {
    /// The text as one string.
    pub fn plain(&self) -> String {
        self.pieces.iter().map(|piece| piece.text.as_ref()).collect()
    }
}

/// Reveals one line and cuts it to `cells`, looking only at its beginning: for long texts in
/// lists. What is cut off may hold marks too; `reveal::count_line` counts them all.
pub fn fit_line(text: &str, cells: usize) -> Fitted<'_> {
    let bound = cells.saturating_mul(BYTES_PER_CELL).saturating_add(LOOK_AHEAD);
    let start = text.get(..text.floor_char_boundary(bound)).unwrap_or_default();
    fit(pieces_line(start), cells)
}

/// Cuts pieces of one line to `cells`, on a cluster boundary, with `…` in the last cell where
/// something is missing. A mark is cut like text where it does not fit.
pub fn fit<'a>(pieces: impl IntoIterator<Item = Piece<'a>>, cells: usize) -> Fitted<'a> {
    let mut fitted = Fitted::default();
    for piece in pieces {
        let (bytes, width) = take_cells(&piece.text, cells - fitted.width);
        if bytes == piece.text.len() {
            fitted.width += width;
            fitted.pieces.push(piece);
            continue;
        }
        fitted.cut = true;
        let taken = shorten(piece, bytes);
        fitted.width += width;
        fitted.pieces.push(taken);
        break;
    }
    if fitted.cut {
        make_room(&mut fitted, cells);
    }
    fitted
}

/// Takes clusters from the end until `…` fits, and adds it.
fn make_room(fitted: &mut Fitted<'_>, cells: usize) {
    while fitted.width >= cells {
        let Some(last) = fitted.pieces.pop() else { break };
        let width = cell_width(&last.text);
        let before = fitted.width - width;
        fitted.width = before;
        if before < cells {
            let (bytes, width) = take_cells(&last.text, cells - before - 1);
            fitted.width += width;
            fitted.pieces.push(shorten(last, bytes));
        }
    }
    fitted.pieces.retain(|piece| !piece.text.is_empty());
    if cells > 0 {
        fitted.width += 1;
        fitted.pieces.push(Piece { text: Cow::Borrowed("…"), mark: None, source: "" });
    }
}

fn shorten(piece: Piece<'_>, bytes: usize) -> Piece<'_> {
    let text = match piece.text {
        Cow::Borrowed(text) => Cow::Borrowed(text.get(..bytes).unwrap_or_default()),
        Cow::Owned(mut text) => {
            text.truncate(text.floor_char_boundary(bytes));
            Cow::Owned(text)
        }
    };
    Piece { text, mark: piece.mark, source: piece.source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::reveal::MarkKind;
    use proptest::prelude::*;

    #[test]
    fn a_row_is_cut_with_an_ellipsis() {
        for (text, cells, shown) in [
            ("short", 5, "short"),
            ("longer", 5, "long…"),
            ("日本語", 5, "日本…"),
            ("日本語", 4, "日…"),
            ("👨\u{200d}👩\u{200d}👧👨\u{200d}👩\u{200d}👧", 3, "👨\u{200d}👩\u{200d}👧…"),
            ("a\nb", 3, "a␊b"),
            ("ab\u{202e}cd", 20, "ab⟨U+202E⟩cd"),
            ("ab\u{202e}cd", 5, "ab⟨U…"),
            ("\u{1b}x", 1, "…"),
            ("x", 0, ""),
            ("", 3, ""),
        ] {
            let fitted = fit_line(text, cells);
            assert_eq!(fitted.plain(), shown, "{text:?} in {cells}");
            assert_eq!(fitted.width, cell_width(shown));
        }
    }

    #[test]
    fn a_mark_keeps_its_kind_when_cut() {
        let fitted = fit_line("\u{202e}abc", 4);
        assert_eq!(fitted.pieces.first().and_then(|p| p.mark), Some(MarkKind::Bidi));
        assert!(fitted.cut);
    }

    #[test]
    fn a_huge_text_is_not_read_to_its_end() {
        let huge = "ab\u{301}日".repeat(1_000_000);
        let started = std::time::Instant::now();
        assert!((79..=80).contains(&fit_line(&huge, 80).width));
        assert!(started.elapsed() < std::time::Duration::from_millis(200));
    }

    proptest! {
        #[test]
        fn never_wider_than_asked(text in any::<String>(), cells in 0_usize..30) {
            let fitted = fit_line(&text, cells);
            prop_assert!(fitted.width <= cells);
            prop_assert_eq!(fitted.pieces.iter().map(|p| cell_width(&p.text)).sum::<usize>(), fitted.width);
            let whole = crate::content::reveal::reveal_line(&text).plain();
            if fitted.cut {
                prop_assert!(cells == 0 || fitted.plain().ends_with('…'));
            } else {
                prop_assert_eq!(fitted.plain(), whole);
            }
        }
    }
}
