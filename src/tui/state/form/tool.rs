//! What is beside the fields in the form of a tool: its schema, and the arguments that come of it.

use super::{Blank, Field, Filled, Form, JsonView};
use crate::domain::{Tool, UntrustedText};
use crate::schema::{self, Disagreement, FieldKind};
use crate::tui::state::field::TextField;
use crate::tui::state::item::ItemKey;
use serde_json::{Map, Value};
use std::sync::Arc;

/// What is said of a tool that cannot be called by this program.
pub const NEEDS_TASK: &str = "it is called as a task only, which vestibule does not do";

/// The most complaints about the arguments as a whole that are kept.
const COMPLAINTS: usize = 3;

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
    /// Arguments that are being held against the schema, away from the screen: that can take long.
    /// They are sent when they agree.
    pub(super) waits: Option<Map<String, Value>>,
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
            more: schema::why_not_whole(&tool.input_schema),
            tool,
            problems: Vec::new(),
            refused: false,
            extra: Map::new(),
            json: None,
            is_json: false,
            waits: None,
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
            (tool.refused, tool.waits) = (false, None);
            tool.problems.clear();
        }
    }

    /// Whether its arguments are being held against the schema.
    pub fn waits(&self) -> bool {
        self.tool().is_some_and(|tool| tool.waits.is_some())
    }

    /// Waits for nothing any more.
    pub fn rest(&mut self) {
        if let Some(tool) = self.tool_mut() {
            tool.waits = None;
        }
    }

    /// Arguments were held against the schema. `None` when they are no longer waited for; else
    /// whether they agree. What does not is marked, and the first such field has the keys.
    pub fn checked(
        &mut self,
        of: &Arc<Tool>,
        arguments: &Map<String, Value>,
        found: Result<Vec<Disagreement>, UntrustedText>,
    ) -> Option<bool> {
        let tool = self.tool_mut()?;
        if tool.tool != *of || tool.waits.as_ref() != Some(arguments) {
            return None;
        }
        tool.waits = None;
        let agrees = found.as_ref().is_ok_and(Vec::is_empty);
        tool.refused = !agrees;
        match found {
            Ok(found) => self.mark(found),
            Err(why) => {
                let text = format!("it cannot be checked: {}", why.raw());
                tool.problems.push(text.into());
            }
        }
        Some(agrees)
    }

    /// The tool and the arguments that are to be held against its schema next. `None` when they
    /// cannot be read: what is wrong is marked, and the first such field has the keys.
    pub fn call(&mut self) -> Option<(Arc<Tool>, Map<String, Value>)> {
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
        for (name, value) in extra {
            arguments.entry(name).or_insert(value);
        }
        if let Some(n) = first {
            self.focus = n;
        }
        let tool = self.tool_mut()?;
        tool.problems.clear();
        if tool.tool.needs_task {
            tool.problems.push(NEEDS_TASK.into());
        }
        tool.refused = first.is_some() || tool.tool.needs_task;
        if tool.refused {
            return None;
        }
        tool.waits = Some(arguments.clone());
        Some((tool.tool.clone(), arguments))
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
        for (name, value) in extra {
            arguments.entry(name).or_insert(value);
        }
        arguments
    }

    /// Marks what does not agree. The first such field has the keys.
    fn mark(&mut self, found: Vec<Disagreement>) {
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
                    let Some(tool) = self.tool_mut() else { return };
                    if tool.problems.len() < COMPLAINTS {
                        tool.problems.push(complaint(one, false));
                    }
                }
            }
        }
        if let Some(n) = first {
            self.focus = n;
        }
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
#[path = "tool_tests.rs"]
pub(super) mod tests;
