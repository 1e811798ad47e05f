//! The arguments of a tool as JSON: its keys, going there and back.

use super::form;
use super::servers::tell;
use crate::tui::effect::Effect;
use crate::tui::msg::{Action, FieldAction};
use crate::tui::state::{Focus, State};
use crossterm::event::KeyEvent;

/// From the fields to the JSON, or back.
pub(super) fn toggle(state: &mut State) {
    let Some(form) = &mut state.form else { return };
    if form.json().is_none() {
        if form.tool().is_none() {
            tell(state, "only the arguments of a tool have a view as JSON");
            return;
        }
        form.open_json();
    } else if form.fields.is_empty() {
        tell(state, "its schema names no fields: it is written as JSON");
    } else {
        form.close_json();
    }
}

/// The keys of the JSON.
pub(super) fn keys(state: &mut State, action: Action) -> Vec<Effect> {
    match action {
        Action::Field(FieldAction::Json) => toggle(state),
        Action::Field(FieldAction::Accept) => return send(state, form::submit),
        Action::Field(FieldAction::Unchecked) => return send(state, form::unchecked),
        Action::Back => form::back(state),
        Action::Quit => return super::quit(state),
        Action::Field(
            FieldAction::Clear
            | FieldAction::Next
            | FieldAction::Previous
            | FieldAction::SendEmpty
            | FieldAction::Choose(_)
            | FieldAction::Always
            | FieldAction::Default,
        )
        | Action::Move(_)
        | Action::Pane(_)
        | Action::Overlay(_)
        | Action::Palette
        | Action::Stop => {}
    }
    Vec::new()
}

/// Sends what is written, if it can be read. The view stays as it was, also for the next time.
pub(super) fn send(state: &mut State, send: fn(&mut State) -> Vec<Effect>) -> Vec<Effect> {
    let refused = state.form.as_ref().and_then(|form| Some(form.tool()?.refused));
    let Some(form) = &mut state.form else { return Vec::new() };
    if !form.close_json() {
        return Vec::new();
    }
    form.set_refused(refused.unwrap_or_default());
    let effects = send(state);
    let key = state.preview.subject.clone();
    match &mut state.form {
        Some(form) => form.reopen_json(),
        None => key.into_iter().for_each(|key| state.parked.reopen_json(&key)),
    }
    effects
}

/// A key that is no command: it is typed.
pub(super) fn typed(state: &mut State, event: &KeyEvent) {
    let (_, page) = state.room(Focus::Preview);
    if let Some(form) = &mut state.form {
        let Some(view) = form.json_mut() else { return };
        let before = view.area.bytes();
        view.area.key(event, page);
        if view.area.bytes() != before {
            view.problem = None;
            form.set_refused(false);
        }
    }
}

/// A pasted text. Gives whether all of it fitted.
pub(super) fn paste(state: &mut State, text: &str) -> bool {
    let Some(form) = &mut state.form else { return true };
    let Some(view) = form.json_mut() else { return true };
    view.problem = None;
    let fits = view.area.insert(text);
    form.set_refused(false);
    fits
}
