//! The plan of a night: a tool with every kind of argument, and a structured answer.

use super::super::collection::Arguments;
use serde_json::{Value, json};

/// What it takes.
pub(super) const INPUT: &str = r#"{
    "type": "object",
    "properties": {
        "observer": {
            "type": "string", "title": "Observer", "minLength": 1, "maxLength": 40,
            "description": "Whose night it is"
        },
        "date": { "type": "string", "format": "date", "description": "Such as 2026-07-01" },
        "hours": {
            "type": "number", "minimum": 0.5, "maximum": 9, "default": 4,
            "description": "How long the sky is watched"
        },
        "dome": {
            "title": "Which dome",
            "oneOf": [
                { "const": "north", "title": "The north dome" },
                { "const": "south", "title": "The south dome, with the good chair" }
            ],
            "default": "north"
        },
        "tea": { "type": "boolean", "default": true, "description": "Whether there is tea" },
        "targets": {
            "type": "array", "items": { "type": "string" }, "maxItems": 5,
            "description": "What is looked at, in order"
        },
        "site": {
            "type": "object",
            "description": "Where from",
            "properties": {
                "station": { "type": "string", "enum": ["summit", "meadow", "harbour"] },
                "height": { "type": "integer", "minimum": 0 }
            },
            "required": ["station"]
        },
        "remark": { "type": ["string", "null"], "description": "Null says that there is none" }
    },
    "required": ["observer", "date"],
    "additionalProperties": false
}"#;

/// What it answers.
pub(super) const OUTPUT: &str = r#"{
    "type": "object",
    "properties": {
        "observer": { "type": "string" },
        "date": { "type": "string", "format": "date" },
        "dome": { "type": "string", "enum": ["north", "south"] },
        "cups": { "type": "integer", "minimum": 0, "description": "Of tea" },
        "targets": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "name": { "type": "string" },
                    "minutes": { "type": "integer", "minimum": 0 }
                },
                "required": ["name", "minutes"]
            }
        },
        "remark": { "type": ["string", "null"] }
    },
    "required": ["observer", "date", "dome", "cups", "targets"]
}"#;

/// The plan.
pub(super) fn night(arguments: &Arguments<'_>) -> Result<Value, String> {
    let observer = arguments.text("observer").ok_or("Whose night is it?")?;
    let date = arguments.text("date").ok_or("Which night?")?;
    let hours = arguments.value("hours").and_then(Value::as_f64).unwrap_or(4.0);
    let minutes = whole(hours.clamp(0.0, 9.0) * 60.0);
    let targets: Vec<&str> = match arguments.value("targets").and_then(Value::as_array) {
        Some(names) => names.iter().filter_map(Value::as_str).collect(),
        None => vec!["Vega"],
    };
    let each = minutes / u64::try_from(targets.len()).unwrap_or(u64::MAX).max(1);
    let looked: Vec<Value> =
        targets.iter().map(|name| json!({ "name": name, "minutes": each })).collect();
    let tea = arguments.value("tea").and_then(Value::as_bool).unwrap_or(true);
    Ok(json!({
        "observer": observer,
        "date": date,
        "dome": arguments.text("dome").unwrap_or("north"),
        "cups": if tea { minutes / 60 } else { 0 },
        "targets": looked,
        "remark": arguments.value("remark"),
    }))
}

/// The whole part of what is neither negative nor large.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 540")]
fn whole(number: f64) -> u64 {
    number.floor() as u64
}
