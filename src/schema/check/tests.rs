use super::*;
use proptest::prelude::*;
use serde_json::json;

fn checker(schema: &Value) -> Result<Checker, UntrustedText> {
    Checker::new(schema.as_object().expect("an object"))
}

fn found(schema: Value, value: Value) -> Vec<(String, String)> {
    let found = checker(&schema).expect("a checker").check(&value).expect("a check");
    found.iter().map(|d| (d.at.raw().to_owned(), d.what.raw().to_owned())).collect()
}

#[test]
fn what_is_wrong_is_told_in_plain_words_at_its_place() {
    let text = "x".repeat(1000);
    let cases = [
        (json!({"type": "integer"}), json!("7"), r#"must be a whole number, and is "7""#),
        (
            json!({"type": ["string", "null"]}),
            json!([1]),
            "must be null or text, and is a list of 1 item",
        ),
        (json!({"enum": ["a", 2]}), json!("b"), r#"must be one of "a", 2, and is "b""#),
        (json!({"const": 1}), json!(2), "must be 1, and is 2"),
        (json!({"minimum": 3}), json!(2), "must be at least 3, and is 2"),
        (json!({"exclusiveMaximum": 3}), json!(3), "must be less than 3, and is 3"),
        (json!({"multipleOf": 5}), json!(7), "must be a multiple of 5, and is 7"),
        (json!({"minLength": 2}), json!("a"), "must have at least 2 characters"),
        (json!({"maxLength": 1}), json!("ab"), "must have at most 1 character"),
        (json!({"minItems": 2}), json!([]), "must have at least 2 items"),
        (json!({"uniqueItems": true}), json!([1, 1]), "must not have the same item twice"),
        (json!({"pattern": "^a$"}), json!("b"), "must match ^a$"),
        (json!({"format": "date"}), json!("x"), "must be a date, such as 2026-01-31"),
        (json!({"not": {}}), json!(1), "is just what it must not be"),
        (json!(false), json!(1), "must not be there"),
        (
            json!({"type": "integer"}),
            json!(text),
            "must be a whole number, and is a text of 1000 characters",
        ),
        (
            json!({"anyOf": [{"type": "string", "minLength": 3}, {"type": "null"}]}),
            json!("a"),
            "must have at least 3 characters",
        ),
        (
            json!({"oneOf": [{"type": "string"}, {"type": "null"}]}),
            json!(1),
            "agrees with none of the 2 forms it may have",
        ),
    ];
    for (schema, value, expected) in cases {
        let whole = json!({"properties": {"a/b": schema}});
        let found = found(whole, json!({"a/b": value}));
        assert_eq!(found, [("/a~1b".to_owned(), expected.to_owned())], "{schema}");
    }
}

#[test]
fn what_is_missing_or_too_much_is_at_its_own_place() {
    let schema = json!({"required": ["a/~"], "properties": {"b": {"required": ["c"]}}, "additionalProperties": false});
    let value = json!({"b": {}, "x": 1});
    let found = checker(&schema).expect("a checker").check(&value).expect("a check");
    let mut at: Vec<_> = found.iter().map(|d| (d.at.raw(), d.property())).collect();
    at.sort();
    assert_eq!(
        at,
        [
            ("/a~1~0", Some("a/~".to_owned())),
            ("/b/c", Some("b".to_owned())),
            ("/x", Some("x".to_owned())),
        ]
    );
}

#[test]
fn what_is_wrong_inside_the_one_form_of_its_type_is_told() {
    let inner = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
    let schema = json!({"properties": {"a": {"anyOf": [inner, {"type": "null"}]}}});
    let told = ("/a/n".to_owned(), "must be a whole number, and is true".to_owned());
    assert_eq!(found(schema, json!({"a": {"n": true}})), [told]);
}

#[test]
fn nothing_is_fetched_and_that_is_said() {
    for reference in ["http://127.0.0.1:9/x.json", "file:///etc/passwd", "other.json"] {
        let schema = json!({"properties": {"a": {"$ref": reference}}});
        let why = checker(&schema).expect_err("refused");
        assert_eq!(why.raw(), format!("it refers to {reference}, and nothing is fetched"));
    }
}

#[test]
fn an_unknown_draft_is_taken_for_the_newest_and_a_known_one_for_itself() {
    let tuple = |draft: &str| json!({"$schema": draft, "prefixItems": [{"type": "string"}]});
    for draft in ["https://example.com/mine", "", "https://json-schema.org/draft/2020-12/schema"] {
        assert_eq!(found(tuple(draft), json!([1])).len(), 1, "{draft}");
    }
    let old = "http://json-schema.org/draft-07/schema#";
    assert_eq!(found(tuple(old), json!([1])).len(), 0);
    let items = json!({"$schema": old, "items": [{"type": "string"}]});
    assert_eq!(found(items, json!([1])).len(), 1);
}

#[test]
fn patterns_that_look_ahead_work_and_those_that_explode_end() {
    let ahead = json!({"pattern": "^(?=.*\\d).+$"});
    assert_eq!(found(ahead.clone(), json!("a1")), []);
    assert_eq!(found(ahead, json!("a")).len(), 1);
    let slow = json!({"pattern": "^(?=a)(a+)+\\1$"});
    let found = found(slow, json!(format!("{}b", "a".repeat(60))));
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn many_disagreements_are_bounded() {
    let schema = json!({"items": {"type": "string"}});
    assert_eq!(found(schema.clone(), Value::from(vec![1; 500])).len(), NAMED);
    let odd: Vec<usize> = (0..500_000).collect();
    assert_eq!(found(schema, Value::from(odd)).len(), 1);
}

#[test]
fn what_would_take_too_long_is_not_begun() {
    let mut defs = Map::new();
    for n in 0..60 {
        let next = json!({"$ref": format!("#/$defs/n{}", n + 1)});
        defs.insert(format!("n{n}"), json!({"anyOf": [next, next]}));
    }
    defs.insert("n60".into(), json!({"type": "string"}));
    let wide = json!({"$ref": "#/$defs/n0", "$defs": defs});
    let around = json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}});
    for schema in [wide, around] {
        match checker(&schema) {
            Ok(checker) => assert!(checker.check(&json!(1)).is_err()),
            Err(why) => assert!(!why.raw().is_empty()),
        }
    }
}

