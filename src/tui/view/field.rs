//! How a field of one line is shown.

use crate::content::{cell_width, pieces_line};
use crate::tui::state::Line;
use crate::tui::state::field::TextField;
use crate::tui::theme::Role;

/// What of a field fits into a width, scrolled by columns so that the caret is in it, and the
/// caret's column. What would hide in it is marked, as in any other text.
pub(super) fn shown(field: &TextField, width: usize) -> (Line, u16) {
    let (line, column) = whole(field);
    let skipped = (column + 1).saturating_sub(width);
    let all = line.width();
    let line = if skipped > 0 { line.skip(skipped) } else { line };
    // Skipping over a wide character may have taken one column more.
    let really = all - line.width();
    (line, u16::try_from(column.saturating_sub(really)).unwrap_or(u16::MAX))
}

/// All of a field, and the caret's column in it.
pub(super) fn whole(field: &TextField) -> (Line, usize) {
    let mut line = Line::default();
    let (mut column, mut at) = (0, 0);
    for piece in pieces_line(field.text()) {
        let before = field.caret().saturating_sub(at);
        at += piece.source.len();
        column += match piece.text.get(..before) {
            // A mark is one thing, however long it is.
            Some(part) if before < piece.source.len() && piece.mark.is_none() => cell_width(part),
            _ if before == 0 => 0,
            _ => cell_width(&piece.text),
        };
        let role = if piece.mark.is_some() { Role::Mark } else { Role::Plain };
        line.say(role, piece.text.as_ref());
    }
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::{KeyCode, KeyEvent};

    fn press(field: &mut TextField, code: KeyCode) {
        field.key(&KeyEvent::from(code));
    }

    fn seen(field: &TextField, width: usize) -> (String, u16) {
        let (line, column) = shown(field, width);
        assert!(usize::from(column) < width, "{column} in {width}");
        (line.fit(width).text(), column)
    }

    #[test]
    fn a_field_scrolls_by_columns_and_the_caret_stays_in_it() {
        let mut field = TextField::new("漢字あ가나다e\u{301}👨\u{200d}👩\u{200d}👧");
        assert_eq!(seen(&field, 10), ("가나다e\u{301}👨\u{200d}👩\u{200d}👧".into(), 9));
        press(&mut field, KeyCode::Left);
        assert_eq!(seen(&field, 10), ("あ가나다e\u{301}…".into(), 9));
        press(&mut field, KeyCode::Home);
        assert_eq!(seen(&field, 10), ("漢字あ가…".into(), 0));
        let mut columns = Vec::new();
        for _ in 0..8 {
            press(&mut field, KeyCode::Right);
            columns.push(seen(&field, 10).1);
        }
        assert_eq!(columns, [2, 4, 6, 8, 8, 8, 9, 9]);
    }

    #[test]
    fn the_caret_stands_behind_marks_and_not_in_them() {
        let mut field = TextField::new("a\u{202e}b");
        assert_eq!(seen(&field, 20), ("a⟨U+202E⟩b".into(), 10));
        press(&mut field, KeyCode::Left);
        assert_eq!(seen(&field, 20).1, 9);
        press(&mut field, KeyCode::Left);
        assert_eq!(seen(&field, 20).1, 1);
        press(&mut field, KeyCode::Left);
        assert_eq!(seen(&field, 20).1, 0);
    }

    #[test]
    fn no_width_is_too_small() {
        let mut field = TextField::new("漢👨\u{200d}👩\u{200d}👧\u{1b}e\u{301}");
        for width in 1..12 {
            press(&mut field, KeyCode::End);
            for _ in 0..5 {
                seen(&field, width);
                press(&mut field, KeyCode::Left);
            }
        }
        assert_eq!(shown(&TextField::new("x"), 0).1, 0);
    }
}
