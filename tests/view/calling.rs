//! Calls of tools: the question before, how they go, what comes of them.

use crate::frames::{Scene, at_three_sizes};
use crate::support::*;
use crossterm::event::{KeyEvent, KeyEventKind};
use serde_json::{Map, Value, json};
use std::time::Duration;
use vestibule::domain::*;
use vestibule::registry::{Agreement, Called, Lists, ServerView};
use vestibule::schema::Disagreement;
use vestibule::tui::state::confirm::Wanted;
use vestibule::tui::state::{ItemKey, Kind, Page, called};
use vestibule::tui::{Effect, Msg};

fn arguments(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn key(server: &str, name: &str) -> ItemKey {
    ItemKey { server: id(server), kind: Kind::Tool, name: name.into() }
}

/// Puts the question, as a form does that was filled in.
fn ask(screen: &mut Screen, server: &str, name: &str, sent: Value) {
    let wanted = Wanted::Call { arguments: arguments(sent), unchecked: false };
    let question = screen.state.question(key(server, name), wanted);
    screen.state.confirm = Some(question);
}

/// On the tab of tools, with the question before the first.
fn asking(screen: &mut Screen, sent: Value) {
    screen.keys("3");
    ask(screen, "library", "search", sent);
}

/// The question is drawn to its end, and looked at for a while.
fn looked_at(screen: &mut Screen) {
    screen.keys("End");
    screen.send(Msg::Drawn);
    screen.after(300);
}

fn call(effects: &[Effect]) -> CallId {
    let effect = match effects {
        [Effect::Confirmed(effect)] => effect,
        [effect @ Effect::Call { .. }] => effect,
        other => panic!("{other:?}"),
    };
    match effect {
        Effect::Call { call, .. } => *call,
        other => panic!("{other:?}"),
    }
}

/// Calls the first tool.
fn calls(screen: &mut Screen) -> CallId {
    asking(screen, json!({"query": "fox"}));
    looked_at(screen);
    call(&screen.keys("y"))
}

fn result(content: Value, structured: Option<Value>, is_error: bool) -> ToolResult {
    let content = content.as_array().unwrap().iter().cloned().map(Content::from_value).collect();
    ToolResult { content, structured, is_error, extra: Extra::new() }
}

fn page(result: ToolResult, agreement: Agreement) -> Page {
    let took = Duration::from_millis(1200);
    let (server, name) = (id("library"), "search".into());
    called::page(Called { server, name, result, agreement, took })
}

fn text(text: &str) -> Page {
    plain(result(json!([{"type": "text", "text": text}]), None, false))
}

fn plain(result: ToolResult) -> Page {
    page(result, Agreement::NotPromised)
}

#[test]
fn a_tool_is_called_only_after_a_yes_to_what_is_sent() {
    let mut screen = Screen::new(100, 30);
    asking(&mut screen, json!({"query": "fox", "limit": 3}));
    for shown in ["Call this tool?", "search", "library", "\"query\": \"fox\"", "\"limit\": 3"] {
        assert!(screen.shows(shown), "{shown}");
    }
    // Before it was drawn, and shortly after, no key says yes; Enter never does.
    assert_eq!(screen.keys("y"), []);
    screen.send(Msg::Drawn);
    screen.after(299);
    assert_eq!(screen.keys("y"), []);
    // A key that is refused is refused again for as long.
    screen.after(299);
    assert_eq!(screen.keys("y"), []);
    screen.after(300);
    assert_eq!(screen.keys("Enter Enter"), []);
    let held = KeyEvent { kind: KeyEventKind::Repeat, ..event("y") };
    assert_eq!(screen.send(Msg::Key(held)), []);
    let effects = screen.keys("y");
    match effects.as_slice() {
        [Effect::Confirmed(effect)] => match &**effect {
            Effect::Call { server, name, arguments: sent, unchecked, .. } => {
                assert_eq!((server.as_str(), name.raw()), ("library", "search"));
                assert_eq!(*sent, arguments(json!({"query": "fox", "limit": 3})));
                assert!(!unchecked);
            }
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

#[test]
fn after_a_no_nothing_is_sent() {
    for no in ["Esc", "n"] {
        let mut screen = Screen::new(100, 30);
        asking(&mut screen, json!({}));
        looked_at(&mut screen);
        assert!(screen.shows("no arguments: {}"));
        assert_eq!(screen.keys(no), []);
        assert!(screen.state.confirm.is_none());
        assert_eq!(screen.state.preview.running().count(), 0);
    }
}

#[test]
fn always_holds_until_the_tool_changes_or_it_is_taken_back() {
    let mut screen = Screen::new(100, 30);
    asking(&mut screen, json!({"query": "fox"}));
    looked_at(&mut screen);
    let first = call(&screen.keys("a"));
    screen.answer(first, Ok(text("found")));
    assert!(screen.shows("found"));
    // Again without a question, of which the details tell.
    screen.keys("d");
    assert!(screen.shows("called without a question until exit; A asks"));
    screen.keys("d");
    let effects = screen.keys(".");
    assert!(matches!(effects.as_slice(), [Effect::Call { .. }]), "{effects:?}");
    let second = call(&effects);
    screen.answer(second, Ok(text("found again")));
    screen.keys("A");
    assert_eq!(screen.keys("."), []);
    assert!(screen.shows("Call this tool?"));
    looked_at(&mut screen);
    let third = call(&screen.keys("a"));
    screen.answer(third, Ok(text("found")));
    // What it is now was never agreed to.
    let mut servers = servers();
    let mut changed = tool("search");
    changed.description = Some("Sends everything away.".into());
    let lists = Lists { tools: fresh(vec![changed]), ..Default::default() };
    servers[0] = server("library", up(), lists);
    screen.send(Msg::View(registry(servers)));
    assert_eq!(screen.keys("."), []);
    assert!(screen.shows("Call this tool?"));
}

#[test]
fn always_is_not_offered_where_the_tool_may_change_something_or_a_yes_is_wanted() {
    let with = |read_only, confirm| {
        let mut tool = tool("search");
        tool.annotations = Some(ToolAnnotations { read_only, ..Default::default() });
        let lists = Lists { tools: fresh(vec![tool]), ..Default::default() };
        let mut server = server("library", up(), lists);
        let confirm = Confirm { tools: confirm, ..Confirm::default() };
        server.permissions = Permissions { confirm, ..Permissions::default() }.into();
        let mut screen = Screen::empty(100, 30);
        screen.send(Msg::View(registry(vec![server])));
        asking(&mut screen, json!({}));
        looked_at(&mut screen);
        screen
    };
    for (read_only, confirm) in
        [(None, None), (Some(false), None), (Some(true), Some(vec!["*".to_owned()]))]
    {
        let mut screen = with(read_only, confirm);
        assert!(!screen.shows("ask no more"));
        assert_eq!(screen.keys("a"), []);
        assert!(screen.state.confirm.is_some());
        screen.after(300);
        call(&screen.keys("y"));
    }
    assert!(with(Some(true), None).shows("ask no more"));
}

#[test]
fn a_tool_that_changes_under_the_question_is_looked_at_again() {
    let mut screen = Screen::new(100, 30);
    asking(&mut screen, json!({"query": "fox"}));
    looked_at(&mut screen);
    let mut changed = tool("search");
    changed.annotations = None;
    let lists = Lists { tools: fresh(vec![changed]), ..Default::default() };
    screen.send(Msg::View(registry(vec![server("library", up(), lists)])));
    assert_eq!(screen.keys("y"), []);
    assert!(screen.shows("may destroy, assumed"), "{}", screen.draw().0);
    assert_eq!(screen.keys("y"), [], "the new question has not been drawn");
    looked_at(&mut screen);
    call(&screen.keys("y"));
}

fn goes(call: CallId, done: f64, message: &str) -> Msg {
    let progress = Progress { done, total: Some(8.0), message: Some(message.into()) };
    let state = CallState { progress: Some(progress), updates: 1, round: 0, is_asking: false };
    Msg::Progress { call, state }
}

#[test]
fn a_call_shows_how_far_it_is_in_its_row_and_in_its_place() {
    let mut screen = Screen::new(100, 30);
    let call = calls(&mut screen);
    assert!(screen.shows("calling search … 0.0 s, Esc stops") && screen.shows("1 call running"));
    screen.send(goes(call, 3.0, "plate\u{202e} 3"));
    for shown in ["37 %", "3 of 8", "plate⟨U+202E", "… 37 %"] {
        assert!(screen.shows(shown), "{shown}: {}", screen.draw().0);
    }
    let asks = CallState { round: 2, is_asking: true, ..CallState::default() };
    screen.send(Msg::Progress { call, state: asks });
    assert!(screen.shows("round 2 of questions") && screen.shows("it waits for you"));
    // A second one of the same tool is refused in words.
    assert_eq!(screen.keys("."), []);
    assert!(screen.shows("search of library is running"));
    assert_eq!(screen.keys("Esc"), [Effect::Cancel(call)]);
    // What comes late changes nothing.
    screen.send(goes(call, 8.0, "late"));
    screen.answer(call, Ok(text("late")));
    assert!(!screen.shows("late"));
}

#[test]
fn two_calls_each_have_their_row_and_an_answer_waits_with_its_own() {
    let mut screen = Screen::new(100, 30);
    let first = calls(&mut screen);
    ask(&mut screen, "hostile", "wipe", json!({}));
    screen.keys("h j");
    looked_at(&mut screen);
    screen.state.confirm = None;
    screen.keys("Tab");
    ask(&mut screen, "hostile", "wipe", json!({}));
    looked_at(&mut screen);
    let second = call(&screen.keys("y"));
    assert_ne!(first, second);
    screen.send(goes(first, 2.0, "one"));
    screen.send(goes(second, 6.0, "two"));
    assert!(screen.shows("… 25 %") && screen.shows("… 75 %"), "{}", screen.draw().0);
    assert!(screen.shows("2 calls running"));
    screen.answer(first, Ok(text("THE FIRST")));
    screen.answer(first, Ok(text("TWICE")));
    assert!(!screen.shows("TWICE"));
    screen.answer(second, Ok(text("THE SECOND")));
    let kept = |name, server| screen.state.preview.opened(&key(server, name)).is_some();
    assert!(kept("search", "library") && kept("wipe", "hostile"));
}

#[test]
fn an_answer_is_copied_and_saved_whole() {
    let mut screen = Screen::new(100, 30);
    let call = calls(&mut screen);
    let structured = json!({"found": 1});
    let content = json!([{"type": "text", "text": "a\u{202e}b"}, {"type": "text", "text": "c"}]);
    screen.answer(call, Ok(page(result(content, Some(structured), false), Agreement::Agrees)));
    let copied = |effects: Vec<Effect>| match effects.as_slice() {
        [Effect::Copy { text, .. }] => text.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(copied(screen.keys("y")), "a\u{202e}b\nc");
    assert!(copied(screen.keys("Y")).contains("\"structuredContent\""));
    screen.keys("s");
    let save = screen.state.save.as_ref().unwrap();
    assert_eq!(save.input.text(), "search.json");
    assert!(save.body.file("x.json").starts_with(b"{\n"));
    assert_eq!(&save.body.file("x.txt")[..], "a\u{202e}b\nc".as_bytes());
}

#[test]
fn a_picture_of_an_answer_is_saved_by_the_name_of_its_kind() {
    let mut screen = Screen::new(100, 30);
    let call = calls(&mut screen);
    let content = json!([
        {"type": "text", "text": "before"},
        {"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo="},
        {"type": "text", "text": "behind"},
    ]);
    screen.answer(call, Ok(plain(result(content, None, false))));
    screen.keys("s");
    let save = screen.state.save.as_ref().unwrap();
    assert_eq!(save.input.text(), "search.json", "as text it would be lost");
    assert_eq!(&save.body.file("logo.PNG")[..], b"\x89PNG\r\n\x1a\n");
    assert!(save.body.file("all.json").starts_with(b"{\n"));
    let text = save.body.file("words.txt");
    assert!(text.starts_with(b"before") && text.ends_with(b"behind"));
}

fn linking() -> Page {
    let content = json!([
        {"type": "resource_link", "uri": "library://unlisted/7", "name": "a card"},
        {"type": "resource", "resource": {"uri": "library://hours", "text": "nine to five"}},
        {"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgoAAAANSUhEUg=="},
        {"type": "hologram", "depth": 3},
    ]);
    plain(result(content, None, false))
}

#[test]
fn a_link_is_read_of_its_own_server_and_there_is_a_way_back() {
    let mut screen = Screen::new(100, 30);
    let call = calls(&mut screen);
    screen.answer(call, Ok(linking()));
    assert!(screen.shows("[1] link  a card") && screen.shows("[2] embedded resource"));
    assert_eq!(screen.keys("u"), []);
    assert!(screen.shows("Read which resource of library?"));
    screen.keys("j Esc u");
    match screen.keys("Enter").as_slice() {
        [Effect::Read { call, server, uri }] => {
            assert_eq!((server.as_str(), uri.raw()), ("library", "library://unlisted/7"));
            let call = *call;
            screen.answer(call, Ok(text_page("library://unlisted/7", "THE CARD")));
        }
        other => panic!("{other:?}"),
    }
    assert!(screen.shows("THE CARD"), "{}", screen.draw().0);
    screen.keys("Backspace");
    assert!(screen.shows("[1] link  a card"));
    screen.keys("u j");
    let effects = screen.keys("Enter");
    assert!(
        matches!(effects.as_slice(), [Effect::Read { uri, .. }] if uri.raw() == "library://hours")
    );
}

const SCENES: &[Scene] = &[
    ("call_question", |s| {
        s.send(Msg::View(registry(servers())));
        asking(s, json!({"query": "fo\u{202e}x\u{200b}", "limit": 3}));
    }),
    ("call_question_long", |s| {
        s.send(Msg::View(registry(servers())));
        let list: Vec<u32> = (0..60).collect();
        asking(s, json!({"query": "the clerk wrote it down ".repeat(12), "list": list}));
        s.keys("PgDn j");
    }),
    ("call_question_unknown", |s| {
        let mut tool = tool("wipe");
        tool.annotations = None;
        tool.title = Some("Wipe it all".into());
        let lists = Lists { tools: fresh(vec![tool]), ..Default::default() };
        s.send(Msg::View(registry(vec![server("library", up(), lists)])));
        s.keys("3");
        let wanted = Wanted::Call { arguments: Map::new(), unchecked: true };
        s.state.confirm = Some(s.state.question(key("library", "wipe"), wanted));
    }),
    ("call_running", |s| {
        s.send(Msg::View(registry(servers())));
        let call = calls(s);
        s.after(4200).send(goes(call, 3.0, "developing plate 3"));
    }),
    ("call_failed", |s| {
        s.send(Msg::View(registry(servers())));
        let call = calls(s);
        let content = json!([{"type": "text", "text": "There is no book number 99."}]);
        s.answer(call, Ok(plain(result(content, None, true))));
    }),
    ("call_structured", |s| {
        s.send(Msg::View(registry(servers())));
        let call = calls(s);
        let structured = json!({"found": 2, "titles": ["Foxes", "Tides\u{202e}"]});
        let content = json!([{"type": "text", "text": structured.to_string()}]);
        s.answer(call, Ok(page(result(content, Some(structured), false), Agreement::Agrees)));
    }),
    ("call_disagreement", |s| {
        s.send(Msg::View(registry(servers())));
        let call = calls(s);
        let structured = json!({"found": "two"});
        let (at, what) = ("/found".into(), "\"two\" is not of type \"integer\"".into());
        let wrong = Agreement::Disagrees(vec![Disagreement { at, what }]);
        let content = json!([{"type": "text", "text": "Two were found."}]);
        s.answer(call, Ok(page(result(content, Some(structured), false), wrong)));
    }),
    ("call_unstructured", |s| {
        s.send(Msg::View(registry(servers())));
        let call = calls(s);
        s.answer(call, Ok(page(result(json!([]), None, false), Agreement::Missing)));
    }),
    ("call_links", |s| {
        s.send(Msg::View(registry(servers())));
        let call = calls(s);
        s.answer(call, Ok(linking()));
    }),
    ("call_which_link", |s| {
        s.send(Msg::View(registry(servers())));
        let call = calls(s);
        s.answer(call, Ok(linking()));
        s.keys("u j");
    }),
];

#[test]
fn calls_at_three_sizes() {
    at_three_sizes(SCENES);
}

#[test]
fn a_server_that_goes_takes_no_question_with_it() {
    let mut screen = Screen::new(100, 30);
    asking(&mut screen, json!({"query": "fox"}));
    let none: Vec<ServerView> = Vec::new();
    screen.send(Msg::View(registry(none)));
    looked_at(&mut screen);
    // That is looked at first; the call itself says then that there is no such server.
    assert_eq!(screen.keys("y"), []);
    assert!(screen.shows("no longer listed by its server"));
    looked_at(&mut screen);
    call(&screen.keys("y"));
}

#[test]
fn a_yes_counts_only_where_all_of_the_question_was_seen() {
    let mut screen = Screen::new(80, 24);
    let many: Map<String, Value> = (0..60).map(|n| (format!("k{n}"), json!(n))).collect();
    asking(&mut screen, Value::Object(many));
    screen.send(Msg::Drawn);
    screen.after(1000);
    assert_eq!(screen.keys("y"), []);
    assert!(screen.shows("scroll to the end of it first"));
    // Nor where there is no room for it.
    screen.keys("End");
    screen.send(Msg::Drawn);
    screen.send(Msg::Resize(20, 5));
    screen.send(Msg::Drawn);
    screen.after(1000);
    assert_eq!(screen.keys("y"), []);
    screen.send(Msg::Resize(80, 24));
    looked_at(&mut screen);
    call(&screen.keys("y"));
}
