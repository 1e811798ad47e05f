//! What can happen, and what a key can mean.

use super::clipboard::Road;
use super::state::search::Found;
use super::state::traffic::Message;
use super::state::{Overlay, Page, Tab};
use crate::content::export::Refusal;
use crate::domain::{CallId, CallState, Completion, Fault, ServerId, Tool, UntrustedText};
use crate::registry::RegistryView;
use crate::schema::Disagreement;
use crossterm::event::{KeyEvent, MouseEvent};
use serde_json::{Map, Value};
use std::{sync::Arc, time::Duration};

/// A point in time, counted from the start of the screen. Time enters `update` as this value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Moment(pub Duration);

impl Moment {
    /// How long ago `earlier` was; zero when it lies ahead.
    pub fn since(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

/// Something that happened.
#[derive(Debug, Clone)]
pub enum Msg {
    /// A key was pressed or repeats.
    Key(KeyEvent),
    /// The mouse did something.
    Mouse(MouseEvent),
    /// Text was pasted; never a key, never a submission.
    Paste(String),
    /// The terminal has this many columns and rows now.
    Resize(u16, u16),
    /// The registry has a newer snapshot.
    View(Arc<RegistryView>),
    /// A read or a rendered prompt came back, laid out for paging.
    Opened {
        /// Which call it answers.
        call: CallId,
        /// The page, or why there is none.
        result: Result<Page, Fault>,
    },
    /// How a call goes that has not been answered yet.
    Progress {
        /// Which.
        call: CallId,
        /// What is known of it.
        state: CallState,
    },
    /// A resource is watched, or let go, or not.
    Watched {
        /// Which call it answers.
        call: CallId,
        /// Whether the server agreed.
        result: Result<(), Fault>,
    },
    /// What a server proposes for a field.
    Completed {
        /// Which call it answers.
        call: CallId,
        /// The proposals, or why there are none.
        result: Result<Completion, Fault>,
    },
    /// What a server said beside the protocol.
    Noise {
        /// Who said it.
        server: ServerId,
        /// The last lines of its standard error, oldest first.
        stderr: Vec<UntrustedText>,
        /// Lines that were no protocol, and breaches, oldest first.
        stray: Vec<UntrustedText>,
    },
    /// Messages to and from a server.
    Traffic {
        /// Whose.
        server: ServerId,
        /// After which number they were asked for.
        after: u64,
        /// The number of the oldest that is still kept.
        oldest: Option<u64>,
        /// They, oldest first.
        messages: Vec<Arc<Message>>,
    },
    /// Arguments were held against the schema of a tool.
    Checked {
        /// Which tool.
        tool: Arc<Tool>,
        /// Which arguments.
        arguments: Map<String, Value>,
        /// Where they do not agree, or why that cannot be said.
        found: Result<Vec<Disagreement>, UntrustedText>,
    },
    /// A search has found more.
    Found(Found),
    /// A text for the clipboard was written to the terminal.
    Copied {
        /// What it is, in our words.
        what: String,
        /// How long it is, in bytes.
        length: usize,
        /// Through what it went.
        road: Road,
    },
    /// A file was written, or not.
    Saved {
        /// Which call it answers.
        call: CallId,
        /// What was written, or why nothing was.
        result: Result<Saved, Refusal>,
    },
    /// The moment that was asked for with `Effect::WakeAt` has come.
    Wake,
    /// A frame has just been drawn.
    Drawn,
}

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// Where, fit to look at.
    pub path: String,
    /// How much, in bytes.
    pub bytes: usize,
}

/// What a key means. The table of keys is in `keymap`. Grouped by who can take it, so that every
/// match names all it leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Move the selection or the window.
    Move(Step),
    /// Something that a pane can do.
    Pane(PaneAction),
    /// Open a page over everything, or close it.
    Overlay(Overlay),
    /// Something in a field or a form.
    Field(FieldAction),
    /// Open the list of all actions.
    Palette,
    /// One step back; never out of the program.
    Back,
    /// Stop, and give the terminal back to the shell.
    Stop,
    /// Leave the program.
    Quit,
}

/// How far to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// One row up.
    Up,
    /// One row down.
    Down,
    /// One page up.
    PageUp,
    /// One page down.
    PageDown,
    /// Half a page up.
    HalfUp,
    /// Half a page down.
    HalfDown,
    /// To the beginning.
    Home,
    /// To the end.
    End,
}

/// What the panes can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PaneAction {
    /// To the pane on the left.
    Left,
    /// To the pane on the right.
    Right,
    /// To the next pane.
    Next,
    /// To the pane before.
    Previous,
    /// To a tab of the list.
    Show(Tab),
    /// Read, render, or show.
    Open,
    /// Fill in the form of a prompt or template.
    FillIn,
    /// Between content and details.
    Details,
    /// The preview over the full width, and back.
    Full,
    /// Type a filter.
    Filter,
    /// Ask the server for its lists again.
    Refresh,
    /// Connect the server.
    Connect,
    /// Disconnect the server.
    Disconnect,
    /// End the server and start it anew.
    Restart,
    /// Show the server's own output.
    Noise,
    /// Show the messages to and from the server.
    Traffic,
    /// Copy what is shown.
    Copy,
    /// Copy the address with its server.
    CopyQualified,
    /// Copy what was opened as JSON.
    CopyJson,
    /// Copy bytes as base64.
    CopyBase64,
    /// Save what is shown.
    Save,
    /// Watch a resource, or let it go.
    Watch,
    /// Call a tool again with what it was sent last.
    Again,
    /// Ask again before calls of a tool.
    AskAgain,
    /// Follow a link of an answer.
    Follow,
    /// Back to where a link was followed from.
    Return,
    /// Take the mouse from the terminal, or leave it.
    Mouse,
}

/// What can be done where text is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FieldAction {
    /// Keep the filter; send the form.
    Accept,
    /// Empty the field.
    Clear,
    /// To the next field.
    Next,
    /// To the field before.
    Previous,
    /// Send a field although it is empty, or as null.
    SendEmpty,
    /// Yes, and no question again before the same.
    Always,
    /// Choose the next proposal, or the one before.
    Choose(bool),
    /// Fill in the server's default.
    Default,
    /// Send the form although it was refused.
    Unchecked,
    /// From the fields to the arguments as JSON, or back.
    Json,
}
