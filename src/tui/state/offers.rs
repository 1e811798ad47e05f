//! What the server of a form proposes for the field that has the keys.

use super::State;
use super::form::{Field, Form};
use crate::domain::{CallId, Completion, Fault, Link};
use crate::tui::msg::Moment;
use std::time::Duration;

/// How long nothing may have been typed before the server is asked.
pub const PAUSE: Duration = Duration::from_millis(150);

/// The proposals for one field and one text in it. Another field or text begins anew.
#[derive(Debug, Clone, Default)]
pub struct Offers {
    /// For which field of which form, and which text.
    target: Option<Target>,
    /// When the server is to be asked.
    pub due: Option<Moment>,
    /// The request that runs. There is never more than one.
    pub asked: Option<CallId>,
    /// What came of it.
    pub answer: Option<Result<Completion, Fault>>,
    /// Which of the proposals is chosen.
    pub chosen: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Target {
    form: super::ItemKey,
    field: usize,
    text: String,
}

impl Target {
    fn of(form: &Form) -> Option<Self> {
        let text = form.field()?.input.text().to_owned();
        Some(Self { form: form.key.clone(), field: form.focus, text })
    }

    fn is(&self, form: &Form, field: &Field) -> bool {
        self.field == form.focus && self.text == field.input.text() && self.form == form.key
    }
}

impl Offers {
    /// Whether they are for what stands in the form now.
    pub fn fit(&self, form: Option<&Form>) -> bool {
        match (&self.target, form.and_then(|form| Some((form, form.field()?)))) {
            (Some(target), Some((form, field))) => target.is(form, field),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    /// None yet, for what stands in the form now; the server is asked at this moment.
    pub fn begin(form: Option<&Form>, due: Option<Moment>) -> Self {
        Self { target: form.and_then(Target::of), due, ..Self::default() }
    }

    /// The proposals.
    pub fn completion(&self) -> Option<&Completion> {
        self.answer.as_ref()?.as_ref().ok()
    }

    /// The chosen proposal, as the server wrote it.
    pub fn value(&self) -> Option<&str> {
        Some(self.completion()?.values.get(self.chosen?)?.raw())
    }

    /// Chooses the next proposal or the one before. Past either end none is chosen.
    pub fn choose(&mut self, forward: bool) {
        let count = self.completion().map_or(0, |completion| completion.values.len());
        self.chosen = match (self.chosen, forward) {
            (None, true) => Some(0),
            (None, false) => count.checked_sub(1),
            (Some(n), true) => Some(n + 1),
            (Some(n), false) => n.checked_sub(1),
        }
        .filter(|n| *n < count);
    }
}

impl State {
    /// Whether the server of a form proposes values at all.
    pub fn completes(&self, form: &Form) -> bool {
        let server = self.view.server(&form.key.server);
        server.is_some_and(|server| match &server.link {
            Link::Up(facts) => facts.capabilities.completions,
            Link::Idle | Link::Connecting | Link::Down { .. } => false,
        })
    }
}
