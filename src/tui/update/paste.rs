//! Pasted text: never a key, never a submission.

use super::{filter, form, json};
use crate::tui::effect::Effect;
use crate::tui::keymap::Context;
use crate::tui::state::State;
use crate::tui::theme::Role;

/// What may stand in a one-line field of pasted text: at most this many characters.
const PASTE: usize = 65_536;

/// Puts a pasted text into the field that has the keys.
pub(super) fn text(state: &mut State, text: &str) -> Vec<Effect> {
    let context = state.context();
    if context == Context::Json {
        if !json::paste(state, text) {
            let note = "the text is full: not all of it was pasted";
            state.notices.add(state.now, Role::Warn, note);
        }
        return Vec::new();
    }
    let (clean, note) = one_line(text);
    let input = match context {
        Context::Filter => Some(state.filter_mut()),
        Context::Form => form::pasted_into(state),
        Context::Palette => state.palette.as_mut().map(|palette| {
            palette.cursor = 0;
            &mut palette.input
        }),
        Context::Save => state.save.as_mut().map(|save| {
            save.renamed();
            &mut save.input
        }),
        Context::Servers
        | Context::List
        | Context::Preview
        | Context::Page
        | Context::Confirm
        | Context::Call
        | Context::Links
        | Context::Json
        | Context::Quit => None,
    };
    match input {
        None => {
            state.notices.add(state.now, Role::Warn, "a paste was ignored: no field has the keys")
        }
        Some(input) => {
            let fits = input.insert(&clean);
            filter::changed(state);
            let full = (!fits).then(|| "the field is full: not all of it was pasted".to_owned());
            for note in note.into_iter().chain(full) {
                state.notices.add(state.now, Role::Warn, note);
            }
        }
    }
    Vec::new()
}

/// Makes a pasted text fit a field of one line, and says what was changed.
fn one_line(text: &str) -> (String, Option<String>) {
    let mut breaks = 0_usize;
    let mut controls = 0_usize;
    let unified = text.replace("\r\n", "\n");
    let mut clean = String::new();
    for c in unified.chars().take(PASTE) {
        match c {
            '\n' | '\r' => {
                breaks += 1;
                clean.push(' ');
            }
            '\t' => clean.push(' '),
            c if c.is_control() => controls += 1,
            c => clean.push(c),
        }
    }
    let cut = unified.chars().count() > PASTE;
    let mut said = Vec::new();
    if breaks > 0 {
        said.push(format!("{breaks} line breaks became spaces"));
    }
    if controls > 0 {
        said.push(format!("{controls} control characters were left out"));
    }
    if cut {
        said.push(format!("it was cut after {PASTE} characters"));
    }
    (clean, (!said.is_empty()).then(|| format!("pasted into one line: {}", said.join(", "))))
}
