//! Tools of real servers, called with what a person would write into their forms.

use crate::{
    asking::open_all_yes,
    installed::{close, id, program, spec},
};
use serde_json::{Map, Value, json};
use std::time::Duration;
use vestibule::{
    domain::{Content, EraChoice, FaultKind, Root, ServerSpec, Tool},
    registry::{Agreement, Called, Registry, ToolCall, Track},
    schema::{Field, FieldKind, fields},
};

/// What a person writes into a field of a tool, where any value would do but the server is slow
/// or reaches outside.
fn written(tool: &str, field: &Field) -> Option<&'static str> {
    match (tool, field.name.raw()) {
        ("trigger-long-running-operation", "duration") => Some("0.2"),
        ("trigger-long-running-operation", "steps") => Some("2"),
        ("gzip-file-as-resource", "data") => Some("data:text/plain,hello"),
        _ => None,
    }
}

/// A text that can stand in a field.
fn any_text(field: &Field) -> String {
    match &field.kind {
        FieldKind::Choice(choices) => {
            choices.first().map(|choice| field.write(&choice.value)).unwrap_or_default()
        }
        FieldKind::Boolean => "true".into(),
        FieldKind::Integer | FieldKind::Number => "2".into(),
        FieldKind::Text => "größe \"x\"\n\u{202e}".into(),
        FieldKind::Json(_) => "{}".into(),
    }
}

/// What the form of a tool sends when every field is filled in.
fn filled(tool: &Tool) -> Map<String, Value> {
    let value = |field: Field| {
        let text = match (written(tool.name.raw(), &field), &field.default) {
            (Some(text), _) => text.to_owned(),
            (None, Some(default)) => field.write(default),
            (None, None) => any_text(&field),
        };
        let value = field.read(&text).unwrap_or_else(|why| panic!("{field:?}: {why:?}"));
        (field.name.raw().to_owned(), value)
    };
    fields(&tool.input_schema).into_iter().map(value).collect()
}

async fn call(registry: &Registry, name: &str, arguments: Value) -> Called {
    let Value::Object(arguments) = arguments else { panic!("no object: {arguments}") };
    let call = ToolCall { name, arguments: &arguments, unchecked: false };
    registry.call_tool(call, None).await.unwrap_or_else(|fault| panic!("{name}: {fault:?}"))
}

fn texts(called: &Called) -> Vec<&str> {
    let blocks = called.result.content.iter();
    blocks
        .filter_map(|block| match block {
            Content::Text { text, .. } => Some(text.raw()),
            _ => None,
        })
        .collect()
}

fn rooted(spec: ServerSpec) -> ServerSpec {
    spec.roots([Root { uri: "file:///tmp/a%20b".into(), name: Some("A b".into()) }])
}

#[tokio::test]
async fn every_tool_of_the_test_server_answers_what_its_form_sends() {
    let spec = rooted(spec("everything", EraChoice::Auto));
    let registry = Registry::open(vec![spec]).expect("one server");
    let view = registry.settled().await;
    let tools: Vec<Tool> = view.catalogue.tools.iter().map(|row| Tool::clone(&row.item)).collect();
    assert!(tools.len() >= 13, "{}", tools.len());
    for tool in &tools {
        let arguments = filled(tool);
        let name = tool.name.raw();
        let asked = ToolCall { name, arguments: &arguments, unchecked: false };
        match registry.call_tool(asked, None).await {
            Ok(called) => {
                assert!(!called.result.is_error, "{name}: {:?}", called.result);
                assert!(called.disagreements().is_empty(), "{name}: {:?}", called.disagreements());
                assert!(!called.result.content.is_empty(), "{name}");
                let unknown = |block: &Content| matches!(block, Content::Unsupported { .. });
                assert!(!called.result.content.iter().any(unknown), "{name}");
            }
            Err(fault) => {
                assert!(tool.needs_task, "{name}: {fault:?}");
                assert_eq!(fault.kind, FaultKind::Validation);
            }
        }
    }
    close(registry).await;
}

