//! The preview: details or content of one item, named in its title.

use super::text::{Canvas, Frame, position};
use super::{has_keys, layout_size, running, traffic};
use crate::domain::ServerId;
use crate::tui::state::preview::{Outcome, Showing};
use crate::tui::state::{Focus, ItemKey, Kind, Line, State};
use crate::tui::theme::Role;
use ratatui::layout::{Position, Rect};

/// From how many columns on the mark of a watched resource has words in a title.
const WORDS: usize = 60;

/// Draws the pane. Gives the cursor's place while something is typed in it.
pub(super) fn draw(canvas: &mut Canvas<'_>, state: &State, area: Rect) -> Option<Position> {
    let preview = &state.preview;
    let size = layout_size(area);
    let foot = match (preview.page(), preview.messages()) {
        (Some(page), _) => position(page, preview.place(), size),
        (None, Some(messages)) => traffic::foot(messages),
        (None, None) => Line::default(),
    };
    let focused = has_keys(state, Focus::Preview);
    let frame = Frame { title: title(state, size.0), foot, focused };
    let inside = canvas.frame(area, &frame);
    match (preview.page(), preview.messages()) {
        (Some(page), _) => canvas.page(inside, page, preview.place()),
        (None, Some(messages)) => return traffic::draw(canvas, messages, inside, focused),
        (None, None) => {
            for (row, line) in running::rows(state, size.0).iter().enumerate() {
                canvas.line(inside, row, line);
            }
        }
    }
    None
}

/// What is shown, of which item, of which server. The item's name gives way first.
fn title(state: &State, width: usize) -> Line {
    let preview = &state.preview;
    match (preview.showing, &preview.noise, &preview.traffic) {
        (Showing::Noise, Some((server, _)), _) => {
            return log_title(["[Output]", "Messages"], server);
        }
        (Showing::Traffic, _, Some(messages)) => {
            return log_title(["Output", "[Messages]"], &messages.server);
        }
        (Showing::Details | Showing::Content | Showing::Noise | Showing::Traffic, _, _) => {}
    }
    let Some(key) = &preview.subject else { return Line::of(Role::Label, "Overview") };
    if key.kind == Kind::Server {
        return Line::of(Role::Label, format!("server {}", key.server));
    }
    let what = match (preview.showing, preview.current().map(|o| &o.outcome)) {
        (Showing::Details, _) | (_, None) => "details",
        (_, Some(Outcome::Running { .. })) => "waiting",
        (_, Some(Outcome::Failed(_))) => "failed",
        (_, Some(Outcome::Done(_))) if key.kind == Kind::Prompt => "rendered",
        (_, Some(Outcome::Done(_))) if key.kind == Kind::Tool => "result",
        (_, Some(Outcome::Done(_))) => "content",
    };
    let mut right = Line::of(Role::Plain, format!("  {} · {what}", key.server));
    if let Some(watch) = state.watch_of(key) {
        right.say(Role::Plain, " ");
        right.spans.extend(watch.mark(width >= WORDS).spans);
    }
    let mut line = name(key, width.saturating_sub(right.width() + 2).max(10));
    line.spans.extend(right.spans);
    line
}

/// The two pages on what a server says, the one that is shown in brackets.
fn log_title(pages: [&str; 2], server: &ServerId) -> Line {
    let mut line = Line::default();
    for page in pages {
        let role = if page.starts_with('[') { Role::Label } else { Role::Dim };
        line.say(role, page);
        line.say(Role::Plain, " ");
    }
    line.say(Role::Plain, format!("of {server}"));
    line
}

/// An item's name in so many columns, or what stands for it.
pub(super) fn name(key: &ItemKey, width: usize) -> Line {
    let mut line = Line::default();
    match key.kind {
        Kind::Malformed(list, _) => {
            line.say(Role::Label, format!("one of the {} that could not be read", list.noun()));
        }
        Kind::Server | Kind::Resource | Kind::Template | Kind::Prompt | Kind::Tool => {
            line.show_middle(Role::Label, &key.name, width);
        }
    }
    line.fit(width)
}
