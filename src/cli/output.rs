//! How a command's answer is to look.

use super::{Common, connect::seconds_text};
use crate::domain::{Fault, FaultKind};
use std::time::Duration;

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
        }
    }

    /// The fault of a command that `--timeout` ended.
    pub(super) fn too_late(timeout: Option<Duration>, what: &str) -> Fault {
        let after = timeout.map(|t| format!(" after {}", seconds_text(t))).unwrap_or_default();
        Fault::new(FaultKind::Timeout, format!("{what}{after}")).hint("a longer --timeout may help")
    }
}
