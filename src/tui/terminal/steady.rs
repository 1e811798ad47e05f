//! Keeps columns in their place on terminals that give some clusters other widths than we do.
//!
//! How wide an emoji of several parts or a letter with marks is drawn differs between terminals.
//! So nothing is drawn behind such a cluster without saying where, and its whole row, with the one
//! below it into which it may run over, is drawn again in every frame, and once when it has gone.

use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::{Buffer, Cell, CellDiffOption};
use ratatui::layout::{Position, Size};

/// Whether terminals differ on how wide this is.
fn is_contested(symbol: &str) -> bool {
    symbol.chars().nth(1).is_some()
}

/// The rows that hold contested clusters, remembered from one frame to the next.
#[derive(Debug, Default)]
pub(super) struct Contested {
    rows: Vec<usize>,
}

impl Contested {
    /// Has the rows that need it drawn in full.
    pub(super) fn mark(&mut self, buffer: &mut Buffer) {
        let width = usize::from(buffer.area.width).max(1);
        let rows = buffer.content.chunks(width).enumerate();
        let now: Vec<usize> = rows
            .filter(|(_, row)| row.iter().any(|cell| is_contested(cell.symbol())))
            .map(|(at, _)| at)
            .collect();
        let before = std::mem::replace(&mut self.rows, now);
        for row in self.rows.iter().chain(&before) {
            let cells = buffer.content.iter_mut().skip(row * width).take(2 * width);
            cells.for_each(|cell| cell.diff_option = CellDiffOption::AlwaysUpdate);
        }
    }
}

/// A backend that says where it goes on after a contested cluster.
pub(super) struct Steady<B>(pub(super) B);

impl<B: Backend> Backend for Steady<B> {
    type Error = B::Error;

    fn draw<'a, I>(&mut self, content: I) -> Result<(), B::Error>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let mut content = content.peekable();
        while content.peek().is_some() {
            // Each call begins with the place of its first cell.
            let mut steady = true;
            let run = std::iter::from_fn(|| {
                let next = if steady { content.next() } else { None };
                steady = next.is_some_and(|(_, _, cell)| !is_contested(cell.symbol()));
                next
            });
            self.0.draw(run)?;
        }
        Ok(())
    }

    fn hide_cursor(&mut self) -> Result<(), B::Error> {
        self.0.hide_cursor()
    }

    fn show_cursor(&mut self) -> Result<(), B::Error> {
        self.0.show_cursor()
    }

    fn get_cursor_position(&mut self) -> Result<Position, B::Error> {
        self.0.get_cursor_position()
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> Result<(), B::Error> {
        self.0.set_cursor_position(position)
    }

    fn clear(&mut self) -> Result<(), B::Error> {
        self.0.clear()
    }

    fn clear_region(&mut self, region: ClearType) -> Result<(), B::Error> {
        self.0.clear_region(region)
    }

    fn size(&self) -> Result<Size, B::Error> {
        self.0.size()
    }

    fn window_size(&mut self) -> Result<WindowSize, B::Error> {
        self.0.window_size()
    }

    fn flush(&mut self) -> Result<(), B::Error> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::backend::CrosstermBackend;
    use ratatui::layout::Rect;

    /// What is written for one row after another, each drawn over the one before.
    fn written(frames: &[&str]) -> Vec<String> {
        let area = Rect::new(0, 0, 8, 2);
        let mut contested = Contested::default();
        let mut before = Buffer::empty(area);
        let draw = |frame: &&str| {
            let mut buffer = Buffer::empty(area);
            buffer.set_string(0, 0, frame, ratatui::style::Style::new());
            contested.mark(&mut buffer);
            let mut out = Vec::new();
            Steady(CrosstermBackend::new(&mut out)).draw(before.diff(&buffer).into_iter()).unwrap();
            before = buffer;
            String::from_utf8(out).unwrap().replace("\x1b[39m\x1b[49m\x1b[59m\x1b[0m", "")
        };
        frames.iter().map(draw).collect()
    }

    #[test]
    fn what_follows_a_contested_cluster_is_told_its_place() {
        let [plain, accent, family, gone] =
            &*written(&["ab|", "e\u{301}b|", "👨\u{200d}👩\u{200d}👧|", "ab|"])
        else {
            panic!("four frames")
        };
        assert_eq!(plain, "\x1b[1;1Hab|");
        assert_eq!(accent, "\x1b[1;1He\u{301}\x1b[1;2Hb|     \x1b[2;1H        ");
        assert_eq!(family, "\x1b[1;1H👨\u{200d}👩\u{200d}👧\x1b[1;3H|     \x1b[2;1H        ");
        assert_eq!(gone, "\x1b[1;1Hab|     \x1b[2;1H        ");
    }
}
