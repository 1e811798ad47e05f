//! What a server asks for inside its answers, and the same by request in the older era.

use crate::house::{House, Setup, Way};
use serde_json::{Map, Value, json};
use vestibule::{
    config::Limits,
    domain::{Fault, FaultKind, Root, ServerSpec},
    registry::{Registry, ToolCall, Track},
};

/// The three calls within which a server may ask.
const CALLS: [&str; 3] = ["resources/read", "prompts/get", "tools/call"];

/// Where the servers of these tests may work.
fn rooted(spec: ServerSpec) -> ServerSpec {
    let root = |uri: &str, name: Option<&str>| Root { uri: uri.into(), name: name.map(Into::into) };
    spec.roots([root("file:///tmp/a%20b", Some("A b")), root("file:///srv", None)])
}

fn roots() -> Value {
    json!({"roots": [{"uri": "file:///tmp/a%20b", "name": "A b"}, {"uri": "file:///srv"}]})
}

fn script(rounds: Value) -> Value {
    json!({
        "era": "modern",
        "resources": [{"uri": "c:1", "name": "one"}],
        "contents": {"c:1": [{"uri": "c:1", "text": "one"}]},
        "prompts": [{"name": "ask"}],
        "tools": [{"name": "do", "inputSchema": {"type": "object"}}],
        "rounds": rounds,
    })
}

async fn call(registry: &Registry, method: &str) -> Result<(), Fault> {
    match method {
        "resources/read" => registry.read_resource("c:1", None).await.map(drop),
        "prompts/get" => registry.get_prompt("ask", &[], None).await.map(drop),
        _ => {
            let arguments = Map::new();
            let call = ToolCall { name: "do", arguments: &arguments, unchecked: false };
            registry.call_tool(call, None).await.map(drop)
        }
    }
}

/// What the server received of one method, without the looks into its record.
async fn received(house: &House, method: &str) -> Vec<Value> {
    let mut all = house.received("one", method).await;
    all.retain(|message| message["params"]["uri"] != "plain:log");
    all
}

fn asks(asks: Value, state: Option<&str>) -> Value {
    let mut result = json!({"resultType": "input_required", "inputRequests": asks});
    if let Some(state) = state {
        result["requestState"] = state.into();
    }
    result
}

pub(crate) async fn every_round_is_answered_as_it_was_asked(way: Way) {
    const STATE: &str = "\0é {\"a\": 1}== \u{202e}";
    let roots_ask = json!({"method": "roots/list"});
    let with_params = json!({"method": "roots/list", "params": {}});
    for method in CALLS {
        let rounds = json!([
            asks(json!({"first": roots_ask, "": with_params}), Some(STATE)),
            {"resultType": "input_required", "requestState": ""},
            asks(json!({"again": roots_ask}), None),
        ]);
        let house = Setup::new(way).adjusted("one", script(rounds), rooted).open();
        let track = Track::default();
        let told = track.subscribe();
        call(&house.registry.tracked(track), method).await.expect("an answer");
        assert_eq!((told.borrow().round, told.borrow().is_asking), (3, false));

        let sent = received(&house, method).await;
        let mut ids: Vec<String> = sent.iter().map(|message| message["id"].to_string()).collect();
        ids.dedup();
        assert_eq!(ids.len(), 4, "each round has an id of its own");
        let part = |n: usize, key: &str| sent[n]["params"].get(key).cloned();
        let (answers, state) = ("inputResponses", "requestState");
        assert_eq!((part(0, answers), part(0, state)), (None, None));
        let both = json!({"first": roots(), "": roots()});
        assert_eq!((part(1, answers), part(1, state)), (Some(both), Some(STATE.into())));
        assert_eq!((part(2, answers), part(2, state)), (None, Some("".into())));
        let again = json!({"again": roots()});
        assert_eq!((part(3, answers), part(3, state)), (Some(again), None));
        house.close().await;
    }
}

pub(crate) async fn a_server_that_asks_without_end_is_given_up(way: Way) {
    for endless in [
        json!({"resultType": "input_required", "requestState": "the same"}),
        asks(json!({"r": {"method": "roots/list"}}), None),
    ] {
        let limits = Limits { rounds: 3, ..Limits::default() };
        let setup = Setup::new(way).limits(limits);
        let house = setup.adjusted("one", script(json!(["again", endless])), rooted).open();
        let fault = call(&house.registry, "tools/call").await.expect_err("given up");
        assert_eq!(fault.kind, FaultKind::Limit);
        assert!(fault.what.contains("3 rounds"), "{fault}");
        assert!(fault.hint.is_some_and(|hint| hint.contains("limits.rounds")));
        assert_eq!(received(&house, "tools/call").await.len(), 4);
        house.close().await;
    }
}

