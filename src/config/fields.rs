//! The fields of an entry, taken one by one.

use super::error::escaped;
use super::variables::Variables;
use jsonc_parser::ast::{Object, Value};

/// Collects what was read differently from how it is written.
pub(super) struct Notes {
    /// Names the file and the entry.
    pub(super) prefix: String,
    pub(super) list: Vec<String>,
}

impl Notes {
    pub(super) fn add(&mut self, note: &str) {
        self.list.push(format!("{}{note}", self.prefix));
    }
}

/// The fields of an object, each key once: the last of several counts, `null` counts as absent.
pub(super) struct Fields<'a>(pub(super) Vec<(&'a str, &'a Value<'a>)>);

impl<'a> Fields<'a> {
    pub(super) fn of(object: &'a Object<'a>, path: &str, notes: &mut Notes) -> Self {
        let mut fields: Vec<(&str, &Value<'_>)> = Vec::with_capacity(object.properties.len());
        let mut seen = std::collections::HashMap::new();
        for property in &object.properties {
            let key = property.name.as_str();
            match seen.get(key).and_then(|&at: &usize| fields.get_mut(at)) {
                Some(slot) => {
                    let shown = escaped(key);
                    notes.add(&format!("`{path}{shown}` is there twice; the later one is used"));
                    slot.1 = &property.value;
                }
                None => {
                    seen.insert(key, fields.len());
                    fields.push((key, &property.value));
                }
            }
        }
        fields.retain(|(key, value)| {
            let absent = value.as_null_keyword().is_some();
            if absent {
                notes.add(&format!("`{path}{}` is null and counts as absent", escaped(key)));
            }
            !absent
        });
        Self(fields)
    }

    /// Takes a field out; what is left in the end is not known.
    pub(super) fn take(&mut self, key: &str) -> Option<&'a Value<'a>> {
        let at = self.0.iter().position(|(k, _)| *k == key)?;
        Some(self.0.remove(at).1)
    }
}

/// A map from names to texts, in order; numbers and booleans are taken as they are written.
pub(super) fn read_map(
    field: &str,
    fields: &mut Fields<'_>,
    notes: &mut Notes,
    variables: &Variables<'_>,
) -> Result<Vec<(String, String)>, String> {
    let Some(value) = fields.take(field) else { return Ok(Vec::new()) };
    let object = value
        .as_object()
        .ok_or_else(|| format!("`{field}` should be an object, it is {}", kind(value)))?;
    let mut map = Vec::new();
    for (name, value) in Fields::of(object, &format!("{field}."), notes).0 {
        let place = format!("{field}.{}", escaped(name));
        let text = if let Some(number) = value.as_number_lit() {
            notes.add(&format!("`{place}` is a number and is taken as text"));
            number.value.to_owned()
        } else if let Some(boolean) = value.as_boolean_lit() {
            notes.add(&format!("`{place}` is true or false and is taken as text"));
            boolean.value.to_string()
        } else {
            plain(&place, value, variables)?
        };
        map.push((name.to_owned(), text));
    }
    Ok(map)
}

/// A string, whatever is in it.
pub(super) fn string<'a>(place: &str, value: &'a Value<'_>) -> Result<&'a str, String> {
    match value.as_string_lit() {
        Some(text) => Ok(&text.value),
        None => Err(format!("`{place}` should be a string, it is {}", kind(value))),
    }
}

/// A string for a command, an address or a header, its variables expanded.
pub(super) fn plain(
    place: &str,
    value: &Value<'_>,
    variables: &Variables<'_>,
) -> Result<String, String> {
    let text = string(place, value)?;
    if text.contains('\0') {
        return Err(format!("`{place}` holds a zero character"));
    }
    variables.expand(place, text)
}

/// What a value is, in words.
pub(super) fn kind(value: &Value<'_>) -> &'static str {
    match value {
        Value::StringLit(_) => "a string",
        Value::NumberLit(_) => "a number",
        Value::BooleanLit(_) => "true or false",
        Value::Object(_) => "an object",
        Value::Array(_) => "a list",
        Value::NullKeyword(_) => "null",
    }
}
