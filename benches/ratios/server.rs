//! Well-behaved servers of bulk, as child processes of this very program.

use base64::engine::{Engine as _, general_purpose::STANDARD};
use std::io::{BufRead, Write};

/// How many megabytes of text, before JSON escapes it.
pub(crate) const MEGABYTES: usize = 50;
/// How many bytes there are in the blob.
pub(crate) const BYTES: usize = MEGABYTES << 20;
/// How many resources, in pages of [`PAGE`].
pub(crate) const RESOURCES: usize = 100_000;
/// How many on a page.
pub(crate) const PAGE: usize = 1000;

/// Answers one request after the other until the input ends.
pub(crate) fn serve(kind: &str) {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let Some(answer) = respond(kind, line.unwrap().as_bytes()) else { continue };
        writeln!(out, "{answer}").unwrap();
        out.flush().unwrap();
    }
}

/// The answer to a message, if it wants one.
pub(crate) fn respond(kind: &str, message: &[u8]) -> Option<String> {
    let request: serde_json::Value = serde_json::from_slice(message).unwrap();
    let id = request.get("id")?.to_string();
    let result = match request["method"].as_str().unwrap() {
        "initialize" => r#"{"protocolVersion":"2025-11-25","capabilities":{"resources":{}},"serverInfo":{"name":"bulk","version":"1"}}"#.to_owned(),
        "resources/list" if kind == "list" => {
            let cursor = request["params"]["cursor"].as_str().unwrap_or("0");
            page(cursor.parse().unwrap())
        }
        "resources/list" => r#"{"resources":[{"uri":"test://big","name":"big"}]}"#.to_owned(),
        "resources/templates/list" => r#"{"resourceTemplates":[]}"#.to_owned(),
        "resources/read" if kind == "blob" => blob_result(),
        "resources/read" => text_result(),
        _ => return Some(format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32601,"message":"no"}}}}"#)),
    };
    Some(answer(&id, &result))
}

/// The line that carries a result.
pub(crate) fn answer(id: &str, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
}

/// One page of resources, from an index on.
pub(crate) fn page(from: usize) -> String {
    let rows: Vec<String> = (from..from + PAGE)
        .map(|n| {
            format!(
                r#"{{"uri":"test://records/{n:06}","name":"record-{n}","title":"Record number {n}","description":"The record with the number {n}, as the archive keeps it: one of many.","mimeType":"text/plain","size":{n},"annotations":{{"audience":["user","assistant"],"priority":0.5}}}}"#
            )
        })
        .collect();
    let next = from + PAGE;
    let cursor =
        if next < RESOURCES { format!(r#","nextCursor":"{next}""#) } else { String::new() };
    format!(r#"{{"resources":[{}]{cursor}}}"#, rows.join(","))
}

/// The big text as the result of a read.
pub(crate) fn text_result() -> String {
    let line = "The quick brown fox jumps over the lazy dog, 0123456789.\\n";
    let text = line.repeat((MEGABYTES << 20) / (line.len() - 1));
    format!(r#"{{"contents":[{{"uri":"test://big","mimeType":"text/plain","text":"{text}"}}]}}"#)
}

/// The blob in base64.
pub(crate) fn base64() -> String {
    let bytes: Vec<u8> = (0..BYTES).map(|n| (n ^ (n >> 8)) as u8).collect();
    STANDARD.encode(bytes)
}

/// The blob as the result of a read.
fn blob_result() -> String {
    let mime = "application/octet-stream";
    let blob = base64();
    format!(r#"{{"contents":[{{"uri":"test://big","mimeType":"{mime}","blob":"{blob}"}}]}}"#)
}
