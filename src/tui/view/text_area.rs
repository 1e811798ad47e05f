//! How a text of many lines is shown while it is written.

use super::text::Canvas;
use super::{field, window};
use crate::tui::state::text_area::TextArea;
use ratatui::layout::{Position, Rect};

/// Draws the part of it that has the caret. Gives the cursor's place. Lines that are too long are
/// moved together, so that the caret is in sight.
pub(super) fn draw(canvas: &mut Canvas<'_>, area: &TextArea, inside: Rect) -> Option<Position> {
    let (width, height) = (usize::from(inside.width), usize::from(inside.height));
    let (_, column) = field::whole(area.line()?);
    let skip = (column + 1).saturating_sub(width);
    let top = window(area.row(), area.lines().len(), height);
    for (row, line) in area.lines().iter().skip(top).take(height).enumerate() {
        let (line, _) = field::whole(line);
        let line = if skip > 0 { line.skip(skip) } else { line };
        canvas.line(inside, row, &line.fit(width));
    }
    let x = u16::try_from(column - skip).ok()?;
    let y = u16::try_from(area.row().checked_sub(top)?).ok()?;
    (y < inside.height).then(|| Position {
        x: inside.x.saturating_add(x).min(inside.right().saturating_sub(1)),
        y: inside.y + y,
    })
}
