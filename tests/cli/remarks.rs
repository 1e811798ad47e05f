//! What is odd about an answer and can be lived with: notes on standard error, and success.

use crate::run::{Ended, Home};
use serde_json::{Value, json};

/// A server of the older era that answers every read with the contents it is given.
const SERVER: &str = r#"
while IFS= read -r line; do
    id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
    case $line in
        *'"initialize"'*)
            result='{"protocolVersion":"2025-11-25","capabilities":{"resources":{}},"serverInfo":{"name":"s","version":"1"}}' ;;
        *'"resources/read"'*) result=$0 ;;
        *'"resources/list"'*) result='{"resources":[]}' ;;
        *'"resources/templates/list"'*) result='{"resourceTemplates":[]}' ;;
        *) continue ;;
    esac
    printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
"#;

/// The beginning of a PNG picture, as base64 and as bytes.
const PNG: (&str, &[u8]) = ("iVBORw0KGgo=", b"\x89PNG\r\n\x1a\n");

const DISAGREES: &str = "the bytes look like image/png, not like the media type given";
const MALFORMED: &str = "the media type is malformed";

/// Reads contents as a server of the test gives them.
fn read(options: &[&str], contents: &Value) -> Ended {
    let contents = json!({ "contents": contents }).to_string();
    let words =
        [&["read", "a:b", "--era", "legacy"], options, &["--", "sh", "-c", SERVER, &contents]];
    Home::new().run(&words.concat())
}

#[test]
fn a_media_type_that_disagrees_with_the_bytes_is_a_note() {
    let contents = json!([{"uri": "a:b", "mimeType": "image/jpeg", "blob": PNG.0}]);
    let ended = read(&[], &contents);
    assert_eq!((ended.code, ended.text()), (Some(0), "[blob: image/jpeg, 8 bytes]\n"));
    assert_eq!(ended.err, format!("vestibule: sh: {DISAGREES}\n"));
    // The bytes are whole all the same, and the note stays out of them.
    let ended = read(&["--raw"], &contents);
    assert_eq!((ended.code, ended.out.as_slice()), (Some(0), PNG.1));
    assert_eq!(ended.err, format!("vestibule: sh: {DISAGREES}\n"));

    let agrees = json!([{"uri": "a:b", "mimeType": "image/png", "blob": PNG.0}]);
    let ended = read(&[], &agrees);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
}

#[test]
fn a_malformed_media_type_is_a_note_and_never_acts() {
    for media in ["nonsense", "", "text/plain\u{1b}[2J", "text/\u{202e}plain", "a/b/c"] {
        let ended = read(&[], &json!([{"uri": "a:b", "mimeType": media, "text": "hello"}]));
        assert_eq!((ended.code, ended.text()), (Some(0), "hello\n"), "{media:?}");
        assert_eq!(ended.err, format!("vestibule: sh: {MALFORMED}\n"), "{media:?}");
    }
}

#[test]
fn notes_for_a_program_name_server_code_and_block() {
    let contents = json!([
        {"uri": "a:b", "mimeType": "text/plain", "text": "fine"},
        {"uri": "a:b/1", "mimeType": "image/gif", "blob": PNG.0},
        {"uri": "a:b/2", "mimeType": "nonsense", "text": "odd"},
    ]);
    let ended = read(&["--json"], &contents);
    assert_eq!(ended.code, Some(0));
    assert_eq!(ended.json().as_array().map(Vec::len), Some(3));
    let note =
        |message: String| json!({"note": {"server": "sh", "code": "protocol", "message": message}});
    let expected = [note(format!("block 2: {DISAGREES}")), note(format!("block 3: {MALFORMED}"))];
    assert_eq!(ended.messages(), expected);
}

#[test]
fn what_a_server_prints_beside_the_protocol_is_a_note() {
    let server = format!("echo 'Starting my server'\n{SERVER}");
    let words = ["read", "a:b", "--era", "legacy", "--", "sh", "-c", &server, r#"{"contents":[]}"#];
    let ended = Home::new().run(&words);
    assert_eq!(ended.code, Some(0));
    assert!(ended.err.contains("no protocol message"), "{}", ended.err);
    assert!(ended.err.contains("Starting my server"), "{}", ended.err);
}
