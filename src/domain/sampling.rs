//! Sampling: reverse authority (spec `client/sampling`).
//!
//! The serde form of request and response is the protocol's JSON, so what is digested and shown is
//! what is sent.

use super::message::{Extra, blocks_from_value, blocks_to_value};
use super::{Content, Era, Message, Role, ServerId, UntrustedText};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use std::fmt;

/// What a server asks a model (params of `sampling/createMessage`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SamplingRequest {
    /// The conversation.
    pub messages: Vec<Message>,
    /// Which model the server would like. Advice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_preferences: Option<ModelPreferences>,
    /// What the server would like the model to be told first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_prompt: Option<UntrustedText>,
    /// Context of other servers that the server asks for. Never followed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include_context: Option<IncludeContext>,
    /// Randomness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// The most tokens of the answer.
    pub max_tokens: u64,
    /// Where the model should stop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_sequences: Option<Vec<UntrustedText>>,
    /// For the provider, as sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Map<String, Value>>,
    /// Tools that the model may ask for (2025-11-25 and later).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<SamplingTool>>,
    /// Whether it must.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<ToolChoice>,
    /// Everything else, as sent (`_meta`, …).
    #[serde(flatten)]
    pub extra: Extra,
}

/// What context of other servers a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum IncludeContext {
    /// Nothing.
    None,
    /// Of the asking server.
    ThisServer,
    /// Of all servers.
    AllServers,
}

/// Advice about the model (spec `ModelPreferences`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelPreferences {
    /// Names or parts of names, best first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hints: Option<Vec<ModelHint>>,
    /// 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_priority: Option<f64>,
    /// 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed_priority: Option<f64>,
    /// 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intelligence_priority: Option<f64>,
    /// Everything else, as sent.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A name or a part of a name of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelHint {
    /// The name or part of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<UntrustedText>,
    /// Everything else, as sent.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A tool that the asking server offers to the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SamplingTool {
    /// Its name.
    pub name: UntrustedText,
    /// Its arguments as JSON Schema.
    pub input_schema: Map<String, Value>,
    /// Everything else, as sent.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Whether the model must use a tool: `auto`, `required`, `none`, or what the server wrote.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolChoice {
    /// The word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<UntrustedText>,
    /// Everything else, as sent.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A model's or a person's answer (`CreateMessageResult`).
#[derive(Debug, Clone, PartialEq)]
pub struct SamplingResponse {
    /// `assistant`, by the protocol.
    pub role: Role,
    /// The blocks.
    pub content: Vec<Content>,
    /// Whether the wire form is an array (2025-11-25 and later allow both).
    pub array: bool,
    /// The true name of what answered; `human` for a person.
    pub model: UntrustedText,
    /// `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or another word.
    pub stop_reason: Option<UntrustedText>,
    /// Everything else.
    pub extra: Extra,
}

impl SamplingResponse {
    /// An answer of one text block.
    pub fn text(model: impl Into<UntrustedText>, text: impl Into<UntrustedText>) -> Self {
        Self {
            role: Role::Assistant,
            content: vec![Content::text(text)],
            array: false,
            model: model.into(),
            stop_reason: Some("endTurn".into()),
            extra: Extra::new(),
        }
    }

    /// The answer in its wire form.
    pub fn to_value(&self) -> Value {
        let mut map = Map::new();
        map.insert("role".into(), self.role.wire().into());
        map.insert("content".into(), blocks_to_value(&self.content, self.array));
        map.insert("model".into(), self.model.raw().into());
        if let Some(reason) = &self.stop_reason {
            map.insert("stopReason".into(), reason.raw().into());
        }
        map.extend(self.extra.clone());
        Value::Object(map)
    }
}

impl Serialize for SamplingResponse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_value().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for SamplingResponse {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut map = Map::<String, Value>::deserialize(deserializer)?;
        let text = |map: &mut Map<String, Value>, key: &'static str| match map.remove(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(s)) => Ok(Some(UntrustedText::new(s))),
            Some(_) => Err(D::Error::custom(format!("{key} should be a string"))),
        };
        let role = text(&mut map, "role")?.ok_or_else(|| D::Error::missing_field("role"))?;
        let role = match role.raw() {
            "user" => Role::User,
            "assistant" => Role::Assistant,
            _ => Role::Unsupported(role),
        };
        let model = text(&mut map, "model")?.ok_or_else(|| D::Error::missing_field("model"))?;
        let stop_reason = text(&mut map, "stopReason")?;
        let content = map.remove("content").ok_or_else(|| D::Error::missing_field("content"))?;
        let (content, array) = blocks_from_value(content);
        Ok(Self { role, content, array, model, stop_reason, extra: map })
    }
}

