//! Calling tools.

use crate::{
    house::{House, Setup, Way, id},
    yes::Yes,
};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use vestibule::{
    config::Limits,
    domain::{CallState, Confirm, Content, Fault, FaultKind, Link, Model, Permissions},
    provider::ClosureProvider,
    registry::{Agreement, Called, Registry, ToolCall, Track},
    sampling::{SamplingPolicy, SamplingService},
};

const ERAS: [&str; 2] = ["legacy", "modern"];

pub(crate) fn script(era: &str, calls: Value) -> Value {
    let tool = |name: &String| json!({"name": name, "inputSchema": {"type": "object"}});
    let tools: Vec<Value> = calls.as_object().expect("calls").keys().map(tool).collect();
    // Over HTTP a modern server tells its news to who listens, and to nobody else.
    json!({"era": era, "resources": [], "subscriptions": [], "tools": tools, "calls": calls})
}

pub(crate) async fn call(
    registry: &Registry,
    name: &str,
    arguments: Value,
) -> Result<Called, Fault> {
    let Value::Object(arguments) = arguments else { panic!("no object: {arguments}") };
    registry.call_tool(ToolCall { name, arguments: &arguments, unchecked: false }, None).await
}

fn text(called: &Called) -> &str {
    match called.result.content.as_slice() {
        [Content::Text { text, .. }] => text.raw(),
        other => panic!("{other:?}"),
    }
}

/// A call that runs in a task of its own, and how it goes.
fn begun(
    house: &House,
    name: &'static str,
) -> (tokio::task::JoinHandle<Result<Called, Fault>>, tokio::sync::watch::Receiver<CallState>) {
    let track = Track::default();
    let told = track.subscribe();
    let registry = house.registry.tracked(track);
    (tokio::spawn(async move { call(&registry, name, json!({})).await }), told)
}

pub(crate) async fn progress_is_told_while_a_call_runs(way: Way) {
    for era in ERAS {
        let progress = json!([
            {"progress": 1, "total": 4, "message": "first\u{1b}[2J"},
            {"progress": 2.5, "total": 4},
        ]);
        let house = Setup::new(way)
            .server("one", script(era, json!({"t": {"hold": true, "progress": progress}})));
        let house = house.open();
        let (calling, mut told) = begun(&house, "t");
        let state = told.wait_for(|state| state.updates == 2).await.expect("told").clone();
        let progress = state.progress.expect("progress");
        assert_eq!((progress.done, progress.total, progress.message), (2.5, Some(4.0), None));
        calling.abort();
        assert!(calling.await.expect_err("stopped").is_cancelled());
        house.close().await;
    }
}

pub(crate) async fn progress_that_makes_no_sense_is_not_shown(way: Way) {
    let progress = json!([
        {"progress": 3, "total": 4, "message": "good"},
        {"progress": 2},
        {"progress": "4"},
        {"progressToken": "not ours", "progress": 9},
        {"progressToken": 999_999, "progress": 9},
    ]);
    let script = script("legacy", json!({"t": {"progress": progress}}));
    let house = Setup::new(way).server("one", script).open();
    house.registry.settled().await;
    let track = Track::default();
    let told = track.subscribe();
    call(&house.registry.tracked(track), "t", json!({})).await.expect("an answer");
    assert_eq!(told.borrow().updates, 1);
    let breaches = house.registry.stray(&id("one"));
    let of_progress = breaches.iter().filter(|line| line.raw().contains("progress was told"));
    assert_eq!(of_progress.count(), 4, "{breaches:?}");
    house.close().await;
}

pub(crate) async fn a_dropped_call_is_cancelled_and_its_late_answer_goes_nowhere(way: Way) {
    for era in ERAS {
        let progress = json!([{"progress": 1}]);
        let calls = json!({"slow": {"late": true, "progress": progress}, "quick": {}});
        let house = Setup::new(way).server("one", script(era, calls)).open();
        house.registry.settled().await;
        let (calling, mut told) = begun(&house, "slow");
        told.wait_for(|state| state.updates == 1).await.expect("it runs");
        calling.abort();
        // The server lists what it was told of; nothing else says that it has arrived.
        house.until_server("one", |server| !server.lists.resources.items.is_empty()).await;
        let sent = house.received("one", "tools/call").await;
        let cancelled = house.received("one", "notifications/cancelled").await;
        assert_eq!(cancelled.len(), 1);
        assert_eq!(cancelled[0]["params"]["requestId"], sent[0]["id"]);
        let quick = call(&house.registry, "quick", json!({})).await.expect("an answer of its own");
        assert_eq!(quick.result.content, []);
        if way != Way::Http {
            let breaches = house.registry.stray(&id("one"));
            assert!(breaches.iter().any(|line| line.raw().contains("late answer")), "{breaches:?}");
        }
        house.close().await;
    }
}

