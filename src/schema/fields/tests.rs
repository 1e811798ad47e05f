use super::*;
use serde_json::json;

fn of(schema: Value) -> Vec<Field> {
    let Value::Object(schema) = schema else { panic!("no object") };
    fields(&schema)
}

fn one(property: Value) -> Field {
    let mut fields = of(json!({
        "properties": {"x": property},
        "$defs": {
            "Mood": {"title": "Mood", "enum": ["calm", "wild"], "description": "how it feels"},
            "a/b c": {"type": "integer"},
            "loop": {"$ref": "#/$defs/pool"},
            "pool": {"$ref": "#/$defs/loop"},
            "tree": {"type": "object", "properties": {"next": {"$ref": "#/$defs/tree"}}},
        },
    }));
    fields.remove(0)
}

fn values(field: &Field) -> Vec<Value> {
    let FieldKind::Choice(choices) = &field.kind else { panic!("no choice: {field:?}") };
    choices.iter().map(|choice| choice.value.clone()).collect()
}

fn words(property: Value) -> String {
    let field = one(property);
    let FieldKind::Json(words) = field.kind else { panic!("no JSON: {field:?}") };
    words
}

#[test]
fn references_within_the_document_are_followed_and_loops_end() {
    let mood = one(json!({"$ref": "#/$defs/Mood", "description": "of the day"}));
    assert_eq!(values(&mood), ["calm", "wild"]);
    assert_eq!(mood.description, Some("of the day".into()));
    assert_eq!(mood.title, None);
    assert_eq!(one(json!({"$ref": "#/$defs/a~1b%20c"})).kind, FieldKind::Integer);
    assert_eq!(words(json!({"$ref": "#/$defs/loop"})), "any value");
    assert_eq!(words(json!({"$ref": "#/$defs/tree"})), "an object with next");
    assert_eq!(words(json!({"$ref": "#"})), "an object with x");
    for nowhere in ["https://example.com/s.json", "#/$defs/none", "#anchor", "", "#/x/%zz"] {
        assert_eq!(words(json!({"$ref": nowhere})), "any value", "{nowhere}");
    }
}

#[test]
fn null_beside_something_keeps_the_kind_of_that() {
    let cases = [
        (json!({"type": ["string", "null"]}), FieldKind::Text),
        (json!({"anyOf": [{"type": "integer"}, {"type": "null"}]}), FieldKind::Integer),
        (json!({"oneOf": [{"type": "null"}, {"type": "boolean"}]}), FieldKind::Boolean),
    ];
    for (schema, kind) in cases {
        let field = one(schema.clone());
        assert_eq!((field.kind, field.nullable), (kind, true), "{schema}");
    }
    let forms = json!([{"const": "a"}, {"const": "b"}, {"type": "null"}]);
    let choice = one(json!({"anyOf": forms}));
    assert_eq!((values(&choice), choice.nullable), (vec![json!("a"), json!("b")], true));
    assert!(!one(json!({"type": "string", "anyOf": forms})).nullable);
    let choice = one(json!({"enum": ["a", null]}));
    assert_eq!((values(&choice), choice.nullable), (vec![json!("a")], true));
    assert!(!one(json!({"type": ["string", "null"], "enum": ["a", "b"]})).nullable);
    assert!(!one(json!({"type": "string"})).nullable);
}

#[test]
fn forms_of_one_type_are_a_field_of_that_type() {
    let formats =
        json!([{"type": "string", "format": "ipv4"}, {"type": "string", "format": "ipv6"}]);
    let own = json!({"type": "integer", "oneOf": [{"minimum": 9}, {"maximum": 1}]});
    let null = json!({"anyOf": [{"type": "number"}, {"type": "number"}, {"type": "null"}]});
    assert_eq!(one(json!({"anyOf": formats})).kind, FieldKind::Text);
    assert_eq!(one(own).kind, FieldKind::Integer);
    let null = one(null);
    assert_eq!((null.kind, null.nullable), (FieldKind::Number, true));
    let mixed = json!({"anyOf": [{"type": ["string", "null"]}, {"type": "string"}]});
    assert!(matches!(one(mixed).kind, FieldKind::Json(_)));
}

#[test]
fn choices_have_their_titles() {
    let titled = |schema: Value| {
        let FieldKind::Choice(choices) = one(schema).kind else { panic!("no choice") };
        choices.into_iter().map(|c| (c.value, c.title)).collect::<Vec<_>>()
    };
    let expected = vec![(json!("a"), Some("A".into())), (json!("b"), Some("B".into()))];
    assert_eq!(titled(json!({"enum": ["a", "b"], "enumNames": ["A", "B"]})), expected);
    let forms = json!([{"const": "a", "title": "A"}, {"const": "b", "title": "B"}]);
    assert_eq!(titled(json!({"type": "string", "oneOf": forms})), expected);
    assert_eq!(titled(json!({"anyOf": forms})), expected);
    assert_eq!(titled(json!({"const": 3})), [(json!(3), None)]);
    let short = json!({"enum": [null, "a"], "enumNames": ["none", "A"]});
    assert_eq!(titled(short), [(json!("a"), Some("A".into()))]);
}

