//! The field for the name of a file.

use crate::content::export::Refusal;
use crate::content::human_size;
use crate::domain::CallId;
use crate::tui::effect::Effect;
use crate::tui::msg::{FieldAction, Saved};
use crate::tui::state::State;
use crate::tui::state::save::Save;
use crate::tui::theme::Role;

/// The keys of the field.
pub(super) fn act(state: &mut State, action: FieldAction) -> Vec<Effect> {
    match action {
        // What is there is replaced by a key of its own: the one that writes may be held, or pressed
        // once more by habit.
        FieldAction::Accept => return write(state, false),
        FieldAction::SendEmpty => return write(state, true),
        FieldAction::Clear => {
            if let Some(save) = &mut state.save {
                save.input.clear();
                save.renamed();
            }
        }
        FieldAction::Next
        | FieldAction::Previous
        | FieldAction::Default
        | FieldAction::Unchecked
        | FieldAction::Json
        | FieldAction::Always
        | FieldAction::Choose(_) => {}
    }
    Vec::new()
}

/// Writes the file; over one that is there only once that was asked.
fn write(state: &mut State, replace: bool) -> Vec<Effect> {
    let call = state.mint();
    let ready = |save: &&mut Save| save.call.is_none() && save.exists == replace;
    let Some(save) = state.save.as_mut().filter(ready) else {
        return Vec::new();
    };
    save.call = Some(call);
    let (path, body) = (save.input.text().to_owned(), save.body.clone());
    vec![Effect::Save { call, path, body, replace }]
}

/// Closes the field. A file that is being written is written all the same.
pub(super) fn close(state: &mut State) {
    state.save = None;
}

/// A file was written, or not.
pub(super) fn done(state: &mut State, call: CallId, result: Result<Saved, Refusal>) {
    let waits = state.save.as_mut().filter(|save| save.call == Some(call));
    match (result, waits) {
        (Ok(saved), waits) => {
            let is_waiting = waits.is_some();
            if is_waiting {
                state.save = None;
            }
            let size = human_size(u64::try_from(saved.bytes).unwrap_or(u64::MAX));
            let text = format!("saved to {}, {size}", saved.path);
            state.notices.add(state.now, Role::Good, text);
        }
        (Err(refusal), Some(save)) => {
            save.call = None;
            save.exists = refusal.exists;
            save.problem = Some(refusal.fault);
        }
        (Err(refusal), None) => {
            let text = format!("not saved: {}", refusal.fault.what);
            state.notices.add(state.now, Role::Bad, text);
        }
    }
}
