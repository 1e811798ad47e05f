//! The form of a prompt, a template or a tool: opening it, its keys, sending it.

use super::servers::tell;
use super::{confirm, json, offers, preview};
use crate::domain::{Tool, UntrustedText};
use crate::schema::Disagreement;
use crate::tui::effect::Effect;
use crate::tui::msg::FieldAction;
use crate::tui::state::confirm::Wanted;
use crate::tui::state::form::{Blank, Filled, Form};
use crate::tui::state::{Focus, ItemKey, Kind, State, TextField, details, preview::Showing};
use crossterm::event::{KeyCode, KeyEvent};
use serde_json::{Map, Value};
use std::sync::Arc;

/// Enter on a prompt: its form when something must be filled in, else it runs, as it was filled in
/// last. On a template: its form. On a tool: its form, else the question before its call.
pub(super) fn enter(state: &mut State, key: ItemKey, show_kept: bool) -> Vec<Effect> {
    if preview::is_running(state, &key) {
        preview::show_content(state);
        return Vec::new();
    }
    if key.kind == Kind::Tool && show_kept {
        preview::show_content(state);
        return Vec::new();
    }
    let form = state.form_of(&key);
    let must = |form: &Form| key.kind != Kind::Prompt || form.fields.iter().any(|f| f.required);
    match form {
        Some(form) if must(&form) => open(state, form),
        Some(_) | None if key.kind != Kind::Prompt => return bare(state, key),
        Some(_) | None if show_kept => preview::show_content(state),
        Some(form) => {
            let mut form = recalled(state, form);
            if let Some(arguments) = form.arguments() {
                state.parked.keep(form);
                return confirm::start(state, key, Wanted::Render(arguments));
            }
            open(state, form);
        }
        None => return bare(state, key),
    }
    Vec::new()
}

/// What has no form. A template without variables is an address, another says what is wrong.
fn bare(state: &mut State, key: ItemKey) -> Vec<Effect> {
    match key.kind {
        Kind::Tool => {
            let wanted = Wanted::Call { arguments: serde_json::Map::new(), unchecked: false };
            return confirm::start(state, key, wanted);
        }
        Kind::Prompt => return confirm::start(state, key, Wanted::Render(Vec::new())),
        Kind::Server | Kind::Resource | Kind::Template | Kind::Malformed(..) => {}
    }
    match Form::of_template(key.clone()) {
        Ok(mut form) => send_form(state, &mut form),
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
        None if key.kind == Kind::Tool => {
            let row = details::row(&state.view.catalogue.tools, &key);
            let Some(tool) = row.map(|row| row.item.clone()) else { return Vec::new() };
            open(state, Form::of_tool(key, tool));
            state.form.iter_mut().for_each(Form::open_json);
        }
        None => return bare(state, key),
    }
    Vec::new()
}

/// Why an item has no form. What is wrong with a template is told when it is opened.
pub(super) fn why_no_form(state: &State, key: Option<&ItemKey>) -> Option<&'static str> {
    match key.map(|key| (key.kind, key)) {
        Some((Kind::Template | Kind::Tool, _)) => None,
        Some((Kind::Prompt, key)) if state.form_of(key).is_some() => None,
        Some((Kind::Prompt, _)) => Some("this prompt has nothing to fill in"),
        Some((Kind::Server | Kind::Resource | Kind::Malformed(..), _)) | None => {
            Some("only prompts, templates and tools are filled in")
        }
    }
}

/// The form as it was left, if it was open before.
fn recalled(state: &mut State, fresh: Form) -> Form {
    state.parked.take(&fresh).unwrap_or(fresh)
}

/// Shows a form.
fn open(state: &mut State, fresh: Form) {
    state.form = Some(recalled(state, fresh));
    state.preview.showing = Showing::Details;
    state.focus = Focus::Preview;
}

