//! Between what is written in a field and the value that is sent. Exact: what would be sent
//! otherwise than it was written is refused.

use super::{
    Choice, Field, FieldKind,
    number::{self, Written},
};
use serde_json::Value;

/// The word for null in a field that can hold it.
const NULL: &str = "null";

impl Field {
    /// The value that a text in this field stands for. In a field that can be null and is not
    /// text, `null` stands for that.
    ///
    /// # Errors
    /// What to write instead, in our words.
    pub fn read(&self, text: &str) -> Result<Value, String> {
        let is_null = self.nullable && text.trim() == NULL;
        match &self.kind {
            FieldKind::Text => Ok(text.into()),
            FieldKind::Choice(choices) => match chosen(choices, text) {
                Some(value) => Ok(value.clone()),
                None if is_null => Ok(Value::Null),
                None => Err(choose(choices)),
            },
            FieldKind::Integer | FieldKind::Number | FieldKind::Boolean if is_null => {
                Ok(Value::Null)
            }
            FieldKind::Integer => match number::read_whole(text.trim()) {
                Written::Number(value) if number::is_whole(&value) => Ok(value),
                Written::Number(_) | Written::NoNumber => Err("write a whole number".into()),
                Written::Inexact => Err(INEXACT.into()),
            },
            FieldKind::Number => match number::read(text.trim()) {
                Written::Number(value) => Ok(value),
                Written::NoNumber => Err("write a number, such as 1.5".into()),
                Written::Inexact => Err(INEXACT.into()),
            },
            FieldKind::Boolean => match text.trim() {
                "true" => Ok(true.into()),
                "false" => Ok(false.into()),
                _ => Err("write true or false".into()),
            },
            FieldKind::Json(what) => read_json(text).map_err(|why| match why {
                NotExact::NoJson(why) => format!("write {what} as JSON{}: {why}", example(what)),
                NotExact::Number(at) => format!("the number at character {at}: {INEXACT}"),
            }),
        }
    }

    /// The text that stands for a value in this field.
    pub fn write(&self, value: &Value) -> String {
        match (&self.kind, value) {
            (FieldKind::Text, Value::String(text)) => text.clone(),
            (FieldKind::Choice(choices), value) => written(choices, value),
            _ => value.to_string(),
        }
    }
}

/// How many values of a choice are named.
const NAMED: usize = 8;

/// What could be chosen.
fn choose(choices: &[Choice]) -> String {
    let named = choices.iter().take(NAMED).map(|choice| written(choices, &choice.value));
    let more = if choices.len() > NAMED { ", …" } else { "" };
    format!("choose one of: {}{more}", named.collect::<Vec<_>>().join(", "))
}

/// How such JSON looks.
fn example(what: &str) -> &'static str {
    if what.starts_with("a list") {
        r#", such as ["a", "b"]"#
    } else if what.starts_with("an object") {
        r#", such as {"key": "value"}"#
    } else {
        ""
    }
}

/// What is wrong with a number that cannot be sent as it is written.
pub(super) const INEXACT: &str = "it has more digits than can be sent; write a shorter one";

/// Why a text is no JSON that can be sent as it is.
#[derive(Debug)]
pub(super) enum NotExact {
    /// It is none.
    NoJson(serde_json::Error),
    /// A number in it, from this character on, would change.
    Number(usize),
}

/// Reads JSON of which no number changes.
pub(super) fn read_json(text: &str) -> Result<Value, NotExact> {
    let value = serde_json::from_str(text).map_err(NotExact::NoJson)?;
    match number::first_inexact(text) {
        Some(at) => Err(NotExact::Number(at)),
        None => Ok(value),
    }
}

/// The value that a text stands for: as it is shown, else as JSON.
fn chosen<'a>(choices: &'a [Choice], text: &str) -> Option<&'a Value> {
    let shown = choices.iter().find(|choice| written(choices, &choice.value) == text);
    let parsed = || {
        let value: Value = serde_json::from_str(text).ok()?;
        choices.iter().find(|choice| choice.value == value)
    };
    shown.or_else(parsed).map(|choice| &choice.value)
}

