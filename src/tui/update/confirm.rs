//! Opening what may have to be asked about first, and the answer to that question.

use super::preview;
use crate::domain::CallId;
use crate::tui::effect::Effect;
use crate::tui::msg::{Action, FieldAction};
use crate::tui::state::confirm::{Confirm, Wanted};
use crate::tui::state::{ItemKey, State};

/// Opens an item: at once, or after a yes where one is wanted. Nothing is sent before that.
pub(super) fn start(state: &mut State, key: ItemKey, wanted: Wanted) -> Vec<Effect> {
    if super::asking::is_busy(state, &key, &wanted) {
        return Vec::new();
    }
    if state.wants_yes(&key, &wanted) {
        state.confirm = Some(state.question(key, wanted));
        return Vec::new();
    }
    begin(state, key, wanted, |effect| effect)
}

/// Begins it, and remembers of a call what was sent.
fn begin(
    state: &mut State,
    key: ItemKey,
    wanted: Wanted,
    wrap: impl FnOnce(Effect) -> Effect,
) -> Vec<Effect> {
    let call = matches!(wanted, Wanted::Call { .. }).then(|| (key.clone(), wanted.clone()));
    let effects = preview::start(state, key.clone(), |call| wrap(effect(key, wanted, call)));
    if let Some((key, wanted)) = call.filter(|_| !effects.is_empty()) {
        state.calls.made(key, wanted);
    }
    effects
}

/// Does what a person said yes to.
pub(super) fn send(state: &mut State, key: ItemKey, wanted: Wanted) -> Vec<Effect> {
    begin(state, key, wanted, |effect| Effect::Confirmed(Box::new(effect)))
}

/// The keys of the question.
pub(super) fn keys(state: &mut State, action: Action) -> Vec<Effect> {
    match action {
        Action::Field(FieldAction::Accept) => {
            let Some(Confirm { key, wanted, .. }) = state.confirm.take() else { return Vec::new() };
            return send(state, key, wanted);
        }
        Action::Back => state.confirm = None,
        Action::Quit => return super::quit(state),
        Action::Field(
            FieldAction::Clear
            | FieldAction::Next
            | FieldAction::Previous
            | FieldAction::SendEmpty
            | FieldAction::Default
            | FieldAction::Unchecked
            | FieldAction::Json
            | FieldAction::Always
            | FieldAction::Choose(_),
        )
        | Action::Move(_)
        | Action::Pane(_)
        | Action::Overlay(_)
        | Action::Palette
        | Action::Stop => {}
    }
    Vec::new()
}

fn effect(key: ItemKey, wanted: Wanted, call: CallId) -> Effect {
    let ItemKey { server, name, .. } = key;
    match wanted {
        Wanted::Read => Effect::Read { call, server, uri: name },
        Wanted::Render(arguments) => Effect::Render { call, server, name, arguments },
        Wanted::Call { arguments, unchecked } => {
            Effect::Call { call, server, name, arguments, unchecked }
        }
        Wanted::Fill { values, .. } => Effect::Fill { call, server, template: name, values },
    }
}
