//! How the plain server is called: tools that take time, ask back, or answer more than once.

use super::{Plain, Then};
use serde_json::{Value, json};

impl Plain {
    /// Takes an answer to what it asked.
    pub(super) fn answered(&mut self, message: &Value) -> Then {
        let Some(at) = self.open.iter().position(|(asked, _)| *asked == message["id"]) else {
            return Then::Say(Vec::new());
        };
        let (_, call) = self.open.remove(at);
        let text = json!({"type": "text", "text": message["result"]["content"]["text"]});
        Then::Say(vec![self.called(&call, json!({"content": [text]}))])
    }

    /// What comes before the usual answer. The last of several is given over and over if it is
    /// `again`.
    pub(super) fn round(&mut self, method: &str, uri: &str) -> Option<Value> {
        let may_ask = ["resources/read", "prompts/get", "tools/call"].contains(&method);
        if !may_ask || uri.starts_with("plain:") {
            return None;
        }
        let rounds = self.script.get_mut("rounds")?.as_array_mut()?;
        match rounds.as_slice() {
            [] => None,
            [again, last] if again == "again" => Some(last.clone()),
            [..] => Some(rounds.remove(0)),
        }
    }

    /// Does what is written for a tool.
    pub(super) fn call(&mut self, id: &Value, params: &Value, script: &Value) -> Then {
        if script["die"] == true {
            return Then::Die;
        }
        let told = script["progress"].as_array().cloned().unwrap_or_default();
        let token = &params["_meta"]["progressToken"];
        let notify = |mut params: Value| {
            if params.get("progressToken").is_none() {
                params["progressToken"] = token.clone();
            }
            json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
        };
        let mut lines: Vec<Value> = told.into_iter().map(notify).collect();
        if let Some(ask) = script.get("ask") {
            let asked = json!(format!("ask {id}"));
            let method = "sampling/createMessage";
            self.open.push((asked.clone(), id.clone()));
            lines.push(json!({"jsonrpc": "2.0", "id": asked, "method": method, "params": ask}));
            return Then::Say(lines);
        }
        if script["late"] == true {
            self.open.push((json!("late"), id.clone()));
        }
        if script["hold"] != true && script["late"] != true {
            let result = script.get("result").cloned().unwrap_or(json!({"content": []}));
            lines.push(self.called(id, result));
        }
        if script["twice"] == true {
            lines.push(self.called(id, json!({"content": [{"type": "text", "text": "again"}]})));
        }
        Then::Say(lines)
    }

    /// The answer to a call.
    pub(super) fn called(&self, id: &Value, mut result: Value) -> Value {
        if self.is_modern() {
            result["resultType"] = "complete".into();
        }
        json!({"jsonrpc": "2.0", "id": id, "result": result})
    }
}
