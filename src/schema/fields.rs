//! What a form asks for: one field for each property of an object.

use crate::domain::UntrustedText;
use serde_json::{Map, Value};

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
    /// What can stand in it.
    pub kind: FieldKind,
    /// What the server takes where nothing is sent, as it says.
    pub default: Option<Value>,
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
    /// Anything else, written as JSON. Says what, in our words: `a list`, `an object`.
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

/// The fields of a tool's input schema, in the server's order.
pub fn fields(schema: &Map<String, Value>) -> Vec<Field> {
    let required: Vec<&str> = match schema.get("required") {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        Some(_) | None => Vec::new(),
    };
    let Some(Value::Object(properties)) = schema.get("properties") else { return Vec::new() };
    let field = |(name, schema): (&String, &Value)| Field {
        name: name.as_str().into(),
        title: text(schema, "title"),
        description: text(schema, "description"),
        required: required.contains(&name.as_str()),
        kind: kind(schema),
        default: schema.get("default").cloned(),
        limits: Vec::new(),
    };
    properties.iter().map(field).collect()
}

fn text(schema: &Value, key: &str) -> Option<UntrustedText> {
    schema.get(key)?.as_str().map(UntrustedText::from)
}

fn kind(schema: &Value) -> FieldKind {
    if let Some(Value::Array(values)) = schema.get("enum") {
        let choice = |value: &Value| Choice { value: value.clone(), title: None };
        return FieldKind::Choice(values.iter().map(choice).collect());
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => FieldKind::Text,
        Some("integer") => FieldKind::Integer,
        Some("number") => FieldKind::Number,
        Some("boolean") => FieldKind::Boolean,
        Some("array") => FieldKind::Json("a list".into()),
        Some("object") => FieldKind::Json("an object".into()),
        Some(_) | None => FieldKind::Json("a value".into()),
    }
}
