//! Notifications: many, unknown, or for ever.

use super::conversation::Server;
use serde_json::{Value, json};

/// Sends notifications in the middle of a read. Says whether it also answered.
pub(crate) fn read(server: &Server, id: &Value, uri: &str) -> bool {
    match server.fault.as_str() {
        "flood" => {
            let many = server.arg.unwrap_or(100_000);
            server.hold(|out| {
                (0..many).try_for_each(|n| {
                    writeln!(
                        out,
                        r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{{"level":"info","data":{n}}}}}"#
                    )
                })
            });
        }
        "stray_flood" => {
            let many = server.arg.unwrap_or(100_000);
            server.hold(|out| (0..many).try_for_each(|n| writeln!(out, "debug line {n}")));
        }
        "list_changed" if uri == "mem://storm" => {
            for _ in 0..200 {
                for kind in ["resources", "tools", "prompts"] {
                    server.notify(&format!("notifications/{kind}/list_changed"), &json!({}));
                }
            }
        }
        "custom_notification" => {
            server.notify("notifications/vendor/thing", &json!({"a": 1}));
            server.raw(b"{\"jsonrpc\":\"2.0\",\"params\":{}}\n");
            server.notify("vendor/plain", &json!({"b": 2}));
            server.notify("notifications/cancelled", &json!({}));
        }
        "ping_flood" => {
            let many = server.arg.unwrap_or(20_000);
            server.hold(|out| {
                (0..many).try_for_each(|n| {
                    writeln!(out, r#"{{"jsonrpc":"2.0","id":"flood{n}","method":"ping"}}"#)
                })
            });
        }
        _ => return false,
    }
    server.text(id, uri, "hello");
    true
}
