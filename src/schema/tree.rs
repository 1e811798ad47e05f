//! A schema as a tree that is easy to read.

use super::{shape::Shape, words};
use crate::domain::UntrustedText;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// How many rows a tree has.
const MAX_ROWS: usize = 2_000;

/// How many rows are counted when there are more.
const MAX_COUNTED: usize = 20_000;

/// How much of a schema is looked at.
const MAX_WEIGHT: usize = 300_000;

/// How deep it goes.
const MAX_DEPTH: usize = 24;

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
    /// What else must hold, in our words.
    pub limits: Vec<String>,
}

/// The rows of a schema, from its top. A last row says how many are left out.
pub fn tree(schema: &Map<String, Value>) -> Vec<TreeRow> {
    let mut tree = Tree::default();
    let root = Shape::of_root(schema);
    // An object is its properties; anything else is told before what is in it.
    let is_object = root.types().iter().all(|name| *name == "object") && root.branches().is_empty();
    if is_object {
        tree.open.extend(root.identity().map(|it| (it, UntrustedText::from("the whole"))));
        tree.below(&root, 0);
    } else {
        tree.shown(None, &root, false, 0);
    }
    let left = tree.count.saturating_sub(MAX_ROWS);
    if left > 0 || tree.is_cut {
        let left = match (left, tree.is_cut) {
            (0, _) => "more rows".into(),
            (left, true) => format!("more than {left} more rows"),
            (left, false) => format!("{left} more rows"),
        };
        tree.rows.push(TreeRow {
            depth: 0,
            name: None,
            kind: format!("and {left}, not shown").into(),
            required: false,
            description: None,
            limits: Vec::new(),
        });
    }
    tree.rows
}

#[derive(Default)]
struct Tree {
    rows: Vec<TreeRow>,
    count: usize,
    weight: usize,
    /// Whether something was not even counted.
    is_cut: bool,
    /// The places above, to know one that comes again.
    open: Vec<(*const Map<String, Value>, UntrustedText)>,
}

impl Tree {
    fn is_full(&self) -> bool {
        self.count >= MAX_COUNTED || self.weight >= MAX_WEIGHT
    }

    fn row(&mut self, row: impl FnOnce() -> TreeRow) {
        self.count += 1;
        if self.count <= MAX_ROWS {
            self.rows.push(row());
        }
    }

