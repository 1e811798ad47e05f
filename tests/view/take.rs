//! Copying and saving what is on the screen.

use crate::support::*;
use std::time::Duration;
use vestibule::content::export::Refusal;
use vestibule::domain::*;
use vestibule::registry::{Reading, Rendering};
use vestibule::tui::clipboard::{LONGEST, Road};
use vestibule::tui::msg::Saved;
use vestibule::tui::state::{Page, opened};
use vestibule::tui::{Effect, Msg};

/// What no editor would write: a mark of byte order, both kinds of line ends, what hides, no end.
const ODD: &str = "\u{feff}one\r\ntwo\nthree\u{202e}\u{1b}[2J\u{200b}";

fn block(uri: &str, body: ResourceBody) -> ResourceContents {
    ResourceContents { uri: Some(uri.into()), mime_type: None, body, notes: vec![] }
}

fn pages(contents: Vec<ResourceContents>) -> Page {
    let took = Duration::from_millis(1);
    opened::reading(Reading { server: id("library"), uri: "library://x".into(), contents, took })
}

/// The first resource, read, with this in it.
fn read(page: Page) -> Screen {
    let mut screen = Screen::new(100, 30);
    let call = screen.open();
    screen.answer(call, Ok(page));
    screen
}

fn copies(screen: &mut Screen, keys: &str) -> String {
    match screen.keys(keys).as_slice() {
        [Effect::Copy { text, .. }] => text.clone(),
        other => panic!("{other:?}\n{}", screen.draw().0),
    }
}

