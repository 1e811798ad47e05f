//! The form of a prompt.

use super::text::{Canvas, Frame};
use super::{field, has_keys, preview};
use crate::tui::state::form::{Field, Form};
use crate::tui::state::{Focus, Line, State};
use crate::tui::theme::Role;
use ratatui::layout::{Position, Rect};

/// Draws the form. Gives the cursor's place.
pub(super) fn draw(
    canvas: &mut Canvas<'_>,
    state: &State,
    form: &Form,
    area: Rect,
) -> Option<Position> {
    let right = format!("  {} · form", form.key.server);
    let room = usize::from(area.width).saturating_sub(right.chars().count() + 4).max(10);
    let mut title = preview::name(&form.key, room);
    title.say(Role::Plain, right);
    let foot = Line::of(Role::Plain, format!("field {} of {}", form.focus + 1, form.fields.len()));
    let frame = Frame { title, foot, focused: has_keys(state, Focus::Preview) };
    let inside = canvas.frame(area, &frame);
    let width = usize::from(inside.width);
    let height = usize::from(inside.height);
    let mut rows: Vec<Line> = Vec::new();
    let (mut cursor, mut end) = ((0, 0), 0);
    for (n, one) in form.fields.iter().enumerate() {
        rows.push(heading(one));
        let (mut line, column) = field::shown(&one.input, width.saturating_sub(2));
        let focused = n == form.focus;
        let mut row = Line::of(Role::Key, if focused { "▸ " } else { "· " });
        row.spans.append(&mut line.spans);
        if focused {
            cursor = (rows.len(), column.saturating_add(2));
        }
        rows.push(row);
        below(&mut rows, one, width);
        if focused {
            end = rows.len();
        }
        rows.push(Line::default());
    }
    let top = end.saturating_sub(height).min(cursor.0.saturating_sub(1));
    for (row, line) in rows.into_iter().skip(top).take(height).enumerate() {
        canvas.line(inside, row, &line.fit(width));
    }
    let row = u16::try_from(cursor.0 - top.min(cursor.0)).ok().filter(|r| *r < inside.height)?;
    let x = inside.x.saturating_add(cursor.1).min(inside.right().saturating_sub(1));
    Some(Position { x, y: inside.y + row })
}

fn heading(field: &Field) -> Line {
    let mut line = Line::default();
    line.show(Role::Label, &field.name);
    if let Some(title) = &field.title {
        line.say(Role::Plain, "  ");
        line.show(Role::Plain, title);
    }
    let state = match (field.required, field.is_empty(), field.send_empty) {
        (true, _, _) => "required",
        (false, false, _) => "optional",
        (false, true, true) => "optional, will be sent empty",
        (false, true, false) => "optional, will not be sent",
    };
    line.say(Role::Dim, format!("  ({state})"));
    line
}

fn below(rows: &mut Vec<Line>, field: &Field, width: usize) {
    if let Some(problem) = field.problem {
        rows.push(Line::of(Role::Bad, format!("  ✗ {problem}")));
    }
    if let Some(text) = &field.description {
        let mut line = Line::of(Role::Plain, "  ");
        line.show(Role::Dim, text);
        line.indent = 2;
        rows.extend(line.rows(width).into_iter().take(3));
    }
}
