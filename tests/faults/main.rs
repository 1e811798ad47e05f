//! Faulty servers, one in each trial, and what each of them must end as.
//!
//! Run as `faults serve NAME [ARG]` this program is the faulty server itself; without, it runs a
//! table of trials, each of which starts it as a child. Nothing but Rust is needed. Faulty servers
//! over HTTP run inside the trial; `faults serve http NAME [METHOD]` serves one to be looked at.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "test code: what is unexpected ends the trial, and the faulty server has no logger"
)]

mod expect;
mod http;
#[path = "../support/http_server/mod.rs"]
mod http_server;
mod processes;
mod row;
mod server;
mod special;
mod table;
mod trial;
#[path = "../support/wire.rs"]
mod wire;

use libtest_mimic::{Arguments, Trial};
use std::{process::ExitCode, sync::Arc};

/// Trials wait more than they compute.
const AT_ONCE: usize = 16;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["serve", "http", fault, rest @ ..] => return http::serve(fault, rest.first().copied()),
        ["serve", fault, rest @ ..] => return server::serve(fault, rest.first().copied()),
        _ => {}
    }
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(AT_ONCE);
    let wire = Arc::new(wire::Wire::new());
    let rows = table::rows().into_iter().chain(http::rows());
    let mut trials: Vec<Trial> = rows.flat_map(|row| trial::of(row, &wire)).collect();
    trials.push(Trial::test("wire::the_check_can_fail", move || {
        Ok(wire::the_check_can_fail(&wire)?)
    }));
    trials.push(Trial::test("http::the_rules_can_fail", || Ok(http_server::the_rules_can_fail()?)));
    trials.extend(special::trials());
    libtest_mimic::run(&arguments, trials).exit_code()
}
