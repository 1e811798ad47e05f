//! What a well-behaved server of this kind answers.

use super::{Faulty, refusal};
use serde_json::{Value, json};

/// The right answer to a request.
pub(super) fn answer(site: &Faulty, method: &str, message: &Value) -> Value {
    let uri = &message["params"]["uri"];
    let mut result = match method {
        "resources/list" => json!({"resources": resources(site)}),
        "resources/templates/list" => {
            json!({"resourceTemplates": [{"uriTemplate": "mem://{id}", "name": "template"}]})
        }
        "prompts/list" => json!({"prompts": [{"name": "p"}, {"name": "q"}, {"name": "r"}]}),
        "tools/list" => {
            let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object"}});
            json!({"tools": [tool("t"), tool("u"), tool("v")]})
        }
        "resources/read" => json!({"contents": [{"uri": uri, "text": "hello"}]}),
        "ping" if !site.is_modern() => json!({}),
        _ => return refusal(&message["id"], -32601, "no such method"),
    };
    if site.is_modern() {
        result["resultType"] = "complete".into();
        result["ttlMs"] = 0.into();
        result["cacheScope"] = "private".into();
    }
    json!({"jsonrpc": "2.0", "id": message["id"], "result": result})
}

fn resources(site: &Faulty) -> Value {
    // A list that changed has one more.
    let told = site.is_one_of(&["get_news", "modern_news"]);
    let again = site.state().counts.get("resources/list").is_some_and(|times| *times > 1);
    let count = if told && again { 4 } else { 3 };
    (0..count).map(|n| json!({"uri": format!("mem://r{n}"), "name": format!("r{n}")})).collect()
}

/// What the server says that it can.
pub(super) fn capabilities() -> Value {
    json!({
        "resources": {"listChanged": true},
        "prompts": {"listChanged": true},
        "tools": {"listChanged": true},
    })
}
