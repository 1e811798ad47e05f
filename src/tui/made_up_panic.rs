//! Panics that a test asks for, to see that the terminal is given back. A release build has none
//! of it.

/// Panics when a test wants that at this place: `VESTIBULE_TEST_PANIC=draw` or `=task`.
#[cfg(debug_assertions)]
#[expect(clippy::panic, reason = "it is what the test wants")]
pub(super) fn at(place: &str) {
    if std::env::var_os("VESTIBULE_TEST_PANIC").is_some_and(|wanted| wanted == place) {
        panic!("a made-up panic: {place}");
    }
}

/// Does nothing: this is a release build.
#[cfg(not(debug_assertions))]
pub(super) fn at(_: &str) {}
