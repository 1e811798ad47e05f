//! What is opened only after a yes.

use crate::filling::server_of;
use crate::frames::{Scene, at_three_sizes};
use crate::support::*;
use vestibule::domain::*;
use vestibule::registry::ServerView;
use vestibule::tui::{Effect, Msg};

fn patterns(list: &[&str]) -> Option<Vec<String>> {
    Some(list.iter().map(|&p| p.to_owned()).collect())
}

fn asking(mut server: ServerView, confirm: Confirm) -> ServerView {
    server.permissions = Permissions { confirm, ..Permissions::default() }.into();
    server
}

/// The usual servers; what is in the rooms of the library, and its greeting, want a yes.
fn servers_that_ask() -> Vec<ServerView> {
    let mut servers = servers();
    let library = servers.remove(0);
    let confirm = Confirm {
        resources: patterns(&["library://rooms/*"]),
        prompts: patterns(&["*"]),
        tools: None,
    };
    servers.insert(0, asking(library, confirm));
    servers
}

fn screen(width: u16, height: u16) -> Screen {
    let mut screen = Screen::empty(width, height);
    screen.send(Msg::View(registry(servers_that_ask())));
    screen
}

fn confirmed(effects: &[Effect]) -> &Effect {
    match effects {
        [Effect::Confirmed(effect)] => effect,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_resource_is_read_after_a_yes_only() {
    for yes in ["y", "Enter"] {
        let mut screen = screen(100, 30);
        assert_eq!(screen.keys("Enter"), [], "it asks first");
        assert!(screen.shows("Read this resource?") && screen.shows("library://rooms/reading"));
        assert_eq!(screen.state.preview.running().count(), 0);
        let effects = screen.keys(yes);
        let Effect::Read { call, uri, .. } = confirmed(&effects) else { panic!("{effects:?}") };
        assert_eq!(uri.raw(), "library://rooms/reading");
        screen.answer(*call, Ok(text_page("library://rooms/reading", "THE TEXT")));
        assert!(screen.shows("THE TEXT"));
        // Each time anew.
        assert_eq!(screen.keys("Enter"), []);
        assert!(screen.shows("Read this resource?"));
    }
}

#[test]
fn after_a_no_nothing_is_sent_and_other_keys_do_nothing() {
    for no in ["Esc", "n"] {
        let mut screen = screen(100, 30);
        let before = screen.draw();
        assert_eq!(screen.keys("Enter x j q R"), []);
        assert!(screen.shows("Read this resource?"));
        assert_eq!(screen.keys(no), []);
        assert_eq!(screen.draw(), before);
    }
    let mut screen = screen(100, 30);
    assert_eq!(screen.keys("Enter Ctrl-c"), [Effect::Quit]);
}

#[test]
fn what_no_pattern_names_is_opened_at_once() {
    let mut screen = screen(100, 30);
    assert!(matches!(screen.keys("j Enter").as_slice(), [Effect::Read { .. }]));
}

#[test]
fn a_form_stays_open_until_the_yes() {
    let mut screen = screen(100, 30);
    screen.keys("2 Enter");
    screen.type_text("ink");
    assert_eq!(screen.keys("Enter"), []);
    assert!(screen.shows("Run this prompt?") && screen.shows("topic = ink"));
    screen.keys("Esc");
    assert!(screen.shows("▸ ink"), "{}", screen.draw().0);
    screen.keys("Enter");
    let effects = screen.keys("y");
    match confirmed(&effects) {
        Effect::Render { name, arguments, .. } => {
            assert_eq!(name.raw(), "summarise");
            assert_eq!(arguments, &[("topic".to_owned(), "ink".to_owned())]);
        }
        other => panic!("{other:?}"),
    }
    assert!(screen.state.form.is_none());
}

#[test]
fn what_comes_of_a_template_is_asked_about_as_well() {
    let confirm = Confirm { resources: patterns(&["x://secret"]), ..Confirm::default() };
    let server = asking(server_of(&["x://{name}"], vec![]), confirm);
    let mut screen = Screen::empty(100, 30);
    screen.send(Msg::View(registry(vec![server])));
    screen.keys("g Enter");
    screen.type_text("open");
    assert!(matches!(screen.keys("Enter").as_slice(), [Effect::Fill { .. }]));
    let call = CallId(1);
    screen.answer(call, Ok(text_page("x://open", "OPEN")));
    screen.keys("o Ctrl-u");
    screen.type_text("secret");
    assert_eq!(screen.keys("Enter"), []);
    assert!(screen.shows("address   x://secret"), "{}", screen.draw().0);
    let effects = screen.keys("y");
    assert!(matches!(confirmed(&effects), Effect::Fill { .. }), "{effects:?}");
}

#[test]
fn the_details_name_the_pattern() {
    let mut screen = screen(200, 50);
    assert!(
        screen.shows("asks first   by `library://rooms/*` in its entry's confirm"),
        "{}",
        screen.draw().0
    );
    screen.keys("j");
    assert!(!screen.shows("asks first"));
}

#[test]
fn the_question_stays_with_its_item_when_the_list_changes() {
    let mut screen = screen(100, 30);
    screen.keys("Enter");
    let rest = servers_that_ask().into_iter().skip(1).collect();
    screen.send(Msg::View(registry(rest)));
    assert!(screen.shows("library://rooms/reading"));
    let effects = screen.keys("y");
    assert!(matches!(confirmed(&effects), Effect::Read { .. }), "{effects:?}");
}

const SCENES: &[Scene] = &[
    ("question_read", |s| {
        s.send(Msg::View(registry(servers_that_ask())));
        s.keys("Enter");
    }),
    ("question_hidden", |s| {
        let mut servers = servers();
        let hostile = servers.remove(1);
        let confirm = Confirm { resources: patterns(&["*"]), ..Confirm::default() };
        servers.insert(1, asking(hostile, confirm));
        s.send(Msg::View(registry(servers)));
        s.keys("j j j Enter");
    }),
    ("question_run", |s| {
        s.send(Msg::View(registry(servers_that_ask())));
        s.keys("2 Enter");
        s.type_text("the reading room");
        s.keys("Enter");
    }),
];

#[test]
fn the_question_at_three_sizes() {
    at_three_sizes(SCENES);
}
