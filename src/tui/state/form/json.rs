//! The arguments of a tool as JSON: the second view of its form, both ways.

use super::{Blank, Field, Form};
use crate::domain::UntrustedText;
use crate::schema::{self, FieldKind};
use crate::tui::state::field::{CAPACITY, TextField};
use crate::tui::state::text_area::TextArea;
use serde_json::{Map, Value};

/// The arguments as JSON, being written.
#[derive(Debug, Clone)]
pub struct JsonView {
    /// What is written.
    pub area: TextArea,
    /// What is wrong with it.
    pub problem: Option<UntrustedText>,
    /// What the text stood for when it was left.
    known: Map<String, Value>,
}

impl Form {
    /// The arguments as JSON, while that view is open.
    pub fn json(&self) -> Option<&JsonView> {
        let tool = self.tool()?;
        tool.json.as_ref().filter(|_| tool.is_json)
    }

    /// The arguments as JSON, while that view is open.
    pub fn json_mut(&mut self) -> Option<&mut JsonView> {
        let tool = self.tool_mut()?;
        tool.json.as_mut().filter(|_| tool.is_json)
    }

    /// Shows the arguments as JSON. A text that stands for them already is left as it was written.
    pub fn open_json(&mut self) {
        let now = self.call_unchecked();
        let Some(tool) = self.tool_mut() else { return };
        tool.is_json = true;
        if tool.json.as_ref().is_some_and(|view| view.known == now) {
            return;
        }
        let text = serde_json::to_string_pretty(&now).unwrap_or_default();
        tool.json = Some(JsonView { area: TextArea::new(&text), problem: None, known: now });
    }

    /// Goes back to the fields, with what is written. Gives whether it can be read; where not, what
    /// is wrong is said, and the caret is there.
    pub fn close_json(&mut self) -> bool {
        let Some(view) = self.json_mut() else { return false };
        let text = view.area.text();
        let arguments = match schema::arguments(&text) {
            Ok(arguments) => arguments,
            Err(why) => {
                if let Err(why) = serde_json::from_str::<serde::de::IgnoredAny>(&text) {
                    view.area.go_to(why.line().saturating_sub(1), why.column().saturating_sub(1));
                }
                view.problem = Some(why.into());
                return false;
            }
        };
        (view.problem, view.known) = (None, arguments.clone());
        self.put(arguments);
        if let Some(tool) = self.tool_mut() {
            tool.is_json = false;
        }
        true
    }

    /// Shows the JSON again, with what was found to be wrong.
    pub fn reopen_json(&mut self) {
        if let Some(tool) = self.tool_mut() {
            tool.is_json = tool.json.is_some();
        }
    }

    /// Says whether it was refused as it stands.
    pub fn set_refused(&mut self, refused: bool) {
        if let Some(tool) = self.tool_mut() {
            tool.refused = refused;
            if !refused {
                tool.waits = None;
                tool.problems.clear();
            }
        }
    }

    /// Fills arguments in. Those that have no field, or do not fit into theirs, are kept beside the
    /// fields and sent as they are.
    fn put(&mut self, mut arguments: Map<String, Value>) {
        for field in &mut self.fields {
            let value = arguments.get(field.name.raw()).cloned();
            if field.put(value) {
                arguments.shift_remove(field.name.raw());
            }
        }
        if let Some(tool) = self.tool_mut() {
            tool.extra = arguments;
            (tool.refused, tool.problems, tool.waits) = (false, Vec::new(), None);
        }
    }
}

impl Field {
    /// Fills in a value, or empties the field. Gives whether it fits; nothing stands in it
    /// otherwise.
    fn put(&mut self, value: Option<Value>) -> bool {
        (self.input, self.blank, self.problem) = (TextField::default(), Blank::Absent, None);
        let (Some(value), Some(asked)) = (value, &self.asked) else { return true };
        let is_text = asked.kind == FieldKind::Text;
        if value.is_null() && asked.nullable {
            self.blank = Blank::Null;
            return true;
        }
        if is_text && value.as_str() == Some("") {
            self.blank = Blank::Empty;
            return true;
        }
        let text = asked.write(&value);
        let fits =
            !text.is_empty() && text.len() <= CAPACITY && asked.read(&text).as_ref() == Ok(&value);
        if fits {
            self.input = TextField::new(text);
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::super::tool::tests::{call, form};
    use super::*;
    use serde_json::json;

    fn rich() -> Form {
        form(json!({"type": "object", "required": ["n"], "properties": {
            "t": {"type": ["string", "null"]}, "n": {"type": "integer"},
            "list": {"type": "array"},
        }}))
    }

    fn write(form: &mut Form, text: &str) {
        form.json_mut().expect("the JSON is open").area = TextArea::new(text);
    }

    #[test]
    fn what_is_written_goes_both_ways_and_keeps_its_looks() {
        let mut form = rich();
        form.open_json();
        let text = "{\"list\": [1,\n 2],   \"n\": 5, \"t\": null, \"other\": {\"a\": 1}}";
        write(&mut form, text);
        assert!(form.close_json());
        let written: Vec<&str> = form.fields.iter().map(|field| field.input.text()).collect();
        assert_eq!(written, ["", "5", "[1,2]"]);
        assert_eq!(form.fields.first().map(|field| field.blank), Some(Blank::Null));
        let all = json!({"list": [1, 2], "n": 5, "t": null, "other": {"a": 1}});
        assert_eq!(call(&mut form).map(Value::Object), Some(all.clone()));
        form.open_json();
        assert_eq!(form.json().map(|view| view.area.text()).as_deref(), Some(text));
        assert!(form.close_json());

        // A field that is changed meanwhile is written anew.
        form.focus = 1;
        form.touched();
        form.fields[1].input = TextField::new("6");
        form.open_json();
        let text = form.json().map(|view| view.area.text()).expect("JSON");
        assert!(text.contains("\"n\": 6") && text.contains("\"other\""), "{text}");
    }

    #[test]
    fn what_does_not_fit_into_its_field_is_sent_beside_it() {
        let mut form = rich();
        form.open_json();
        write(&mut form, r#"{"n": "five", "t": 7}"#);
        assert!(form.close_json());
        assert!(form.fields.iter().all(Field::is_empty));
        assert!(call(&mut form).is_none(), "it is refused");
        assert_eq!(Value::Object(form.call_unchecked()), json!({"n": "five", "t": 7}));
        form.focus = 1;
        form.touched();
        form.fields[1].input = TextField::new("8");
        assert_eq!(Value::Object(form.call_unchecked()), json!({"n": 8, "t": 7}));
    }

    #[test]
    fn what_is_no_json_stays_with_the_reason_and_the_caret_at_it() {
        let mut form = rich();
        form.open_json();
        for (bad, place, why) in [
            ("{\n  \"n\": x\n}", (1, 7), "line 2 column 8"),
            ("[1]", (0, 0), "a JSON object"),
            ("{\"n\": 123456789012345678901}", (0, 0), "more digits"),
        ] {
            write(&mut form, bad);
            assert!(!form.close_json());
            let view = form.json().expect("still open");
            assert_eq!(view.area.text(), bad);
            assert_eq!((view.area.row(), view.area.column()), place);
            let problem = view.problem.as_ref().expect("a reason").raw();
            assert!(problem.contains(why), "{problem}");
        }
    }
}
