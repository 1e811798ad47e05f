//! The program itself in a terminal of its own: what a person at the keyboard would see.
//!
//! A test starts the binary in a pseudo-terminal, types, and waits for text to appear. It never
//! waits for time to pass, except where nothing happening is what it is about.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic,
    missing_docs,
    unreachable_pub,
    reason = "test helpers may fail loudly"
)]

mod calling;
mod clusters;
mod colours;
mod demo;
mod driver;
mod endings;
mod filling;
mod folder;
mod hostile;
mod idle;
mod keys;
mod mouse;
#[cfg(debug_assertions)]
mod panics;
mod paste;
mod processes;
mod scripted;
mod servers;
mod sizes;
mod start;
mod stopping;
mod stream;
mod take;
mod watch;
