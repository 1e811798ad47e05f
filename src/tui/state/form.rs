//! A form: one line for each argument of a prompt or tool, or variable of a template.

mod json;
mod tool;

pub use json::JsonView;
pub use tool::{NEEDS_TASK, ToolForm};

use super::field::TextField;
use super::item::{ItemKey, Kind};
use super::{State, details};
use crate::content::{TemplateError, UriTemplate};
use crate::domain::{Prompt, UntrustedText};
use crate::schema;
use std::sync::Arc;

/// A form.
#[derive(Debug, Clone)]
pub struct Form {
    /// Of which item.
    pub key: ItemKey,
    /// What becomes of it.
    pub of: Filled,
    /// One field for each argument or variable, in the server's order.
    pub fields: Vec<Field>,
    /// Which field has the keys.
    pub focus: usize,
}

/// What is being filled in.
#[derive(Debug, Clone)]
pub enum Filled {
    /// A prompt.
    Prompt,
    /// A template.
    Template(UriTemplate),
    /// A tool.
    Tool(Box<ToolForm>),
}

/// What is sent of a field in which nothing stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Blank {
    /// Nothing.
    #[default]
    Absent,
    /// An empty text.
    Empty,
    /// Null.
    Null,
}

/// One argument being written.
#[derive(Debug, Clone)]
pub struct Field {
    /// The argument's name.
    pub name: UntrustedText,
    /// Its name for people.
    pub title: Option<UntrustedText>,
    /// What to write, as the server says.
    pub description: Option<UntrustedText>,
    /// What to write, in our words.
    pub note: Option<&'static str>,
    /// Whether the server needs it.
    pub required: bool,
    /// What has been written.
    pub input: TextField,
    /// What is sent while nothing stands in it.
    pub blank: Blank,
    /// What the schema of a tool says of it.
    pub asked: Option<schema::Field>,
    /// What is wrong with it.
    pub problem: Option<UntrustedText>,
}

impl Field {
    fn new(name: UntrustedText) -> Self {
        Self {
            name,
            title: None,
            description: None,
            note: None,
            required: false,
            input: TextField::default(),
            blank: Blank::Absent,
            asked: None,
            problem: None,
        }
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.input.is_empty()
    }

    /// What is sent of it next while nothing stands in it.
    ///
    /// # Errors
    /// Why there is nothing else that could be sent.
    pub fn next_blank(&self) -> Result<Blank, &'static str> {
        let (empty, null) = match &self.asked {
            Some(asked) => (asked.kind == schema::FieldKind::Text, asked.nullable),
            None if self.required => return Err("required: it cannot be sent empty"),
            None => (true, false),
        };
        match self.blank {
            _ if !self.is_empty() => Err("it is not empty: Ctrl-U empties it first"),
            Blank::Absent if empty => Ok(Blank::Empty),
            Blank::Absent | Blank::Empty if null => Ok(Blank::Null),
            Blank::Absent => Err("it can be neither empty nor null"),
            Blank::Empty | Blank::Null => Ok(Blank::Absent),
        }
    }

    fn is_sent(&self) -> bool {
        !self.is_empty() || (self.blank != Blank::Absent && !self.required)
    }

    fn pair(&self) -> (String, String) {
        (self.name.raw().to_owned(), self.input.text().to_owned())
    }
}

impl Form {
    /// The empty form of a prompt.
    pub fn of_prompt(key: ItemKey, prompt: &Prompt) -> Self {
        let fields = prompt.arguments.iter().map(|a| Field {
            title: a.title.clone(),
            description: a.description.clone(),
            required: a.required,
            ..Field::new(a.name.clone())
        });
        Self { key, of: Filled::Prompt, fields: fields.collect(), focus: 0 }
    }

    /// The empty form of a template.
    ///
    /// # Errors
    /// [`TemplateError`] when it cannot be filled in.
    pub fn of_template(key: ItemKey) -> Result<Self, TemplateError> {
        let template = UriTemplate::parse(key.name.raw())?;
        let field = |name: &String| Field {
            note: template.takes_list(name).then_some("several values are separated by commas"),
            ..Field::new(name.as_str().into())
        };
        let fields = template.variables().iter().map(field).collect();
        Ok(Self { key, of: Filled::Template(template), fields, focus: 0 })
    }

    /// Whether another form asks for the same things of the same item.
    pub fn is_like(&self, other: &Self) -> bool {
        let same = match (self.tool(), other.tool()) {
            (Some(one), Some(other)) => one.tool.input_schema == other.tool.input_schema,
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        let names = self.fields.iter().map(|f| &f.name);
        same && self.key == other.key && names.eq(other.fields.iter().map(|f| &f.name))
    }

    /// The field that has the keys.
    pub fn field(&self) -> Option<&Field> {
        self.fields.get(self.focus)
    }

    /// The field that has the keys.
    pub fn field_mut(&mut self) -> Option<&mut Field> {
        self.fields.get_mut(self.focus)
    }

    /// Moves between fields, around the ends.
    pub fn step(&mut self, forward: bool) {
        let count = self.fields.len().max(1);
        self.focus = (self.focus + if forward { 1 } else { count - 1 }) % count;
    }

    /// What is to be sent: filled fields, and optional ones that are to be sent empty. `None`
    /// when a required field is blank; it is marked, and has the keys.
    pub fn arguments(&mut self) -> Option<Vec<(String, String)>> {
        let mut first = None;
        for (n, field) in self.fields.iter_mut().enumerate() {
            let missing = field.required && field.input.text().trim().is_empty();
            field.problem = missing.then(|| "required: write something here".into());
            if missing {
                first = first.or(Some(n));
            }
        }
        if let Some(n) = first {
            self.focus = n;
            return None;
        }
        Some(self.values())
    }

    fn values(&self) -> Vec<(String, String)> {
        self.fields.iter().filter(|f| f.is_sent()).map(Field::pair).collect()
    }

    /// What the fields without the keys hold, where they hold something.
    pub fn others(&self) -> Vec<(String, String)> {
        let others = self.fields.iter().enumerate().filter(|(n, _)| *n != self.focus);
        others.map(|(_, f)| f).filter(|f| !f.is_empty()).map(Field::pair).collect()
    }

    /// The URI that comes of it so far; `None` where it is not of a template.
    pub fn uri(&self) -> Option<Result<UntrustedText, TemplateError>> {
        match &self.of {
            Filled::Prompt | Filled::Tool(_) => None,
            Filled::Template(template) => {
                Some(template.expand(&self.values()).map(UntrustedText::from))
            }
        }
    }
}

impl State {
    /// The empty form of an item; `None` when it is no longer listed, has nothing to fill in, or
    /// cannot be filled in.
    pub fn form_of(&self, key: &ItemKey) -> Option<Form> {
        let form = match key.kind {
            Kind::Prompt => {
                let row = details::row(&self.view.catalogue.prompts, key)?;
                Form::of_prompt(key.clone(), &row.item)
            }
            Kind::Template => Form::of_template(key.clone()).ok()?,
            Kind::Tool => {
                let row = details::row(&self.view.catalogue.tools, key)?;
                Form::of_tool(key.clone(), Arc::clone(&row.item))
            }
            Kind::Server | Kind::Resource | Kind::Malformed(..) => return None,
        };
        (!form.fields.is_empty()).then_some(form)
    }
}
