//! The messages of a server, a line for each.

use super::text::Canvas;
use super::{field_of, window};
use crate::content::{cell_width, human_size};
use crate::tui::state::traffic::{Message, Traffic, title};
use crate::tui::state::{Line, words};
use crate::tui::theme::Role;
use ratatui::layout::{Position, Rect};

/// From so many columns on, a row says when; from so many more, to the millisecond.
const WITH_TIME: [usize; 2] = [44, 60];

/// Draws the list, and the filter's field above it. Gives the cursor's place while that is typed.
pub(super) fn draw(
    canvas: &mut Canvas<'_>,
    traffic: &Traffic,
    area: Rect,
    focused: bool,
) -> Option<Position> {
    let filtered = traffic.typing || !traffic.filter.text().is_empty();
    let (line, rest) = super::split(area, u16::from(filtered));
    let cursor = field_of(canvas, &traffic.filter, line, traffic.typing, "any text of a message");
    let (height, width) = (usize::from(rest.height), usize::from(rest.width));
    let (matching, all) = traffic.counts();
    if matching == 0 {
        let text = match (traffic.loaded, all) {
            (false, _) => "…",
            (true, 0) => "No messages yet: c connects the server, and what is said stands here.",
            (true, _) => "no message holds that; Esc clears the filter",
        };
        for (row, line) in Line::of(Role::Dim, text).rows(width).iter().enumerate() {
            canvas.line(rest, row, line);
        }
    }
    let selected = traffic.cursor();
    let top = window(selected, matching, height);
    for row in 0..height.min(matching.saturating_sub(top)) {
        let Some(message) = traffic.row(top + row) else { break };
        let is_selected = top + row == selected;
        let line = self::row(traffic, message, is_selected, width);
        let base = canvas.theme.style(Role::of_row(is_selected, focused));
        canvas.line_in(rest, row, &line, base);
    }
    cursor
}

/// Which way, what, and at the right edge how much and when.
fn row(traffic: &Traffic, message: &Message, selected: bool, width: usize) -> Line {
    let size = human_size(u64::try_from(message.length).unwrap_or(u64::MAX));
    let mut right = size.replace(" bytes", " B").replace(" byte", " B");
    if message.is_cut() {
        right.push_str(" (cut)");
    }
    let [seconds, millis] = WITH_TIME;
    if width >= seconds {
        let time = words::clock(message.time);
        let time = if width >= millis { time.as_str() } else { time.get(..8).unwrap_or_default() };
        right = format!("{right}  {time}");
    }
    let mut line = Line::of(Role::Plain, if selected { "▸ " } else { "  " });
    line.say(Role::Key, format!("{} ", message.arrow()));
    title(&mut line, message, traffic.method(message));
    let room = width.saturating_sub(cell_width(&right) + 1);
    let mut line = line.fit(room);
    let gap = width.saturating_sub(line.width() + cell_width(&right));
    line.say(Role::Plain, " ".repeat(gap));
    line.say(Role::Dim, right);
    line.fit(width)
}

/// Where the selection stands, and whether it goes along with what comes.
pub(super) fn foot(traffic: &Traffic) -> Line {
    let (matching, all) = traffic.counts();
    if all == 0 {
        return Line::default();
    }
    let place = if matching == 0 { 0 } else { traffic.cursor() + 1 };
    let mut text = format!("{place} of {matching}");
    if matching != all {
        text.push_str(&format!(" that match, of {all}"));
    }
    if traffic.follows() {
        text.push_str(", follows");
    }
    Line::of(Role::Plain, text)
}
