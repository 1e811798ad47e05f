//! Watching resources: asking for it, letting go, and reading again what has changed on screen.

use super::preview::named;
use super::servers::tell;
use crate::domain::{CallId, Fault, FaultKind, SubscriptionState};
use crate::registry::RegistryView;
use crate::tui::effect::Effect;
use crate::tui::state::confirm::Wanted;
use crate::tui::state::notices::About;
use crate::tui::state::preview::{Outcome, Showing};
use crate::tui::state::watches::{Ask, subscription};
use crate::tui::state::{Focus, ItemKey, Kind, Page, State, words};
use crate::tui::theme::Role;

/// Watches the resource on screen, or lets it go.
pub(super) fn toggle(state: &mut State) -> Vec<Effect> {
    let key = state.preview.subject.clone();
    if let Some(why) = state.why_not_watched(key.as_ref()) {
        tell(state, why);
        return Vec::new();
    }
    let Some(key) = key else { return Vec::new() };
    let on = !state.is_watched(&key);
    let (call, server, uri) = (state.mint(), key.server.clone(), key.name.clone());
    if let Some(upkeep) = state.preview.upkeep_mut(&key) {
        (upkeep.asked, upkeep.kept) = (None, None);
    }
    let replaced = state.watches.ask(Ask { call, key, on });
    let watch = Effect::Watch { call, server, uri, on };
    replaced.map(Effect::Cancel).into_iter().chain([watch]).collect()
}

/// How a wish to watch, or to let go, has ended.
pub(super) fn answered(state: &mut State, call: CallId, result: Result<(), Fault>) {
    let Some(Ask { key, on, .. }) = state.watches.answered(call) else { return };
    let name = named(&key);
    let (role, text) = match (on, result) {
        (true, Ok(())) => (Role::Good, format!("watched: {name}; w lets go")),
        (true, Err(why)) => {
            (Role::Bad, format!("not watched: {name}: {}", words::fault_line(&why)))
        }
        (false, Ok(())) => (Role::Plain, format!("no longer watched: {name}")),
        (false, Err(why)) if why.kind == FaultKind::NotFound => {
            (Role::Plain, format!("no longer watched: {name}"))
        }
        (false, Err(why)) => {
            let why = words::fault_line(&why);
            (
                Role::Warn,
                format!("no longer watched, though its server did not agree: {name}: {why}"),
            )
        }
    };
    tell_of(state, key, role, text);
}

/// Tells how a watched resource stands; what was told of it before is no longer news.
fn tell_of(state: &mut State, key: ItemKey, role: Role, text: String) {
    let about = About::Watch(key);
    state.notices.outdate(&about);
    state.notices.add_about(state.now, role, text, about);
}

/// There is a new snapshot: tells of refusals that nobody waits for, and forgets how far things
/// had come that nobody tells of any more.
pub(super) fn new_view(state: &mut State, before: &RegistryView) {
    let mut refused = Vec::new();
    for server in &state.view.servers {
        for one in server.subscriptions.iter() {
            let SubscriptionState::Refused(why) = &one.state else { continue };
            let was = subscription(before, &server.id, &one.uri).map(|s| &s.state);
            let is_news = was.is_some_and(|was| !matches!(was, SubscriptionState::Refused(_)));
            let (server, name) = (server.id.clone(), one.uri.clone());
            let key = ItemKey { server, kind: Kind::Resource, name };
            if is_news && state.watches.wish(&key).is_none() {
                refused.push((key, words::fault_line(why)));
            }
        }
    }
    for (key, why) in refused {
        let text = format!("no longer watched: {}: {why}", named(&key));
        tell_of(state, key, Role::Bad, text);
    }
    state.watches.settle(&state.view);
    let followed: Vec<ItemKey> = state.preview.followed().cloned().collect();
    for key in followed {
        if state.told(&key).is_none()
            && let Some(upkeep) = state.preview.upkeep_mut(&key)
        {
            (upkeep.asked, upkeep.kept) = (None, None);
        }
    }
}

/// The resource whose content is on screen.
fn on_screen(state: &State) -> Option<&ItemKey> {
    let covered = state.form.is_some() || state.overlay.is_some() || state.palette.is_some();
    let seen = state.preview.showing == Showing::Content
        && !covered
        && state.areas().is_some_and(|areas| areas.preview.is_some());
    state.preview.subject.as_ref().filter(|key| seen && key.kind == Kind::Resource)
}

/// Brings what is on screen in line with what its server told of it, after every message: one
/// read at a time, and the next only once the server has told of more. What needs a yes waits for
/// a person.
pub(super) fn follow(state: &mut State) -> Option<Effect> {
    let key = on_screen(state)?.clone();
    let told = state.told(&key)?;
    let opened = state.preview.opened(&key)?;
    let upkeep = match opened.outcome {
        Outcome::Running { .. } => return None,
        Outcome::Done(_) | Outcome::Failed(_) => opened.upkeep,
    };
    if let Some(kept) = upkeep.kept {
        state.watches.look_at(key.clone(), kept);
    }
    let is_new = upkeep.asked.is_none_or(|asked| asked.generation != told.generation);
    if upkeep.call.is_some() || !is_new || state.wants_yes(&key, &Wanted::Read) {
        return None;
    }
    let call = state.mint();
    let upkeep = state.preview.upkeep_mut(&key)?;
    (upkeep.asked, upkeep.call) = (Some(told), Some(call));
    Some(Effect::Read { call, server: key.server, uri: key.name })
}

/// What was read again has come: it takes the place of what is kept, and the window stays where it
/// is. When it could not be read, what is kept stays.
pub(super) fn read_again(state: &mut State, call: CallId, result: Result<Page, Fault>) {
    let Some(key) = state.preview.kept_up_by(call).cloned() else { return };
    let room = state.room(Focus::Preview);
    let is_seen = on_screen(state) == Some(&key);
    let Some(upkeep) = state.preview.upkeep_mut(&key) else { return };
    upkeep.call = None;
    let (role, text) = match result {
        Ok(page) => {
            // The first read after it was agreed on only makes sure that nothing was missed.
            let changed = upkeep.kept.is_some();
            upkeep.kept = upkeep.asked;
            state.preview.replace(&key, page, room);
            if !is_seen || !changed {
                return;
            }
            (Role::Plain, format!("changed, and read again: {}", named(&key)))
        }
        Err(why) => {
            let why = words::fault_line(&why);
            (Role::Bad, format!("changed, but could not be read again: {}: {why}", named(&key)))
        }
    };
    tell_of(state, key, role, text);
}
