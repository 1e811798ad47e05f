//! What keys do.

use crate::support::*;
use crossterm::event::KeyEventKind;
use std::sync::Arc;
use vestibule::domain::*;
use vestibule::tui::state::{Focus, Tab};
use vestibule::tui::{Effect, Moment, Msg};

fn selected(screen: &Screen) -> String {
    let tab = screen.state.catalogue.current();
    tab.selected.as_ref().map(|k| k.name.raw().to_owned()).unwrap_or_default()
}

#[test]
fn escape_never_quits_from_anywhere() {
    for start in ["g", "h", "l", "2 Enter", "/ a b", "?", "n", "e", "Enter", "Enter q", "3 l", "x"]
    {
        let mut screen = Screen::new(80, 24);
        screen.keys(start);
        for _ in 0..12 {
            let effects = screen.keys("Esc");
            assert!(!effects.contains(&Effect::Quit), "after {start}");
        }
        assert_eq!(screen.state.focus, Focus::Servers, "after {start}");
    }
}

#[test]
fn quit_asks_while_a_read_runs() {
    for quit in ["q", "Ctrl-c"] {
        let mut screen = Screen::new(80, 24);
        assert_eq!(screen.keys(quit), [Effect::Quit]);
        screen.open();
        assert_eq!(screen.keys(quit), []);
        assert!(screen.shows("1 call is still running"));
        screen.keys("Esc");
        assert!(!screen.shows("1 call is still running"));
        screen.keys(quit);
        assert_eq!(screen.keys(quit), [Effect::Quit]);
    }
}

#[test]
fn ctrl_c_quits_where_letters_are_typed_and_q_is_a_letter() {
    let mut screen = Screen::new(80, 24);
    screen.keys("/");
    screen.type_text("q");
    assert_eq!(screen.keys("Ctrl-c"), [Effect::Quit]);
}

#[test]
fn an_answer_is_shown_under_its_own_item_only() {
    let mut screen = Screen::new(120, 40);
    let call = screen.open();
    assert!(screen.shows("reading library://rooms/reading"));
    screen.keys("h j");
    screen.answer(call, Ok(text_page("library://rooms/reading", "THE LATE TEXT")));
    assert!(!screen.shows("THE LATE TEXT"), "under the wrong item");
    assert!(screen.shows("ready: library://rooms/reading of library"));
    screen.keys("k");
    assert_eq!(screen.keys("Enter"), [], "what was read is kept");
    assert!(screen.shows("THE LATE TEXT"));
    assert!(matches!(screen.keys("Enter").as_slice(), [Effect::Read { .. }]), "again");
}

#[test]
fn a_cancelled_read_is_told_and_its_answer_ignored() {
    let mut screen = Screen::new(120, 40);
    let call = screen.open();
    assert_eq!(screen.keys("Esc"), [Effect::Cancel(call)]);
    screen.answer(call, Ok(text_page("library://rooms/reading", "THE LATE TEXT")));
    screen.keys("d");
    assert!(!screen.shows("THE LATE TEXT"));
    assert_eq!(screen.state.preview.running().count(), 0);
}

