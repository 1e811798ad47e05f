//! The era of 2026-07-28: servers ask inside their answers.

use super::{conversation::Server, requests_to_client};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// A state that only survives when it is carried as it is.
const STATE: &str = "\u{0}é \" {\"a\": 1}\u{2028}==";

/// Gives a list what its era asks for, or takes it away.
pub(crate) fn decorate_list(server: &Server, result: &mut Map<String, Value>) {
    if !server.modern() || server.is("modern_nometa") {
        return;
    }
    let ttl = if server.is("modern_cache") { 600_000 } else { 0 };
    result.insert("resultType".into(), json!("complete"));
    result.insert("ttlMs".into(), json!(ttl));
    result.insert("cacheScope".into(), json!("private"));
    if server.is("modern_list_input") {
        result.clear();
        result.insert("resultType".into(), json!("input_required"));
        result.insert("requestState".into(), json!("x"));
    }
    if server.is("modern_cache") {
        let asked = server.seen().pages.get("resources/list").copied().unwrap_or(0);
        if asked >= 3 {
            std::process::exit(0);
        }
        if result.contains_key("resources") {
            let item = json!({"uri": format!("mem://listed-{asked}"), "name": "n"});
            result.insert("resources".into(), json!([item]));
        }
    }
}

/// Where the id of a stream stands in what it brings.
const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

/// Opens a stream of news, or does not.
pub(crate) fn listen(server: &Server, id: &Value, params: &Value) {
    let wanted = params.get("notifications").and_then(Value::as_object);
    let only_changes = |wanted: &Map<String, Value>| {
        let known = ["resourcesListChanged", "promptsListChanged", "toolsListChanged"];
        wanted.iter().all(|(name, on)| known.contains(&name.as_str()) && *on == true)
    };
    if !wanted.is_some_and(only_changes) {
        server.violation(&format!("listening for something else: {params}"));
    }
    server.seen().streams.push(id.clone());
    match server.fault.as_str() {
        "modern_listen_noack" => return,
        "modern_listen_refused" => return server.error(id, -32601, "no such method"),
        _ => {}
    }
    let meta = json!({ SUBSCRIPTION: id });
    let agreed = json!({"notifications": wanted, "_meta": meta});
    server.notify("notifications/subscriptions/acknowledged", &agreed);
    if server.is("modern_listen_end") {
        server.result(id, json!({"resultType": "complete", "_meta": meta}));
    }
}

/// Says on the open stream, many times, that everything changed.
fn storm(server: &Server) {
    let stream = server.seen().streams.last().cloned().unwrap_or_default();
    for _ in 0..200 {
        for kind in ["resources", "tools", "prompts"] {
            let news = json!({"_meta": {SUBSCRIPTION: stream}});
            server.notify(&format!("notifications/{kind}/list_changed"), &news);
        }
    }
}

/// Answers a read in the modern way. Says whether it did.
pub(crate) fn read(server: &Server, id: &Value, uri: &str, params: &Value) -> bool {
    let state = params.get("requestState").and_then(Value::as_str);
    let answer = match server.fault.as_str() {
        "modern_loop" => json!({"resultType": "input_required", "requestState": "the same"}),
        "modern_changed" if uri == "mem://storm" => {
            storm(server);
            json!({"resultType": "complete", "contents": [{"uri": uri, "text": "hello"}]})
        }
        "modern_empty" => json!({"resultType": "input_required"}),
        "modern_badinput" => {
            let ask = json!({"s": {"method": "vendor/x", "params": {}}});
            json!({"resultType": "input_required", "inputRequests": ask, "requestState": "x"})
        }
        "modern_sample" => {
            let ask = json!({"method": "sampling/createMessage", "params": requests_to_client::sampling()});
            json!({"resultType": "input_required", "inputRequests": {"s": ask}})
        }
        "modern_push" => {
            let patience = Duration::from_millis(400);
            let params = requests_to_client::sampling();
            let got = server.ask_and_wait("sampling/createMessage", &params, patience);
            server.text(id, uri, &got);
            return true;
        }
        "modern_state" => {
            let round = state.and_then(|s| s.strip_prefix(STATE)).and_then(|n| n.parse().ok());
            match (state, round.unwrap_or(0_u32)) {
                (Some(_), 0) => {
                    json!({"contents": [{"uri": uri, "text": "the state came back changed"}]})
                }
                (_, 3) => json!({"contents": [{"uri": uri, "text": rounds(server)}]}),
                (_, n) => {
                    let next = format!("{STATE}{}", n + 1);
                    json!({"resultType": "input_required", "requestState": next})
                }
            }
        }
        _ => return false,
    };
    server.result(id, answer);
    true
}

/// Whether each round repeated the call and nothing of an earlier round.
fn rounds(server: &Server) -> String {
    let seen = server.seen();
    let same = seen.reads.iter().all(|read| {
        read.get("uri") == seen.reads.first().and_then(|first| first.get("uri"))
            && !read.contains_key("inputResponses")
    });
    format!("{} calls, {}", seen.reads.len(), if same { "all alike" } else { "not alike" })
}