pub(crate) async fn an_answer_that_comes_twice_counts_once(way: Way) {
    let first = json!({"content": [{"type": "text", "text": "first"}]});
    let calls = json!({"t": {"twice": true, "result": first}, "next": {}});
    let house = Setup::new(way).server("one", script("legacy", calls)).open();
    let called = call(&house.registry, "t", json!({})).await.expect("an answer");
    assert_eq!(text(&called), "first");
    let next = call(&house.registry, "next", json!({})).await.expect("an answer");
    assert_eq!(next.result.content, [], "the second answer is nobody's");
    house.close().await;
}

pub(crate) async fn a_server_that_dies_in_a_call_ends_it_at_once(way: Way) {
    for era in ERAS {
        let mut script = script(era, json!({"t": {"die": true}}));
        script["last_words"] = json!({"code": 3, "stderr": "boom\n"});
        let house = Setup::new(way).server("one", script).open();
        house.registry.settled().await;
        let fault = call(&house.registry, "t", json!({})).await.expect_err("it died");
        assert!(fault.kind.is_connection(), "{fault:?}");
        if way == Way::Stdio {
            let why = format!("{fault:?}");
            assert!(why.contains("boom") && why.contains('3'), "{why}");
        }
        // It is not called again by itself; a restart is a fresh one.
        if way != Way::Http {
            house.until_server("one", |s| matches!(s.link, Link::Down { .. })).await;
        }
        house.registry.restart(&id("one"));
        house.until_server("one", |s| s.connects == 2 && s.is_settled()).await;
        assert!(house.received("one", "tools/call").await.is_empty());
        house.close().await;
    }
}

pub(crate) async fn calls_run_side_by_side(way: Way) {
    let result = json!({"content": [{"type": "text", "text": "quick"}]});
    let progress = json!([{"progress": 1}]);
    let calls = json!({"slow": {"hold": true, "progress": progress}, "quick": {"result": result}});
    let house = Setup::new(way).server("one", script("legacy", calls)).open();
    let (one, mut first) = begun(&house, "slow");
    let (two, mut second) = begun(&house, "slow");
    first.wait_for(|state| state.updates == 1).await.expect("it runs");
    second.wait_for(|state| state.updates == 1).await.expect("it runs");
    let quick = call(&house.registry, "quick", json!({})).await.expect("an answer");
    assert_eq!(text(&quick), "quick");
    assert!(!one.is_finished() && !two.is_finished());
    one.abort();
    two.abort();
    let (one, two) = (one.await, two.await);
    assert!(one.is_err() && two.is_err());
    house.close().await;
}

pub(crate) async fn a_question_within_a_call_is_answered_while_it_runs(way: Way) {
    for apart in [false, true] {
        // The model answers only once the call is known to wait for that.
        let (say, heard) = tokio::sync::watch::channel(false);
        let provider = ClosureProvider::new(move |_, _| {
            let mut heard = heard.clone();
            async move {
                heard.wait_for(|said| *said).await.expect("said");
                Ok("forty-two".to_owned())
            }
        });
        let model = Model { name: "closure".into(), endpoint: "this test".into() };
        let policy = SamplingPolicy::default();
        let service =
            SamplingService::new(Arc::new(Yes::default()), Arc::new(provider), model, policy);
        let message = json!({"role": "user", "content": {"type": "text", "text": "?"}});
        let ask = json!({"messages": [message], "maxTokens": 10});
        let mut script = script("legacy", json!({"t": {"ask": ask}}));
        script["asks_apart"] = apart.into();
        let house = Setup::new(way).server("one", script).sampling("one", service).open();
        let (calling, mut told) = begun(&house, "t");
        told.wait_for(|state| state.is_asking).await.expect("it waits for a person");
        assert!(!calling.is_finished());
        say.send_replace(true);
        let called = calling.await.expect("joined").expect("an answer");
        assert_eq!(text(&called), "forty-two");
        assert!(!told.borrow().is_asking);
        house.close().await;
    }
}

