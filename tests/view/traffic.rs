//! The messages of a server on the screen.

use crate::support::*;
use vestibule::registry::{Direction, Lists, ServerView, TrafficEntry};
use vestibule::tui::state::traffic::{Message, Traffic};
use vestibule::tui::{Effect, Msg};

/// One server with so many messages so far, its messages on screen.
fn shown(number: usize) -> Screen {
    let mut screen = Screen::empty(100, 20);
    screen.send(Msg::View(registry(vec![with_messages(number)])));
    assert_eq!(screen.keys("t"), [Effect::Traffic { server: id("mine"), after: 0 }]);
    screen.send(messages("mine", &pings(number)));
    screen
}

fn with_messages(number: usize) -> ServerView {
    let mut one = server("mine", up(), Lists::default());
    one.noise.messages = number.try_into().unwrap();
    one
}

fn pings(number: usize) -> Vec<&'static str> {
    let text =
        |n| if n % 2 == 0 { r#"{"id":1,"method":"ping"}"# } else { r#"{"id":1,"result":{}}"# };
    (0..number).map(text).collect()
}

fn traffic(screen: &Screen) -> &Traffic {
    screen.state.preview.traffic.as_ref().unwrap()
}

fn number(screen: &Screen) -> u64 {
    traffic(screen).selected().unwrap().number
}

/// One more message, as a later answer brings it.
fn more(after: u64, oldest: u64, text: &str) -> Msg {
    let (bytes, length) = (text.as_bytes().to_vec(), text.len());
    let (direction, time) = (Direction::Received, std::time::SystemTime::UNIX_EPOCH);
    let entry = TrafficEntry { number: after + 1, time, direction, bytes, length };
    let messages = vec![Message::new(entry).into()];
    Msg::Traffic { server: id("mine"), after, oldest: Some(oldest), messages }
}

#[test]
fn it_follows_at_its_end_and_stays_where_it_is_further_up() {
    let mut screen = shown(40);
    assert_eq!(number(&screen), 40);
    assert!(screen.shows("40 of 40, follows"), "{}", screen.draw().0);
    let asked = screen.send(Msg::View(registry(vec![with_messages(41)])));
    assert_eq!(asked, [Effect::Traffic { server: id("mine"), after: 40 }]);
    screen.send(more(40, 1, r#"{"method":"notifications/one"}"#));
    assert_eq!(number(&screen), 41);
    assert!(screen.shows("notifications/one"));
    screen.keys("k k");
    let asked = screen.send(Msg::View(registry(vec![with_messages(42)])));
    assert_eq!(asked, [Effect::Traffic { server: id("mine"), after: 41 }]);
    screen.send(more(41, 30, r#"{"method":"notifications/two"}"#));
    assert_eq!((number(&screen), traffic(&screen).counts()), (39, (13, 13)));
    screen.keys("G");
    assert_eq!(number(&screen), 42);
    screen.keys("g");
    assert_eq!(number(&screen), 30, "what is no longer kept is gone");
}

#[test]
fn nothing_is_asked_twice_and_news_meanwhile_is_asked_for_after() {
    let mut screen = shown(2);
    screen.send(Msg::View(registry(vec![with_messages(3)])));
    assert_eq!(screen.send(Msg::View(registry(vec![with_messages(4)]))), []);
    let again = screen.send(more(2, 1, "{}"));
    assert_eq!(again, [Effect::Traffic { server: id("mine"), after: 3 }]);
    assert_eq!(screen.send(more(3, 1, "{}")), []);
    // An answer to an older question brings nothing twice.
    screen.send(more(2, 1, "{}"));
    assert_eq!(traffic(&screen).counts(), (4, 4));
}

#[test]
fn a_message_that_is_read_stays_while_others_come() {
    let mut screen = Screen::empty(100, 20);
    screen.send(Msg::View(registry(vec![server("mine", up(), Lists::default())])));
    screen.keys("t");
    screen.send(messages("mine", &EXCHANGE));
    screen.keys("k k Enter");
    // What was escaped when it was sent is shown as it was sent.
    for part in ["← #1 result of resources/list", "\"uri\": \"library://hours\"", "a\\u202eb"] {
        assert!(screen.shows(part), "{part}: {}", screen.draw().0);
    }
    screen.send(more(6, 1, r#"{"method":"notifications/late"}"#));
    assert!(!screen.shows("notifications/late"));
    screen.keys("Esc");
    assert!(screen.shows("notifications/late"));
    assert_eq!(number(&screen), 4);
}

#[test]
fn answers_are_named_after_what_they_answer_and_found_by_it() {
    let mut screen = Screen::empty(100, 20);
    screen.send(Msg::View(registry(vec![server("mine", up(), Lists::default())])));
    screen.keys("t");
    screen.send(messages("mine", &EXCHANGE));
    assert!(screen.shows("← #1 result of resources/list"), "{}", screen.draw().0);
    assert!(screen.shows("← #2 error of prompts/get"));
    screen.keys("/");
    screen.type_text("RESOURCES/LIST");
    assert_eq!(traffic(&screen).counts(), (2, 6));
    screen.keys("Enter k");
    assert_eq!(number(&screen), 3, "j and k move again");
    screen.keys("Esc");
    assert_eq!(traffic(&screen).counts(), (6, 6));
    screen.keys("Esc");
    assert!(screen.state.preview.messages().is_none(), "back where it came from");
}

#[test]
fn a_cut_message_says_so() {
    let mut screen = shown(0);
    assert!(screen.shows("No messages yet"));
    let entry = TrafficEntry {
        number: 1,
        time: std::time::SystemTime::UNIX_EPOCH,
        direction: Direction::Received,
        bytes: br#"{"id":4,"result":{"text":"half of"#.to_vec(),
        length: 70_000,
    };
    let messages = vec![Message::new(entry).into()];
    screen.send(Msg::Traffic { server: id("mine"), after: 0, oldest: Some(1), messages });
    assert!(screen.shows("← #4 result") && screen.shows("(cut)"));
    screen.keys("Enter");
    assert!(screen.shows("cut: only the first 33 of its 70000 bytes are kept"));
    assert!(screen.shows("\"text\": \"half of"));
}

#[test]
fn output_follows_at_its_end_only() {
    let lines = |n: usize| (1..=n).map(|n| format!("line {n} of it").into()).collect::<Vec<_>>();
    let noisy = |n: u64| {
        let mut one = server("mine", up(), Lists::default());
        one.noise.stderr_lines = n;
        Msg::View(registry(vec![one]))
    };
    let mut screen = Screen::empty(100, 20);
    screen.send(noisy(100));
    assert_eq!(screen.keys("e"), [Effect::Noise(id("mine"))]);
    screen.send(Msg::Noise { server: id("mine"), stderr: lines(100), stray: vec![] });
    assert_eq!(screen.send(noisy(100)), [], "nothing new");
    assert_eq!(screen.send(noisy(101)), [Effect::Noise(id("mine"))]);
    screen.send(Msg::Noise { server: id("mine"), stderr: lines(101), stray: vec![] });
    assert!(screen.shows("line 101 of it"));
    screen.keys("k k k");
    assert_eq!(screen.send(noisy(102)), [], "what is read stays where it is");
    assert_eq!(screen.keys("G"), [Effect::Noise(id("mine"))]);
    assert_eq!(screen.keys("Esc"), []);
    assert_eq!(screen.send(noisy(103)), [], "no longer on screen");
}
