//! The mouse, while it is taken: the wheel scrolls what lies under it, a click goes to a pane and
//! selects a row.

use super::{catalogue, page, preview, servers};
use crate::tui::effect::Effect;
use crate::tui::keymap::Context;
use crate::tui::msg::{Action, Step};
use crate::tui::state::{Focus, State};
use crate::tui::theme::Role;
use crate::tui::view::pane_at;
use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

/// How many rows the wheel moves at once.
const WHEEL: usize = 3;

/// Takes the mouse from the terminal, or leaves it.
pub(super) fn toggle(state: &mut State) -> Vec<Effect> {
    state.mouse = !state.mouse;
    let text = if state.mouse {
        "the mouse is taken: mostly the terminal selects text with Shift held; m leaves it"
    } else {
        "the mouse is left to the terminal"
    };
    state.notices.add(state.now, Role::Plain, text);
    vec![Effect::Mouse(state.mouse)]
}

/// What the mouse did. It never opens, sends or ends anything.
pub(super) fn event(state: &mut State, event: &MouseEvent) -> Vec<Effect> {
    let step = match event.kind {
        MouseEventKind::ScrollUp => Some(Step::Up),
        MouseEventKind::ScrollDown => Some(Step::Down),
        MouseEventKind::Down(MouseButton::Left) => None,
        MouseEventKind::Down(_)
        | MouseEventKind::Up(_)
        | MouseEventKind::Drag(_)
        | MouseEventKind::Moved
        | MouseEventKind::ScrollLeft
        | MouseEventKind::ScrollRight => return Vec::new(),
    };
    match (state.context(), step) {
        (Context::Page, Some(step)) => {
            (0..WHEEL).flat_map(|_| page(state, Action::Move(step))).collect()
        }
        (Context::Servers | Context::List | Context::Preview, step) => {
            let point = Position::new(event.column, event.row);
            if let Some((pane, row)) = pane_at(state, point) {
                match step {
                    Some(step) => return scroll(state, pane, step),
                    None => click(state, pane, row),
                }
            }
            Vec::new()
        }
        // What is being typed or asked is not left by accident.
        (
            Context::Page
            | Context::Filter
            | Context::Form
            | Context::Json
            | Context::Save
            | Context::Palette
            | Context::Confirm
            | Context::Call
            | Context::Links
            | Context::Quit,
            _,
        ) => Vec::new(),
    }
}

fn scroll(state: &mut State, pane: Focus, step: Step) -> Vec<Effect> {
    if pane != Focus::Preview {
        state.focus = pane;
    }
    let mut effects = Vec::new();
    for _ in 0..WHEEL {
        match pane {
            Focus::Servers => servers::step(state, step),
            Focus::List => catalogue::step(state, step),
            Focus::Preview => effects.extend(preview::step(state, step)),
        }
    }
    effects
}

fn click(state: &mut State, pane: Focus, row: Option<usize>) {
    state.focus = pane;
    let Some(row) = row else { return };
    match pane {
        Focus::Servers => servers::select(state, row),
        Focus::List => {
            state.catalogue.select(&state.view, row);
            state.catalogue.touch();
        }
        Focus::Preview => {}
    }
}
