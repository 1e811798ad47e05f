//! How an answer travels through the SDK: raw, to be parsed once by whoever asked.

use super::envelope::first_value;
use serde_json::Value;

/// A result as it stood on the wire.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RawResult {
    /// Its JSON.
    pub(super) json: String,
    /// Whether its line held bytes that are no UTF-8; in the JSON they are U+FFFD.
    pub(super) replaced: bool,
}

impl RawResult {
    /// Reads it. What stands behind it in its line, and was taken for a part of it, is left out
    /// where it is in the way.
    pub(super) fn read<T, E>(&self, read: impl Fn(&str) -> Result<T, E>) -> Result<T, E> {
        read(&self.json).or_else(|error| match first_value(&self.json) {
            Some(first) if first.len() < self.json.trim_ascii().len() => read(first),
            Some(_) | None => Err(error),
        })
    }
}

/// The answer to one of our requests.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Answer {
    /// Raw JSON of `result`.
    Result(RawResult),
    /// Raw JSON of `error`.
    Error(String),
    /// Nothing usable came, and why, in our words.
    Unusable(String),
    /// A limit of ours was passed, in our words.
    TooLarge(String),
}

impl Answer {
    /// As the SDK carries it.
    pub(super) fn into_value(self) -> Value {
        let tagged = |tag: &str, text: String| Value::Array(vec![tag.into(), text.into()]);
        match self {
            // The plain string is for results alone: a large one moves through without a copy.
            Self::Result(RawResult { json, replaced: false }) => Value::String(json),
            Self::Result(RawResult { json, replaced: true }) => tagged("replaced", json),
            Self::Error(raw) => tagged("error", raw),
            Self::Unusable(why) => tagged("unusable", why),
            Self::TooLarge(why) => tagged("too large", why),
        }
    }

    /// Back from the SDK.
    pub(super) fn from_value(value: Value) -> Self {
        if let Value::String(json) = value {
            return Self::Result(RawResult { json, replaced: false });
        }
        let Value::Array(mut parts) = value else {
            return Self::Unusable("the SDK gave back something that was not put in".into());
        };
        let text = match parts.pop() {
            Some(Value::String(text)) => text,
            _ => String::new(),
        };
        match parts.pop().as_ref().and_then(Value::as_str) {
            Some("replaced") => Self::Result(RawResult { json: text, replaced: true }),
            Some("error") => Self::Error(text),
            Some("too large") => Self::TooLarge(text),
            _ => Self::Unusable(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answer_survives_the_journey() {
        for answer in [
            Answer::Result(RawResult { json: "{}".into(), replaced: false }),
            Answer::Result(RawResult { json: "{}".into(), replaced: true }),
            Answer::Error("{\"code\":1}".into()),
            Answer::Unusable("why".into()),
            Answer::TooLarge("why".into()),
        ] {
            assert_eq!(Answer::from_value(answer.clone().into_value()), answer);
        }
    }
}
