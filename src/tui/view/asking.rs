//! The question before a call of a tool.

use super::bar;
use super::text::{Canvas, Frame, position};
use crate::tui::state::asking::Asking;
use crate::tui::state::{Line, State};
use crate::tui::theme::Role;

/// Draws it in the middle of the screen: what will be sent, and the keys below.
pub(super) fn draw(canvas: &mut Canvas<'_>, state: &State, asking: &Asking) {
    let (Some(area), Some(body)) = (state.asking_area(), state.asking_body()) else { return };
    canvas.clear(area);
    let size = (usize::from(body.width), usize::from(body.height));
    let foot = position(&asking.page, asking.place, size);
    let title = Line::of(Role::Label, "Call this tool?");
    let inside = canvas.frame(area, &Frame { title, foot, focused: true });
    canvas.page(body, &asking.page, asking.place);
    let row = usize::from(inside.height.saturating_sub(1));
    let keys = bar::offers(state).fit(size.0);
    let below = ratatui::layout::Rect { x: body.x, width: body.width, ..inside };
    canvas.line(below, row, &keys);
}
