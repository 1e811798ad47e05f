//! The form of a prompt, a template or a tool.

use super::text::{Canvas, Frame};
use super::{field, has_keys, preview, text_area, window};
use crate::domain::UntrustedText;
use crate::schema::FieldKind;
use crate::tui::keymap::{Context, key_for};
use crate::tui::msg::{Action, FieldAction};
use crate::tui::state::form::{Blank, Field, Filled, Form};
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
    let json = form.json();
    let what = if json.is_some() { "JSON" } else { "form" };
    let right = format!("  {} · {what}", form.key.server);
    let room = usize::from(area.width).saturating_sub(right.chars().count() + 4).max(10);
    let mut title = preview::name(&form.key, room);
    title.say(Role::Plain, right);
    let position = match json {
        Some(view) => format!("line {}, column {}", view.area.row() + 1, view.area.column() + 1),
        None => format!("field {} of {}", form.focus + 1, form.fields.len()),
    };
    let position = Line::of(Role::Plain, position);
    let frame = Frame { title, foot: position, focused: has_keys(state, Focus::Preview) };
    let inside = canvas.frame(area, &frame);
    let width = usize::from(inside.width);
    let foot = foot(form, width, usize::from(inside.height));
    let height = usize::from(inside.height).saturating_sub(foot.len());
    if let Some(view) = json {
        for (row, line) in foot.into_iter().enumerate() {
            canvas.line(inside, height + row, &line.fit(width));
        }
        let height = u16::try_from(height).unwrap_or(inside.height);
        return text_area::draw(canvas, &view.area, Rect { height, ..inside });
    }
    let (rows, cursor, end) = laid_out(form, &state.offers, width, height);
    let top = end.saturating_sub(height).min(cursor.0.saturating_sub(1));
    for (row, line) in rows.into_iter().skip(top).take(height).enumerate() {
        let chosen = line.spans.iter().any(|span| span.role == Role::Selected);
        let base = canvas.theme.style(if chosen { Role::Selected } else { Role::Plain });
        canvas.line_in(inside, row, &line.fit(width), base);
    }
    for (row, line) in foot.into_iter().enumerate() {
        canvas.line(inside, height + row, &line.fit(width));
    }
    let row = u16::try_from(cursor.0 - top.min(cursor.0)).ok();
    let row = row.filter(|row| usize::from(*row) < height)?;
    let x = inside.x.saturating_add(cursor.1).min(inside.right().saturating_sub(1));
    Some(Position { x, y: inside.y + row })
}

/// The rows that can be in a window of a height, the cursor's row and column in them, and the row
/// behind what has to be seen of the field with the keys. What is before that field is laid out
/// from it backwards.
fn laid_out(
    form: &Form,
    offers: &Offers,
    width: usize,
    height: usize,
) -> (Vec<Line>, (usize, u16), usize) {
    let mut before: Vec<Vec<Line>> = Vec::new();
    let mut filled = 0;
    for field in form.fields.iter().take(form.focus).rev() {
        if filled > height {
            break;
        }
        let (rows, _) = block(form, field, width, None);
        filled += rows.len();
        before.push(rows);
    }
    let mut rows: Vec<Line> = before.into_iter().rev().flatten().collect();
    let (mut cursor, mut end) = ((0, 0), 0);
    for (n, one) in form.fields.iter().enumerate().skip(form.focus) {
        let focused = n == form.focus;
        let (block, at) = block(form, one, width, focused.then_some((offers, height)));
        if let Some((column, proposed)) = at {
            cursor = (rows.len() + 1, column);
            end = rows.len() + proposed;
        }
        rows.extend(block);
        if focused && rows.len() - cursor.0 <= height {
            // The last row of it is a gap.
            end = rows.len() - 1;
        }
        if rows.len() > end + height {
            break;
        }
    }
    (rows, cursor, end)
}

/// The rows of one field, and a gap below; of the one that has the keys also the cursor's column,
/// and how many rows there are down to the last proposal.
fn block(
    form: &Form,
    field: &Field,
    width: usize,
    keys: Option<(&Offers, usize)>,
) -> (Vec<Line>, Option<(u16, usize)>) {
    let mut rows = vec![heading(form, field)];
    let (mut line, column) = field::shown(&field.input, width.saturating_sub(2));
    let mut row = Line::of(Role::Key, if keys.is_some() { "▸ " } else { "· " });
    row.spans.append(&mut line.spans);
    if field.is_empty() {
        placeholder(&mut row, field);
    }
    rows.push(row);
    if let Some(problem) = &field.problem {
        let mut line = Line::of(Role::Bad, "  ✗ ");
        line.show_start(Role::Bad, problem, width.saturating_mul(PROBLEM));
        line.indent = 4;
        rows.extend(line.rows(width).into_iter().take(PROBLEM));
    }
    let mut at = None;
    if let Some((offers, height)) = keys {
        proposals(&mut rows, field, offers, height);
        at = Some((column.saturating_add(2), rows.len()));
    }
    below(&mut rows, field, width);
    rows.push(Line::default());
    (rows, at)
}

/// What the server takes where nothing is written.
fn placeholder(row: &mut Line, field: &Field) {
    let Some(asked) = &field.asked else { return };
    if let Some(default) = &asked.default {
        row.say(Role::Dim, "default: ");
        row.show_start(Role::Dim, &asked.write(default).into(), DEFAULT);
    }
}

/// How many rows of what is wrong with a field are shown.
const PROBLEM: usize = 3;

/// The most columns of a default.
const DEFAULT: usize = 200;

