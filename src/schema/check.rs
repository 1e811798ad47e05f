//! Whether a value agrees with a schema.

use super::{
    complaint::complaints,
    weigh::{self, Weighing},
};
use crate::domain::UntrustedText;
use jsonschema::{Draft, PatternOptions};
use serde_json::{Map, Value};

/// How many disagreements are named.
const NAMED: usize = 50;

/// From how many steps on a check stops at the first disagreement: all of them would take much
/// room.
const MANY_STEPS: usize = 200_000;

/// How often a pattern may go back in a text before it is given up.
const MAX_BACKTRACKS: usize = 100_000;

/// How much room one pattern may take when it is made ready, in bytes.
const MAX_PATTERN_BYTES: usize = 4 * 1024 * 1024;

/// How much all patterns of a schema may take together; each has its share.
const PATTERNS_BYTES: usize = 32 * 1024 * 1024;

/// How much of a reason of the checker's own is repeated, in characters.
const MAX_REASON: usize = 300;

/// One place where a value does not agree with a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// Where in the value: a JSON Pointer (RFC 6901), empty for the whole. What is missing or
    /// should not be there is its own place.
    pub at: UntrustedText,
    /// What is wrong there. Holds words of the value and of the schema.
    pub what: UntrustedText,
}

impl Disagreement {
    /// Where and what, on one line.
    pub fn line(&self) -> UntrustedText {
        if self.at.is_empty() {
            return self.what.clone();
        }
        format!("{}: {}", self.at.raw(), self.what.raw()).into()
    }

    /// One of a property of what lies at `at`.
    pub(super) fn below(at: &str, property: &str, what: &str) -> Self {
        let property = property.replace('~', "~0").replace('/', "~1");
        Self { at: format!("{at}/{property}").into(), what: what.into() }
    }

    /// The property of the whole that it lies in.
    pub fn property(&self) -> Option<String> {
        let first = self.at.raw().strip_prefix('/')?.split('/').next()?;
        Some(first.replace("~1", "/").replace("~0", "~"))
    }
}

/// A schema that is ready to be held against values.
pub struct Checker {
    validator: jsonschema::Validator,
    schema: Value,
}

impl std::fmt::Debug for Checker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Checker")
    }
}

impl Checker {
    /// Makes it. Without a known `$schema` it is one of 2020-12. Nothing it names is fetched.
    ///
    /// # Errors
    /// Why nothing can be checked against this schema.
    pub fn new(schema: &Map<String, Value>) -> Result<Self, UntrustedText> {
        let count = weigh::measure(schema).map_err(|too_much| too_much.text())?;
        let share = (PATTERNS_BYTES / count.max(1)).min(MAX_PATTERN_BYTES);
        let mut schema = schema.clone();
        let patterns = PatternOptions::fancy_regex()
            .backtrack_limit(MAX_BACKTRACKS)
            .size_limit(share)
            .dfa_size_limit(share);
        let mut options = jsonschema::options()
            .offline()
            .should_validate_formats(true)
            .should_ignore_unknown_formats(true)
            .with_pattern_options(patterns);
        if !schema.get("$schema").and_then(Value::as_str).is_some_and(is_known_draft) {
            schema.shift_remove("$schema");
            options = options.with_draft(Draft::Draft202012);
        }
        let schema = Value::Object(schema);
        match options.build(&schema) {
            Ok(validator) => Ok(Self { validator, schema }),
            Err(why) => Err(match elsewhere(&schema) {
                Some(reference) => format!("it refers to {reference}, and nothing is fetched"),
                None => why.to_string().chars().take(MAX_REASON).collect(),
            }
            .into()),
        }
    }

    /// Where a value does not agree, the first of it.
    ///
    /// # Errors
    /// Why that cannot be said: to find out would take too much.
    pub fn check(&self, value: &Value) -> Result<Vec<Disagreement>, UntrustedText> {
        let steps = Weighing::steps(&self.schema, value).map_err(|too_much| too_much.text())?;
        if self.validator.is_valid(value) {
            return Ok(Vec::new());
        }
        let errors = if steps > MANY_STEPS { 1 } else { NAMED };
        let errors = self.validator.iter_errors(value).take(errors);
        let mut found: Vec<Disagreement> = Vec::new();
        for complaint in errors.flat_map(|error| complaints(&error)) {
            if found.len() < NAMED && !found.contains(&complaint) {
                found.push(complaint);
            }
        }
        if found.is_empty() {
            let what = "does not agree with the schema";
            found.push(Disagreement { at: "".into(), what: what.into() });
        }
        Ok(found)
    }
}

fn is_known_draft(uri: &str) -> bool {
    let known = ["draft-04/", "draft-06/", "draft-07/", "draft/2019-09/", "draft/2020-12/"];
    known.iter().any(|name| {
        uri.split_once("json-schema.org/").is_some_and(|(_, rest)| rest.starts_with(name))
    })
}

/// The first reference that leads out of the document.
fn elsewhere(schema: &Value) -> Option<&str> {
    let mut open = vec![schema];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(map) => {
                let reference = map.get("$ref").and_then(Value::as_str);
                if let Some(reference) = reference.filter(|text| !text.starts_with('#')) {
                    return Some(reference);
                }
                open.extend(map.values());
            }
            Value::Array(items) => open.extend(items),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    None
}

#[cfg(test)]
mod tests;
