//! A text of many lines being written: each line is a field of its own, and one of them has the
//! caret. `view::text_area` draws it.

use super::field::TextField;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The most that a text holds, in bytes.
pub const CAPACITY: usize = 4 << 20;

/// A text of many lines. It always has at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextArea {
    lines: Vec<TextField>,
    /// Which line has the caret.
    row: usize,
    /// How much is in it, in bytes, line breaks counted.
    bytes: usize,
}

impl Default for TextArea {
    fn default() -> Self {
        Self::new("")
    }
}

impl TextArea {
    /// A text, the caret at its beginning. What does not fit is left out.
    pub fn new(text: &str) -> Self {
        let mut area = Self { lines: vec![TextField::default()], row: 0, bytes: 0 };
        area.insert(text);
        area.row = 0;
        if let Some(line) = area.line_mut() {
            line.key(&plain(KeyCode::Home));
        }
        area
    }

    /// All of it.
    pub fn text(&self) -> String {
        let lines: Vec<&str> = self.lines.iter().map(TextField::text).collect();
        lines.join("\n")
    }

    /// How much is in it, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Its lines.
    pub fn lines(&self) -> &[TextField] {
        &self.lines
    }

    /// Which line has the caret.
    pub fn row(&self) -> usize {
        self.row
    }

    /// The line that has the caret.
    pub fn line(&self) -> Option<&TextField> {
        self.lines.get(self.row)
    }

    fn line_mut(&mut self) -> Option<&mut TextField> {
        self.lines.get_mut(self.row)
    }

    /// How many characters stand before the caret in its line.
    pub fn column(&self) -> usize {
        self.line().map_or(0, |line| before(line).chars().count())
    }

    /// Puts the caret into a line, so many characters from its start.
    pub fn go_to(&mut self, row: usize, column: usize) {
        self.row = row.min(self.lines.len().saturating_sub(1));
        if let Some(line) = self.line_mut() {
            let text = line.text();
            let at = text.char_indices().nth(column).map_or(text.len(), |(at, _)| at);
            line.go_to(at);
        }
    }

    /// Puts a text where the caret is, and the caret behind it. Gives whether all of it fitted.
    pub fn insert(&mut self, text: &str) -> bool {
        let unified = text.replace("\r\n", "\n").replace('\r', "\n");
        let room = CAPACITY.saturating_sub(self.bytes);
        let fitting = unified.get(..unified.floor_char_boundary(room)).unwrap_or_default();
        let Some((head, tail)) = self.line().map(halves) else { return false };
        let mut parts: Vec<String> = fitting.split('\n').map(str::to_owned).collect();
        let last = parts.len().saturating_sub(1);
        if let Some(first) = parts.first_mut() {
            first.insert_str(0, &head);
        }
        let caret = parts.get(last).map_or(0, String::len);
        if let Some(end) = parts.last_mut() {
            end.push_str(&tail);
        }
        // A line has a bound of its own.
        let whole = parts.iter().all(|part| part.len() <= super::field::CAPACITY);
        let fields: Vec<TextField> = parts.iter().map(TextField::new).collect();
        self.lines.splice(self.row..=self.row, fields);
        self.row += last;
        if let Some(line) = self.line_mut() {
            line.go_to(caret);
        }
        self.count();
        whole && fitting.len() == unified.len()
    }

    fn count(&mut self) {
        let text: usize = self.lines.iter().map(|line| line.text().len()).sum();
        self.bytes = text + self.lines.len() - 1;
    }

    /// Takes up a key that types or moves. `page` is how many lines are seen at once. Gives whether
    /// it was one.
    #[expect(clippy::wildcard_enum_match_arm, reason = "another crate's enum of many keys")]
    pub fn key(&mut self, event: &KeyEvent, page: usize) -> bool {
        let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
        let last = self.lines.len().saturating_sub(1);
        let page = page.max(1);
        match event.code {
            KeyCode::Enter => {
                let indent = self.line().map(indent).unwrap_or_default();
                self.insert(&format!("\n{indent}"));
            }
            KeyCode::Up => self.move_to(self.row.saturating_sub(1)),
            KeyCode::Down => self.move_to((self.row + 1).min(last)),
            KeyCode::PageUp => self.move_to(self.row.saturating_sub(page)),
            KeyCode::PageDown => self.move_to((self.row + page).min(last)),
            KeyCode::Home if ctrl => self.go_to(0, 0),
            KeyCode::End if ctrl => self.go_to(last, usize::MAX),
            KeyCode::Left if self.is_at_start() && self.row > 0 => {
                self.go_to(self.row - 1, usize::MAX);
            }
            KeyCode::Right if self.is_at_end() && self.row < last => self.go_to(self.row + 1, 0),
            KeyCode::Backspace if self.is_at_start() => {
                if self.row > 0 {
                    self.join(self.row - 1);
                }
            }
            KeyCode::Delete if self.is_at_end() => {
                if self.row < last {
                    self.join(self.row);
                }
            }
            _ => {
                let full =
                    self.bytes >= CAPACITY && matches!(event.code, KeyCode::Char(_)) && !ctrl;
                let Some(line) = self.lines.get_mut(self.row).filter(|_| !full) else {
                    return false;
                };
                let known = line.key(event);
                self.count();
                return known;
            }
        }
        true
    }