fn heading(form: &Form, field: &Field) -> Line {
    let mut line = Line::default();
    line.show(Role::Label, &field.name);
    if let Some(title) = &field.title {
        line.say(Role::Plain, "  ");
        line.show(Role::Plain, title);
    }
    let template = matches!(form.of, Filled::Template(_));
    if let Some(asked) = &field.asked {
        line.say(Role::Dim, format!("  {}", kind(&asked.kind)));
    }
    let state = match (field.required, field.is_empty(), field.blank) {
        (_, true, Blank::Null) => "sent as null",
        (true, true, Blank::Empty) => "required: sent empty",
        (true, _, _) => "required",
        (false, false, _) if template => "filled in",
        (false, false, _) => "optional",
        (false, true, Blank::Empty) if template => "stands there empty",
        (false, true, Blank::Absent) if template => "empty: left out",
        (false, true, Blank::Empty) => "sent empty",
        (false, true, Blank::Absent) => "left out",
    };
    line.say(Role::Dim, format!("  ({state})"));
    line
}

/// What can stand in a field of a tool.
fn kind(kind: &FieldKind) -> &str {
    match kind {
        FieldKind::Text => "text",
        FieldKind::Integer => "whole number",
        FieldKind::Number => "number",
        FieldKind::Boolean => "true or false",
        FieldKind::Choice(_) => "one of these",
        FieldKind::Json(_) => "JSON",
    }
}

fn below(rows: &mut Vec<Line>, field: &Field, width: usize) {
    if let Some(note) = field.note {
        rows.push(Line::of(Role::Dim, format!("  {note}")));
    }
    if let Some(asked) = &field.asked {
        let json = match &asked.kind {
            FieldKind::Json(what) => Some(what.as_str()),
            FieldKind::Text
            | FieldKind::Integer
            | FieldKind::Number
            | FieldKind::Boolean
            | FieldKind::Choice(_) => None,
        };
        let said: Vec<&str> =
            json.into_iter().chain(asked.limits.iter().map(String::as_str)).collect();
        if !said.is_empty() {
            let mut line = Line::of(Role::Plain, "  ");
            line.show_start(Role::Dim, &said.join("; ").into(), width.saturating_mul(2));
            line.indent = 2;
            rows.extend(line.rows(width).into_iter().take(2));
        }
    }
    if let Some(text) = &field.description {
        let mut line = Line::of(Role::Plain, "  ");
        line.show(Role::Dim, text);
        line.indent = 2;
        rows.extend(line.rows(width).into_iter().take(3));
    }
}

/// What the server proposes, the chosen one among it.
fn proposals(rows: &mut Vec<Line>, field: &Field, offers: &Offers, height: usize) {
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
    let noun = if field.asked.is_some() { "value" } else { "proposal" };
    let shown = OFFERED.min(height / 3).max(1);
    let top = window(offers.chosen.unwrap_or(0), values.len(), shown);
    for (n, value) in values.iter().enumerate().skip(top).take(shown) {
        let chosen = offers.chosen == Some(n);
        let mut line = Line::of(Role::Plain, "  ");
        let role = if chosen { Role::Selected } else { Role::Plain };
        line.say(role, if chosen { "▸ " } else { "  " });
        line.show_start(role, value, PROPOSAL);
        if let Some(title) = field.title_of(value.raw()) {
            line.say(role, "  ");
            line.show_start(role, title, PROPOSAL);
        }
        rows.push(line);
    }
    let count = words::count(values.len(), noun);
    let all = completion.extent().map_or(count, |extent| format!("{extent} {noun}s"));
    let text = match offers.chosen {
        Some(n) => format!("    number {}; {all}", n + 1),
        None => format!("    {all}"),
    };
    rows.push(Line::of(Role::Dim, text));
}

/// The most columns of a proposal.
const PROPOSAL: usize = 300;

/// What stands below all fields: the URI that comes of a template, what is wrong with the arguments
/// of a tool.
fn foot(form: &Form, width: usize, height: usize) -> Vec<Line> {
    let Some(tool) = form.tool() else { return uri(form, width, height) };
    let mut rows = Vec::new();
    let mut say = |role: Role, sign: &str, texts: &[&UntrustedText]| {
        let mut line = Line::of(role, sign);
        for text in texts {
            line.show_start(role, text, width.saturating_mul(2));
        }
        line.indent = 2;
        rows.extend(line.rows(width).into_iter().take(2));
    };
    match form.json() {
        Some(view) => {
            view.problem.iter().for_each(|problem| say(Role::Bad, "✗ ", &[problem]));
            let between = UntrustedText::from(": ");
            for field in &form.fields {
                let Some(problem) = &field.problem else { continue };
                say(Role::Bad, "✗ ", &[&field.name, &between, problem]);
            }
        }
        None => {
            if !tool.extra.is_empty() {
                let names: Vec<&str> = tool.extra.keys().map(String::as_str).collect();
                say(Role::Dim, "also sent, as JSON: ", &[&names.join(", ").into()]);
            }
            if let Some(why) = &tool.more {
                say(Role::Dim, "see the JSON: ", &[&why.as_str().into()]);
            }
        }
    }
    tool.problems.iter().for_each(|problem| say(Role::Bad, "✗ ", &[problem]));
    if form.waits() {
        rows.push(Line::of(Role::Warn, "held against its schema …"));
    }
    if tool.refused {
        let key = key_for(Context::Form, Action::Field(FieldAction::Unchecked)).unwrap_or_default();
        rows.push(Line::of(Role::Warn, format!("not sent; {key} sends it all the same")));
    }
    rows.truncate(height / 2);
    rows
}

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
