//! Panics and errors that a test asks for, to see that the terminal is given back. A release build
//! has none of it.

use std::io;

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

/// Fails when a test wants that at this place: `VESTIBULE_TEST_ERROR=draw`.
#[cfg(debug_assertions)]
pub(super) fn error(place: &str) -> io::Result<()> {
    if std::env::var_os("VESTIBULE_TEST_ERROR").is_some_and(|wanted| wanted == place) {
        return Err(io::Error::other(format!("a made-up error: {place}")));
    }
    Ok(())
}

/// Does nothing: this is a release build.
#[cfg(not(debug_assertions))]
pub(super) fn error(_: &str) -> io::Result<()> {
    Ok(())
}
