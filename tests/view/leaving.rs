//! Leaving, for good and for a while.

use crate::support::*;
use vestibule::tui::Effect;

#[test]
fn quitting_asks_only_while_a_call_runs() {
    let mut screen = Screen::new(80, 24);
    // One server is being connected, and one is being listed.
    assert_eq!(screen.keys("q"), [Effect::Quit]);
    screen.open();
    assert_eq!(screen.keys("q"), []);
    assert_eq!(screen.keys("q"), [Effect::Quit]);
}

#[test]
fn the_key_for_stopping_is_one_everywhere() {
    for start in ["g", "h", "2 Enter", "/ a b", "?", "n", "Enter q", "3 l"] {
        let mut screen = Screen::new(80, 24);
        screen.keys(start);
        let before = screen.draw();
        assert_eq!(screen.keys("Ctrl-z"), [Effect::Stop], "{start}");
        assert_eq!(screen.draw(), before);
    }
}
