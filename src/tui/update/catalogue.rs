//! The keys of the list.

use crate::tui::msg::Step;
use crate::tui::state::{Focus, State, Tab};

/// Shows a tab.
pub(super) fn show(state: &mut State, tab: Tab) {
    state.catalogue.show(tab);
    state.focus = Focus::List;
}

/// By how many rows a key moves, in a pane of so many rows.
pub(super) fn distance(step: Step, height: usize) -> isize {
    let page = isize::try_from(height.saturating_sub(1).max(1)).unwrap_or(isize::MAX);
    match step {
        Step::Up => -1,
        Step::Down => 1,
        Step::PageUp => -page,
        Step::PageDown => page,
        Step::HalfUp => -(page / 2).max(1),
        Step::HalfDown => (page / 2).max(1),
        Step::Home => isize::MIN,
        Step::End => isize::MAX,
    }
}

/// Moves the selection.
pub(super) fn step(state: &mut State, step: Step) {
    let (_, height) = state.room(Focus::List);
    state.catalogue.step(&state.view, distance(step, height));
}
