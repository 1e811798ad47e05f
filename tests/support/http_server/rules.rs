//! What the transport asks of a client: spec 2025-11-25 and 2026-07-28, basic/transports.

use super::Request;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::Value;
use std::collections::HashSet;

const MODERN: &str = "2026-07-28";
const VERSION_KEY: &str = "/params/_meta/io.modelcontextprotocol~1protocolVersion";
/// The first version whose requests name it in a header.
const NAMED_SINCE: &str = "2025-06-18";

/// What is known of the conversation.
#[derive(Default)]
pub(crate) struct Rules {
    /// The version that `initialize` agreed on, until the next one is asked.
    agreed: Option<String>,
    /// Every session that was given out.
    sessions: HashSet<String>,
    /// Whether messages must name a session.
    in_session: bool,
    /// Ids of events that were written.
    event_ids: HashSet<String>,
    modern: bool,
}

impl Rules {
    /// The handshake was answered.
    pub(crate) fn agree(&mut self, version: &str, session: Option<&str>) {
        self.agreed = Some(version.to_owned());
        self.in_session = session.is_some();
        self.sessions.extend(session.map(str::to_owned));
    }

    /// An event with an id was written.
    pub(crate) fn event_id(&mut self, id: &str) {
        self.event_ids.insert(id.to_owned());
    }

    /// What is wrong with a request.
    pub(crate) fn check(&mut self, request: &Request) -> Vec<String> {
        let mut wrong = Vec::new();
        for name in ["accept", "content-type", "mcp-session-id", "mcp-protocol-version"] {
            if request.headers.iter().filter(|(known, _)| known == name).count() > 1 {
                wrong.push(format!("the header {name} twice"));
            }
        }
        match request.method.as_str() {
            "POST" => self.post(request, &mut wrong),
            "GET" => self.get(request, &mut wrong),
            "DELETE" => {
                if !self.in_session {
                    wrong.push("DELETE without a session".into());
                }
                self.legacy_headers(request, &mut wrong);
            }
            other => wrong.push(format!("the method {other}")),
        }
        wrong
    }

    fn post(&mut self, request: &Request, wrong: &mut Vec<String>) {
        for kind in ["application/json", "text/event-stream"] {
            if !accepts(request, kind) {
                wrong.push(format!("POST that does not accept {kind}"));
            }
        }
        if request.header("content-type") != Some("application/json") {
            wrong.push(format!("POST of {:?}", request.header("content-type")));
        }
        let message = request.message();
        if !message.is_object() {
            wrong.push("POST of something that is no JSON object".into());
        }
        let method = message["method"].as_str().unwrap_or_default();
        match message.pointer(VERSION_KEY).and_then(Value::as_str) {
            Some(version) => {
                self.modern = true;
                modern_headers(request, version, &message, wrong);
            }
            None if method == "initialize" => {
                self.modern = false;
                self.agreed = None;
                if request.header("mcp-session-id").is_some() {
                    wrong.push("initialize with a session".into());
                }
            }
            // In the modern era every message that is a request says its version.
            None if self.modern && message.get("method").is_none() => {
                wrong.push("an answer in an era in which servers ask nothing".into());
            }
            None if self.modern => {
                wrong.push(format!("{method} without a version, in the modern era"));
            }
            None => self.legacy_headers(request, wrong),
        }
    }

    fn get(&mut self, request: &Request, wrong: &mut Vec<String>) {
        if !accepts(request, "text/event-stream") {
            wrong.push("GET that does not accept a stream".into());
        }
        // Before a handshake it looks for the older transport.
        if self.modern && self.agreed.is_some() {
            wrong.push("GET in the modern era".into());
        }
        if self.agreed.is_some() {
            self.legacy_headers(request, wrong);
        }
        if let Some(last) = request.header("last-event-id")
            && !self.event_ids.contains(last)
        {
            wrong.push(format!("Last-Event-ID {last:?}, which no event had"));
        }
    }

    fn legacy_headers(&self, request: &Request, wrong: &mut Vec<String>) {
        let named = request.header("mcp-protocol-version");
        match &self.agreed {
            Some(agreed) if agreed.as_str() >= NAMED_SINCE && named != Some(agreed) => {
                wrong.push(format!("the version {named:?} instead of {agreed}"));
            }
            Some(_) | None => {}
        }
        match request.header("mcp-session-id") {
            Some(session) if !self.sessions.contains(session) => {
                wrong.push(format!("the session {session:?}, which was never given"));
            }
            None if self.in_session && self.agreed.is_some() => {
                wrong.push("no session, though one was given".into());
            }
            Some(_) | None => {}
        }
        for name in ["mcp-method", "mcp-name"] {
            if request.header(name).is_some() {
                wrong.push(format!("the header {name}, which this era does not know"));
            }
        }
    }
}

