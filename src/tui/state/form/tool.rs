//! What is beside the fields in the form of a tool: its schema, and the arguments that come of it.

use super::{Blank, Field, Filled, Form, JsonView};
use crate::domain::{Tool, UntrustedText};
use crate::schema::{self, Checker, Disagreement, FieldKind};
use crate::tui::state::field::TextField;
use crate::tui::state::item::ItemKey;
use serde_json::{Map, Value};
use std::sync::Arc;

/// The most complaints about the arguments as a whole that are kept.
const COMPLAINTS: usize = 3;

/// A schema made ready, or why nothing can be held against it.
pub type Made = Arc<Result<Checker, UntrustedText>>;

/// The form of a tool, beside its fields.
#[derive(Debug, Clone)]
pub struct ToolForm {
    /// The tool as it was listed when the form was opened.
    pub tool: Arc<Tool>,
    /// What is wrong with the arguments as a whole.
    pub problems: Vec<UntrustedText>,
    /// Whether it was refused as it stands: then it can be sent all the same.
    pub refused: bool,
    /// Arguments that have no field, or do not fit into theirs. They are sent as they are.
    pub extra: Map<String, Value>,
    /// Why the fields cannot show all that the schema says, where that is so.
    pub more: Option<String>,
    /// The arguments as JSON, once they were shown.
    pub(super) json: Option<JsonView>,
    /// Whether that is on screen.
    pub(super) is_json: bool,
    /// What the arguments are held against. It is made away from the screen: that can take long.
    checker: Option<Made>,
    /// Whether it is to be sent as soon as that is there.
    pub waits: bool,
}

impl Form {
    /// The empty form of a tool.
    pub fn of_tool(key: ItemKey, tool: Arc<Tool>) -> Self {
        let fields = schema::fields(&tool.input_schema).into_iter().map(|asked| Field {
            title: asked.title.clone(),
            description: asked.description.clone(),
            required: asked.required,
            asked: Some(asked.clone()),
            ..Field::new(asked.name)
        });
        let fields = fields.collect();
        let of = ToolForm {
            more: schema::whole(&tool.input_schema),
            tool,
            problems: Vec::new(),
            refused: false,
            extra: Map::new(),
            json: None,
            is_json: false,
            checker: None,
            waits: false,
        };
        Self { key, of: Filled::Tool(Box::new(of)), fields, focus: 0 }
    }

    /// What is beside the fields, where it is the form of a tool.
    pub fn tool(&self) -> Option<&ToolForm> {
        match &self.of {
            Filled::Tool(tool) => Some(tool),
            Filled::Prompt | Filled::Template(_) => None,
        }
    }

    pub(super) fn tool_mut(&mut self) -> Option<&mut ToolForm> {
        match &mut self.of {
            Filled::Tool(tool) => Some(tool),
            Filled::Prompt | Filled::Template(_) => None,
        }
    }

    /// Something was written into the field that has the keys: what was refused is no longer what
    /// stands here, and what was kept beside the field gives way.
    pub fn touched(&mut self) {
        let name = self.field().map(|field| field.name.clone());
        if let Some(tool) = self.tool_mut() {
            name.map(|name| tool.extra.shift_remove(name.raw()));
            (tool.refused, tool.waits) = (false, false);
            tool.problems.clear();
        }
    }

    /// The tool whose schema is still to be made ready.
    pub fn unmade(&self) -> Option<&Arc<Tool>> {
        self.tool().filter(|tool| tool.checker.is_none()).map(|tool| &tool.tool)
    }

    /// The schema of a tool is ready. Gives whether the form waited for that to be sent.
    pub fn made(&mut self, of: &Arc<Tool>, checker: Made) -> bool {
        match self.tool_mut() {
            Some(tool) if tool.tool == *of => {
                tool.checker = Some(checker);
                std::mem::take(&mut tool.waits)
            }
            Some(_) | None => false,
        }
    }

