//! A rendered prompt, or a tool's answer, to be taken away: as text, or as the protocol's JSON.

use super::super::{decoded_size, placeholder_text};
use crate::domain::{Content, EmbeddedBody, RenderedPrompt, ToolResult, UntrustedText};
use serde_json::{Map, Value};

/// The prompt as text, verbatim: nothing is revealed in it. Where several speak, each message
/// stands under its role.
pub fn prompt_text(prompt: &RenderedPrompt) -> String {
    let mut out = String::new();
    let several = prompt.messages.len() > 1;
    for (n, message) in prompt.messages.iter().enumerate() {
        if several {
            out.push_str(if n > 0 { "\n" } else { "" });
            out.push_str(message.role.wire());
            out.push_str(":\n");
        }
        for (n, block) in message.content.iter().enumerate() {
            end_line(&mut out, n > 0);
            push_block(&mut out, block);
        }
        end_line(&mut out, several);
    }
    out
}

/// A tool's answer as text, verbatim: its blocks one after another, or, where it has none, its
/// structured content.
pub fn tool_text(result: &ToolResult) -> String {
    let mut out = String::new();
    for (n, block) in result.content.iter().enumerate() {
        end_line(&mut out, n > 0);
        push_block(&mut out, block);
    }
    match &result.structured {
        Some(value) if result.content.is_empty() => {
            serde_json::to_string_pretty(value).unwrap_or_default()
        }
        Some(_) | None => out,
    }
}

/// Ends a line that is open, if that is wanted.
fn end_line(out: &mut String, wanted: bool) {
    if wanted && !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}

fn push_block(out: &mut String, block: &Content) {
    match block {
        Content::Text { text, .. } | Content::Resource { body: EmbeddedBody::Text(text), .. } => {
            out.push_str(text.raw())
        }
        Content::Image { data, mime_type, .. } => {
            out.push_str(&stands_for("image", Some(mime_type), data));
        }
        Content::Audio { data, mime_type, .. } => {
            out.push_str(&stands_for("audio", Some(mime_type), data));
        }
        Content::Resource { body: EmbeddedBody::Blob(data), mime_type, .. } => {
            out.push_str(&stands_for("blob", mime_type.as_ref(), data));
        }
        Content::Link { uri, .. } => out.push_str(uri.raw()),
        Content::ToolUse { .. } | Content::ToolResult { .. } | Content::Unsupported { .. } => {
            out.push_str(&block.to_value().to_string());
        }
    }
}

fn stands_for(kind: &str, mime_type: Option<&UntrustedText>, data: &UntrustedText) -> String {
    placeholder_text(kind, mime_type, decoded_size(data.raw()).unwrap_or(0))
}

/// The prompt as the result of `prompts/get` has it, indented.
pub fn prompt_json(prompt: &RenderedPrompt) -> String {
    let mut whole = Map::new();
    if let Some(description) = &prompt.description {
        whole.insert("description".into(), description.raw().into());
    }
    // Messages are plain data: they can always be written.
    let messages = serde_json::to_value(&prompt.messages).unwrap_or_default();
    whole.insert("messages".into(), messages);
    serde_json::to_string_pretty(&Value::Object(whole)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Message, Role};
    use serde_json::json;

    fn prompt(messages: Vec<Message>) -> RenderedPrompt {
        RenderedPrompt { description: Some("d".into()), messages }
    }

    #[test]
    fn one_message_is_its_text_byte_for_byte() {
        let text = "\u{feff}a\r\nb\u{202e}c without an end";
        assert_eq!(prompt_text(&prompt(vec![Message::text(Role::User, text)])), text);
        assert_eq!(prompt_text(&prompt(vec![])), "");
    }

    #[test]
    fn several_messages_stand_under_their_roles() {
        let image = json!({"type": "image", "mimeType": "image/png", "data": "AAAA"});
        let mut first = Message::text(Role::User, "one\n");
        first.content.push(Content::from_value(image));
        let all = prompt(vec![first, Message::text(Role::Assistant, "two")]);
        let expected = "user:\none\n[image: image/png, 3 bytes]\n\nassistant:\ntwo\n";
        assert_eq!(prompt_text(&all), expected);
    }

    #[test]
    fn json_is_the_protocols_own() {
        let value: Value = serde_json::from_str(&prompt_json(&prompt(vec![Message::text(
            Role::User,
            "a\u{202e}",
        )])))
        .expect("JSON");
        let message = json!({"role": "user", "content": {"type": "text", "text": "a\u{202e}"}});
        assert_eq!(value, json!({"description": "d", "messages": [message]}));
    }
}
