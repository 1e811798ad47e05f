//! Answers to `tools/call` that are odd, late or missing, and what comes before them.

use super::{conversation::Server, lifecycle, modern, notifications, process, requests_to_client};
use serde_json::{Value, json};

/// What stands for the URI where a tool is called.
pub(crate) const NO_URI: &str = "";

/// Answers a call.
pub(crate) fn call(server: &Server, id: &Value, params: &Value) {
    server.log(&format!("CALL {id}"));
    let done = process::read(server, id, NO_URI)
        || requests_to_client::read(server, id, NO_URI)
        || modern::read(server, id, NO_URI, params)
        || notifications::read(server, id, NO_URI)
        || odd(server, id, params);
    if !done {
        server.text(id, NO_URI, "hello");
    }
}

/// Answers in the way of the fault. Says whether it did, or decided not to.
fn odd(server: &Server, id: &Value, params: &Value) -> bool {
    let text = |text: &str| json!({"type": "text", "text": text});
    let result = match server.fault.as_str() {
        "hang_call" => return true,
        "call_exit_mid" => {
            server.log("last words");
            std::process::exit(3);
        }
        "call_exit_clean" => {
            process::close_output();
            return true;
        }
        "late_answer" => {
            std::thread::sleep(lifecycle::milliseconds(server, 1500));
            json!({"content": [text("late")]})
        }
        "exit_after" => {
            server.text(id, NO_URI, "hello");
            std::process::exit(6);
        }
        "progress" => {
            progress(server, params);
            return false;
        }
        "progress_flood" => {
            flood(server, params);
            return false;
        }
        "unknown_content" => json!({"content": [text("hello"), {"type": "video", "data": "AA"}]}),
        "cross_fields" => json!({"content": [text("hello")], "contents": []}),
        "extra_fields" => json!({"content": [text("hello")], "x": [1], "_meta": {"y": {}}}),
        "call_no_content" => json!({}),
        "call_content_text" => json!({"content": "hello"}),
        "call_is_error_text" => json!({"content": [text("hello")], "isError": "true"}),
        "call_error" => {
            server.error(id, -32602, "Unknown tool");
            return true;
        }
        "call_twice" => {
            server.text(id, NO_URI, "hello");
            json!({"content": [text("again")]})
        }
        "modern_unknown_type" => json!({"resultType": "task", "content": [text("hello")]}),
        _ => return false,
    };
    server.result(id, result);
    true
}

/// Progress in order, then some that means nothing.
fn progress(server: &Server, params: &Value) {
    let token = &params["_meta"]["progressToken"];
    let many = server.arg.unwrap_or(50);
    for done in 1..=many {
        server.notify(
            "notifications/progress",
            &json!({"progressToken": token, "progress": done, "total": many, "message": "step"}),
        );
    }
    for senseless in [
        json!({"progressToken": "nobody", "progress": 0.5}),
        json!({"progressToken": null, "progress": 0.5}),
        json!({"progress": 0.5}),
        json!({"progressToken": token, "progress": 1}),
        json!({"progressToken": token, "progress": many, "total": "lots"}),
    ] {
        server.notify("notifications/progress", &senseless);
    }
}

/// A hundred thousand steps, and as many that mean nothing.
fn flood(server: &Server, params: &Value) {
    let token = &params["_meta"]["progressToken"];
    let many = server.arg.unwrap_or(100_000);
    server.hold(|out| {
        (0..many).try_for_each(|n| {
            let one = |token: &Value, done: u64| {
                let params = json!({"progressToken": token, "progress": done});
                json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
            };
            writeln!(out, "{}\n{}", one(token, n), one(&json!("nobody"), n))
        })
    });
}
