//! Watching a resource: the key, how it stands, reading again what has changed.

use crate::frames::{Scene, at_three_sizes};
use crate::support::*;
use vestibule::domain::*;
use vestibule::registry::ServerView;
use vestibule::tui::{Effect, Msg};

const URI: &str = "library://rooms/reading";

fn watched(state: SubscriptionState, updates: u64, generation: u64) -> Subscription {
    Subscription { uri: URI.into(), state, updates, generation }
}

/// The usual servers; the library tells of changes, and this is what it watches.
fn telling(subscriptions: Vec<Subscription>) -> Vec<ServerView> {
    let mut servers = servers();
    if let Link::Up(facts) = &mut servers[0].link {
        facts.capabilities.resource_subscriptions = true;
    }
    servers[0].subscriptions = subscriptions.into();
    servers
}

fn sees(screen: &mut Screen, subscriptions: Vec<Subscription>) -> Vec<Effect> {
    screen.send(Msg::View(registry(telling(subscriptions))))
}

fn updates(screen: &mut Screen, updates: u64, generation: u64) -> Vec<Effect> {
    sees(screen, vec![watched(SubscriptionState::Active, updates, generation)])
}

/// The first resource, watched and then read.
fn reading(text: &str) -> Screen {
    let mut screen = Screen::empty(120, 30);
    updates(&mut screen, 0, 0);
    let call = screen.open();
    screen.answer(call, Ok(text_page(URI, text)));
    screen
}

fn again(effects: &[Effect]) -> CallId {
    match effects {
        [Effect::Read { call, uri, .. }] if uri.raw() == URI => *call,
        other => panic!("no read but {other:?}"),
    }
}

fn why() -> Fault {
    Fault::new(FaultKind::ServerError, "the server answered with an error").because("no room")
}

#[test]
fn the_key_watches_and_lets_go() {
    let mut screen = Screen::empty(240, 50);
    sees(&mut screen, vec![]);
    let Some(Effect::Watch { call, server, uri, on: true }) = screen.keys("w").pop() else {
        panic!("not asked")
    };
    assert_eq!((server, uri.raw()), (id("library"), URI));
    assert!(screen.shows("◌"), "{}", screen.draw().0);
    sees(&mut screen, vec![watched(SubscriptionState::Active, 0, 0)]);
    screen.send(Msg::Watched { call, result: Ok(()) });
    assert!(screen.shows("watched: library://rooms/reading of library; w lets go"));
    assert!(screen.shows("◉ watched"));
    let Some(Effect::Watch { call, on: false, .. }) = screen.keys("w").pop() else {
        panic!("not let go")
    };
    sees(&mut screen, vec![]);
    screen.send(Msg::Watched { call, result: Ok(()) });
    assert!(screen.shows("no longer watched: library://rooms/reading") && !screen.shows("◉"));
}

#[test]
fn pressed_again_before_the_answer_it_takes_the_wish_back() {
    let mut screen = Screen::empty(120, 30);
    sees(&mut screen, vec![]);
    let first = screen.keys("w");
    let [Effect::Watch { call, on: true, .. }] = first.as_slice() else { panic!("{first:?}") };
    let second = screen.keys("w");
    let [Effect::Cancel(cancelled), Effect::Watch { on: false, .. }] = second.as_slice() else {
        panic!("{second:?}")
    };
    assert_eq!(call, cancelled);
    screen.send(Msg::Watched { call: *call, result: Ok(()) });
    assert!(!screen.shows("watched: "), "{}", screen.draw().0);
}

#[test]
fn where_it_cannot_be_watched_the_reason_is_told() {
    for (keys, reason) in [
        ("g", "this server does not offer to tell when a resource changes"),
        ("2", "only a resource can be watched"),
    ] {
        let mut screen = Screen::new(120, 30);
        screen.keys(keys);
        assert_eq!(screen.keys("w"), []);
        assert!(screen.shows(reason), "{}", screen.draw().0);
        screen.keys(":");
        screen.type_text("watch a resource");
        assert!(screen.shows(&format!("({reason}")), "{}", screen.draw().0);
        assert_eq!(screen.keys("Enter"), []);
        assert!(screen.state.palette.is_some());
    }
}

