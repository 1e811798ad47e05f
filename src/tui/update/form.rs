//! The keys of a prompt's form.

use crate::domain::Prompt;
use crate::tui::effect::Effect;
use crate::tui::msg::FieldAction;
use crate::tui::state::form::Form;
use crate::tui::state::{Focus, ItemKey, State, TextField, preview::Showing};
use crossterm::event::KeyEvent;

/// Opens the form of a prompt, with what was typed last time if it is the same one.
pub(super) fn open(state: &mut State, key: ItemKey, prompt: &Prompt) {
    let fresh = Form::new(key, prompt);
    let names = |form: &Form| form.fields.iter().map(|f| f.name.clone()).collect::<Vec<_>>();
    let form = match state.parked.take() {
        Some(parked) if parked.key == fresh.key && names(&parked) == names(&fresh) => parked,
        Some(_) | None => fresh,
    };
    state.form = Some(form);
    state.preview.showing = Showing::Details;
    state.focus = Focus::Preview;
}

/// The keys of the form.
pub(super) fn act(state: &mut State, action: FieldAction) -> Vec<Effect> {
    let Some(form) = &mut state.form else { return Vec::new() };
    match action {
        FieldAction::Next => form.step(true),
        FieldAction::Previous => form.step(false),
        FieldAction::Clear => {
            if let Some(field) = form.field_mut() {
                field.input.clear();
            }
        }
        FieldAction::SendEmpty => send_empty(form),
        FieldAction::Accept => return submit(state),
    }
    Vec::new()
}

/// Closes the form; what was typed is kept.
pub(super) fn close(state: &mut State) {
    state.parked = state.form.take();
}

fn send_empty(form: &mut Form) {
    let Some(field) = form.field_mut() else { return };
    if field.required {
        field.problem = Some("required: it cannot be sent empty");
    } else if field.is_empty() {
        field.send_empty = !field.send_empty;
    } else {
        field.problem = Some("it is not empty: Ctrl-U empties it first");
    }
}

fn submit(state: &mut State) -> Vec<Effect> {
    let Some(form) = &mut state.form else { return Vec::new() };
    let Some(arguments) = form.arguments() else { return Vec::new() };
    let key = form.key.clone();
    state.parked = state.form.take();
    super::preview::render(state, key, arguments)
}

/// A key that is no command: it is typed.
pub(super) fn typed(state: &mut State, event: &KeyEvent) -> Vec<Effect> {
    if let Some(input) = pasted_into(state) {
        input.key(event);
    }
    Vec::new()
}

/// The field that text goes into; its old complaint is over.
pub(super) fn pasted_into(state: &mut State) -> Option<&mut TextField> {
    let field = state.form.as_mut()?.field_mut()?;
    field.problem = None;
    field.send_empty = false;
    Some(&mut field.input)
}
