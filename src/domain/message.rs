//! Messages and their content blocks, total both ways.
//!
//! The serde form of these types is the protocol's JSON. A block that this program cannot express
//! becomes [`Content::Unsupported`] with the JSON as sent: shown and refused by name, never
//! dropped. Fields that are not known here travel along in `extra`.

use super::UntrustedText;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::{Map, Value};

/// Fields of a block that this program gives no meaning to, as sent (`annotations`, `_meta`, …).
pub type Extra = Map<String, Value>;

/// Who speaks in a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// `user`
    User,
    /// `assistant`
    Assistant,
    /// A word that the protocol does not know; shown as it is.
    Unsupported(UntrustedText),
}

impl Role {
    /// The word on the wire.
    pub fn wire(&self) -> &str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Unsupported(word) => word.raw(),
        }
    }
}

impl Serialize for Role {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.wire())
    }
}

impl<'de> Deserialize<'de> for Role {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match String::deserialize(deserializer)?.as_str() {
            "user" => Self::User,
            "assistant" => Self::Assistant,
            other => Self::Unsupported(other.into()),
        })
    }
}

/// One message of a prompt or of a sampling request.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// The blocks, in order.
    pub content: Vec<Content>,
    /// Whether the wire form is an array (2025-11-25 and later allow both).
    pub array: bool,
    /// Everything else in it.
    pub extra: Extra,
}

impl Message {
    /// A message of one text block.
    pub fn text(role: Role, text: impl Into<UntrustedText>) -> Self {
        Self { role, content: vec![Content::text(text)], array: false, extra: Extra::new() }
    }
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = Map::new();
        map.insert("role".into(), self.role.wire().into());
        map.insert("content".into(), blocks_to_value(&self.content, self.array));
        map.extend(self.extra.clone());
        map.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut map = Map::<String, Value>::deserialize(deserializer)?;
        let role = map.remove("role").ok_or_else(|| D::Error::missing_field("role"))?;
        let role = serde_json::from_value(role)
            .map_err(|_| D::Error::custom("role should be a string"))?;
        let content = map.remove("content").ok_or_else(|| D::Error::missing_field("content"))?;
        let (content, array) = blocks_from_value(content);
        Ok(Self { role, content, array, extra: map })
    }
}

/// Blocks in their wire form: an array, or the one block itself.
pub(crate) fn blocks_to_value(blocks: &[Content], array: bool) -> Value {
    match blocks {
        [one] if !array => one.to_value(),
        many => Value::Array(many.iter().map(Content::to_value).collect()),
    }
}

/// Reads either wire form; the second value says whether it was an array.
pub(crate) fn blocks_from_value(value: Value) -> (Vec<Content>, bool) {
    if let Value::Array(items) = value {
        (items.into_iter().map(Content::from_value).collect(), true)
    } else {
        (vec![Content::from_value(value)], false)
    }
}

/// One block of content.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// Text, verbatim.
    Text {
        /// The text.
        text: UntrustedText,
        /// Everything else in the block.
        extra: Extra,
    },
    /// A picture.
    Image {
        /// Base64, as sent.
        data: UntrustedText,
        /// Media type, as claimed.
        mime_type: UntrustedText,
        /// Everything else in the block.
        extra: Extra,
    },
    /// Sound.
    Audio {
        /// Base64, as sent.
        data: UntrustedText,
        /// Media type, as claimed.
        mime_type: UntrustedText,
        /// Everything else in the block.
        extra: Extra,
    },
    /// A resource embedded whole.
    Resource {
        /// Its URI.
        uri: UntrustedText,
        /// Media type, as claimed.
        mime_type: Option<UntrustedText>,
        /// What is in it.
        body: EmbeddedBody,
        /// Everything else in `resource`.
        resource_extra: Extra,
        /// Everything else in the block.
        extra: Extra,
    },
    /// A pointer to a resource, which is never followed by itself.
    Link {
        /// Its URI.
        uri: UntrustedText,
        /// Its name.
        name: UntrustedText,
        /// Everything else in the block.
        extra: Extra,
    },
    /// A model asks for a tool (sampling with tools).
    ToolUse {
        /// Ties the result to it.
        id: UntrustedText,
        /// Which tool.
        name: UntrustedText,
        /// The arguments.
        input: Map<String, Value>,
        /// Everything else in the block.
        extra: Extra,
    },
    /// What the tool gave back (sampling with tools).
    ToolResult {
        /// Which tool use it answers.
        tool_use_id: UntrustedText,
        /// The blocks.
        content: Vec<Content>,
        /// Everything else in the block (`structuredContent`, `isError`, …).
        extra: Extra,
    },
    /// Not expressible here; shown by name, refused where it would have to be understood.
    Unsupported {
        /// What the block calls itself, or what is wrong with it.
        kind: UntrustedText,
        /// The block as sent.
        raw: Value,
    },
}

