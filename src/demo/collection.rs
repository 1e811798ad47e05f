//! What an embedded server has on show, as plain tables.
//!
//! The data files fill these in and know nothing of the protocol; the handler turns rows
//! into protocol types. Everything here is constant, so each opened server is independent, but
//! for how often what is watched has changed (see [`super::live`]).

use crate::domain::Era;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// Everything one embedded server offers.
#[derive(Debug)]
pub(super) struct Collection {
    /// The name that the server gives itself, which is also its name in the demo.
    pub(super) name: &'static str,
    /// A name for people.
    pub(super) title: &'static str,
    /// One line for a list of servers.
    pub(super) description: &'static str,
    /// What the server says about its use.
    pub(super) instructions: &'static str,
    /// The only era in which it converses.
    pub(super) era: Era,
    /// Rows on one page of any list; at least 1.
    pub(super) page_size: usize,
    /// Listed resources, in order.
    pub(super) resources: &'static [ResourceRow],
    /// Resource templates, in order.
    pub(super) templates: &'static [TemplateRow],
    /// Prompts, in order.
    pub(super) prompts: &'static [PromptRow],
    /// Tools, in order.
    pub(super) tools: &'static [ToolRow],
}

/// One listed resource.
#[derive(Debug)]
pub(super) struct ResourceRow {
    /// Its absolute URI.
    pub(super) uri: &'static str,
    /// Its name.
    pub(super) name: &'static str,
    /// What it is.
    pub(super) description: &'static str,
    /// Its media type.
    pub(super) mime_type: &'static str,
    /// What a read gives.
    pub(super) body: Body,
}

/// The content of a resource.
#[derive(Debug)]
pub(super) enum Body {
    /// Text kept in the program.
    Text(&'static str),
    /// Bytes kept in the program; sent as base64.
    Bytes(&'static [u8]),
    /// Text that would be too large to keep, written anew for each read.
    Made {
        /// Its length in bytes, known without writing it.
        size: u64,
        /// Writes it; always the same.
        write: fn() -> String,
    },
    /// Text that changes while somebody watches it, and keeps its length.
    Live {
        /// What it is as long as nobody has watched it.
        first: &'static str,
        /// What it is after so many changes.
        after: fn(u64) -> String,
    },
}

impl Body {
    /// Length in bytes before any encoding.
    pub(super) fn size(&self) -> u64 {
        match self {
            Self::Text(text) => text.len() as u64,
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Made { size, .. } => *size,
            Self::Live { first, .. } => first.len() as u64,
        }
    }
}

/// A family of resources that share a URI template.
#[derive(Debug)]
pub(super) struct TemplateRow {
    /// The URI template (RFC 6570, level 1).
    pub(super) uri_template: &'static str,
    /// Its name.
    pub(super) name: &'static str,
    /// What it gives.
    pub(super) description: &'static str,
    /// The media type of what it gives.
    pub(super) mime_type: &'static str,
    /// Its variables, in order, each with what could stand there.
    pub(super) variables: &'static [(&'static str, Values)],
    /// The text at a concrete URI; `None` when the URI is not of this family or names
    /// nothing.
    pub(super) read: fn(uri: &str) -> Option<String>,
}

