//! Request and answer against the protocol and the policy. Pure.

use super::{SamplingError, SamplingPolicy};
use crate::domain::{Content, FailureKind, Role, SamplingRequest, SamplingResponse, Stage};

/// Checks a request.
pub(super) fn request(
    request: &SamplingRequest,
    policy: &SamplingPolicy,
) -> Result<(), SamplingError> {
    let invalid = |detail: &str| {
        SamplingError::new(FailureKind::InvalidRequest, Stage::RequestValidation).detail(detail)
    };
    let limit = |detail: String| {
        SamplingError::new(FailureKind::LimitExceeded, Stage::RequestValidation).detail(detail)
    };
    if request.messages.iter().any(|m| matches!(m.role, Role::Unsupported(_))) {
        return Err(invalid("a message's role is neither user nor assistant"));
    }
    if request.messages.iter().any(|m| m.content.iter().any(unsupported)) {
        return Err(invalid("a content block is of a kind that sampling does not know"));
    }
    if request.tools.is_some() || request.tool_choice.is_some() {
        return Err(invalid("tools were not offered"));
    }
    if request.messages.len() > policy.messages {
        return Err(limit(format!("at most {} messages", policy.messages)));
    }
    let blocks: usize = request.messages.iter().map(|m| count(&m.content)).sum();
    if blocks > policy.blocks {
        return Err(limit(format!("at most {} content blocks", policy.blocks)));
    }
    if request.max_tokens == 0 {
        return Err(invalid("maxTokens must be at least 1"));
    }
    if request.max_tokens > policy.max_tokens {
        return Err(limit(format!("maxTokens is at most {}", policy.max_tokens)));
    }
    let bytes = serde_json::to_vec(request).map_or(usize::MAX, |json| json.len());
    if bytes > policy.bytes {
        return Err(limit(format!("at most {} bytes", policy.bytes)));
    }
    Ok(())
}

/// Checks an answer, before a person sees it and again before it leaves.
pub(super) fn response(
    response: &SamplingResponse,
    policy: &SamplingPolicy,
) -> Result<(), SamplingError> {
    let invalid = |detail: &str| {
        SamplingError::new(FailureKind::InvalidOutput, Stage::ResponseValidation).detail(detail)
    };
    if response.role != Role::Assistant {
        return Err(invalid("an answer's role is assistant"));
    }
    if response.content.is_empty() {
        return Err(invalid("an answer has content"));
    }
    if response.content.iter().any(unsupported) {
        return Err(invalid("a content block is of a kind that sampling does not know"));
    }
    if response.to_value().to_string().len() > policy.bytes {
        return Err(invalid("the answer is larger than the policy allows"));
    }
    Ok(())
}

fn unsupported(block: &Content) -> bool {
    // An embedded resource and a link are content of prompts and tools, not of sampling.
    match block {
        Content::Unsupported { .. } | Content::Resource { .. } | Content::Link { .. } => true,
        Content::ToolResult { .. }
        | Content::Text { .. }
        | Content::Image { .. }
        | Content::Audio { .. }
        | Content::ToolUse { .. } => false,
    }
}

fn count(blocks: &[Content]) -> usize {
    let nested = |block: &Content| match block {
        Content::ToolResult { content, .. } => 1 + count(content),
        Content::Text { .. }
        | Content::Image { .. }
        | Content::Audio { .. }
        | Content::Resource { .. }
        | Content::Link { .. }
        | Content::ToolUse { .. }
        | Content::Unsupported { .. } => 1,
    };
    blocks.iter().map(nested).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn check(request: Value) -> Result<(), FailureKind> {
        let request = serde_json::from_value(request).expect("a request");
        super::request(&request, &SamplingPolicy::default()).map_err(|e| e.kind)
    }

    fn messages(n: usize) -> Value {
        json!(vec![json!({"role": "user", "content": {"type": "text", "text": "x"}}); n])
    }

    #[test]
    fn each_limit_holds_on_both_sides_of_its_edge() {
        assert_eq!(check(json!({"messages": messages(64), "maxTokens": 8192})), Ok(()));
        for bad in [
            json!({"messages": messages(65), "maxTokens": 1}),
            json!({"messages": messages(1), "maxTokens": 8193}),
            json!({"messages": [{"role": "user", "content": vec![json!({"type": "text", "text": ""}); 257]}], "maxTokens": 1}),
            json!({"messages": [{"role": "user", "content": {"type": "text", "text": "x".repeat(1 << 20)}}], "maxTokens": 1}),
        ] {
            assert_eq!(check(bad), Err(FailureKind::LimitExceeded));
        }
    }

    #[test]
    fn what_the_protocol_forbids_is_invalid() {
        for bad in [
            json!({"messages": [{"role": "system", "content": {"type": "text", "text": "x"}}], "maxTokens": 1}),
            json!({"messages": [{"role": "user", "content": {"type": "video"}}], "maxTokens": 1}),
            json!({"messages": [{"role": "user", "content": {"type": "resource", "resource": {"uri": "a:", "text": ""}}}], "maxTokens": 1}),
            json!({"messages": messages(1), "maxTokens": 1, "tools": []}),
            json!({"messages": messages(1), "maxTokens": 0}),
        ] {
            assert_eq!(check(bad), Err(FailureKind::InvalidRequest));
        }
    }
}
