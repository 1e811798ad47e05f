//! The list of all actions.

use crate::support::*;
use vestibule::domain::*;
use vestibule::tui::Effect;
use vestibule::tui::keymap::{self, Context};
use vestibule::tui::state::palette::Choice;

fn rows(screen: &Screen) -> &[Choice] {
    &screen.state.palette.as_ref().unwrap().rows
}

fn names(screen: &Screen) -> Vec<&'static str> {
    rows(screen).iter().map(|choice| choice.what).collect()
}

#[test]
fn it_lists_every_action_of_the_panes_with_its_keys() {
    for start in ["g", "h", "l"] {
        let mut screen = Screen::new(80, 24);
        screen.keys(start);
        screen.keys(":");
        let panes = [Context::Servers, Context::List, Context::Preview];
        for binding in keymap::BINDINGS {
            let same = keymap::BINDINGS
                .iter()
                .filter(|b| (b.group, b.what) == (binding.group, binding.what));
            let in_a_pane = same.flat_map(|b| b.contexts).any(|c| panes.contains(c));
            let opens_it = binding.what.starts_with("every action by its name");
            let is_listed =
                rows(&screen).iter().any(|c| (c.group, c.what) == (binding.group, binding.what));
            assert_eq!(is_listed, in_a_pane && !opens_it, "{}", binding.what);
        }
        let base64 = rows(&screen).iter().find(|c| c.what == "copy bytes as base64").unwrap();
        assert_eq!((base64.keys.as_str(), base64.why_not.is_some()), ("", true));
        let up = rows(&screen).iter().find(|c| c.what == "one row up").unwrap();
        assert_eq!(up.keys, "↑ k");
    }
}

#[test]
fn enter_runs_the_best_match_in_the_pane_it_belongs_to() {
    let mut screen = Screen::new(100, 30);
    screen.keys("h j :");
    screen.type_text("messages to");
    assert_eq!(screen.keys("Enter"), [Effect::Traffic { server: id("library"), after: 0 }]);
    assert!(screen.state.palette.is_none());
    let mut screen = Screen::new(100, 30);
    screen.keys("h :");
    screen.type_text("read a resource");
    assert!(matches!(screen.keys("Enter").as_slice(), [Effect::Read { .. }]));
    let call = CallId(1);
    screen.answer(call, Ok(text_page("library://rooms/reading", "TEXT")));
    screen.keys("Ctrl-p");
    screen.type_text("json");
    match screen.keys("Enter").as_slice() {
        [Effect::Copy { text, .. }] => assert!(text.contains("\"text\": \"TEXT\""), "{text}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_cannot_run_says_why_and_does_not() {
    let mut screen = Screen::new(100, 30);
    screen.keys("h g :");
    screen.type_text("disconnect");
    assert!(screen.shows("  (select a server first)"), "{}", screen.draw().0);
    assert_eq!(screen.keys("Enter"), []);
    assert!(screen.state.palette.is_some(), "still open");
    screen.keys("Ctrl-u");
    assert!(names(&screen).len() > 20);
    let first_that_cannot = rows(&screen).iter().position(|c| c.why_not.is_some()).unwrap();
    assert!(rows(&screen)[first_that_cannot..].iter().all(|c| c.why_not.is_some()));
    screen.keys("Esc");
    assert!(screen.state.palette.is_none());
}

/// The actions that only show, move or tell; all others must do something.
#[test]
fn every_action_runs_from_every_pane() {
    for start in ["g", "h j", "Enter"] {
        let mut screen = Screen::new(100, 30);
        screen.keys(start);
        screen.keys(":");
        for choice in rows(&screen).to_vec() {
            let mut screen = Screen::new(100, 30);
            screen.keys(start);
            screen.keys(":");
            screen.state.palette.as_mut().unwrap().rows = vec![choice.clone()];
            let before = screen.draw();
            let effects = screen.keys("Enter");
            assert_eq!(screen.state.palette.is_some(), choice.why_not.is_some(), "{}", choice.what);
            let same = screen.draw() == before && effects.is_empty();
            assert!(!same || choice.why_not.is_some(), "{}", choice.what);
        }
    }
}