    /// The arguments of a tool. `None` when they are not as its schema wants them: what is wrong
    /// is marked, and the first such field has the keys.
    pub fn call(&mut self) -> Option<Map<String, Value>> {
        let mut arguments = Map::new();
        let mut first = None;
        let extra = self.tool().map(|tool| tool.extra.clone()).unwrap_or_default();
        for (n, field) in self.fields.iter_mut().enumerate() {
            field.problem = None;
            if field.is_absent() && extra.contains_key(field.name.raw()) {
                continue;
            }
            match field.value() {
                Ok(Some(value)) => {
                    arguments.insert(field.name.raw().to_owned(), value);
                }
                Ok(None) => {}
                Err(why) => {
                    field.problem = Some(why.into());
                    first = first.or(Some(n));
                }
            }
        }
        arguments.extend(extra);
        // What cannot be read cannot be checked either.
        if first.is_none() {
            first = self.check(&arguments);
        }
        if let Some(n) = first {
            self.focus = n;
        }
        let whole = self.tool().is_some_and(|tool| !tool.problems.is_empty());
        let refused = first.is_some() || whole;
        let tool = self.tool_mut()?;
        tool.refused = refused;
        (!refused && !tool.waits).then_some(arguments)
    }

    /// The arguments as they stand, whether the tool's schema wants them so or not. A text that is
    /// not what its field is for is sent as a text.
    pub fn call_unchecked(&self) -> Map<String, Value> {
        let value = |field: &Field| match field.value() {
            Ok(value) => value,
            Err(_) if field.is_empty() => None,
            Err(_) => Some(field.input.text().into()),
        };
        let pair = |field: &Field| Some((field.name.raw().to_owned(), value(field)?));
        let mut arguments: Map<String, Value> = self.fields.iter().filter_map(pair).collect();
        let extra = self.tool().map(|tool| tool.extra.clone()).unwrap_or_default();
        arguments.extend(extra);
        arguments
    }

    /// Holds arguments against the schema, and marks what does not agree. Gives the first field.
    fn check(&mut self, arguments: &Map<String, Value>) -> Option<usize> {
        let tool = self.tool_mut()?;
        tool.problems.clear();
        tool.waits = tool.checker.is_none();
        let made = tool.checker.clone()?;
        let found = match made.as_ref() {
            Ok(checker) => checker.check(&Value::Object(arguments.clone())),
            Err(why) => {
                let text = format!("it cannot be checked: {}", why.raw());
                tool.problems.push(text.into());
                return None;
            }
        };
        let mut first: Option<usize> = None;
        for one in found {
            let property = one.property();
            let is_of = |field: &Field| property.as_deref() == Some(field.name.raw());
            match self.fields.iter().position(is_of) {
                Some(n) => {
                    first = Some(first.map_or(n, |first| first.min(n)));
                    if let Some(field) = self.fields.get_mut(n) {
                        field.problem.get_or_insert_with(|| complaint(one, true));
                    }
                }
                None => {
                    let tool = self.tool_mut()?;
                    if tool.problems.len() < COMPLAINTS {
                        tool.problems.push(complaint(one, false));
                    }
                }
            }
        }
        first
    }
}

/// What is wrong, and where, unless that is the field itself.
fn complaint(found: Disagreement, in_field: bool) -> UntrustedText {
    let depth = found.at.raw().matches('/').count();
    if depth > usize::from(in_field) {
        format!("{}: {}", found.at.raw(), found.what.raw()).into()
    } else {
        found.what
    }
}

impl Field {
    /// What stands in it as an argument of a tool; `None` when it is not sent.
    ///
    /// # Errors
    /// What to write instead.
    fn value(&self) -> Result<Option<Value>, String> {
        match self.blank {
            _ if !self.is_empty() => match &self.asked {
                Some(asked) => asked.read(self.input.text()).map(Some),
                None => Ok(Some(self.input.text().into())),
            },
            Blank::Empty => Ok(Some("".into())),
            Blank::Null => Ok(Some(Value::Null)),
            Blank::Absent if self.required => Err("required: write something here".into()),
            Blank::Absent => Ok(None),
        }
    }

    fn is_absent(&self) -> bool {
        self.is_empty() && self.blank == Blank::Absent
    }