/// Where a request comes from. Ids in it are ours, never the wire's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Who asks.
    pub server: ServerId,
    /// In which era.
    pub era: Era,
    /// The call of ours that caused it, in words («read note://1»), where there was one.
    pub call: Option<String>,
    /// Which round of that call (modern era), from 1.
    pub round: Option<u32>,
    /// Under which key of the round (modern era).
    pub key: Option<UntrustedText>,
}

/// One of the user's models.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Model {
    /// The user's name for it.
    pub name: String,
    /// Where its requests go: an address, a command, `template`, `human`.
    pub endpoint: String,
}

/// A request as a person approved it: nothing in it can change any more.
#[derive(Debug, Clone, PartialEq)]
pub struct ApprovedRequest {
    /// The request.
    pub request: SamplingRequest,
    /// The model that was on screen.
    pub model: Model,
    /// Over request, model and endpoint.
    pub digest: Digest,
}

/// SHA-256 over exactly what was shown.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Where in its journey a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Before anybody saw it.
    RequestValidation,
    /// At door one.
    RequestReview,
    /// At the budget.
    BudgetReservation,
    /// With the model.
    ModelExecution,
    /// At the check of the answer.
    ResponseValidation,
    /// At door two.
    ResponseReview,
    /// The connection, the program or the clock ended it.
    Lifecycle,
    /// Where context would have been added.
    ContextResolution,
}

/// Why it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// A person, or a rule of theirs, said no.
    Rejected,
    /// Not what the protocol or the policy allows.
    InvalidRequest,
    /// A limit or the budget.
    LimitExceeded,
    /// The asker withdrew, or we stopped.
    Cancelled,
    /// Too late.
    DeadlineExceeded,
    /// The model failed.
    Execution,
    /// The answer is not what the protocol allows.
    InvalidOutput,
}

/// What is decided at a door.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision<T> {
    /// Yes to exactly this value, named by the digest that was on screen.
    Approve {
        /// The value, edited or not.
        value: T,
        /// The digest of what was on screen.
        digest: Digest,
    },
    /// No.
    Deny {
        /// For the audit; never sent.
        reason: Option<String>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_request_comes_back_as_it_went_in_unknown_fields_included() {
        let raw = json!({
            "messages": [{"role": "user", "content": {"type": "text", "text": "hi"}}],
            "modelPreferences": {"hints": [{"name": "x"}, {}], "costPriority": 0.5},
            "systemPrompt": "s", "includeContext": "thisServer", "temperature": 0.1,
            "maxTokens": 10, "stopSequences": ["\n"], "metadata": {"k": [1]},
            "tools": [{"name": "t", "inputSchema": {"type": "object"}, "description": "d"}],
            "toolChoice": {"mode": "auto"}, "_meta": {"progressToken": 1}, "vendor": true
        });
        let request: SamplingRequest = serde_json::from_value(raw.clone()).expect("a request");
        assert_eq!(serde_json::to_value(&request).expect("JSON"), raw);
    }

    #[test]
    fn null_is_absent_and_wrong_types_are_refused() {
        let nulls = json!({"messages": [], "maxTokens": 1, "systemPrompt": null, "tools": null, "temperature": null});
        assert!(serde_json::from_value::<SamplingRequest>(nulls).is_ok());
        for bad in [
            json!({"messages": []}),
            json!({"messages": [], "maxTokens": -1}),
            json!({"messages": [], "maxTokens": 1.5}),
            json!({"messages": [], "maxTokens": 1, "includeContext": "everything"}),
            json!({"messages": [], "maxTokens": 1, "temperature": "0.5"}),
            json!({"maxTokens": 1}),
        ] {
            assert!(serde_json::from_value::<SamplingRequest>(bad.clone()).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_answer_comes_back_as_it_went_in() {
        let raw = json!({"role": "assistant", "content": {"type": "text", "text": "x"}, "model": "m", "stopReason": "endTurn"});
        let response: SamplingResponse = serde_json::from_value(raw.clone()).expect("a response");
        assert_eq!(serde_json::to_value(&response).expect("JSON"), raw);
    }
}
