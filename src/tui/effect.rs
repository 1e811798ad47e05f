//! What `update` wants done, and, in `runner` and `calls`, the only place that asks the registry to
//! do it.

mod calls;
mod runner;

pub(super) use runner::Runner;

use super::msg::{Moment, Msg};
use super::state::search::Job;
use super::state::sent::Body;
use crate::domain::{CallId, Completable, ServerId, Tool, UntrustedText};
use serde_json::{Map, Value};
use std::sync::Arc;

/// Something to do outside of the screen's own state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Read a resource.
    Read {
        /// Our name for the call.
        call: CallId,
        /// Whom to ask.
        server: ServerId,
        /// For what, byte for byte as listed.
        uri: UntrustedText,
    },
    /// Render a prompt.
    Render {
        /// Our name for the call.
        call: CallId,
        /// Whom to ask.
        server: ServerId,
        /// Which prompt, under the server's own name.
        name: UntrustedText,
        /// What to send.
        arguments: Vec<(String, String)>,
    },
    /// Fill in a template, and read what comes of it.
    Fill {
        /// Our name for the call.
        call: CallId,
        /// Whom to ask.
        server: ServerId,
        /// Which template, byte for byte as listed.
        template: UntrustedText,
        /// The variables that have a value.
        values: Vec<(String, String)>,
    },
    /// Call a tool.
    Call {
        /// Our name for the call.
        call: CallId,
        /// Whom to ask.
        server: ServerId,
        /// Which tool, under the server's own name.
        name: UntrustedText,
        /// What to send.
        arguments: Map<String, Value>,
        /// Whether to send it although it does not agree with the tool's schema.
        unchecked: bool,
    },
    /// Do this, to which a person said yes.
    Confirmed(Box<Self>),
    /// Watch a resource, or let it go.
    Watch {
        /// Our name for the call.
        call: CallId,
        /// Whom to ask.
        server: ServerId,
        /// Which resource, byte for byte as listed.
        uri: UntrustedText,
        /// Whether it is to be watched.
        on: bool,
    },
    /// Ask what could stand in a field.
    Complete {
        /// Our name for the call.
        call: CallId,
        /// Whom to ask.
        server: ServerId,
        /// Whether a prompt or a template is filled in.
        of: Completable,
        /// Which, under the server's own name.
        name: UntrustedText,
        /// Which argument or variable.
        argument: String,
        /// What stands there.
        value: String,
        /// What stands in the others.
        others: Vec<(String, String)>,
    },
    /// Stop a call, and tell the server.
    Cancel(CallId),
    /// Connect a server.
    Connect(ServerId),
    /// Disconnect a server.
    Disconnect(ServerId),
    /// End a server and start it anew.
    Restart(ServerId),
    /// List everything of a server again.
    Refresh(ServerId),
    /// Fetch what a server said beside the protocol.
    Noise(ServerId),
    /// Fetch the messages to and from a server that came after a number.
    Traffic {
        /// Whose.
        server: ServerId,
        /// The number.
        after: u64,
    },
    /// Hold arguments against the schema of a tool.
    Check {
        /// Which tool.
        tool: Arc<Tool>,
        /// Which arguments.
        arguments: Map<String, Value>,
    },
    /// Search through more than one frame has time for; replaces an earlier search.
    Search(Job),
    /// Write a text for the clipboard to the terminal.
    Copy {
        /// What it is, in our words.
        what: String,
        /// The text.
        text: String,
    },
    /// Write a file.
    Save {
        /// Our name for the call.
        call: CallId,
        /// Where, as it was typed.
        path: String,
        /// What.
        body: Body,
        /// Whether a file that is there is to be replaced.
        replace: bool,
    },
    /// Send `Msg::Wake` at this moment; replaces an earlier wish.
    WakeAt(Moment),
    /// Take the mouse, or leave it to the terminal.
    Mouse(bool),
    /// Give the terminal back to the shell, and stop until it brings the program back.
    Stop,
    /// End the program.
    Quit,
}

/// What the loop itself has to see to after an effect was taken up.
#[derive(Debug)]
pub(super) enum After {
    /// Nothing.
    Nothing,
    /// An answer that was there at once.
    Answer(Msg),
    /// A text for the clipboard, and what it is.
    Copy(String, String),
    /// A wish to be woken.
    WakeAt(Moment),
    /// The mouse taken, or left to the terminal.
    Mouse(bool),
    /// A stop.
    Stop,
    /// The end.
    Quit,
}
