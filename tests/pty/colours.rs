//! Without colours.

use crate::demo::settled;
use crate::driver::Seen;
use crate::start::Start;
use crate::stream::{Piece, pieces};

/// Whether a control sequence for the style of text sets a colour, or takes one back.
fn is_of_colour(parameters: &str) -> bool {
    let numbers = parameters.split([';', ':']).filter_map(|n| n.parse::<u16>().ok());
    numbers.into_iter().any(|n| matches!(n, 30..=49 | 90..=107))
}

/// A property of the cell in which a text starts.
fn cell(seen: &Seen, text: &str, has: impl Fn(&vt100::Cell) -> bool) -> bool {
    let shown = seen.text();
    let Some((row, line)) = shown.lines().enumerate().find(|(_, line)| line.contains(text)) else {
        return false;
    };
    let column = line.split(text).next().unwrap().chars().count();
    let at = |n: usize| u16::try_from(n).unwrap();
    seen.screen().cell(at(row), at(column)).is_some_and(has)
}

fn selected_without_colours(start: Start) -> Vec<u8> {
    let mut terminal = settled(start);
    terminal.wait_until("a selected row that stands out", |seen| {
        cell(seen, "▸ Welcome", vt100::Cell::inverse)
            && !cell(seen, "About this library", vt100::Cell::inverse)
    });
    terminal.keys("j");
    terminal.wait_until("the next row, and only that", |seen| {
        cell(seen, "▸ About this library", vt100::Cell::inverse)
            && !cell(seen, "Welcome", vt100::Cell::inverse)
    });
    terminal.keys("Enter");
    terminal.wait_until("a selection that stands out where the keys are not", |seen| {
        cell(seen, "▸ About this library", vt100::Cell::bold)
    });
    terminal.wait_for("— end, read in");
    terminal.keys("2 j Enter");
    terminal.wait_for("field 1 of 2");
    terminal.keys("Enter");
    terminal.wait_for("✗");
    terminal.keys("Esc ?");
    terminal.wait_for("this help; again: close");
    terminal.keys("Esc q");
    assert_eq!(terminal.wait_exit(), 0);
    terminal.assert_given_back();
    terminal.raw()
}

#[test]
fn no_color_means_none_at_all() {
    let raw = selected_without_colours(Start::demo().variable("NO_COLOR", "1"));
    for piece in pieces(&raw) {
        if let Piece::Csi(parameters, 'm') = piece {
            assert!(!is_of_colour(parameters), "{parameters}");
        }
    }
}

#[test]
fn an_empty_no_color_asks_for_nothing() {
    let mut terminal = settled(Start::demo().variable("NO_COLOR", ""));
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
    let raw = terminal.raw();
    let coloured = |piece: &Piece<'_>| matches!(piece, Piece::Csi(p, 'm') if is_of_colour(p));
    assert!(pieces(&raw).iter().any(coloured), "the check finds nothing where there is something");
}

#[test]
fn a_theme_with_a_ground_of_its_own_leaves_no_cell_without() {
    for (theme, ground) in [("dark", 234), ("light", 255)] {
        let settings = format!("[screen]\ntheme = \"{theme}\"\n");
        let mut terminal = settled(Start::demo().file("vestibule/settings.toml", &settings));
        terminal.keys("?");
        terminal.wait_until("the ground everywhere", |seen| {
            let cells = (0..30).flat_map(|row| (0..100).map(move |column| (row, column)));
            let mut cells = cells.filter_map(|(row, column)| seen.screen().cell(row, column));
            seen.shows("this help; again: close")
                && cells.all(|cell| cell.bgcolor() == vt100::Color::Idx(ground))
        });
        terminal.keys("Esc q");
        assert_eq!(terminal.wait_exit(), 0);
        terminal.assert_given_back();
    }
}
