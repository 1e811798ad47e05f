//! Where servers come from, and what is never started.

use crate::run::Home;
use serde_json::{Value, json};

/// An entry whose start can be seen afterwards.
fn trap(home: &Home) -> Value {
    let mark = home.path("started").display().to_string();
    json!({"command": "touch", "args": [mark]})
}

fn names(rows: &Value) -> Vec<&str> {
    rows.as_array().expect("rows").iter().map(|row| row["name"].as_str().expect("text")).collect()
}

#[test]
fn files_of_other_programs_in_the_current_folder_start_nothing() {
    let home = Home::new();
    let entry = trap(&home);
    for (file, key) in [
        (".mcp.json", "mcpServers"),
        (".vscode/mcp.json", "servers"),
        (".cursor/mcp.json", "mcpServers"),
        ("mcp.json", "mcpServers"),
        ("servers.json", "mcpServers"),
    ] {
        home.write(file, &json!({ key: { "trap": entry } }).to_string());
    }
    assert_eq!(home.run(&["resources"]).code, Some(2));
    let ended = home.run(&["servers", "--demo", "--json"]);
    assert_eq!(names(&ended.json()), ["library", "observatory"]);
    assert!(!home.path("started").exists());
}

#[test]
fn the_own_file_is_read_and_what_is_named_replaces_it() {
    let home = Home::new();
    let entry = trap(&home);
    let own = json!({"mcpServers": {"trap": entry}}).to_string();
    home.write("home/servers.json", &own);
    let ended = home.run(&["servers", "--demo", "--json"]);
    assert_eq!(names(&ended.json()), ["library", "observatory"]);
    assert!(!home.path("started").exists());
    // It is a trap indeed: its own way it is started.
    let ended = home.run(&["servers", "--json"]);
    assert_eq!((ended.code, names(&ended.json())), (Some(4), vec!["trap"]));
    assert!(home.path("started").exists());
}

#[test]
fn only_the_named_server_is_started() {
    let home = Home::new();
    let entry = trap(&home);
    let config = home.write("c.json", &json!({"mcpServers": {"trap": entry}}).to_string());
    let words = ["servers", "--demo", "--server", "library", "--json", "--config"];
    let ended = home.run_with(&words, &config);
    assert_eq!(names(&ended.json()), ["library"]);
    assert!(!home.path("started").exists());
    // A blank beside the name means nothing, for a list as for a read.
    let read = ["read", "demo://welcome", "--demo", "--server", " library "];
    assert_eq!(home.run(&read).code, Some(0));
}

#[test]
fn several_sources_add_up_in_the_order_of_files_demo_and_command() {
    let home = Home::new();
    home.write("a.json", r#"{"mcpServers": {"one": {"command": "no-such-program-one"}}}"#);
    home.write("b.json", r#"{"servers": {"two": {"command": "no-such-program-two"}}}"#);
    let ended = home.run(&[
        "servers",
        "--json",
        "--demo",
        "--config",
        "a.json",
        "--config",
        "b.json",
        "--",
        "no-such-program-three",
        "--demo",
    ]);
    let rows = ended.json();
    assert_eq!(names(&rows), ["one", "two", "library", "observatory", "no-such-program-three"]);
    assert_eq!(ended.code, Some(0));
}

#[test]
fn comments_commas_and_bad_entries_leave_the_others_standing() {
    let home = Home::new();
    let config = home.write(
        "servers.json",
        r#"{
            // a comment
            "mcpServers": {
                "good": {"command": "no-such-program", "args": [],}, /* and another */
                "number": {"command": 7},
                "both": {"command": "a", "url": "http://127.0.0.1:1/"},
                "a:b": {"command": "a"},
                "off": {"command": "no-such-program", "disabled": true},
                "odd": {"command": "no-such-program", "colour": "red"},
            },
        }"#,
    );
    let ended = home.run_with(&["servers", "--json", "--config"], &config);
    let rows = ended.json();
    assert_eq!(names(&rows), ["good", "off", "odd"]);
    let link = |n: usize| rows[n]["link"].clone();
    assert_eq!([link(0), link(1), link(2)], ["down", "idle", "down"]);
    let messages = ended.messages();
    let notes: Vec<&str> =
        messages.iter().filter_map(|message| message["note"]["message"].as_str()).collect();
    assert_eq!(notes.len(), 4, "{}", ended.err);
    for part in ["`number` is skipped", "`both` is skipped", "a:b", "unknown key `colour`"] {
        assert!(notes.iter().any(|note| note.contains(part)), "{part}: {notes:?}");
    }
    assert_eq!(ended.code, Some(4), "all that are switched on failed");
}

#[test]
fn secrets_of_an_entry_are_nowhere_in_the_output() {
    let home = Home::new();
    let config = home.write(
        "servers.json",
        r#"{"mcpServers": {"s": {"command": "no-such-program",
            "args": ["--token", "hunter2hunter2"], "env": {"API_KEY": "hunter2hunter2"}}}}"#,
    );
    for command in ["servers", "resources"] {
        for json in [&[][..], &["--json"]] {
            let words = [&[command], json, &["--config"]].concat();
            let ended = home.run_with(&words, &config);
            assert_eq!(ended.code, Some(4));
            assert!(!ended.text().contains("hunter2") && !ended.err.contains("hunter2"));
        }
    }
}

#[test]
fn a_file_that_cannot_be_read_is_named_with_its_place() {
    let home = Home::new();
    let config = home.write("servers.json", "{\"mcpServers\": {\n  \"a\": nonsense\n}}");
    let ended = home.run_with(&["servers", "--config"], &config);
    assert_eq!((ended.code, ended.out.len()), (Some(2), 0));
    assert!(ended.err.contains("servers.json") && ended.err.contains('2'), "{}", ended.err);
    home.write("home/settings.toml", "[limits]\nmax_pages = \"many\"\n");
    let ended = home.run(&["servers", "--demo"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.err.contains("max_pages"), "{}", ended.err);
}
