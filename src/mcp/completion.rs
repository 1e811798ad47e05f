//! `completion/complete`: what a server proposes for an argument, read tolerantly and bounded.

use super::{Session, requests::PARSE_APART, wire::Object};
use crate::domain::{Completable, Completion, Fault, FaultKind, UntrustedText};
use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, SeqAccess, Visitor},
};
use serde_json::{Map, Value, json};
use std::fmt;

/// How many values of one answer are taken. The protocol allows a server 100.
const MAX_VALUES: usize = 1000;

/// The first version in which the other arguments go along (`context.arguments`).
const WITH_CONTEXT: &str = "2025-06-18";

impl Session {
    /// Asks what could stand in one argument of a prompt or template, under the server's own name
    /// for it. `others` are the arguments that have a value already; versions that do not know
    /// them are not told. Dropping the future cancels the request and tells the server.
    ///
    /// # Errors
    /// A [`Fault`]; nothing is sent to a server that offers no completion.
    pub async fn complete(
        &self,
        of: Completable,
        name: &str,
        (argument, value): (&str, &str),
        others: &[(String, String)],
    ) -> Result<Completion, Fault> {
        const METHOD: &str = "completion/complete";
        let connection = &*self.connection().await?;
        if !connection.facts.capabilities.completions {
            return Err(self.fault(FaultKind::NotFound, "the server offers no completion"));
        }
        let reference = match of {
            Completable::Prompt => json!({"type": "ref/prompt", "name": name}),
            Completable::Template => json!({"type": "ref/resource", "uri": name}),
        };
        let mut params = Map::from_iter([
            ("ref".to_owned(), reference),
            ("argument".to_owned(), json!({"name": argument, "value": value})),
        ]);
        // Known versions are dates, so they order as texts do.
        if connection.facts.version.as_str() >= WITH_CONTEXT && !others.is_empty() {
            let others = others.iter().map(|(k, v)| (k.clone(), Value::from(v.as_str())));
            let context = json!({"arguments": others.collect::<Map<_, _>>()});
            params.insert("context".to_owned(), context);
        }
        let patience = connection.target.limits.request;
        let raw = connection.call(METHOD, params.into(), patience).await?;
        raw.read_apart(PARSE_APART, read).await?.map_err(|why| self.fault(FaultKind::Protocol, why))
    }
}

#[derive(Deserialize)]
struct Answer {
    completion: Object<Proposal>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Proposal {
    values: Values,
    #[serde(default)]
    total: Value,
    #[serde(default)]
    has_more: Value,
}

/// The values that are texts, as far as they are taken, and how many are not among them.
struct Values {
    taken: Vec<UntrustedText>,
    left_out: usize,
}

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Values;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of texts")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Values, A::Error> {
                let mut values = Values { taken: Vec::new(), left_out: 0 };
                while values.taken.len() < MAX_VALUES {
                    match list.next_element::<Value>()? {
                        Some(Value::String(text)) => values.taken.push(text.into()),
                        Some(_) => values.left_out += 1,
                        None => return Ok(values),
                    }
                }
                while list.next_element::<IgnoredAny>()?.is_some() {
                    values.left_out += 1;
                }
                Ok(values)
            }
        }
        deserializer.deserialize_seq(Reader)
    }
}

fn read(raw: &str) -> Result<Completion, String> {
    let answer: Object<Answer> = serde_json::from_str(raw).map_err(|_| {
        "the answer should be an object with a completion that has a list of values".to_owned()
    })?;
    let Object(Proposal { values, total, has_more }) = answer.0.completion;
    let sent = values.taken.len() + values.left_out;
    Ok(Completion {
        values: values.taken,
        // A total below what was sent is none.
        total: total.as_u64().filter(|total| *total >= sent as u64),
        has_more: has_more == Value::Bool(true),
        left_out: values.left_out,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completion(raw: &Value) -> Completion {
        read(&raw.to_string()).expect("a completion")
    }

    #[test]
    fn what_is_odd_costs_itself_only() {
        let raw = json!({"completion": {"values": ["a", 7, null, "b"], "total": 250,
            "hasMore": true, "x": 1}, "resultType": "complete"});
        let expected = Completion {
            values: vec!["a".into(), "b".into()],
            total: Some(250),
            has_more: true,
            left_out: 2,
        };
        assert_eq!(completion(&raw), expected);
        for (total, has_more) in [(json!(-1), json!("yes")), (json!("9"), json!(1))] {
            let raw = json!({"completion": {"values": [], "total": total, "hasMore": has_more}});
            assert_eq!(completion(&raw), Completion::default());
        }
        let less = json!({"completion": {"values": ["a", "b"], "total": 1}});
        assert_eq!(completion(&less).total, None);
    }

    #[test]
    fn what_is_no_completion_is_refused() {
        for raw in [
            "{}",
            "[]",
            r#"{"completion":{}}"#,
            r#"{"completion":{"values":"a"}}"#,
            r#"{"completion":[["a"]]}"#,
            r#"{"resultType":"input_required"}"#,
        ] {
            assert!(read(raw).is_err(), "{raw}");
        }
    }

    #[test]
    fn only_so_many_values_are_taken() {
        for (sent, left_out) in [(MAX_VALUES, 0), (MAX_VALUES + 3, 3)] {
            let read = completion(&json!({"completion": {"values": vec!["v"; sent]}}));
            assert_eq!((read.values.len(), read.left_out), (MAX_VALUES, left_out));
        }
    }
}
