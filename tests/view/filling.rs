//! Forms of templates, and prompts that need none.

use crate::frames::{Scene, at_three_sizes};
use crate::support::*;
use vestibule::domain::*;
use vestibule::registry::{Lists, ServerView};
use vestibule::tui::{Effect, Msg};

/// A server that completes, with these templates and prompts.
pub fn server_of(templates: &[&str], prompts: Vec<Prompt>) -> ServerView {
    let template = |template: &&str| ResourceTemplate {
        uri_template: (*template).into(),
        name: "one of many".into(),
        title: None,
        description: Some("Whatever stands there.".into()),
        mime_type: None,
        annotations: None,
    };
    let lists = Lists {
        templates: fresh(templates.iter().map(template).collect()),
        prompts: fresh(prompts),
        ..Lists::default()
    };
    let mut link = up();
    if let Link::Up(facts) = &mut link {
        facts.capabilities.completions = true;
    }
    server("events", link, lists)
}

/// A screen with these templates, the first of them selected.
fn templates(templates: &[&str]) -> Screen {
    let mut screen = Screen::empty(80, 24);
    screen.send(Msg::View(registry(vec![server_of(templates, vec![])])));
    screen.keys("g");
    screen
}

/// The values with which a template is filled in.
fn values(effects: &[Effect]) -> Vec<(&str, &str)> {
    match effects {
        [Effect::Fill { values, .. }] => {
            values.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect()
        }
        other => panic!("{other:?}"),
    }
}

fn field_names(screen: &Screen) -> Vec<&str> {
    let form = screen.state.form.as_ref().expect("a form");
    form.fields.iter().map(|field| field.name.raw()).collect()
}

#[test]
fn every_variable_has_one_field_with_its_bare_name() {
    for (template, names) in [
        ("res://e{?topic,lang}", vec!["topic", "lang"]),
        ("res://e{/a,b}", vec!["a", "b"]),
        ("res://e{;id}", vec!["id"]),
        ("res://e{#f}", vec!["f"]),
        ("res://e{id:3}", vec!["id"]),
        ("res://e{list*}", vec!["list"]),
        ("res://{id}/{id}/{+id}", vec!["id"]),
    ] {
        let mut screen = templates(&[template]);
        assert_eq!(screen.keys("Enter"), []);
        assert_eq!(field_names(&screen), names, "{template}");
    }
}

#[test]
fn the_uri_is_shown_while_it_comes_about() {
    let mut screen = templates(&["res://events/{topic}"]);
    screen.keys("Enter");
    assert!(screen.shows("URI  res://events/ "));
    screen.type_text("a/b c%é!");
    assert!(screen.shows("URI  res://events/a%2Fb%20c%25%C3%A9%21"), "{}", screen.draw().0);
    let effects = screen.keys("Enter");
    assert_eq!(values(&effects), [("topic", "a/b c%é!")]);
    let [Effect::Fill { template, server, .. }] = effects.as_slice() else { panic!() };
    assert_eq!((template.raw(), server), ("res://events/{topic}", &id("events")));

    let mut screen = templates(&["res://e{?topic,lang}{/list*}"]);
    screen.keys("Enter");
    assert!(screen.shows("URI  res://e "), "blanks leave nothing behind");
    screen.keys("Tab");
    screen.type_text("en");
    assert!(screen.shows("URI  res://e?lang=en "));
    screen.keys("Tab");
    assert!(screen.shows("several values are separated by commas"));
    screen.type_text("x,y");
    assert!(screen.shows("URI  res://e?lang=en/x/y "));
    screen.keys("Tab Ctrl-e");
    assert!(screen.shows("URI  res://e?topic=&lang=en/x/y "), "an explicit empty is a value");
    assert_eq!(values(&screen.keys("Enter")), [("topic", ""), ("lang", "en"), ("list", "x,y")]);
}

