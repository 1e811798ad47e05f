//! The field for the name of a file.

use super::text::Canvas;
use super::{bar, dialog, field};
use crate::tui::state::save::Save;
use crate::tui::state::{Line, State, words};
use crate::tui::theme::Role;
use ratatui::layout::{Position, Rect};

/// The columns that it takes where there is room.
const WIDTH: u16 = 72;

/// Draws it in the middle of the screen. Gives the cursor's place.
pub(super) fn draw(
    canvas: &mut Canvas<'_>,
    state: &State,
    save: &Save,
    body: Rect,
) -> Option<Position> {
    let width = WIDTH.min(body.width);
    let room = usize::from(width.saturating_sub(6));
    let (typed, column) = field::shown(&save.input, room);
    let mut rows = vec![typed, Line::default()];
    match (&save.problem, save.call) {
        (_, Some(_)) => rows.push(Line::of(Role::Warn, "writing …")),
        (Some(_), None) if save.exists => {
            let text = "A file of that name is there. Ctrl-E replaces it; another name keeps it.";
            rows.extend(Line::of(Role::Warn, text).rows(room));
        }
        (Some(problem), None) => {
            rows.extend(
                Line::of(Role::Bad, format!("✗ {}", words::fault_line(problem))).rows(room),
            );
            if let Some(hint) = &problem.hint {
                rows.extend(Line::of(Role::Plain, format!("→ {hint}")).rows(room));
            }
        }
        (None, None) => {
            let text = "Below the folder vestibule was started in, or a whole path.";
            rows.extend(Line::of(Role::Dim, text).rows(room));
        }
    }
    rows.push(Line::default());
    rows.push(bar::offers(state));
    let title = Line::of(Role::Label, format!("Save {} as", save.what));
    let inside = dialog(canvas, body, title, &rows, width);
    let x = inside.x.saturating_add(column).min(inside.right().saturating_sub(1));
    Some(Position { x, y: inside.y })
}
