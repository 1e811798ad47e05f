//! The messages of a server: shown, filtered, followed, opened.

use super::servers::tell;
use crate::domain::ServerId;
use crate::tui::effect::Effect;
use crate::tui::msg::Step;
use crate::tui::state::preview::Showing;
use crate::tui::state::traffic::{Message, Traffic};
use crate::tui::state::{Focus, State};
use std::sync::Arc;

/// Shows the messages of the server that is meant.
pub(super) fn show(state: &mut State) -> Vec<Effect> {
    let Some(server) = state.server() else {
        tell(state, "select a server first: t shows the messages of one");
        return Vec::new();
    };
    super::preview::show_log(state, Showing::Traffic);
    if state.preview.traffic.as_ref().is_none_or(|t| t.server != server) {
        state.preview.traffic = Some(Traffic::of(server));
    }
    ask(state)
}

/// Asks for what came since.
fn ask(state: &mut State) -> Vec<Effect> {
    let Some(traffic) = &mut state.preview.traffic else { return Vec::new() };
    let server = traffic.server.clone();
    let effect = traffic.ask().map(|after| Effect::Traffic { server, after });
    effect.into_iter().collect()
}

/// A new snapshot: asks for more when there is more.
pub(super) fn follow(state: &mut State) -> Vec<Effect> {
    let Some(traffic) = &state.preview.traffic else { return Vec::new() };
    let is_shown = state.preview.showing == Showing::Traffic;
    let messages = state.view.server(&traffic.server).map_or(0, |s| s.noise.messages);
    if is_shown && messages > traffic.newest() { ask(state) } else { Vec::new() }
}

/// Messages have come.
pub(super) fn came(
    state: &mut State,
    server: &ServerId,
    after: u64,
    oldest: Option<u64>,
    messages: Vec<Arc<Message>>,
) -> Vec<Effect> {
    match &mut state.preview.traffic {
        Some(traffic) if traffic.server == *server => {
            if traffic.extend(after, oldest, messages) {
                ask(state)
            } else {
                Vec::new()
            }
        }
        Some(_) | None => Vec::new(),
    }
}

/// Moves the selection, or the window on an opened message.
pub(super) fn step(state: &mut State, step: Step) {
    let (_, height) = state.room(Focus::Preview);
    match &mut state.preview.traffic {
        Some(traffic) if traffic.opened.is_none() => {
            traffic.step(super::catalogue::distance(step, height));
        }
        Some(_) | None => {}
    }
}

/// Opens the selected message.
pub(super) fn open(state: &mut State) {
    state.focus = Focus::Preview;
    if let Some(traffic) = &mut state.preview.traffic
        && traffic.opened.is_none()
    {
        traffic.open();
    }
}

/// One step back within the messages: the opened one, the filter. Gives whether there was one.
pub(super) fn back(state: &mut State) -> bool {
    let Some(traffic) = &mut state.preview.traffic else { return false };
    if traffic.opened.take().is_some() {
        return true;
    }
    let filtered = !traffic.filter.text().is_empty();
    if filtered {
        traffic.filter.clear();
        traffic.refilter();
    }
    filtered
}
