//! The list: tabs, the filter's field, rows, how the lists stand.

use super::text::{Canvas, Frame};
use super::{field_of, has_keys, running, split, window};
use crate::tui::state::catalogue::{Entry, TabState};
use crate::tui::state::filter::Search;
use crate::tui::state::item::{RowInfo, RowRef};
use crate::tui::state::layout::inner;
use crate::tui::state::search::Query;
use crate::tui::state::{Focus, Line, State, Tab, words};
use crate::tui::theme::Role;
use ratatui::layout::{Position, Rect};

/// How many rows below the list say how the lists stand, while there are rows above; more in a
/// high pane. No sentence takes more of them.
const STANDINGS: usize = 3;

/// The most columns of a server's name in a row.
const SERVER: usize = 14;

/// From how many columns on the mark of a watched resource has words.
const WORDS: usize = 60;

/// What can be typed, while nothing is.
const HINT: &str = "words @server #tool #prompt #resource #template";

/// Draws the pane. Gives the cursor's place while the filter is typed.
pub(super) fn draw(canvas: &mut Canvas<'_>, state: &State, area: Rect) -> Option<Position> {
    let tab = state.catalogue.current();
    let focused = has_keys(state, Focus::List);
    let inside = canvas.frame(area, &Frame { title: tabs(state), foot: foot(state, tab), focused });
    let parts = parts(state, inside);
    let typing = state.catalogue.typing;
    let cursor = field_of(canvas, &state.catalogue.filter, parts.field, typing, HINT);
    for (row, line) in parts.standings.iter().enumerate() {
        canvas.line(parts.below, row, line);
    }
    entries(canvas, state, tab, parts.body, focused);
    cursor
}

/// The parts of the pane.
struct Parts {
    field: Rect,
    body: Rect,
    below: Rect,
    /// What stands below.
    standings: Vec<Line>,
}

fn parts(state: &State, inside: Rect) -> Parts {
    let tab = state.catalogue.current();
    let has_field = state.catalogue.typing || state.catalogue.is_filtered();
    let (field, rest) = split(inside, u16::from(has_field));
    let standings = standing_rows(state, tab, rest);
    // Below the rows, at the edge of the pane; at its top where there are none.
    let above = if tab.entries.is_empty() { 0 } else { rest.height };
    let (body, below) = split(rest, above.saturating_sub(rows(standings.len())));
    Parts { field, body, below, standings }
}

/// The entry at a point.
pub(super) fn row_at(state: &State, area: Rect, point: Position) -> Option<usize> {
    let body = parts(state, inner(area)).body;
    let tab = state.catalogue.current();
    let top = window(tab.cursor, tab.entries.len(), usize::from(body.height));
    let row = body.contains(point).then(|| top + usize::from(point.y - body.y))?;
    (row < tab.entries.len()).then_some(row)
}

