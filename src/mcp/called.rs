//! The answer to `tools/call`, total.

use crate::domain::{Content, ToolResult};
use serde_json::{Map, Value};

/// Reads the answer.
pub(super) fn read(raw: &str) -> Result<ToolResult, String> {
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
    let is_error = map.remove("isError") == Some(Value::Bool(true));
    Ok(ToolResult { content, structured, is_error, extra: map })
}