/// The name in the field, and the bytes that go into a file of another name.
fn saves(screen: &mut Screen, name: &str) -> (String, Vec<u8>) {
    assert_eq!(screen.keys("s"), []);
    let given = screen.state.save.as_ref().unwrap().input.text().to_owned();
    screen.keys("Ctrl-u");
    screen.send(Msg::Paste(name.into()));
    match screen.keys("Enter").as_slice() {
        [Effect::Save { path, body, replace: false, .. }] => {
            assert_eq!(path, name);
            (given, body.file(path).to_vec())
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn text_is_taken_byte_for_byte() {
    let mut screen = read(text_page("library://rooms/reading", ODD));
    assert_eq!(copies(&mut screen, "y"), ODD);
    let (given, bytes) = saves(&mut screen, "odd");
    assert_eq!((given.as_str(), bytes.as_slice()), ("reading.txt", ODD.as_bytes()));
}

#[test]
fn bytes_are_saved_as_they_were_sent_and_copied_only_as_base64() {
    let sent: Vec<u8> = (0..=255).cycle().take(4096).collect();
    let mut screen =
        read(pages(vec![block("library://a/b.bin", ResourceBody::Blob(sent.clone().into()))]));
    assert_eq!(screen.keys("y"), []);
    assert!(screen.shows("these are bytes: s saves them"), "{}", screen.draw().0);
    assert_eq!(saves(&mut screen, "x"), ("b.bin".into(), sent));
}

#[test]
fn of_several_blocks_the_one_at_the_top_of_the_window_is_taken() {
    let long = "line\n".repeat(100);
    let text = |uri: &str, text: &str| block(uri, ResourceBody::Text(text.into()));
    let mut screen =
        read(pages(vec![text("x://1", &long), text("x://2", "second"), text("x://3", &long)]));
    assert_eq!(copies(&mut screen, "y"), long);
    let place = |part: &str| {
        let mut screen = screen_of(&long);
        screen.keys(part);
        copies(&mut screen, "y")
    };
    assert_eq!(place("G"), long);
    fn screen_of(long: &str) -> Screen {
        let text = |uri: &str, text: &str| block(uri, ResourceBody::Text(text.into()));
        read(pages(vec![text("x://1", "first"), text("x://2", "second"), text("x://3", long)]))
    }
    let mut screen = screen_of(&long);
    screen.keys("j j j j");
    assert_eq!(copies(&mut screen, "y"), "second");
    screen.keys("s");
    assert!(screen.shows("Save block 2 of 3 as"), "{}", screen.draw().0);
}

#[test]
fn a_prompt_is_taken_as_text_or_as_json() {
    let messages =
        vec![Message::text(Role::User, "Say\u{202e} it."), Message::text(Role::Assistant, "It.")];
    let page = opened::rendering(Rendering {
        server: id("library"),
        name: "greet".into(),
        prompt: RenderedPrompt { description: None, messages },
        took: Duration::ZERO,
    });
    let mut screen = Screen::new(100, 30);
    screen.keys("2 j");
    let call = screen.open();
    screen.answer(call, Ok(page));
    let text = "user:\nSay\u{202e} it.\n\nassistant:\nIt.\n";
    assert_eq!(copies(&mut screen, "y"), text);
    assert_eq!(saves(&mut screen, "x.txt"), ("greet.txt".into(), text.into()));
    screen.keys("Esc");
    let (_, json) = saves(&mut screen, "x.json");
    let value: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(value["messages"][0]["content"]["text"], "Say\u{202e} it.");
}

#[test]
fn of_details_the_address_is_copied_bare_and_qualified() {
    let mut screen = Screen::new(100, 30);
    for (keys, bare, qualified) in [
        ("g", "library://rooms/reading", "library:library://rooms/reading"),
        ("j j j", "evil://\u{202e}gpj.exe", "hostile:evil://\u{202e}gpj.exe"),
        ("2", "summarise", "library.summarise"),
        ("3", "search", "library.search"),
    ] {
        screen.keys(keys);
        assert_eq!(copies(&mut screen, "y"), bare);
        assert_eq!(copies(&mut screen, "Y"), qualified);
    }
    assert_eq!(screen.keys("s"), []);
    assert!(screen.state.save.is_none());
    assert!(screen.shows("nothing of it has been opened yet"));
}

#[test]
fn output_and_messages_are_taken_as_they_came() {
    let mut screen = Screen::new(100, 30);
    screen.keys("e");
    let (stderr, stray) = (vec!["one\u{1b}[31m".into(), "two".into()], vec!["hello?".into()]);
    screen.send(Msg::Noise { server: id("library"), stderr, stray });
    assert_eq!(copies(&mut screen, "y"), "one\u{1b}[31m\ntwo\nhello?\n");
    screen.keys("t");
    screen.send(messages("library", &EXCHANGE));
    assert_eq!(copies(&mut screen, "y"), EXCHANGE[5]);
    assert_eq!(copies(&mut screen, "k k Enter y"), EXCHANGE[3]);
    let (given, bytes) = saves(&mut screen, "x");
    assert_eq!(
        (given.as_str(), bytes.as_slice()),
        ("library-message-4.json", EXCHANGE[3].as_bytes())
    );
}

#[test]
fn a_copy_claims_no_more_than_is_known_and_a_long_one_is_not_sent() {
    let mut screen = read(text_page("library://rooms/reading", &"x".repeat(LONGEST)));
    assert_eq!(copies(&mut screen, "y").len(), LONGEST);
    let road = Road::Direct;
    screen.send(Msg::Copied { what: "the text".into(), length: 1234, road });
    assert!(
        screen.shows("the text: sent to the terminal's clipboard (OSC 52), 1.2 KiB"),
        "{}",
        screen.draw().0
    );
    let mut screen = read(text_page("library://rooms/reading", &"x".repeat(LONGEST + 1)));
    assert_eq!(screen.keys("y"), []);
    let told = screen.state.notices.iter().next().unwrap().text.clone();
    assert!(told.contains("more than terminals take") && told.ends_with("s saves it"), "{told}");
}

fn saving(screen: &mut Screen) -> (CallId, bool) {
    saving_by(screen, "Enter")
}

fn saving_by(screen: &mut Screen, key: &str) -> (CallId, bool) {
    match screen.keys(key).as_slice() {
        [Effect::Save { call, replace, .. }] => (*call, *replace),
        other => panic!("{other:?}"),
    }
}

fn refusal(exists: bool) -> Result<Saved, Refusal> {
    Err(Refusal { exists, fault: Fault::new(FaultKind::Usage, "`reading.txt` is in the way") })
}

#[test]
fn a_file_is_replaced_only_after_the_question() {
    let mut screen = read(text_page("library://rooms/reading", "text"));
    screen.keys("s");
    let (call, replace) = saving(&mut screen);
    assert!(!replace);
    assert_eq!(screen.keys("Enter"), [], "it is being written");
    screen.send(Msg::Saved { call, result: refusal(true) });
    assert!(screen.shows("A file of that name is there. Ctrl-E replaces it"));
    // Another name is another file.
    screen.type_text("x");
    assert!(!screen.shows("A file of that name is there"));
    let (call, replace) = saving(&mut screen);
    assert!(!replace);
    screen.send(Msg::Saved { call, result: refusal(true) });
    assert_eq!(screen.keys("Enter"), [], "the key that writes replaces nothing");
    let (call, replace) = saving_by(&mut screen, "Ctrl-e");
    assert!(replace);
    let saved = Saved { path: "reading.txtx".into(), bytes: 4 };
    screen.send(Msg::Saved { call, result: Ok(saved) });
    assert!(screen.state.save.is_none());
    assert!(screen.shows("saved to reading.txtx, 4 bytes"), "{}", screen.draw().0);
}

#[test]
fn the_answer_for_one_name_is_none_for_another() {
    let mut screen = read(text_page("library://rooms/reading", "text"));
    screen.keys("s");
    let (first, _) = saving(&mut screen);
    screen.keys("Left");
    assert_eq!(screen.keys("Enter"), [], "the same name is still being written");
    screen.type_text("x");
    assert!(!screen.shows("writing …"), "{}", screen.draw().0);
    screen.send(Msg::Saved { call: first, result: refusal(true) });
    assert!(!screen.shows("A file of that name is there"), "{}", screen.draw().0);
    assert!(screen.shows("not saved: `reading.txt` is in the way"), "{}", screen.draw().0);
    assert!(!saving(&mut screen).1);
}

#[test]
fn a_name_that_is_refused_stays_in_the_field_with_the_reason() {
    let mut screen = read(text_page("library://rooms/reading", "text"));
    screen.keys("s");
    screen.send(Msg::Paste("/../".into()));
    let (call, _) = saving(&mut screen);
    screen.send(Msg::Saved { call, result: refusal(false) });
    assert!(screen.shows("reading.txt/../") && screen.shows("✗ `reading.txt` is in the way"));
    assert!(!saving(&mut screen).1);
    screen.keys("Esc");
    assert!(screen.state.save.is_none());
    assert!(screen.shows("library://rooms/reading"), "the page is still there");
}

#[test]
fn an_answer_to_a_field_that_was_closed_is_told() {
    for (result, expected) in [
        (Ok(Saved { path: "a".into(), bytes: 1 }), "saved to a, 1 byte"),
        (refusal(true), "not saved: `reading.txt` is in the way"),
    ] {
        let mut screen = read(text_page("library://rooms/reading", "text"));
        screen.keys("s");
        let (call, _) = saving(&mut screen);
        screen.keys("Esc");
        screen.send(Msg::Saved { call, result });
        assert!(screen.shows(expected), "{}", screen.draw().0);
    }
}
