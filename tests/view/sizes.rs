//! No size and no sequence of keys makes the screen fall over.

use crate::support::*;
use proptest::prelude::*;
use vestibule::tui::Msg;

const KEYS: &[&str] = &[
    "j",
    "k",
    "g",
    "G",
    "h",
    "l",
    "Tab",
    "BackTab",
    "Enter",
    "Esc",
    "1",
    "2",
    "3",
    "/",
    "r",
    "c",
    "x",
    "e",
    "?",
    "n",
    "d",
    "f",
    "PgUp",
    "PgDn",
    "Ctrl-d",
    "Ctrl-u",
    "Ctrl-e",
    "q",
    "Up",
    "Down",
    "Backspace",
    "漢",
    "a",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_keys_at_any_size(
        steps in prop::collection::vec((0..KEYS.len(), 0_u16..500, 0_u16..200, 0_u8..8), 1..40),
    ) {
        let mut screen = Screen::new(80, 24);
        let mut calls = Vec::new();
        for (key, width, height, what) in steps {
            match what {
                0 => {
                    screen.send(Msg::Resize(width, height));
                }
                1 => {
                    screen.send(Msg::Paste("a\r\nb\u{1b}漢\u{200b}".into()));
                }
                2 => {
                    // Servers come and go.
                    let mut now = servers();
                    now.truncate(usize::from(width) % 5);
                    screen.send(Msg::View(registry(now)));
                }
                3 => {
                    if let Some(call) = calls.pop() {
                        screen.answer(call, Ok(text_page("library://hours", "a\n漢字\u{202e}\n")));
                    }
                }
                _ => {
                    for effect in screen.keys(KEYS[key]) {
                        if let vestibule::tui::Effect::Read { call, .. } = effect {
                            calls.push(call);
                        }
                    }
                }
            }
            screen.after(7);
            screen.draw();
            screen.send(Msg::Drawn);
        }
    }
}
