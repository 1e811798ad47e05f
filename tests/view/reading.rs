//! What a reader of items meets: hints, room, positions, what is not text.

use crate::support::*;
use vestibule::domain::*;
use vestibule::registry::Lists;
use vestibule::tui::{Effect, Msg};

fn bar(screen: &Screen) -> String {
    screen.draw().0.lines().last().unwrap().to_owned()
}

#[test]
fn what_cannot_be_opened_says_what_it_is_for() {
    let mut screen = Screen::new(80, 24);
    screen.keys("j j j j");
    assert!(screen.shows("Enter opens its form."));
    assert!(bar(&screen).contains("Enter form") && bar(&screen).contains("d details"));
    screen.keys("3");
    assert!(screen.shows("Enter opens its form, or its last answer"));
    assert!(!bar(&screen).contains("open") && bar(&screen).contains("Enter call"));
    screen.keys("1 g");
    assert!(bar(&screen).contains("Enter open"));
}

#[test]
fn the_bar_offers_what_works_where_the_keys_are() {
    let mut screen = Screen::new(80, 24);
    let offered = |screen: &Screen, yes: &[&str], no: &[&str]| {
        let bar = bar(screen);
        assert!(yes.iter().all(|y| bar.contains(y)), "{yes:?} in {bar}");
        assert!(!no.iter().any(|n| bar.contains(n)), "{no:?} not in {bar}");
        assert!(bar.ends_with("? keys  q quit"), "{bar}");
    };
    offered(&screen, &["Enter open", "/ filter", "1 2 3 lists", "d details"], &["c connect"]);
    screen.keys("h j");
    offered(&screen, &["x disconnect", "r refresh", "e output"], &["c connect", "open"]);
    screen.keys("G");
    offered(&screen, &["c connect", "e output"], &["disconnect", "refresh"]);
    screen.keys("g l l");
    offered(&screen, &["Enter open", "Esc back"], &["d details", "d content"]);
    let call = screen.open();
    offered(&screen, &["Esc stops"], &["Enter open"]);
    screen.answer(call, Ok(text_page("library://rooms/reading", "x")));
    offered(&screen, &["↑↓ PgUp PgDn scroll", "d details", "f full", "Esc back"], &["Enter"]);
    screen.keys("d");
    offered(&screen, &["d content", "Enter open"], &["d details"]);
}

#[test]
fn the_question_stands_in_the_middle() {
    for size in [(80, 24), (40, 10)] {
        let mut screen = Screen::new(size.0, size.1);
        screen.open();
        screen.keys("q");
        let shown = screen.draw().0;
        let lines: Vec<_> = shown.lines().collect();
        let row = lines.iter().position(|l| l.contains("1 call is still running")).unwrap();
        assert!(row > 1 && row < lines.len() - 3, "{shown}");
        assert!(shown.contains("q quit  Esc stay"), "{shown}");
    }
}

#[test]
fn the_preview_takes_the_full_width_and_gives_it_back() {
    let mut screen = Screen::new(80, 24);
    let call = screen.open();
    let text: String = (1..=60).map(|n| format!("row {n} {}\n", "word ".repeat(12))).collect();
    screen.answer(call, Ok(text_page("library://rooms/reading", &text)));
    screen.keys("G");
    for (there, back) in [("f", "f"), ("f", "Esc")] {
        screen.keys(there);
        assert!(!screen.shows("Servers") && screen.shows("row 60 "), "{}", screen.draw().0);
        let rows = screen.draw().0.lines().filter(|l| l.contains("row ")).count();
        assert!(rows > 15, "the window is full");
        screen.keys(back);
        assert!(screen.shows("Servers") && screen.shows("content"));
    }
    screen.keys("f Tab");
    assert!(screen.shows("Servers"), "other panes are never hidden while they have the keys");
    screen.keys("l l");
    assert!(screen.shows("Servers"));
}

#[test]
fn the_position_tells_the_first_and_the_last_line_on_screen() {
    let mut screen = Screen::new(80, 24);
    let call = screen.open();
    // With a heading, a gap, a gap and the end around them: 104 lines, the last ones folded.
    let text: Vec<_> = (1..=100).map(|n| format!("row {n} {}", "wide ".repeat(n / 5))).collect();
    screen.answer(call, Ok(text_page("library://rooms/reading", &text.join("\n"))));
    assert!(screen.shows("lines 1-") && screen.shows(" of 104 "));
    screen.keys("G");
    assert!(screen.shows("-104 of 104 ") && screen.shows("read in 0.1 s"));
    let end = screen.draw();
    screen.keys("PgDn j Ctrl-d End G");
    assert_eq!(screen.draw(), end, "never beyond the end");
    screen.keys("k");
    assert!(!screen.shows("read in 0.1 s"), "one row, not one line");
    screen.keys("j");
    assert_eq!(screen.draw(), end);
    screen.keys("Home");
    let start = screen.draw();
    screen.keys("PgUp k Ctrl-u g");
    assert_eq!(screen.draw(), start);
}

