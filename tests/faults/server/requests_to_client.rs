//! What the server asks of the client, and what it gets.

use super::conversation::Server;
use serde_json::{Value, json};
use std::{
    sync::{Condvar, Mutex, PoisonError},
    time::Duration,
};

/// Answers that came, in order.
#[derive(Default)]
pub(crate) struct Asked {
    answers: Mutex<Vec<(String, String)>>,
    came: Condvar,
}

impl Asked {
    /// Every answer as `id: what`.
    pub(crate) fn answers(&self) -> Vec<String> {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.iter().map(|(id, what)| format!("{id}: {what}")).collect()
    }

    /// Waits for the answer to one request.
    fn wait(&self, id: &str, patience: Duration) -> Option<String> {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let find = |all: &Vec<(String, String)>| {
            all.iter().find(|(theirs, _)| theirs == id).map(|(_, what)| what.clone())
        };
        let (answers, _) = self
            .came
            .wait_timeout_while(answers, patience, |all| find(all).is_none())
            .unwrap_or_else(PoisonError::into_inner);
        find(&answers)
    }
}

/// A sampling request that nobody could object to.
pub(crate) fn sampling() -> Value {
    json!({"messages": [{"role": "user", "content": {"type": "text", "text": "hello"}}], "maxTokens": 100})
}

impl Server {
    /// Sends a request, without waiting.
    pub(crate) fn ask(&self, id: &str, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
    }

    /// Sends a request and waits for its answer, in words.
    pub(crate) fn ask_and_wait(&self, method: &str, params: &Value, patience: Duration) -> String {
        let id = format!("ask {}", self.asked.answers().len());
        self.ask(&id, method, params);
        self.asked.wait(&id, patience).unwrap_or_else(|| "no answer".into())
    }
}

/// Takes an answer in.
pub(crate) fn answered(server: &Server, message: &Value) {
    let id = message.get("id").and_then(Value::as_str).unwrap_or("not ours").to_owned();
    let what = match (message.get("error"), message.get("result")) {
        (Some(error), _) => format!("error {}", error.get("code").unwrap_or(&Value::Null)),
        (None, result) => format!("result {}", result.unwrap_or(&Value::Null)),
    };
    if !id.starts_with("flood") {
        let mut answers = server.asked.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.push((id, what));
        server.asked.came.notify_all();
    }
}

/// Asks in the middle of a read. Says whether it answered the read.
pub(crate) fn read(server: &Server, id: &Value, uri: &str) -> bool {
    const PATIENCE: Duration = Duration::from_secs(3);
    let (method, params) = match server.fault.as_str() {
        "elicit" => {
            let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}});
            ("elicitation/create", json!({"message": "who?", "requestedSchema": schema}))
        }
        "elicit_url" => (
            "elicitation/create",
            json!({"mode": "url", "message": "go", "url": "https://example.com/x", "elicitationId": "e"}),
        ),
        "roots" => ("roots/list", json!({})),
        "sample" => ("sampling/createMessage", sampling()),
        "sample_badparams" => ("sampling/createMessage", json!([1])),
        "unknown_request" => ("vendor/doSomething", json!({"a": 1})),
        "ping" => ("ping", json!({})),
        "early_sampling" => {
            let one = server.asked.wait("early1", PATIENCE);
            let two = server.asked.wait("early2", PATIENCE);
            server.text(id, uri, &format!("{one:?} {two:?}"));
            return true;
        }
        "early_ping" => {
            let one = server.asked.wait("early1", PATIENCE);
            server.text(id, uri, &format!("{one:?}"));
            return true;
        }
        _ => return false,
    };
    let answer = server.ask_and_wait(method, &params, PATIENCE);
    server.text(id, uri, &answer);
    true
}