fn accepts(request: &Request, kind: &str) -> bool {
    let accepted = request.header("accept").unwrap_or_default();
    accepted.split(',').any(|one| one.trim() == kind)
}

/// The headers that mirror a request of the modern era.
fn modern_headers(request: &Request, version: &str, message: &Value, wrong: &mut Vec<String>) {
    let named = request.header("mcp-protocol-version");
    if named != Some(version) || version != MODERN {
        wrong.push(format!("the version {named:?} in the head and {version} inside"));
    }
    let method = message["method"].as_str().unwrap_or_default();
    if request.header("mcp-method") != Some(method) {
        wrong.push(format!("Mcp-Method {:?} for {method}", request.header("mcp-method")));
    }
    let about = match method {
        "tools/call" | "prompts/get" => message["params"]["name"].as_str(),
        "resources/read" => message["params"]["uri"].as_str(),
        _ => None,
    };
    let name = request.header("mcp-name").map(decoded);
    if name.as_deref() != about {
        wrong.push(format!("Mcp-Name {name:?} for {about:?}"));
    }
    for never in ["mcp-session-id", "last-event-id"] {
        if request.header(never).is_some() {
            wrong.push(format!("the header {never} in the modern era"));
        }
    }
}

/// A header's value without the encoding for what a header cannot hold.
fn decoded(value: &str) -> String {
    let inside = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?="));
    let bytes = inside.and_then(|text| BASE64_STANDARD.decode(text).ok());
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    text.unwrap_or_else(|| value.to_owned())
}

/// Shows that the rules can be broken, each of them.
pub(crate) fn the_rules_can_fail() -> Result<(), String> {
    let post = |headers: &[(&str, &str)], message: &Value| {
        let usual = [
            ("accept", "application/json, text/event-stream"),
            ("content-type", "application/json"),
        ];
        let mut all: Vec<(String, String)> = Vec::new();
        for (name, value) in usual.iter().chain(headers) {
            all.retain(|(known, _)| known != name);
            all.push(((*name).to_owned(), (*value).to_owned()));
        }
        let body = message.to_string().into_bytes();
        Request { method: "POST".into(), path: "/".into(), headers: all, body }
    };
    let list = serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "resources/list"});
    let read = serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {
        "uri": "mem://\u{e9}", "_meta": {"io.modelcontextprotocol/protocolVersion": MODERN}}});
    let (version, session) = (("mcp-protocol-version", "2025-11-25"), ("mcp-session-id", "s 1"));
    let modern = ("mcp-protocol-version", MODERN);
    let name = ("mcp-name", "=?base64?bWVtOi8vw6k=?=");
    let method = ("mcp-method", "resources/read");
    let legacy = || {
        let mut rules = Rules::default();
        rules.agree("2025-11-25", Some("s 1"));
        rules
    };
    let good = [
        (legacy(), post(&[version, session], &list)),
        (Rules::default(), post(&[modern, method, name], &read)),
    ];
    for (mut rules, request) in good {
        let wrong = rules.check(&request);
        if !wrong.is_empty() {
            return Err(wrong.join("; "));
        }
    }
    let bad = [
        (legacy(), post(&[version], &list)),
        (legacy(), post(&[session], &list)),
        (legacy(), post(&[version, ("mcp-session-id", "s1")], &list)),
        (legacy(), post(&[version, session, ("accept", "application/json")], &list)),
        (legacy(), post(&[version, session, ("content-type", "text/plain")], &list)),
        (legacy(), post(&[version, session, method], &list)),
        (Rules::default(), post(&[modern, method], &read)),
        (Rules::default(), post(&[modern, name], &read)),
        (Rules::default(), post(&[version, method, name], &read)),
        (Rules::default(), post(&[modern, method, name, session], &read)),
    ];
    for (mut rules, request) in bad {
        if rules.check(&request).is_empty() {
            return Err(format!("nothing was wrong with {request:?}"));
        }
    }
    Ok(())
}
