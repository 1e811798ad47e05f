//! Proposals of servers for the field that has the keys.

use crate::filling::server_of;
use crate::frames::{Scene, at_three_sizes};
use crate::support::*;
use std::time::Duration;
use vestibule::domain::*;
use vestibule::tui::{Effect, Moment, Msg};

const PAUSE: u64 = 150;

fn form() -> Screen {
    let repository = prompt("clone", &[("owner", true), ("repo", false)]);
    let mut screen = Screen::empty(80, 24);
    screen.send(Msg::View(registry(vec![server_of(&["res://{station}/{day}"], vec![repository])])));
    screen.keys("2 g Enter");
    screen
}

fn completion(values: &[&str], total: Option<u64>) -> Completion {
    let values: Vec<UntrustedText> = values.iter().map(|value| (*value).into()).collect();
    let has_more = total.is_some_and(|total| total > values.len() as u64);
    Completion { values, total, has_more, left_out: 0 }
}

/// Lets the pause pass. Gives the question, if there is one.
fn waited(screen: &mut Screen) -> Option<Effect> {
    let mut effects = screen.after(PAUSE).send(Msg::Wake);
    assert!(effects.len() <= 1, "{effects:?}");
    effects.pop()
}

/// Lets the pause pass, and answers.
fn answered(screen: &mut Screen, values: &[&str], total: Option<u64>) {
    let Some(Effect::Complete { call, .. }) = waited(screen) else { panic!("nothing was asked") };
    screen.send(Msg::Completed { call, result: Ok(completion(values, total)) });
}

/// What a question is about: argument, value, others.
fn about(effect: Option<Effect>) -> (CallId, String, String, Vec<(String, String)>) {
    match effect {
        Some(Effect::Complete { call, argument, value, others, .. }) => {
            (call, argument, value, others)
        }
        other => panic!("{other:?}"),
    }
}

fn text(screen: &Screen) -> &str {
    let form = screen.state.form.as_ref().expect("a form");
    form.field().expect("a field").input.text()
}

#[test]
fn values_are_proposed_for_an_empty_field_and_how_many_there_are() {
    let mut screen = form();
    let due = Moment(screen.now.0 + Duration::from_millis(PAUSE));
    let wake = screen.send(Msg::Drawn);
    assert!(matches!(wake.as_slice(), [Effect::WakeAt(at)] if *at == due), "{wake:?}");
    assert_eq!(screen.after(PAUSE - 1).send(Msg::Wake), []);
    let asked = screen.after(1).send(Msg::Wake).pop();
    let Some(Effect::Complete { of, name, server, .. }) = &asked else { panic!("{asked:?}") };
    assert_eq!((*of, name.raw(), server), (Completable::Prompt, "clone", &id("events")));
    let (call, argument, value, others) = about(asked);
    assert_eq!((argument.as_str(), value.as_str(), others.len()), ("owner", "", 0));
    screen.send(Msg::Completed { call, result: Ok(completion(&["ada", "bob", "cy"], Some(250))) });
    assert!(screen.shows("ada") && screen.shows("cy") && screen.shows("3 of 250"));
    assert!(screen.shows("Ctrl-N Ctrl-P choose"));
    // And nothing more is asked.
    assert_eq!(screen.after(10_000).send(Msg::Wake), []);
    assert_eq!(screen.send(Msg::Drawn), []);
}

#[test]
fn a_server_that_proposes_nothing_is_not_asked() {
    let mut screen = Screen::new(80, 24);
    screen.keys("2 Enter");
    screen.type_text("x");
    assert_eq!(screen.after(1000).send(Msg::Wake), []);
    assert!(!screen.shows("choose"));
    screen.keys("Ctrl-n");
    assert!(screen.shows("this server proposes no values"));
}

#[test]
fn only_the_answer_for_what_stands_there_counts_and_one_question_runs() {
    let mut screen = form();
    screen.type_text("a");
    // Typing on puts the question off.
    screen.after(PAUSE - 50).type_text("b");
    assert_eq!(screen.after(100).send(Msg::Wake), []);
    let (first, _, value, _) = about(screen.after(50).send(Msg::Wake).pop());
    assert_eq!(value, "ab");
    // Another letter takes it back at once; the next is asked after its own pause.
    let effects = screen.send(Msg::Key(event("c")));
    assert_eq!(effects, [Effect::Cancel(first)]);
    let (second, _, value, _) = about(waited(&mut screen));
    assert_eq!(value, "abc");
    screen.send(Msg::Completed { call: first, result: Ok(completion(&["late"], None)) });
    assert!(!screen.shows("late"));
    screen.send(Msg::Completed { call: second, result: Ok(completion(&["abcd"], None)) });
    assert!(screen.shows("abcd"));
    screen.send(Msg::Completed { call: first, result: Ok(completion(&["late"], None)) });
    assert!(screen.shows("abcd") && !screen.shows("late"));
    // What was proposed for another text goes with it.
    screen.type_text("x");
    assert!(!screen.shows("abcd"));
}

