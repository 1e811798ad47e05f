//! The shapes of JSON, which programs rely on.

use crate::run::{Home, keys, quiet};
use serde_json::{Value, json};

fn rows(command: &str) -> Vec<Value> {
    match quiet(&[command, "--demo", "--json"]).json() {
        Value::Array(rows) => rows,
        other => panic!("no rows: {other}"),
    }
}

#[test]
fn rows_have_their_keys_in_their_order() {
    for (command, count, expected) in [
        ("resources", 14, &["uri", "server", "name", "description", "mime_type"][..]),
        ("templates", 2, &["uri_template", "server", "name", "description", "mime_type"]),
        ("prompts", 7, &["name", "server", "description", "arguments"]),
        ("tools", 11, &["name", "server", "description", "input_schema", "annotations"]),
        ("servers", 2, &["name", "transport", "era", "version", "link", "counts", "sampling"]),
    ] {
        let rows = rows(command);
        assert_eq!(rows.len(), count, "{command}");
        // A tool with an output schema has it too.
        let usual = |row: &Value| {
            let mut keys = keys(row);
            keys.retain(|key| *key != "output_schema");
            keys == expected
        };
        assert!(rows.iter().all(usual), "{command}: {}", rows[0]);
    }
}

#[test]
fn a_server_row_says_how_it_was_reached() {
    let rows = rows("servers");
    assert_eq!(
        rows[0],
        json!({"name": "library", "transport": "in-process", "era": "legacy",
            "version": "2025-11-25", "link": "up",
            "counts": {"resources": 9, "templates": 1, "prompts": 4, "tools": 4},
            "sampling": false})
    );
    assert_eq!((&rows[1]["era"], &rows[1]["version"]), (&json!("modern"), &json!("2026-07-28")));
    let ended = Home::new().run(&["servers", "--json", "--", "no-such-program-anywhere"]);
    let row = &ended.json()[0];
    assert_eq!(row["link"], "down");
    assert_eq!((&row["era"], &row["version"]), (&Value::Null, &Value::Null));
    assert_eq!(keys(&row["error"])[..3], ["server", "code", "message"]);
    assert_eq!(row["error"]["code"], "unreachable");
    let unknown = json!({"resources": null, "templates": null, "prompts": null, "tools": null});
    assert_eq!(row["counts"], unknown);
    assert_eq!(ended.code, Some(4));
}

#[test]
fn addresses_are_bare_when_unique_and_lead_back() {
    let rows = rows("resources");
    let uris: Vec<&str> = rows.iter().map(|row| row["uri"].as_str().expect("text")).collect();
    assert!(uris.contains(&"library:demo://welcome") && uris.contains(&"library://about"));
    for uri in uris {
        quiet(&["read", uri, "--demo", "--json"]);
    }
}

#[test]
fn one_text_reads_as_a_string_and_one_blob_as_kind_and_size() {
    let text = quiet(&["read", "library://about", "--demo", "--json"]).json();
    assert!(text.as_str().is_some_and(|text| text.starts_with('#')), "{text}");
    let blob = quiet(&["read", "library://pictures/bookplate.png", "--demo", "--json"]).json();
    assert_eq!(blob, json!({"mime": "image/png", "size": 373}));
}

#[test]
fn a_prompt_is_its_description_and_messages() {
    let line = ["prompt", "library.greet", "name=Ada \"quoted\"\n--x", "--demo", "--json"];
    let prompt = quiet(&line).json();
    assert_eq!(keys(&prompt), ["description", "messages"]);
    assert_eq!(keys(&prompt["messages"][0]), ["role", "content"]);
    assert_eq!(prompt["messages"][0]["role"], "user");
    let content = prompt["messages"][0]["content"].as_str().expect("one text is a string");
    assert!(content.contains("I am Ada \"quoted\"\n--x."), "{content}");
    let picture = quiet(&["prompt", "describe_bookplate", "--demo", "--json"]).json();
    let first = &picture["messages"][0]["content"];
    assert_eq!(*first, json!("[image: image/png, 373 bytes]"));
}

#[test]
fn messages_are_json_lines_beside_the_data() {
    let home = Home::new();
    let config = home.write("servers.json", r#"{"mcpServers": {"bad": {"command": 7}}}"#);
    let words = ["resources", "--demo", "--json", "--config"];
    let ended = home.run_with(&words, &config);
    assert_eq!((ended.code, ended.json().as_array().map(Vec::len)), (Some(0), Some(14)));
    let messages = ended.messages();
    assert_eq!(messages.len(), 1, "{}", ended.err);
    assert_eq!((keys(&messages[0]), &messages[0]["note"]["code"]), (vec!["note"], &json!("usage")));
    let ended = home.run(&["read", "demo://welcome", "--demo", "--json"]);
    assert_eq!((ended.code, ended.out.len()), (Some(5), 0));
    let error = &ended.messages()[0]["error"];
    assert_eq!(keys(error), ["code", "message", "hint", "cause"]);
    assert_eq!(error["code"], "ambiguous");
    assert_eq!(error["cause"], json!(["library:demo://welcome", "observatory:demo://welcome"]));
}

#[test]
fn what_acts_or_hides_is_escaped_in_json_and_the_value_is_whole() {
    let ended = quiet(&["read", "library://notes/margin", "--demo", "--json"]);
    let hidden = ['\u{1b}', '\u{7}', '\u{200b}', '\u{202e}', '\u{e0049}'];
    assert!(!ended.text().contains(hidden), "{}", ended.text());
    let value = ended.json();
    let text = value.as_str().expect("a text");
    assert!(hidden.iter().all(|c| text.contains(*c)));
}
