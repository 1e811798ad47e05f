//! Lists and prompts, in order and out of order.

use super::{conversation::Server, json_rpc, modern};
use serde_json::{Map, Value, json};

fn resource(n: u64) -> Value {
    json!({"uri": format!("mem://r{n}"), "name": format!("r{n}"), "mimeType": "text/plain"})
}

fn resources(server: &Server) -> Vec<Value> {
    let mut items: Vec<Value> = (0..3).map(resource).collect();
    let [first, second, third] = items.as_mut_slice() else { return items };
    match server.fault.as_str() {
        "missing_fields" => {
            second.as_object_mut().map(|map| map.remove("name"));
        }
        "bad_types" => {
            first["size"] = json!(-1);
            second["mimeType"] = json!(5);
            third["annotations"] = json!({"audience": ["user", "robot"], "priority": "high"});
        }
        "unknown_enums" => first["icons"] = json!([{"src": "http://x/i.png", "theme": "sepia"}]),
        "bigint" => first["size"] = json!(1_u64 << 63),
        "extra_fields" => first["x"] = json!([1, 2, {"y": null}]),
        _ => {}
    }
    items
}

fn tools(server: &Server) -> Vec<Value> {
    let schema = json!({"type": "object"});
    let mut items = vec![
        json!({"name": "t", "description": "d", "inputSchema": schema}),
        json!({"name": "u", "inputSchema": schema}),
        json!({"name": "v", "inputSchema": schema, "annotations": {"readOnlyHint": true, "odd": 3}}),
    ];
    if server.is("missing_fields") {
        items[1].as_object_mut().map(|map| map.remove("inputSchema"));
    }
    items
}

fn prompts(server: &Server) -> Vec<Value> {
    let mut items = vec![
        json!({"name": "p", "arguments": [{"name": "a", "required": true}, {"name": "b"}]}),
        json!({"name": "q"}),
        json!({"name": "r", "arguments": null}),
    ];
    if server.is("missing_fields") {
        items[1].as_object_mut().map(|map| map.remove("name"));
    }
    items
}

/// Answers one of the lists; `key` is the member that holds its items.
pub(crate) fn list(server: &Server, id: &Value, key: &str, params: &Value) {
    let items = match key {
        "resources" => resources(server),
        "prompts" => prompts(server),
        "tools" => tools(server),
        _ => vec![json!({"uriTemplate": "mem://{id}", "name": "template"})],
    };
    let mut result = Map::from_iter([(key.to_owned(), Value::from(items))]);
    page(server, key, params, &mut result);
    match server.fault.as_str() {
        "cross_fields" if key == "resources" => {
            result.insert("prompts".into(), json!([]));
        }
        "unknown_enums" => {
            result.insert("ttlMs".into(), json!(-5));
            result.insert("cacheScope".into(), json!("tenant"));
        }
        _ => {}
    }
    modern::decorate_list(server, &mut result);
    let result = Value::Object(result);
    if json_rpc::list(server, id, key, &result) || raw_list(server, id, key, &result) {
        return;
    }
    server.result(id, result);
    if server.is("changed_echo") {
        server.notify("notifications/resources/list_changed", &json!({}));
    }
}

/// Where the list goes on.
fn page(server: &Server, key: &str, params: &Value, result: &mut Map<String, Value>) {
    let cursor = params.get("cursor").and_then(Value::as_str);
    let number = cursor.and_then(|c| c.trim_start_matches('c').parse::<u64>().ok()).unwrap_or(0);
    let range = |from: u64, to: u64| Value::from((from..to).map(resource).collect::<Vec<_>>());
    let resources = key == "resources";
    let next = match server.fault.as_str() {
        "cursor_loop" => json!("always the same"),
        "cursor_null" => Value::Null,
        "cursor_number" if resources => json!(5),
        "cursor_empty" if resources => {
            result.insert(key.into(), range(number * 3, number * 3 + 3));
            json!(if cursor.is_some() { "" } else { "1" })
        }
        "cursor_grow" if resources => {
            result.insert(key.into(), range(number * 10, number * 10 + 10));
            json!((number + 1).to_string())
        }
        "cursor_huge" if resources => {
            result.insert(key.into(), range(number, number + 1));
            json!(format!("{}{}", "c".repeat(1 << 20), number + 1))
        }
        "cursor_fails" if resources && cursor.is_some() => {
            // Some pages came, then one is no list.
            result.remove(key);
            return;
        }
        "cursor_fails" if resources => json!("1"),
        "pages" if resources => {
            let (total, size) = (server.arg.unwrap_or(20_000), 1000);
            result.insert(key.into(), range(number, total.min(number + size)));
            if number + size >= total {
                return;
            }
            json!((number + size).to_string())
        }
        _ => return,
    };
    result.insert("nextCursor".into(), next);
}

/// Answers that a JSON library would not write.
fn raw_list(server: &Server, id: &Value, key: &str, result: &Value) -> bool {
    let result = match (server.fault.as_str(), key) {
        ("dup_keys", "resources") => {
            r#"{"resources":[],"resources":[{"uri":"a://b","name":"n"}]}"#.to_owned()
        }
        ("bigint", "resources") => result.to_string().replacen('{', r#"{"_meta":{"n":1e400},"#, 1),
        ("surrogate", "resources") => result.to_string().replacen(
            '[',
            r#"[{"uri":"mem://half","name":"half","description":"half \ud83d"},"#,
            1,
        ),
        ("deep_item", "resources") => {
            let nested = format!("{}{}", "[".repeat(1000), "]".repeat(1000));
            let deep = format!(
                r#"{{"uri":"mem://deep","name":"deep","annotations":{{"a":{nested}}}}},{{"#
            );
            result
                .to_string()
                .replacen('{', "\u{0}", 1)
                .replacen('{', &deep, 1)
                .replacen('\u{0}', "{", 1)
        }
        _ => return false,
    };
    server.raw(format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}\n").as_bytes());
    true
}

/// Answers `prompts/get`.
pub(crate) fn prompt(server: &Server, id: &Value) {
    let text = |role: &str| json!({"role": role, "content": {"type": "text", "text": "hello"}});
    let mut messages = vec![text("user")];
    match server.fault.as_str() {
        "hang_call" => return,
        "unknown_content" => {
            messages.push(json!({"role": "user", "content": {"type": "video", "data": "AA"}}));
        }
        "unknown_enums" => messages.push(text("system")),
        _ => {}
    }
    server.result(id, json!({"messages": messages}));
}
