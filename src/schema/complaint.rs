//! What is wrong with a value, in our words.

use super::{check::Disagreement, words};
use jsonschema::{
    JsonType, ValidationError,
    error::{TypeKind, ValidationErrorKind as Kind},
};
use serde_json::Value;

/// How much of a value, name or pattern is repeated, in characters.
const MAX_SHOWN: usize = 60;

/// How many values, or names that should not be there, are named.
const MAX_NAMED: usize = 8;

/// What is said of a name that the schema does not allow.
const UNKNOWN: &str = "is not known here";

/// What one error of the checker comes to: mostly one disagreement.
pub(super) fn complaints(error: &ValidationError<'_>) -> Vec<Disagreement> {
    let at = error.instance_path().to_string();
    if let Kind::Required { property: Value::String(name) } = error.kind() {
        // A form has a place for what is missing, and none for what holds it.
        return vec![Disagreement::below(&at, name, "must be there")];
    }
    if let Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } =
        error.kind()
    {
        let named = unexpected.iter().take(MAX_NAMED);
        return named.map(|name| Disagreement::below(&at, name, UNKNOWN)).collect();
    }
    if let Kind::AnyOf { context } | Kind::OneOfNotValid { context } = error.kind()
        && let Some(form) = nearest(context, &at)
    {
        return form.iter().flat_map(complaints).collect();
    }
    let what = what(error.kind(), error).into();
    vec![Disagreement { at: at.into(), what }]
}

/// The one form that is of the right type, when all others are not: what is wrong with that is
/// what a person wants to know.
fn nearest<'a>(
    context: &'a [Vec<ValidationError<'static>>],
    at: &str,
) -> Option<&'a [ValidationError<'static>]> {
    // Of another type itself: not something inside it.
    let is_type = |one: &ValidationError<'_>| {
        matches!(one.kind(), Kind::Type { .. }) && one.instance_path().as_str() == at
    };
    let is_other_type = |form: &Vec<ValidationError<'_>>| form.iter().any(is_type);
    let mut near = context.iter().filter(|form| !is_other_type(form));
    match (near.next(), near.next()) {
        (Some(form), None) => Some(form),
        _ => None,
    }
}

fn what(kind: &Kind, error: &ValidationError<'_>) -> String {
    let value = || shown(error.instance());
    match kind {
        Kind::Type { kind } => format!("must be {}, and is {}", types(kind), value()),
        Kind::Enum { options } => match options.as_array() {
            Some(options) if options.len() <= MAX_NAMED => {
                let options: Vec<String> = options.iter().map(shown).collect();
                format!("must be one of {}, and is {}", options.join(", "), value())
            }
            Some(options) => format!("must be one of {} values, and is {}", options.len(), value()),
            None => format!("is not one of its values: {}", value()),
        },
        Kind::Constant { expected_value } => {
            format!("must be {}, and is {}", shown(expected_value), value())
        }
        Kind::Minimum { limit } => format!("must be at least {limit}, and is {}", value()),
        Kind::Maximum { limit } => format!("must be at most {limit}, and is {}", value()),
        Kind::ExclusiveMinimum { limit } => {
            format!("must be more than {limit}, and is {}", value())
        }
        Kind::ExclusiveMaximum { limit } => {
            format!("must be less than {limit}, and is {}", value())
        }
        Kind::MultipleOf { multiple_of } => {
            format!("must be a multiple of {multiple_of}, and is {}", value())
        }
        Kind::MinLength { limit } => format!("must have at least {}", many(*limit, "character")),
        Kind::MaxLength { limit } => format!("must have at most {}", many(*limit, "character")),
        Kind::MinItems { limit } => format!("must have at least {}", many(*limit, "item")),
        Kind::MaxItems { limit } => format!("must have at most {}", many(*limit, "item")),
        Kind::MinProperties { limit } => format!("must have at least {}", many(*limit, "name")),
        Kind::MaxProperties { limit } => format!("must have at most {}", many(*limit, "name")),
        Kind::AdditionalItems { limit } => {
            format!("must have at most {}", many(*limit as u64, "item"))
        }
        Kind::UniqueItems => "must not have the same item twice".into(),
        Kind::Contains => "has not the items that it must have".into(),
        Kind::Pattern { pattern } => format!("must match {}", cut(pattern)),
        Kind::Format { format } => match words::of_format(format) {
            Some(words) => format!("must be {words}"),
            None => "has not the format that it must have".into(),
        },
        Kind::FalseSchema => "must not be there".into(),
        Kind::Not { .. } => "is just what it must not be".into(),
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            format!("agrees with none of the {} forms it may have", context.len())
        }
        Kind::OneOfMultipleValid { .. } => {
            "agrees with several forms, of which it must have one alone".into()
        }
        Kind::PropertyNames { error } => {
            format!("has a name that is not allowed: {}", shown(error.instance()))
        }
        Kind::UnevaluatedItems { .. } => "has items that are not allowed".into(),
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            "could not be held against its pattern, which takes too long".into()
        }
        Kind::Required { .. }
        | Kind::AdditionalProperties { .. }
        | Kind::UnevaluatedProperties { .. }
        | Kind::ContentEncoding { .. }
        | Kind::ContentMediaType { .. }
        | Kind::Custom { .. }
        | Kind::FromUtf8 { .. }
        | Kind::Referencing(_) => cut(&error.to_string()),
    }
}

fn many(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

fn types(kind: &TypeKind) -> String {
    let word = |one: JsonType| match one {
        JsonType::String => "text",
        JsonType::Integer => "a whole number",
        JsonType::Number => "a number",
        JsonType::Boolean => "true or false",
        JsonType::Object => "an object",
        JsonType::Array => "a list",
        JsonType::Null => "null",
    };
    match kind {
        TypeKind::Single(one) => word(*one).into(),
        TypeKind::Multiple(several) => several.iter().map(word).collect::<Vec<_>>().join(" or "),
    }
}

/// A value as JSON, short; one with much in it by what it is.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) if text.len() > 4 * MAX_SHOWN => {
            format!("a text of {} characters", text.chars().count())
        }
        Value::Array(items) if !items.is_empty() => {
            format!("a list of {}", many(items.len() as u64, "item"))
        }
        Value::Object(map) if !map.is_empty() => {
            format!("an object with {}", many(map.len() as u64, "name"))
        }
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_) => cut(&value.to_string()),
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