    fn is_at_start(&self) -> bool {
        self.line().is_some_and(|line| line.caret() == 0)
    }

    fn is_at_end(&self) -> bool {
        self.line().is_some_and(|line| line.caret() == line.text().len())
    }

    fn move_to(&mut self, row: usize) {
        let column = self.column();
        self.go_to(row, column);
    }

    /// Makes a line and the one below it one, the caret where they meet.
    fn join(&mut self, row: usize) {
        let length = |row: usize| self.lines.get(row).map(|line| line.text().len());
        let (Some(upper), Some(lower)) = (length(row), length(row + 1)) else { return };
        // One line has a bound of its own, behind which it would be cut.
        if upper + lower > super::field::CAPACITY {
            return;
        }
        let below = self.lines.remove(row + 1);
        self.row = row;
        let Some(line) = self.lines.get_mut(row) else { return };
        let at = line.text().len();
        let text = format!("{}{}", line.text(), below.text());
        *line = TextField::new(text);
        line.go_to(at);
        self.count();
    }
}

/// What stands before the caret.
fn before(line: &TextField) -> &str {
    line.text().get(..line.caret()).unwrap_or_default()
}

/// What stands before the caret, and what behind it.
fn halves(line: &TextField) -> (String, String) {
    let behind = line.text().get(line.caret()..).unwrap_or_default();
    (before(line).to_owned(), behind.to_owned())
}

/// The blanks that a line begins with, as far as the caret.
fn indent(line: &TextField) -> String {
    before(line).chars().take_while(|c| *c == ' ').collect()
}

fn plain(code: KeyCode) -> KeyEvent {
    KeyEvent::new(code, KeyModifiers::NONE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::next_cluster;
    use proptest::prelude::*;

    fn press(area: &mut TextArea, code: KeyCode) {
        assert!(area.key(&plain(code), 5), "{code:?}");
    }

    #[test]
    fn lines_are_split_and_joined_where_the_caret_is() {
        let mut area = TextArea::new("{\n  \"a\": 1\n}");
        assert_eq!((area.row(), area.column(), area.lines().len()), (0, 0, 3));
        area.go_to(1, 2);
        press(&mut area, KeyCode::Enter);
        assert_eq!(area.text(), "{\n  \n  \"a\": 1\n}");
        assert_eq!((area.row(), area.column()), (2, 2), "as far in as the line above");
        area.go_to(2, 0);
        press(&mut area, KeyCode::Backspace);
        assert_eq!(area.text(), "{\n    \"a\": 1\n}");
        area.go_to(0, 1);
        press(&mut area, KeyCode::Delete);
        assert_eq!((area.text().as_str(), area.column()), ("{    \"a\": 1\n}", 1));
    }

    #[test]
    fn the_caret_goes_over_the_ends_of_lines() {
        let mut area = TextArea::new("ab\nc");
        area.go_to(0, 2);
        press(&mut area, KeyCode::Right);
        assert_eq!((area.row(), area.column()), (1, 0));
        press(&mut area, KeyCode::Left);
        assert_eq!((area.row(), area.column()), (0, 2));
        press(&mut area, KeyCode::Down);
        assert_eq!((area.row(), area.column()), (1, 1), "a short line ends before it");
        for code in [KeyCode::PageUp, KeyCode::PageDown, KeyCode::Up, KeyCode::Down] {
            press(&mut area, code);
        }
        assert_eq!(area.row(), 1);
    }

    #[test]
    fn what_does_not_fit_is_told() {
        let mut area = TextArea::default();
        let line = format!("{}\n", "x".repeat(1023));
        assert!(area.insert(&line.repeat(CAPACITY / 1024)));
        assert!(!area.insert("y"), "not one byte more");
        assert!(!area.key(&plain(KeyCode::Char('z')), 5));
        assert_eq!(area.text().len(), CAPACITY);
    }

    proptest! {
        #[test]
        fn any_keys_keep_the_caret_between_clusters(
            text in "[a\u{301}é👩\u{200d}\n{} \"]{0,40}",
            keys in proptest::collection::vec(0_u8..12, 0..60),
        ) {
            let mut area = TextArea::new(&text);
            prop_assert_eq!(area.text(), text);
            for key in keys {
                let code = match key {
                    0 => KeyCode::Left,
                    1 => KeyCode::Right,
                    2 => KeyCode::Up,
                    3 => KeyCode::Down,
                    4 => KeyCode::Home,
                    5 => KeyCode::End,
                    6 => KeyCode::Backspace,
                    7 => KeyCode::Delete,
                    8 => KeyCode::Enter,
                    9 => KeyCode::Char('\u{301}'),
                    10 => KeyCode::Char('👧'),
                    _ => KeyCode::Char('x'),
                };
                area.key(&plain(code), 3);
                let line = area.line().expect("a line with the caret");
                let mut edge = 0;
                while edge < line.caret() {
                    edge = next_cluster(line.text(), edge);
                }
                prop_assert_eq!(edge, line.caret(), "{:?}", line.text());
                prop_assert_eq!(area.bytes, area.text().len());
            }
        }
    }
}
