//! What can happen, and what a key can mean.

use super::state::{Overlay, Page, Tab};
use crate::domain::{CallId, Completion, Fault, ServerId, UntrustedText};
use crate::registry::RegistryView;
use crossterm::event::{KeyEvent, MouseEvent};
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
    /// The moment that was asked for with `Effect::WakeAt` has come.
    Wake,
    /// A frame has just been drawn.
    Drawn,
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
    /// Show the server's own output.
    Noise,
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
    /// Send an optional field although it is empty.
    SendEmpty,
    /// Choose the next proposal, or the one before.
    Choose(bool),
}
