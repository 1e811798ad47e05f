//! A schema as a tree that is easy to read.

use crate::domain::UntrustedText;
use serde_json::{Map, Value};

/// One row of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeRow {
    /// How far below the root it lies.
    pub depth: usize,
    /// The property's name; `None` for the items of a list and the branches of a choice.
    pub name: Option<UntrustedText>,
    /// What can stand there, in our words: `text`, `whole number`, `one of 3 values`, `list of text`.
    pub kind: UntrustedText,
    /// Whether it must be there.
    pub required: bool,
    /// What it is for.
    pub description: Option<UntrustedText>,
}

/// The rows of a schema, from its top.
pub fn tree(schema: &Map<String, Value>) -> Vec<TreeRow> {
    let row = |field: super::Field| TreeRow {
        depth: 0,
        name: Some(field.name),
        kind: format!("{:?}", field.kind).into(),
        required: field.required,
        description: field.description,
    };
    super::fields(schema).into_iter().map(row).collect()
}
