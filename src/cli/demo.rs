//! `demo [SERVER] --stdio | --http PORT`: be one of the built-in servers.

use super::{Signals, signal_code};
use crate::{
    demo::{self, DemoServer, HttpServer},
    domain::{Fault, FaultKind},
};
use clap::{Args, ValueEnum};
use std::io::{self, Write};

/// The end of its help page.
pub(super) const EXAMPLES: &str = "\
Examples:
  vestibule demo --stdio                          a client starts this as its server
  vestibule demo observatory --http 8931          at http://127.0.0.1:8931/mcp, until Ctrl-C
  vestibule resources -- vestibule demo --stdio";

/// `demo [SERVER]`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Args)]
#[command(group = clap::ArgGroup::new("road").required(true))]
pub struct Demo {
    /// Which one
    #[arg(value_enum, value_name = "SERVER", default_value_t)]
    pub server: DemoName,
    /// Serve one client over standard input and output, until the input ends
    #[arg(long, group = "road")]
    pub stdio: bool,
    /// Serve over HTTP at this port of 127.0.0.1; 0 takes a free one
    #[arg(long, value_name = "PORT", group = "road")]
    pub http: Option<u16>,
}

/// The built-in servers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum DemoName {
    /// Speaks the legacy era
    #[default]
    Library,
    /// Speaks the modern era
    Observatory,
}

/// Serves until the client's input ends or a signal comes, and gives the process's exit code.
/// Standard output belongs to the protocol; `err` receives the addresses.
///
/// # Errors
/// [`FaultKind::Unreachable`] when the port cannot be taken.
pub async fn serve_demo(demo: Demo, err: &mut dyn Write) -> Result<u8, Fault> {
    let unexpected = |what: &str, error: &io::Error| {
        Fault::new(FaultKind::Unexpected, what).because(error.to_string())
    };
    let mut signals =
        Signals::listen().map_err(|error| unexpected("signals are not available", &error))?;
    let server = server(demo.server)?;
    let Some(port) = demo.http else {
        let input = demo::standard_input()
            .map_err(|error| unexpected("standard input cannot be read", &error))?;
        return Ok(tokio::select! {
            biased;
            signal = signals.next() => signal_code(signal),
            () = server.serve_lines(input, tokio::io::stdout()) => 0,
        });
    };
    let http = HttpServer::bind(server, port).await.map_err(|error| not_bound(port, &error))?;
    for (name, address) in http.addresses() {
        // Whoever closed standard error does not want to know.
        let _ = writeln!(err, "serving {name} at {address}");
    }
    Ok(signal_code(http.serve(signals.next()).await))
}

/// The embedded server of this name.
fn server(name: DemoName) -> Result<DemoServer, Fault> {
    let name = match name {
        DemoName::Library => "library",
        DemoName::Observatory => "observatory",
    };
    let missing = || Fault::new(FaultKind::Unexpected, format!("there is no server `{name}`"));
    demo::servers().into_iter().find(|server| server.name == name).ok_or_else(missing)
}

fn not_bound(port: u16, error: &io::Error) -> Fault {
    let why =
        if error.kind() == io::ErrorKind::AddrInUse { "is in use" } else { "cannot be taken" };
    Fault::new(FaultKind::Unreachable, format!("port {port} of 127.0.0.1 {why}"))
        .because(error.to_string())
        .hint("try another port, or 0 for any that is free")
}
