//! A fault of the program itself. Debug builds panic or fail on request.

use crate::endings::with_stubborn_servers;
use crate::processes::{running_with, unique_sleep};
use crate::start::{BEFORE, Start};

#[track_caller]
fn panics(place: &str, key: &str) {
    let start = Start::demo().variable("VESTIBULE_TEST_PANIC", place).under_a_shell();
    let length = unique_sleep();
    let mut terminal = with_stubborn_servers(start, &length);
    terminal.send(key.as_bytes());
    terminal.wait_exit();
    terminal.assert_given_back();
    assert_eq!(running_with(&length), [""; 0]);
    let seen = terminal.seen();
    assert!(seen.shows(BEFORE), "{}", seen.text());
    let message = seen.row("panicked at").expect("the panic is told");
    assert!(message.starts_with("thread "), "from the left edge: {message}");
    assert!(seen.shows(&format!("a made-up panic: {place}")));
    assert_eq!(seen.row("code=").as_deref(), Some("code=1"));
}

#[test]
fn a_panic_of_a_task_is_told_on_the_users_own_screen() {
    panics("task", "\r");
}

#[test]
fn a_panic_while_drawing_is_told_on_the_users_own_screen() {
    panics("draw", "?");
}

#[test]
fn an_error_while_drawing_is_told_on_the_users_own_screen() {
    let start = Start::demo().variable("VESTIBULE_TEST_ERROR", "draw").under_a_shell();
    let length = unique_sleep();
    let mut terminal = with_stubborn_servers(start, &length);
    terminal.send(b"?");
    terminal.wait_exit();
    terminal.assert_given_back();
    assert_eq!(running_with(&length), [""; 0]);
    let seen = terminal.seen();
    assert!(seen.shows(BEFORE), "{}", seen.text());
    let message = seen.row("a made-up error: draw").expect("the error is told");
    assert!(message.starts_with("vestibule: "), "from the left edge: {message}");
    assert_eq!(seen.row("code=").as_deref(), Some("code=1"));
}
