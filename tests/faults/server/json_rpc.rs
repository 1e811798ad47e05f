//! Answers whose envelope is wrong: ids, members, doubles.

use super::conversation::Server;
use serde_json::{Value, json};

/// Answers with a result.
pub(crate) fn result(server: &Server, id: &Value, mut result: Value) {
    if server.is("extra_fields")
        && let Some(map) = result.as_object_mut()
    {
        map.insert("x-vendor".into(), json!({"a": [1, {"b": null}]}));
        map.insert("unknown".into(), Value::Null);
    }
    if server.is("unsolicited") {
        server.send(&json!({"jsonrpc": "2.0", "id": 987_654, "result": {"resources": []}}));
    }
    let id = match (server.fault.as_str(), id.as_i64()) {
        ("string_id", Some(number)) => json!(number.to_string()),
        #[expect(clippy::cast_precision_loss, reason = "ids are small")]
        ("float_id", Some(number)) => json!(number as f64),
        _ => id.clone(),
    };
    server.send(&json!({"jsonrpc": "2.0", "id": id, "result": result}));
    if server.is("dup_id") {
        let other = json!({"resources": [{"uri": "dup://", "name": "dup"}], "tools": []});
        server.send(&json!({"jsonrpc": "2.0", "id": id, "result": other}));
    }
}

/// Answers to lists that are no proper answers. Says whether it answered.
pub(crate) fn list(server: &Server, id: &Value, key: &str, result: &Value) -> bool {
    let answer = match (server.fault.as_str(), key) {
        ("wrong_id", "resources") => json!({"id": 777, "result": result}),
        ("null_id_error", "resources") => {
            json!({"id": null, "error": {"code": -32600, "message": "could not read"}})
        }
        ("both", "resources") => {
            json!({"id": id, "result": result, "error": {"code": 1, "message": "x"}})
        }
        ("neither", "resources") => json!({"id": id}),
        ("null_result", "resources") => json!({"id": id, "result": null}),
        ("array_result", "resources") => json!({"id": id, "result": []}),
        ("error_shapes", "resources") => json!({"id": id, "error": {"code": -32000}}),
        ("error_shapes", "prompts") => {
            json!({"id": id, "error": {"code": "E_FAIL", "message": "m"}})
        }
        ("error_shapes", "tools") => json!({"id": id, "error": "just a string"}),
        ("caps_absent", _) => {
            json!({"id": id, "error": {"code": -32601, "message": "Method not found"}})
        }
        _ => return false,
    };
    let mut message = json!({"jsonrpc": "2.0"});
    if let (Some(to), Value::Object(from)) = (message.as_object_mut(), answer) {
        to.extend(from);
    }
    server.send(&message);
    true
}
