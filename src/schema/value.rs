//! Between what is written in a field and the value that is sent.

use super::{Field, FieldKind};
use serde_json::Value;

impl Field {
    /// The value that a text in this field stands for.
    ///
    /// # Errors
    /// What to write instead, in our words.
    pub fn read(&self, text: &str) -> Result<Value, String> {
        match &self.kind {
            FieldKind::Text => Ok(text.into()),
            FieldKind::Integer => number(text)
                .filter(|value| value.is_i64() || value.is_u64())
                .ok_or_else(|| "write a whole number".into()),
            FieldKind::Number => number(text).ok_or_else(|| "write a number".into()),
            FieldKind::Boolean => match text.trim() {
                "true" => Ok(true.into()),
                "false" => Ok(false.into()),
                _ => Err("write true or false".into()),
            },
            FieldKind::Choice(choices) => choices
                .iter()
                .find(|choice| self.write(&choice.value) == text)
                .map(|choice| choice.value.clone())
                .ok_or_else(|| "choose one of its values".into()),
            FieldKind::Json(what) => {
                serde_json::from_str(text).map_err(|why| format!("write {what} as JSON: {why}"))
            }
        }
    }

    /// The text that stands for a value in this field.
    pub fn write(&self, value: &Value) -> String {
        match (&self.kind, value) {
            (FieldKind::Text | FieldKind::Choice(_), Value::String(text)) => text.clone(),
            _ => value.to_string(),
        }
    }
}

fn number(text: &str) -> Option<Value> {
    serde_json::from_str(text.trim()).ok().filter(Value::is_number)
}
