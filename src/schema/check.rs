//! Whether a value agrees with a schema.

use crate::domain::UntrustedText;
use serde_json::{Map, Value};

/// How many disagreements are named.
const NAMED: usize = 50;

/// One place where a value does not agree with a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// Where in the value: a JSON Pointer (RFC 6901), empty for the whole.
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

    /// The property of the whole that it lies in.
    pub fn property(&self) -> Option<String> {
        let first = self.at.raw().strip_prefix('/')?.split('/').next()?;
        Some(first.replace("~1", "/").replace("~0", "~"))
    }
}

/// A schema that is ready to be held against values.
pub struct Checker(jsonschema::Validator);

impl std::fmt::Debug for Checker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Checker")
    }
}

impl Checker {
    /// Makes it.
    ///
    /// # Errors
    /// Why nothing can be checked against this schema.
    pub fn new(schema: &Map<String, Value>) -> Result<Self, UntrustedText> {
        jsonschema::validator_for(&Value::Object(schema.clone()))
            .map(Self)
            .map_err(|why| why.to_string().into())
    }

    /// Where a value does not agree, the first of it.
    pub fn check(&self, value: &Value) -> Vec<Disagreement> {
        let found = self.0.iter_errors(value).map(|why| Disagreement {
            at: why.instance_path().to_string().into(),
            what: why.to_string().into(),
        });
        found.take(NAMED).collect()
    }
}