fn rows(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

fn tabs(state: &State) -> Line {
    let mut line = Line::default();
    if state.catalogue.is_filtered() {
        line.say(Role::Label, "Search over everything");
        return line;
    }
    let current = state.catalogue.tab;
    for (n, tab) in Tab::ALL.into_iter().enumerate() {
        if n > 0 {
            line.say(Role::Plain, " ");
        }
        if tab == current {
            line.say(Role::Label, format!("[{}]", tab.title()));
        } else {
            line.say(Role::Dim, tab.title());
        }
    }
    line
}

fn foot(state: &State, tab: &TabState) -> Line {
    let text = if state.catalogue.is_filtered() {
        let more = if state.catalogue.is_searching() { " so far" } else { "" };
        format!("{} of {} match{more}", tab.matching, tab.total)
    } else if tab.total > 0 {
        let before = tab.entries.iter().take(tab.cursor + 1);
        let number = before.filter(|e| matches!(e, Entry::Row(_))).count();
        format!("{number} of {}", tab.total)
    } else {
        return Line::default();
    };
    Line::of(Role::Plain, text)
}

/// How the lists stand, folded to the pane; all of it when there is nothing else to show.
fn standing_rows(state: &State, tab: &TabState, area: Rect) -> Vec<Line> {
    let width = usize::from(area.width);
    let lines = words::standings(state, state.catalogue.tab);
    if tab.entries.is_empty() {
        let folded = lines.iter().flat_map(|l| l.rows(width));
        return folded.take(usize::from(area.height)).collect();
    }
    // Long sentences are folded as far as a quarter of the pane allows; the first ones first.
    let budget = STANDINGS.max(usize::from(area.height) / 4);
    let more = lines.len().saturating_sub(budget);
    let shown = if more > 0 { budget - 1 } else { lines.len() };
    let hidden = lines.len() - shown;
    let mut rows: Vec<Line> = Vec::new();
    for (n, line) in lines.iter().take(shown).enumerate() {
        let others = (shown - n - 1) + usize::from(hidden > 0);
        let room = budget.saturating_sub(rows.len() + others).min(STANDINGS);
        let folded = line.rows(width);
        let cut = folded.len() > room;
        rows.extend(folded.into_iter().take(room));
        if let (true, Some(last)) = (cut, rows.last_mut()) {
            *last = cut_row(last, width);
        }
    }
    if hidden > 0 {
        rows.push(Line::of(Role::Dim, format!("… {hidden} more; select a server")).fit(width));
    }
    rows
}

/// A row whose sentence goes on; the list of notices has the rest.
fn cut_row(row: &Line, width: usize) -> Line {
    const REST: &str = " see n";
    let room = width.saturating_sub(REST.len());
    let mut cut = row.clone();
    if cut.width() < room {
        cut.say(Role::Dim, "…");
    }
    let mut cut = cut.fit(room);
    cut.say(Role::Dim, REST);
    cut.fit(width)
}

fn entries(canvas: &mut Canvas<'_>, state: &State, tab: &TabState, area: Rect, focused: bool) {
    let height = usize::from(area.height);
    let width = usize::from(area.width);
    let filtered = state.catalogue.is_filtered();
    let many = (filtered || state.servers.selected.is_none()) && state.view.servers.len() > 1;
    let words = filtered.then(|| Query::new(state.catalogue.filter.text()).words);
    let mut search = words.map(|words| Search::new(&words));
    let top = window(tab.cursor, tab.entries.len(), height);
    for (row, entry) in tab.entries.iter().skip(top).take(height).enumerate() {
        let selected = top + row == tab.cursor;
        let (line, role) = match entry {
            Entry::Heading(heading, count) => {
                (Line::of(Role::Label, format!("── {heading} ({count}) ──")), Role::Plain)
            }
            Entry::Row(place) => {
                let Some(info) = place.info(&state.view) else { continue };
                let mut line = Line::of(Role::Plain, if selected { "▸ " } else { "  " });
                if filtered {
                    line.say(Role::Key, format!("{} ", place.list().mark()));
                }
                let room = width.saturating_sub(line.width());
                let watch = match (place, info.address) {
                    (RowRef::Resource(_), Some(uri)) => state.watch(info.server, uri),
                    (
                        RowRef::Resource(_)
                        | RowRef::Template(_)
                        | RowRef::Prompt(_)
                        | RowRef::Tool(_)
                        | RowRef::Malformed(..),
                        _,
                    ) => None,
                };
                let mark = watch.map(|watch| watch.mark(room >= WORDS));
                let mut mark = mark.unwrap_or_default();
                if let Some(call) = state.preview.running_at(*place, &state.view) {
                    let gap = if mark.spans.is_empty() { "" } else { " " };
                    mark.say(Role::Plain, gap);
                    mark.spans.extend(running::mark(call).spans);
                }
                line.spans.extend(item(&info, room, many, search.as_mut(), mark).spans);
                (line, Role::of_row(selected, focused))
            }
        };
        let base = canvas.theme.style(role);
        canvas.line_in(area, row, &line.fit(width), base);
    }
}

/// One row: the name, where there is room the address, and the server at the right edge.
fn item(
    info: &RowInfo<'_>,
    width: usize,
    many: bool,
    search: Option<&mut Search>,
    mark: Line,
) -> Line {
    let server = if many { info.server.as_str() } else { "" };
    let server = Line::of(Role::Dim, server).fit(SERVER.min(width / 3));
    let mut right = mark;
    if many {
        if !right.spans.is_empty() {
            right.say(Role::Plain, " ");
        }
        right.spans.extend(server.spans);
    }
    let room = width.saturating_sub(if right.spans.is_empty() { 0 } else { right.width() + 1 });
    let mut text = Line::default();
    match (info.why, info.name) {
        (Some(_), _) => text.say(Role::Bad, "✗ "),
        (None, Some(name)) if name.is_empty() => text.say(Role::Dim, "(no name)"),
        (None, _) => {}
    }
    // Names stand in one column and addresses in another, where there is room for both.
    let address = info.address.filter(|a| Some(*a) != info.name && room >= 44);
    let narrowest = width.saturating_sub(if many { SERVER + 1 } else { 0 });
    let column = if address.is_some() { (narrowest * 2 / 5).max(16) } else { room };
    match (info.name, info.why) {
        (Some(name), None) if address.is_some() => {
            text.show_middle(Role::Plain, name, column.saturating_sub(2));
        }
        (Some(name), None) => text.show_middle(Role::Plain, name, room),
        (Some(name), Some(_)) => text.show_start(Role::Plain, name, room),
        (None, _) => text.say(Role::Dim, "(no name)"),
    }
    if let Some(why) = info.why {
        text.say(Role::Bad, format!(": {why}"));
    }
    if let Some(address) = address {
        text.say(Role::Plain, " ".repeat(column.saturating_sub(text.width()).max(2)));
        text.show_middle(Role::Dim, address, room.saturating_sub(text.width()));
    }
    let mut text = text.fit(room);
    if let Some(search) = search {
        let found = search.positions(&text.text());
        text = text.matched(&found);
    }
    let gap = width.saturating_sub(text.width() + right.width());
    text.say(Role::Plain, " ".repeat(gap));
    debug_assert!(text.width() <= width, "a row is as wide as its pane");
    text.spans.extend(right.spans);
    text
}
