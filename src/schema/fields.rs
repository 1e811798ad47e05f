//! What a form asks for: one field for each property of an object.

use super::{
    shape::Shape,
    words::{self, kind_with_article, limits},
};
use crate::domain::UntrustedText;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// How much of a schema is looked at for a form. Arguments behind that can be anything.
const MAX_WEIGHT: usize = 300_000;

/// From how many values on a choice is written instead of chosen.
const MAX_CHOICES: usize = 500;

/// How many examples of a field are kept.
const MAX_EXAMPLES: usize = 5;

/// One argument, as a form asks for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The property's name.
    pub name: UntrustedText,
    /// Its name for people.
    pub title: Option<UntrustedText>,
    /// What to write.
    pub description: Option<UntrustedText>,
    /// Whether it must be there.
    pub required: bool,
    /// Whether null can stand in it, which is neither absent nor empty.
    pub nullable: bool,
    /// What can stand in it.
    pub kind: FieldKind,
    /// What the server takes where nothing is sent, as it says.
    pub default: Option<Value>,
    /// What could stand in it.
    pub examples: Vec<Value>,
    /// What else must hold, in our words: `at least 1`, `at most 40 characters`.
    pub limits: Vec<String>,
}

/// What can stand in a field.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldKind {
    /// Text.
    Text,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// Yes or no.
    Boolean,
    /// One of these.
    Choice(Vec<Choice>),
    /// Anything else, written as JSON. Says what, in our words: `a list of text`, `an object`.
    Json(String),
}

/// A value that can be chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// What is sent.
    pub value: Value,
    /// Its name for people.
    pub title: Option<UntrustedText>,
}

/// The fields of a tool's input schema, in the server's order. What is required but described
/// nowhere comes last.
pub fn fields(schema: &Map<String, Value>) -> Vec<Field> {
    let root = Shape::of_root(schema);
    let required: HashSet<&str> = root.required().into_iter().collect();
    let properties = root.properties();
    let known: HashSet<&str> = properties.iter().map(|(name, _)| name.as_str()).collect();
    let mut spare = MAX_WEIGHT;
    let described = properties.iter().map(|(name, part)| {
        let shape = root.part(if spare == 0 { &Value::Null } else { part });
        spare = spare.saturating_sub(shape.weight());
        field(name, &shape, required.contains(name.as_str()))
    });
    let unknown = root.required().into_iter().filter(|name| !known.contains(name));
    let unknown = unknown.map(|name| field(name, &root.part(&Value::Null), true));
    described.chain(unknown).collect()
}

/// One property as a field.
pub(super) fn field(name: &str, shape: &Shape<'_>, required: bool) -> Field {
    let examples = match shape.get("examples") {
        Some(Value::Array(values)) => values.iter().take(MAX_EXAMPLES).cloned().collect(),
        Some(_) | None => shape.get("example").cloned().into_iter().collect(),
    };
    let mut limits = limits(shape);
    if shape.is_marked("deprecated") {
        limits.push("no longer to be used, says the server".into());
    }
    if shape.is_marked("readOnly") {
        limits.push("set by the server itself, it says".into());
    }
    Field {
        name: name.into(),
        title: shape.own_text("title"),
        description: shape.text("description"),
        required,
        nullable: shape.nullable(),
        kind: kind(shape),
        default: shape.get("default").cloned(),
        examples,
        limits,
    }
}

fn kind(shape: &Shape<'_>) -> FieldKind {
    let values = words::values(shape).map_or(0, |values| values.len());
    if let Some(choices) = choices(shape).filter(|_| values <= MAX_CHOICES) {
        return FieldKind::Choice(choices);
    }
    let types = if shape.never { Vec::new() } else { types(shape) };
    match types.as_slice() {
        ["string"] => FieldKind::Text,
        ["integer"] => FieldKind::Integer,
        ["number"] | ["integer", "number"] | ["number", "integer"] => FieldKind::Number,
        ["boolean"] => FieldKind::Boolean,
        _ => FieldKind::Json(kind_with_article(shape)),
    }
}

/// Its types; where they stand in its forms alone, and all have the same, that.
fn types<'a>(shape: &Shape<'a>) -> Vec<&'a str> {
    let own = shape.types();
    if !own.is_empty() {
        return own;
    }
    let forms: Vec<_> = shape.branches().into_iter().map(|form| shape.part(form)).collect();
    let first = forms.first().map(Shape::types).filter(|types| types.len() == 1);
    let same = |form: &Shape<'_>| !form.nullable() && first.as_ref() == Some(&form.types());
    if forms.iter().all(same) { first.unwrap_or_default() } else { Vec::new() }
}

/// The values of a choice with their titles: of `enumNames`, or of the forms that hold them.
fn choices(shape: &Shape<'_>) -> Option<Vec<Choice>> {
    let values = words::values(shape).filter(|values| !values.is_empty())?;
    let titles: Vec<Option<UntrustedText>> = match shape.get("enum") {
        Some(Value::Array(all)) => {
            let names = shape.get("enumNames").and_then(Value::as_array);
            let name = |n: usize| names.and_then(|names| names.get(n)?.as_str());
            let nullable = shape.nullable();
            let kept = all.iter().enumerate().filter(|(_, value)| !(nullable && value.is_null()));
            kept.map(|(n, _)| name(n).map(UntrustedText::from)).collect()
        }
        _ if shape.has("const") => Vec::new(),
        _ => {
            let title = |form: &Value| form.get("title")?.as_str().map(UntrustedText::from);
            shape.branches().into_iter().map(title).collect()
        }
    };
    let titles = titles.into_iter().chain(std::iter::repeat(None));
    let choice = |(value, title): (&Value, _)| Choice { value: value.clone(), title };
    Some(values.into_iter().zip(titles).map(choice).collect())
}

/// Why a form cannot show all that this schema says, where that is so: then the arguments are
/// better written as JSON.
pub fn why_not_whole(schema: &Map<String, Value>) -> Option<String> {
    let root = Shape::of_root(schema);
    let types = root.types();
    if !types.is_empty() && !types.contains(&"object") {
        return Some("the schema describes no object, as arguments always are".into());
    }
    if root.never {
        return Some("the schema allows no arguments at all".into());
    }
    if root.unresolved.is_some() {
        return Some("a part of the schema is elsewhere, and nothing is fetched".into());
    }
    let forms = root.branches().len();
    if forms > 1 {
        return Some(format!("the arguments have {forms} forms, of which the form shows none"));
    }
    let depends = ["if", "not", "dependentSchemas", "dependentRequired", "dependencies"];
    if depends.iter().any(|key| root.has(key)) {
        return Some("which arguments are allowed depends on the others".into());
    }
    let further = matches!(root.get("additionalProperties"), Some(Value::Object(_)));
    if further || root.is_marked("additionalProperties") || root.has("patternProperties") {
        return Some("there can be further arguments, of other names".into());
    }
    None
}

#[cfg(test)]
mod tests;
