//! Arguments as they are written at a command line, made the values that are sent.

use super::{
    Field, fields,
    value::{INEXACT, NotExact, read_json},
};
use serde_json::{Map, Value};

/// The arguments that pairs of keys and texts stand for. A key is a property's name as it is;
/// what the schema says of it decides how its text is read. The text of a key that the schema does
/// not know is a number, a yes or no, null, a list or an object where it reads as such JSON, else
/// it is text.
///
/// # Errors
/// The keys whose texts stand for nothing, each with what to write instead.
pub fn pairs(
    schema: &Map<String, Value>,
    given: &[(String, String)],
) -> Result<Map<String, Value>, Vec<(String, String)>> {
    let fields = fields(schema);
    let known = |key: &str| fields.iter().find(|field| field.name.raw() == key);
    let mut values = Map::new();
    let mut wrong = Vec::new();
    for (key, text) in given {
        match known(key).map_or_else(|| free(text), |field: &Field| field.read(text)) {
            Ok(value) => {
                values.insert(key.clone(), value);
            }
            Err(why) => wrong.push((key.clone(), why)),
        }
    }
    if wrong.is_empty() { Ok(values) } else { Err(wrong) }
}

/// The value of a text of which nothing is known.
fn free(text: &str) -> Result<Value, String> {
    match read_json(text) {
        Ok(Value::String(_)) | Err(NotExact::NoJson(_)) => Ok(text.into()),
        Ok(value) => Ok(value),
        Err(NotExact::Number(at)) => Err(format!("the number at character {at}: {INEXACT}")),
    }
}

/// The arguments that a whole text stands for: one JSON object.
///
/// # Errors
/// Why it is none, with the place where that is known.
pub fn arguments(text: &str) -> Result<Map<String, Value>, String> {
    match read_json(text) {
        Ok(Value::Object(arguments)) => Ok(arguments),
        Ok(_) => Err("arguments are a JSON object, such as {\"name\": \"value\"}".into()),
        Err(NotExact::NoJson(why)) => Err(format!("this is no JSON: {why}")),
        Err(NotExact::Number(at)) => Err(format!("the number at character {at}: {INEXACT}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(given: &[(&str, &str)]) -> Result<Value, Vec<(String, String)>> {
        let schema = json!({"type": "object", "required": ["t"], "properties": {
            "t": {"type": "string"},
            "n": {"type": "integer"},
            "b": {"type": "boolean"},
            "l": {"type": "array", "items": {"type": "string"}},
            "e": {"enum": ["one", 2]},
        }});
        let Value::Object(schema) = schema else { panic!("no object") };
        let own = |(key, text): &(&str, &str)| ((*key).to_owned(), (*text).to_owned());
        pairs(&schema, &given.iter().map(own).collect::<Vec<_>>()).map(Value::Object)
    }

    #[test]
    fn the_schema_decides_how_a_text_is_read() {
        let given = [("t", "7"), ("n", "7"), ("b", "true"), ("l", r#"["a"]"#), ("e", "2")];
        let values = json!({"t": "7", "n": 7, "b": true, "l": ["a"], "e": 2});
        assert_eq!(read(&given), Ok(values));
        assert_eq!(read(&[("t", ""), ("e", "one")]), Ok(json!({"t": "", "e": "one"})));
        // Absent stays absent.
        assert_eq!(read(&[]), Ok(json!({})));
    }

    #[test]
    fn keys_are_taken_as_they_are_and_unknown_ones_by_their_looks() {
        let given = [("a.b", "7"), ("c[0]", "x"), ("d", "null"), ("f", "\"q\""), ("g", "[1]")];
        let values = json!({"a.b": 7, "c[0]": "x", "d": null, "f": "\"q\"", "g": [1]});
        assert_eq!(read(&given), Ok(values));
    }

    #[test]
    fn every_text_that_stands_for_nothing_is_named() {
        let given = [("n", "many"), ("t", "ok"), ("b", "maybe"), ("x", "1234567890123456789012")];
        let wrong = read(&given).expect_err("wrong");
        let keys: Vec<&str> = wrong.iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["n", "b", "x"]);
        assert_eq!(wrong[0].1, "write a whole number");
    }

    #[test]
    fn whole_arguments_are_one_object_and_every_number_is_kept() {
        let read = arguments(r#"{"a": [1, null], "b": ""}"#).map(Value::Object);
        assert_eq!(read, Ok(json!({"a": [1, null], "b": ""})));
        for (text, why) in [
            ("[1]", "a JSON object"),
            ("{\"a\":\n oops}", "line 2 column 2"),
            ("", "line 1"),
            (r#"{"a": 123456789012345678901}"#, "at character 8"),
        ] {
            let found = arguments(text).expect_err("wrong");
            assert!(found.contains(why), "{text}: {found}");
        }
    }
}
