//! What keys and snapshots do with servers, and what is told of it.

use crate::support::*;
use std::sync::Arc;
use vestibule::domain::*;
use vestibule::registry::{Lists, ServerView};
use vestibule::tui::{Effect, Moment, Msg};

fn lost() -> Fault {
    Fault::new(FaultKind::Closed, "the server closed the connection")
}

/// The server with another link, all its lists stale, as a loss or a disconnection leaves it.
fn left(mut server: ServerView, link: Link, why: &Fault) -> ServerView {
    let lists = Arc::make_mut(&mut server.lists);
    Arc::make_mut(&mut lists.resources).state = ListingState::Stale(why.clone());
    Arc::make_mut(&mut lists.templates).state = ListingState::Stale(why.clone());
    Arc::make_mut(&mut lists.prompts).state = ListingState::Stale(why.clone());
    Arc::make_mut(&mut lists.tools).state = ListingState::Stale(why.clone());
    server.link = link;
    server
}

/// One that is up, and of which all could be read.
fn library() -> ServerView {
    let mut server = servers().swap_remove(0);
    let lists = Arc::make_mut(&mut server.lists);
    Arc::make_mut(&mut lists.resources).malformed.clear();
    server
}

fn alone(server: ServerView) -> Screen {
    let mut screen = Screen::empty(120, 30);
    screen.send(Msg::View(registry(vec![server])));
    screen
}

fn notices(screen: &Screen) -> Vec<String> {
    screen.state.notices.iter().map(|n| n.text.clone()).collect()
}

/// One up, one being connected, one down, one switched off, one disconnected.
fn every_link() -> Screen {
    let mut all = servers();
    let mut off = server("unused", Link::Idle, Lists::default());
    off.connects = 0;
    all.push(off);
    all.push(left(server("parted", up(), Lists::default()), Link::Idle, &lost()));
    let mut screen = Screen::empty(120, 30);
    screen.send(Msg::View(registry(all)));
    screen.keys("n n h g");
    screen
}

#[test]
fn one_that_is_off_is_told_from_one_that_was_disconnected() {
    let mut screen = every_link();
    let shown = screen.draw().0;
    let row = |name: &str| shown.lines().find(|l| l.contains(&format!("○ {name}"))).unwrap();
    assert!(row("unused").contains(" off"), "{shown}");
    assert!(row("parted").contains(" disconnected"), "{shown}");
    assert!(screen.shows("○ 1 disconnected") && screen.shows("○ 1 off"), "the bar");
    screen.keys("G k");
    assert!(screen.shows("off in its file; c connects it"));
    screen.keys("j");
    assert!(screen.shows("disconnected; c connects it"));
}

#[test]
fn a_try_that_was_stopped_does_not_make_a_server_off() {
    let mut one = library();
    (one.link, one.connects) = (Link::Connecting, 0);
    let mut screen = alone(one.clone());
    one.link = Link::Idle;
    screen.send(Msg::View(registry(vec![one])));
    assert!(screen.shows("disconnected") && !screen.shows("off in its file"));
}

#[test]
fn refreshing_never_connects() {
    let mut screen = every_link();
    let up: Vec<_> = ["library", "hostile"].map(|s| Effect::Refresh(id(s))).into();
    assert_eq!(screen.keys("r"), up, "with all selected: those that are up");
    for (row, told) in [
        ("j j j", "slow is being connected"),
        ("j", "dead is not connected: c connects it"),
        ("j", "unused is not connected: c connects it"),
        ("j", "parted is not connected: c connects it"),
    ] {
        screen.keys(row);
        assert_eq!(screen.keys("r"), [], "{told}");
        assert!(screen.shows(told), "{told}");
    }
}

