//! What the program costs, as ratios against baselines measured in the same run.
//!
//! `cargo bench` prints a table and fails when a limit is passed; `cargo bench -- WORD…` measures
//! only what has one of these words in its name. Most figures are medians over several processes,
//! so that memory is measured from a clean start; CPU time is that of the measured process alone,
//! without the server's. Where a limit is on the clock, both sides run in turn.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::print_stdout, clippy::string_slice, clippy::wildcard_enum_match_arm)]

mod figure;
mod form;
mod http;
mod measure;
mod pty;
mod rows;
mod screen;
mod server;
mod whole;
mod wire;

use figure::Figure;
use std::process::ExitCode;

/// Something that is measured.
struct Bench {
    name: &'static str,
    /// What is divided by what.
    what: &'static str,
    run: fn() -> Vec<Figure>,
}

const BENCHES: [Bench; 16] = [
    Bench {
        name: "read-stdio",
        what: "50 MB of text over stdio into a document / serde_json::Value of its line",
        run: wire::text,
    },
    Bench {
        name: "read-http",
        what: "50 MB of text over HTTP in one piece / serde_json::Value of the same",
        run: wire::text_json,
    },
    Bench {
        name: "read-events",
        what: "50 MB of text over HTTP in an event / serde_json::Value of the same",
        run: wire::text_events,
    },
    Bench {
        name: "blob-stdio",
        what: "50 MB of bytes over stdio, decoded / decoding their base64 alone",
        run: wire::blob,
    },
    Bench {
        name: "list-stdio",
        what: "100 000 resources in pages of 1000 / typed serde_json of the same lines",
        run: wire::list,
    },
    Bench {
        name: "list-http",
        what: "100 000 resources over HTTP in one piece each page / typed serde_json of the same",
        run: wire::list_json,
    },
    Bench {
        name: "list-events",
        what: "100 000 resources over HTTP in an event each page / typed serde_json of the same",
        run: wire::list_events,
    },
    Bench {
        name: "merge",
        what: "merging and addressing 100 000 rows of 10 servers / sorting them by URI",
        run: rows::merge,
    },
    Bench {
        name: "search-100k",
        what: "a keystroke in the search, 100 000 rows / nucleo-matcher over the same rows",
        run: screen::search_many,
    },
    Bench {
        name: "search-1m",
        what: "a keystroke in the search, 1 000 000 rows / nucleo-matcher over the same rows",
        run: screen::search_most,
    },
    Bench {
        name: "draw",
        what: "a frame with 1 MB of text open / a frame of the empty screen, 200x50",
        run: screen::draw,
    },
    Bench {
        name: "form",
        what: "the form of a tool with 1 000 arguments / serde_json of its schema, 80x24",
        run: form::form,
    },
    Bench {
        name: "start",
        what: "start to first frame in a terminal / a program that only draws",
        run: pty::start,
    },
    Bench { name: "idle", what: "10 s of doing nothing in a terminal", run: pty::idle },
    Bench {
        name: "whole-list",
        what: "`vestibule resources --json`, 100 000 of them / a bare client in Python",
        run: whole::list,
    },
    Bench {
        name: "whole-read",
        what: "`vestibule read --raw`, 50 MB / a bare client in Python",
        run: whole::read,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["serve", kind] => server::serve(kind),
        ["serve-http", way, kind] => http::serve(way, kind),
        ["case", case] => println!("{}", measure::case(case)),
        ["bare"] => pty::bare(),
        words => return table(words),
    }
    ExitCode::SUCCESS
}

fn table(words: &[&str]) -> ExitCode {
    // Cargo says `--bench`.
    let words: Vec<&&str> = words.iter().filter(|word| !word.starts_with("--")).collect();
    let wanted =
        |bench: &&Bench| words.is_empty() || words.iter().any(|w| bench.name.contains(**w));
    let mut over = Vec::new();
    for bench in BENCHES.iter().filter(wanted) {
        println!("{}: {}", bench.name, bench.what);
        for figure in (bench.run)() {
            println!("  {figure}");
            if figure.is_over() {
                over.push(bench.name);
            }
        }
    }
    over.dedup();
    if over.is_empty() {
        println!("all limits are kept");
        return ExitCode::SUCCESS;
    }
    println!("OVER THE LIMIT: {}", over.join(", "));
    ExitCode::FAILURE
}
