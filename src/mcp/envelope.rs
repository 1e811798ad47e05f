//! One line of a server, read as far as JSON-RPC goes and no further.
//!
//! Results stay raw: they are parsed once, by whoever knows what was asked.

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// What a line, or one element of a batch, turned out to be.
#[derive(Debug, PartialEq)]
pub(super) enum Frame {
    /// The answer to a request of ours.
    Answer {
        /// Whose; `None` when the server could not tell or wrote null.
        id: Option<WireId>,
        /// What it says.
        outcome: Outcome,
    },
    /// The server asks something.
    Request {
        /// Its id, a number or a string.
        id: WireId,
        /// What it asks.
        method: String,
        /// Raw JSON.
        params: Option<String>,
    },
    /// The server says something.
    Notification {
        /// What about.
        method: String,
        /// Raw JSON.
        params: Option<String>,
    },
    /// Not a protocol message.
    Stray {
        /// Why not, in our words.
        why: &'static str,
    },
}

/// What an answer says.
#[derive(Debug, PartialEq)]
pub(super) enum Outcome {
    /// Raw JSON of `result`.
    Result(Json),
    /// Raw JSON of `error`.
    Error(String),
    /// Both members stood there, which JSON-RPC forbids.
    Both,
}

/// JSON that is the rest of a line, from a byte on. A result may be tens of megabytes, so it is
/// neither copied out of its line nor moved within it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Json {
    /// The line, up to the end of the JSON.
    pub(super) line: String,
    /// Where the JSON starts.
    pub(super) start: usize,
}

impl Json {
    pub(super) fn as_str(&self) -> &str {
        self.line.get(self.start..).unwrap_or_default()
    }
}

impl From<String> for Json {
    fn from(line: String) -> Self {
        Self { line, start: 0 }
    }
}

/// An id as it stood on the wire.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum WireId {
    /// A whole number, also written as 3.0.
    Number(i64),
    /// A text.
    Text(String),
}

impl WireId {
    /// The number of a request of ours that this id means; servers also echo it as text.
    pub(super) fn ours(&self) -> Option<i64> {
        match self {
            Self::Number(n) => Some(*n),
            Self::Text(text) => text.parse().ok(),
        }
    }

    fn read(raw: &RawValue) -> Option<Self> {
        let text = raw.get();
        if text.starts_with('"') {
            return serde_json::from_str(text).ok().map(Self::Text);
        }
        if let Ok(n) = text.parse() {
            return Some(Self::Number(n));
        }
        let (whole, fraction) = text.split_once('.')?;
        let zeros = !fraction.is_empty() && fraction.bytes().all(|b| b == b'0');
        if zeros { whole.parse().ok().map(Self::Number) } else { None }
    }
}

/// A message with its parts left raw. Unknown members are let through.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(default, borrow, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(default, borrow)]
    method: Option<&'a RawValue>,
    #[serde(default, borrow, deserialize_with = "present")]
    params: Option<&'a RawValue>,
    #[serde(default, borrow, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(default, borrow, deserialize_with = "present")]
    error: Option<&'a RawValue>,
}

/// Keeps `null` apart from absent.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// Above this many bytes an answer in the usual order of members is taken apart by its head alone,
/// so that a large result is not read twice.
const HEAD_ONLY: usize = 64 * 1024;

/// Reads one line. A batch (2025-03-26) gives several frames.
pub(super) fn read(line: String) -> Vec<Frame> {
    let trimmed = line.trim_ascii();
    match trimmed.as_bytes().first() {
        Some(b'{') => vec![read_object(line)],
        Some(b'[') => read_batch(trimmed),
        _ => vec![Frame::Stray { why: "not JSON" }],
    }
}

fn read_batch(line: &str) -> Vec<Frame> {
    match serde_json::from_str::<Vec<&RawValue>>(line) {
        Ok(items) if !items.is_empty() => items
            .into_iter()
            .map(|item| {
                if item.get().starts_with('{') {
                    read_object(item.get().to_owned())
                } else {
                    Frame::Stray { why: "JSON, but not a protocol message" }
                }
            })
            .collect(),
        Ok(_) => vec![Frame::Stray { why: "an empty array" }],
        Err(_) => vec![Frame::Stray { why: "not JSON" }],
    }
}

