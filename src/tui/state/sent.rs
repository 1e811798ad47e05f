//! What was sent, kept beside the page that shows it: what is copied and saved is this, byte for
//! byte, and not what the screen made of it.

use crate::content::export::{prompt_json, prompt_text, safe_name, tool_text};
use crate::content::{Document, encode};
use crate::domain::{RenderedPrompt, ToolResult, UntrustedText};
use bytes::Bytes;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Something that can be taken away whole. Cheap to clone.
#[derive(Debug, Clone)]
pub enum Body {
    /// A text of a server, verbatim.
    Text(Arc<Document>),
    /// Bytes.
    Bytes(Bytes),
    /// A rendered prompt.
    Prompt(Arc<RenderedPrompt>),
    /// What a tool answered.
    Tool(Arc<Answer>),
    /// A short text of a server, or several that were put together.
    Words(Arc<str>),
}

/// Two are the same when they are one: contents may be large.
impl PartialEq for Body {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text(a), Self::Text(b)) => Arc::ptr_eq(a, b),
            (Self::Prompt(a), Self::Prompt(b)) => Arc::ptr_eq(a, b),
            (Self::Tool(a), Self::Tool(b)) => Arc::ptr_eq(a, b),
            (Self::Bytes(a), Self::Bytes(b)) => a == b,
            (Self::Words(a), Self::Words(b)) => a == b,
            (
                Self::Text(_) | Self::Prompt(_) | Self::Tool(_) | Self::Bytes(_) | Self::Words(_),
                _,
            ) => false,
        }
    }
}

impl Eq for Body {}

impl Body {
    /// Short words.
    pub fn words(text: &str) -> Self {
        Self::Words(text.into())
    }

    /// The text of it, unless it is bytes.
    pub fn text(&self) -> Option<String> {
        match self {
            Self::Text(document) => Some(document.raw().to_owned()),
            Self::Words(text) => Some(text.as_ref().to_owned()),
            Self::Prompt(prompt) => Some(prompt_text(prompt)),
            Self::Tool(answer) => Some(tool_text(&answer.result)),
            Self::Bytes(_) => None,
        }
    }

    /// How many bytes that text has; cheap for what may be large.
    pub fn text_len(&self) -> Option<usize> {
        match self {
            Self::Text(document) => Some(document.len()),
            Self::Words(text) => Some(text.len()),
            Self::Prompt(prompt) => Some(prompt_text(prompt).len()),
            Self::Tool(answer) => Some(tool_text(&answer.result).len()),
            Self::Bytes(_) => None,
        }
    }

    /// The bytes of a file of it. A prompt or a tool's answer is JSON in a file whose name says so;
    /// of an answer a name with the ending of one of its pictures or sounds takes that.
    pub fn file(&self, name: &str) -> Bytes {
        let is_json = name.to_ascii_lowercase().ends_with(".json");
        match self {
            Self::Bytes(bytes) => bytes.clone(),
            Self::Prompt(prompt) if is_json => prompt_json(prompt).into(),
            Self::Tool(answer) if is_json => answer.json().into(),
            Self::Tool(answer) => match answer.media_called(name) {
                Some(bytes) => bytes,
                None => self.text().unwrap_or_default().into(),
            },
            Self::Text(_) | Self::Words(_) | Self::Prompt(_) => {
                self.text().unwrap_or_default().into()
            }
        }
    }
}

/// One block of a resource that was read.
#[derive(Debug, Clone)]
pub struct Block {
    /// The part of the page with which it begins.
    pub part: usize,
    /// Its URI, if it has one.
    pub uri: Option<UntrustedText>,
    /// Its media type, if it has one.
    pub mime_type: Option<UntrustedText>,
    /// What is in it.
    pub body: Body,
}

/// What a tool answered, and what of it can be taken apart.
#[derive(Debug)]
pub struct Answer {
    /// The answer.
    pub result: ToolResult,
    /// What can be followed from it, in order.
    pub links: Vec<UntrustedText>,
    /// Its blocks that are bytes.
    pub media: Vec<Block>,
}

impl Answer {
    /// The first of its blocks of bytes that a file of this name would hold, by its ending.
    fn media_called(&self, name: &str) -> Option<Bytes> {
        let (_, ending) = name.rsplit_once('.')?;
        let fits = |block: &&Block| {
            let usual = safe_name("x", block.mime_type.as_ref().map(UntrustedText::raw));
            usual.rsplit_once('.').is_some_and(|(_, usual)| usual.eq_ignore_ascii_case(ending))
        };
        match &self.media.iter().find(fits)?.body {
            Body::Bytes(bytes) => Some(bytes.clone()),
            Body::Text(_) | Body::Words(_) | Body::Prompt(_) | Body::Tool(_) => None,
        }
    }

    /// As the protocol has it.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(&self.result.to_value()).unwrap_or_default()
    }
}

/// What a page shows.
#[derive(Debug, Clone)]
pub enum Sent {
    /// A resource, block by block.
    Resource(Vec<Block>),
    /// A rendered prompt.
    Prompt(Arc<RenderedPrompt>),
    /// What a tool answered.
    Tool(Arc<Answer>),
}

impl Sent {
    /// The block in which a part of the page lies, its number from 1, and how many there are.
    pub fn block_at(blocks: &[Block], part: usize) -> Option<(&Block, usize, usize)> {
        let after = blocks.partition_point(|block| block.part <= part).max(1);
        Some((blocks.get(after - 1)?, after, blocks.len()))
    }

    /// As the protocol has it: the result of `resources/read` or `prompts/get`.
    pub fn json(&self) -> String {
        let blocks = match self {
            Self::Prompt(prompt) => return prompt_json(prompt),
            Self::Tool(answer) => return answer.json(),
            Self::Resource(blocks) => blocks,
        };
        let contents: Vec<Value> = blocks.iter().map(block_json).collect();
        serde_json::to_string_pretty(&json!({ "contents": contents })).unwrap_or_default()
    }

    /// The bytes that are kept of it beside the page.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Prompt(prompt) => prompt_text(prompt).len(),
            Self::Tool(answer) => {
                tool_text(&answer.result).len()
                    + answer.media.iter().map(block_bytes).sum::<usize>()
            }
            Self::Resource(blocks) => blocks.iter().map(block_bytes).sum(),
        }
    }
}

fn block_bytes(block: &Block) -> usize {
    match &block.body {
        Body::Bytes(bytes) => bytes.len(),
        // The page shares these.
        Body::Text(_) | Body::Words(_) | Body::Prompt(_) | Body::Tool(_) => 0,
    }
}

fn block_json(block: &Block) -> Value {
    let mut map = Map::new();
    if let Some(uri) = &block.uri {
        map.insert("uri".into(), uri.raw().into());
    }
    if let Some(mime_type) = &block.mime_type {
        map.insert("mimeType".into(), mime_type.raw().into());
    }
    match &block.body {
        Body::Bytes(bytes) => map.insert("blob".into(), encode(bytes).into()),
        body @ (Body::Text(_) | Body::Words(_) | Body::Prompt(_) | Body::Tool(_)) => {
            map.insert("text".into(), body.text().unwrap_or_default().into())
        }
    };
    Value::Object(map)
}
