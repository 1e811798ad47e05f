//! Prompts: templates that the user controls (spec `server/prompts`).

use super::{Message, UntrustedText};

/// One entry of `prompts/list`.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    /// Name for programs.
    pub name: UntrustedText,
    /// Name for people.
    pub title: Option<UntrustedText>,
    /// What it is for.
    pub description: Option<UntrustedText>,
    /// What it asks for, in the server's order.
    pub arguments: Vec<PromptArgument>,
}

/// One argument of a prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptArgument {
    /// Name for programs.
    pub name: UntrustedText,
    /// Name for people.
    pub title: Option<UntrustedText>,
    /// What to write.
    pub description: Option<UntrustedText>,
    /// Whether the server needs it; absent means no.
    pub required: bool,
}

/// What `prompts/get` answered. It is never inserted anywhere by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct RenderedPrompt {
    /// What it is, in the server's words.
    pub description: Option<UntrustedText>,
    /// The messages, in order.
    pub messages: Vec<Message>,
}
