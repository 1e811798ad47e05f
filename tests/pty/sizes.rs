//! Terminals of any size, and of sizes that change.

use crate::demo::settled;
use crate::driver::{Seen, Terminal};
use crate::start::Start;
use rustix::process::Signal;

fn with_a_text_open() -> Terminal {
    let mut terminal = settled(Start::demo());
    terminal.keys("j Enter");
    terminal.wait_for("— end, read in");
    terminal
}

/// Checks that the text and the selection are where they were, and that keys work.
fn assert_usable(mut terminal: Terminal) {
    terminal.wait_until("the text and the selection", |seen| {
        seen.shows("library://about") && seen.shows("▸ About this library")
    });
    terminal.keys("h j");
    terminal.wait_for("▸ Notice board");
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
    terminal.assert_given_back();
}

#[test]
fn each_size_has_its_arrangement() {
    let terminal = with_a_text_open();
    terminal.resize(40, 10);
    terminal.wait_until("the preview alone", |seen| {
        seen.shows("library://about") && !seen.shows("Servers")
    });
    terminal.resize(39, 9);
    terminal.wait_for("vestibule needs at least 40x10");
    terminal.resize(1, 1);
    terminal.resize(200, 50);
    terminal.wait_until("three panes side by side", |seen| {
        let panes = ["Servers", "[Resources]", "library://about"];
        seen.row("Servers").is_some_and(|row| panes.iter().all(|pane| row.contains(pane)))
    });
    // A terminal that says it is 0 by 0 does not know; 80 by 24 is taken.
    terminal.resize(80, 24);
    terminal.wait_for("▸ About this library");
    terminal.resize(0, 0);
    assert_usable(terminal);
}

#[test]
fn a_terminal_that_does_not_know_its_size_is_taken_for_a_common_one() {
    let mut terminal = settled(Start::demo().size(0, 0));
    terminal.wait_until("all of 80 by 24", |seen| {
        let lines: Vec<String> = seen.text().lines().map(str::to_owned).collect();
        lines.len() == 24 && lines[0].chars().count() == 80
    });
    terminal.resize(120, 30);
    terminal.wait_until("a wider arrangement", |seen| {
        seen.row("Servers").is_some_and(|row| row.contains("[Resources]"))
    });
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn the_environment_tells_the_size_of_a_terminal_that_does_not_know_it() {
    let start = Start::demo().untold_size(120, 35).variable("COLUMNS", "120");
    let mut terminal = settled(start.variable("LINES", "35"));
    terminal.wait_until("all of 120 by 35", |seen| {
        let lines: Vec<String> = seen.text().lines().map(str::to_owned).collect();
        lines.len() == 35 && lines[0].chars().count() == 120
    });
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn a_size_that_is_known_is_not_taken_from_the_environment() {
    let start = Start::demo().variable("COLUMNS", "40").variable("LINES", "10");
    let mut terminal = settled(start);
    terminal.wait_until("all of 100 by 30", |seen| {
        let lines: Vec<String> = seen.text().lines().map(str::to_owned).collect();
        lines.len() == 30 && lines[0].chars().count() == 100
    });
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
}

/// Whether a frame of this many columns is on the screen, and not the remains of a wider one.
fn is_filled(seen: &Seen, columns: usize) -> bool {
    let text = seen.text();
    let first = text.lines().next().unwrap_or_default();
    first.chars().count() == columns && first.ends_with(['┓', '┐'])
}

/// A thousand sizes, none waiting for the one before, and then a common one. Comes back when the
/// program has drawn in that: a key could else be taken up between two sizes.
fn storm(terminal: &Terminal) {
    let mut random: u32 = 0x2545_F491;
    let mut next = |below: u32| {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        u16::try_from(random % below).unwrap()
    };
    for _ in 0..1000 {
        terminal.resize(next(250), next(80));
    }
    // No size before was this wide: what is seen in it was drawn after all of them.
    terminal.resize(250, 80);
    terminal.wait_until("all of 250 columns", |seen| is_filled(seen, 250));
    terminal.resize(80, 24);
    terminal.wait_until("all of 80 columns", |seen| is_filled(seen, 80));
}

#[test]
fn many_sizes_in_a_row_do_no_harm() {
    let terminal = with_a_text_open();
    storm(&terminal);
    assert_usable(terminal);
}

#[test]
fn many_sizes_in_a_row_do_no_harm_to_a_form() {
    let mut terminal = settled(Start::demo());
    terminal.keys("2 G g j Enter");
    terminal.wait_for("field 1 of 2");
    terminal.type_text("quite rainy");
    terminal.wait_for("▸ quite rainy");
    storm(&terminal);
    terminal.wait_until("the form as it was", |seen| {
        seen.shows("field 1 of 2") && seen.shows("▸ quite rainy")
    });
    terminal.type_text(", and warm");
    terminal.wait_for("▸ quite rainy, and warm");
    terminal.keys("Ctrl-c");
    assert_eq!(terminal.wait_exit(), 0);
    terminal.assert_given_back();
}

#[test]
fn many_sizes_in_a_row_do_no_harm_to_help_over_the_end_of_a_list() {
    let mut terminal = settled(Start::demo());
    terminal.keys("G");
    terminal.wait_for("▸ Readings of a day");
    terminal.keys("? G");
    terminal.wait_until("the end of the help", |seen| {
        // "lines 40-60 of 60": the last one shown is the last one there is.
        let row = seen.row("lines").unwrap_or_default();
        let place = row.split("lines ").nth(1).and_then(|rest| rest.split_once(" of "));
        place.is_some_and(|(shown, total)| {
            let total = total.split(' ').next().unwrap_or_default();
            !total.is_empty() && shown.ends_with(&format!("-{total}"))
        })
    });
    storm(&terminal);
    terminal.wait_for("Esc close");
    terminal.keys("G");
    terminal.wait_for("What servers wrote is shown");
    terminal.keys("Esc");
    terminal.wait_until("the selection where it was", |seen| {
        seen.shows("▸ Readings of a day") && seen.shows("16 of 16")
    });
    terminal.keys("k");
    terminal.wait_for("▸ Book");
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
    terminal.assert_given_back();
}

#[test]
fn neither_is_lost_when_a_key_and_a_new_size_come_together() {
    let mut terminal = with_a_text_open();
    for (key, title) in [(b"h", "┏ [Resources]"), (b"l", "┏ library://about")].repeat(4) {
        let wide = key == b"h";
        // Held, so that both are there when it looks.
        terminal.signal(Signal::STOP);
        terminal.resize(if wide { 130 } else { 100 }, 30);
        terminal.send(key);
        terminal.signal(Signal::CONT);
        terminal.wait_until(title, |seen| {
            let side_by_side = seen.row("Servers").is_some_and(|row| row.contains("[Resources]"));
            side_by_side == wide && seen.shows(title)
        });
    }
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn many_keys_at_once_all_count() {
    let mut terminal = with_a_text_open();
    terminal.keys("h / ");
    // More than is read at once.
    terminal.type_text(&"a".repeat(1500));
    terminal.keys("Ctrl-u");
    terminal.type_text("fox");
    terminal.wait_for("/ fox");
    terminal.keys("Ctrl-c");
    assert_eq!(terminal.wait_exit(), 0);
}
