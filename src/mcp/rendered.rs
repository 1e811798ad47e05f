//! The answer to `prompts/get`, bounded, total.

use crate::domain::{Content, Extra, Message, RenderedPrompt, Role};
use serde_json::{Map, Value};

/// Reads the answer; `bound` is the most messages.
pub(super) fn read(raw: &str, bound: usize) -> Result<RenderedPrompt, String> {
    let map: Map<String, Value> = serde_json::from_str(raw)
        .map_err(|_| "the answer should be an object with a list of messages".to_owned())?;
    let Some(Value::Array(messages)) = map.get("messages") else {
        return Err("the answer should be an object with a list of messages".into());
    };
    if messages.len() > bound {
        return Err(format!(
            "{} messages, more than the limit of {bound} (limits.prompt_messages)",
            messages.len()
        ));
    }
    let description = map.get("description").and_then(Value::as_str).map(Into::into);
    Ok(RenderedPrompt { description, messages: messages.iter().map(message).collect() })
}

/// A message that cannot be read is kept as one block that says so.
fn message(value: &Value) -> Message {
    serde_json::from_value(value.clone()).unwrap_or_else(|_| Message {
        role: Role::Unsupported("no role".into()),
        content: vec![Content::Unsupported { kind: "not a message".into(), raw: value.clone() }],
        array: false,
        extra: Extra::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_is_kept_even_one_that_makes_no_sense() {
        let raw = r#"{"description":"d","messages":[
            {"role":"user","content":{"type":"text","text":"hi"}},
            {"role":"system","content":{"type":"video"}}, 7]}"#;
        let prompt = read(raw, 3).expect("a prompt");
        assert_eq!(prompt.messages.len(), 3);
        assert!(prompt.messages.iter().skip(1).all(|m| matches!(m.role, Role::Unsupported(_))));
        assert!(read(raw, 2).is_err());
        assert!(read("{}", 2).is_err());
    }
}