pub(crate) async fn what_was_never_offered_ends_the_call_by_name(way: Way) {
    let elicit = json!({"method": "elicitation/create", "params": {"message": "?"}});
    let sample = json!({"method": "sampling/createMessage",
                        "params": {"messages": [], "maxTokens": 1}});
    let roots_ask = json!({"method": "roots/list"});
    for (asked, named, has_roots) in [
        (json!({"a": roots_ask, "b": elicit}), "elicitation/create", true),
        (json!({"a": sample}), "sampling/createMessage", true),
        (json!({"a": roots_ask}), "roots/list", false),
        (json!({"a": {"method": "no/such\u{1b}[2J"}}), "no/such", true),
        (json!({"a": {}}), "", true),
        (json!({"a": 7}), "", true),
    ] {
        // The three calls go the same way; one ask is enough to show that of each.
        let mixed = asked.get("b").is_some();
        for method in CALLS.into_iter().filter(|method| mixed || *method == "tools/call") {
            let script = script(json!([asks(asked.clone(), Some("x"))]));
            let adjust = |spec| if has_roots { rooted(spec) } else { spec };
            let house = Setup::new(way).adjusted("one", script, adjust).open();
            let fault = call(&house.registry, method).await.expect_err("ended");
            assert_eq!(fault.kind, FaultKind::Protocol);
            assert!(fault.what.contains("never offered"), "{fault}");
            assert!(fault.cause.iter().any(|cause| cause.raw().contains(named)), "{fault:?}");
            assert_eq!(fault.who.as_ref().map(|who| who.as_str()), Some("one"));
            assert_eq!(received(&house, method).await.len(), 1, "nothing follows it");
            house.close().await;
        }
    }
}

pub(crate) async fn a_round_that_makes_no_sense_is_the_servers_fault(way: Way) {
    for bad in [
        json!({"resultType": "input_required"}),
        json!({"resultType": "input_required", "inputRequests": {}}),
        json!({"resultType": "input_required", "inputRequests": ["x"], "requestState": "x"}),
        json!({"resultType": "input_required", "requestState": {"not": "text"}}),
        json!({"resultType": "later", "content": []}),
        json!({"resultType": 7, "content": []}),
    ] {
        let house = Setup::new(way).adjusted("one", script(json!([bad])), rooted).open();
        let fault = call(&house.registry, "tools/call").await.expect_err("a fault");
        assert_eq!(fault.kind, FaultKind::Protocol, "{fault}");
        assert!(fault.what.contains("tool do"), "{fault}");
        assert_eq!(received(&house, "tools/call").await.len(), 1);
        // It concerns that call alone.
        call(&house.registry, "tools/call").await.expect("the next one");
        house.close().await;
    }
}

pub(crate) async fn an_answer_says_what_it_is_or_nothing(way: Way) {
    let text = json!([{"type": "text", "text": "{\"resultType\":\"input_required\"}"}]);
    for whole in [
        json!({"content": text}),
        json!({"content": text, "resultType": null}),
        json!({"content": [], "resultType": "complete",
               "structuredContent": {"resultType": "input_required"}}),
    ] {
        let house = Setup::new(way).server("one", script(json!([whole]))).open();
        call(&house.registry, "tools/call").await.expect("an answer");
        assert_eq!(received(&house, "tools/call").await.len(), 1);
        house.close().await;
    }
}

pub(crate) async fn an_older_server_asks_for_roots_by_request(way: Way) {
    let ask = json!({"jsonrpc": "2.0", "id": "r", "method": "roots/list"});
    let script = json!({"resources": [], "asks": [ask]});
    let house = Setup::new(way).adjusted("one", script, rooted).open();
    house.registry.settled().await;
    let answer = loop {
        // Each look sends a message, so that what was sent before it has arrived by then.
        let log = house.text("plain:log", Some("one")).await;
        let log: Vec<Value> = serde_json::from_str(&log).expect("JSON");
        if let Some(answer) = log.iter().find(|m| m["id"] == "r") {
            break answer.clone();
        }
    };
    assert_eq!(answer["result"], roots());
    let opening = &house.received("one", "initialize").await[0];
    assert_eq!(opening["params"]["capabilities"], json!({"roots": {}}));
    house.close().await;
}
