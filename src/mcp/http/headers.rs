//! The headers of a message: spec 2026-07-28, basic/transports/streamable-http, "Request
//! Metadata", and those of the versions before.

use crate::{
    content::encode,
    mcp::{
        handshake::MODERN_VERSION,
        mirrored::{Mirrored, PREFIX},
    },
};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, JsonRpcMessage};

/// `Mcp-Session-Id`
pub(super) const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
/// `Last-Event-ID`
pub(super) const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// What marks a value that is written in base64.
const ENCODED: (&str, &str) = ("=?base64?", "?=");

/// Headers that belong to the transport and are refused in an entry.
const OURS: [&str; 9] = [
    "accept",
    "content-type",
    "content-length",
    "connection",
    "host",
    "last-event-id",
    "mcp-protocol-version",
    "mcp-session-id",
    "transfer-encoding",
];

/// Whether a header of an entry would stand in the transport's way.
pub(super) fn is_ours(name: &HeaderName) -> bool {
    OURS.contains(&name.as_str())
        || *name == METHOD
        || *name == NAME
        // It could stand in for an argument that is not sent.
        || name.as_str().starts_with(PREFIX)
}

/// The headers of a message of the modern era.
pub(super) fn modern(message: &ClientJsonRpcMessage) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(VERSION, HeaderValue::from_static(MODERN_VERSION));
    if let JsonRpcMessage::Request(request) = message {
        put(&mut headers, METHOD, request.request.method());
        if let Some(name) = named(&request.request) {
            put(&mut headers, NAME, name);
        }
        for (name, value) in mirrored(&request.request) {
            if let Ok(name) = HeaderName::from_bytes(name.as_bytes()) {
                put(&mut headers, name, value);
            }
        }
    }
    headers
}

/// The headers of a message of the eras before, once a version is agreed on.
pub(super) fn legacy(version: Option<&str>, session: Option<&HeaderValue>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    if let Some(version) = version {
        put(&mut headers, VERSION, version);
    }
    if let Some(session) = session {
        headers.insert(SESSION, session.clone());
    }
    headers
}

/// What a request is about, where the protocol wants that in a header.
fn named(request: &ClientRequest) -> Option<&str> {
    let ClientRequest::CustomRequest(custom) = request else { return None };
    let key = match custom.method.as_str() {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        _ => return None,
    };
    custom.params.as_ref()?.get(key)?.as_str()
}

/// What of its arguments a server wants in headers.
fn mirrored(request: &ClientRequest) -> &[(String, String)] {
    let ClientRequest::CustomRequest(custom) = request else { return &[] };
    custom.extensions.get::<Mirrored>().map_or(&[], |mirrored| &mirrored.0)
}

fn put(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(&header_value(value)) {
        headers.insert(name, value);
    }
}

/// A value as a header may hold it.
fn header_value(value: &str) -> String {
    let plain = value.bytes().all(|b| b == b'\t' || (b' '..=b'~').contains(&b))
        && value.trim_matches([' ', '\t']) == value;
    let (begin, end) = ENCODED;
    if plain && !(value.starts_with(begin) && value.ends_with(end)) {
        return value.to_owned();
    }
    format!("{begin}{}{end}", encode(value.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_encoded_where_a_header_cannot_hold_them() {
        for (value, header) in [
            ("us-west1", "us-west1"),
            ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
            (" padded ", "=?base64?IHBhZGRlZCA=?="),
            ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
            ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
            ("", ""),
        ] {
            assert_eq!(header_value(value), header);
        }
    }
}
