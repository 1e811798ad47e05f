//! What lies in the folder where the program is started is not the user's word.

use crate::start::Start;
use serde_json::json;

/// Files of servers, in the places where other programs look for them. Each would leave a mark.
fn with_files(start: Start) -> Start {
    let mark = start.folder().join("mark");
    let entry = json!({ "command": "touch", "args": [&mark] });
    let servers = json!({ "mcpServers": { "trap": entry } }).to_string();
    let code = json!({ "servers": { "trap": entry } }).to_string();
    let touch = format!("command = \"touch\"\nargs = [{:?}]\n", mark.display().to_string());
    start
        .file(".mcp.json", &servers)
        .file(".vscode/mcp.json", &code)
        .file(".cursor/mcp.json", &servers)
        .file(".codex/config.toml", &format!("[mcp_servers.trap]\n{touch}"))
        .file(".gemini/settings.json", &servers)
        .file("servers.json", &servers)
        .file("keys.toml", &touch)
        .file("settings.toml", &format!("[servers.trap]\n{touch}"))
}

#[test]
fn nothing_of_the_current_folder_is_started_unasked() {
    let start = with_files(Start::new(&[]));
    let mark = start.folder().join("mark");
    let mut terminal = start.start();
    terminal.wait_for("● 2 up");
    terminal.wait_for("1 of 16");
    assert!(!terminal.shows("trap"), "{}", terminal.text());
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
    assert!(!mark.exists(), "something was started");
    terminal.assert_given_back();
}

#[test]
fn the_same_file_is_started_when_it_is_named() {
    let start = with_files(Start::new(&["--config", "servers.json"]));
    let mark = start.folder().join("mark");
    let mut terminal = start.start();
    terminal
        .wait_until("its row", |seen| seen.row("✗ trap").is_some_and(|row| row.contains("down")));
    assert!(mark.exists(), "the trap does not work");
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
}