fn read_object(mut line: String) -> Frame {
    if line.len() > HEAD_ONLY
        && let Some((id, start)) = answer_head(&line)
        && let Some(end) = result_end(&line)
    {
        line.truncate(end);
        return Frame::Answer { id: Some(id), outcome: Outcome::Result(Json { line, start }) };
    }
    let envelope = match serde_json::from_str::<Envelope<'_>>(&line) {
        Ok(envelope) => envelope,
        Err(_) => return Frame::Stray { why: "not JSON" },
    };
    let id = envelope.id.and_then(WireId::read);
    let params = || envelope.params.filter(|p| p.get() != "null").map(|p| p.get().to_owned());
    if let Some(method) = envelope.method {
        let Ok(method) = serde_json::from_str::<String>(method.get()) else {
            return Frame::Stray { why: "a method that is not a string" };
        };
        return match (envelope.id, id) {
            (None, _) => Frame::Notification { method, params: params() },
            (Some(_), Some(id)) => Frame::Request { id, method, params: params() },
            (Some(_), None) => {
                Frame::Stray { why: "a request whose id is neither a number nor a string" }
            }
        };
    }
    let outcome = match (envelope.result, envelope.error) {
        (Some(_), Some(_)) => Outcome::Both,
        (None, Some(error)) => Outcome::Error(error.get().to_owned()),
        (Some(result), None) => {
            let start = result.get().as_ptr() as usize - line.as_ptr() as usize;
            let end = start + result.get().len();
            line.truncate(end);
            Outcome::Result(Json { line, start })
        }
        (None, None) => return Frame::Stray { why: "JSON, but not a protocol message" },
    };
    Frame::Answer { id, outcome }
}

/// Where a result ends that is an object and the last member of its line. A line in which another
/// member follows nearly always ends otherwise; where that member is an object as well, it is
/// found when the result is read (see [`first_value`]).
fn result_end(line: &str) -> Option<usize> {
    let result = line.trim_ascii_end().strip_suffix('}')?.trim_ascii_end();
    result.ends_with('}').then_some(result.len())
}

/// The first JSON value of a text, without what follows it.
pub(super) fn first_value(text: &str) -> Option<&str> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    values.next()?.ok().map(RawValue::get)
}

/// Reads `{"jsonrpc":"2.0","id":N,"result":` and gives the id and where the result begins.
fn answer_head(line: &str) -> Option<(WireId, usize)> {
    let mut rest = line.trim_ascii_start().strip_prefix('{')?.trim_ascii_start();
    if let Some(after) = rest.strip_prefix("\"jsonrpc\"") {
        let after = after.trim_ascii_start().strip_prefix(':')?.trim_ascii_start();
        rest =
            after.strip_prefix("\"2.0\"")?.trim_ascii_start().strip_prefix(',')?.trim_ascii_start();
    }
    let after = rest.strip_prefix("\"id\"")?.trim_ascii_start().strip_prefix(':')?;
    let after = after.trim_ascii_start();
    let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, after) = after.split_at_checked(digits)?;
    let id = WireId::Number(number.parse().ok()?);
    let after = after.trim_ascii_start().strip_prefix(',')?.trim_ascii_start();
    let after = after.strip_prefix("\"result\"")?.trim_ascii_start().strip_prefix(':')?;
    Some((id, line.len() - after.len()))
}

