//! How an answer travels through the SDK: raw, to be parsed once by whoever asked.

use super::envelope::{Json, first_value};
use crate::domain::{Fault, FaultKind};
use serde_json::Value;

/// A result as it stood on the wire.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RawResult {
    /// Its JSON.
    pub(super) json: Json,
    /// Whether its line held bytes that are no UTF-8; in the JSON they are U+FFFD.
    pub(super) replaced: bool,
}

impl RawResult {
    /// Reads it. What stands behind it in its line, and was taken for a part of it, is left out
    /// where it is in the way.
    pub(super) fn read<T, E>(&self, read: impl Fn(&str) -> Result<T, E>) -> Result<T, E> {
        let json = self.json.as_str();
        let first = |error| match first_value(json) {
            Some(first) if first.len() < json.trim_ascii().len() => read(first),
            Some(_) | None => Err(error),
        };
        read(json).or_else(first).or_else(|error| match paired(json) {
            Some(json) => read(&json),
            None => Err(error),
        })
    }

    /// Reads it as [`Self::read`] does, where [`Self::apart`] says.
    pub(super) async fn read_apart<T: Send + 'static, E: Send + 'static>(
        self,
        bound: usize,
        read: impl Fn(&str) -> Result<T, E> + Send + 'static,
    ) -> Result<Result<T, E>, Fault> {
        self.apart(bound, move |raw| raw.read(read)).await
    }

    /// Takes it apart here when it is shorter than `bound` bytes, else on a thread of its own, so
    /// that the runtime's threads stay free.
    pub(super) async fn apart<T: Send + 'static>(
        self,
        bound: usize,
        take: impl FnOnce(Self) -> T + Send + 'static,
    ) -> Result<T, Fault> {
        if self.json.as_str().len() < bound {
            return Ok(take(self));
        }
        tokio::task::spawn_blocking(move || take(self))
            .await
            .map_err(|_| Fault::new(FaultKind::Unexpected, "the answer could not be read"))
    }
}

/// JSON in which halves of UTF-16 pairs stand alone, as texts that were cut inside of a character
/// have them, with U+FFFD in their place. `None` where there are none.
pub(super) fn paired(json: &str) -> Option<String> {
    let unit = |text: &str| u32::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok();
    let (mut out, mut rest, mut changed) = (String::with_capacity(json.len()), json, false);
    while let Some((head, tail)) =
        memchr::memchr(b'\\', rest.as_bytes()).and_then(|at| rest.split_at_checked(at))
    {
        let next = || tail.get(6..).and_then(unit);
        let (length, is_whole) = match unit(tail) {
            Some(0xd800..=0xdbff) if matches!(next(), Some(0xdc00..=0xdfff)) => (12, true),
            Some(0xd800..=0xdfff) => (6, false),
            Some(_) => (6, true),
            None => (2, true),
        };
        let (escape, behind) = tail.split_at_checked(tail.ceil_char_boundary(length))?;
        out.push_str(head);
        out.push_str(if is_whole { escape } else { "\\ufffd" });
        changed |= !is_whole;
        rest = behind;
    }
    out.push_str(rest);
    changed.then_some(out)
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
    /// Nothing came; why is kept beside the connection under this number.
    Failed(usize),
}

impl Answer {
    /// As the SDK carries it: the kind, the text, and what belongs to it.
    pub(super) fn into_value(self) -> Value {
        let told = |kind: &str, text: String, start: usize| {
            Value::Array(vec![kind.into(), start.into(), Value::String(text)])
        };
        match self {
            Self::Result(RawResult { json, replaced: false }) => {
                told("result", json.line, json.start)
            }
            Self::Result(RawResult { json, replaced: true }) => {
                told("replaced", json.line, json.start)
            }
            Self::Error(raw) => told("error", raw, 0),
            Self::Unusable(why) => told("unusable", why, 0),
            Self::TooLarge(why) => told("too large", why, 0),
            Self::Failed(number) => told("failed", String::new(), number),
        }
    }

    /// Back from the SDK.
    pub(super) fn from_value(value: Value) -> Self {
        let told = || -> Option<Self> {
            let Value::Array(parts) = value else { return None };
            let [kind, start, Value::String(text)] = <[Value; 3]>::try_from(parts).ok()? else {
                return None;
            };
            let start = usize::try_from(start.as_u64()?).ok()?;
            let result =
                |line, replaced| Self::Result(RawResult { json: Json { line, start }, replaced });
            Some(match kind.as_str()? {
                "result" => result(text, false),
                "replaced" => result(text, true),
                "error" => Self::Error(text),
                "too large" => Self::TooLarge(text),
                "failed" => Self::Failed(start),
                _ => Self::Unusable(text),
            })
        };
        told().unwrap_or_else(|| {
            Self::Unusable("the SDK gave back something that was not put in".into())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_pairs_are_replaced_and_whole_ones_kept() {
        let half = r#"["a\ud83d","\ud83d\ude00","\\ud83d","\udc00\ud83dx","é\n"]"#;
        let whole = r#"["a\ufffd","\ud83d\ude00","\\ud83d","\ufffd\ufffdx","é\n"]"#;
        assert_eq!(paired(half).as_deref(), Some(whole));
        assert_eq!(paired(whole), None);
        assert_eq!(paired("\\"), None);
        let raw = RawResult { json: r#"{"a":"\ud83d"}"#.to_owned().into(), replaced: false };
        let read = raw.read(|json| serde_json::from_str::<Value>(json));
        assert_eq!(read.expect("JSON"), serde_json::json!({"a": "\u{fffd}"}));
    }

    #[test]
    fn every_answer_survives_the_journey() {
        for answer in [
            Answer::Result(RawResult {
                json: Json { line: " {}".into(), start: 1 },
                replaced: false,
            }),
            Answer::Result(RawResult { json: "{}".to_owned().into(), replaced: true }),
            Answer::Error("{\"code\":1}".into()),
            Answer::Unusable("why".into()),
            Answer::TooLarge("why".into()),
            Answer::Failed(3),
        ] {
            assert_eq!(Answer::from_value(answer.clone().into_value()), answer);
        }
    }
}
