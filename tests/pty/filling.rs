//! Filling in forms with what the built-in servers propose.

use crate::demo::settled;
use crate::start::Start;

#[test]
fn a_template_is_filled_in_by_proposals_and_read() {
    let mut terminal = settled(Start::demo());
    terminal.keys("G Enter");
    terminal.wait_for("URI  observatory://readings//");
    terminal.wait_for("3 proposals");
    for station in ["summit", "meadow", "harbour"] {
        terminal.wait_for(station);
    }
    terminal.type_text("ME");
    terminal.wait_for("1 proposal");
    terminal.wait_gone("harbour");
    terminal.keys("Ctrl-n");
    terminal.wait_for("Enter take");
    terminal.keys("Tab");
    // The station in the field is what the server put it as, and the days are that station's.
    terminal.wait_for("URI  observatory://readings/meadow/");
    terminal.wait_for("2026-06-03");
    terminal.wait_for("10 of 15 proposals");
    terminal.type_text("2026-06-2");
    // Not the end of the fifteen before.
    terminal.wait_for("    5 proposals");
    terminal.keys("Ctrl-n Ctrl-n Enter");
    terminal.wait_for("URI  observatory://readings/meadow/2026-06-23");
    terminal.keys("Enter");
    terminal.wait_for("\"station\": \"meadow\"");
    terminal.wait_for("\"day\": \"2026-06-23\"");
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
    terminal.assert_given_back();
}

#[test]
fn what_is_filled_in_wrongly_comes_back_with_the_reason_and_is_kept() {
    let mut terminal = settled(Start::demo());
    terminal.keys("G Enter");
    terminal.type_text("cellar");
    terminal.wait_for("0 proposals");
    terminal.keys("Tab");
    terminal.type_text("2026-06-28");
    terminal.keys("Enter");
    terminal.wait_for("the server answered resources/read with error");
    terminal.keys("Enter");
    terminal.wait_for("cellar");
    terminal.wait_for("URI  observatory://readings/cellar/2026-06-28");
    terminal.keys("Ctrl-c");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn a_prompt_that_requires_nothing_runs_at_once_and_has_a_form_all_the_same() {
    let mut terminal = settled(Start::demo());
    terminal.keys("2 g Enter");
    terminal.wait_for("I am a passing reader.");
    terminal.keys("o");
    terminal.wait_for("field 1 of 1");
    terminal.type_text("Ada");
    terminal.keys("Enter");
    terminal.wait_for("I am Ada.");
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
}