/// The id of an answer whose line is too long to keep, found in its first bytes.
pub(super) fn id_in_head(head: &[u8]) -> Option<i64> {
    let at = memchr::memmem::find(head, b"\"id\"")?;
    let rest = head.get(at + 4..)?.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
    let digits: Vec<u8> = rest.iter().copied().take_while(u8::is_ascii_digit).collect();
    std::str::from_utf8(&digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(line: &str) -> Frame {
        let mut frames = read(line.to_owned());
        assert_eq!(frames.len(), 1, "{frames:?}");
        frames.remove(0)
    }

    fn result(id: i64, raw: &str) -> Option<(i64, String)> {
        Some((id, raw.to_owned()))
    }

    fn told(frame: Frame) -> Option<(i64, String)> {
        let Frame::Answer { id: Some(id), outcome: Outcome::Result(json) } = frame else {
            return None;
        };
        Some((id.ours()?, json.as_str().to_owned()))
    }

    #[test]
    fn a_result_stays_as_it_was_written() {
        let raw = r#"{"n": 1e400, "big": 9223372036854775808, "a":[ ]}"#;
        assert_eq!(
            told(one(&format!(r#"{{"jsonrpc":"2.0","id":3,"result":{raw}}}"#))),
            result(3, raw)
        );
        assert_eq!(
            told(one(&format!(r#"{{"result":{raw},"jsonrpc":"2.0","id":3}}"#))),
            result(3, raw)
        );
        assert_eq!(told(one(r#"{"id":3,"result":null}"#)), result(3, "null"));
    }

    #[test]
    fn a_large_answer_is_taken_apart_the_same_way_whatever_its_order() {
        let raw = format!(r#"{{"text":"{}"}}"#, "x".repeat(HEAD_ONLY));
        for line in [
            format!(r#"{{"jsonrpc":"2.0","id":3,"result":{raw}}}"#),
            format!(r#" {{ "jsonrpc" : "2.0" , "id" : 3 , "result" :{raw}}} "#),
            format!(r#"{{"id":3,"result":{raw}}}"#),
            format!(r#"{{"result":{raw},"id":3}}"#),
            format!(r#"{{"id":3,"result":{raw},"jsonrpc":"2.0"}}"#),
            format!(r#"{{"jsonrpc":"2.0","id":3,"result":{raw},"more":[1]}}"#),
        ] {
            assert_eq!(told(one(&line)), result(3, &raw));
        }
        // The one case that cannot be told by the end of the line.
        let line = format!(r#"{{"id":3,"result":{raw},"more":{{"a":1}}}}"#);
        let Frame::Answer { outcome: Outcome::Result(read), .. } = one(&line) else {
            panic!("an answer");
        };
        assert_eq!(first_value(read.as_str()), Some(raw.as_str()));
    }

    #[test]
    fn ids_of_other_shapes_still_find_their_request() {
        for (id, ours) in [("7", Some(7)), ("\"7\"", Some(7)), ("7.0", Some(7)), ("\"x\"", None)] {
            let Frame::Answer { id: Some(wire), .. } = one(&format!(r#"{{"id":{id},"result":1}}"#))
            else {
                panic!("an answer");
            };
            assert_eq!(wire.ours(), ours);
        }
        for id in ["null", "7.5", "[]"] {
            let frame = one(&format!(r#"{{"id":{id},"error":{{}}}}"#));
            assert!(matches!(frame, Frame::Answer { id: None, .. }), "{frame:?}");
            let frame = one(&format!(r#"{{"id":{id},"method":"ping"}}"#));
            assert!(matches!(frame, Frame::Stray { .. }), "{frame:?}");
        }
    }

    #[test]
    fn what_is_no_message_is_stray() {
        for line in [
            "Server started",
            "",
            "{\"foo\":1}",
            "[]",
            "[1,2]",
            "123",
            "null",
            "\"s\"",
            "{",
            "{\"a\":}",
            "{\"method\":5}",
        ] {
            assert!(
                read(line.to_owned()).iter().all(|f| matches!(f, Frame::Stray { .. })),
                "{line}"
            );
        }
    }

    #[test]
    fn a_batch_gives_its_messages_one_by_one() {
        let frames = read(r#"[{"id":1,"result":{}},{"method":"x"},5]"#.to_owned());
        assert!(matches!(
            frames.as_slice(),
            [Frame::Answer { .. }, Frame::Notification { .. }, Frame::Stray { .. }]
        ));
    }

    #[test]
    fn both_members_are_told_apart_from_either() {
        let frame = one(r#"{"id":1,"result":{},"error":{}}"#);
        assert!(matches!(frame, Frame::Answer { outcome: Outcome::Both, .. }));
    }

    #[test]
    fn the_id_of_a_line_too_long_is_found_in_its_head() {
        assert_eq!(id_in_head(br#"{"jsonrpc":"2.0","id":42,"result":{"te"#), Some(42));
        assert_eq!(id_in_head(b"xxxxxxx"), None);
    }
}
