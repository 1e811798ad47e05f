//! Lines, frames and pages put into cells.

use crate::content::cell_width;
use crate::tui::state::layout::inner;
use crate::tui::state::{Line, Page, Place};
use crate::tui::theme::{Role, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Block, BorderType, Widget};

/// Where cells go, and how roles look.
pub(super) struct Canvas<'a> {
    /// The cells.
    pub(super) buffer: &'a mut Buffer,
    /// The styles.
    pub(super) theme: Theme,
}

/// What stands on a frame.
pub(super) struct Frame {
    /// At its top.
    pub(super) title: Line,
    /// At its bottom, on the right.
    pub(super) foot: Line,
    /// Whether the pane has the keys: a heavy frame says so without colour.
    pub(super) focused: bool,
}

impl Canvas<'_> {
    /// Empties an area.
    pub(super) fn clear(&mut self, area: Rect) {
        ratatui::widgets::Clear.render(area, self.buffer);
        self.buffer.set_style(area, self.theme.base());
        // A wide character that would reach into it would swallow its first column.
        let Some(x) = area.x.checked_sub(1) else { return };
        for y in area.y..area.bottom() {
            if let Some(cell) = self.buffer.cell_mut((x, y))
                && cell_width(cell.symbol()) > 1
            {
                cell.set_symbol(" ");
            }
        }
    }

    /// Puts a line into a row of an area; what does not fit is left out.
    pub(super) fn line(&mut self, area: Rect, row: usize, line: &Line) {
        self.line_in(area, row, line, Style::new());
    }

    /// Puts a line into a row of an area, over a style that holds for the whole row.
    pub(super) fn line_in(&mut self, area: Rect, row: usize, line: &Line, base: Style) {
        let Some(y) = u16::try_from(row).ok().filter(|row| *row < area.height) else { return };
        let y = area.y + y;
        self.buffer.set_style(Rect { y, height: 1, ..area }, base);
        let mut x = area.x;
        for span in &line.spans {
            let room = usize::from(area.right().saturating_sub(x));
            let style = base.patch(self.theme.style(span.role));
            x = self.put(x, y, &span.text, room, style);
        }
    }

    /// Puts a text into cells, at most `room` of them, and gives the column behind it. Plain text
    /// is a cell a byte, which needs no look at its clusters.
    fn put(&mut self, x: u16, y: u16, text: &str, room: usize, style: Style) -> u16 {
        if !text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return self.buffer.set_stringn(x, y, text, room, style).0;
        }
        let columns = x..self.buffer.area.right();
        let mut end = x;
        for (column, byte) in columns.zip(text.bytes().take(room)) {
            if let Some(cell) = self.buffer.cell_mut((column, y)) {
                cell.set_char(char::from(byte)).set_style(style);
            }
            end = column + 1;
        }
        end
    }

    /// Draws a frame and gives what is inside.
    pub(super) fn frame(&mut self, area: Rect, frame: &Frame) -> Rect {
        let (role, kind) = if frame.focused {
            (Role::FrameFocused, BorderType::Thick)
        } else {
            (Role::Frame, BorderType::Plain)
        };
        let style = self.theme.style(role);
        Block::bordered().border_type(kind).border_style(style).render(area, self.buffer);
        let room = usize::from(area.width.saturating_sub(4));
        self.on_edge(area, 0, 2, &frame.title.clone().fit(room));
        let foot = frame.foot.clone().fit(room);
        if !foot.spans.is_empty() {
            let start = usize::from(area.width).saturating_sub(foot.width() + 2);
            self.on_edge(area, usize::from(area.height.saturating_sub(1)), start, &foot);
        }
        inner(area)
    }

    /// Puts a line on an edge of a frame, with a space on both sides.
    fn on_edge(&mut self, area: Rect, row: usize, start: usize, line: &Line) {
        let mut padded = Line::of(Role::Plain, " ");
        padded.spans.extend(line.spans.iter().cloned());
        padded.say(Role::Plain, " ");
        let left = u16::try_from(start.saturating_sub(1)).unwrap_or(0);
        let width = u16::try_from(padded.width()).unwrap_or(u16::MAX);
        let x = area.x.saturating_add(left);
        let width = width.min(area.right().saturating_sub(x));
        self.line(Rect { x, width, ..area }, row, &padded);
    }

    /// Draws what of a page fits into an area.
    pub(super) fn page(&mut self, area: Rect, page: &Page, place: Place) {
        let (width, height) = (usize::from(area.width), usize::from(area.height));
        for (row, (_, line)) in page.rows(place, width, height).iter().enumerate() {
            self.line(area, row, line);
        }
    }
}

/// Where a window on a page stands, in words; nothing when all of it is on screen.
pub(super) fn position(page: &Page, place: Place, (width, height): (usize, usize)) -> Line {
    let total = page.line_count();
    let rows = page.rows(place, width, height.saturating_add(1));
    let whole = place == Place::default() && rows.len() <= height;
    if whole {
        return Line::default();
    }
    let first = page.line_number(place);
    let shown = rows.get(height.saturating_sub(1)).or(rows.last());
    let last = shown.map_or(first, |(place, _)| page.line_number(*place));
    let text = if first == last {
        format!("line {first} of {total}")
    } else {
        format!("lines {first}-{last} of {total}")
    };
    Line::of(Role::Plain, text)
}
