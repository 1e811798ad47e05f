//! The choice of a link.

use super::text::Canvas;
use super::{bar, dialog, window};
use crate::tui::state::links::Links;
use crate::tui::state::{Line, State};
use crate::tui::theme::Role;
use ratatui::layout::Rect;

/// The columns that it takes where there is room.
const WIDTH: u16 = 80;

/// Draws it in the middle of the screen.
pub(super) fn draw(canvas: &mut Canvas<'_>, state: &State, links: &Links, body: Rect) {
    let width = WIDTH.min(body.width);
    let room = usize::from(width.saturating_sub(6));
    let height = usize::from(body.height.saturating_sub(4)).max(1);
    let top = window(links.cursor, links.uris.len(), height);
    let mut rows: Vec<Line> = Vec::new();
    for (n, uri) in links.uris.iter().enumerate().skip(top).take(height) {
        let selected = n == links.cursor;
        let mut line = Line::of(Role::Plain, if selected { "▸ " } else { "  " });
        line.say(Role::Key, format!("[{}] ", n + 1));
        let role = if selected { Role::Label } else { Role::Plain };
        let left = room.saturating_sub(line.width());
        line.show_middle(role, uri, left);
        rows.push(line.fit(room));
    }
    rows.push(Line::default());
    rows.push(bar::offers(state));
    let title = format!("Read which resource of {}?", links.of.server);
    dialog(canvas, body, Line::of(Role::Label, title), &rows, width);
}
