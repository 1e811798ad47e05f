//! Forms of tools.

use crate::frames::{Scene, at_three_sizes};
use crate::support::*;
use serde_json::{Map, Value, json};
use vestibule::domain::*;
use vestibule::registry::Lists;
use vestibule::tui::state::confirm::Wanted;
use vestibule::tui::{Effect, Msg, update};

fn object(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

/// On a tool with this input schema.
fn show(screen: &mut Screen, schema: Value) {
    let tool = Tool { input_schema: object(schema), ..tool("lend") };
    let lists = Lists { tools: fresh(vec![tool]), ..Lists::default() };
    screen.send(Msg::View(registry(vec![server("desk", up(), lists)])));
    screen.keys("3 g");
}

fn every_kind() -> Value {
    json!({
        "type": "object",
        "properties": {
            "title": {"type": ["string", "null"], "title": "Title", "description": "Of the book."},
            "copies": {"type": "integer", "minimum": 1, "maximum": 9, "default": 1},
            "weight": {"type": "number"},
            "urgent": {"type": "boolean"},
            "shelf": {"oneOf": [
                {"const": "a", "title": "By the door"}, {"const": "b", "title": "Cellar"},
            ]},
            "tags": {"type": "array", "items": {"type": "string"}},
            "bad\u{202e}name": {"type": "string", "description": "\u{1b}[31mred"},
        },
        "required": ["copies"],
    })
}

fn open(screen: &mut Screen, schema: Value) {
    show(screen, schema);
    screen.keys("Enter");
    assert!(screen.state.form.is_some(), "{}", screen.draw().0);
}

/// What the question is about.
fn asked(screen: &Screen) -> (Value, bool) {
    match &screen.state.confirm.as_ref().expect("a question").wanted {
        Wanted::Call { arguments, unchecked } => (Value::Object(arguments.clone()), *unchecked),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_form_is_filled_in_and_asked_about_and_comes_back() {
    let mut screen = Screen::new(80, 24);
    open(&mut screen, every_kind());
    screen.keys("Enter");
    assert!(screen.state.confirm.is_none() && screen.shows("✗ required: write something here"));
    screen.type_text("3");
    screen.keys("Down");
    screen.keys("Down");
    screen.type_text(" ");
    screen.keys("Enter");
    assert_eq!(asked(&screen), (json!({"copies": 3, "urgent": true}), false));
    screen.keys("Esc");
    assert!(screen.state.confirm.is_none() && screen.state.form.is_some());
    screen.keys("Esc");
    assert!(screen.state.form.is_none());
    screen.keys("o");
    screen.keys("Enter");
    assert_eq!(asked(&screen).0, json!({"copies": 3, "urgent": true}));
}

#[test]
fn what_was_refused_is_sent_all_the_same_on_request() {
    let mut screen = Screen::new(80, 24);
    open(&mut screen, every_kind());
    screen.keys("Ctrl-t");
    assert!(screen.state.confirm.is_none(), "nothing was refused yet");
    screen.keys("Down");
    screen.type_text("many");
    screen.keys("Enter");
    assert!(screen.shows("✗ write a whole number"));
    assert!(screen.shows("not sent; Ctrl-T sends it all the same"));
    screen.keys("Ctrl-t");
    assert_eq!(asked(&screen), (json!({"copies": "many"}), true));
}

#[test]
fn a_tool_without_arguments_has_no_form() {
    let mut screen = Screen::new(80, 24);
    show(&mut screen, json!({"type": "object"}));
    screen.keys("Enter");
    assert!(screen.state.form.is_none());
    assert_eq!(asked(&screen), (json!({}), false));
}

#[test]
fn a_long_form_scrolls_to_the_field_with_the_keys() {
    let property = |n: usize| (format!("field{n}"), json!({"type": "string", "description": "d"}));
    let properties: Map<String, Value> = (0..1000).map(property).collect();
    let mut screen = Screen::new(80, 24);
    open(&mut screen, json!({"type": "object", "properties": properties}));
    assert!(screen.shows("field0 ") && !screen.shows("field20 "));
    screen.keys("BackTab");
    assert!(screen.shows("field999 ") && screen.shows("field998 "), "{}", screen.draw().0);
    assert!(screen.shows("field 1000 of 1000"));
    for _ in 0..500 {
        screen.keys("Up");
    }
    assert!(screen.shows("field499 ") && screen.shows("field498 "), "{}", screen.draw().0);
}

const SCENES: &[Scene] = &[
    ("tool_form", |s| open(s, every_kind())),
    ("tool_form_choice", |s| {
        open(s, every_kind());
        for _ in 0..4 {
            s.keys("Down");
        }
        s.keys("Ctrl-n");
    }),
    ("tool_form_refused", |s| {
        open(s, every_kind());
        s.keys("Ctrl-e");
        s.keys("Ctrl-e");
        s.keys("Down");
        s.type_text("12");
        s.keys("Enter");
    }),
    ("tool_form_json", |s| {
        open(s, every_kind());
        for _ in 0..5 {
            s.keys("Down");
        }
        s.type_text("[1");
        s.keys("Enter");
    }),
    ("tool_json", |screen| {
        open(screen, every_kind());
        screen.type_text("Fox");
        screen.keys("F3 Ctrl-End");
        screen.keys("Backspace");
        screen.send(Msg::Paste(",\n  \"tags\": [\"a\u{202e}b\", 漢字]\n}".into()));
        screen.keys("F3");
    }),
    ("tool_json_refused", |screen| {
        open(screen, every_kind());
        screen.keys("F3 Ctrl-End");
        screen.keys("Backspace");
        screen.send(Msg::Paste("\n  \"copies\": 12,\n  \"more\": {\"a\": 1}\n}".into()));
        screen.keys("F5");
    }),
    ("tool_form_beside", |screen| {
        open(screen, every_kind());
        screen.keys("F3 Ctrl-End");
        screen.keys("Backspace");
        screen.send(Msg::Paste("\n  \"copies\": 2,\n  \"more\": {\"a\": 1}\n}".into()));
        screen.keys("F3");
    }),
];

#[test]
fn forms_of_tools_at_three_sizes() {
    at_three_sizes(SCENES);
}

#[test]
fn the_arguments_are_written_as_json_and_go_both_ways() {
    let mut screen = Screen::new(80, 24);
    open(&mut screen, every_kind());
    screen.type_text("Fox");
    screen.keys("F3");
    assert!(screen.shows(" · JSON") && screen.shows("\"title\": \"Fox\""));
    screen.keys("Ctrl-End");
    screen.keys("Up End");
    screen.type_text(",");
    screen.keys("Enter");
    screen.type_text("\"copies\": 2, \"weight\": \"heavy\", \"more\": [1");
    screen.keys("F3");
    assert!(screen.shows("✗ this is no JSON") && screen.shows("line 4 column 1"));
    screen.keys("Up End");
    screen.type_text("]");
    screen.keys("F3");
    assert!(screen.shows("field 1 of 7"), "{}", screen.draw().0);
    assert!(screen.shows("also sent, as JSON: weight, more"));
    screen.keys("F3 F5");
    assert!(screen.shows("/weight: must be a number") || screen.shows("weight: must be a number"));
    screen.keys("Ctrl-t");
    let all = json!({"title": "Fox", "copies": 2, "weight": "heavy", "more": [1]});
    assert_eq!(asked(&screen), (all, true));
    screen.keys("Esc");
    assert!(screen.shows(" · JSON"));
    screen.keys("Esc o");
    assert!(screen.shows("\"more\": [1]"), "what was written comes back");
}

#[test]
fn a_paste_into_the_json_keeps_its_lines_and_marks_what_hides() {
    let mut screen = Screen::new(80, 24);
    open(&mut screen, every_kind());
    screen.keys("F3 Ctrl-End");
    screen.keys("Backspace");
    screen.send(Msg::Paste("\r\n \"title\": \"a\u{202e}b\",\r\n \"copies\": 1}".into()));
    assert!(screen.shows("a⟨U+202E⟩b"), "{}", screen.draw().0);
    screen.keys("F5");
    assert_eq!(asked(&screen).0, json!({"title": "a\u{202e}b", "copies": 1}));
}

#[test]
fn a_tool_without_fields_is_written_as_json() {
    let mut screen = Screen::new(80, 24);
    show(&mut screen, json!({"type": "object"}));
    screen.keys("o");
    assert!(screen.shows(" · JSON"));
    screen.keys("F3");
    assert!(screen.shows(" · JSON") && screen.shows("names no fields"));
    screen.keys("F5");
    assert_eq!(asked(&screen).0, json!({}));
}

#[test]
fn what_is_held_against_the_schema_is_sent_only_as_it_was() {
    // Not the way of the other tests, which do it at once.
    let enter = || Msg::Key(event("Enter"));
    let filled = || {
        let mut screen = Screen::new(80, 24);
        open(&mut screen, every_kind());
        screen.keys("Down");
        screen.type_text("3");
        let effects = update(&mut screen.state, screen.now, enter());
        let [Effect::Check { tool, arguments }] = effects.as_slice() else { panic!("{effects:?}") };
        assert!(screen.state.confirm.is_none() && screen.shows("held against its schema"));
        let answer = checked(tool.clone(), arguments.clone());
        (screen, answer)
    };
    let (mut screen, answer) = filled();
    screen.send(answer);
    assert_eq!(asked(&screen), (json!({"copies": 3}), false));

    // What is written meanwhile takes the wish back, and so does leaving.
    let (mut screen, answer) = filled();
    screen.type_text("0");
    screen.send(answer);
    assert!(screen.state.confirm.is_none());
    screen.keys("Enter");
    assert!(screen.shows("must be at most 9"));
    let (mut screen, answer) = filled();
    screen.keys("Esc o");
    screen.send(answer);
    assert!(screen.state.confirm.is_none() && !screen.shows("held against its schema"));
}

#[test]
fn a_value_that_is_chosen_goes_before_one_kept_beside_the_field() {
    let mut screen = Screen::new(80, 24);
    open(&mut screen, every_kind());
    screen.keys("F3 Ctrl-End");
    screen.keys("Backspace");
    screen.send(Msg::Paste("\"copies\": 1, \"shelf\": \"bogus\"}".into()));
    screen.keys("F3");
    assert!(screen.shows("also sent, as JSON: shelf"));
    screen.keys("Down Down Down Down Ctrl-n Enter");
    screen.keys("Enter");
    assert_eq!(asked(&screen), (json!({"copies": 1, "shelf": "a"}), false));
}
