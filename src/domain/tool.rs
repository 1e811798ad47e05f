//! Tools: actions of a server (spec `server/tools`). Listed here, called on their own surface.

use super::{Content, Extra, UntrustedText, message::blocks_to_value};
use serde_json::{Map, Value};

/// One entry of `tools/list`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// Name for programs.
    pub name: UntrustedText,
    /// Name for people.
    pub title: Option<UntrustedText>,
    /// What it does.
    pub description: Option<UntrustedText>,
    /// JSON Schema of its arguments, as sent.
    pub input_schema: Map<String, Value>,
    /// JSON Schema of its structured result, as sent.
    pub output_schema: Option<Map<String, Value>>,
    /// Hints of the server about what it does. Untrusted.
    pub annotations: Option<ToolAnnotations>,
    /// Whether it says that it is called as a task only (2025-11-25, `execution.taskSupport`),
    /// which this program does not do.
    pub needs_task: bool,
}

/// Hints about a tool (spec `ToolAnnotations`). Untrusted: they never decide anything alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolAnnotations {
    /// Name for people.
    pub title: Option<UntrustedText>,
    /// Says that it changes nothing.
    pub read_only: Option<bool>,
    /// Says that it may destroy something.
    pub destructive: Option<bool>,
    /// Says that a second call with the same arguments changes nothing more.
    pub idempotent: Option<bool>,
    /// Says that it reaches beyond the server.
    pub open_world: Option<bool>,
}

/// What `tools/call` answered.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResult {
    /// The blocks, in order.
    pub content: Vec<Content>,
    /// Structured content, as sent.
    pub structured: Option<Value>,
    /// Whether the tool itself says that it failed.
    pub is_error: bool,
    /// Everything else in it, as sent.
    pub extra: Extra,
}

impl ToolResult {
    /// Whether a block is nothing but the structured content, written as text.
    pub fn repeats(&self, block: &Content) -> bool {
        let Content::Text { text, .. } = block else { return false };
        self.structured.as_ref().is_some_and(|structured| {
            serde_json::from_str::<Value>(text.raw()).is_ok_and(|same| same == *structured)
        })
    }

    /// The result in its wire form.
    pub fn to_value(&self) -> Value {
        let mut map = Map::new();
        map.insert("content".into(), blocks_to_value(&self.content, true));
        if let Some(structured) = &self.structured {
            map.insert("structuredContent".into(), structured.clone());
        }
        if self.is_error {
            map.insert("isError".into(), true.into());
        }
        map.extend(self.extra.clone());
        Value::Object(map)
    }
}
