//! How a command's answer is to look.

use super::{Common, connect::seconds_text};
use crate::domain::{Fault, FaultKind};
use std::{io::IsTerminal as _, time::Duration};

/// What every command needs to know about its output and its limits.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Options {
    /// JSON instead of columns and text; messages as JSON lines.
    pub json: bool,
    /// A failing server makes a success a failure.
    pub strict: bool,
    /// Blocks with a foreign URI are accepted, with a note.
    pub lenient: bool,
    /// The one server that is meant, if one is.
    pub server: Option<String>,
    /// Time for the whole command.
    pub timeout: Option<Duration>,
    /// Whether standard output is a terminal: JSON is indented, raw bytes are held back.
    pub terminal: bool,
    /// Whether standard error is a terminal: how a call goes is told there.
    pub progress: bool,
    /// The terminal's width in cells, to which tables are fitted; none in a pipe, where nothing
    /// is cut.
    pub width: Option<usize>,
}

impl Options {
    /// Takes over what the command line says; `terminal` tells whether standard output is one.
    pub fn new(common: &Common, terminal: bool) -> Self {
        Self {
            json: common.json,
            strict: common.strict,
            lenient: common.lenient,
            // Names are trimmed wherever they are read, so a blank beside one means nothing here too.
            server: common.server.as_deref().map(|name| name.trim().to_owned()),
            timeout: common.timeout,
            terminal,
            progress: std::io::stderr().is_terminal(),
            width: terminal.then(terminal_width),
        }
    }

    /// The fault of a command that `--timeout` ended.
    pub(super) fn too_late(timeout: Option<Duration>, what: &str) -> Fault {
        let after = timeout.map(|t| format!(" after {}", seconds_text(t))).unwrap_or_default();
        Fault::new(FaultKind::Timeout, format!("{what}{after}"))
            .hint("a longer `--timeout` may help")
    }
}

/// A width for terminals that do not tell theirs.
const USUAL_WIDTH: usize = 80;

/// The cells of a line on the terminal of standard output; else what `COLUMNS` says, else 80.
fn terminal_width() -> usize {
    #[cfg(unix)]
    let told = rustix::termios::tcgetwinsize(std::io::stdout()).ok().map(|size| size.ws_col);
    #[cfg(not(unix))]
    let told: Option<u16> = None;
    let variable = || std::env::var("COLUMNS").ok()?.trim().parse().ok();
    let positive = |columns: &u16| *columns > 0;
    told.filter(positive).or_else(|| variable().filter(positive)).map_or(USUAL_WIDTH, usize::from)
}
