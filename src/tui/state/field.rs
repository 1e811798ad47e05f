//! A field of one line: its text and its caret. The caret moves, and text goes, by whole grapheme
//! clusters, so that what looks like one character is one.

use crate::content::{next_cluster, next_word, previous_cluster, previous_word};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The most that a field holds, in bytes.
pub const CAPACITY: usize = 1 << 20;

/// One line of text being typed. `view::field` draws it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextField {
    text: String,
    /// In bytes, on the edge of a cluster.
    caret: usize,
}

impl TextField {
    /// A field with a text in it, the caret at its end.
    pub fn new(text: impl Into<String>) -> Self {
        let mut field = Self { text: text.into(), caret: 0 };
        field.text.truncate(field.text.floor_char_boundary(CAPACITY));
        field.caret = field.text.len();
        field
    }

    /// What stands in it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether nothing stands in it.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Where the caret is, in bytes of the text.
    pub fn caret(&self) -> usize {
        self.caret
    }

    /// Empties it.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Puts a text where the caret is, and the caret behind it. Gives whether all of it fitted.
    /// The text must be one line without control characters.
    pub fn insert(&mut self, text: &str) -> bool {
        let room = CAPACITY.saturating_sub(self.text.len());
        let fitting = text.get(..text.floor_char_boundary(room)).unwrap_or_default();
        self.text.insert_str(self.caret, fitting);
        self.place(self.caret + fitting.len());
        fitting.len() == text.len()
    }

    /// Puts the caret at a byte of the text, or behind the cluster that is there.
    pub fn go_to(&mut self, at: usize) {
        self.place(self.text.floor_char_boundary(at));
    }

    /// Takes up a key that types or moves. Gives whether it was one.
    pub fn key(&mut self, event: &KeyEvent) -> bool {
        const CTRL: KeyModifiers = KeyModifiers::CONTROL;
        const ALT: KeyModifiers = KeyModifiers::ALT;
        const PLAIN: KeyModifiers = KeyModifiers::NONE;
        // The key for a third level, which some terminals report as two others.
        let types = [PLAIN, CTRL.union(ALT)];
        let by_words = |m: KeyModifiers| m == CTRL || m == ALT;
        let modifiers = event.modifiers.difference(KeyModifiers::SHIFT);
        let before = |field: &Self| previous_cluster(&field.text, field.caret);
        let after = |field: &Self| next_cluster(&field.text, field.caret);
        let word_before = |field: &Self| previous_word(&field.text, field.caret);
        let word_after = |field: &Self| next_word(&field.text, field.caret);
        match (event.code, modifiers) {
            (KeyCode::Backspace | KeyCode::Char('w'), m) if by_words(m) => {
                self.delete_to(word_before(self));
            }
            (KeyCode::Delete, m) if by_words(m) => self.delete_to(word_after(self)),
            (KeyCode::Char('d'), ALT) => self.delete_to(word_after(self)),
            (KeyCode::Backspace, PLAIN) | (KeyCode::Char('h'), CTRL) => {
                self.delete_to(before(self));
            }
            (KeyCode::Delete, PLAIN) | (KeyCode::Char('d'), CTRL) => self.delete_to(after(self)),
            (KeyCode::Char('k'), CTRL) => self.delete_to(self.text.len()),
            (KeyCode::Left, m) if by_words(m) => self.place(word_before(self)),
            (KeyCode::Right, m) if by_words(m) => self.place(word_after(self)),
            (KeyCode::Char('b'), ALT) => self.place(word_before(self)),
            (KeyCode::Char('f'), ALT) => self.place(word_after(self)),
            (KeyCode::Left, PLAIN) | (KeyCode::Char('b'), CTRL) => self.place(before(self)),
            (KeyCode::Right, PLAIN) | (KeyCode::Char('f'), CTRL) => self.place(after(self)),
            (KeyCode::Home, PLAIN) | (KeyCode::Char('a'), CTRL) => self.place(0),
            (KeyCode::End, PLAIN) | (KeyCode::Char('e'), CTRL) => self.place(self.text.len()),
            (KeyCode::Char(c), m) if types.contains(&m) && !c.is_control() => {
                self.insert(c.encode_utf8(&mut [0; 4]));
            }
            _ => return false,
        }
        true
    }

    /// Takes away what stands between the caret and another place.
    fn delete_to(&mut self, other: usize) {
        let (from, to) = (self.caret.min(other), self.caret.max(other));
        self.text.drain(from..to);
        self.place(from);
    }