pub(crate) async fn equal_names_of_two_servers_stay_two_tools(way: Way) {
    let server = |answer: &str, property: &str| {
        let result = json!({"content": [{"type": "text", "text": answer}]});
        let mut script = script("legacy", json!({"search": {"result": result}}));
        script["tools"][0]["inputSchema"]["properties"] = json!({property: {"type": "string"}});
        script
    };
    let house = Setup::new(way).server("a", server("of a", "x")).server("b", server("of b", "y"));
    let house = house.open();
    let tools = house.registry.list_tools().await;
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.raw()).collect();
    assert_eq!(names, ["a.search", "b.search"]);
    assert_ne!(tools[0].input_schema, tools[1].input_schema);
    let fault = call(&house.registry, "search", json!({})).await.expect_err("which one?");
    assert_eq!(fault.kind, FaultKind::Ambiguous);
    for (name, answer) in [("a.search", "of a"), ("b.search", "of b")] {
        let called = call(&house.registry, name, json!({})).await.expect("an answer");
        assert_eq!((text(&called), called.name.raw()), (answer, "search"));
    }
    for server in ["a", "b"] {
        let sent = house.received(server, "tools/call").await;
        assert_eq!((sent.len(), &sent[0]["params"]["name"]), (1, &json!("search")));
    }
    house.close().await;
}

pub(crate) async fn arguments_are_held_against_the_schema_before_anything_is_sent(way: Way) {
    let mut script = script("modern", json!({"t": {}, "broken": {}}));
    script["tools"][0]["inputSchema"] = json!({
        "type": "object",
        "properties": {"n": {"type": "integer", "minimum": 1}, "s": {"type": ["string", "null"]}},
        "required": ["n"], "additionalProperties": false,
    });
    // Nothing can be held against it; and what it names is not fetched.
    script["tools"][1]["inputSchema"] = json!({"$ref": "http://127.0.0.1:1/schema.json"});
    let house = Setup::new(way).server("one", script).open();
    for bad in [json!({}), json!({"n": "1"}), json!({"n": 0}), json!({"n": 1, "x": 2})] {
        let fault = call(&house.registry, "t", bad.clone()).await.expect_err("refused");
        assert_eq!(fault.kind, FaultKind::Validation, "{bad}");
        assert!(!fault.cause.is_empty() && fault.hint.is_some(), "{fault:?}");
    }
    assert!(house.received("one", "tools/call").await.is_empty());
    for good in [json!({"n": 1}), json!({"n": 2, "s": null}), json!({"n": 3, "s": ""})] {
        call(&house.registry, "t", good.clone()).await.expect("an answer");
        let sent = house.received("one", "tools/call").await;
        assert_eq!(sent.last().expect("sent")["params"]["arguments"], good);
    }
    let Value::Object(wrong) = json!({"n": "wrong"}) else { panic!() };
    let unchecked = ToolCall { name: "t", arguments: &wrong, unchecked: true };
    house.registry.call_tool(unchecked, None).await.expect("sent all the same");
    call(&house.registry, "broken", json!({"any": 1})).await.expect("sent");
    assert_eq!(house.received("one", "tools/call").await.len(), 5);
    house.close().await;
}

