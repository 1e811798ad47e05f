//! Looks at what the client sends, and counts it.

use super::{conversation::Server, lifecycle};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashSet};

/// What was seen of the client.
#[derive(Default)]
pub(crate) struct Seen {
    ids: HashSet<i64>,
    openings: HashSet<i64>,
    initialized: bool,
    counts: BTreeMap<String, usize>,
    /// Capabilities that the client declared, as last seen.
    declared: Value,
    /// Pages of lists that were asked for, by method.
    pub(crate) pages: BTreeMap<String, usize>,
    /// Params of reads, in order.
    pub(crate) reads: Vec<Map<String, Value>>,
    /// Ids of streams of news that were asked for, in order.
    pub(crate) streams: Vec<Value>,
    /// The modern era was opened.
    pub(crate) discovered: bool,
    /// Whether a first message was written already.
    pub(crate) wrote: bool,
}

const META: &str = "io.modelcontextprotocol/";
const LISTS: [&str; 4] =
    ["resources/list", "resources/templates/list", "prompts/list", "tools/list"];

/// Checks one message.
pub(crate) fn incoming(server: &Server, message: &Value) {
    if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        server.violation("a message without \"jsonrpc\":\"2.0\"");
    }
    let method = message.get("method").and_then(Value::as_str);
    match (method, message.get("id")) {
        (None, _) => answer(server, message),
        (Some(method), None) => notification(server, method, message),
        (Some(method), Some(id)) => request(server, method, id, message),
    }
}

fn answer(server: &Server, message: &Value) {
    if message.get("result").is_some() == message.get("error").is_some() {
        server.violation("an answer that has not exactly one of result and error");
    }
    if message.get("id").is_none_or(Value::is_null) {
        server.violation("an answer without an id");
    }
    if server.seen().discovered {
        server.violation("an answer in an era in which servers ask nothing");
    }
}

fn notification(server: &Server, method: &str, message: &Value) {
    let params = message.get("params");
    let mut seen = server.seen();
    *seen.counts.entry(method.to_owned()).or_default() += 1;
    let wrong = match method {
        "notifications/initialized" => {
            let twice = std::mem::replace(&mut seen.initialized, true);
            (twice || seen.openings.is_empty()).then_some("initialized twice, or unasked")
        }
        "notifications/cancelled" => {
            match params.and_then(|p| p.get("requestId")).and_then(Value::as_i64) {
                Some(id) if seen.openings.contains(&id) => Some("initialize was cancelled"),
                Some(id) if seen.ids.contains(&id) => None,
                Some(_) | None => Some("the cancellation of a request that was never made"),
            }
        }
        _ => Some("an unknown notification"),
    };
    drop(seen);
    if let Some(wrong) = wrong {
        server.violation(&format!("{wrong}: {message}"));
    }
}

fn request(server: &Server, method: &str, id: &Value, message: &Value) {
    let params = message.get("params");
    if params.is_some_and(|params| !params.is_object()) {
        server.violation(&format!("{method} with params that are no object"));
    }
    let mut wrong = Vec::new();
    let mut seen = server.seen();
    *seen.counts.entry(method.to_owned()).or_default() += 1;
    // Two tasks may take ids in one order and send in the other, so only doubles are wrong.
    match id.as_i64() {
        Some(id) if seen.ids.insert(id) => {
            if method == "initialize" {
                seen.openings.insert(id);
            }
        }
        Some(_) | None => wrong.push("an id that is no number, or was used before"),
    }
    let meta = params.and_then(|p| p.get("_meta"));
    let of_meta = |key: &str| meta.and_then(|m| m.get(format!("{META}{key}"))).cloned();
    match method {
        "initialize" => {
            seen.declared = params.and_then(|p| p.get("capabilities")).cloned().unwrap_or_default();
        }
        "server/discover" => {}
        _ if seen.discovered => {
            if of_meta("protocolVersion").as_ref().and_then(Value::as_str) != Some("2026-07-28") {
                wrong.push("a request that does not say its protocol version");
            }
            match of_meta("clientCapabilities") {
                Some(declared) => seen.declared = declared,
                None => wrong.push("a request that does not say the client's capabilities"),
            }
            if of_meta("clientInfo").is_none() {
                wrong.push("a request that does not say who the client is");
            }
        }
        "ping" => {}
        _ if !seen.initialized => wrong.push("a request before the handshake was over"),
        _ => {}
    }
    for never in ["sampling", "elicitation", "roots"] {
        if seen.declared.get(never).is_some() {
            wrong.push("a capability was declared that nobody attached");
        }
    }
    if LISTS.contains(&method) {
        *seen.pages.entry(method.to_owned()).or_default() += 1;
        if params.and_then(|p| p.get("cursor")).is_some_and(|cursor| !cursor.is_string()) {
            wrong.push("a cursor that is no string");
        }
    }
    if method == "resources/read"
        && let Some(Value::Object(params)) = params
    {
        seen.reads.push(params.clone());
    }
    drop(seen);
    if !allowed(server, method) {
        wrong.push("something that was not offered");
    }
    for wrong in wrong {
        server.violation(&format!("{wrong}: {message}"));
    }
}

fn allowed(server: &Server, method: &str) -> bool {
    match method {
        "initialize" | "server/discover" | "ping" => true,
        "resources/read" => offers(server, "resources"),
        "subscriptions/listen" => server.modern() && offers(server, "resources"),
        "prompts/get" => offers(server, "prompts"),
        "tools/call" => offers(server, "tools"),
        _ if LISTS.contains(&method) => {
            method.split_once('/').is_some_and(|(kind, _)| offers(server, kind))
        }
        _ => false,
    }
}

fn offers(server: &Server, kind: &str) -> bool {
    lifecycle::capabilities(server).get(kind).is_some_and(Value::is_object)
}

/// What was seen, for a person and for a trial.
pub(crate) fn report(server: &Server) -> String {
    let answers = server.asked.answers();
    let seen = server.seen();
    let counts: Vec<String> = seen.counts.iter().map(|(k, n)| format!("{k}={n}")).collect();
    format!("{}\ndeclared {}\nanswers {}", counts.join(" "), seen.declared, answers.join(" "))
}
