//! Servers: new snapshots, the keys of their pane, and the keys that act on one.

use super::renew_details;
use crate::domain::{Link, ListingState, ServerId};
use crate::registry::{RegistryView, ServerView};
use crate::tui::effect::Effect;
use crate::tui::msg::Step;
use crate::tui::state::item::{ListKind, Tab};
use crate::tui::state::{Focus, State, words};
use crate::tui::theme::Role;
use std::sync::Arc;

/// Takes over a snapshot; what went wrong since the last one becomes notices.
pub(super) fn new_view(state: &mut State, view: Arc<RegistryView>) -> Vec<Effect> {
    for server in &view.servers {
        let before = state.view.server(&server.id).cloned();
        for note in news(before.as_deref(), server) {
            state.notices.add(state.now, Role::Bad, note);
        }
    }
    state.view = view;
    state.servers.settle(&state.view, state.now);
    state.catalogue.invalidate();
    renew_details(state);
    Vec::new()
}

/// What became bad of a server between two snapshots.
fn news(before: Option<&ServerView>, now: &ServerView) -> Vec<String> {
    let mut notes = Vec::new();
    if let Link::Down { why } = &now.link
        && before.is_none_or(|b| b.link != now.link)
    {
        notes.push(format!("{} is down: {}", now.id, words::fault_line(why)));
        // That its lists are stale now is no news beside that.
        return notes;
    }
    for list in Tab::ALL.into_iter().flat_map(ListKind::of) {
        let state = list.standing(&now.lists).state;
        let same = before.is_some_and(|b| list.standing(&b.lists).state == state);
        if let (
            ListingState::Failed(f) | ListingState::Partial(f) | ListingState::Stale(f),
            false,
        ) = (state, same)
        {
            notes.push(format!("{}, {}: {}", now.id, list.noun(), words::fault_line(f)));
        }
    }
    notes
}

/// Moves the selection; the list follows it.
pub(super) fn step(state: &mut State, step: Step) {
    let (_, height) = state.room(Focus::Servers);
    let before = state.servers.selected.clone();
    state.servers.step(&state.view, super::catalogue::distance(step, height));
    if before != state.servers.selected {
        state.catalogue.invalidate();
    }
}

/// Lists everything of the selected server again, or of all.
pub(super) fn refresh(state: &mut State) -> Vec<Effect> {
    match state.server() {
        Some(server) => vec![Effect::Refresh(server)],
        None => state.view.servers.iter().map(|s| Effect::Refresh(s.id.clone())).collect(),
    }
}

/// Does something to the selected server.
pub(super) fn one(state: &mut State, effect: impl FnOnce(ServerId) -> Effect) -> Vec<Effect> {
    match state.server() {
        Some(server) => vec![effect(server)],
        None => {
            state.notices.add(state.now, Role::Warn, "select a server first");
            Vec::new()
        }
    }
}
