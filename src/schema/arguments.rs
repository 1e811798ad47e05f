//! Arguments written as a whole.

use super::value::{INEXACT, NotExact, read_json};
use serde_json::{Map, Value};

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

    #[test]
    fn whole_arguments_are_one_object_and_every_number_is_kept() {
        let read = arguments(r#"{"a": [1, null], "b": ""}"#).map(Value::Object);
        assert_eq!(read, Ok(json!({"a": [1, null], "b": ""})));
        for (text, why) in [
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