#[test]
fn bytes_keep_their_characters_in_a_narrow_pane_and_can_be_saved() {
    let bytes: Vec<u8> = (0x30..0x58).collect();
    for (width, row) in [
        (80, "30 31 32 33 34 35 36 37  |01234567|"),
        (200, "38 39 3a 3b 3c 3d 3e 3f  |0123456789:;<=>?|"),
        (40, "30 31 32 33  |0123|"),
    ] {
        let mut screen = Screen::new(width, 24);
        let call = screen.open();
        let body = ResourceBody::Blob(bytes.clone().into());
        screen.answer(call, Ok(page_of("library://rooms/reading", body)));
        assert!(screen.shows(row), "{}", screen.draw().0);
        assert!(screen.shows("s saves it to a file."), "{}", screen.draw().0);
    }
}

#[test]
fn a_wide_list_shows_both_ends_of_names_and_addresses() {
    let long = "library://a/shelf/with/a/very/long/name/that/goes/on/and/on/and/on/volume-";
    let items = (1..=2).map(|n| {
        resource(&format!("a name as long as it is pointless, number {n}"), &format!("{long}{n}"))
    });
    let lists = Lists { resources: fresh(items.collect()), ..Default::default() };
    let mut screen = Screen::empty(200, 50);
    screen.send(Msg::View(registry(vec![server("library", up(), lists)])));
    let shown = screen.draw().0;
    let row = |n: usize| shown.lines().find(|l| l.contains(&format!("number {n}")));
    assert!(row(1).unwrap().contains("library://"), "{shown}");
    assert!(row(1).unwrap().contains("volume-1") && row(2).unwrap().contains("volume-2"));
    screen.send(Msg::Resize(80, 24));
    let shown = screen.draw().0;
    assert!(shown.contains("number 1") && shown.contains("number 2"), "{shown}");
}

#[test]
fn addresses_stand_in_one_column_whatever_their_servers_are_called() {
    let screen = Screen::new(200, 50);
    let mut two = servers();
    two.truncate(2);
    two[1].id = id("quite-another");
    let mut named = Screen::empty(200, 50);
    named.send(Msg::View(registry(two)));
    for screen in [screen, named] {
        let shown = screen.draw().0;
        let column = |uri: &str| {
            let line = shown.lines().find(|l| l.contains(uri)).unwrap();
            unicode_width::UnicodeWidthStr::width(line.split(uri).next().unwrap())
        };
        assert_eq!(column("library://hours"), column("evil://"), "{shown}");
    }
}

#[test]
fn the_help_page_has_headings_and_no_line_twice() {
    let mut screen = Screen::new(100, 200);
    screen.keys("?");
    let shown = screen.draw().0;
    for heading in ["Everywhere", "Servers", "List", "Content", "Filter", "Form", "Question"] {
        let heads = |l: &str| l.trim_start_matches('┃').starts_with(heading);
        assert!(shown.lines().any(heads), "{heading}");
    }
    let in_page = |l: &&str| l.starts_with("┃  ") && l.chars().any(char::is_alphanumeric);
    let (_, everywhere) = shown.split_once("Everywhere").unwrap();
    let (everywhere, _) = everywhere.split_once("Filter").unwrap();
    let mut rows: Vec<_> = everywhere.lines().filter(in_page).collect();
    rows.sort_unstable();
    let all = rows.len();
    rows.dedup();
    assert_eq!(all, rows.len(), "{shown}");
    screen.send(Msg::Resize(200, 70));
    let wide = screen.draw().0;
    assert!(wide.contains("stay") && !wide.contains("lines 1-"), "all of it: {wide}");
}

#[test]
fn entering_a_server_goes_to_its_list() {
    let mut screen = Screen::new(80, 24);
    assert_eq!(screen.keys("h g Enter"), []);
    assert!(matches!(screen.keys("Enter").as_slice(), [Effect::Read { .. }]));
}

#[test]
fn escape_from_a_servers_output_goes_back_to_where_it_was_asked_for() {
    let mut screen = Screen::new(80, 24);
    screen.keys("h j e");
    assert!(screen.shows("[Output] Messages of library"));
    screen.keys("Esc j");
    assert!(screen.shows("▸ ● hostile"), "the keys are with the servers again");
    screen.keys("h g l");
    let call = screen.open();
    screen.answer(call, Ok(text_page("library://rooms/reading", "THE TEXT")));
    screen.keys("e e Esc");
    assert!(screen.shows("THE TEXT"));
}