#[test]
fn leaving_the_field_or_the_form_takes_the_question_back() {
    let mut screen = form();
    screen.keys("Tab");
    let (call, argument, _, _) = about(waited(&mut screen));
    assert_eq!(argument, "repo", "the first field was left before its time");
    assert_eq!(screen.keys("Tab"), [Effect::Cancel(call)]);
    let (call, ..) = about(waited(&mut screen));
    assert_eq!(screen.keys("Esc"), [Effect::Cancel(call)]);
    assert_eq!(screen.after(1000).send(Msg::Wake), []);
    screen.keys("Enter");
    screen.type_text("ada");
    let (call, ..) = about(waited(&mut screen));
    let effects = screen.keys("Enter");
    assert!(matches!(effects.as_slice(), [Effect::Render { .. }, Effect::Cancel(c)] if *c == call));
}

#[test]
fn what_stands_in_the_other_fields_goes_along() {
    let mut screen = form();
    screen.type_text("ada");
    screen.keys("Tab");
    let (_, argument, _, others) = about(waited(&mut screen));
    assert_eq!((argument.as_str(), others), ("repo", vec![("owner".into(), "ada".into())]));
    let mut screen = form();
    screen.keys("Esc 1 g Enter");
    screen.type_text("summit");
    screen.keys("Tab");
    let asked = waited(&mut screen);
    let Some(Effect::Complete { of, name, .. }) = &asked else { panic!("{asked:?}") };
    assert_eq!((*of, name.raw()), (Completable::Template, "res://{station}/{day}"));
    let (_, argument, _, others) = about(asked);
    assert_eq!((argument.as_str(), others), ("day", vec![("station".into(), "summit".into())]));
}

#[test]
fn a_proposal_is_chosen_and_taken_as_it_was_written() {
    let mut screen = form();
    answered(&mut screen, &["ada lovelace", "bob\u{202e}", "cy"], None);
    screen.keys("Ctrl-n");
    assert!(screen.shows("▸ ada lovelace") && screen.shows("Enter take"));
    screen.keys("Ctrl-n Ctrl-n Ctrl-n");
    assert!(!screen.shows("Enter take"), "behind the last one none is chosen");
    screen.keys("Ctrl-p Ctrl-p");
    assert_eq!(screen.keys("Enter"), [], "it is taken, and nothing is sent");
    assert_eq!(text(&screen), "bob\u{202e}");
    assert!(screen.shows("bob⟨U+202E⟩"));
    assert_eq!(screen.after(1000).send(Msg::Wake), [], "what was chosen is not asked about");
    // Tab takes it and goes on.
    screen.keys("Ctrl-u");
    answered(&mut screen, &["ada"], None);
    screen.keys("Ctrl-n Tab");
    assert_eq!(screen.state.form.as_ref().unwrap().focus, 1);
    screen.keys("BackTab");
    assert_eq!(text(&screen), "ada");
    // Esc leaves the choice, and then the form.
    screen.type_text("x");
    answered(&mut screen, &["axe"], None);
    screen.keys("Ctrl-n Esc");
    assert!(screen.state.form.is_some() && !screen.shows("▸ axe") && screen.shows("axe"));
    screen.keys("Esc");
    assert!(screen.state.form.is_none());
}

#[test]
fn a_question_that_fails_is_told_where_it_was_asked() {
    let mut screen = form();
    let (call, ..) = about(waited(&mut screen));
    let fault = Fault::new(FaultKind::ServerError, "the server answered with an error");
    screen.send(Msg::Completed { call, result: Err(fault) });
    assert!(screen.shows("no proposals: the server answered"), "{}", screen.draw().0);
    screen.type_text("x");
    assert!(!screen.shows("no proposals"));
}

const SCENES: &[Scene] = &[
    ("proposals", |s| {
        let repository = prompt("clone", &[("owner", true), ("repo", false)]);
        s.send(Msg::View(registry(vec![server_of(&[], vec![repository])])));
        s.keys("2 Enter");
        answered(s, &["ada", "bob", "cy"], Some(250));
    }),
    ("proposal_chosen", |s| {
        let server = server_of(&["res://{station}/{day}"], vec![]);
        s.send(Msg::View(registry(vec![server])));
        s.keys("Enter");
        let many: Vec<String> = (1..=40).map(|n| format!("station {n} \u{202e}漢字")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        answered(s, &many, None);
        s.keys("Ctrl-p Ctrl-p");
    }),
];

#[test]
fn proposals_at_three_sizes() {
    at_three_sizes(SCENES);
}