    /// Puts the caret somewhere; behind the cluster where that would be inside of one, since a
    /// neighbour may have become part of it.
    fn place(&mut self, at: usize) {
        let inside = at > 0 && next_cluster(&self.text, previous_cluster(&self.text, at)) != at;
        self.caret = if inside { next_cluster(&self.text, at) } else { at };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Scripts of two columns, a letter with a combining accent, a family joined from three.
    const MIXED: &str = "漢字あ가나다e\u{301}👨\u{200d}👩\u{200d}👧";

    fn event(code: KeyCode, modifiers: KeyModifiers) -> KeyEvent {
        KeyEvent::new(code, modifiers)
    }

    fn press(field: &mut TextField, code: KeyCode) {
        assert!(field.key(&event(code, KeyModifiers::NONE)), "{code:?}");
    }

    fn type_text(text: &str) -> TextField {
        let mut field = TextField::default();
        for c in text.chars() {
            press(&mut field, KeyCode::Char(c));
        }
        field
    }

    #[test]
    fn the_caret_moves_by_cluster() {
        let mut field = type_text(MIXED);
        assert_eq!((field.text(), field.caret()), (MIXED, MIXED.len()));
        let mut stops = vec![field.caret()];
        for _ in 0..9 {
            press(&mut field, KeyCode::Left);
            stops.push(field.caret());
        }
        // The family is one step, the accented letter is one step.
        assert_eq!(stops, [39, 21, 18, 15, 12, 9, 6, 3, 0, 0]);
        for _ in 0..8 {
            press(&mut field, KeyCode::Right);
        }
        assert_eq!(field.caret(), MIXED.len());
        press(&mut field, KeyCode::Home);
        assert_eq!(field.caret(), 0);
        press(&mut field, KeyCode::End);
        assert_eq!(field.caret(), MIXED.len());
    }

    #[test]
    fn a_cluster_goes_as_a_whole() {
        let mut field = type_text(MIXED);
        press(&mut field, KeyCode::Backspace);
        assert_eq!(field.text(), "漢字あ가나다e\u{301}");
        press(&mut field, KeyCode::Backspace);
        assert_eq!(field.text(), "漢字あ가나다");
        press(&mut field, KeyCode::Home);
        press(&mut field, KeyCode::Delete);
        assert_eq!((field.text(), field.caret()), ("字あ가나다", 0));
        press(&mut field, KeyCode::Backspace);
        assert_eq!(field.text(), "字あ가나다");
    }

    #[test]
    fn words_go_with_what_stands_between_them() {
        let mut field = TextField::new("library://books/12, 漢 👨\u{200d}👩\u{200d}👧 ");
        let word = event(KeyCode::Char('w'), KeyModifiers::CONTROL);
        let mut left = Vec::new();
        while !field.is_empty() {
            assert!(field.key(&word));
            left.push(field.text().to_owned());
        }
        assert_eq!(
            left,
            [
                "library://books/12, 漢 ",
                "library://books/12, ",
                "library://books/",
                "library://",
                ""
            ]
        );
        let mut field = TextField::new("one, two");
        press(&mut field, KeyCode::Home);
        assert!(field.key(&event(KeyCode::Right, KeyModifiers::CONTROL)));
        assert_eq!(field.caret(), 3);
        assert!(field.key(&event(KeyCode::Char('d'), KeyModifiers::ALT)));
        assert_eq!((field.text(), field.caret()), ("one", 3));
    }

    #[test]
    fn what_joins_its_neighbour_takes_the_caret_along() {
        // A flag is two letters: a third one before it takes the first of them.
        let mut flags = TextField::new("🇩🇪");
        press(&mut flags, KeyCode::Home);
        press(&mut flags, KeyCode::Char('🇫'));
        assert_eq!((flags.text(), flags.caret()), ("🇫🇩🇪", 8));
    }

    #[test]
    fn a_field_that_is_full_says_so() {
        let mut field = TextField::new("漢".repeat(CAPACITY));
        assert_eq!(field.text().len(), CAPACITY - CAPACITY % 3);
        assert!(!field.insert("漢"));
        assert!(field.insert(""));
        field.clear();
        assert!(field.insert("漢") && field.text() == "漢");
    }

    #[test]
    fn keys_that_neither_type_nor_move_are_left_alone() {
        let mut field = TextField::new("x");
        for (code, modifiers) in [
            (KeyCode::Enter, KeyModifiers::NONE),
            (KeyCode::Char('q'), KeyModifiers::CONTROL),
            (KeyCode::Char('\u{7}'), KeyModifiers::NONE),
            (KeyCode::F(5), KeyModifiers::NONE),
        ] {
            assert!(!field.key(&event(code, modifiers)), "{code:?}");
        }
        assert_eq!(field, TextField::new("x"));
    }

    fn any_key() -> impl Strategy<Value = KeyEvent> {
        let code = prop_oneof![
            3 => any::<char>().prop_map(KeyCode::Char),
            3 => proptest::sample::select(MIXED.chars().chain("🇩🇪\u{1f3fd} wdbfhk".chars()).collect::<Vec<_>>())
                .prop_map(KeyCode::Char),
            3 => proptest::sample::select(vec![
                KeyCode::Left, KeyCode::Right, KeyCode::Home, KeyCode::Backspace, KeyCode::Delete,
            ]),
        ];
        let modifiers = proptest::sample::select(vec![
            KeyModifiers::NONE,
            KeyModifiers::NONE,
            KeyModifiers::CONTROL,
            KeyModifiers::ALT,
        ]);
        (code, modifiers).prop_map(|(code, modifiers)| KeyEvent::new(code, modifiers))
    }

    proptest! {
        #[test]
        fn the_caret_is_always_on_the_edge_of_a_cluster(
            keys in proptest::collection::vec(any_key(), 0..40)
        ) {
            let mut field = TextField::default();
            for key in keys {
                field.key(&key);
                let mut edges = vec![0];
                while let Some(at) = edges.last().copied().filter(|at| *at < field.text().len()) {
                    edges.push(next_cluster(field.text(), at));
                }
                prop_assert!(edges.contains(&field.caret()), "{field:?}");
            }
        }
    }
}
