//! The command line as a process of its own: what it prints, what it ends with, what it leaves.

// A failed expectation stops a test, loudly; the lints' own exception knows only `#[test]`.
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::wildcard_enum_match_arm)]

#[cfg(unix)]
mod calls;
mod codes;
mod output;
#[cfg(unix)]
mod processes;
#[cfg(unix)]
mod remarks;
mod run;
mod serve;
mod shapes;
mod sources;
#[cfg(unix)]
mod verbs;
mod walk;
