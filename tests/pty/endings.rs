//! The ways out, and what is left behind: nothing.

use crate::demo::settled;
use crate::driver::Terminal;
use crate::processes::unique_sleep;
use crate::scripted;
use crate::start::{BEFORE, Start};
use rustix::process::Signal;
use serde_json::json;
use std::time::Duration;

/// What ending may take, with a server that has to be killed. Much less than the time in which
/// the servers would end by themselves.
const SOON: Duration = Duration::from_secs(10);

/// Starts with servers that do not end by themselves, one of which does not want to end at all.
pub fn with_stubborn_servers(start: Start, length: &str) -> Terminal {
    let stubborn = format!("trap '' TERM HUP INT; sleep {length} & sleep {length}; sleep {length}");
    let servers = json!({
        "mute": { "command": "sleep", "args": [length] },
        "stubborn": { "command": "sh", "args": ["-c", stubborn] },
    });
    let terminal = start.servers(&servers).start();
    terminal.wait_for("● 2 up  … 2 connecting");
    terminal.wait_running(length, 4);
    terminal.wait_for("1 of 16");
    terminal
}

#[test]
fn signals_end_it_with_their_code() {
    let signals =
        [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130), (Signal::QUIT, 131)];
    for (signal, code) in signals {
        let mut terminal = settled(Start::demo());
        terminal.signal(signal);
        assert_eq!(terminal.wait_exit(), code, "{signal:?}");
        terminal.assert_given_back();
    }
}

#[test]
fn a_signal_leaves_no_server_behind() {
    let length = unique_sleep();
    let mut terminal = with_stubborn_servers(Start::demo(), &length);
    terminal.signal(Signal::TERM);
    assert_eq!(terminal.exit_within(SOON), 143);
    // What was killed takes a moment to be gone.
    terminal.wait_running(&length, 0);
    terminal.assert_given_back();
}

#[test]
fn the_key_for_interrupt_is_a_key() {
    let mut terminal = settled(Start::demo().under_a_shell());
    terminal.keys("/ q");
    terminal.wait_for("/ q");
    terminal.keys("Ctrl-c");
    assert_eq!(terminal.wait_exit(), 0);
    assert!(terminal.shows(BEFORE));
    assert!(terminal.shows("code=0"), "wanted, and no signal");
    terminal.assert_given_back();
}

/// Closes the terminal and waits for the end of all.
#[track_caller]
fn close_and_wait(start: Start) {
    let length = unique_sleep();
    let mut terminal = with_stubborn_servers(start, &length);
    terminal.close();
    assert_eq!(terminal.exit_within(SOON), 129);
    // What was killed takes a moment to be gone.
    terminal.wait_running(&length, 0);
}

#[test]
fn a_closed_terminal_ends_it() {
    close_and_wait(Start::demo());
}

#[test]
fn a_closed_terminal_ends_it_when_hang_ups_are_ignored() {
    close_and_wait(Start::demo().shell("trap '' HUP; exec \"$0\" \"$@\""));
}

#[test]
fn a_closed_terminal_ends_it_when_nobody_is_told() {
    close_and_wait(Start::demo().without_control());
}

#[test]
fn a_closed_terminal_ends_it_while_nothing_happens() {
    // With nothing to draw it cannot find out by drawing.
    for start in [Start::demo(), Start::demo().without_control()] {
        let mut terminal = settled(start);
        terminal.wait_quiet(Duration::from_millis(300));
        terminal.close();
        assert_eq!(terminal.exit_within(SOON), 129);
    }
}

#[test]
fn keys_behind_the_last_one_do_not_become_commands_of_the_shell() {
    let mut terminal = settled(Start::demo());
    // More than the program reads at once.
    terminal.send(format!("q{}", "echo leaked\n".repeat(120)).as_bytes());
    assert_eq!(terminal.wait_exit(), 0);
    assert!(!terminal.leaves_keys());
}

/// What a server gets until it is killed, three times 0.4 s, and room for a slow machine.
const GRACE: Duration = Duration::from_secs(5);

/// Ends the program in some way while a call to a server runs that neither answers it nor ends,
/// neither with its input nor when it is asked to.
#[track_caller]
fn ended_by(end: impl Fn(&mut Terminal), code: u32) {
    let (length, folder) = (unique_sleep(), tempfile::tempdir().unwrap());
    let resource = json!({ "uri": "slow://never-answered", "name": "never" });
    let answers = [
        (
            "initialize",
            json!({
                "protocolVersion": "2025-11-25",
                "capabilities": { "resources": {} },
                "serverInfo": { "name": "stubborn", "version": "1" },
            }),
        ),
        ("resources/list", json!({ "resources": [resource] })),
        ("resources/templates/list", json!({ "resourceTemplates": [] })),
        ("error", json!({ "code": -32601, "message": "no such method" })),
    ];
    let servers = json!({ "stubborn": scripted::stubborn(folder.path(), &answers, &length) });
    let mut terminal = Start::new(&[]).servers(&servers).start();
    terminal.wait_for("▸ never");
    terminal.keys("Enter");
    terminal.wait_for("Esc stops");
    terminal.wait_running(&length, 1);
    end(&mut terminal);
    assert_eq!(terminal.exit_within(GRACE), code);
    // What was killed takes a moment to be gone.
    terminal.wait_running(&length, 0);
}

#[test]
fn a_server_that_does_not_want_to_end_is_gone_when_the_terminal_is() {
    ended_by(Terminal::close, 129);
}

#[test]
fn a_server_that_does_not_want_to_end_is_gone_after_a_hang_up() {
    ended_by(|terminal| terminal.signal(Signal::HUP), 129);
}

#[test]
fn a_server_that_does_not_want_to_end_is_gone_after_the_key_for_interrupt() {
    let end = |terminal: &mut Terminal| {
        terminal.keys("Ctrl-c");
        terminal.wait_for("1 call is still running.");
        terminal.keys("Ctrl-c");
    };
    ended_by(end, 0);
}

#[test]
fn staying_is_possible_while_a_call_runs() {
    let end = |terminal: &mut Terminal| {
        terminal.keys("q");
        terminal.wait_for("1 call is still running.");
        terminal.keys("Esc");
        terminal.wait_gone("1 call is still running.");
        terminal.wait_for("Esc stops");
        assert!(!terminal.has_ended());
        terminal.keys("q");
        terminal.wait_for("1 call is still running.");
        terminal.keys("q");
    };
    ended_by(end, 0);
}
