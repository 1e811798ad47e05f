//! Holds what we sent against the protocol's own JSON schema: every message in its envelope, and
//! as what its method says it is, in the version that was spoken.

use jsonschema::Validator;
use serde_json::{Map, Value, json};
use std::{collections::HashMap, sync::Mutex};
use vestibule::registry::{Direction, TrafficEntry};

const SCHEMAS: [(&str, &str); 5] = [
    ("2024-11-05", include_str!("schema/2024-11-05.json")),
    ("2025-03-26", include_str!("schema/2025-03-26.json")),
    ("2025-06-18", include_str!("schema/2025-06-18.json")),
    ("2025-11-25", include_str!("schema/2025-11-25.json")),
    (MODERN, include_str!("schema/2026-07-28.json")),
];

const MODERN: &str = "2026-07-28";
const VERSION_KEY: &str = "/params/_meta/io.modelcontextprotocol~1protocolVersion";

/// The schema of one version; what is used of it is compiled once.
struct Schema {
    definitions: Map<String, Value>,
    /// Where the definitions stand: the older schemas and the newer ones differ.
    place: &'static str,
    dialect: Value,
    compiled: Mutex<HashMap<String, Validator>>,
}

/// Checks messages of all versions.
pub(crate) struct Wire(HashMap<&'static str, Schema>);

impl Wire {
    pub(crate) fn new() -> Self {
        Self(SCHEMAS.iter().map(|(version, text)| (*version, Schema::read(text))).collect())
    }

    /// Checks everything that was sent in a conversation, or in several on one record, and says
    /// how many messages that were. Where the record begins in the middle, what comes before the
    /// next opening is left out.
    pub(crate) fn check_traffic(&self, traffic: &[TrafficEntry]) -> Result<usize, String> {
        let mut spoken = Spoken::default();
        let mut checked = 0;
        for entry in traffic {
            if entry.bytes.len() != entry.length {
                continue; // only the head of it was kept
            }
            let parsed = serde_json::from_slice(&entry.bytes);
            match (entry.direction, parsed) {
                (Direction::Received, Ok(message)) => spoken.heard(&message),
                (Direction::Received, Err(_)) => {} // what servers write is theirs
                (Direction::Sent, Ok(message)) => {
                    spoken.said(&message);
                    if spoken.version.is_empty() {
                        continue;
                    }
                    self.check(&spoken.version, &message, spoken.question(&message))?;
                    checked += 1;
                }
                (Direction::Sent, Err(error)) => {
                    let line = String::from_utf8_lossy(&entry.bytes);
                    return Err(format!("we sent what is no JSON ({error}): {line}"));
                }
            }
        }
        Ok(checked)
    }

    /// Checks one message of a client in one version. `question` is the method that an answer
    /// answers.
    pub(crate) fn check(
        &self,
        version: &str,
        message: &Value,
        question: Option<&str>,
    ) -> Result<(), String> {
        let schema = self.0.get(version).ok_or(format!("nobody knows version {version:?}"))?;
        let newer = schema.definitions.contains_key("JSONRPCResultResponse");
        let mut kinds = vec!["JSONRPCMessage".to_owned()];
        if let Some(method) = message.get("method").and_then(Value::as_str) {
            let (envelope, union) = match message.get("id") {
                Some(_) => ("JSONRPCRequest", "ClientRequest"),
                None => ("JSONRPCNotification", "ClientNotification"),
            };
            let own = schema
                .of_method(method)
                .ok_or_else(|| format!("{version} has no method {method}: {message}"))?;
            kinds.extend([envelope.to_owned(), own, union.to_owned()]);
        } else if message.get("error").is_some() {
            kinds.push(if newer { "JSONRPCErrorResponse" } else { "JSONRPCError" }.to_owned());
        } else {
            kinds.push(if newer { "JSONRPCResultResponse" } else { "JSONRPCResponse" }.to_owned());
            if question == Some("sampling/createMessage") {
                schema.validate("CreateMessageResult", message.get("result"), version)?;
            }
        }
        kinds.iter().try_for_each(|kind| schema.validate(kind, Some(message), version))
    }
}

impl Schema {
    fn read(text: &str) -> Self {
        let mut whole: Value = serde_json::from_str(text).expect("a schema");
        let place = if whole.get("$defs").is_some() { "$defs" } else { "definitions" };
        let definitions = whole[place].as_object().expect("definitions").clone();
        Self { definitions, place, dialect: whole["$schema"].take(), compiled: Mutex::default() }
    }

    /// The definition of a method.
    fn of_method(&self, method: &str) -> Option<String> {
        let is_it = |(name, definition): &(&String, &Value)| {
            (name.ends_with("Request") || name.ends_with("Notification"))
                && definition.pointer("/properties/method/const") == Some(&json!(method))
        };
        // A union of one member is that member; its own name is the shorter question.
        let mut found: Vec<_> = self.definitions.iter().filter(is_it).collect();
        found.sort_by_key(|(name, _)| name.starts_with("Client"));
        found.first().map(|(name, _)| (*name).clone())
    }

    fn validate(&self, kind: &str, message: Option<&Value>, version: &str) -> Result<(), String> {
        let message = message.ok_or(format!("{kind} is missing"))?;
        let mut compiled = self.compiled.lock().expect("no test panicked in here");
        let validator = compiled.entry(kind.to_owned()).or_insert_with(|| {
            assert!(self.definitions.contains_key(kind), "{version} has no {kind}");
            let schema = json!({
                "$schema": self.dialect,
                "$ref": format!("#/{}/{kind}", self.place),
                (self.place): self.definitions,
            });
            jsonschema::validator_for(&schema).expect("a schema")
        });
        let wrong: Vec<String> = validator
            .iter_errors(message)
            .map(|error| format!("{} at {:?}", error, error.instance_path().as_str()))
            .collect();
        if wrong.is_empty() {
            return Ok(());
        }
        Err(format!("no {kind} of {version}: {}\n{message}", wrong.join("; ")))
    }
}

/// What is known of a conversation while it is read.
#[derive(Default)]
struct Spoken {
    version: String,
    opening: Option<Value>,
    /// Requests of the server that are not answered yet, by their id.
    questions: HashMap<String, String>,
}

impl Spoken {
    fn said(&mut self, message: &Value) {
        let text = |pointer| message.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        match message.get("method").and_then(Value::as_str) {
            Some("initialize") => {
                self.version = text("/params/protocolVersion").unwrap_or_default();
                self.opening = message.get("id").cloned();
            }
            Some(method) => {
                if let Some(version) = text(VERSION_KEY) {
                    self.version = version;
                } else if method == "server/discover" {
                    self.version = MODERN.to_owned();
                }
            }
            None => {}
        }
    }

    fn heard(&mut self, message: &Value) {
        let method = message.get("method").and_then(Value::as_str);
        if let (Some(method), Some(id)) = (method, message.get("id")) {
            self.questions.insert(id.to_string(), method.to_owned());
        }
        if self.opening.is_some() && message.get("id") == self.opening.as_ref() {
            // A version that nobody knows is refused; until then the one that was asked for holds.
            let agreed = message.pointer("/result/protocolVersion").and_then(Value::as_str);
            let known = |version: &&str| SCHEMAS.iter().any(|(known, _)| known == version);
            self.version = agreed.filter(known).unwrap_or(&self.version).to_owned();
            self.opening = None;
        }
    }

    fn question(&self, answer: &Value) -> Option<&str> {
        let asked = answer.get("id").map(Value::to_string)?;
        self.questions.get(&asked).map(String::as_str)
    }
}

/// Shows that the check can fail, and names what failed.
pub(crate) fn the_check_can_fail(wire: &Wire) -> Result<(), String> {
    let request = |method: &str, params: Value| json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let meta = json!({"_meta": {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "0"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }});
    let good = [
        ("2024-11-05", request("resources/list", json!({}))),
        ("2025-11-25", request("resources/read", json!({"uri": "a:b"}))),
        (MODERN, request("resources/list", meta)),
        ("2025-06-18", json!({"jsonrpc": "2.0", "method": "notifications/initialized"})),
    ];
    for (version, message) in &good {
        wire.check(version, message, None)?;
    }
    let bad = [
        ("2025-11-25", json!({"jsonrpc": "2.0", "id": null, "method": "ping"})),
        ("2025-11-25", json!({"jsonrpc": "1.0", "id": 1, "method": "ping"})),
        ("2025-11-25", json!({"id": 1, "method": "ping"})),
        ("2025-11-25", request("resources/list", json!({"cursor": 1}))),
        ("2025-11-25", request("resources/read", json!({}))),
        ("2025-11-25", request("prompts/get", json!({"name": "n", "arguments": {"a": 1}}))),
        ("2025-11-25", request("server/discover", json!({}))),
        ("2025-11-25", request("sampling/createMessage", json!({"messages": [], "maxTokens": 1}))),
        (MODERN, request("resources/list", json!({}))),
        (MODERN, request("ping", json!({}))),
        ("2025-06-18", json!({"jsonrpc": "2.0", "id": 1, "error": {"code": "x", "message": "m"}})),
        ("1999-01-01", request("resources/list", json!({}))),
    ];
    for (version, message) in &bad {
        if wire.check(version, message, None).is_ok() {
            return Err(format!("{version} took {message}"));
        }
    }
    Ok(())
}
