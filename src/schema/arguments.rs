//! Arguments written as a whole.

use super::value::{INEXACT, NotExact, read_json};
use serde::{
    Deserialize, Deserializer,
    de::{Error as _, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Value};
use std::{collections::HashSet, fmt};

/// The arguments that a whole text stands for: one JSON object.
///
/// # Errors
/// Why it is none, with the place where that is known.
pub fn arguments(text: &str) -> Result<Map<String, Value>, String> {
    if let Err(why) = serde_json::from_str::<Unique>(text)
        && why.is_data()
    {
        return Err(why.to_string());
    }
    match read_json(text) {
        Ok(Value::Object(arguments)) => Ok(arguments),
        Ok(_) => Err("arguments are a JSON object, such as {\"name\": \"value\"}".into()),
        Err(NotExact::NoJson(why)) => Err(format!("this is no JSON: {why}")),
        Err(NotExact::Number(at)) => Err(format!("the number at character {at}: {INEXACT}")),
    }
}

/// JSON in which no object has a key twice: which one is meant would be a guess.
struct Unique;

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for Unique {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self, A::Error> {
        while items.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<Self, A::Error> {
        let mut seen = HashSet::new();
        while let Some((key, Self)) = pairs.next_entry::<String, Self>()? {
            if let Some(twice) = seen.replace(key) {
                return Err(A::Error::custom(format!("the key `{twice}` is there twice")));
            }
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn whole_arguments_are_one_object_and_every_number_is_kept() {
        let read = arguments(r#"{"a": [1, null], "b": ""}"#).map(Value::Object);
        assert_eq!(read, Ok(json!({"a": [1, null], "b": ""})));
        for (text, why) in [
            (r#"{"a": 1, "a": 2}"#, "the key `a` is there twice"),
            (r#"{"a": [{"b": 1, "\u0062": 2}]}"#, "the key `b` is there twice"),
            ("[1]", "a JSON object"),
            ("{\"a\":\n oops}", "line 2 column 2"),
            ("", "line 1"),
            (r#"{"a": 123456789012345678901}"#, "at character 7"),
        ] {
            let found = arguments(text).expect_err("wrong");
            assert!(found.contains(why), "{text}: {found}");
        }
    }
}
