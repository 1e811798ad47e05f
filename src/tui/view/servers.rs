//! The pane of servers.

use super::text::{Canvas, Frame};
use super::{has_keys, window};
use crate::domain::Link;
use crate::registry::ServerView;
use crate::tui::state::item::ListKind;
use crate::tui::state::layout::inner;
use crate::tui::state::{Focus, Line, State, Tab, words};
use crate::tui::theme::Role;
use ratatui::layout::{Position, Rect};

/// Draws the pane.
pub(super) fn draw(canvas: &mut Canvas<'_>, state: &State, area: Rect) {
    let focused = has_keys(state, Focus::Servers);
    let frame = Frame { title: Line::of(Role::Label, "Servers"), foot: foot(state, area), focused };
    let inside = canvas.frame(area, &frame);
    let (width, height) = (usize::from(inside.width), usize::from(inside.height));
    let cursor = state.servers.row(&state.view);
    let top = window(cursor, state.view.servers.len() + 1, height);
    for row in 0..height {
        let at = top + row;
        let selected = at == cursor;
        let content = match at.checked_sub(1) {
            None => all(state, width),
            Some(n) => match state.view.servers.get(n) {
                Some(one) => server(state, one, width.saturating_sub(2)),
                None => break,
            },
        };
        let mut line = Line::of(Role::Plain, if selected { "▸ " } else { "  " });
        line.spans.extend(content.spans);
        let base = canvas.theme.style(Role::of_row(selected, focused));
        canvas.line_in(inside, row, &line.fit(width), base);
    }
}

/// The row of the list at a point: 0 is all servers.
pub(super) fn row_at(state: &State, area: Rect, point: Position) -> Option<usize> {
    let inside = inner(area);
    let rows = state.view.servers.len() + 1;
    let top = window(state.servers.row(&state.view), rows, usize::from(inside.height));
    let row = inside.contains(point).then(|| top + usize::from(point.y - inside.y))?;
    (row < rows).then_some(row)
}

/// Where the selection stands when not all are on screen; else what the letters mean, where there
/// is room.
fn foot(state: &State, area: Rect) -> Line {
    let (width, height) = super::layout_size(area);
    let servers = state.view.servers.len();
    if servers + 1 > height {
        let text = match state.servers.row(&state.view) {
            0 => format!("all {servers}"),
            row => format!("{row} of {servers}"),
        };
        return Line::of(Role::Plain, text);
    }
    let legend = Line::of(Role::Dim, "R resources P prompts T tools");
    if servers > 0 && legend.width() + 2 <= width { legend } else { Line::default() }
}

fn all(state: &State, width: usize) -> Line {
    let catalogue = &state.view.catalogue;
    let numbers = [catalogue.resources.len(), catalogue.prompts.len(), catalogue.tools.len()];
    // Nothing is known before the first contact.
    let reached = state.view.servers.iter().any(|s| s.connects > 0);
    let counts = if reached { counts(numbers) } else { String::new() };
    let name = Line::of(
        Role::Plain,
        if state.view.servers.is_empty() { "no servers" } else { "all servers" },
    );
    beside(name, Line::of(Role::Dim, counts), width.saturating_sub(2))
}

/// A row: a mark and the name on the left, how it stands on the right.
fn server(state: &State, server: &ServerView, width: usize) -> Line {
    let mut name = Line::default();
    let lists = &server.lists;
    let right = match &server.link {
        Link::Up(_) => {
            name.say(Role::Good, "● ");
            let mut line = Line::default();
            for (letter, tab) in [("R", Tab::Resources), (" P", Tab::Prompts), (" T", Tab::Tools)] {
                let kinds = ListKind::of(tab);
                let items = kinds.first().map_or(0, |list| list.standing(lists).items);
                line.say(Role::Dim, format!("{letter}{items}"));
                let malformed: usize = kinds.iter().map(|l| l.malformed(lists).len()).sum();
                if malformed > 0 {
                    line.say(Role::Bad, format!(" ✗{malformed}"));
                }
            }
            line
        }
        Link::Connecting => {
            name.say(Role::Warn, "… ");
            let since = state.servers.connecting.get(&server.id).copied().unwrap_or(state.now);
            let elapsed = words::duration(state.now.since(since), false);
            Line::of(Role::Warn, format!("connecting {elapsed}"))
        }
        Link::Idle => {
            name.say(Role::Dim, "○ ");
            Line::of(Role::Dim, if state.servers.is_off(server) { "off" } else { "disconnected" })
        }
        Link::Down { why } => {
            name.say(Role::Bad, "✗ ");
            let mut line = match server.again {
                // That it is down, the mark says.
                Some(again) => {
                    Line::of(Role::Warn, format!("again after {} s: ", again.pause.as_secs()))
                }
                None => Line::of(Role::Bad, "down: "),
            };
            line.say(Role::Plain, words::fault_line(why));
            line
        }
    };
    name.say(Role::Plain, server.id.as_str());
    beside(name, right, width)
}

/// Two things in one row, the right one at the edge and cut first; the left one keeps half.
fn beside(left: Line, right: Line, width: usize) -> Line {
    let left = left.fit(width.saturating_sub(right.width() + 1).max(width / 2));
    let room = width.saturating_sub(left.width() + 1);
    let right = right.fit(room);
    let gap = width.saturating_sub(left.width() + right.width());
    let mut line = left;
    line.say(Role::Plain, " ".repeat(gap));
    line.spans.extend(right.spans);
    line
}

/// Numbers of resources, prompts and tools, under the letters of their tabs.
fn counts([resources, prompts, tools]: [usize; 3]) -> String {
    format!("R{resources} P{prompts} T{tools}")
}