/// The arguments of a tool were held against its schema: those that agree are asked about. The form
/// stays below the question.
pub(super) fn checked(
    state: &mut State,
    tool: &Arc<Tool>,
    arguments: Map<String, Value>,
    found: Result<Vec<Disagreement>, UntrustedText>,
) -> Vec<Effect> {
    let Some(form) = &mut state.form else { return Vec::new() };
    if form.checked(tool, &arguments, found) != Some(true) {
        return Vec::new();
    }
    let key = form.key.clone();
    confirm::start(state, key, Wanted::Call { arguments, unchecked: false })
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
            if let Some(input) = pasted_into(state) {
                input.clear();
            }
        }
        FieldAction::SendEmpty => send_empty(state),
        FieldAction::Always => {}
        FieldAction::Choose(forward) => choose(state, forward),
        FieldAction::Accept if offers::take(state) => {}
        FieldAction::Accept => return submit(state),
        FieldAction::Default => fill_default(state),
        FieldAction::Json => json::toggle(state),
        FieldAction::Unchecked => return unchecked(state),
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
    if state.offers.chosen.take().is_none()
        && let Some(form) = state.form.take()
    {
        state.parked.keep(form);
    }
}

/// What is sent of an empty field: the next thing that it could be.
fn send_empty(state: &mut State) {
    let Some(form) = &mut state.form else { return };
    form.touched();
    let Some(field) = form.field_mut() else { return };
    match field.next_blank() {
        Ok(blank) => (field.blank, field.problem) = (blank, None),
        Err(why) => field.problem = Some(why.into()),
    }
}

fn fill_default(state: &mut State) {
    let Some(form) = &mut state.form else { return };
    if form.field_mut().is_some_and(|field| field.fill_default()) {
        form.touched();
    } else {
        tell(state, "the server names no default for this field");
    }
}

pub(super) fn submit(state: &mut State) -> Vec<Effect> {
    let Some(mut form) = state.form.take() else { return Vec::new() };
    let effects = send_form(state, &mut form);
    if form.waits() {
        state.form = Some(form);
        return effects;
    }
    // Where it was sent, it is kept for the next time; else what is wrong is shown in it.
    if effects.is_empty() {
        state.form = Some(form)
    } else {
        state.parked.keep(form)
    }
    effects
}

/// Sends a form, unless something in it is wrong.
fn send_form(state: &mut State, form: &mut Form) -> Vec<Effect> {
    let wanted = match &form.of {
        Filled::Prompt => form.arguments().map(Wanted::Render),
        Filled::Template(template) => {
            // What cannot be expanded is refused where it is filled in: it is said below the fields.
            let template = template.clone();
            form.arguments().and_then(|values| {
                let uri = template.expand(&values).ok()?.into();
                Some(Wanted::Fill { values, uri })
            })
        }
        Filled::Tool(_) => {
            let check = form.call().map(|(tool, arguments)| Effect::Check { tool, arguments });
            return check.into_iter().collect();
        }
    };
    match wanted {
        Some(wanted) => confirm::start(state, form.key.clone(), wanted),
        None => Vec::new(),
    }
}

/// Sends what was refused, for those who test servers.
pub(super) fn unchecked(state: &mut State) -> Vec<Effect> {
    let refused = |form: &&Form| form.tool().is_some_and(|tool| tool.refused);
    let Some(form) = state.form.as_ref().filter(refused) else {
        tell(state, "only what was refused is sent all the same; Enter sends the form");
        return Vec::new();
    };
    let (key, arguments) = (form.key.clone(), form.call_unchecked());
    confirm::start(state, key, Wanted::Call { arguments, unchecked: true })
}

/// A key that is no command: it is typed.
pub(super) fn typed(state: &mut State, event: &KeyEvent) -> Vec<Effect> {
    let forward = [KeyCode::Char(' '), KeyCode::Right].contains(&event.code);
    let way = (forward || event.code == KeyCode::Left).then_some(forward);
    let field = state.form.as_mut().and_then(|form| form.field_mut());
    if let (Some(field), Some(forward)) = (field, way)
        && field.toggle(forward)
    {
        pasted_into(state);
        return Vec::new();
    }
    if let Some(input) = pasted_into(state) {
        input.key(event);
    }
    Vec::new()
}

/// The field that text goes into; its old complaint is over.
pub(super) fn pasted_into(state: &mut State) -> Option<&mut TextField> {
    let form = state.form.as_mut()?;
    form.touched();
    let field = form.field_mut()?;
    field.problem = None;
    field.blank = Blank::Absent;
    Some(&mut field.input)
}
