//! A file being named that something is saved to.

use super::field::TextField;
use super::sent::Body;
use crate::domain::{CallId, Fault};

/// The field for a file's name, and what goes into the file.
#[derive(Debug, Clone)]
pub struct Save {
    /// What is saved, for its heading.
    pub what: String,
    /// The same.
    pub body: Body,
    /// The name, as it is typed.
    pub input: TextField,
    /// The file is being written by this call.
    pub call: Option<CallId>,
    /// What was wrong with the name.
    pub problem: Option<Fault>,
    /// Whether a file of that name is there, and it was asked if it is to be replaced.
    pub exists: bool,
}

impl Save {
    /// A field with a name to begin with.
    pub fn new(what: String, body: Body, name: &str) -> Self {
        let input = TextField::new(name.to_owned());
        Self { what, body, input, call: None, problem: None, exists: false }
    }

    /// The name was changed: what was said of the one before no longer holds, and what comes of it
    /// yet is no answer to this one.
    pub fn renamed(&mut self) {
        (self.problem, self.exists, self.call) = (None, false, None);
    }
}
