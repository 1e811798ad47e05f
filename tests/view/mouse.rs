//! The mouse, while it is taken.

use crate::support::*;
use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use vestibule::tui::state::Focus;
use vestibule::tui::{Effect, Msg};

fn mouse(screen: &mut Screen, kind: MouseEventKind, (column, row): (u16, u16)) -> Vec<Effect> {
    let modifiers = KeyModifiers::NONE;
    screen.send(Msg::Mouse(MouseEvent { kind, column, row, modifiers }))
}

const CLICK: MouseEventKind = MouseEventKind::Down(MouseButton::Left);

/// Where a text stands on the screen.
fn place(screen: &Screen, what: &str) -> (u16, u16) {
    let shown = screen.draw().0;
    let (row, line) = shown.lines().enumerate().find(|(_, l)| l.contains(what)).expect(what);
    let column = line.split(what).next().unwrap().chars().count();
    (column.try_into().unwrap(), row.try_into().unwrap())
}

fn selected(screen: &Screen) -> String {
    let tab = screen.state.catalogue.current();
    tab.selected.as_ref().map(|key| key.name.raw().to_owned()).unwrap_or_default()
}

#[test]
fn a_click_goes_to_the_pane_and_selects_the_row_under_it() {
    for (width, height) in [(80, 24), (140, 40)] {
        let mut screen = Screen::new(width, height);
        let at = place(&screen, "opening hours");
        assert_eq!(mouse(&mut screen, CLICK, at), [], "it opens nothing");
        assert_eq!(
            (screen.state.focus, selected(&screen)),
            (Focus::List, "library://hours".into())
        );
        // A heading is no row.
        let at = place(&screen, "── templates");
        mouse(&mut screen, CLICK, at);
        assert_eq!(selected(&screen), "library://hours");
        let at = place(&screen, "hostile  ");
        mouse(&mut screen, CLICK, at);
        assert_eq!(screen.state.focus, Focus::Servers);
        assert_eq!(screen.state.scope(), Some(id("hostile")));
        assert!(screen.shows("1 of 1"), "the list is that server's\n{}", screen.draw().0);
        mouse(&mut screen, CLICK, (width - 3, height / 2));
        assert_eq!(screen.state.focus, Focus::Preview);
    }
}

#[test]
fn the_wheel_moves_what_lies_under_it() {
    let mut screen = Screen::new(80, 24);
    let call = screen.open();
    let text: String = (1..=100).map(|n| format!("line {n}\n")).collect();
    screen.answer(call, Ok(text_page("library://rooms/reading", &text)));
    assert!(screen.shows("line 1\n") || screen.shows("line 1 "));
    mouse(&mut screen, MouseEventKind::ScrollDown, (60, 10));
    assert!(screen.shows("line 6") && !screen.shows("line 1 "), "{}", screen.draw().0);
    mouse(&mut screen, MouseEventKind::ScrollUp, (60, 10));
    mouse(&mut screen, MouseEventKind::ScrollUp, (60, 10));
    assert!(screen.shows("line 1 "));
    mouse(&mut screen, MouseEventKind::ScrollDown, (5, 12));
    assert_ne!(selected(&screen), "library://rooms/reading");
}

#[test]
fn the_mouse_leaves_alone_what_is_typed_or_asked() {
    let mut screen = Screen::new(80, 24);
    screen.keys("2 Enter");
    screen.type_text("owls");
    let before = screen.draw();
    for kind in [CLICK, MouseEventKind::ScrollDown, MouseEventKind::Moved] {
        for at in [(5, 3), (5, 12), (60, 10), (0, 0), (79, 23), (500, 500)] {
            assert_eq!(mouse(&mut screen, kind, at), []);
        }
    }
    assert_eq!(screen.draw(), before);
}

#[test]
fn the_mouse_scrolls_help() {
    let mut screen = Screen::new(80, 24);
    screen.keys("?");
    assert!(screen.shows("lines 1-"));
    mouse(&mut screen, MouseEventKind::ScrollDown, (5, 12));
    assert!(screen.shows("lines 4-"));
}

#[test]
fn its_key_takes_and_leaves_it() {
    let mut screen = Screen::new(80, 24);
    assert_eq!(screen.keys("m"), [Effect::Mouse(true)]);
    assert!(screen.shows("the mouse is taken"));
    assert_eq!(screen.keys("m"), [Effect::Mouse(false)]);
}