#[test]
fn connecting_all_leaves_those_alone_that_are_up_or_off() {
    let mut screen = every_link();
    let down: Vec<_> = ["dead", "parted"].map(|s| Effect::Connect(id(s))).into();
    assert_eq!(screen.keys("c"), down);
    screen.keys("j");
    assert_eq!(screen.keys("c"), []);
    assert!(screen.shows("library is up"));
    screen.keys("G k");
    assert_eq!(screen.keys("c"), [Effect::Connect(id("unused"))], "when it is meant alone");
    let mut fine = alone(library());
    assert_eq!(fine.keys("h g c"), []);
    assert!(fine.shows("library is up"), "the only one is meant");
    let mut fine = Screen::empty(120, 30);
    fine.send(Msg::View(registry(servers().into_iter().take(2).collect())));
    assert_eq!(fine.keys("h g c"), []);
    assert!(fine.shows("no server is down"));
}

#[test]
fn a_key_that_has_nothing_to_do_says_why() {
    for (keys, told) in [
        ("h G k k x", "dead is not connected"),
        ("h g x", "select a server first"),
        ("h g e", "select a server first"),
        ("h g BackTab Enter", "nothing is selected that could be opened"),
        ("h G l Enter", "nothing is selected that could be opened"),
        ("h h Esc", "q quits"),
        ("l d", "nothing of it has been opened"),
        ("3 .", "no call of it was made"),
        ("o", "only prompts and templates are filled in"),
        ("2 j o", "this prompt has nothing to fill in"),
    ] {
        let mut screen = every_link();
        screen.keys("n n l 1");
        screen.keys(keys);
        assert!(screen.shows(told), "{keys}: {}", screen.draw().0);
    }
    let mut narrow = Screen::new(60, 24);
    narrow.keys("l f");
    assert!(notices(&narrow).contains(&"it has the full width already".into()));
}

#[test]
fn leaving_gives_one_notice_and_coming_back_another() {
    let why = Fault::new(FaultKind::Cancelled, "disconnected");
    let mut screen = alone(library());
    screen.send(Msg::View(registry(vec![left(library(), Link::Idle, &why)])));
    assert_eq!(notices(&screen), ["library is disconnected"]);
    screen.keys("h G");
    assert!(screen.shows("stale; disconnected: c connects"), "said once");
    assert!(!screen.shows("are stale"));
    screen.keys("r");
    assert!(screen.shows("library is not connected"));
    let mut again = library();
    again.connects = 2;
    screen.send(Msg::View(registry(vec![again])));
    assert!(screen.shows("library is up again  (n)"), "{}", screen.draw().0);

    let mut screen = alone(library());
    let down = left(library(), Link::Down { why: lost() }, &lost());
    screen.send(Msg::View(registry(vec![down.clone()])));
    assert_eq!(notices(&screen), ["library is down: the server closed the connection"]);
    screen.send(Msg::View(registry(vec![left(down, Link::Connecting, &lost())])));
    let mut again = library();
    again.connects = 2;
    screen.send(Msg::View(registry(vec![again])));
    let told = ["library is up again", "library is down: the server closed the connection"];
    assert_eq!(notices(&screen), told);
    assert!(screen.shows("library is up again"));
    assert!(!screen.shows("library is down"), "out of date");
    assert!(!screen.shows("(+1"), "and not counted any more");
    screen.keys("n");
    assert!(screen.shows("library is down"), "still in the list");
}

#[test]
fn a_notice_is_news_for_half_a_minute() {
    let mut screen = alone(library());
    screen.send(Msg::Paste("x".into()));
    let end = Moment(screen.now.0 + std::time::Duration::from_secs(30));
    assert_eq!(screen.send(Msg::Drawn), [Effect::WakeAt(end)]);
    screen.after(29_999).send(Msg::Wake);
    assert!(screen.shows("a paste was ignored"));
    screen.after(1).send(Msg::Wake);
    assert!(!screen.shows("a paste was ignored"));
    assert_eq!(screen.send(Msg::Drawn), [], "nothing changes any more");
    screen.keys("n");
    assert!(screen.shows("a paste was ignored"));
}

#[test]
fn what_was_stopped_is_no_news_once_it_is_opened_again() {
    let mut screen = Screen::new(120, 30);
    screen.open();
    screen.keys("Esc");
    assert!(screen.shows("stopped: library://rooms/reading"));
    screen.open();
    assert!(!screen.shows("stopped: "));
}

