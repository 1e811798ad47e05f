//! The bar: how the servers stand, what is hidden in what is shown, the newest notice, the keys.

use super::text::Canvas;
use crate::tui::keymap;
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
    } else if state.asking_to_quit {
        canvas.line(area, 0, &keys(state, width));
    } else {
        let mut line = counts(state, false);
        line.say(Role::Plain, "  ");
        let room = width.saturating_sub(line.width());
        let urgent = state.notices.newest().is_some();
        let rest = if urgent { notice(state, room) } else { keys(state, room) };
        line.spans.extend(rest.spans);
        canvas.line(area, 0, &line.fit(width));
    }
}

/// How many servers stand how; with words where there is room for them.
fn counts(state: &State, words: bool) -> Line {
    let Counts { up, connecting, down, idle } = Counts::of(&state.view);
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
    say(up, Role::Good, "●", "up");
    say(connecting, Role::Warn, "…", "connecting");
    say(down, Role::Bad, "✗", "down");
    say(idle, Role::Dim, "○", "idle");
    if line.spans.is_empty() {
        line.say(Role::Dim, "no servers");
    }
    line
}

fn status(state: &State, width: usize) -> Line {
    let mut line = counts(state, true);
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
    let Some((newest, more)) = state.notices.newest() else { return Line::default() };
    let tail = if more > 0 { format!("  (+{more}: n)") } else { "  (n)".into() };
    let room = width.saturating_sub(tail.chars().count());
    let mut line = Line::of(newest.role, newest.text.clone()).fit(room);
    line.say(Role::Key, tail);
    line
}

fn keys(state: &State, width: usize) -> Line {
    let mut line = Line::default();
    if state.asking_to_quit {
        let running = state.preview.running().count();
        let verb = if running == 1 { "is" } else { "are" };
        line.say(Role::Warn, format!("{} {verb} running:", words::count(running, "call")));
    }
    for (key, what) in keymap::hints(state.context()) {
        let mut hint = Line::default();
        if !line.spans.is_empty() {
            hint.say(Role::Plain, "  ");
        }
        hint.say(Role::Key, key);
        hint.say(Role::Plain, format!(" {what}"));
        // A hint is shown whole or not at all.
        if line.width() + hint.width() > width {
            break;
        }
        line.spans.extend(hint.spans);
    }
    line
}