#[test]
fn a_read_takes_the_uri_byte_for_byte() {
    let mut screen = Screen::new(80, 24);
    screen.keys("j j j");
    match screen.keys("Enter").as_slice() {
        [Effect::Read { server, uri, .. }] => {
            assert_eq!((server.as_str(), uri.raw()), ("hostile", "evil://\u{202e}gpj.exe"));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_filter_narrows_widens_and_is_cleared_by_escape() {
    let mut screen = Screen::new(80, 24);
    screen.keys("/");
    screen.type_text("room");
    let tab = screen.state.catalogue.current();
    assert_eq!((tab.matching, tab.total), (2, 10));
    screen.type_text("k");
    assert_eq!(selected(&screen), "library://rooms/kanji");
    screen.keys("Backspace");
    assert_eq!(screen.state.catalogue.current().matching, 2);
    screen.keys("Enter");
    assert!(screen.shows("2 of 10 match"), "kept");
    let before = selected(&screen);
    screen.keys("Esc");
    assert_eq!(screen.state.catalogue.current().matching, 6);
    assert_eq!(selected(&screen), before, "the selection stays with its item");
}

#[test]
fn an_extended_filter_finds_what_a_whole_one_finds() {
    // A second server or kind finds more, not less.
    for query in ["li re oo", "@lib @host", "o #prom #tool"] {
        let mut letter_by_letter = Screen::new(80, 24);
        let mut pasted = Screen::new(80, 24);
        letter_by_letter.keys("/");
        pasted.keys("/");
        let mut so_far = String::new();
        for c in query.chars() {
            so_far.push(c);
            letter_by_letter.type_text(&c.to_string());
            pasted.keys("Ctrl-u");
            pasted.send(Msg::Paste(so_far.clone()));
            let entries = |s: &Screen| s.state.catalogue.current().entries.clone();
            assert_eq!(entries(&letter_by_letter), entries(&pasted), "{so_far}");
        }
    }
}

#[test]
fn the_selection_follows_its_item_when_the_list_changes() {
    let mut screen = Screen::new(80, 24);
    screen.keys("j");
    assert_eq!(selected(&screen), "library://hours");
    let mut changed = servers();
    let lists = std::sync::Arc::make_mut(&mut changed[0].lists);
    for n in 0..50 {
        Arc::make_mut(&mut lists.resources)
            .items
            .insert(0, resource("new", &format!("library://new/{n}")).into());
    }
    screen.send(Msg::View(registry(changed)));
    assert_eq!(selected(&screen), "library://hours");
    assert!(screen.shows("▸ opening hours"));
}

#[test]
fn a_server_that_goes_down_keeps_its_rows_and_is_told() {
    let mut screen = Screen::new(120, 30);
    let mut changed = servers();
    let why = Fault::new(FaultKind::Closed, "the server ended").because("exit status 3");
    let lists = std::sync::Arc::make_mut(&mut changed[0].lists);
    Arc::make_mut(&mut lists.resources).state = ListingState::Stale(why.clone());
    changed[0].link = Link::Down { why };
    screen.send(Msg::View(registry(changed)));
    assert!(screen.shows("library is down: the server ended: exit status 3"));
    assert!(screen.shows("reading-room.md"));
    assert!(screen.shows("library: resources are stale"));
    // A notice is not overwritten by the next.
    screen.send(Msg::Paste("x".into()));
    screen.keys("n");
    assert!(screen.shows("library is down: the server ended: exit status 3"));
    assert!(screen.shows("a paste was ignored"));
}

#[test]
fn a_selected_server_filters_the_list() {
    let mut screen = Screen::new(80, 24);
    screen.keys("h j j Enter");
    assert_eq!(screen.state.catalogue.current().total, 1);
    assert_eq!(screen.keys("x"), [Effect::Disconnect(id("hostile"))]);
    screen.keys("h j");
    assert_eq!(screen.keys("x"), [Effect::Disconnect(id("slow"))], "stops the attempt");
    screen.keys("j");
    assert_eq!(screen.keys("c"), [Effect::Connect(id("dead"))]);
    screen.keys("g");
    assert_eq!(screen.keys("r").len(), 2, "all servers that are up");
    assert_eq!(screen.keys("x"), [], "never all at once");
}

#[test]
fn a_prompt_without_arguments_runs_at_once() {
    let mut screen = Screen::new(80, 24);
    screen.keys("2 j");
    match screen.keys("Enter").as_slice() {
        [Effect::Render { name, arguments, .. }] => {
            assert_eq!((name.raw(), arguments.len()), ("greet", 0));
        }
        other => panic!("{other:?}"),
    }
}

fn arguments(effects: &[Effect]) -> Vec<(&str, &str)> {
    match effects {
        [Effect::Render { arguments, .. }] => {
            arguments.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_blank_required_field_is_refused_and_a_blank_optional_one_left_out() {
    let mut screen = Screen::new(80, 24);
    screen.keys("2 Enter");
    screen.type_text("  ");
    screen.keys("Tab");
    assert_eq!(screen.keys("Enter"), []);
    assert!(screen.shows("✗ required: write something here"));
    assert_eq!(screen.state.form.as_ref().unwrap().focus, 0, "the keys are where it is missing");
    screen.type_text("owls");
    assert!(!screen.shows("✗ required"));
    // Written and emptied again is as good as never touched.
    screen.keys("Tab");
    screen.type_text("x");
    screen.keys("Ctrl-u");
    assert_eq!(arguments(&screen.keys("Enter")), [("topic", "  owls")]);
}

#[test]
fn an_optional_field_is_sent_empty_when_that_is_said() {
    let mut screen = Screen::new(80, 24);
    screen.keys("2 Enter");
    screen.type_text("owls");
    screen.keys("Ctrl-e");
    assert!(screen.shows("it cannot be sent empty"));
    screen.keys("Tab Ctrl-e");
    assert!(screen.shows("(sent empty)"));
    assert_eq!(arguments(&screen.keys("Enter")), [("topic", "owls"), ("style", "")]);
}

#[test]
fn what_was_typed_survives_a_failure_and_escape() {
    let mut screen = Screen::new(80, 24);
    screen.keys("2 Enter");
    screen.type_text("owls");
    let effects = screen.keys("Enter");
    let [Effect::Render { call, .. }] = effects.as_slice() else { panic!("{effects:?}") };
    screen.answer(*call, Err(Fault::new(FaultKind::ServerError, "no")));
    screen.keys("Enter");
    assert!(screen.shows("▸ owls"));
    screen.keys("Esc Enter");
    assert!(screen.shows("▸ owls"));
}

#[test]
fn a_paste_goes_into_the_field_and_submits_nothing() {
    let mut screen = Screen::new(200, 24);
    screen.keys("2 Enter");
    for (pasted, shown) in [("a\rb", "a b"), ("a\r\nb", "a b"), ("a\nb\u{1b}[31m", "a b[31m")] {
        screen.keys("Ctrl-u");
        assert_eq!(screen.send(Msg::Paste(pasted.into())), []);
        let form = screen.state.form.as_ref().expect("still open");
        assert_eq!(form.fields[0].input.text(), shown);
    }
    assert!(screen.shows("line breaks became spaces"));
    screen.keys("Backspace");
    assert_eq!(screen.state.form.as_ref().unwrap().fields[0].input.text(), "a b[31");
}

#[test]
fn only_presses_and_repeats_act() {
    let mut screen = Screen::new(80, 24);
    let mut release = event("q");
    release.kind = KeyEventKind::Release;
    assert_eq!(screen.send(Msg::Key(release)), []);
    let mut repeat = event("j");
    repeat.kind = KeyEventKind::Repeat;
    screen.send(Msg::Key(repeat));
    assert_eq!(selected(&screen), "library://hours");
}

#[test]
fn nothing_asks_to_be_woken_unless_something_on_screen_changes_with_time() {
    let mut screen = Screen::empty(80, 24);
    let settled: Vec<_> = servers().into_iter().filter(|s| s.id != id("slow")).collect();
    screen.send(Msg::View(registry(settled)));
    screen.keys("n n");
    assert_eq!(screen.send(Msg::Drawn), []);
    screen.after(350);
    let call = screen.open();
    assert!(matches!(screen.send(Msg::Drawn).as_slice(), [Effect::WakeAt(at)] if *at > screen.now));
    screen.answer(call, Ok(text_page("library://rooms/reading", "x")));
    assert_eq!(screen.send(Msg::Drawn), []);
    // A connection counts seconds, and no more.
    screen.send(Msg::View(registry(servers())));
    let since = screen.now;
    screen.after(400);
    screen.send(Msg::Wake);
    let second = Moment(since.0 + std::time::Duration::from_secs(1));
    assert_eq!(screen.send(Msg::Drawn), [Effect::WakeAt(second)]);
}

#[test]
fn tabs_panes_and_pages_are_where_their_keys_say() {
    let mut screen = Screen::new(80, 24);
    screen.keys("3");
    assert_eq!(screen.state.catalogue.tab, Tab::Tools);
    screen.keys("Tab");
    assert_eq!(screen.state.focus, Focus::Preview);
    screen.keys("Tab");
    assert_eq!(screen.state.focus, Focus::Servers);
    screen.keys("BackTab BackTab");
    assert_eq!(screen.state.focus, Focus::List);
    screen.keys("?");
    assert!(screen.shows("quit"));
    screen.keys("G g ?");
    assert!(screen.state.overlay.is_none());
}

#[test]
fn scrolling_stops_at_the_ends_and_the_position_is_told() {
    let mut screen = Screen::new(80, 24);
    let call = screen.open();
    let text: String = (1..=100).map(|n| format!("row {n}\n")).collect();
    screen.answer(call, Ok(text_page("library://rooms/reading", &text)));
    screen.keys("G j PgDn Ctrl-d");
    assert!(screen.shows("row 100") && screen.shows("-104 of 104"));
    screen.keys("k");
    assert!(!screen.shows("read in 0.1 s"), "one up from the end");
    screen.keys("PgUp Home k");
    assert!(screen.shows("row 1\n") || screen.shows("row 1 "));
    assert!(screen.shows("lines 1-20 of 104"));
}

#[test]
fn a_hundred_thousand_rows_are_filtered_and_walked() {
    let items = (0..100_000).map(|n| resource(&format!("item {n}"), &format!("n://{n}"))).collect();
    let lists = vestibule::registry::Lists { resources: fresh(items), ..Default::default() };
    let mut screen = Screen::empty(80, 24);
    screen.send(Msg::View(registry(vec![server("many", up(), lists)])));
    screen.keys("G");
    assert_eq!(selected(&screen), "n://99999");
    assert!(screen.shows("100000 of 100000"));
    screen.keys("/");
    screen.type_text("54321");
    assert_eq!(selected(&screen), "n://54321");
    assert!(screen.shows("1 of 100000 match"));
}

#[test]
fn a_megabyte_in_one_line_and_a_megabyte_of_name_are_paged_and_listed() {
    let huge = "wide 漢字 ".repeat(80_000);
    let mut named = servers();
    let lists = std::sync::Arc::make_mut(&mut named[0].lists);
    Arc::make_mut(&mut lists.resources).items[0] =
        resource(&huge, "library://rooms/reading").into();
    let mut screen = Screen::empty(80, 24);
    screen.send(Msg::View(registry(named)));
    assert!(screen.shows("▸ wide 漢字"));
    let call = screen.open();
    screen.answer(call, Ok(text_page("library://rooms/reading", &huge)));
    let started = std::time::Instant::now();
    for keys in ["G", "PgUp", "k", "Ctrl-d", "g", "PgDn", "j"] {
        screen.keys(keys);
        assert!(screen.shows("漢字"), "after {keys}");
    }
    // Laying all of it out for each key would take minutes in a debug build.
    assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
}

#[test]
fn the_oldest_readings_are_let_go_and_the_newest_kept() {
    let items: Vec<_> =
        (0..12).map(|n| resource(&format!("item {n}"), &format!("n://{n}"))).collect();
    let lists = vestibule::registry::Lists { resources: fresh(items), ..Default::default() };
    let mut screen = Screen::empty(80, 24);
    screen.send(Msg::View(registry(vec![server("many", up(), lists)])));
    for _ in 0..12 {
        let call = screen.open();
        screen.answer(call, Ok(text_page("n://", "x")));
        screen.keys("h j");
    }
    screen.keys("G");
    assert_eq!(screen.keys("Enter"), [], "the newest is kept");
    screen.keys("h g");
    assert!(matches!(screen.keys("Enter").as_slice(), [Effect::Read { .. }]), "the oldest is not");
}

#[test]
fn before_any_key_the_first_row_is_selected_whichever_server_answers_first() {
    let mut screen = Screen::empty(80, 24);
    let mut early = servers();
    early[0].link = Link::Connecting;
    early[0].lists = std::sync::Arc::default();
    screen.send(Msg::View(registry(early)));
    assert_eq!(selected(&screen), "evil://\u{202e}gpj.exe");
    screen.send(Msg::View(registry(servers())));
    assert_eq!(selected(&screen), "library://rooms/reading");
}
