//! Answers to `resources/read` that are odd, late or missing.

use super::{conversation::Server, framing, lifecycle};
use serde_json::{Value, json};

/// Answers a read. Says whether it did, or decided not to.
pub(crate) fn read(server: &Server, id: &Value, uri: &str) -> bool {
    if framing::read(server, id, uri) {
        return true;
    }
    let contents = match server.fault.as_str() {
        "hang_call" => return true,
        "out_of_order" => {
            if uri == "mem://first" {
                server.second_read.wait();
            } else {
                server.text(id, uri, &format!("of {uri}"));
                server.second_read.open();
                return true;
            }
            json!([{"uri": uri, "text": format!("of {uri}")}])
        }
        "exit_after" => {
            server.text(id, uri, "hello");
            std::process::exit(6);
        }
        "late_answer" if uri == "mem://r0" => {
            std::thread::sleep(lifecycle::milliseconds(server, 1500));
            json!([{"uri": uri, "text": "late"}])
        }
        "bad_base64" => {
            json!([{"uri": uri, "mimeType": "image/png", "blob": "this is *not* base64!"}])
        }
        "uri_mismatch" => json!([
            {"uri": "mem://something-else", "text": "other"},
            {"uri": format!("{uri}/child"), "text": "child"},
        ]),
        "both_text_blob" => json!([
            {"uri": uri, "text": "t", "blob": "AAAA"}, {"uri": format!("{uri}/none")},
        ]),
        "no_uri" => json!([{"mimeType": "text/plain", "text": "no uri"}]),
        "empty_contents" => json!([]),
        "extra_fields" => json!([{"uri": uri, "text": "hello", "x": [1], "_meta": {"y": {}}}]),
        "read_error" => {
            server.error(id, -32002, "Resource not found");
            return true;
        }
        _ => return false,
    };
    server.result(id, json!({"contents": contents}));
    true
}
