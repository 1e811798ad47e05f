//! The fields of filters: the search over everything, and the filter over messages.

use super::{catalogue, quit, traffic};
use crate::tui::effect::Effect;
use crate::tui::msg::{Action, FieldAction};
use crate::tui::state::{Focus, State};

/// Gives the keys to the filter over what is looked at.
pub(super) fn start(state: &mut State) {
    let messages = state.focus == Focus::Preview && state.preview.messages().is_some();
    match &mut state.preview.traffic {
        Some(traffic) if messages => {
            traffic.opened = None;
            traffic.typing = true;
        }
        Some(_) | None => {
            state.focus = Focus::List;
            state.catalogue.typing = true;
        }
    }
}

/// The keys of a field.
pub(super) fn keys(state: &mut State, action: Action) -> Vec<Effect> {
    match action {
        Action::Quit => return quit(state),
        Action::Back => {
            if state.filters_messages() {
                state.filter_mut().clear();
            } else {
                state.catalogue.clear_filter();
            }
            end(state);
        }
        Action::Move(step) if state.filters_messages() => traffic::step(state, step),
        Action::Move(step) => catalogue::step(state, step),
        Action::Field(FieldAction::Accept) => end(state),
        Action::Field(FieldAction::Clear) => {
            state.filter_mut().clear();
            changed(state);
        }
        Action::Field(
            FieldAction::Next
            | FieldAction::Previous
            | FieldAction::SendEmpty
            | FieldAction::Default
            | FieldAction::Unchecked
            | FieldAction::Json
            | FieldAction::Always
            | FieldAction::Choose(_),
        )
        | Action::Pane(_)
        | Action::Overlay(_)
        | Action::Palette
        | Action::Stop => {}
    }
    Vec::new()
}

/// The text of a filter has changed. The list brings itself up to date.
pub(super) fn changed(state: &mut State) {
    let messages = state.filters_messages();
    if let (true, Some(traffic)) = (messages, &mut state.preview.traffic) {
        traffic.refilter();
    }
}

/// Takes the keys from the filter; what is typed stays.
fn end(state: &mut State) {
    changed(state);
    state.catalogue.typing = false;
    if let Some(traffic) = &mut state.preview.traffic {
        traffic.typing = false;
    }
}