/// How a value to choose is written: text as it is, unless the same JSON is another choice.
fn written(choices: &[Choice], value: &Value) -> String {
    let Value::String(text) = value else { return value.to_string() };
    // A text that quoted is this one would be taken for it too.
    let other = serde_json::from_str::<Value>(text)
        .is_ok_and(|meant| choices.iter().any(|choice| choice.value == meant));
    if other { value.to_string() } else { text.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn field(kind: FieldKind, nullable: bool) -> Field {
        Field {
            name: "x".into(),
            title: None,
            description: None,
            required: false,
            nullable,
            kind,
            default: None,
            examples: Vec::new(),
            limits: Vec::new(),
        }
    }

    fn choice(values: &[Value]) -> FieldKind {
        FieldKind::Choice(values.iter().map(|v| Choice { value: v.clone(), title: None }).collect())
    }

    #[test]
    fn numbers_are_sent_as_written_or_refused() {
        let whole = field(FieldKind::Integer, false);
        let any = field(FieldKind::Number, false);
        for (text, value) in [
            ("7", json!(7)),
            (" -7 ", json!(-7)),
            ("-0", json!(0)),
            ("1.0", json!(1)),
            ("1e3", json!(1000)),
            ("18446744073709551615", json!(u64::MAX)),
            ("-9223372036854775808", json!(i64::MIN)),
        ] {
            assert_eq!(whole.read(text), Ok(value), "{text}");
        }
        for text in
            ["", "1.5", "0x10", "1 2", "+1", "01", "NaN", "1e400", "12345678901234567890123"]
        {
            assert!(whole.read(text).is_err(), "{text}");
        }
        assert_eq!(any.read("0.1"), Ok(json!(0.1)));
        assert_eq!(any.read("1e22"), Ok(json!(1e22)));
        assert_eq!(any.read("-1.50"), Ok(json!(-1.5)));
        for text in ["0.1000000000000000055511151231257827", "1e400", "1e-400", "inf", ".5", "5."] {
            assert!(any.read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn json_of_which_a_number_would_change_is_refused_with_the_place() {
        let json = field(FieldKind::Json("a list".into()), false);
        assert_eq!(json.read(r#"["1e999", 0.5]"#), Ok(json!(["1e999", 0.5])));
        let why = json.read("[1, 123456789012345678901]").expect_err("inexact");
        assert!(why.starts_with("the number at character 5"), "{why}");
        let why = json.read("[1,").expect_err("no JSON");
        assert!(why.starts_with("write a list as JSON, such as "), "{why}");
    }

    #[test]
    fn null_absent_and_empty_differ() {
        assert_eq!(field(FieldKind::Integer, true).read("null"), Ok(Value::Null));
        assert_eq!(field(choice(&[json!("a")]), true).read("null"), Ok(Value::Null));
        assert!(field(FieldKind::Integer, false).read("null").is_err());
        assert_eq!(field(FieldKind::Text, true).read("null"), Ok(json!("null")));
        assert_eq!(field(FieldKind::Text, true).read(""), Ok(json!("")));
    }

    #[test]
    fn choices_that_look_alike_are_kept_apart() {
        let values = [json!(1), json!("1"), json!("\"1\""), json!(true), json!("true"), json!("a")];
        let field = field(choice(&values), false);
        for value in &values {
            assert_eq!(field.read(&field.write(value)).as_ref(), Ok(value));
        }
        assert_eq!(field.read("a"), Ok(json!("a")));
        assert_eq!(field.read("\"a\""), Ok(json!("a")));
        assert!(field.read("b").is_err());
    }

    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f32>().prop_map(|n| json!(n.is_finite().then_some(f64::from(n).trunc()))),
            ".*".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 20, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec((".*", inner), 0..4)
                    .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_reads_as_the_same(text in ".*", n in any::<i64>(), m in any::<u64>(), f in any::<f64>(), values in prop::collection::vec(json(), 1..5)) {
            let same = |kind: FieldKind, value: Value| {
                let field = field(kind, false);
                prop_assert_eq!(field.read(&field.write(&value)), Ok(value));
                Ok(())
            };
            same(FieldKind::Text, text.into())?;
            same(FieldKind::Integer, n.into())?;
            same(FieldKind::Integer, m.into())?;
            if f.is_finite() {
                same(FieldKind::Number, f.into())?;
            }
            for value in &values {
                same(choice(&values), value.clone())?;
            }
        }

        #[test]
        fn nothing_that_is_typed_breaks_it(text in r#"[-+0-9eE."\[\]{},:a-z\\ \u{202e}]{0,30}"#) {
            for kind in [FieldKind::Integer, FieldKind::Number, FieldKind::Boolean, FieldKind::Json("x".into()), choice(&[json!("1")])] {
                let field = field(kind, true);
                if let Ok(value) = field.read(&text) {
                    prop_assert_eq!(field.read(&field.write(&value)), Ok(value));
                }
            }
        }
    }
}
