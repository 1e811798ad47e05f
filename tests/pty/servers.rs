//! Servers that do not behave, beside some that do.

use crate::driver::Terminal;
use crate::processes::{running_with, unique_sleep};
use crate::start::Start;
use crate::stream;
use serde_json::json;
use std::time::Duration;

/// Much less than a connection may take.
const SOON: Duration = Duration::from_secs(10);

fn with_a_mute_server(length: &str) -> Terminal {
    Start::demo().servers(&json!({ "mute": { "command": "sleep", "args": [length] } })).start()
}

#[test]
fn a_mute_server_holds_nothing_up() {
    let length = unique_sleep();
    let mut terminal = with_a_mute_server(&length);
    terminal.wait_until("all three servers", |seen| {
        seen.row("… mute").is_some_and(|row| row.contains("connecting")) && seen.shows("● 2 up")
    });
    terminal.wait_running(&length, 1);
    terminal.wait_for("1 of 16");
    terminal.keys("j Enter");
    terminal.wait_for("— end, read in");
    terminal.wait_for("… 1 connecting");
    terminal.keys("q");
    assert_eq!(terminal.exit_within(SOON), 0);
    assert_eq!(running_with(&length), [""; 0]);
    terminal.assert_given_back();
}

#[test]
fn the_first_frame_waits_for_no_server() {
    let length = unique_sleep();
    let servers = json!({ "mute": { "command": "sleep", "args": [&length] } });
    let mut terminal = Start::new(&[]).servers(&servers).start();
    terminal.wait_for("connecting, no resources yet");
    terminal.keys("?");
    terminal.wait_for("this help; again: close");
    terminal.keys("Esc q");
    assert_eq!(terminal.exit_within(SOON), 0);
    assert_eq!(running_with(&length), [""; 0]);
}

#[test]
fn a_dead_server_is_a_row_with_its_reason() {
    let servers = json!({ "gone": { "command": "no-such-command-of-ours" } });
    let mut terminal = Start::demo().servers(&servers).start();
    terminal.wait_until("the reason in its row", |seen| {
        seen.row("✗ gone").is_some_and(|row| row.contains("down: `no-such-command"))
    });
    terminal.wait_for("●2 ✗1");
    terminal.wait_for("1 of 16");
    terminal.keys("h g j");
    terminal.wait_for("could not be started");
    terminal.wait_for("no such program: install it, or give its full path");
    terminal.keys("j");
    terminal.wait_for("calls itself library");
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn what_a_server_writes_to_standard_error_never_reaches_the_screen_as_it_is() {
    let script =
        "printf '\\033[31mRED\\033[0m\\rover\\n\\007bell \\033]0;title\\007\\n' >&2; exit 3";
    let servers = json!({ "noisy": { "command": "sh", "args": ["-c", script] } });
    let mut terminal = Start::demo().servers(&servers).start();
    terminal.wait_until("the reason in its row", |seen| {
        seen.row("✗ noisy").is_some_and(|row| row.contains("down"))
    });
    terminal.wait_for("1 of 16");
    terminal.keys("h g j");
    terminal.wait_for("▸ ✗ noisy");
    terminal.keys("e");
    terminal.wait_for("standard error");
    terminal.wait_for("␛[31mRED␛[0m␍over");
    terminal.wait_for("␇bell ␛]0;title␇");
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
    stream::assert_ours_only(&terminal.raw());
}
