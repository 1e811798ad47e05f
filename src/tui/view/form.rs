//! The form of a prompt or a template.

use super::text::{Canvas, Frame};
use super::{field, has_keys, preview, window};
use crate::tui::state::form::{Field, Filled, Form};
use crate::tui::state::offers::Offers;
use crate::tui::state::{Focus, Line, State, words};
use crate::tui::theme::Role;
use ratatui::layout::{Position, Rect};

/// How many proposals are shown at once, in a pane of some height.
const OFFERED: usize = 6;

/// How many rows of the URI are shown that comes of a template.
const URI_ROWS: usize = 3;

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
    let uri = uri(form, width, usize::from(inside.height));
    let height = usize::from(inside.height).saturating_sub(uri.len());
    let mut rows: Vec<Line> = Vec::new();
    let (mut cursor, mut end) = ((0, 0), 0);
    for (n, one) in form.fields.iter().enumerate() {
        rows.push(heading(form, one));
        let (mut line, column) = field::shown(&one.input, width.saturating_sub(2));
        let focused = n == form.focus;
        let mut row = Line::of(Role::Key, if focused { "▸ " } else { "· " });
        row.spans.append(&mut line.spans);
        if focused {
            cursor = (rows.len(), column.saturating_add(2));
        }
        rows.push(row);
        if let Some(problem) = one.problem {
            rows.push(Line::of(Role::Bad, format!("  ✗ {problem}")));
        }
        if focused {
            proposals(&mut rows, &state.offers, height);
            end = rows.len();
        }
        below(&mut rows, one, width);
        if focused && rows.len() - cursor.0 < height {
            end = rows.len();
        }
        rows.push(Line::default());
    }
    let top = end.saturating_sub(height).min(cursor.0.saturating_sub(1));
    for (row, line) in rows.into_iter().skip(top).take(height).enumerate() {
        let chosen = line.spans.iter().any(|span| span.role == Role::Selected);
        let base = canvas.theme.style(if chosen { Role::Selected } else { Role::Plain });
        canvas.line_in(inside, row, &line.fit(width), base);
    }
    for (row, line) in uri.into_iter().enumerate() {
        canvas.line(inside, height + row, &line.fit(width));
    }
    let row = u16::try_from(cursor.0 - top.min(cursor.0)).ok();
    let row = row.filter(|row| usize::from(*row) < height)?;
    let x = inside.x.saturating_add(cursor.1).min(inside.right().saturating_sub(1));
    Some(Position { x, y: inside.y + row })
}

fn heading(form: &Form, field: &Field) -> Line {
    let mut line = Line::default();
    line.show(Role::Label, &field.name);
    if let Some(title) = &field.title {
        line.say(Role::Plain, "  ");
        line.show(Role::Plain, title);
    }
    let template = matches!(form.of, Filled::Template(_));
    let state = match (field.required, field.is_empty(), field.send_empty) {
        (true, _, _) => "required",
        (false, false, _) if template => "filled in",
        (false, false, _) => "optional",
        (false, true, true) if template => "stands there empty",
        (false, true, false) if template => "empty: left out",
        (false, true, true) => "optional, will be sent empty",
        (false, true, false) => "optional, will not be sent",
    };
    line.say(Role::Dim, format!("  ({state})"));
    line
}

fn below(rows: &mut Vec<Line>, field: &Field, width: usize) {
    if let Some(note) = field.note {
        rows.push(Line::of(Role::Dim, format!("  {note}")));
    }
    if let Some(text) = &field.description {
        let mut line = Line::of(Role::Plain, "  ");
        line.show(Role::Dim, text);
        line.indent = 2;
        rows.extend(line.rows(width).into_iter().take(3));
    }
}

/// What the server proposes, the chosen one among it.
fn proposals(rows: &mut Vec<Line>, offers: &Offers, height: usize) {
    let completion = match &offers.answer {
        None => return,
        Some(Err(fault)) => {
            let line = format!("  no proposals: {}", words::fault_line(fault));
            rows.push(Line::of(Role::Warn, line));
            return;
        }
        Some(Ok(completion)) => completion,
    };
    let values = &completion.values;
    let shown = OFFERED.min(height / 3).max(1);
    let top = window(offers.chosen.unwrap_or(0), values.len(), shown);
    for (n, value) in values.iter().enumerate().skip(top).take(shown) {
        let chosen = offers.chosen == Some(n);
        let mut line = Line::of(Role::Plain, "  ");
        let role = if chosen { Role::Selected } else { Role::Plain };
        line.say(role, if chosen { "▸ " } else { "  " });
        line.show_start(role, value, PROPOSAL);
        rows.push(line);
    }
    let count = words::count(values.len(), "proposal");
    let all = completion.extent().map_or(count, |extent| format!("{extent} proposals"));
    let text = match offers.chosen {
        Some(n) => format!("    number {}; {all}", n + 1),
        None => format!("    {all}"),
    };
    rows.push(Line::of(Role::Dim, text));
}

/// The most columns of a proposal.
const PROPOSAL: usize = 300;

/// The URI that comes of a template, in its own rows below the fields.
fn uri(form: &Form, width: usize, height: usize) -> Vec<Line> {
    let Some(uri) = form.uri() else { return Vec::new() };
    let most = if height < 12 { 1 } else { URI_ROWS };
    let mut line = Line::of(Role::Label, "URI  ");
    match uri {
        Ok(uri) => line.show_middle(Role::Plain, &uri, (width * most).saturating_sub(5 * most)),
        Err(why) => line.say(Role::Bad, format!("✗ {why}")),
    }
    line.indent = 5;
    line.rows(width).into_iter().take(most).collect()
}
