//! The screen, tested without a terminal: keys go through `update`, cells come from `view`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::wildcard_enum_match_arm,
    missing_docs,
    unreachable_pub,
    reason = "test helpers may fail loudly"
)]

mod authority;
mod calling;
mod confirm;
mod filling;
mod forming;
mod frames;
mod hostile;
mod keys;
mod leaving;
mod mouse;
mod palette;
mod proposals;
mod reading;
mod readme;
mod search;
mod servers;
mod sizes;
mod standings;
mod support;
mod take;
mod themes;
mod traffic;
mod typing;
mod watch;