#[tokio::test]
async fn what_is_sent_arrives_and_what_comes_back_is_whole() {
    let registry = Registry::open(vec![rooted(spec("everything", EraChoice::Auto))]).expect("one");
    let text = "größe 漢字 \u{202e}\u{1b}[2J\n\"quoted\"";
    let echo = call(&registry, "echo", json!({"message": text})).await;
    assert_eq!(texts(&echo), [format!("Echo: {text}")]);
    let sum = call(&registry, "everything.get-sum", json!({"a": 0.5, "b": 2})).await;
    assert!(texts(&sum)[0].contains("2.5"));
    let image = call(&registry, "get-tiny-image", json!({})).await;
    assert!(image.result.content.iter().any(|block| matches!(block, Content::Image { .. })));
    let weather = call(&registry, "get-structured-content", json!({"location": "Chicago"})).await;
    assert!(weather.result.structured.is_some() && weather.agreement == Agreement::Agrees);
    let roots = call(&registry, "get-roots-list", json!({})).await;
    assert!(texts(&roots).concat().contains("file:///tmp/a%20b"), "{roots:?}");
    // A link of a result can be read at the server that gave it.
    let links = call(&registry, "get-resource-links", json!({"count": 2})).await;
    let uris: Vec<&str> = links
        .result
        .content
        .iter()
        .filter_map(|block| match block {
            Content::Link { uri, .. } => Some(uri.raw()),
            _ => None,
        })
        .collect();
    assert_eq!(uris.len(), 2);
    for uri in uris {
        registry.read_resource(uri, Some("everything")).await.expect("a reading");
    }
    close(registry).await;
}

#[tokio::test]
async fn progress_is_told_and_a_dropped_call_is_cancelled() {
    let registry = Registry::open(vec![spec("everything", EraChoice::Auto)]).expect("one server");
    registry.settled().await;
    let name = "trigger-long-running-operation";
    let track = Track::default();
    let mut told = track.subscribe();
    let tracked = registry.tracked(track);
    let Value::Object(arguments) = json!({"duration": 30, "steps": 100}) else { panic!() };
    let asked = ToolCall { name, arguments: &arguments, unchecked: false };
    {
        let mut calling = Box::pin(tracked.call_tool(asked, None));
        let second = told.wait_for(|state| state.updates >= 2);
        tokio::select! {
            called = &mut calling => panic!("not so soon: {called:?}"),
            state = second => {
                let progress = state.expect("it is told").progress.clone().expect("progress");
                assert_eq!(progress.total, Some(100.0));
            }
        }
    }
    // The next call is answered at once.
    let echo = call(&registry, "echo", json!({"message": "x"})).await;
    assert_eq!(texts(&echo), ["Echo: x"]);
    assert!(echo.took < Duration::from_secs(10));
    let sent = registry.traffic(&id("everything"));
    let cancelled = |entry: &&vestibule::registry::TrafficEntry| {
        String::from_utf8_lossy(&entry.bytes).contains("notifications/cancelled")
    };
    assert_eq!(sent.iter().filter(cancelled).count(), 1);
    close(registry).await;
}

#[tokio::test]
async fn the_python_sdk_asks_within_a_call_in_both_eras() {
    for era in [EraChoice::Auto, EraChoice::Legacy] {
        let registry = open_all_yes(rooted(spec("python", era)));
        for (tool, expected) in [("ask_model", "forty-two"), ("ask_roots", "file:///tmp/a%20b")] {
            let called = call(&registry, tool, json!({})).await;
            assert!(texts(&called).concat().contains(expected), "{era:?} {called:?}");
        }
        let added = call(&registry, "add", json!({"a": 2, "b": 40})).await;
        assert_eq!(added.result.structured, Some(json!({"sum": 42})));
        assert_eq!(added.agreement, Agreement::Agrees);
        let wrong = call(&registry, "lie", json!({})).await;
        assert_eq!(wrong.disagreements().len(), 1, "{wrong:?}");
        let failed = call(&registry, "fail", json!({})).await;
        assert!(failed.result.is_error);
        let track = Track::default();
        let told = track.subscribe();
        let tracked = registry.tracked(track);
        call(&tracked, "count", json!({"to": 3})).await;
        assert_eq!(told.borrow().updates, 3, "{era:?}");
        close(registry).await;
    }
}

#[test]
fn the_program_calls_a_tool_and_fails_with_it() {
    let (value, _, code) = program(&["call", "get-sum", "a=1", "b=41"], "everything");
    assert_eq!(code, Some(0));
    assert!(value["content"][0].to_string().contains("42"), "{value}");
    let (_, err, code) = program(&["call", "get-sum", "a=x", "b=1"], "everything");
    assert_eq!(code, Some(7), "{err}");
    let (value, _, code) = program(&["call", "fail"], "python");
    assert_eq!((value["is_error"].clone(), code), (json!(true), Some(6)));
    let (_, _, code) = program(&["call", "no-such-tool"], "everything");
    assert_eq!(code, Some(5));
}
