//! The keys of the list.

use crate::tui::effect::Effect;
use crate::tui::msg::Action;
use crate::tui::state::{Focus, State, Tab};

/// Shows a tab.
pub(super) fn show(state: &mut State, tab: Tab) {
    state.catalogue.tab = tab;
    state.focus = Focus::List;
}

/// By how many rows a key moves, in a pane of so many rows.
pub(super) fn distance(action: Action, height: usize) -> Option<isize> {
    let page = isize::try_from(height.saturating_sub(1).max(1)).unwrap_or(isize::MAX);
    Some(match action {
        Action::Up => -1,
        Action::Down => 1,
        Action::PageUp => -page,
        Action::PageDown => page,
        Action::HalfUp => -(page / 2).max(1),
        Action::HalfDown => (page / 2).max(1),
        Action::Home => isize::MIN,
        Action::End => isize::MAX,
        _ => return None,
    })
}

/// The keys of the pane.
pub(super) fn act(state: &mut State, action: Action) -> Vec<Effect> {
    let (_, height) = state.room(Focus::List);
    if let Some(by) = distance(action, height) {
        state.catalogue.step(&state.view, by);
        return Vec::new();
    }
    match action {
        Action::Open => return super::preview::open(state),
        Action::Left => state.focus = Focus::Servers,
        Action::Right => state.focus = Focus::Preview,
        _ => {}
    }
    Vec::new()
}