#[test]
fn a_template_that_cannot_be_filled_in_says_why_and_has_no_form() {
    let mut screen = templates(&["res://e{topic"]);
    assert!(screen.shows("cannot be filled in: a `{` is never"), "{}", screen.draw().0);
    for key in ["Enter", "o"] {
        assert_eq!(screen.keys(key), []);
        assert!(screen.state.form.is_none());
    }
    let mut screen = templates(&["res://{list*:3}"]);
    screen.keys("Enter");
    assert!(screen.state.form.is_none(), "{}", screen.draw().0);
    // What is wrong with values only is told in the form, which is not sent.
    let mut screen = templates(&["res://{list*}/{list:3}"]);
    screen.keys("Enter");
    screen.type_text("a,b");
    assert!(screen.shows("a list cannot be cut"), "{}", screen.draw().0);
    assert_eq!(screen.keys("Enter"), []);
    assert!(screen.state.form.is_some());
}

#[test]
fn a_template_without_variables_is_read_at_once() {
    let mut screen = templates(&["res://all"]);
    assert!(screen.shows("Enter reads it."));
    assert_eq!(values(&screen.keys("Enter")), []);
}

#[test]
fn what_comes_of_a_template_belongs_to_it_alone() {
    let mut screen = templates(&["res://a/{x}", "res://b/{x}"]);
    screen.keys("Enter");
    screen.type_text("1");
    let effects = screen.keys("Enter");
    let [Effect::Fill { call, .. }] = effects.as_slice() else { panic!("{effects:?}") };
    screen.keys("h j");
    screen.answer(*call, Ok(text_page("res://a/1", "the first one's")));
    assert!(!screen.shows("the first one's"));
    assert!(screen.shows("ready: res://a/{x}"));
    screen.keys("k l d");
    assert!(screen.shows("the first one's"), "{}", screen.draw().0);
    // Opened again, the form still holds what was typed.
    screen.keys("Enter");
    assert!(screen.shows("▸ 1") && screen.shows("URI  res://a/1"));
}

fn prompts(prompts: Vec<Prompt>) -> Screen {
    let mut screen = Screen::empty(80, 24);
    screen.send(Msg::View(registry(vec![server_of(&[], prompts)])));
    screen.keys("2 g");
    screen
}

fn arguments(effects: &[Effect]) -> Vec<(&str, &str)> {
    match effects {
        [Effect::Render { arguments, .. }] => {
            arguments.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_prompt_that_requires_nothing_runs_at_once_and_its_form_has_a_key() {
    let mut screen = prompts(vec![prompt("none", &[])]);
    assert_eq!(arguments(&screen.keys("Enter")), []);
    let mut screen = prompts(vec![prompt("may", &[("style", false), ("length", false)])]);
    assert!(screen.shows("Enter run  o form"), "{}", screen.draw().0);
    assert!(screen.shows("Enter runs it, o opens its form."));
    let effects = screen.keys("Enter");
    assert_eq!(arguments(&effects), []);
    let [Effect::Render { call, .. }] = effects.as_slice() else { panic!() };
    screen.answer(*call, Ok(text_page("x://y", "rendered bare")));
    screen.keys("o");
    assert_eq!(field_names(&screen), ["style", "length"]);
    screen.type_text("dry");
    let effects = screen.keys("Enter");
    assert_eq!(arguments(&effects), [("style", "dry")]);
    let [Effect::Render { call, .. }] = effects.as_slice() else { panic!() };
    screen.answer(*call, Ok(text_page("x://y", "rendered dry")));
    assert!(screen.shows("rendered dry"));
    // Asked again, it is asked the same.
    assert_eq!(arguments(&screen.keys("Enter")), [("style", "dry")]);
}

#[test]
fn a_prompt_that_requires_something_opens_its_form() {
    let mut screen = prompts(vec![prompt("must", &[("topic", true)])]);
    assert_eq!(screen.keys("Enter"), []);
    assert_eq!(field_names(&screen), ["topic"]);
    screen.keys("Esc");
    assert_eq!(screen.keys("o"), []);
    assert_eq!(field_names(&screen), ["topic"]);
}

const SCENES: &[Scene] = &[
    ("template_form", |s| {
        let server = server_of(&["res://events/{topic}{?lang,days*}"], vec![]);
        s.send(Msg::View(registry(vec![server])));
        s.keys("Enter");
        s.type_text("night sky");
        s.keys("Tab Tab");
        s.type_text("1,2");
    }),
    ("template_broken", |s| {
        s.send(Msg::View(registry(vec![server_of(&["res://events/{topic"], vec![])])));
        s.keys("Enter");
    }),
];

#[test]
fn forms_of_templates_at_three_sizes() {
    at_three_sizes(SCENES);
}
