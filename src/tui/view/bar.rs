//! The bar: how the servers stand, what is hidden in what is shown, the newest notice, the keys.

use super::text::Canvas;
use crate::content::cell_width;
use crate::tui::state::servers::Counts;
use crate::tui::state::{Line, State, words};
use crate::tui::theme::Role;
use ratatui::layout::Rect;

/// Draws the bar: two rows where there is room, else the more urgent of the two.
pub(super) fn draw(canvas: &mut Canvas<'_>, state: &State, area: Rect) {
    let width = usize::from(area.width);
    if area.height >= 2 {
        canvas.line(area, 0, &status(state, width));
        canvas.line(area, 1, &keys(state, width));
    } else if state.asking_to_quit || state.confirm.is_some() {
        canvas.line(area, 0, &keys(state, width));
    } else {
        let mut line = counts(state, false);
        line.say(Role::Plain, "  ");
        let room = width.saturating_sub(line.width());
        let urgent = state.notices.newest(state.now).is_some();
        let rest = if urgent { notice(state, room) } else { keys(state, room) };
        line.spans.extend(rest.spans);
        canvas.line(area, 0, &line.fit(width));
    }
}

/// How many servers stand how; with words where there is room for them.
fn counts(state: &State, words: bool) -> Line {
    let counts = Counts::of(&state.view, &state.servers);
    let mut line = Line::default();
    let mut say = |number: usize, role, mark: &str, word: &str| {
        if number > 0 {
            if !line.spans.is_empty() {
                line.say(Role::Plain, if words { "  " } else { " " });
            }
            let text =
                if words { format!("{mark} {number} {word}") } else { format!("{mark}{number}") };
            line.say(role, text);
        }
    };
    say(counts.up, Role::Good, "●", "up");
    say(counts.connecting, Role::Warn, "…", "connecting");
    say(counts.down, Role::Bad, "✗", "down");
    say(counts.disconnected, Role::Dim, "○", "disconnected");
    say(counts.off, Role::Dim, "○", "off");
    if line.spans.is_empty() {
        line.say(Role::Dim, "no servers");
    }
    line
}

fn status(state: &State, width: usize) -> Line {
    // What is new needs the room more than the words do.
    let wanted = state.notices.newest(state.now).map_or(0, |(n, _)| cell_width(&n.text) + 12);
    let mut line = counts(state, true);
    if line.width() + wanted > width {
        line = counts(state, false);
    }
    let hidden = state.preview.page().map_or(0, super::super::state::Page::hidden);
    if hidden > 0 {
        line.say(Role::Plain, "  ");
        line.say(Role::Mark, format!("⟨{}⟩", words::count(hidden, "hidden character")));
    }
    let running = state.preview.running().count();
    if running > 0 {
        line.say(Role::Warn, format!("  {} running", words::count(running, "call")));
    }
    let room = width.saturating_sub(line.width() + 3);
    let notice = notice(state, room);
    if !notice.spans.is_empty() {
        line.say(Role::Dim, " │ ");
        line.spans.extend(notice.spans);
    }
    line.fit(width)
}

/// The newest notice, and how many more there are; these are never cut off.
fn notice(state: &State, width: usize) -> Line {
    let Some((newest, more)) = state.notices.newest(state.now) else { return Line::default() };
    let tail = if more > 0 { format!("  (+{more}: n)") } else { "  (n)".into() };
    let room = width.saturating_sub(tail.chars().count());
    let mut line = Line::of(newest.role, newest.text.clone()).fit(room);
    line.say(Role::Key, tail);
    line
}

/// What is offered here, then what always is: that keeps its place at the end.
fn keys(state: &State, width: usize) -> Line {
    let [offers, always] = state.hints().map(|some| some.iter().map(hint).collect::<Vec<_>>());
    let kept: usize = always.iter().map(|hint| hint.width() + 2).sum();
    let mut line = Line::default();
    append(&mut line, offers, width.saturating_sub(kept));
    append(&mut line, always, width);
    line
}

/// All that is offered here.
pub(super) fn offers(state: &State) -> Line {
    let [offers, _] = state.hints();
    let mut line = Line::default();
    append(&mut line, offers.iter().map(hint), usize::MAX);
    line
}

fn hint((key, what): &(String, &'static str)) -> Line {
    let mut hint = Line::of(Role::Key, key.as_str());
    hint.say(Role::Plain, format!(" {what}"));
    hint
}

/// Adds hints, each whole or not at all, as long as there is room.
fn append(line: &mut Line, hints: impl IntoIterator<Item = Line>, width: usize) {
    for hint in hints {
        let gap = if line.spans.is_empty() { 0 } else { 2 };
        if line.width() + gap + hint.width() > width {
            return;
        }
        line.say(Role::Plain, " ".repeat(gap));
        line.spans.extend(hint.spans);
    }
}
