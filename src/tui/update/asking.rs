//! The keys of the question before a call of a tool, and calls that are made again.

use super::servers::tell;
use super::{confirm, preview};
use crate::tui::effect::Effect;
use crate::tui::msg::{Action, FieldAction};
use crate::tui::state::confirm::{Confirm, Wanted};
use crate::tui::state::{ItemKey, Kind, State, details};
use crate::tui::theme::Role;

/// The keys of the question.
pub(super) fn keys(state: &mut State, action: Action) -> Vec<Effect> {
    match action {
        Action::Field(FieldAction::Accept) => return yes(state, false),
        Action::Field(FieldAction::Always) => return yes(state, true),
        Action::Move(step) => {
            let room = state.asking_body().map_or((1, 1), |area| {
                (usize::from(area.width).max(1), usize::from(area.height).max(1))
            });
            if let Some(asking) = state.confirm.as_mut().and_then(|c| c.asking.as_mut()) {
                asking.place = preview::scroll(&asking.page, asking.place, room, step);
            }
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
            | FieldAction::Choose(_),
        )
        | Action::Pane(_)
        | Action::Overlay(_)
        | Action::Palette
        | Action::Stop => {}
    }
    Vec::new()
}

/// A frame is on the screen. A question counts as seen once its last line was in it.
pub(super) fn drawn(state: &mut State) {
    let (now, has_room, sees_all) = (state.now, state.asking_body().is_some(), state.sees_all());
    let Some(asking) = state.confirm.as_mut().and_then(|c| c.asking.as_mut()) else { return };
    if !has_room {
        asking.seen = None;
    } else if sees_all {
        asking.seen.get_or_insert(now);
    }
}

/// A yes; `always` also for later calls of the tool.
fn yes(state: &mut State, always: bool) -> Vec<Effect> {
    let now = state.now;
    let counts = |confirm: &mut Confirm| {
        let asking = confirm.asking.as_ref();
        asking.is_some_and(|asking| asking.takes_yes(now) && (asking.can_skip || !always))
    };
    let Some(Confirm { key, wanted, asking }) = state.confirm.take_if(counts) else {
        // A key that is held is refused for as long as it is.
        if let Some(asking) = state.confirm.as_mut().and_then(|c| c.asking.as_mut()) {
            asking.seen = asking.seen.map(|_| now);
        }
        return Vec::new();
    };
    let shown = asking.and_then(|asking| asking.tool);
    let row = details::row(&state.view.catalogue.tools, &key).map(|row| row.item.clone());
    if shown != row {
        // What was looked at is not what would be called.
        let text = "its server changed this tool meanwhile: look again";
        state.notices.add(now, Role::Warn, text);
        state.confirm = Some(state.question(key, wanted));
        return Vec::new();
    }
    let effects = confirm::send(state, key.clone(), wanted);
    if let (true, Some(tool), false) = (always, shown, effects.is_empty()) {
        tell(state, format!("{} is not asked about again until exit", preview::named(&key)));
        state.calls.skip(key, tool);
        super::renew_details(state);
    }
    effects
}

/// Calls the tool on screen again with what it was sent last.
pub(super) fn again(state: &mut State) -> Vec<Effect> {
    let key = state.preview.subject.clone();
    let last = key.and_then(|key| Some((state.calls.last(&key)?.clone(), key)));
    match last {
        Some((wanted, key)) => confirm::start(state, key, wanted),
        None => {
            tell(state, NOT_CALLED);
            Vec::new()
        }
    }
}

/// Nothing was sent.
const NOT_CALLED: &str = "no call of it was made that could be made again";

/// Why no call can be made again now.
pub(super) fn why_not_again(state: &State) -> Option<&'static str> {
    let last = state.preview.subject.as_ref().and_then(|key| state.calls.last(key));
    last.is_none().then_some(NOT_CALLED)
}

/// Asks again before calls of the tool on screen.
pub(super) fn ask_again(state: &mut State) -> Vec<Effect> {
    match state.preview.subject.clone() {
        Some(key) if key.kind == Kind::Tool && state.calls.ask_again(&key) => {
            tell(state, format!("{} is asked about again", preview::named(&key)));
            super::renew_details(state);
        }
        Some(_) | None => tell(state, ASKED),
    }
    Vec::new()
}

/// There is nothing to take back.
const ASKED: &str = "it is asked about anyway";

/// Why it could not be asked again.
pub(super) fn why_no_ask_again(state: &State) -> Option<&'static str> {
    let key = state.preview.subject.as_ref();
    (!key.is_some_and(|key| state.is_unasked(key))).then_some(ASKED)
}

/// Whether something that would be called is running already: one call of a tool at a time.
pub(super) fn is_busy(state: &mut State, key: &ItemKey, wanted: &Wanted) -> bool {
    let busy = matches!(wanted, Wanted::Call { .. }) && preview::is_running(state, key);
    if busy {
        let text = format!("{} is running; Esc on it stops it", preview::named(key));
        state.notices.add(state.now, Role::Warn, text);
    }
    busy
}
