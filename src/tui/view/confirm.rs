//! The question before something that wants a yes.

use super::text::Canvas;
use super::{bar, dialog};
use crate::tui::state::confirm::{Confirm, Wanted};
use crate::tui::state::{Line, State};
use crate::tui::theme::Role;
use ratatui::layout::Rect;

/// The columns that it takes where there is room.
const WIDTH: u16 = 72;

/// How many rows a name or an address may take.
const ROWS: usize = 4;

/// How many arguments are named.
const ARGUMENTS: usize = 5;

/// Draws it in the middle of the screen.
pub(super) fn draw(canvas: &mut Canvas<'_>, state: &State, confirm: &Confirm, body: Rect) {
    let width = WIDTH.min(body.width);
    let room = usize::from(width.saturating_sub(6));
    let key = &confirm.key;
    let (title, label, pairs) = match &confirm.wanted {
        Wanted::Read => ("Read this resource?", "address", &[][..]),
        Wanted::Render(arguments) => ("Run this prompt?", "prompt", arguments.as_slice()),
        Wanted::Call { .. } => ("Call this tool?", "tool", &[][..]),
        Wanted::Fill { values, .. } => ("Read what is filled in?", "template", values.as_slice()),
    };
    let mut rows = field("server", |line| line.say(Role::Plain, key.server.as_str()), room);
    rows.extend(field(
        label,
        |line| {
            line.show(Role::Plain, &key.name);
        },
        room,
    ));
    if let Wanted::Fill { uri, .. } = &confirm.wanted {
        rows.extend(field(
            "address",
            |line| {
                line.show(Role::Plain, uri);
            },
            room,
        ));
    }
    for (name, value) in pairs.iter().take(ARGUMENTS) {
        let pair = |line: &mut Line| {
            line.show_start(Role::Label, &name.as_str().into(), room / 3);
            line.say(Role::Plain, " = ");
            line.show_start(Role::Plain, &value.as_str().into(), room);
        };
        rows.extend(field("with", pair, room).into_iter().take(1).map(|row| row.fit(room)));
    }
    if let Some(more @ 1..) = pairs.len().checked_sub(ARGUMENTS) {
        rows.push(Line::of(Role::Dim, format!("     … and {more} more")));
    }
    // In a low window the keys stay, and what explains gives way.
    let space = usize::from(body.height.saturating_sub(3));
    let why = Line::of(Role::Warn, "Your permissions want a yes before it is used.").rows(room);
    if rows.len() + 1 + why.len() < space {
        rows.push(Line::default());
        rows.extend(why);
        rows.push(Line::default());
    }
    rows.truncate(space);
    rows.push(bar::offers(state));
    dialog(canvas, body, Line::of(Role::Label, title), &rows, width);
}

/// A label and what a server or a person wrote, folded.
fn field(label: &str, say: impl FnOnce(&mut Line), room: usize) -> Vec<Line> {
    let mut line = Line::of(Role::Label, format!("{label:<9} "));
    line.indent = 10;
    say(&mut line);
    let mut rows = line.rows(room);
    if rows.len() > ROWS {
        rows.truncate(ROWS);
        if let Some(last) = rows.last_mut() {
            let mut cut = std::mem::take(last).fit(room.saturating_sub(2));
            cut.say(Role::Dim, " …");
            *last = cut;
        }
    }
    rows
}
