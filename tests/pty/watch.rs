//! A resource of the built-in library that changes while it is watched, and a yes that is asked
//! for.

use crate::demo::settled;
use crate::driver::Terminal;
use crate::start::Start;
use serde_json::json;

/// Where the cat is, by the content on the screen.
fn cat(terminal: &Terminal) -> Option<String> {
    let seen = terminal.seen();
    let row = seen.row("The cat was last seen")?;
    row.split("The cat was last seen").nth(1).map(str::to_owned)
}

#[test]
fn a_watched_resource_changes_on_the_screen_by_itself() {
    let mut terminal = settled(Start::demo());
    terminal.keys("/ n o t i c e Enter Enter");
    terminal.wait_for("The cat was last seen");
    terminal.keys("w");
    terminal.wait_for("watched: library://notices/today");
    terminal.wait_for("content ◉");
    let before = cat(&terminal);
    terminal.wait_for("changed, and read again: library://notices/today");
    assert!(before.is_some() && cat(&terminal) != before, "{}", terminal.text());
    terminal.keys("w");
    terminal.wait_for("no longer watched");
    terminal.wait_gone("◉");
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
    terminal.assert_given_back();
}

#[test]
fn what_wants_a_yes_is_read_after_it() {
    let program = env!("CARGO_BIN_EXE_vestibule");
    let library = json!({
        "command": program, "args": ["demo", "library", "--stdio"],
        "permissions": { "confirm": { "resources": ["library://about"] } }
    });
    let mut terminal = Start::new(&[]).servers(&json!({ "library": library })).start();
    terminal.wait_for("R9 P4 T4");
    terminal.keys("g j");
    terminal.wait_for("▸ About this library");
    terminal.keys("Enter");
    terminal.wait_for("Read this resource?");
    terminal.keys("n");
    terminal.wait_gone("Read this resource?");
    assert!(!terminal.shows("— end, read in"));
    terminal.keys("Enter");
    terminal.wait_for("Read this resource?");
    terminal.keys("y");
    terminal.wait_for("library://about  library · content");
    terminal.keys("End");
    terminal.wait_for("— end, read in");
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
}
