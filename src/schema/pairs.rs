//! Arguments given as pairs of texts, made into typed values.

use super::{
    Disagreement, FieldKind,
    fields::field,
    shape::Shape,
    value::{NotExact, read_json},
};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// The arguments that pairs of names and texts stand for. What the schema describes as text is
/// taken as it is; everything else is read as its kind wants it. Of a name that the schema does
/// not know the text is JSON if it reads as that, and else text.
///
/// # Errors
/// What cannot be read as what it should be, each at its place.
pub fn pairs(
    schema: &Map<String, Value>,
    pairs: &[(String, String)],
) -> Result<Map<String, Value>, Vec<Disagreement>> {
    let root = Shape::of_root(schema);
    let known: HashMap<&str, &Value> =
        root.properties().into_iter().map(|(name, part)| (name.as_str(), part)).collect();
    let (mut arguments, mut wrong) = (Map::new(), Vec::new());
    for (name, text) in pairs {
        let shape = root.part(known.get(name.as_str()).copied().unwrap_or(&Value::Null));
        match read(name, &shape, text) {
            Ok(value) => drop(arguments.insert(name.clone(), value)),
            Err(what) => wrong.push(Disagreement::below("", name, &what)),
        }
    }
    if wrong.is_empty() { Ok(arguments) } else { Err(wrong) }
}

fn read(name: &str, shape: &Shape<'_>, text: &str) -> Result<Value, String> {
    let field = field(name, shape, false);
    if matches!(field.kind, FieldKind::Json(_)) && shape.takes_text() {
        // A number that would change is no text by accident, so it is told.
        if let Err(NotExact::NoJson(_)) = read_json(text) {
            return Ok(text.into());
        }
    }
    field.read(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn schema() -> Map<String, Value> {
        let schema = json!({"properties": {
            "text": {"type": "string"},
            "count": {"type": "integer"},
            "maybe": {"type": ["integer", "null"]},
            "words": {"type": ["string", "null"]},
            "mood": {"enum": ["calm", 2]},
            "either": {"type": ["string", "integer"]},
            "list": {"type": "array", "items": {"type": "string"}},
            "any": {},
            "a.b": {"type": "boolean"},
        }});
        schema.as_object().expect("an object").clone()
    }

    fn of(given: &[(&str, &str)]) -> Result<Value, Vec<(String, String)>> {
        let given: Vec<_> = given.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
        let wrong = |wrong: Vec<Disagreement>| {
            wrong.iter().map(|d| (d.at.raw().to_owned(), d.what.raw().to_owned())).collect()
        };
        pairs(&schema(), &given).map(Value::Object).map_err(wrong)
    }

    #[test]
    fn each_value_is_read_as_its_kind_wants_it() {
        for (name, text, value) in [
            ("text", "7", json!("7")),
            ("text", "null", json!("null")),
            ("text", "", json!("")),
            ("count", "7", json!(7)),
            ("maybe", "null", json!(null)),
            ("words", "null", json!("null")),
            ("mood", "calm", json!("calm")),
            ("mood", "2", json!(2)),
            ("either", "abc", json!("abc")),
            ("either", "7", json!(7)),
            ("list", r#"["a"]"#, json!(["a"])),
            ("any", "{", json!("{")),
            ("any", "{}", json!({})),
            ("a.b", "true", json!(true)),
            ("ghost", "true", json!(true)),
            ("ghost", "so what", json!("so what")),
        ] {
            assert_eq!(of(&[(name, text)]), Ok(json!({name: value})), "{name}={text}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_told_at_its_place_all_of_it() {
        let wrong = of(&[("count", "x"), ("text", "fine"), ("a.b", "yes"), ("list", "a")]);
        let wrong = wrong.expect_err("wrong");
        let at: Vec<&str> = wrong.iter().map(|(at, _)| at.as_str()).collect();
        assert_eq!(at, ["/count", "/a.b", "/list"]);
        assert_eq!(wrong[0].1, "write a whole number");
        assert!(wrong[2].1.starts_with("write a list of text as JSON"), "{wrong:?}");
        assert!(of(&[("ghost", "123456789012345678901")]).is_err());
    }
}
