//! What it costs to hold a value against a schema, known before it is done.
//!
//! A few lines of references to references can ask for more steps than there is time. The steps
//! are counted the way they would be made, and counting ends where there are too many.

use super::reference::pointed_at;
use serde_json::{Map, Value};

/// How large a schema may be: its objects, lists and values.
const MAX_NODES: usize = 200_000;

/// How many patterns a schema may have.
const MAX_PATTERNS: usize = 500;

/// How deep a schema or value may be.
const MAX_DEPTH: usize = 200;

/// How many steps one check may take.
const MAX_STEPS: usize = 2_000_000;

/// Why something is not checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TooMuch {
    /// It is too large.
    Large,
    /// It is too deep.
    Deep,
    /// It would take too long.
    Long,
}

impl TooMuch {
    /// In words, of the schema.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Large => "the schema is too large to check against",
            Self::Deep => "it is too deep to be checked",
            Self::Long => "it would take too long to check",
        }
    }
}

/// Measures a schema without going into itself: one that is too deep is not even copied. Gives how
/// many patterns are in it.
pub(super) fn measure(schema: &Map<String, Value>) -> Result<usize, TooMuch> {
    let mut nodes = schema.len();
    let mut patterns = patterns(schema);
    let mut open: Vec<(usize, &Value)> = schema.values().map(|value| (1, value)).collect();
    while let Some((depth, value)) = open.pop() {
        if depth > MAX_DEPTH {
            return Err(TooMuch::Deep);
        }
        let inside: Vec<&Value> = match value {
            Value::Object(map) => {
                patterns += self::patterns(map);
                map.values().collect()
            }
            Value::Array(items) => items.iter().collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => continue,
        };
        nodes += inside.len();
        if nodes > MAX_NODES || patterns > MAX_PATTERNS {
            return Err(TooMuch::Large);
        }
        open.extend(inside.into_iter().map(|value| (depth + 1, value)));
    }
    Ok(patterns)
}

/// How many patterns an object would hold if it is a schema.
fn patterns(map: &Map<String, Value>) -> usize {
    let named = map.get("patternProperties").and_then(Value::as_object).map_or(0, Map::len);
    named + usize::from(map.get("pattern").is_some_and(Value::is_string))
}

/// Counts the steps that a check takes at most.
pub(super) struct Weighing<'a> {
    root: &'a Value,
    steps: usize,
}

impl<'a> Weighing<'a> {
    /// Counts them for a whole value.
    pub(super) fn steps(root: &'a Value, value: &Value) -> Result<usize, TooMuch> {
        let mut weighing = Self { root, steps: 0 };
        weighing.walk(root, value, 0)?;
        Ok(weighing.steps)
    }

    fn walk(&mut self, schema: &'a Value, value: &Value, depth: usize) -> Result<(), TooMuch> {
        let Value::Object(map) = schema else { return Ok(()) };
        // References go around within one place, so this is deeper than a value can be.
        if depth > 2 * MAX_DEPTH {
            return Err(TooMuch::Deep);
        }
        for (key, part) in map {
            self.add(1)?;
            self.keyword(key, part, value, depth + 1)?;
        }
        // To know what is left over, everything beside it is looked at once more.
        let looks_back = |key: &str| key.starts_with("unevaluated");
        if map.keys().any(|key| looks_back(key)) {
            for (key, part) in map.iter().filter(|(key, _)| !looks_back(key)) {
                self.keyword(key, part, value, depth + 1)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, steps: usize) -> Result<(), TooMuch> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > MAX_STEPS { Err(TooMuch::Long) } else { Ok(()) }
    }

    fn keyword(
        &mut self,
        key: &str,
        part: &'a Value,
        value: &Value,
        depth: usize,
    ) -> Result<(), TooMuch> {
        match (key, part) {
            ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(reference)) => {
                // By another name it may be anything; the whole stands for that.
                let place = self.root.as_object().and_then(|root| pointed_at(root, reference));
                let target = place.unwrap_or(self.root);
                if std::ptr::eq(target, part) { Ok(()) } else { self.walk(target, value, depth) }
            }
            ("allOf" | "anyOf" | "oneOf", Value::Array(forms)) => {
                forms.iter().try_for_each(|form| self.walk(form, value, depth))
            }
            ("not" | "if" | "then" | "else", form) => self.walk(form, value, depth),
            ("dependentSchemas" | "dependencies", Value::Object(forms)) => {
                forms.values().try_for_each(|form| self.walk(form, value, depth))
            }
            ("properties", Value::Object(parts)) => {
                let Value::Object(held) = value else { return Ok(()) };
                for (name, child) in held {
                    self.add(1)?;
                    if let Some(part) = parts.get(name) {
                        self.walk(part, child, depth)?;
                    }
                }
                Ok(())
            }
            ("patternProperties", Value::Object(parts)) => {
                parts.values().try_for_each(|part| self.each(part, value, depth))
            }
            ("items" | "prefixItems", Value::Array(parts)) => {
                let Value::Array(held) = value else { return Ok(()) };
                let mut pairs = parts.iter().zip(held);
                pairs.try_for_each(|(part, child)| self.walk(part, child, depth))
            }
            (
                "items"
                | "additionalItems"
                | "contains"
                | "unevaluatedItems"
                | "additionalProperties"
                | "unevaluatedProperties"
                | "propertyNames",
                part,
            ) => self.each(part, value, depth),
            ("enum", Value::Array(values)) => self.add(values.len()),
            _ => Ok(()),
        }
    }

    /// Everything directly inside a value, against one schema.
    fn each(&mut self, part: &'a Value, value: &Value, depth: usize) -> Result<(), TooMuch> {
        let mut one = |child: &Value| {
            self.add(1)?;
            self.walk(part, child, depth)
        };
        match value {
            Value::Object(map) => map.values().try_for_each(&mut one),
            Value::Array(items) => items.iter().try_for_each(&mut one),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
        }
    }
}