    /// The values that can be chosen for what stands in it so far, with their titles.
    pub fn choices(&self) -> Vec<(UntrustedText, Option<UntrustedText>)> {
        let typed = self.input.text().to_lowercase();
        let Some(asked) = &self.asked else { return Vec::new() };
        let fits = |text: &str| text.to_lowercase().contains(&typed);
        match &asked.kind {
            FieldKind::Choice(choices) => {
                let all = choices.iter().map(|one| (asked.write(&one.value), one.title.clone()));
                // What is chosen already does not hide what else could be.
                let all: Vec<_> = all.collect();
                let whole = all.iter().any(|(value, _)| value == self.input.text());
                let fits = |(value, title): &(String, Option<UntrustedText>)| {
                    whole || fits(value) || title.as_ref().is_some_and(|title| fits(title.raw()))
                };
                let fitting = all.into_iter().filter(fits);
                fitting.map(|(value, title)| (value.into(), title)).collect()
            }
            FieldKind::Boolean => ["true", "false"].map(|word| (word.into(), None)).into(),
            FieldKind::Text | FieldKind::Integer | FieldKind::Number | FieldKind::Json(_) => {
                Vec::new()
            }
        }
    }

    /// The title of one of its choices.
    pub fn title_of(&self, value: &str) -> Option<&UntrustedText> {
        let asked = self.asked.as_ref()?;
        let FieldKind::Choice(choices) = &asked.kind else { return None };
        choices.iter().find(|one| asked.write(&one.value) == value)?.title.as_ref()
    }

    /// Goes on from absent to true, to false, and back to absent. Gives whether it is such a field.
    pub fn toggle(&mut self, forward: bool) -> bool {
        if !self.asked.as_ref().is_some_and(|asked| asked.kind == FieldKind::Boolean) {
            return false;
        }
        let next = match (self.input.text(), forward) {
            ("true", true) | ("", false) => "false",
            ("false", true) | ("true", false) => "",
            _ => "true",
        };
        self.input = TextField::new(next);
        true
    }

    /// Puts the server's default into it. Gives whether there is one.
    pub fn fill_default(&mut self) -> bool {
        let Some(asked) = &self.asked else { return false };
        let Some(default) = &asked.default else { return false };
        self.blank = if default.is_null() && asked.nullable {
            Blank::Null
        } else if default.as_str() == Some("") {
            Blank::Empty
        } else {
            Blank::Absent
        };
        let text = if self.blank == Blank::Absent { asked.write(default) } else { String::new() };
        self.input = TextField::new(text);
        true
    }
}

#[cfg(test)]
pub(super) mod tests {
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
        let tool = Arc::new(tool);
        let mut form = Form::of_tool(key, tool.clone());
        assert!(form.unmade().is_some());
        form.made(&tool, Arc::new(Checker::new(&tool.input_schema)));
        form
    }

    fn one(property: Value) -> Form {
        form(json!({"type": "object", "properties": {"a": property}}))
    }

    fn write(form: &mut Form, text: &str) {
        form.field_mut().unwrap().input = TextField::new(text);
    }

    fn sent(form: &mut Form) -> Value {
        Value::Object(form.call().unwrap())
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
        assert!(form.call().is_none());
        assert_eq!(form.focus, 0, "it is required");
        write(&mut form, "x");
        assert!(form.call().is_none());
        assert_eq!(form.focus, 1, "it is too small");
        assert!(form.fields[1].problem.is_some() && form.fields[0].problem.is_none());
        assert!(form.tool().unwrap().refused);
        assert_eq!(Value::Object(form.call_unchecked()), json!({"a": "x", "b": 1}));
        write(&mut form, "many");
        form.touched();
        assert!(!form.tool().unwrap().refused);
        assert!(form.call().is_none());
        assert_eq!(Value::Object(form.call_unchecked()), json!({"a": "x", "b": "many"}));
    }

    #[test]
    fn what_is_wrong_with_the_whole_is_told_of_the_whole() {
        let mut form = form(json!({
            "type": "object", "properties": {"a": {"type": "string"}}, "minProperties": 1,
        }));
        assert!(form.call().is_none());
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
}
