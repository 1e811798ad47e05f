//! The palette: every action, its keys, and why it cannot run now.

use super::text::{Canvas, Frame};
use super::{field_of, split, window};
use crate::tui::state::Line;
use crate::tui::state::filter::Search;
use crate::tui::state::palette::{Choice, Palette};
use crate::tui::theme::Role;
use ratatui::layout::{Position, Rect};

/// The columns for the keys.
const KEYS: usize = 15;

/// Draws it over the whole body. Gives the cursor's place.
pub(super) fn draw(canvas: &mut Canvas<'_>, palette: &Palette, area: Rect) -> Option<Position> {
    canvas.clear(area);
    let (all, at) = (palette.rows.len(), palette.cursor + 1);
    let foot =
        if all == 0 { Line::default() } else { Line::of(Role::Plain, format!("{at} of {all}")) };
    let frame = Frame { title: Line::of(Role::Label, "Actions"), foot, focused: true };
    let inside = canvas.frame(area, &frame);
    let (line, rest) = split(inside, 1);
    let cursor = field_of(canvas, &palette.input, line, true, "words of an action");
    if all == 0 {
        canvas.line(rest, 0, &Line::of(Role::Dim, "no action is called that; Esc closes"));
    }
    let (width, height) = (usize::from(rest.width), usize::from(rest.height));
    let mut search = Search::new(palette.input.text());
    let top = window(palette.cursor, all, height);
    for (row, choice) in palette.rows.iter().skip(top).take(height).enumerate() {
        let selected = top + row == palette.cursor;
        let line = self::row(choice, selected, width, &mut search);
        let base = canvas.theme.style(Role::of_row(selected, true));
        canvas.line_in(rest, row, &line, base);
    }
    cursor
}

fn row(choice: &Choice, selected: bool, width: usize, search: &mut Search) -> Line {
    let role = if choice.why_not.is_some() { Role::Dim } else { Role::Plain };
    let what = Line::of(role, choice.what).matched(&search.positions(choice.what));
    let mut line = Line::of(Role::Plain, if selected { "▸ " } else { "  " });
    line.say(Role::Key, format!("{:<KEYS$} ", choice.keys));
    line.spans.extend(what.spans);
    if let Some(why) = &choice.why_not {
        line.say(Role::Dim, format!("  ({why})"));
    }
    // Which `it` is meant.
    let heading = choice.group.heading();
    let gap = width.saturating_sub(line.width() + heading.len());
    if gap >= 2 {
        line.say(Role::Plain, " ".repeat(gap));
        line.say(Role::Dim, heading);
    }
    line.fit(width)
}