    /// A part of a place.
    fn place(
        &mut self,
        name: Option<&str>,
        (within, part): (&Shape<'_>, &Value),
        required: bool,
        depth: usize,
    ) {
        if self.is_full() {
            self.is_cut = true;
        } else {
            self.shown(name, &within.part(part), required, depth);
        }
    }

    fn shown(&mut self, name: Option<&str>, shape: &Shape<'_>, required: bool, depth: usize) {
        self.weight += shape.weight();
        let identity = shape.identity().filter(|_| !words::is_simple(shape));
        let above = identity.and_then(|it| self.open.iter().find(|(open, _)| *open == it));
        let above = above.map(|(_, name)| name.clone());
        let kind = || match &above {
            Some(name) => format!("{} (as above: {})", words::kind(shape), name.raw()),
            None if shape.unresolved.is_some() => {
                format!("{} (described elsewhere; not fetched)", words::kind(shape))
            }
            None => words::kind(shape),
        };
        self.row(|| TreeRow {
            depth,
            name: name.map(UntrustedText::from),
            kind: kind().into(),
            required,
            description: shape.text("description"),
            limits: words::limits(shape),
        });
        if above.is_some() || depth >= MAX_DEPTH {
            return;
        }
        let known = self.open.len();
        let title = || shape.text("title").unwrap_or_else(|| "what it lies in".into());
        let name = name.map_or_else(title, UntrustedText::from);
        self.open.extend(identity.map(|it| (it, name)));
        self.below(shape, depth + 1);
        self.open.truncate(known);
    }

    /// What lies inside a place.
    fn below(&mut self, shape: &Shape<'_>, depth: usize) {
        let required: HashSet<&str> = shape.required().into_iter().collect();
        let properties = shape.properties();
        for (name, part) in &properties {
            let must = required.contains(name.as_str());
            self.place(Some(name), (shape, part), must, depth);
        }
        let known: HashSet<&str> = properties.iter().map(|(name, _)| name.as_str()).collect();
        for name in shape.required() {
            if !known.contains(name) {
                self.place(Some(name), (shape, &Value::Null), true, depth);
            }
        }
        if let Some(part @ Value::Object(_)) = shape.get("additionalProperties") {
            self.place(Some("(any other name)"), (shape, part), false, depth);
        }
        match shape.get("items") {
            Some(items @ Value::Object(_)) => self.items(shape, items, depth),
            Some(Value::Array(items)) => self.each(items, shape, depth),
            Some(_) | None => {}
        }
        if let Some(Value::Array(items)) = shape.get("prefixItems") {
            self.each(items, shape, depth);
        }
        let forms = shape.branches();
        if forms.iter().any(|form| !words::is_simple(&shape.part(form))) {
            for form in forms {
                self.place(None, (shape, form), false, depth);
            }
        }
    }

    /// The items of a list: the row of the list names their kind, so only what is in them, or
    /// what more there is to say.
    fn items(&mut self, list: &Shape<'_>, part: &Value, depth: usize) {
        let items = list.part(part);
        let says_more = items.has("description") || !words::limits(&items).is_empty();
        if says_more || !words::is_simple(&items) {
            self.place(None, (list, part), false, depth);
        }
    }

    fn each(&mut self, parts: &[Value], shape: &Shape<'_>, depth: usize) {
        for part in parts {
            self.place(None, (shape, part), false, depth);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn rows(schema: &Value) -> Vec<String> {
        let line = |row: &TreeRow| {
            let name = row.name.as_ref().map_or("-", UntrustedText::raw);
            let must = if row.required { "!" } else { "" };
            format!("{}{name}{must}: {}", "  ".repeat(row.depth), row.kind.raw())
        };
        tree(schema.as_object().expect("an object")).iter().map(line).collect()
    }

    #[test]
    fn a_tree_shows_what_lies_in_what() {
        let schema = json!({
            "type": "object",
            "required": ["who", "ghost"],
            "properties": {
                "who": {"type": "object", "properties": {"age": {"type": ["integer", "null"]}}},
                "moods": {"type": "array", "items": {"enum": ["calm", "wild"]}},
                "parts": {"type": "array", "items": {"$ref": "#/$defs/part"}},
                "shape": {"oneOf": [{"type": "string"}, {"$ref": "#/$defs/part"}]},
                "far": {"$ref": "https://example.com/x"},
            },
            "$defs": {"part": {"type": "object", "title": "Part", "properties": {
                "parts": {"type": "array", "items": {"$ref": "#/$defs/part"}},
            }}},
        });
        assert_eq!(
            rows(&schema),
            [
                "who!: object",
                "  age: whole number or null",
                "moods: list of one of: calm, wild",
                "parts: list of object",
                "  -: object",
                "    parts: list of object",
                "      -: object (as above: Part)",
                "shape: one of 2 forms",
                "  -: text",
                "  -: object",
                "    parts: list of object",
                "      -: object (as above: Part)",
                "far: any value (described elsewhere; not fetched)",
                "ghost!: any value",
            ]
        );
    }

    #[test]
    fn what_is_no_object_and_what_holds_itself_are_shown_too() {
        assert_eq!(
            rows(&json!({"type": "array", "items": {"type": "string"}})),
            ["-: list of text"]
        );
        let itself = json!({"properties": {"a": {"$ref": "#"}}});
        assert_eq!(rows(&itself), ["a: object (as above: the whole)"]);
        assert_eq!(rows(&json!({})), [""; 0]);
    }

    #[test]
    fn large_trees_are_bounded_and_say_so() {
        let part = json!({"type": "string"});
        let many = |n: usize| json!({"properties": (0..n).map(|n| (format!("p{n}"), part.clone())).collect::<Map<_, _>>()});
        assert_eq!(rows(&many(MAX_ROWS)).len(), MAX_ROWS);
        let over = rows(&many(MAX_ROWS + 7));
        assert_eq!(over.len(), MAX_ROWS + 1);
        assert_eq!(over.last().map(String::as_str), Some("-: and 7 more rows, not shown"));
        // Each row draws much in.
        let forms = Value::from(vec![json!({"type": "string"}); 5_000]);
        let part = json!({"$ref": "#/$defs/big"});
        let parts: Map<_, _> = (0..1_000).map(|n| (format!("p{n}"), part.clone())).collect();
        let heavy = rows(&json!({"properties": parts, "$defs": {"big": {"anyOf": forms}}}));
        assert_eq!(heavy.last().map(String::as_str), Some("-: and more rows, not shown"));
        assert!(heavy.len() < 100, "{}", heavy.len());
        // Each level holds the next one twice.
        let mut defs = Map::new();
        for n in 0..60 {
            let next = json!({"$ref": format!("#/$defs/n{}", n + 1)});
            defs.insert(format!("n{n}"), json!({"properties": {"a": next, "b": next}}));
        }
        let wide = rows(&json!({"$ref": "#/$defs/n0", "$defs": defs}));
        assert_eq!(
            wide.last().map(String::as_str),
            Some("-: and more than 18000 more rows, not shown")
        );
    }
}
