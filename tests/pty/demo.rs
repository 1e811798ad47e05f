//! A first walk through the built-in servers.

use crate::driver::Terminal;
use crate::start::{BEFORE, Start};

/// Starts on the built-in servers and waits until both have listed everything.
pub fn settled(start: Start) -> Terminal {
    let terminal = start.start();
    terminal.wait_for("● 2 up");
    // Lists come one after another: a key in between would meet fewer rows.
    terminal.wait_for("R14 P7 T11");
    terminal.wait_for("1 of 16");
    terminal
}

#[test]
fn the_demo_is_walked_through_and_left_as_it_was_found() {
    let mut terminal = settled(Start::demo().under_a_shell());
    for (server, counts) in [("● library", "R9 P4 T4"), ("● observatory", "R5 P3 T7")] {
        terminal
            .wait_until(server, |seen| seen.row(server).is_some_and(|row| row.contains(counts)));
    }
    terminal.wait_for("▸ Welcome");
    terminal.wait_gone(BEFORE);

    terminal.keys("/ n o t i c e");
    terminal.wait_until("one row", |seen| seen.shows("Notice board") && !seen.shows("overdue.py"));
    terminal.keys("Esc");
    terminal.wait_for("overdue.py");

    terminal.keys("/ n o t i c e Enter Enter");
    terminal.wait_for("— end, read in");
    terminal.wait_for("library://notices/today");
    terminal.keys("d");
    terminal.wait_for("media type   text/plain");
    terminal.wait_gone("— end, read in");
    terminal.keys("d");
    terminal.wait_for("— end, read in");

    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
    terminal.assert_given_back();
    assert!(terminal.shows(BEFORE), "the shell's line is gone");
    assert!(terminal.shows("code=0"));
}

#[test]
fn a_prompt_is_filled_in_and_rendered() {
    let mut terminal = settled(Start::demo());
    terminal.keys("2 j");
    terminal.wait_for("▸ recommend_book");
    terminal.keys("Enter");
    terminal.wait_for("field 1 of 2");
    terminal.wait_for("mood  (required)");
    terminal.type_text("quite rainy");
    terminal.wait_for("▸ quite rainy");
    terminal.keys("Tab");
    terminal.wait_for("field 2 of 2");
    terminal.type_text("90");
    terminal.keys("Enter");
    terminal.wait_for("message 1 of 4");
    terminal.keys("End");
    terminal.wait_for("A reader in this mood: quite rainy.");
    terminal.wait_for("90 pages");
    terminal.wait_for("Whom is the book for?");
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn a_form_is_not_sent_without_what_it_requires() {
    let mut terminal = settled(Start::demo());
    terminal.keys("2 j Enter");
    terminal.wait_for("field 1 of 2");
    terminal.keys("Enter");
    terminal.wait_for("✗");
    terminal.wait_for("field 1 of 2");
    terminal.keys("q");
    terminal.wait_for("▸ q");
    terminal.keys("Ctrl-c");
    assert_eq!(terminal.wait_exit(), 0);
    terminal.assert_given_back();
}

#[test]
fn escape_never_quits() {
    let mut terminal = settled(Start::demo());
    for start in ["g", "Enter", "/ a", "2 Enter", "?"] {
        terminal.keys(start);
        for _ in 0..20 {
            terminal.keys("Esc");
        }
        assert!(!terminal.has_ended(), "after {start}");
        // All the way back: the pane of servers has the keys.
        terminal.wait_for("┏ Servers ━");
        terminal.keys("1");
        terminal.wait_for("┏ [Resources] Prompts Tools ━");
    }
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn keys_typed_before_the_first_frame_count() {
    let mut terminal = Start::demo().shell("read -r go; exec \"$0\" \"$@\"").start();
    // The first line lets the shell go on; the key behind it waits for the program.
    terminal.send(b"go\n2");
    terminal.wait_for("Resources [Prompts] Tools");
    terminal.wait_for("▸ greet");
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
    terminal.assert_given_back();
}

#[test]
fn keys_come_from_the_terminal_even_when_standard_input_does_not() {
    let mut terminal = settled(Start::demo().shell("\"$0\" \"$@\" </dev/null; echo code=$?"));
    terminal.keys("j");
    terminal.wait_for("▸ About this library");
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
    terminal.assert_given_back();
    assert!(terminal.shows("code=0"));
}
