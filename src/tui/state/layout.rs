//! Where the panes are. `update` needs it to scroll by pages, `view` to draw.

use super::{Focus, State};
use ratatui::layout::Rect;

/// The fewest columns and rows in which anything can be shown.
pub const SMALLEST: (u16, u16) = (40, 10);

/// Where the panes are; a pane that is absent is not on screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Areas {
    /// The pane of servers.
    pub servers: Option<Rect>,
    /// The list pane.
    pub list: Option<Rect>,
    /// The preview.
    pub preview: Option<Rect>,
    /// Everything above the bar.
    pub body: Rect,
    /// The bar.
    pub bar: Rect,
}

/// Places the panes; `None` below [`SMALLEST`].
///
/// ```text
/// 40 to 69 columns   70 to 119          120 and more         full
/// [ focused pane ]   [servers][preview] [servers][list][preview] [preview]
///                    [list   ][       ]
/// ```
pub fn areas(area: Rect, focus: Focus, full: bool, servers: usize) -> Option<Areas> {
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        return None;
    }
    let bar_height = if area.height >= 20 { 2 } else { 1 };
    let (body, bar) = rows(area, area.height - bar_height);
    let mut areas = Areas { servers: None, list: None, preview: None, body, bar };
    let full = full && focus == Focus::Preview;
    if full || area.width < 70 || area.height < 16 {
        match focus {
            Focus::Servers => areas.servers = Some(body),
            Focus::List => areas.list = Some(body),
            Focus::Preview => areas.preview = Some(body),
        }
        return Some(areas);
    }
    let wanted = u16::try_from(servers + 3).unwrap_or(u16::MAX);
    if area.width < 120 {
        let (left, preview) = columns(body, 34.max(area.width * 2 / 5));
        let (top, list) = rows(left, wanted.clamp(3, body.height / 3));
        (areas.servers, areas.list, areas.preview) = (Some(top), Some(list), Some(preview));
    } else {
        let (left, rest) = columns(body, (area.width / 5).clamp(26, 36));
        // Names and addresses stand side by side in the list; the preview keeps fifty columns.
        let (list, preview) = columns(rest, (area.width * 2 / 5).min(rest.width - 50));
        (areas.servers, areas.list, areas.preview) = (Some(left), Some(list), Some(preview));
    }
    Some(areas)
}

/// The columns that the question before a call takes where there is room.
const ASKING: u16 = 100;

/// What is inside of a pane's frame.
pub fn inner(area: Rect) -> Rect {
    Rect {
        x: area.x.saturating_add(1),
        y: area.y.saturating_add(1),
        width: area.width.saturating_sub(2),
        height: area.height.saturating_sub(2),
    }
}

fn rows(area: Rect, height: u16) -> (Rect, Rect) {
    let height = height.min(area.height);
    let top = Rect { height, ..area };
    (top, Rect { y: area.y + height, height: area.height - height, ..area })
}

fn columns(area: Rect, width: u16) -> (Rect, Rect) {
    let width = width.min(area.width);
    let left = Rect { width, ..area };
    (left, Rect { x: area.x + width, width: area.width - width, ..area })
}

impl State {
    /// Where the panes are now.
    pub fn areas(&self) -> Option<Areas> {
        let (width, height) = self.size;
        areas(Rect::new(0, 0, width, height), self.focus, self.full, self.view.servers.len())
    }

    /// Columns and rows for text in a pane; 1 by 1 when it is not on screen.
    pub fn room(&self, pane: Focus) -> (usize, usize) {
        let area = self.areas().and_then(|a| match pane {
            Focus::Servers => a.servers,
            Focus::List => a.list,
            Focus::Preview => a.preview,
        });
        size_inside(area)
    }

    /// Where the question before a call lies: as high as what it shows, in the middle.
    pub fn asking_area(&self) -> Option<Rect> {
        let asking = self.confirm.as_ref()?.asking.as_ref()?;
        let body = self.areas()?.body;
        let width = ASKING.min(body.width);
        let columns = usize::from(width.saturating_sub(6)).max(1);
        let rows =
            asking.page.rows(super::Place::default(), columns, usize::from(body.height)).len();
        let height = u16::try_from(rows).unwrap_or(u16::MAX).saturating_add(4).min(body.height);
        let (x, y) = ((body.width - width) / 2, (body.height - height) / 2);
        Some(Rect { x: body.x + x, y: body.y + y, width, height })
    }

    /// Where in it the page is, above the row of keys.
    pub fn asking_body(&self) -> Option<Rect> {
        let inside = inner(self.asking_area()?);
        let width = inside.width.saturating_sub(4);
        let height = inside.height.saturating_sub(if inside.height > 4 { 2 } else { 1 });
        Some(Rect { x: inside.x + 2, width, height, ..inside })
    }

    /// Whether the last line of the question before a call is in its window.
    pub fn sees_all(&self) -> bool {
        let asking = self.confirm.as_ref().and_then(|confirm| confirm.asking.as_ref());
        let body = self.asking_body().filter(|body| body.width > 0 && body.height > 0);
        let (Some(asking), Some(body)) = (asking, body) else { return false };
        let (width, height) = (usize::from(body.width), usize::from(body.height));
        asking.place >= asking.page.last_window(width, height)
    }

    /// Columns and rows for text in a page over everything.
    pub fn overlay_room(&self) -> (usize, usize) {
        size_inside(self.areas().map(|a| a.body))
    }
}

fn size_inside(area: Option<Rect>) -> (usize, usize) {
    let inside = area.map(inner).unwrap_or_default();
    (usize::from(inside.width).max(1), usize::from(inside.height).max(1))
}
