//! The form of a prompt: one line for each argument.

use super::field::TextField;
use super::item::ItemKey;
use crate::domain::{Prompt, UntrustedText};

/// The form of a prompt.
#[derive(Debug, Clone)]
pub struct Form {
    /// Which prompt.
    pub key: ItemKey,
    /// One field for each argument, in the server's order.
    pub fields: Vec<Field>,
    /// Which field has the keys.
    pub focus: usize,
}

/// One argument being written.
#[derive(Debug, Clone)]
pub struct Field {
    /// The argument's name.
    pub name: UntrustedText,
    /// Its name for people.
    pub title: Option<UntrustedText>,
    /// What to write.
    pub description: Option<UntrustedText>,
    /// Whether the server needs it.
    pub required: bool,
    /// What has been written.
    pub input: TextField,
    /// Whether it is to be sent although it is empty. Only for optional arguments.
    pub send_empty: bool,
    /// What is wrong with it.
    pub problem: Option<&'static str>,
}

impl Field {
    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.input.is_empty()
    }
}

impl Form {
    /// An empty form.
    pub fn new(key: ItemKey, prompt: &Prompt) -> Self {
        let fields = prompt
            .arguments
            .iter()
            .map(|a| Field {
                name: a.name.clone(),
                title: a.title.clone(),
                description: a.description.clone(),
                required: a.required,
                input: TextField::default(),
                send_empty: false,
                problem: None,
            })
            .collect();
        Self { key, fields, focus: 0 }
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
            field.problem = missing.then_some("required: write something here");
            if missing {
                first = first.or(Some(n));
            }
        }
        if let Some(n) = first {
            self.focus = n;
            return None;
        }
        let sent = self.fields.iter().filter(|f| !f.is_empty() || (f.send_empty && !f.required));
        Some(sent.map(|f| (f.name.raw().to_owned(), f.input.text().to_owned())).collect())
    }
}
