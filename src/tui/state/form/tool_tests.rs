use super::*;
use crate::tui::state::Kind;
use serde_json::json;

pub(in super::super) fn form(schema: Value) -> Form {
    let key = ItemKey {
        server: crate::domain::ServerId::sanitized("s"),
        kind: Kind::Tool,
        name: "t".into(),
    };
    let tool = Tool {
        name: "t".into(),
        title: None,
        description: None,
        input_schema: schema.as_object().unwrap().clone(),
        output_schema: None,
        annotations: None,
        needs_task: false,
    };
    Form::of_tool(key, Arc::new(tool))
}

fn one(property: Value) -> Form {
    form(json!({"type": "object", "properties": {"a": property}}))
}

fn write(form: &mut Form, text: &str) {
    form.field_mut().unwrap().input = TextField::new(text);
}

/// Sends it, as the screen does.
pub(in super::super) fn call(form: &mut Form) -> Option<Map<String, Value>> {
    let (tool, arguments) = form.call()?;
    let checker = crate::schema::Checker::new(&tool.input_schema);
    let found = checker.and_then(|checker| checker.check(&Value::Object(arguments.clone())));
    form.checked(&tool, &arguments, found)?.then_some(arguments)
}

fn sent(form: &mut Form) -> Value {
    Value::Object(call(form).unwrap())
}

#[test]
fn absent_empty_and_null_are_three_things() {
    let mut form = one(json!({"type": ["string", "null"]}));
    for wanted in [json!({}), json!({"a": ""}), json!({"a": null}), json!({})] {
        assert_eq!(sent(&mut form), wanted);
        let field = form.field_mut().unwrap();
        field.blank = field.next_blank().unwrap();
    }
    let mut number = one(json!({"type": "integer"}));
    assert!(number.field_mut().unwrap().next_blank().is_err());
}

#[test]
fn a_default_is_sent_only_where_it_was_filled_in() {
    let mut form = one(json!({"type": "integer", "default": 5}));
    assert_eq!(sent(&mut form), json!({}));
    assert!(form.field_mut().unwrap().fill_default());
    assert_eq!(sent(&mut form), json!({"a": 5}));
}

#[test]
fn what_is_wrong_stands_at_its_field_and_can_be_sent_all_the_same() {
    let mut form = form(json!({
        "type": "object",
        "properties": {
            "a": {"type": "string"},
            "b": {"type": "integer", "minimum": 3},
        },
        "required": ["a"],
    }));
    form.focus = 1;
    write(&mut form, "1");
    assert!(call(&mut form).is_none());
    assert_eq!(form.focus, 0, "it is required");
    write(&mut form, "x");
    assert!(call(&mut form).is_none());
    assert_eq!(form.focus, 1, "it is too small");
    assert!(form.fields[1].problem.is_some() && form.fields[0].problem.is_none());
    assert!(form.tool().unwrap().refused);
    assert_eq!(Value::Object(form.call_unchecked()), json!({"a": "x", "b": 1}));
    write(&mut form, "many");
    form.touched();
    assert!(!form.tool().unwrap().refused);
    assert!(call(&mut form).is_none());
    assert_eq!(Value::Object(form.call_unchecked()), json!({"a": "x", "b": "many"}));
}

#[test]
fn what_is_wrong_with_the_whole_is_told_of_the_whole() {
    let mut form = form(json!({
        "type": "object", "properties": {"a": {"type": "string"}}, "minProperties": 1,
    }));
    assert!(call(&mut form).is_none());
    assert_eq!(form.tool().unwrap().problems.len(), 1);
    write(&mut form, "x");
    assert_eq!(sent(&mut form), json!({"a": "x"}));
}

#[test]
fn yes_and_no_go_round() {
    let mut form = one(json!({"type": "boolean"}));
    for wanted in [json!({"a": true}), json!({"a": false}), json!({})] {
        assert!(form.field_mut().unwrap().toggle(true));
        assert_eq!(sent(&mut form), wanted);
    }
    assert!(!one(json!({"type": "string"})).field_mut().unwrap().toggle(true));
}

#[test]
fn choices_are_found_by_value_and_by_title() {
    let mut form = one(json!({"oneOf": [
        {"const": "r", "title": "Red"}, {"const": "g", "title": "Green"},
    ]}));
    let names = |form: &Form| -> Vec<String> {
        let choices = form.field().unwrap().choices();
        choices.iter().map(|(value, _)| value.raw().to_owned()).collect()
    };
    assert_eq!(names(&form), ["r", "g"]);
    write(&mut form, "gree");
    assert_eq!(names(&form), ["g"]);
    write(&mut form, "g");
    assert_eq!(names(&form), ["r", "g"]);
    assert_eq!(form.field().unwrap().title_of("g"), Some(&"Green".into()));
    assert_eq!(sent(&mut form), json!({"a": "g"}));
}
