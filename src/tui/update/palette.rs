//! The palette: opened, narrowed, and the chosen action run where it belongs.

use super::{act, asking, form, links, take};
use crate::domain::Link;
use crate::tui::effect::Effect;
use crate::tui::keymap::Context;
use crate::tui::msg::{Action, FieldAction, PaneAction};
use crate::tui::state::palette::{Palette, choices};
use crate::tui::state::{Focus, ItemKey, Kind, State};

/// Opens it over the pane that has the keys.
pub(super) fn open(state: &mut State) {
    state.palette = Some(Palette::new(state.context()));
    refresh(state);
}

/// Brings its rows up to date: what can run now depends on everything else.
pub(super) fn refresh(state: &mut State) {
    let Some(mut palette) = state.palette.take() else { return };
    palette.fill(choices(palette.from, |context, action| why_not(state, context, action)));
    state.palette = Some(palette);
}

/// The keys of its field.
pub(super) fn keys(state: &mut State, action: Action) -> Vec<Effect> {
    let (_, height) = state.overlay_room();
    let Some(palette) = &mut state.palette else { return Vec::new() };
    match action {
        Action::Move(step) => palette.step(super::catalogue::distance(step, height)),
        Action::Back => state.palette = None,
        Action::Quit => return super::quit(state),
        Action::Field(FieldAction::Accept) => return run(state),
        Action::Field(FieldAction::Clear) => {
            palette.input.clear();
            palette.cursor = 0;
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

/// Runs the chosen action, with the keys in the pane that it belongs to.
fn run(state: &mut State) -> Vec<Effect> {
    let Some(choice) = state.palette.as_ref().and_then(Palette::chosen).cloned() else {
        return Vec::new();
    };
    if choice.why_not.is_some() {
        // The reason stands in its row.
        return Vec::new();
    }
    state.palette = None;
    state.focus = focus(choice.context).unwrap_or(state.focus);
    let settled = super::settle(state);
    settled.into_iter().chain(act(state, choice.context, choice.action)).collect()
}

fn focus(context: Context) -> Option<Focus> {
    match context {
        Context::Servers => Some(Focus::Servers),
        Context::List => Some(Focus::List),
        Context::Preview => Some(Focus::Preview),
        Context::Filter
        | Context::Form
        | Context::Json
        | Context::Save
        | Context::Palette
        | Context::Page
        | Context::Confirm
        | Context::Call
        | Context::Links
        | Context::Quit => None,
    }
}

/// Why an action would do nothing now.
fn why_not(state: &State, context: Context, action: Action) -> Option<String> {
    let Action::Pane(action) = action else { return None };
    let server = state.server().and_then(|id| state.view.server(&id));
    let link = server.map(|s| &s.link);
    let none = || "select a server first".to_owned();
    match action {
        PaneAction::Connect => match link {
            Some(Link::Up(_)) => Some("it is up".into()),
            Some(Link::Connecting) => Some("it is being connected".into()),
            Some(Link::Idle | Link::Down { .. }) | None => None,
        },
        PaneAction::Disconnect => match link {
            Some(Link::Up(_) | Link::Connecting) => None,
            // It would be connected again by itself.
            Some(Link::Down { .. }) if server.is_some_and(|s| s.again.is_some()) => None,
            Some(Link::Idle | Link::Down { .. }) => Some("it is not connected".into()),
            None => Some(none()),
        },
        PaneAction::Refresh => match link {
            Some(Link::Up(_)) | None => None,
            Some(Link::Connecting) => Some("it is being connected".into()),
            Some(Link::Idle | Link::Down { .. }) => Some("it is not connected".into()),
        },
        PaneAction::Noise | PaneAction::Traffic | PaneAction::Restart => {
            server.is_none().then(none)
        }
        PaneAction::Open if context == Context::List => {
            cannot_open(super::subject(state, Focus::List).as_ref())
        }
        PaneAction::Open if context == Context::Preview && state.preview.messages().is_none() => {
            cannot_open(state.preview.subject.as_ref())
        }
        PaneAction::FillIn => {
            let pane = if context == Context::List { Focus::List } else { Focus::Preview };
            let key = super::subject(state, pane).or_else(|| state.preview.subject.clone());
            form::why_no_form(state, key.as_ref()).map(str::to_owned)
        }
        PaneAction::Full if !state.can_be_fuller() => Some("it has the full width already".into()),
        PaneAction::Copy => take::why_no_copy(state),
        PaneAction::CopyQualified => take::why_no_address(state),
        PaneAction::CopyJson => take::why_no_json(state),
        PaneAction::Again => asking::why_not_again(state).map(str::to_owned),
        PaneAction::AskAgain => asking::why_no_ask_again(state).map(str::to_owned),
        PaneAction::Follow => links::why_not(state).map(str::to_owned),
        PaneAction::Return => links::why_no_return(state).map(str::to_owned),
        PaneAction::CopyBase64 => take::why_no_base64(state),
        PaneAction::Save => take::why_no_file(state),
        PaneAction::Watch => {
            let focus = focus(context).unwrap_or(Focus::List);
            let key = super::subject(state, focus);
            state.why_not_watched(key.as_ref()).map(str::to_owned)
        }
        PaneAction::Left
        | PaneAction::Right
        | PaneAction::Next
        | PaneAction::Previous
        | PaneAction::Show(_)
        | PaneAction::Open
        | PaneAction::Details
        | PaneAction::Full
        | PaneAction::Mouse
        | PaneAction::Filter => None,
    }
}

fn cannot_open(key: Option<&ItemKey>) -> Option<String> {
    let why = match key.map(|key| key.kind) {
        Some(Kind::Resource | Kind::Prompt | Kind::Template | Kind::Tool) => return None,
        Some(Kind::Server) | None => "nothing is selected that could be opened",
        Some(Kind::Malformed(..)) => "what could not be read cannot be opened",
    };
    Some(why.into())
}
