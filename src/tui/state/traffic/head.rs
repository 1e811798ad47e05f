//! What a message is, read from as much of it as there is.

use crate::domain::UntrustedText;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use std::fmt;

/// The longest id that is shown, in bytes of JSON.
const LONGEST_ID: usize = 64;

/// What a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum What {
    /// Asks for an answer.
    Request,
    /// Asks for none.
    Notification,
    /// An answer.
    Result,
    /// An answer that says no.
    Error,
    /// Several messages in one.
    Batch,
    /// Nothing of that.
    #[default]
    Other,
}

/// The outermost of a message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// What it is.
    pub what: What,
    /// What it calls.
    pub method: Option<UntrustedText>,
    /// Its id, as JSON; without quotes where it is a string.
    pub id: Option<UntrustedText>,
}

impl Head {
    /// Reads a message, or the beginning of one: what stands in that is found.
    pub fn of(text: &str) -> Self {
        if text.trim_start().starts_with('[') {
            return Self { what: What::Batch, ..Self::default() };
        }
        let mut found = Found::default();
        // An error says where the text was cut; what came before that has been found.
        let _ = Seed(&mut found).deserialize(&mut serde_json::Deserializer::from_str(text));
        let what = match (&found.method, &found.id) {
            (Some(_), Some(_)) => What::Request,
            (Some(_), None) => What::Notification,
            (None, _) if found.error => What::Error,
            (None, _) if found.result => What::Result,
            (None, _) => What::Other,
        };
        Self { what, method: found.method.map(Into::into), id: found.id.map(id) }
    }
}

fn id(value: Value) -> UntrustedText {
    let text = match value {
        Value::String(text) => text,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            value.to_string()
        }
    };
    if text.len() > LONGEST_ID {
        let head = text.get(..text.floor_char_boundary(LONGEST_ID)).unwrap_or_default();
        return format!("{head}…").into();
    }
    text.into()
}

#[derive(Default)]
struct Found {
    method: Option<String>,
    id: Option<Value>,
    result: bool,
    error: bool,
}

struct Seed<'a>(&'a mut Found);

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "method" => self.0.method = Some(map.next_value()?),
                "id" => self.0.id = Some(map.next_value()?),
                key => {
                    // Known before its value has been read to the end.
                    self.0.result |= key == "result";
                    self.0.error |= key == "error";
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(text: &str) -> (What, Option<String>, Option<String>) {
        let head = Head::of(text);
        let raw = |text: Option<UntrustedText>| text.map(UntrustedText::into_raw);
        (head.what, raw(head.method), raw(head.id))
    }

    #[test]
    fn every_kind_is_told_from_the_others() {
        let some = |text: &str| Some(text.to_owned());
        for (text, expected) in [
            (r#"{"jsonrpc":"2.0","id":1,"method":"a/b"}"#, (What::Request, some("a/b"), some("1"))),
            (r#"{"method":"a","id":"x"}"#, (What::Request, some("a"), some("x"))),
            (r#"{"method":"a"}"#, (What::Notification, some("a"), None)),
            (r#"{"id":2,"result":{}}"#, (What::Result, None, some("2"))),
            (r#"{"id":null,"error":{}}"#, (What::Error, None, some("null"))),
            (r#"[{"method":"a"}]"#, (What::Batch, None, None)),
            ("{}", (What::Other, None, None)),
            ("hello", (What::Other, None, None)),
            (r#"{"method":7,"id":1}"#, (What::Other, None, None)),
        ] {
            assert_eq!(head(text), expected, "{text}");
        }
    }

    #[test]
    fn the_beginning_of_a_message_says_what_stands_in_it() {
        let text = r#"{"jsonrpc":"2.0","id":7,"result":{"text":"cut off he"#;
        assert_eq!(head(text), (What::Result, None, Some("7".into())));
        let text = r#"{"method":"a","params":{"x":["#;
        assert_eq!(head(text), (What::Notification, Some("a".into()), None));
    }

    #[test]
    fn a_long_id_is_cut() {
        let text = format!(r#"{{"id":"{}","result":1}}"#, "é".repeat(1000));
        assert!(Head::of(&text).id.is_some_and(|id| id.len() <= LONGEST_ID + 3));
    }
}
