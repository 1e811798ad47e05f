//! References within a schema. Those that lead out of it are never followed.

use serde_json::{Map, Value};

/// What a reference leads to.
pub(super) enum Target<'a> {
    /// A schema with keywords.
    Map(&'a Map<String, Value>),
    /// One that allows anything.
    Any,
    /// One that allows nothing.
    Never,
}

/// Follows a reference within the document: `#`, or `#/` and a JSON Pointer.
pub(super) fn resolve<'a>(root: &'a Map<String, Value>, reference: &str) -> Option<Target<'a>> {
    if reference == "#" {
        return Some(Target::Map(root));
    }
    match pointed_at(root, reference)? {
        Value::Object(map) => Some(Target::Map(map)),
        Value::Bool(true) => Some(Target::Any),
        Value::Bool(false) => Some(Target::Never),
        Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) => None,
    }
}

/// What a reference with a JSON Pointer leads to.
pub(super) fn pointed_at<'a>(root: &'a Map<String, Value>, reference: &str) -> Option<&'a Value> {
    let pointer = reference.strip_prefix('#')?;
    let mut steps = pointer
        .strip_prefix('/')?
        .split('/')
        .map(|step| percent_decoded(step).map(|step| step.replace("~1", "/").replace("~0", "~")));
    let mut at = root.get(&steps.next()??)?;
    for step in steps {
        let step = step?;
        at = match at {
            Value::Object(map) => map.get(&step)?,
            Value::Array(items) => items.get(step.parse::<usize>().ok()?)?,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return None,
        };
    }
    Some(at)
}

fn percent_decoded(step: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(step.len());
    let mut rest = step.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let mut digit = || char::from(rest.next()?).to_digit(16);
            let (high, low) = (digit()?, digit()?);
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}