/// What an embedded resource holds.
#[derive(Debug, Clone, PartialEq)]
pub enum EmbeddedBody {
    /// Text, verbatim.
    Text(UntrustedText),
    /// Base64, as sent.
    Blob(UntrustedText),
}

fn take_text(map: &mut Extra, key: &str) -> Option<UntrustedText> {
    if let Value::String(text) = map.remove(key)? { Some(text.into()) } else { None }
}

impl Content {
    /// A text block.
    pub fn text(text: impl Into<UntrustedText>) -> Self {
        Self::Text { text: text.into(), extra: Extra::new() }
    }

    /// Reads a block. Total: what does not fit becomes [`Content::Unsupported`].
    pub fn from_value(value: Value) -> Self {
        let Value::Object(map) = &value else {
            return Self::Unsupported { kind: "not an object".into(), raw: value };
        };
        let Some(kind) = map.get("type").and_then(Value::as_str).map(str::to_owned) else {
            return Self::Unsupported { kind: "no type".into(), raw: value };
        };
        Self::read(&kind, map.clone())
            .unwrap_or(Self::Unsupported { kind: kind.into(), raw: value })
    }

    fn read(kind: &str, mut map: Extra) -> Option<Self> {
        map.remove("type");
        Some(match kind {
            "text" => Self::Text { text: take_text(&mut map, "text")?, extra: map },
            "image" | "audio" => {
                let data = take_text(&mut map, "data")?;
                let mime_type = take_text(&mut map, "mimeType")?;
                if kind == "image" {
                    Self::Image { data, mime_type, extra: map }
                } else {
                    Self::Audio { data, mime_type, extra: map }
                }
            }
            "resource" => {
                let Value::Object(mut resource) = map.remove("resource")? else { return None };
                let uri = take_text(&mut resource, "uri")?;
                let mime_type = match resource.remove("mimeType") {
                    None | Some(Value::Null) => None,
                    Some(Value::String(s)) => Some(s.into()),
                    Some(_) => return None,
                };
                let body = match (resource.remove("text"), resource.remove("blob")) {
                    (Some(Value::String(s)), None) => EmbeddedBody::Text(s.into()),
                    (None, Some(Value::String(s))) => EmbeddedBody::Blob(s.into()),
                    _ => return None,
                };
                Self::Resource { uri, mime_type, body, resource_extra: resource, extra: map }
            }
            "resource_link" => Self::Link {
                uri: take_text(&mut map, "uri")?,
                name: take_text(&mut map, "name")?,
                extra: map,
            },
            "tool_use" => {
                let id = take_text(&mut map, "id")?;
                let name = take_text(&mut map, "name")?;
                let Value::Object(input) = map.remove("input")? else { return None };
                Self::ToolUse { id, name, input, extra: map }
            }
            "tool_result" => {
                let tool_use_id = take_text(&mut map, "toolUseId")?;
                let Value::Array(items) = map.remove("content")? else { return None };
                let content = items.into_iter().map(Self::from_value).collect();
                Self::ToolResult { tool_use_id, content, extra: map }
            }
            _ => return None,
        })
    }

