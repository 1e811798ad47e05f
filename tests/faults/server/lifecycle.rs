//! How a conversation is opened.

use super::conversation::Server;
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};

/// What happens before the first message is read.
pub(crate) fn before_reading(server: &Server) {
    match server.fault.as_str() {
        "slow_start" => std::thread::sleep(milliseconds(server, 11_000)),
        "nonjson" => server.raw(b"Welcome to the faulty server\n\n"),
        _ => {}
    }
}

pub(crate) fn milliseconds(server: &Server, default: u64) -> Duration {
    Duration::from_millis(server.arg.unwrap_or(default))
}

/// What it offers.
pub(crate) fn capabilities(server: &Server) -> Value {
    match server.fault.as_str() {
        "caps_lie" | "init_missing" => json!({}),
        "init_caps_null" => {
            json!({"resources": null, "tools": true, "logging": [], "prompts": {}})
        }
        _ => json!({
            "resources": {"subscribe": true, "listChanged": true}, "prompts": {"listChanged": true},
            "tools": {"listChanged": true}, "logging": {}, "completions": {},
        }),
    }
}

/// Answers `initialize`.
pub(crate) fn initialize(server: &Server, id: &Value, params: &Value) {
    let version = match server.fault.as_str() {
        "no_init" => return,
        "init_error" => return server.error(id, -32603, "I refuse"),
        "modern_only" => {
            let data = json!({"supported": ["2026-07-28"]});
            let error = json!({"code": -32022, "message": "Unsupported version", "data": data});
            return server.send(&json!({"jsonrpc": "2.0", "id": id, "error": error}));
        }
        "discover_future" => return server.error(id, -32022, "Unsupported version"),
        "version_unknown" => json!("1999-01-01"),
        "version_future" => json!("2099-01-01"),
        "version_2024" => json!("2024-11-05"),
        _ => params.get("protocolVersion").cloned().unwrap_or_else(|| json!("2025-11-25")),
    };
    match server.fault.as_str() {
        "stderr_flood" => {
            let line = "e".repeat(1023);
            (0..1024 * server.arg.unwrap_or(20)).for_each(|_| server.log(&line));
            server.log(&format!("PID {}", std::process::id()));
        }
        "stderr_noeol" => server.log(&"e".repeat(8 << 20)),
        "early_sampling" => {
            server.ask("early1", "sampling/createMessage", &super::requests_to_client::sampling())
        }
        "early_ping" => {
            server.ask("early1", "ping", &json!({}));
            server.notify("notifications/message", &json!({"level": "info", "data": "starting"}));
        }
        _ => {}
    }
    let mut result = json!({
        "protocolVersion": version, "capabilities": capabilities(server),
        "serverInfo": {"name": "faulty", "version": "1"}, "instructions": server.fault,
    });
    if server.is("init_missing") {
        result = json!({"protocolVersion": version});
    }
    server.result(id, result);
    if server.is("early_sampling") {
        server.ask("early2", "sampling/createMessage", &super::requests_to_client::sampling());
    }
}

/// Answers `server/discover`.
pub(crate) fn discover(server: &Arc<Server>, id: &Value) {
    let error = |code: i64, message: &str, data: Value| {
        let error = json!({"code": code, "message": message, "data": data});
        server.send(&json!({"jsonrpc": "2.0", "id": id, "error": error}));
    };
    let mut result = json!({
        "resultType": "complete", "supportedVersions": ["2026-07-28"],
        "capabilities": capabilities(server), "ttlMs": 0, "cacheScope": "private",
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "faulty", "version": "1"}},
    });
    match server.fault.as_str() {
        "exit_on_discover" => std::process::exit(4),
        "mute_on_discover" | "no_init" => return,
        "late_discover" => {
            let (server, id) = (server.clone(), id.clone());
            let after = milliseconds(&server, 10_600);
            std::thread::spawn(move || {
                std::thread::sleep(after);
                server.error(&id, -32601, "Method not found");
            });
            return;
        }
        "discover_null_id" => {
            let error = json!({"code": -32600, "message": "Invalid Request"});
            return server.send(&json!({"jsonrpc": "2.0", "id": null, "error": error}));
        }
        "discover_strict" => return error(-32002, "Server not initialized", Value::Null),
        "discover_unsupported" => {
            let data = json!({"supported": ["2025-11-25"], "requested": "2026-07-28"});
            return error(-32022, "Unsupported protocol version", data);
        }
        "discover_future" => {
            let data = json!({"supported": ["2031-01-01"], "requested": "2026-07-28"});
            return error(-32022, "Unsupported protocol version", data);
        }
        "discover_garbage" => return server.result(id, json!({})),
        "discover_old" => {
            result["supportedVersions"] = json!(["2025-11-25"]);
            return server.result(id, result);
        }
        "discover_no_ttl" => {
            let map = result.as_object_mut().expect("an object");
            for key in ["resultType", "ttlMs", "cacheScope"] {
                map.remove(key);
            }
        }
        _ if server.modern() => {}
        _ => return server.error(id, -32601, "Method not found"),
    }
    server.seen().discovered = true;
    server.result(id, result);
}