#[test]
fn a_schema_that_is_too_deep_is_refused_before_it_is_copied() {
    let mut deep = Value::Null;
    for _ in 0..20_000 {
        deep = Value::Object(Map::from_iter([("not".to_owned(), deep)]));
    }
    let Value::Object(schema) = &mut deep else { panic!("no object") };
    assert_eq!(Checker::new(schema).expect_err("refused").raw(), "it is too deep to be checked");
    // Taken apart one by one: to drop it at once goes as deep as it is.
    while let Some(Value::Object(inner)) = schema.get_mut("not").map(Value::take) {
        *schema = inner;
    }
}

fn hostile() -> impl Strategy<Value = Value> {
    let key = prop_oneof![
        Just("type"),
        Just("properties"),
        Just("required"),
        Just("items"),
        Just("$ref"),
        Just("$defs"),
        Just("anyOf"),
        Just("allOf"),
        Just("oneOf"),
        Just("enum"),
        Just("const"),
        Just("pattern"),
        Just("format"),
        Just("minimum"),
        Just("maxLength"),
        Just("multipleOf"),
        Just("$id"),
        Just("$schema"),
        Just("a"),
        Just("additionalProperties"),
        Just("if"),
        Just("$dynamicRef"),
        Just("$anchor"),
    ];
    let leaf = prop_oneof![
        Just(json!("string")),
        Just(json!("#")),
        Just(json!("#/$defs/a")),
        Just(json!("#/properties/a")),
        Just(json!("object")),
        Just(json!(0)),
        Just(json!(-1)),
        Just(json!(1e300)),
        Just(json!(true)),
        Just(json!(null)),
        Just(json!("(")),
        Just(json!(["a", "a"])),
        ".{0,4}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key.clone().prop_map(str::to_owned), inner), 0..5)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn no_schema_breaks_anything(schema in hostile(), value in hostile()) {
        if let Value::Object(schema) = &schema {
            let fields = crate::schema::fields(schema);
            for field in &fields {
                let _ = field.read("1");
            }
            let _ = (crate::schema::why_not_whole(schema), crate::schema::tree(schema));
            if let Ok(checker) = Checker::new(schema) {
                let found = checker.check(&value);
                prop_assert!(found.is_err() || found.is_ok_and(|found| found.len() <= NAMED));
            }
        }
    }
}

#[test]
fn schemas_as_generators_write_them_can_be_checked() {
    let named = json!({"$ref": "#/$defs/Page%3CUser%3E", "$defs": {"Page<User>": {"type": "object", "required": ["a"]}}});
    let id = json!({"$id": "https://example.com/s", "$ref": "#/$defs/a", "$defs": {"a": {"required": ["a"]}}});
    let inner = json!({"required": ["a"], "properties": {"b": {"$schema": "https://example.com/x", "type": "string"}}});
    let words = json!({"required": ["a"], "properties": {"b": {"pattern": "^[\\w-]{1,64}@[\\p{L}\\d]{1,64}$"}}});
    for schema in [named, id, inner, words] {
        let checker = match checker(&schema) {
            Ok(checker) => checker,
            Err(why) => panic!("{schema}: {}", why.raw()),
        };
        let found = checker.check(&json!({})).expect("a check");
        let told: Vec<_> = found.iter().map(|d| (d.at.raw(), d.what.raw())).collect();
        assert_eq!(told, [("/a", "must be there")], "{schema}");
    }
}

#[test]
fn patterns_share_the_room_there_is_for_all() {
    let many = |count: usize| {
        let property = |n: usize| {
            (
                format!("p{n}"),
                json!({"type": "string", "pattern": format!("^\\p{{L}}{{1,{}}}x{n}$", 40 + n % 5)}),
            )
        };
        json!({"properties": (0..count).map(property).collect::<Map<String, Value>>()})
    };
    assert_eq!(found(many(4), json!({"p1": "!"})).len(), 1);
    assert!(checker(&many(400)).is_err(), "each has too little room");
    assert!(checker(&many(501)).is_err(), "too many");
}

#[test]
fn what_looks_back_at_what_was_looked_at_ends() {
    let nested = |levels: usize| {
        let start = json!({"type": "object", "properties": {"a": true}});
        (0..levels)
            .fold(start, |schema, _| json!({"allOf": [schema], "unevaluatedProperties": false}))
    };
    assert_eq!(found(nested(3), json!({"a": 1})), []);
    assert!(!found(nested(3), json!({"b": 1})).is_empty());
    assert!(checker(&nested(40)).expect("a checker").check(&json!({"b": 1})).is_err());
}
