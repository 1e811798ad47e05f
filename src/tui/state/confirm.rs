//! What is done only after a yes: the question, and who wants it asked.

use super::State;
use super::asking::Asking;
use super::item::{ItemKey, Kind};
use crate::domain::{Surface, UntrustedText};
use serde_json::{Map, Value};

/// What is to be done with an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// Read a resource.
    Read,
    /// Render a prompt with these arguments.
    Render(Vec<(String, String)>),
    /// Fill in a template, and read what comes of it.
    Fill {
        /// The variables that have a value.
        values: Vec<(String, String)>,
        /// What comes of it.
        uri: UntrustedText,
    },
    /// Call a tool with these arguments.
    Call {
        /// What is sent.
        arguments: Map<String, Value>,
        /// Whether to send it although it does not agree with the tool's schema.
        unchecked: bool,
    },
}

/// A question that waits for a yes or a no.
#[derive(Debug, Clone)]
pub struct Confirm {
    /// The item.
    pub key: ItemKey,
    /// What is to be done with it.
    pub wanted: Wanted,
    /// What there is to see and to wait for, where it is a call of a tool.
    pub asking: Option<Asking>,
}

impl State {
    /// Whether something is done only after a yes.
    pub fn wants_yes(&self, key: &ItemKey, wanted: &Wanted) -> bool {
        if let Wanted::Call { .. } = wanted {
            return !self.is_unasked(key);
        }
        let (Some(surface), Some(server)) = (surface(key.kind), self.view.server(&key.server))
        else {
            return false;
        };
        let is_wanted = |name: &UntrustedText| server.needs_confirmation(surface, name.raw());
        match wanted {
            Wanted::Read | Wanted::Render(_) => is_wanted(&key.name),
            Wanted::Call { .. } => true,
            // What comes of a template is a resource of its own.
            Wanted::Fill { uri, .. } => is_wanted(&key.name) || is_wanted(uri),
        }
    }
}

/// The surface whose patterns decide about an item that can be opened.
fn surface(kind: Kind) -> Option<Surface> {
    match kind {
        Kind::Resource | Kind::Template => Some(Surface::Resources),
        Kind::Prompt => Some(Surface::Prompts),
        Kind::Tool => Some(Surface::Tools),
        Kind::Server | Kind::Malformed(..) => None,
    }
}