#[test]
fn what_has_no_field_of_its_own_is_json_and_says_what() {
    let cases = [
        (json!({"type": "array", "items": {"type": "string"}}), "a list of text"),
        (json!({"type": "array", "items": {"enum": ["a", "b"]}}), "a list of one of: a, b"),
        (json!({"type": "array"}), "a list"),
        (json!({"type": "object", "properties": {"a": {}, "b": {}}}), "an object with a, b"),
        (json!({"type": "object", "properties": {"a\u{202e}": {}}}), "an object with 1 property"),
        (json!({"type": ["string", "integer"]}), "text or whole number"),
        (json!({"anyOf": [{"type": "string"}, {"type": "number"}]}), "text or number"),
        (json!({"anyOf": [{"type": "object"}, {"type": "array"}]}), "one of 2 forms"),
        (json!({"type": ["array", "null"]}), "a list or null"),
        (json!(true), "any value"),
        (json!(false), "nothing"),
        (json!(7), "any value"),
        (json!({"type": 7, "enum": "x", "properties": 1}), "an object"),
    ];
    for (schema, expected) in cases {
        assert_eq!(words(schema.clone()), expected, "{schema}");
    }
}

#[test]
fn limits_are_told_in_words_and_hostile_patterns_are_not_repeated() {
    let cases = [
        (
            json!({"type": "integer", "minimum": 1, "exclusiveMaximum": 9}),
            vec!["at least 1", "less than 9"],
        ),
        (json!({"type": "string", "minLength": 1, "maxLength": 40}), vec!["1 to 40 characters"]),
        (json!({"type": "string", "maxLength": 1}), vec!["at most 1 character"]),
        (json!({"type": "string", "format": "date"}), vec!["a date, such as 2026-01-31"]),
        (json!({"type": "string", "pattern": "^a+$"}), vec!["matches ^a+$"]),
        (json!({"type": "string", "pattern": "\u{1b}[2J"}), vec!["matches a pattern"]),
        (json!({"type": "array", "minItems": 2, "maxItems": 2}), vec!["2 items"]),
        (json!({"type": "number", "multipleOf": 0.5}), vec!["a multiple of 0.5"]),
        (json!({"minimum": "x", "maxLength": -1}), vec![]),
    ];
    for (schema, expected) in cases {
        assert_eq!(one(schema.clone()).limits, expected, "{schema}");
    }
}

#[test]
fn all_of_is_drawn_together_and_unknown_required_names_become_fields() {
    let fields = of(json!({
        "allOf": [
            {"properties": {"a": {"type": "string"}}, "required": ["a"]},
            {"$ref": "#/definitions/more"},
        ],
        "required": ["ghost", 7],
        "definitions": {"more": {"properties": {"b": {"type": "integer"}, "a": {}}}},
    }));
    let found: Vec<_> = fields.iter().map(|f| (f.name.raw(), f.required)).collect();
    assert_eq!(found, [("a", true), ("b", false), ("ghost", true)]);
    assert_eq!(fields[0].kind, FieldKind::Text);
}

#[test]
fn what_the_form_cannot_show_is_said() {
    let why = |schema: Value| why_not_whole(schema.as_object().expect("an object"));
    assert_eq!(why(json!({"type": "object", "properties": {"a": {}}})), None);
    assert_eq!(why(json!({"additionalProperties": false})), None);
    for schema in [
        json!({"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}),
        json!({"type": "array"}),
        json!({"$ref": "https://example.com/x"}),
        json!({"if": {}, "then": {}}),
        json!({"additionalProperties": {"type": "string"}}),
    ] {
        assert!(why(schema.clone()).is_some(), "{schema}");
    }
}

#[test]
fn a_choice_of_very_many_is_written() {
    let kind = |count: usize| {
        let values: Vec<usize> = (0..count).collect();
        of(json!({"properties": {"a": {"enum": values}}})).remove(0).kind
    };
    assert!(matches!(kind(500), FieldKind::Choice(choices) if choices.len() == 500));
    assert!(matches!(kind(501), FieldKind::Json(_)));
}

#[test]
fn a_short_schema_does_not_make_an_endless_form() {
    let big: Vec<usize> = (0..500).collect();
    let part = json!({"$ref": "#/$defs/big"});
    let parts: Map<String, Value> = (0..1_000).map(|n| (format!("p{n}"), part.clone())).collect();
    let fields = of(json!({"properties": parts, "$defs": {"big": {"enum": big}}}));
    assert_eq!(fields.len(), 1_000);
    let chosen = fields.iter().filter(|f| matches!(f.kind, FieldKind::Choice(_))).count();
    assert!((500..700).contains(&chosen), "{chosen}");
    assert_eq!(fields.last().map(|f| &f.kind), Some(&FieldKind::Json("any value".into())));
}
