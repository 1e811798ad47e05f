//! The state as cells. Pure: the same state, theme and area give the same cells.

mod asking;
mod bar;
mod catalogue;
mod confirm;
mod field;
mod form;
mod links;
mod palette;
mod preview;
mod running;
mod save;
mod servers;
mod text;
mod text_area;
mod traffic;

use super::keymap::Context;
use super::state::field::TextField;
use super::state::layout::{Areas, SMALLEST, areas};
use super::state::{Focus, Line, Overlay, State, words};
use super::theme::{Role, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use text::{Canvas, Frame};

/// Draws everything. Gives where the cursor belongs, when text is being typed.
pub fn draw(state: &State, theme: &Theme, area: Rect, buffer: &mut Buffer) -> Option<Position> {
    let area = area.intersection(buffer.area);
    let mut canvas = Canvas { buffer, theme: *theme };
    canvas.clear(area);
    let Some(areas) = areas(area, state.focus, state.full, state.view.servers.len()) else {
        let (width, height) = SMALLEST;
        let line = Line::of(Role::Plain, format!("vestibule needs at least {width}x{height}"));
        canvas.line(area, 0, &line.fit(usize::from(area.width)));
        return None;
    };
    let cursor = panes(&mut canvas, state, &areas);
    bar::draw(&mut canvas, state, areas.bar);
    if state.asking_to_quit {
        question(&mut canvas, state, areas.body);
        return None;
    }
    if let Some(asking) = state.confirm.as_ref().and_then(|confirm| confirm.asking.as_ref()) {
        asking::draw(&mut canvas, state, asking);
        return None;
    }
    if let Some(links) = state.choosing.as_ref().filter(|_| state.context() == Context::Links) {
        links::draw(&mut canvas, state, links, areas.body);
        return None;
    }
    if let Some(confirm) = &state.confirm {
        confirm::draw(&mut canvas, state, confirm, areas.body);
        return None;
    }
    match &state.save {
        Some(save) if state.context() == Context::Save => {
            save::draw(&mut canvas, state, save, areas.body)
        }
        Some(_) | None => cursor,
    }
}

/// Asks in the middle of the screen whether to leave.
fn question(canvas: &mut Canvas<'_>, state: &State, body: Rect) {
    let running = state.preview.running().count();
    let verb = if running == 1 { "is" } else { "are" };
    let text = format!("{} {verb} still running.", words::count(running, "call"));
    let gap = Line::default;
    let lines = [gap(), Line::of(Role::Warn, text), gap(), bar::offers(state), gap()];
    let width = lines.iter().map(Line::width).max().unwrap_or(0) + 6;
    let width = u16::try_from(width).unwrap_or(u16::MAX);
    dialog(canvas, body, Line::of(Role::Label, "Quit?"), &lines, width);
}

/// Rows in a frame in the middle of the screen. Gives where they begin.
fn dialog(canvas: &mut Canvas<'_>, body: Rect, title: Line, rows: &[Line], width: u16) -> Rect {
    let width = width.min(body.width);
    let wanted = u16::try_from(rows.len() + 2).unwrap_or(u16::MAX);
    let height = wanted.min(body.height);
    let area = Rect {
        x: body.x + (body.width - width) / 2,
        y: body.y + (body.height - height) / 2,
        width,
        height,
    };
    canvas.clear(area);
    let inside = canvas.frame(area, &Frame { title, foot: Line::default(), focused: true });
    let inside = Rect { x: inside.x + 2, width: inside.width.saturating_sub(4), ..inside };
    for (row, line) in rows.iter().enumerate() {
        canvas.line(inside, row, &line.clone().fit(usize::from(inside.width)));
    }
    inside
}

fn panes(canvas: &mut Canvas<'_>, state: &State, areas: &Areas) -> Option<Position> {
    if state.overlay.is_some() {
        overlay(canvas, state, areas.body);
        return None;
    }
    if let (Some(palette), Context::Palette) = (&state.palette, state.context()) {
        return palette::draw(canvas, palette, areas.body);
    }
    let mut cursor = None;
    if let Some(area) = areas.servers {
        servers::draw(canvas, state, area);
    }
    if let Some(area) = areas.list {
        cursor = catalogue::draw(canvas, state, area);
    }
    if let Some(area) = areas.preview {
        cursor = match &state.form {
            Some(form) => form::draw(canvas, state, form, area),
            None => preview::draw(canvas, state, area).or(cursor),
        };
    }
    cursor.filter(|_| state.context().is_text())
}

fn overlay(canvas: &mut Canvas<'_>, state: &State, area: Rect) {
    let (Some((kind, place)), Some(page)) = (state.overlay, state.overlay_page()) else { return };
    let title = match kind {
        Overlay::Help => "Help",
        Overlay::Notices => "Notices",
    };
    let inside = canvas.frame(
        area,
        &Frame {
            title: Line::of(Role::Label, title),
            foot: text::position(&page, place, layout_size(area)),
            focused: true,
        },
    );
    canvas.page(inside, &page, place);
}

/// Columns and rows inside of a frame.
fn layout_size(area: Rect) -> (usize, usize) {
    let inside = super::state::layout::inner(area);
    (usize::from(inside.width), usize::from(inside.height))
}

/// Whether a pane has the keys.
fn has_keys(state: &State, pane: Focus) -> bool {
    match state.context() {
        Context::Servers => pane == Focus::Servers,
        Context::Filter => pane == state.focus,
        Context::List => pane == Focus::List,
        Context::Preview | Context::Form | Context::Json => pane == Focus::Preview,
        Context::Save
        | Context::Palette
        | Context::Page
        | Context::Links
        | Context::Call
        | Context::Confirm
        | Context::Quit => false,
    }
}

/// The top rows of an area, and the rest of it.
fn split(area: Rect, height: u16) -> (Rect, Rect) {
    let height = height.min(area.height);
    let rest = Rect { y: area.y + height, height: area.height - height, ..area };
    (Rect { height, ..area }, rest)
}

/// The field of a filter, in the one row of an area; while it is empty it says what can be typed.
/// Gives the cursor's place while it is typed.
fn field_of(
    canvas: &mut Canvas<'_>,
    input: &TextField,
    area: Rect,
    typing: bool,
    hint: &str,
) -> Option<Position> {
    if area.height == 0 {
        return None;
    }
    canvas.line(area, 0, &Line::of(Role::Key, "/ "));
    let room = Rect { x: area.x + 2, width: area.width.saturating_sub(2), ..area };
    let (line, column) = field::shown(input, usize::from(room.width));
    let line = if input.text().is_empty() { Line::of(Role::Dim, hint) } else { line };
    canvas.line(room, 0, &line.fit(usize::from(room.width)));
    typing.then_some(Position { x: room.x + column, y: room.y })
}

/// The pane at a point, and the row of its list there: of the servers, or of the entries.
pub fn pane_at(state: &State, point: Position) -> Option<(Focus, Option<usize>)> {
    let areas = state.areas()?;
    let is_at = |area: &Option<Rect>| area.is_some_and(|area| area.contains(point));
    if is_at(&areas.servers) {
        let area = areas.servers.unwrap_or_default();
        return Some((Focus::Servers, servers::row_at(state, area, point)));
    }
    if is_at(&areas.list) {
        let area = areas.list.unwrap_or_default();
        return Some((Focus::List, catalogue::row_at(state, area, point)));
    }
    is_at(&areas.preview).then_some((Focus::Preview, None))
}

/// The first row of a window on a list that keeps the cursor in its middle where it can.
fn window(cursor: usize, rows: usize, height: usize) -> usize {
    cursor.saturating_sub(height / 2).min(rows.saturating_sub(height))
}