    /// The block in its wire form.
    pub fn to_value(&self) -> Value {
        let mut map = Map::new();
        let mut put = |key: &str, value: Value| {
            map.insert(key.to_owned(), value);
        };
        let extra = match self {
            Self::Unsupported { raw, .. } => return raw.clone(),
            Self::Text { text, extra } => {
                put("type", "text".into());
                put("text", text.raw().into());
                extra
            }
            Self::Image { data, mime_type, extra } | Self::Audio { data, mime_type, extra } => {
                let kind = if matches!(self, Self::Image { .. }) { "image" } else { "audio" };
                put("type", kind.into());
                put("data", data.raw().into());
                put("mimeType", mime_type.raw().into());
                extra
            }
            Self::Resource { uri, mime_type, body, resource_extra, extra } => {
                let mut resource = Map::new();
                resource.insert("uri".into(), uri.raw().into());
                if let Some(mime) = mime_type {
                    resource.insert("mimeType".into(), mime.raw().into());
                }
                match body {
                    EmbeddedBody::Text(text) => resource.insert("text".into(), text.raw().into()),
                    EmbeddedBody::Blob(blob) => resource.insert("blob".into(), blob.raw().into()),
                };
                resource.extend(resource_extra.clone());
                put("type", "resource".into());
                put("resource", Value::Object(resource));
                extra
            }
            Self::Link { uri, name, extra } => {
                put("type", "resource_link".into());
                put("uri", uri.raw().into());
                put("name", name.raw().into());
                extra
            }
            Self::ToolUse { id, name, input, extra } => {
                put("type", "tool_use".into());
                put("id", id.raw().into());
                put("name", name.raw().into());
                put("input", Value::Object(input.clone()));
                extra
            }
            Self::ToolResult { tool_use_id, content, extra } => {
                put("type", "tool_result".into());
                put("toolUseId", tool_use_id.raw().into());
                put("content", blocks_to_value(content, true));
                extra
            }
        };
        map.extend(extra.clone());
        Value::Object(map)
    }
}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_value().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self::from_value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_block_comes_back_as_it_went_in() {
        let blocks = json!([
            {"type": "text", "text": "a\u{202e}b", "annotations": {"priority": 1}},
            {"type": "image", "data": "AAAA", "mimeType": "image/png", "_meta": {"x": 1}},
            {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"},
            {"type": "resource", "resource": {"uri": "a://1", "mimeType": "text/plain", "text": "t", "_meta": {}}},
            {"type": "resource", "resource": {"uri": "a://1", "blob": "AA=="}},
            {"type": "resource_link", "uri": "a://1", "name": "n", "size": 3},
            {"type": "tool_use", "id": "1", "name": "t", "input": {"a": null}},
            {"type": "tool_result", "toolUseId": "1", "content": [{"type": "text", "text": "x"}], "isError": true},
        ]);
        let (read, array) = blocks_from_value(blocks.clone());
        assert!(array);
        assert!(read.iter().all(|b| !matches!(b, Content::Unsupported { .. })), "{read:?}");
        assert_eq!(blocks_to_value(&read, true), blocks);
    }

    #[test]
    fn what_cannot_be_expressed_is_kept_by_name() {
        for raw in [
            json!({"type": "video", "data": "AAAA"}),
            json!(7),
            json!({"text": "x"}),
            json!({"type": "text", "text": 5}),
            json!({"type": "resource", "resource": {"uri": "a://", "text": "t", "blob": "AA=="}}),
        ] {
            let block = Content::from_value(raw.clone());
            assert!(matches!(block, Content::Unsupported { .. }), "{raw}");
            assert_eq!(block.to_value(), raw);
        }
    }

    #[test]
    fn a_message_keeps_the_form_of_its_content() {
        for raw in [
            json!({"role": "user", "content": {"type": "text", "text": "x"}}),
            json!({"role": "system", "content": [{"type": "text", "text": "x"}], "_meta": {}}),
        ] {
            let message: Message = serde_json::from_value(raw.clone()).expect("a message");
            assert_eq!(serde_json::to_value(&message).expect("JSON"), raw);
        }
    }
}
