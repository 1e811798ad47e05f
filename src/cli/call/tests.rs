use super::*;
use crate::domain::{Content, Extra, ServerId};
use serde_json::json;
use std::time::Duration;

fn called(content: Value, structured: Option<Value>, is_error: bool) -> Called {
    let Value::Array(blocks) = content else { panic!("no list") };
    let content = blocks.into_iter().map(Content::from_value).collect();
    Called {
        server: ServerId::sanitized("s"),
        name: "t".into(),
        result: ToolResult { content, structured, is_error, extra: Extra::default() },
        agreement: Agreement::NotPromised,
        took: Duration::ZERO,
    }
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

/// Standard output, standard error, and the exit code.
fn run(called: &Called, options: &Options) -> (String, String, u8) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let outcome = Outcome { succeeded: 1, ..Outcome::default() };
    let mut reporter = Reporter::new(&mut err, false);
    let code = present(called, outcome, options, &mut out, &mut reporter).expect("written");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (text(out), text(err), code)
}

fn plain(called: &Called) -> String {
    run(called, &Options::default()).0
}

#[test]
fn blocks_come_as_they_are_and_nothing_acts() {
    let image = json!({"type": "image", "data": "AAAA", "mimeType": "image/png"});
    let out = plain(&called(json!([text("a\u{1b}[2J"), image]), None, false));
    assert!(out.ends_with("\n[image: image/png, 3 bytes]\n") && !out.contains('\u{1b}'), "{out}");
}

#[test]
fn structured_content_is_written_once() {
    let value = json!({"n": 1, "m": [2]});
    let (json, line) = (value.to_string(), format!("{value}\n"));
    assert_eq!(plain(&called(json!([]), Some(value.clone()), false)), line);
    // The same in another order and with blanks is the same.
    let same = called(json!([text("{\"m\": [2],\n\"n\": 1}")]), Some(value.clone()), false);
    assert_eq!(plain(&same), "{\"m\": [2],\n\"n\": 1}\n");
    let other = called(json!([text("one")]), Some(value), false);
    assert_eq!(plain(&other), format!("one\n== structured content\n{json}\n"));
}

#[test]
fn json_has_a_list_of_blocks_always() {
    let options = Options { json: true, ..Options::default() };
    for (called, expected) in [
        (called(json!([]), None, false), json!({"content": [], "is_error": false})),
        (called(json!([text("a")]), None, true), json!({"content": ["a"], "is_error": true})),
        (
            called(json!([text("a"), {"type": "new"}]), Some(Value::Null), false),
            json!({"content": ["a", {"type": "new"}], "structured": null, "is_error": false}),
        ),
    ] {
        let (out, _, _) = run(&called, &options);
        assert_eq!(serde_json::from_str::<Value>(&out).expect("JSON"), expected);
    }
}

#[test]
fn a_tool_that_failed_is_printed_and_ends_with_6() {
    let (out, err, code) = run(&called(json!([text("no")]), None, true), &Options::default());
    assert_eq!((out.as_str(), code), ("no\n", 6));
    assert_eq!(err, "vestibule: s: the tool says that it failed\n");
}

#[test]
fn what_disagrees_is_told_and_fails_a_strict_command() {
    let found = Disagreement { at: "/n".into(), what: "no number".into() };
    for (agreement, what) in [
        (Agreement::Missing, "sent none"),
        (Agreement::Disagrees(vec![found]), "  /n: no number\n"),
        (Agreement::Unknown("a bad type".into()), "  a bad type\n"),
    ] {
        let called = Called { agreement, ..called(json!([text("a")]), None, false) };
        let (out, err, code) = run(&called, &Options::default());
        assert_eq!((out.as_str(), code), ("a\n", 0));
        assert!(err.contains(what), "{err}");
        let strict = Options { strict: true, ..Options::default() };
        assert_eq!(run(&called, &strict), (out, err, 7));
    }
}

#[test]
fn an_empty_answer_has_a_note() {
    let (out, err, code) = run(&called(json!([]), None, false), &Options::default());
    assert_eq!((out.as_str(), code), ("", 0));
    assert!(err.contains("answered with nothing"), "{err}");
}
