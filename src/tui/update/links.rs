//! Following a link of an answer, and going back.

use super::servers::tell;
use super::{catalogue, confirm, renew_details};
use crate::tui::effect::Effect;
use crate::tui::msg::{Action, FieldAction};
use crate::tui::state::confirm::Wanted;
use crate::tui::state::links::{Links, STEPS};
use crate::tui::state::preview::Showing;
use crate::tui::state::{Focus, ItemKey, Place, State};

const NONE: &str = "there is no link here that could be followed";

/// Follows the one link there is, or asks which.
pub(super) fn follow(state: &mut State) -> Vec<Effect> {
    match state.links() {
        Some(links) if links.uris.len() == 1 => return go(state, &links),
        Some(links) => state.choosing = Some(links),
        None => tell(state, NONE),
    }
    Vec::new()
}

/// Why there is nothing to follow now.
pub(super) fn why_not(state: &State) -> Option<&'static str> {
    state.links().is_none().then_some(NONE)
}

/// The keys of the choice.
pub(super) fn keys(state: &mut State, action: Action) -> Vec<Effect> {
    let height = state.overlay_room().1;
    let Some(links) = &mut state.choosing else { return Vec::new() };
    match action {
        Action::Move(step) => {
            let by = catalogue::distance(step, height);
            let last = links.uris.len().saturating_sub(1);
            links.cursor = links.cursor.saturating_add_signed(by).min(last);
        }
        Action::Field(FieldAction::Accept) => {
            if let Some(links) = state.choosing.take() {
                return go(state, &links);
            }
        }
        Action::Back => state.choosing = None,
        Action::Quit => return super::quit(state),
        Action::Field(_)
        | Action::Pane(_)
        | Action::Overlay(_)
        | Action::Palette
        | Action::Stop => {}
    }
    Vec::new()
}

/// Reads what a link points to, of the server that sent it, as any resource is read.
fn go(state: &mut State, links: &Links) -> Vec<Effect> {
    let Some(to) = links.chosen() else { return Vec::new() };
    state.steps.push(links.of.clone());
    if state.steps.len() > STEPS {
        state.steps.remove(0);
    }
    show(state, to.clone(), Showing::Details);
    confirm::start(state, to, Wanted::Read)
}

/// Back to the answer whose link was followed.
pub(super) fn back(state: &mut State) -> Vec<Effect> {
    match state.steps.pop() {
        Some(key) => {
            let kept = state.preview.opened(&key).is_some();
            show(state, key, if kept { Showing::Content } else { Showing::Details });
        }
        None => tell(state, NOWHERE),
    }
    Vec::new()
}

const NOWHERE: &str = "no link was followed that could be gone back from";

/// Why there is no way back now.
pub(super) fn why_no_return(state: &State) -> Option<&'static str> {
    state.steps.is_empty().then_some(NOWHERE)
}

fn show(state: &mut State, key: ItemKey, showing: Showing) {
    state.focus = Focus::Preview;
    state.preview.subject = Some(key);
    state.preview.showing = showing;
    state.preview.details_place = Place::default();
    renew_details(state);
}
