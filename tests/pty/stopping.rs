//! Stopping and going on.

use crate::driver::{Seen, Terminal};
use crate::start::Start;
use rustix::process::Signal;

/// A shell with jobs: what runs is a job of its own, and the shell goes on when it stops.
const JOBS: &str = "set -m; \"$0\" \"$@\"; echo \"stopped=$?\"; read line; fg; echo \"code=$?\"";

fn settled(script: &str) -> Terminal {
    let terminal = Start::demo().shell(script).start();
    terminal.wait_for("R14 P7 T11");
    terminal.wait_for("1 of 16");
    terminal
}

/// Whether the shell has the screen.
fn is_shell(seen: &Seen) -> bool {
    let screen = seen.screen();
    seen.shows("stopped=")
        && !screen.alternate_screen()
        && !screen.hide_cursor()
        && !screen.bracketed_paste()
}

#[test]
fn the_key_stops_it_and_it_goes_on_at_the_present_size() {
    let mut terminal = settled(JOBS);
    terminal.keys("j");
    terminal.wait_for("▸ About this library");
    terminal.send(b"\x1a");
    terminal.wait_until("the shell", is_shell);
    assert!(!terminal.shows("About this library"));
    terminal.resize(130, 40);
    terminal.send(b"on\r");
    terminal.wait_until("a whole frame of the new size", |seen| {
        let text = seen.text();
        let lines: Vec<&str> = text.lines().collect();
        lines.len() == 40
            && lines[0].chars().count() == 130
            && seen.shows("▸ About this library")
            && seen.screen().alternate_screen()
            && seen.screen().bracketed_paste()
    });
    // The servers were there all the time.
    terminal.keys("Enter");
    terminal.wait_for("— end, read in");
    terminal.keys("q");
    terminal.wait_for("code=0");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn a_signal_stops_it_like_the_key_and_it_stops_again_and_again() {
    let script = "set -m; \"$0\" \"$@\"; for n in 1 2 3; do echo \"stopped=$n\"; read line; fg; done; \
                  echo \"code=$?\"";
    let mut terminal = settled(script);
    for (number, by_signal) in [(1, false), (2, true), (3, false)] {
        if by_signal {
            rustix::process::kill_process(terminal.job(), Signal::TSTP).unwrap();
        } else {
            terminal.send(b"\x1a");
        }
        // Keys that are sent before the shell is there are forgotten with the screen's.
        terminal.wait_until("the shell", |seen| {
            is_shell(seen) && seen.shows(&format!("stopped={number}"))
        });
        terminal.send(b"on\r");
        terminal.wait_until("the screen", |seen| {
            seen.screen().alternate_screen() && seen.shows("1 of 16")
        });
    }
    terminal.keys("q");
    terminal.wait_for("code=0");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn it_says_so_when_there_is_no_shell_to_go_back_to() {
    let mut terminal = crate::demo::settled(Start::demo());
    terminal.send(b"\x1a");
    terminal.wait_for("not stopped: there is no shell to go back to");
    terminal.signal(Signal::TSTP);
    terminal.keys("j");
    terminal.wait_for("▸ About this library");
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
    terminal.assert_given_back();
}

#[test]
fn a_start_in_the_background_is_told_and_ends() {
    let script = "set -m; \"$0\" \"$@\" & wait $!; echo \"code=$?\"";
    let mut terminal = Start::demo().shell(script).start();
    terminal.wait_for("vestibule was started in the background");
    terminal.wait_for("code=2");
    assert_eq!(terminal.wait_exit(), 0);
    assert!(!String::from_utf8_lossy(&terminal.raw()).contains("\x1b[?1049h"));
}

#[test]
fn what_goes_on_in_the_background_waits_for_the_foreground() {
    let script = "set -m; \"$0\" \"$@\"; echo \"stopped=$?\"; read line; bg; wait %1; \
                  echo \"waits=$?\"; read line; fg; echo \"code=$?\"";
    let mut terminal = settled(script);
    terminal.send(b"\x1a");
    terminal.wait_until("the shell", is_shell);
    terminal.send(b"bg\r");
    terminal.wait_for("its screen needs the terminal (fg)");
    terminal.wait_for("waits=");
    terminal.send(b"fg\r");
    terminal.wait_until("the screen", |seen| seen.screen().alternate_screen());
    terminal.wait_for("1 of 16");
    terminal.keys("q");
    terminal.wait_for("code=0");
    assert_eq!(terminal.wait_exit(), 0);
}

/// Fills what lies between the program and a terminal that no longer reads.
fn blocked() -> Terminal {
    let mut terminal = crate::demo::settled(Start::demo().size(250, 80));
    terminal.hold(true);
    for _ in 0..60 {
        terminal.send(b"?");
        // Only the time between two frames lets both be drawn.
        terminal.comes_within(std::time::Duration::from_millis(15), |_| false);
        terminal.resize(250, 79);
        terminal.send(b"\x1b");
        terminal.comes_within(std::time::Duration::from_millis(15), |_| false);
        terminal.resize(250, 80);
    }
    terminal
}

#[test]
fn a_terminal_that_does_not_read_does_not_keep_it() {
    let mut terminal = blocked();
    terminal.send(b"q");
    assert_eq!(terminal.exit_within(std::time::Duration::from_secs(5)), 0);
    assert!(!terminal.seen().screen().alternate_screen());
}

#[test]
fn a_terminal_that_reads_again_sees_the_latest() {
    let mut terminal = blocked();
    terminal.send(b"j");
    terminal.hold(false);
    terminal.wait_for("▸ About this library");
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
    terminal.assert_given_back();
}
