//! The answer to `tools/call`, total.

use crate::domain::{Content, ToolResult};
use serde_json::{Map, Value};

/// An answer, and what in it the protocol forbids.
#[derive(Debug, PartialEq)]
pub(super) struct Answered {
    pub(super) result: ToolResult,
    /// A part that was left out, in our words.
    pub(super) breach: Option<&'static str>,
}

/// Reads the answer.
pub(super) fn read(raw: &str) -> Result<Answered, String> {
    let mut map: Map<String, Value> =
        serde_json::from_str(raw).map_err(|_| "the answer should be an object".to_owned())?;
    // What it is was looked at already.
    map.remove("resultType");
    let content = match map.remove("content") {
        Some(Value::Array(blocks)) => blocks.into_iter().map(Content::from_value).collect(),
        None | Some(Value::Null) if map.contains_key("structuredContent") => Vec::new(),
        Some(_) | None => return Err("the answer should have a list of blocks".into()),
    };
    let structured = map.remove("structuredContent");
    let (is_error, breach) = match map.remove("isError") {
        Some(Value::Bool(is_error)) => (is_error, None),
        None | Some(Value::Null) => (false, None),
        Some(_) => {
            let wrong = "a tool's answer had an isError that is neither true nor false; \
                         it was taken for an answer that worked";
            (false, Some(wrong))
        }
    };
    let result = ToolResult { content, structured, is_error, extra: map };
    Ok(Answered { result, breach })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_true_says_that_a_tool_failed() {
        for (is_error, failed, is_breach) in [
            ("true", true, false),
            ("false", false, false),
            ("null", false, false),
            ("\"true\"", false, true),
            ("1", false, true),
            ("[]", false, true),
        ] {
            let raw = format!(r#"{{"content":[],"isError":{is_error}}}"#);
            let read = read(&raw).expect("an answer");
            let seen = (read.result.is_error, read.breach.is_some());
            assert_eq!(seen, (failed, is_breach), "{is_error}");
        }
    }
}