#[test]
fn a_refusal_is_told_and_marked_and_can_be_asked_again() {
    let mut screen = Screen::empty(240, 50);
    sees(&mut screen, vec![]);
    let Some(Effect::Watch { call, .. }) = screen.keys("w").pop() else { panic!() };
    sees(&mut screen, vec![watched(SubscriptionState::Refused(why()), 0, 0)]);
    screen.send(Msg::Watched { call, result: Err(why()) });
    assert!(screen.shows("not watched: library://rooms/reading of library"));
    assert!(screen.shows("⊘"));
    assert!(screen.shows("⊘ Not watched: the server answered with an error: no room"));
    assert!(matches!(screen.keys("w").as_slice(), [Effect::Watch { on: true, .. }]));
}

#[test]
fn what_changes_on_screen_is_read_again_once_and_stays_in_its_place() {
    let text = |word: &str| (0..80).map(|n| format!("{word} {n}\n")).collect::<String>();
    let mut screen = reading(&text("old"));
    screen.keys("j j j j j");
    let place = screen.state.preview.place();
    let call = again(&updates(&mut screen, 3, 1));
    assert!(screen.shows("old 5"), "what is kept is shown until the new is there");
    assert_eq!(updates(&mut screen, 9, 3), [], "one read at a time");
    let effects = screen.send(Msg::Opened { call, result: Ok(text_page(URI, &text("new"))) });
    let next = again(&effects);
    assert!(screen.shows("new 5") && !screen.shows("old"));
    assert_eq!(screen.state.preview.place(), place);
    assert!(screen.shows("changed, and read again: library://rooms/reading"));
    screen.answer(next, Ok(text_page(URI, "short\nas it is")));
    assert!(screen.shows("short"), "the window is inside of what there is");
    assert_eq!(updates(&mut screen, 9, 3), [], "nothing is new");
    assert_eq!(screen.keys("q"), [Effect::Quit]);
}

#[test]
fn what_changes_elsewhere_waits_with_a_mark_and_is_read_when_it_is_opened() {
    let mut screen = reading("OLD");
    screen.keys("h j");
    assert_eq!(updates(&mut screen, 2, 1), []);
    assert!(screen.shows("◉+2"), "{}", screen.draw().0);
    let call = again(&screen.keys("k Enter"));
    assert!(screen.shows("OLD"));
    screen.keys("h j");
    screen.answer(call, Ok(text_page(URI, "NEW")));
    assert!(!screen.shows("NEW"), "under another item");
    assert!(screen.shows("◉+2"), "nobody has looked");
    assert_eq!(screen.keys("k Enter"), []);
    assert!(screen.shows("NEW") && !screen.shows("◉+"), "{}", screen.draw().0);
}

#[test]
fn quitting_does_not_wait_for_what_is_read_again() {
    let mut screen = reading("TEXT");
    again(&updates(&mut screen, 1, 1));
    assert_eq!(screen.keys("q"), [Effect::Quit]);
}

#[test]
fn what_cannot_be_read_again_keeps_what_was_read_and_is_not_tried_over_and_over() {
    let mut screen = reading("TEXT");
    let call = again(&updates(&mut screen, 1, 1));
    assert_eq!(screen.send(Msg::Opened { call, result: Err(why()) }), []);
    assert!(screen.shows("TEXT") && screen.shows("could not be read again"));
    assert!(screen.shows("1 change") || screen.shows("◉+1"), "it has still changed");
    again(&updates(&mut screen, 2, 2));
}

#[test]
fn what_was_read_before_it_was_watched_is_read_once_more() {
    let mut screen = Screen::empty(120, 30);
    sees(&mut screen, vec![]);
    let call = screen.open();
    screen.answer(call, Ok(text_page(URI, "BEFORE")));
    sees(&mut screen, vec![watched(SubscriptionState::Asking, 0, 0)]);
    let call = again(&updates(&mut screen, 0, 0));
    screen.answer(call, Ok(text_page(URI, "AFTER")));
    assert!(screen.shows("AFTER") && !screen.shows("changed"), "{}", screen.draw().0);
}

