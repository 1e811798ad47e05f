//! Where there are no signals and no shell to go back to.

use std::io::{self, Write};

/// The signals that end the program: Ctrl-C from outside, as signal 2.
pub(in crate::tui) struct Signals;

/// What a signal asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(dead_code, reason = "nothing stops a program here")]
pub(in crate::tui) enum Asked {
    /// To end, by the signal's number.
    End(i32),
    /// To stop.
    Stop,
    /// To go on: it had been stopped.
    GoOn,
}

impl Signals {
    pub(in crate::tui) fn catch() -> io::Result<Self> {
        Ok(Self)
    }

    pub(in crate::tui) async fn next(&mut self) -> Asked {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        Asked::End(2)
    }
}

pub(in crate::tui) fn cannot_stop() -> Option<&'static str> {
    Some("programs cannot be stopped on this system")
}

pub(in crate::tui) fn stop(_: bool) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(in crate::tui) fn in_background() -> bool {
    false
}

pub(super) fn is_line_by_line() -> bool {
    false
}

pub(super) fn forget_input() {}

pub(super) fn output() -> io::Result<io::Stdout> {
    Ok(io::stdout())
}

pub(super) fn forget_output() {}

pub(super) fn write_at_once(bytes: &[u8]) -> io::Result<()> {
    let mut output = io::stdout();
    output.write_all(bytes)?;
    output.flush()
}

pub(in crate::tui) fn has_gone(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

/// A console that is closed ends its programs itself.
pub(in crate::tui) struct Hangup;

impl Hangup {
    pub(in crate::tui) fn watch() -> io::Result<Self> {
        Ok(Self)
    }

    pub(in crate::tui) async fn closed(&mut self) {
        std::future::pending::<()>().await;
    }
}