/// One prompt.
#[derive(Debug)]
pub(super) struct PromptRow {
    /// Its name.
    pub(super) name: &'static str,
    /// A name for people.
    pub(super) title: &'static str,
    /// What it does.
    pub(super) description: &'static str,
    /// What it takes, in order.
    pub(super) arguments: &'static [ArgumentRow],
    /// Its messages, once all required arguments are known to be there.
    pub(super) render: fn(&Arguments<'_>) -> Vec<Line>,
}

/// One argument of a prompt.
#[derive(Debug)]
pub(super) struct ArgumentRow {
    /// Its name.
    pub(super) name: &'static str,
    /// What to put in.
    pub(super) description: &'static str,
    /// Whether the prompt needs it.
    pub(super) required: bool,
    /// What could stand there.
    pub(super) values: Values,
}

/// Gives what could stand in an argument, given what stands in the others.
pub(super) type Values = fn(&Filled<'_>) -> Vec<String>;

/// What is filled in beside the argument that is asked about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Filled<'a>(pub(super) Option<&'a HashMap<String, String>>);

impl<'a> Filled<'a> {
    /// The value of an argument, if it has one.
    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        self.0?.get(name).map(String::as_str).filter(|text| !text.is_empty())
    }
}

/// Texts that are kept, as values.
pub(super) fn values(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// One message of a rendered prompt.
#[derive(Debug)]
pub(super) struct Line {
    /// Who says it.
    pub(super) speaker: Speaker,
    /// What is said.
    pub(super) block: Block,
}

impl Line {
    /// Something the user says.
    pub(super) fn user(text: impl Into<String>) -> Self {
        Self { speaker: Speaker::User, block: Block::Text(text.into()) }
    }

    /// Something the assistant says.
    pub(super) fn assistant(text: impl Into<String>) -> Self {
        Self { speaker: Speaker::Assistant, block: Block::Text(text.into()) }
    }
}

/// Who says a message of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Speaker {
    /// The person.
    User,
    /// The model.
    Assistant,
}

/// The content of one message.
#[derive(Debug)]
pub(super) enum Block {
    /// Text.
    Text(String),
    /// A picture.
    Image {
        /// The bytes of its file.
        bytes: &'static [u8],
        /// Its media type.
        mime_type: &'static str,
    },
    /// A text resource, carried along whole.
    Resource {
        /// Where it is from.
        uri: &'static str,
        /// Its media type.
        mime_type: &'static str,
        /// Its text.
        text: &'static str,
    },
    /// A pointer to a listed resource.
    Link {
        /// Where it is.
        uri: &'static str,
        /// What it is called.
        name: &'static str,
    },
}

/// One tool.
#[derive(Debug)]
pub(super) struct ToolRow {
    /// Its name.
    pub(super) name: &'static str,
    /// A name for people.
    pub(super) title: &'static str,
    /// What it does.
    pub(super) description: &'static str,
    /// Its arguments, as the text of a JSON Schema object.
    pub(super) input_schema: &'static str,
    /// What its structured answer looks like, as the text of a JSON Schema object.
    pub(super) output_schema: Option<&'static str>,
    /// What it says of its own effects.
    pub(super) effect: Effect,
    /// How it comes to an answer.
    pub(super) call: Call,
}

/// How a tool comes to an answer; an `Err` is a failure that it reports itself. Nothing outside
/// the program is ever touched.
#[derive(Debug)]
pub(super) enum Call {
    /// A text, at once.
    Text(fn(&Arguments<'_>) -> Result<String, String>),
    /// Blocks of every kind, at once.
    Blocks(fn(&Arguments<'_>) -> Result<Vec<Block>, String>),
    /// A structured answer, at once.
    Structured(fn(&Arguments<'_>) -> Result<Value, String>),
    /// A text after so many steps, each of which takes a while and is told of.
    Steps {
        /// How many.
        count: fn(&Arguments<'_>) -> Result<u64, String>,
        /// What is done in one, counted from 1.
        step: fn(u64) -> String,
        /// The text at the end.
        done: fn(u64) -> String,
    },
    /// A text, given the client's roots, for which it asks.
    Roots(fn(&[String]) -> String),
}

/// The hints that a tool gives about its effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Reads only.
    Reads,
    /// Changes something, in a way that can be undone by calling again.
    Changes,
    /// Changes something for good.
    Destroys,
}

/// The arguments of a call, looked up by name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arguments<'a>(pub(super) Option<&'a Map<String, Value>>);

impl<'a> Arguments<'a> {
    /// A text argument; `None` when it is absent, empty or not text.
    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        self.0?.get(name)?.as_str().filter(|text| !text.is_empty())
    }

    /// The value of an argument, whatever it is.
    pub(super) fn value(&self, name: &str) -> Option<&'a Value> {
        self.0?.get(name)
    }

    /// A whole number; `None` when it is absent, negative or not a whole number.
    pub(super) fn number(&self, name: &str) -> Option<u64> {
        self.0?.get(name)?.as_u64()
    }
}