#[test]
fn a_lost_server_drops_it_and_it_is_read_again_when_it_is_taken_up() {
    let mut screen = reading("TEXT");
    let lost = Fault::new(FaultKind::Closed, "the server went away");
    assert_eq!(sees(&mut screen, vec![watched(SubscriptionState::Dropped(lost), 0, 0)]), []);
    assert!(screen.shows("○ dropped") || screen.shows("content ○"), "{}", screen.draw().0);
    again(&updates(&mut screen, 0, 1));
    let mut screen = reading("TEXT");
    screen.keys("h j");
    assert_eq!(updates(&mut screen, 0, 1), []);
    assert!(screen.shows("◉+?"), "nobody told what happened in between: {}", screen.draw().0);
}

#[test]
fn what_is_watched_anew_is_read_anew() {
    let mut screen = reading("TEXT");
    let call = again(&updates(&mut screen, 7, 5));
    screen.answer(call, Ok(text_page(URI, "FIFTH")));
    // Let go and watched again before the next snapshot: that counts from the beginning.
    assert!(matches!(screen.keys("w").as_slice(), [Effect::Watch { on: false, .. }]));
    let effects = screen.keys("w");
    let [Effect::Cancel(_), Effect::Watch { call, on: true, .. }] = effects.as_slice() else {
        panic!("{effects:?}")
    };
    assert_eq!(updates(&mut screen, 0, 0), [], "that is not agreed on");
    again(&screen.send(Msg::Watched { call: *call, result: Ok(()) }));
}

#[test]
fn what_wants_a_yes_is_not_read_again_by_itself() {
    let view = |updates, generation| {
        let mut servers = telling(vec![watched(SubscriptionState::Active, updates, generation)]);
        let confirm = Confirm { resources: Some(vec!["*".into()]), ..Confirm::default() };
        servers[0].permissions = Permissions { confirm, ..Permissions::default() }.into();
        Msg::View(registry(servers))
    };
    let mut screen = Screen::empty(120, 30);
    screen.send(view(0, 0));
    let effects = screen.keys("Enter y");
    let [Effect::Confirmed(read)] = effects.as_slice() else { panic!("{effects:?}") };
    let Effect::Read { call, .. } = **read else { panic!("{read:?}") };
    screen.answer(call, Ok(text_page(URI, "TEXT")));
    assert_eq!(screen.send(view(4, 1)), []);
    assert!(screen.shows("TEXT") && screen.shows("◉+4"), "{}", screen.draw().0);
    assert_eq!(screen.keys("h Enter"), []);
    assert!(screen.shows("Read this resource?"));
}

const SCENES: &[Scene] = &[
    ("watched", |s| {
        updates(s, 0, 0);
        let call = s.open();
        s.answer(call, Ok(text_page(URI, "Quiet today.")));
        s.keys("h");
    }),
    ("watched_content", |s| {
        updates(s, 0, 0);
        let call = s.open();
        s.answer(call, Ok(text_page(URI, "Quiet today.")));
        let call = again(&updates(s, 1, 1));
        s.answer(call, Ok(text_page(URI, "Loud today.")));
    }),
    ("watched_changed", |s| {
        updates(s, 0, 0);
        s.keys("j");
        updates(s, 12, 3);
    }),
    ("watched_refused", |s| {
        sees(s, vec![]);
        let effects = s.keys("w");
        let [Effect::Watch { call, .. }] = effects.as_slice() else { panic!("{effects:?}") };
        sees(s, vec![watched(SubscriptionState::Refused(why()), 0, 0)]);
        s.send(Msg::Watched { call: *call, result: Err(why()) });
    }),
];

#[test]
fn how_it_stands_at_three_sizes() {
    at_three_sizes(SCENES);
}