#[test]
fn a_silent_server_is_said_to_be_silent_once_and_why_it_is_down_stands_above() {
    let mut screen = every_link();
    screen.keys("G k k e");
    screen.send(Msg::Noise { server: id("dead"), stderr: vec![], stray: vec![] });
    let shown = screen.draw().0;
    let silent = shown.find("It wrote nothing to standard error").unwrap();
    let why = shown.rfind("✗ the program could not be started").unwrap();
    assert!(why < silent, "{shown}");
    assert!(!shown.contains("(nothing)"));
}

#[test]
fn numbers_are_of_resources_alone_and_unknown_before_the_first_contact() {
    let mut screen = Screen::new(80, 24);
    assert!(screen.shows("R3 ✗1 P2 T1") && screen.shows("R4 P2 T2"));
    assert!(screen.shows("R resources P prompts T tools"));
    assert!(screen.shows("templates (1)"));
    screen.keys("h G");
    assert!(screen.shows("resources    —") && screen.shows("tools        —"));
}

#[test]
fn a_selected_server_that_lists_nothing_is_shown_itself() {
    let mut screen = Screen::new(80, 24);
    screen.keys("h G l");
    assert!(screen.shows("server dead"));
    assert!(screen.shows("→ check the command in servers.json"));
    assert!(!screen.shows("Overview"));
}

#[test]
fn many_servers_scroll_with_the_selection_and_are_counted() {
    let mut all: Vec<_> =
        (1..=20).map(|n| server(&format!("s{n}"), up(), Lists::default())).collect();
    all[0] = library();
    let mut screen = Screen::empty(80, 24);
    screen.send(Msg::View(registry(all)));
    assert!(screen.shows(" all 20 "));
    for n in 1..=20 {
        screen.keys(if n == 1 { "h j" } else { "j" });
        let name = if n == 1 { "library".into() } else { format!("s{n}") };
        assert!(screen.shows(&format!("▸ ● {name} ")), "{name}");
        assert!(screen.shows(&format!(" {n} of 20 ")), "{name}");
    }
}

/// A server of one's own that does not start: the only one there is.
fn broken() -> Screen {
    let mut screen = alone(servers().pop().unwrap());
    screen.keys("n n");
    screen
}

#[test]
fn the_only_server_is_meant_although_none_is_selected() {
    for focus in ["l h", "h g"] {
        let mut screen = broken();
        screen.keys(focus);
        assert_eq!(screen.keys("e"), [Effect::Noise(id("dead"))], "{focus}");
        screen.keys("Esc");
        assert_eq!(screen.keys("c"), [Effect::Connect(id("dead"))], "{focus}");
        assert_eq!(screen.keys("x r"), []);
        assert!(screen.shows("dead is not connected: c connects it"), "{focus}");
        assert!(!screen.shows("select a server first"), "{focus}");
    }
    let mut fine = alone(library());
    fine.keys("h g");
    assert_eq!(fine.keys("x"), [Effect::Disconnect(id("library"))]);
    assert_eq!(fine.keys("r"), [Effect::Refresh(id("library"))]);
}

#[test]
fn why_the_only_server_is_down_stands_on_the_first_screen() {
    let screen = broken();
    let shown = screen.draw().0;
    assert!(shown.contains("✗ the program could not be started"), "{shown}");
    assert!(shown.contains("→ check the command in servers.json"), "{shown}");
    assert!(shown.contains("down: the program could not be started: "), "{shown}");
    assert!(shown.contains("c connects again, e shows its output"), "{shown}");
    assert!(!shown.contains("Overview"), "{shown}");
}

#[test]
fn the_only_server_can_be_looked_into_and_stopped_while_it_is_connecting() {
    let mut screen = alone(servers().swap_remove(2));
    assert!(screen.shows("e shows its output so far, x stops it"));
    assert_eq!(screen.keys("e"), [Effect::Noise(id("slow"))]);
    assert_eq!(screen.keys("Esc x"), [Effect::Disconnect(id("slow"))]);
}

fn malformed(label: &str) -> Malformed {
    Malformed { why: "no name".into(), label: Some(label.into()), raw: "{}".into() }
}

