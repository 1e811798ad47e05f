//! The form of a prompt or a template: opening it, its keys, sending it.

use super::servers::tell;
use super::{confirm, offers, preview};
use crate::tui::effect::Effect;
use crate::tui::msg::FieldAction;
use crate::tui::state::confirm::Wanted;
use crate::tui::state::form::{Filled, Form};
use crate::tui::state::{Focus, ItemKey, Kind, State, TextField, preview::Showing};
use crossterm::event::KeyEvent;

/// Enter on a prompt: its form when something must be filled in, else it runs, as it was filled in
/// last. On a template: its form.
pub(super) fn enter(state: &mut State, key: ItemKey, show_kept: bool) -> Vec<Effect> {
    if preview::is_running(state, &key) {
        preview::show_content(state);
        return Vec::new();
    }
    let form = state.form_of(&key);
    let must = |form: &Form| key.kind == Kind::Template || form.fields.iter().any(|f| f.required);
    match form {
        Some(form) if must(&form) => open(state, form),
        Some(_) | None if key.kind == Kind::Template => return bare(state, key),
        Some(_) | None if show_kept => preview::show_content(state),
        Some(form) => {
            let mut form = recalled(state, form);
            if let Some(arguments) = form.arguments() {
                state.parked = Some(form);
                return send(state, key, Filled::Prompt, arguments);
            }
            open(state, form);
        }
        None => return send(state, key, Filled::Prompt, Vec::new()),
    }
    Vec::new()
}

/// A template that has no form: one without variables is an address, another says what is wrong.
fn bare(state: &mut State, key: ItemKey) -> Vec<Effect> {
    match Form::of_template(key.clone()) {
        Ok(form) => send(state, key, form.of, Vec::new()),
        Err(why) => {
            tell(state, format!("this template cannot be filled in: {why}"));
            state.focus = Focus::Preview;
            Vec::new()
        }
    }
}

/// Opens the form of what is selected, also where nothing must be filled in.
pub(super) fn fill_in(state: &mut State) -> Vec<Effect> {
    if let Some(why) = why_no_form(state, state.preview.subject.as_ref()) {
        tell(state, why);
        return Vec::new();
    }
    let Some(key) = state.preview.subject.clone() else { return Vec::new() };
    match state.form_of(&key) {
        Some(form) => open(state, form),
        None => return bare(state, key),
    }
    Vec::new()
}

/// Why an item has no form. What is wrong with a template is told when it is opened.
pub(super) fn why_no_form(state: &State, key: Option<&ItemKey>) -> Option<&'static str> {
    match key.map(|key| (key.kind, key)) {
        Some((Kind::Template, _)) => None,
        Some((Kind::Prompt, key)) if state.form_of(key).is_some() => None,
        Some((Kind::Prompt, _)) => Some("this prompt has nothing to fill in"),
        Some((Kind::Server | Kind::Resource | Kind::Tool | Kind::Malformed(..), _)) | None => {
            Some("only prompts and templates are filled in")
        }
    }
}

/// The form as it was left, if it is the one that was open last.
fn recalled(state: &mut State, fresh: Form) -> Form {
    state.parked.take_if(|parked| parked.is_like(&fresh)).unwrap_or(fresh)
}

fn open(state: &mut State, fresh: Form) {
    state.form = Some(recalled(state, fresh));
    state.preview.showing = Showing::Details;
    state.focus = Focus::Preview;
}

/// The keys of the form.
pub(super) fn act(state: &mut State, action: FieldAction) -> Vec<Effect> {
    match action {
        FieldAction::Next => {
            offers::take(state);
            step(state, true);
        }
        FieldAction::Previous => step(state, false),
        FieldAction::Clear => {
            if let Some(field) = state.form.as_mut().and_then(|form| form.field_mut()) {
                field.input.clear();
            }
        }
        FieldAction::SendEmpty => send_empty(state),
        FieldAction::Always => {}
        FieldAction::Choose(forward) => choose(state, forward),
        FieldAction::Accept if offers::take(state) => {}
        FieldAction::Accept => return submit(state),
    }
    Vec::new()
}

fn step(state: &mut State, forward: bool) {
    if let Some(form) = &mut state.form {
        form.step(forward);
    }
}

fn choose(state: &mut State, forward: bool) {
    if state.offers.completion().is_some_and(|completion| !completion.values.is_empty()) {
        state.offers.choose(forward);
    } else if !state.form.as_ref().is_some_and(|form| state.completes(form)) {
        tell(state, "this server proposes no values");
    }
}

/// One step back: out of the proposals, out of the form. What was typed is kept.
pub(super) fn back(state: &mut State) {
    if state.offers.chosen.take().is_none() {
        state.parked = state.form.take();
    }
}

fn send_empty(state: &mut State) {
    let Some(field) = state.form.as_mut().and_then(|form| form.field_mut()) else { return };
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
    if let Some(Err(_)) = form.uri() {
        // The form says why, below its fields.
        return Vec::new();
    }
    let Some(arguments) = form.arguments() else { return Vec::new() };
    let (key, of) = (form.key.clone(), form.of.clone());
    send(state, key, of, arguments)
}

fn send(
    state: &mut State,
    key: ItemKey,
    of: Filled,
    arguments: Vec<(String, String)>,
) -> Vec<Effect> {
    let wanted = match of {
        Filled::Prompt => Wanted::Render(arguments),
        Filled::Template(template) => {
            // What cannot be expanded is refused where it is filled in, before anything is sent.
            let uri = template.expand(&arguments).map(Into::into).unwrap_or_default();
            Wanted::Fill { values: arguments, uri }
        }
    };
    confirm::start(state, key, wanted)
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