pub(crate) async fn structured_content_is_held_against_its_schema(way: Way) {
    let sum =
        json!({"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]});
    let answer =
        |structured: Value| json!({"result": {"content": [], "structuredContent": structured}});
    let failed = json!({"result": {"content": [], "isError": true}});
    let calls = json!({
        "agrees": answer(json!({"sum": 1})), "disagrees": answer(json!({"sum": "1"})),
        "missing": {}, "failed": failed,
    });
    let mut script = script("legacy", calls);
    for tool in script["tools"].as_array_mut().expect("tools") {
        tool["outputSchema"] = sum.clone();
    }
    let house = Setup::new(way).server("one", script).open();
    let agreement = async |name: &str| {
        call(&house.registry, name, json!({})).await.expect("an answer").agreement
    };
    assert_eq!(agreement("agrees").await, Agreement::Agrees);
    assert_eq!(agreement("missing").await, Agreement::Missing);
    assert_eq!(agreement("failed").await, Agreement::NotPromised);
    let Agreement::Disagrees(found) = agreement("disagrees").await else { panic!("it disagrees") };
    assert_eq!(found.iter().map(|d| d.at.raw()).collect::<Vec<_>>(), ["/sum"]);
    house.close().await;
}

pub(crate) async fn every_answer_is_read_or_refused_by_name(way: Way) {
    let text = json!({"type": "text", "text": "x"});
    for (result, expected) in [
        (json!({"content": [text, {"type": "hologram"}, 7]}), Ok(3)),
        (json!({"structuredContent": [1, 2]}), Ok(0)),
        (json!({"content": [], "isError": true, "_meta": {"a": 1}}), Ok(0)),
        (json!({"content": {"type": "text", "text": "x"}}), Err("list of blocks")),
        (json!({"content": "x"}), Err("list of blocks")),
        (json!({}), Err("list of blocks")),
    ] {
        let house = Setup::new(way)
            .server("one", script("legacy", json!({"t": {"result": result}})))
            .open();
        match (call(&house.registry, "t", json!({})).await, expected) {
            (Ok(called), Ok(blocks)) => {
                assert_eq!(called.result.content.len(), blocks);
                assert_eq!(called.result.to_value()["_meta"], result["_meta"]);
            }
            (Err(fault), Err(part)) => {
                assert_eq!(fault.kind, FaultKind::Protocol);
                assert!(fault.what.contains(part), "{fault}");
            }
            (other, _) => panic!("{result}: {other:?}"),
        }
        house.close().await;
    }
}

pub(crate) async fn what_the_session_may_not_call_looks_unknown(way: Way) {
    let permissions = Permissions {
        tools: Some(vec!["*".into(), "!secret".into()]),
        confirm: Confirm { tools: Some(vec!["asked".into()]), ..Confirm::default() },
        ..Permissions::default()
    };
    let script = script("legacy", json!({"free": {}, "secret": {}, "asked": {}}));
    let house =
        Setup::new(way).adjusted("one", script, |spec| spec.permissions(permissions)).open();
    let secret = call(&house.registry, "secret", json!({})).await.expect_err("forbidden");
    let unknown = call(&house.registry, "no-such", json!({})).await.expect_err("unknown");
    assert_eq!((secret.kind, unknown.kind), (FaultKind::NotFound, FaultKind::NotFound));
    assert_eq!(secret.what.replace("secret", "no-such"), unknown.what);
    let asked = call(&house.registry, "asked", json!({})).await.expect_err("a yes is wanted");
    assert_eq!(asked.kind, FaultKind::Declined);
    assert!(house.received("one", "tools/call").await.is_empty());
    call(&house.registry.confirmed(), "asked", json!({})).await.expect("a yes was given");
    call(&house.registry, "free", json!({})).await.expect("no yes is wanted");
    house.close().await;
}

pub(crate) async fn slow_calls_live_on_their_progress(way: Way) {
    let limits = Limits {
        request: Duration::from_secs(1),
        call: Duration::from_millis(1),
        ..Limits::default()
    };
    let progress = json!([{"progress": 1}]);
    let calls = json!({"t": {"hold": true, "progress": progress}});
    let house = Setup::new(way).limits(limits).server("one", script("legacy", calls)).open();
    house.registry.settled().await;
    let fault = call(&house.registry, "t", json!({})).await.expect_err("too slow");
    assert_eq!(fault.kind, FaultKind::Timeout);
    assert!(fault.hint.is_some_and(|hint| hint.contains("limits.call_seconds")));
    house.close().await;
}

pub(crate) async fn marked_arguments_go_into_headers_and_wrong_marks_hide_a_tool() {
    for (era, is_mirrored) in [("modern", true), ("legacy", false)] {
        let mut script = script(era, json!({"good": {}, "wrong": {}}));
        script["tools"][0]["inputSchema"]["properties"] = json!({
            "region": {"type": "string", "x-mcp-header": "Region"},
            "text": {"type": "string", "x-mcp-header": "Text"},
            "n": {"type": "integer", "x-mcp-header": "N"},
        });
        script["tools"][1]["inputSchema"]["properties"] =
            json!({"a": {"type": "number", "x-mcp-header": "A"}});
        let house = Setup::new(Way::Http).server("one", script).open();
        let view = house.registry.settled().await;
        let tools = &view.server(&id("one")).expect("a server").lists.tools;
        let arguments = json!({"region": "us-west1", "text": " größe\n", "n": null});
        let Value::Object(arguments) = arguments else { panic!() };
        let call = ToolCall { name: "good", arguments: &arguments, unchecked: true };
        house.registry.call_tool(call, None).await.expect("an answer");
        let pair = |name: &str, value: &str| (format!("mcp-param-{name}"), value.to_owned());
        if is_mirrored {
            let text = "=?base64?IGdyw7bDn2UK?=";
            assert_eq!(house.mirrored(), [pair("region", "us-west1"), pair("text", text)]);
            assert_eq!((tools.items.len(), tools.malformed.len()), (1, 1));
            let wrong = &tools.malformed[0];
            assert_eq!(wrong.label.as_ref().map(|label| label.raw()), Some("wrong"));
            assert!(wrong.why.contains("x-mcp-header"), "{}", wrong.why);
        } else {
            assert_eq!((house.mirrored(), tools.items.len()), (Vec::new(), 2));
        }
        house.close().await;
    }
}
