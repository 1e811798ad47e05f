//! What one place of a schema says, with everything that is only pointed at drawn in.

use super::reference::{Target, resolve};
use crate::domain::UntrustedText;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// How many schemas one place is made of at most: what `$ref` and `allOf` draw in.
const MAX_LAYERS: usize = 64;

/// How much text weighs as much as one part.
const BYTES_A_STEP: usize = 64;

/// The schemas that hold for one place. What stands there itself comes first.
#[derive(Debug)]
pub(super) struct Shape<'a> {
    root: &'a Map<String, Value>,
    layers: Vec<&'a Map<String, Value>>,
    /// How many of the layers stand there itself: one, or none for `true` and `false`.
    has_own: bool,
    /// Whether null may stand there beside what else is described.
    null_beside: bool,
    /// Whether nothing may stand there.
    pub never: bool,
    /// A reference that leads nowhere in the document.
    pub unresolved: Option<&'a str>,
}

impl<'a> Shape<'a> {
    /// The shape of the whole.
    pub(super) fn of_root(root: &'a Map<String, Value>) -> Self {
        let mut shape = Self::empty(root);
        shape.has_own = true;
        shape.add(root);
        shape
    }

    /// The shape of a place in it.
    pub(super) fn of(root: &'a Map<String, Value>, schema: &'a Value) -> Self {
        let mut shape = Self::empty(root);
        match schema {
            Value::Object(map) => {
                shape.has_own = true;
                shape.add(map);
            }
            Value::Bool(never) => shape.never = !never,
            Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) => {}
        }
        shape
    }

    fn empty(root: &'a Map<String, Value>) -> Self {
        let layers = Vec::new();
        Self { root, layers, has_own: false, null_beside: false, never: false, unresolved: None }
    }

    fn add(&mut self, map: &'a Map<String, Value>) {
        let known = self.layers.iter().any(|layer| std::ptr::eq(*layer, map));
        if known || self.layers.len() >= MAX_LAYERS {
            return;
        }
        self.layers.push(map);
        if let Some(Value::String(reference)) = map.get("$ref") {
            match resolve(self.root, reference) {
                Some(Target::Map(target)) => self.add(target),
                Some(Target::Any) => {}
                Some(Target::Never) => self.never = true,
                None => self.unresolved = self.unresolved.or(Some(reference)),
            }
        }
        for branch in list(map, "allOf") {
            self.add_value(branch);
        }
        for key in ["anyOf", "oneOf"] {
            let branches = list(map, key);
            let mut other = branches.iter().filter(|branch| !is_null(branch));
            let only = (other.next(), other.next());
            self.null_beside |= only.0.is_some() && branches.iter().any(is_null) && takes_null(map);
            if let (Some(one), None) = only {
                self.add_value(one);
            }
        }
    }

    fn add_value(&mut self, schema: &'a Value) {
        match schema {
            Value::Object(map) => self.add(map),
            Value::Bool(all) => self.never |= !all,
            Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) => {}
        }
    }

    /// The place of `schema`, as a part of the same document.
    pub(super) fn part(&self, schema: &'a Value) -> Self {
        Self::of(self.root, schema)
    }

    /// What stands at a keyword, the nearest first.
    pub(super) fn get(&self, key: &str) -> Option<&'a Value> {
        self.layers.iter().find_map(|layer| layer.get(key))
    }

    /// A text at a keyword.
    pub(super) fn text(&self, key: &str) -> Option<UntrustedText> {
        let texts = self.layers.iter().filter_map(|layer| layer.get(key)?.as_str());
        texts.map(UntrustedText::from).next()
    }

    /// A text that stands in the place itself: the title of something that is pointed at names
    /// that, and not the place.
    pub(super) fn own_text(&self, key: &str) -> Option<UntrustedText> {
        let own = self.layers.first().filter(|_| self.has_own)?;
        own.get(key)?.as_str().map(UntrustedText::from)
    }

    /// Whether a keyword is there with `true`.
    pub(super) fn is_marked(&self, key: &str) -> bool {
        self.layers.iter().any(|layer| layer.get(key) == Some(&Value::Bool(true)))
    }

    /// Whether a keyword is there.
    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// The types that it names, without null. None for any.
    pub(super) fn types(&self) -> Vec<&'a str> {
        self.all_types().into_iter().filter(|name| *name != "null").collect()
    }

    fn all_types(&self) -> Vec<&'a str> {
        match self.get("type") {
            Some(Value::String(name)) => vec![name],
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            Some(_) | None => Vec::new(),
        }
    }

    /// Whether it can be null, and something else too.
    pub(super) fn nullable(&self) -> bool {
        let types = self.all_types();
        let named = types.len() > 1 && types.contains(&"null");
        match self.get("enum") {
            Some(Value::Array(values)) => {
                self.null_beside || (values.len() > 1 && values.iter().any(Value::is_null))
            }
            Some(_) | None => named || self.null_beside,
        }
    }

    /// Whether text is among what can stand there.
    pub(super) fn takes_text(&self) -> bool {
        if self.never {
            return false;
        }
        let branches = self.branches();
        if self.has("type") || branches.is_empty() {
            let types = self.all_types();
            return types.is_empty() || types.contains(&"string");
        }
        let texts = |branch: &Value| match branch.get("type") {
            Some(Value::String(name)) => name == "string",
            _ => false,
        };
        branches.into_iter().any(texts)
    }

    /// The forms of which it has one, when there are several; null is none of them.
    pub(super) fn branches(&self) -> Vec<&'a Value> {
        for key in ["oneOf", "anyOf"] {
            for layer in &self.layers {
                let other: Vec<_> = list(layer, key).iter().filter(|b| !is_null(b)).collect();
                if other.len() > 1 {
                    return other;
                }
            }
        }
        Vec::new()
    }

    /// Its properties, of all layers, in the server's order.
    pub(super) fn properties(&self) -> Vec<(&'a String, &'a Value)> {
        let mut known = HashSet::new();
        let maps = self.layers.iter().filter_map(|layer| layer.get("properties")?.as_object());
        maps.flatten().filter(|(name, _)| known.insert(name.as_str())).collect()
    }

    /// The properties that must be there, in the server's order.
    pub(super) fn required(&self) -> Vec<&'a str> {
        let mut known = HashSet::new();
        let names = self.layers.iter().flat_map(|layer| list(layer, "required"));
        names.filter_map(Value::as_str).filter(|name| known.insert(*name)).collect()
    }

    /// How much there is to look at, roughly: a reference draws the same in again and again, so
    /// that a short schema can mean a very long form.
    pub(super) fn weight(&self) -> usize {
        let entries = self.layers.iter().flat_map(|layer| layer.iter());
        let of = |(key, value): (&String, &Value)| match (key.as_str(), value) {
            ("default" | "const" | "example" | "examples" | "enum", value) => size(value),
            (_, Value::Array(items)) => items.len(),
            (_, Value::Object(map)) => map.len(),
            (_, Value::String(text)) => text.len() / BYTES_A_STEP,
            (_, Value::Null | Value::Bool(_) | Value::Number(_)) => 1,
        };
        entries.map(of).sum::<usize>() + 1
    }

    /// Where its own description stands, to know it again.
    pub(super) fn identity(&self) -> Option<*const Map<String, Value>> {
        let last = self.layers.iter().find(|layer| !layer.contains_key("$ref"));
        last.or(self.layers.first()).map(|layer| std::ptr::from_ref(*layer))
    }
}

/// The schemas in a list at a keyword.
fn list<'a>(map: &'a Map<String, Value>, key: &str) -> &'a [Value] {
    map.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Whether a schema describes null alone.
fn is_null(schema: &Value) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("null")
        || schema.get("const") == Some(&Value::Null)
}

/// How much a value holds: its parts, and its texts by their length.
fn size(value: &Value) -> usize {
    let (mut size, mut open) = (0, vec![value]);
    while let Some(value) = open.pop() {
        size += 1;
        match value {
            Value::Object(map) => open.extend(map.values()),
            Value::Array(items) => open.extend(items),
            Value::String(text) => size += text.len() / BYTES_A_STEP,
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    size
}

/// Whether the types that a schema itself names leave room for null.
fn takes_null(map: &Map<String, Value>) -> bool {
    match map.get("type") {
        Some(Value::String(name)) => name == "null",
        Some(Value::Array(names)) => names.iter().any(|name| name == "null"),
        Some(_) | None => true,
    }
}
