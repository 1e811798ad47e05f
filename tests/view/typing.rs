//! Fields of one line.

use crate::support::*;

/// Scripts of two columns, an accented letter of two characters, a family of three people.
const MIXED: &str = "漢字あ가나다e\u{301}👨\u{200d}👩\u{200d}👧";

#[test]
fn the_cursor_stands_at_the_caret_of_any_script() {
    let mut screen = Screen::new(40, 10);
    screen.keys("/");
    screen.type_text(MIXED);
    // A corner, "/ ", six letters of two columns, one of one, one of two.
    let column = |screen: &Screen| screen.draw().1.expect("a cursor").x;
    assert_eq!(column(&screen), 3 + 12 + 1 + 2);
    assert!(screen.shows(MIXED));
    let mut columns = Vec::new();
    for _ in 0..8 {
        screen.keys("Left");
        columns.push(column(&screen) - 3);
    }
    assert_eq!(columns, [13, 12, 10, 8, 6, 4, 2, 0]);
    screen.keys("End Backspace");
    assert_eq!(screen.state.catalogue.filter.text(), "漢字あ가나다e\u{301}");
    screen.keys("Backspace Ctrl-w Ctrl-u");
    screen.type_text("部屋");
    assert!(screen.shows("漢字の部屋") && screen.shows("1 of "), "{}", screen.draw().0);
}
