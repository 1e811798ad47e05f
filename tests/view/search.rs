//! The search over everything.

use crate::support::*;
use std::sync::Arc;
use std::time::{Duration, Instant};
use vestibule::registry::{Lists, RegistryView};
use vestibule::tui::state::catalogue::Entry;
use vestibule::tui::state::search::{AT_ONCE, Among, Found, at_once};
use vestibule::tui::{Effect, Msg};

fn found(screen: &Screen) -> Vec<String> {
    let tab = screen.state.catalogue.current();
    let name = |entry: &Entry| match entry {
        Entry::Row(row) => row.info(&screen.state.view).unwrap().name.unwrap().raw().to_owned(),
        Entry::Heading(heading, _) => panic!("{heading}"),
    };
    tab.entries.iter().map(name).collect()
}

fn selected(screen: &Screen) -> String {
    screen.state.catalogue.current().selected.as_ref().unwrap().name.raw().to_owned()
}

#[test]
fn every_kind_of_every_server_is_searched_wherever_the_keys_were() {
    for before in ["g", "3", "h j", "h j j l 2"] {
        let mut screen = Screen::new(120, 30);
        screen.keys(before);
        screen.keys("/");
        screen.type_text("e");
        let names = found(&screen);
        for name in ["reading-room.md", "summarise", "search", "wipe", "broken"] {
            assert!(names.iter().any(|n| n == name), "{name} after {before}: {names:?}");
        }
    }
}

#[test]
fn servers_and_kinds_narrow_it() {
    for (typed, expected) in [
        ("#prompt", vec!["summarise", "greet"]),
        ("#p gre", vec!["greet"]),
        ("#tool", vec!["search", "wipe"]),
        ("#tool @host", vec!["wipe"]),
        ("@HOST #tool", vec!["wipe"]),
        ("#template", vec!["book"]),
        ("#t", vec!["book", "search", "wipe"]),
        ("#tool #prompt sear", vec!["search"]),
        ("wipe @library", vec![]),
        ("room #resource @", vec!["reading-room.md", "漢字の部屋"]),
    ] {
        let mut screen = Screen::new(120, 30);
        screen.keys("/");
        screen.type_text(typed);
        assert_eq!(found(&screen), expected, "{typed}");
    }
}

#[test]
fn the_field_says_what_can_be_typed_and_what_is_not_known() {
    let mut screen = Screen::new(120, 30);
    screen.keys("/");
    assert!(screen.shows("words @server #tool #prompt #resource"));
    screen.type_text("#x @nobody");
    assert!(screen.shows("nothing matches the filter; Esc clears it"));
    assert!(screen.shows("no kind begins with x"), "{}", screen.draw().0);
    assert!(screen.shows("no server is called nobody"));
}

#[test]
fn what_was_found_stays_selected_in_its_own_tab() {
    let mut screen = Screen::new(120, 30);
    screen.keys("/");
    screen.type_text("wipe");
    assert_eq!(selected(&screen), "wipe");
    screen.keys("Enter");
    assert!(screen.shows("wipe  hostile · details"), "{}", screen.draw().0);
    screen.keys("Esc");
    assert!(screen.shows("[Tools]") && screen.shows("▸ wipe"), "{}", screen.draw().0);
    screen.keys("/");
    screen.type_text("e");
    screen.keys("Enter 1");
    assert!(screen.shows("[Resources]"), "a tab ends the search");
}

/// A server with so many resources, of which every thousandth is blue.
fn many(number: usize) -> Arc<RegistryView> {
    let name = |n| if n % 1000 == 999 { format!("blue {n}") } else { format!("item {n}") };
    let items = (0..number).map(|n| resource(&name(n), &format!("n://{n}"))).collect();
    let lists = Lists { resources: fresh(items), ..Default::default() };
    registry(vec![server("many", up(), lists)])
}

fn searching(effects: Vec<Effect>) -> (Vec<Found>, u64) {
    let [Effect::Search(job)] = effects.as_slice() else { panic!("{effects:?}") };
    let mut reports = Vec::new();
    job.run(|| true, |found| reports.push(found));
    (reports, job.id)
}

#[test]
fn a_long_search_shows_the_first_at_once_and_the_rest_as_it_comes() {
    let mut screen = Screen::empty(120, 30);
    screen.send(Msg::View(many(300_000)));
    screen.keys("/ b l u");
    let (reports, _) = searching(screen.keys("e"));
    assert_eq!(found(&screen).len(), AT_ONCE / 1000, "of the first rows");
    assert!(screen.shows("so far") && screen.shows("searching …"));
    assert!(reports.len() >= 3, "{}", reports.len());
    let (last, before) = reports.split_last().unwrap();
    assert!(last.done && before.iter().all(|report| !report.done));
    screen.send(Msg::Found(before[0].clone()));
    assert!(screen.shows("so far"));
    // Moved by hand: it stays, whatever comes.
    screen.keys("Down Down");
    let kept = selected(&screen);
    screen.send(Msg::Found(last.clone()));
    assert_eq!((found(&screen).len(), selected(&screen)), (300, kept));
    assert!(screen.shows("300 of 300000 match") && !screen.shows("so far"));
    // What is found in full is searched on at once.
    assert_eq!(screen.keys("9 9"), []);
}

#[test]
fn an_old_answer_changes_nothing_and_an_unwanted_search_ends() {
    let mut screen = Screen::empty(120, 30);
    screen.send(Msg::View(many(50_000)));
    screen.keys("/");
    let (old, first) = searching(screen.keys("b"));
    let (_, second) = searching(screen.keys("x"));
    assert!(second > first);
    screen.send(Msg::Found(old.last().unwrap().clone()));
    assert!(screen.state.catalogue.is_searching(), "still waiting for its own");
    screen.keys("Esc");
    assert!(!screen.state.catalogue.is_searching());
    let [Effect::Search(job)] = &screen.keys("/ b")[..] else { panic!("no search") };
    job.run(|| false, |_| panic!("it was no longer wanted"));
}

#[test]
fn the_selection_survives_new_lists_by_its_name() {
    let mut screen = Screen::empty(120, 30);
    screen.send(Msg::View(many(50_000)));
    screen.keys("/");
    screen.type_text("blue");
    screen.keys("Down Down Enter");
    let before = selected(&screen);
    let effects = screen.send(Msg::View(many(60_000)));
    assert_eq!(selected(&screen), before, "although the first rows may not have it");
    screen.search(effects);
    assert_eq!(selected(&screen), before);
    assert_eq!(found(&screen).len(), 60);
}

#[test]
fn the_first_results_do_not_wait_for_a_million_rows() {
    let one = |number| {
        let view = many(number);
        let among = Among::all(&view);
        let began = Instant::now();
        let rows = at_once(&view, &among, "blue");
        (rows.len(), began.elapsed())
    };
    let (few, _) = one(AT_ONCE);
    let (many, took) = one(1_000_000);
    assert_eq!(few, many, "the same number of rows is looked at");
    // Far more than a frame, for a slow machine without optimisation; a whole search takes longer.
    assert!(took < Duration::from_millis(500), "{took:?}");
}

#[test]
fn a_snapshot_with_the_same_rows_searches_nothing_again() {
    let mut screen = Screen::empty(120, 30);
    let view = many(50_000);
    screen.send(Msg::View(view.clone()));
    screen.keys("/");
    screen.type_text("blue");
    let mut noisy = RegistryView::clone(&view);
    Arc::make_mut(&mut noisy.servers[0]).noise.messages += 1;
    assert_eq!(screen.send(Msg::View(Arc::new(noisy))), []);
    assert!(!screen.state.catalogue.is_searching());
}