#[test]
fn items_that_could_not_be_read_are_told_once_for_each_change() {
    let mut one = server("mine", up(), Lists::default());
    let mut screen = alone(one.clone());
    let lists = Arc::make_mut(&mut one.lists);
    Arc::make_mut(&mut lists.resources).items = vec![Arc::new(resource("a", "a:/"))];
    Arc::make_mut(&mut lists.resources).malformed = vec![malformed("x"), malformed("y")];
    screen.send(Msg::View(registry(vec![one.clone()])));
    screen.send(Msg::View(registry(vec![one.clone()])));
    let first = "mine: 2 of its resources could not be read; they stand at the end of the list";
    assert_eq!(notices(&screen), [first]);
    assert!(screen.shows("R1 ✗2 P0 T0"), "{}", screen.draw().0);
    let lists = Arc::make_mut(&mut one.lists);
    Arc::make_mut(&mut lists.tools).malformed = vec![malformed("z")];
    screen.send(Msg::View(registry(vec![one.clone()])));
    let second = "mine: 1 of its tools could not be read; it stands at the end of the list";
    assert_eq!(notices(&screen), [second, first]);
    assert!(screen.shows("R1 ✗2 P0 T0 ✗1"));
    // A reload that finds the same is no change.
    for state in [ListingState::Loading, ListingState::Fresh] {
        let lists = Arc::make_mut(&mut one.lists);
        Arc::make_mut(&mut lists.resources).state = state;
        screen.send(Msg::View(registry(vec![one.clone()])));
    }
    assert_eq!(notices(&screen).len(), 2);
}

#[test]
fn stray_output_and_breaches_are_told_the_first_time() {
    let mut one = server("mine", up(), Lists::default());
    let mut screen = alone(one.clone());
    for lines in [1, 2] {
        one.noise.stray_lines = lines;
        screen.send(Msg::View(registry(vec![one.clone()])));
    }
    let stray = "mine writes to standard output what is no protocol message; e shows it";
    assert_eq!(notices(&screen), [stray]);
    for breaches in [1, 2] {
        one.noise.breaches = breaches;
        screen.send(Msg::View(registry(vec![one.clone()])));
    }
    assert_eq!(notices(&screen), ["mine breaks the protocol; e shows how", stray]);
}

#[test]
fn that_lists_are_asked_for_again_is_no_news_once_they_have_come() {
    for keys in ["h j r", "h g r"] {
        let (one, other) = (server("mine", up(), Lists::default()), servers().swap_remove(1));
        let view = |one: &ServerView| Msg::View(registry(vec![one.clone(), other.clone()]));
        let mut screen = Screen::empty(120, 30);
        screen.send(view(&one));
        screen.keys("n n");
        screen.keys(keys);
        assert!(screen.shows("lists again"), "{keys}");
        screen.send(view(&one));
        assert!(screen.shows("lists again"), "{keys}: nothing has come yet");
        let mut loading = one.clone();
        let lists = Arc::make_mut(&mut loading.lists);
        Arc::make_mut(&mut lists.tools).state = ListingState::Loading;
        screen.send(view(&loading));
        assert!(screen.shows("lists again"), "{keys}");
        screen.send(view(&one));
        assert!(!screen.shows("lists again"), "{keys}");
    }
}

#[test]
fn the_output_opens_at_its_newest_line() {
    let mut screen = alone(library());
    screen.keys("e");
    let stderr = (1..=200).map(|n| format!("line {n} of it").into()).collect();
    screen.send(Msg::Noise { server: id("library"), stderr, stray: vec![] });
    assert!(screen.shows("line 200 of it") && !screen.shows("line 1 of it"));
    screen.keys("g");
    assert!(screen.shows("line 1 of it"));
}

#[test]
fn why_a_list_was_cut_is_folded_below_it_and_told() {
    let mut one = library();
    let lists = Arc::make_mut(&mut one.lists);
    Arc::make_mut(&mut lists.resources).truncated = Some(Truncation::RepeatedCursor);
    let mut screen = Screen::empty(80, 24);
    screen.send(Msg::View(registry(vec![one])));
    assert!(screen.shows("may go on"), "{}", screen.draw().0);
    assert!(notices(&screen).iter().any(|n| n.contains("repeated a page cursor")));
}
