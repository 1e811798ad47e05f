//! A small MCP server that misbehaves in one named way. Threads and the standard library; it
//! shares nothing with the program under test but the protocol.
//!
//! It also watches what it is sent: whatever the protocol forbids is written to standard error as
//! a line that begins with `VIOLATION`, and no trial passes with such a line.

mod calls;
mod check;
mod conversation;
mod framing;
mod json_rpc;
mod lifecycle;
mod modern;
mod notifications;
mod pipe;
mod process;
mod reads;
mod requests_to_client;
mod results;

pub(crate) use pipe::InProcessServer;

use conversation::Server;
use std::{
    io::{self, BufRead, BufReader, Read},
    process::ExitCode,
    sync::Arc,
};

/// Serves on standard input and output until the input ends.
pub(crate) fn serve(fault: &str, arg: Option<&str>) -> ExitCode {
    eprintln!("PID {}", std::process::id());
    if let Some(code) = process::before_serving(fault) {
        return code;
    }
    let log = Box::new(|line: &str| {
        use io::Write;
        // The other end may be gone, which is no reason to end.
        let _ = writeln!(io::stderr(), "{line}");
    });
    let server = Arc::new(Server::new(fault, arg, Box::new(io::stdout()), log));
    run(&server, io::stdin());
    process::after_input(fault)
}

/// Reads messages until the input ends.
fn run(server: &Arc<Server>, input: impl Read) {
    lifecycle::before_reading(server);
    for line in BufReader::new(input).split(b'\n') {
        let Ok(line) = line else { return };
        let message = match serde_json::from_slice(&line) {
            Ok(message) => message,
            Err(error) => {
                server.violation(&format!("a line that is not JSON: {error}"));
                continue;
            }
        };
        check::incoming(server, &message);
        server.dispatch(&message);
    }
}
