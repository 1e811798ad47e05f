//! Servers: new snapshots, the keys of their pane, and the keys that act on one.

use super::renew_details;
use crate::domain::{Link, ListingState, ServerId};
use crate::registry::{RegistryView, ServerView};
use crate::tui::effect::Effect;
use crate::tui::msg::Step;
use crate::tui::state::item::{ListKind, Tab};
use crate::tui::state::notices::About;
use crate::tui::state::{Focus, State, words};
use crate::tui::theme::Role;
use std::sync::Arc;

/// Takes over a snapshot; what changed for worse or better since the last one becomes notices.
pub(super) fn new_view(state: &mut State, view: Arc<RegistryView>) -> Vec<Effect> {
    for server in &view.servers {
        let before = state.view.server(&server.id).cloned();
        let about = About::Server(server.id.clone());
        if before.as_ref().is_some_and(|b| b.link.label() != server.link.label()) {
            state.notices.outdate(&about);
        }
        if has_listed_since(before.as_deref(), server) {
            state.notices.outdate(&About::Lists(Some(server.id.clone())));
        }
        // The gravest last: the newest is what the bar shows.
        let malformed = malformed_news(&state.servers.newly_malformed(server), server);
        let noise = noise_news(before.as_deref(), server);
        let notes = malformed.into_iter().chain(noise).chain(news(before.as_deref(), server));
        for (role, note) in notes {
            state.notices.add_about(state.now, role, note, about.clone());
        }
    }
    if view.is_settled() && view.servers.iter().any(|s| has_listed_since(of(state, s), s)) {
        state.notices.outdate(&About::Lists(None));
    }
    if !same_lists(&state.view, &view) {
        state.catalogue.invalidate();
    }
    let before = std::mem::replace(&mut state.view, view);
    super::watch::new_view(state, &before);
    state.servers.settle(&state.view, state.now);
    renew_details(state);
    let noise = super::preview::follow_noise(state);
    noise.into_iter().chain(super::traffic::follow(state)).collect()
}

/// Whether two snapshots have the very same rows.
fn same_lists(before: &RegistryView, now: &RegistryView) -> bool {
    let same = |(a, b): (&Arc<ServerView>, &Arc<ServerView>)| {
        a.id == b.id
            && Arc::ptr_eq(&a.lists.resources, &b.lists.resources)
            && Arc::ptr_eq(&a.lists.templates, &b.lists.templates)
            && Arc::ptr_eq(&a.lists.prompts, &b.lists.prompts)
            && Arc::ptr_eq(&a.lists.tools, &b.lists.tools)
    };
    let (a, b) = (&before.catalogue, &now.catalogue);
    Arc::ptr_eq(&a.resources, &b.resources)
        && Arc::ptr_eq(&a.templates, &b.templates)
        && Arc::ptr_eq(&a.prompts, &b.prompts)
        && Arc::ptr_eq(&a.tools, &b.tools)
        && before.servers.len() == now.servers.len()
        && before.servers.iter().zip(&now.servers).all(same)
}

/// The same server in the snapshot before.
fn of<'a>(state: &'a State, server: &ServerView) -> Option<&'a ServerView> {
    state.view.server(&server.id).map(AsRef::as_ref)
}

/// Whether nothing of a server is being loaded any more, and something was. A reload that began
/// and ended between two snapshots has left other lists.
fn has_listed_since(before: Option<&ServerView>, now: &ServerView) -> bool {
    let changed = |b: &ServerView| !b.is_settled() || !Arc::ptr_eq(&b.lists, &now.lists);
    now.is_settled() && before.is_some_and(changed)
}

/// That items could not be read, all lists of the server in one sentence.
fn malformed_news(changed: &[(ListKind, usize)], server: &ServerView) -> Option<(Role, String)> {
    let parts: Vec<String> =
        changed.iter().map(|(list, number)| format!("{number} of its {}", list.noun())).collect();
    let place = match changed {
        [] => return None,
        [(_, 1)] => "it stands at the end of the list",
        _ => "they stand at the end of the list",
    };
    let text = format!("{}: {} could not be read; {place}", server.id, parts.join(" and "));
    Some((Role::Warn, text))
}

/// That a server has begun to say what it must not.
fn noise_news(before: Option<&ServerView>, now: &ServerView) -> Vec<(Role, String)> {
    let was = before.map(|b| b.noise).unwrap_or_default();
    let mut notes = Vec::new();
    if was.breaches == 0 && now.noise.breaches > 0 {
        notes.push((Role::Warn, format!("{} breaks the protocol; e shows how", now.id)));
    }
    if was.stray_lines == 0 && now.noise.stray_lines > 0 {
        let what = "writes to standard output what is no protocol message; e shows it";
        notes.push((Role::Warn, format!("{} {what}", now.id)));
    }
    notes
}

/// What is new of a server between two snapshots.
fn news(before: Option<&ServerView>, now: &ServerView) -> Vec<(Role, String)> {
    let was = before.map(|b| &b.link);
    match &now.link {
        Link::Down { why } if was != Some(&now.link) => {
            let text = format!("{} is down: {}", now.id, words::fault_line(why));
            vec![(Role::Bad, text)]
        }
        Link::Idle if was.is_some_and(|was| !matches!(was, Link::Idle)) => {
            vec![(Role::Plain, format!("{} is disconnected", now.id))]
        }
        Link::Up(_) => {
            let mut notes = list_news(before, now);
            let again = was.is_some_and(|was| !matches!(was, Link::Up(_))) && now.connects > 1;
            if again {
                notes.push((Role::Good, format!("{} is up again", now.id)));
            }
            notes
        }
        // That the lists of a server that is not up are stale is no news beside that.
        Link::Down { .. } | Link::Idle | Link::Connecting => Vec::new(),
    }
}

/// Which lists of a server that is up became bad, or go on beyond what was loaded.
fn list_news(before: Option<&ServerView>, now: &ServerView) -> Vec<(Role, String)> {
    let mut notes = Vec::new();
    for list in Tab::ALL.into_iter().flat_map(ListKind::of) {
        let state = list.standing(&now.lists).state;
        let same = before.is_some_and(|b| list.standing(&b.lists).state == state);
        if let (
            ListingState::Failed(f) | ListingState::Partial(f) | ListingState::Stale(f),
            false,
        ) = (state, same)
        {
            let text = format!("{}, {}: {}", now.id, list.noun(), words::fault_line(f));
            notes.push((Role::Bad, text));
        }
        let truncated = |s: &ServerView| list.standing(&s.lists).truncated;
        if let Some(why) = truncated(now)
            && before.is_none_or(|b| truncated(b) != Some(why))
        {
            notes.push((Role::Warn, format!("{}, {}: {}", now.id, list.noun(), why.text())));
        }
    }
    notes
}

/// Selects a row; 0 is all servers.
pub(super) fn select(state: &mut State, row: usize) {
    let by = isize::try_from(row).unwrap_or(isize::MAX);
    let from = isize::try_from(state.servers.row(&state.view)).unwrap_or(isize::MAX);
    move_by(state, by.saturating_sub(from));
}

/// Moves the selection; the list follows it.
pub(super) fn step(state: &mut State, step: Step) {
    let (_, height) = state.room(Focus::Servers);
    move_by(state, super::catalogue::distance(step, height));
}

fn move_by(state: &mut State, rows: isize) {
    let before = state.servers.selected.clone();
    state.servers.step(&state.view, rows);
    if before != state.servers.selected {
        state.catalogue.invalidate();
    }
}

/// Lists everything of the selected server again, or of all that are up.
pub(super) fn refresh(state: &mut State) -> Vec<Effect> {
    let view = state.view.clone();
    let Some(server) = target(state) else {
        let up = view.servers.iter().filter(|s| matches!(s.link, Link::Up(_)));
        let effects: Vec<_> = up.map(|s| Effect::Refresh(s.id.clone())).collect();
        let text = match effects.len() {
            0 => "no server is up: c connects those that are down".to_owned(),
            number => format!("asking {} for their lists again", words::count(number, "server")),
        };
        let about = if effects.is_empty() { About::Nothing } else { About::Lists(None) };
        state.notices.add_about(state.now, Role::Plain, text, about);
        return effects;
    };
    let id = &server.id;
    match server.link {
        Link::Up(_) => {
            let text = format!("asking {id} for its lists again");
            let about = About::Lists(Some(id.clone()));
            state.notices.add_about(state.now, Role::Plain, text, about);
            return vec![Effect::Refresh(id.clone())];
        }
        Link::Connecting => tell_of(state, id, format!("{id} is being connected")),
        Link::Idle | Link::Down { .. } => {
            tell_of(state, id, format!("{id} is not connected: c connects it"));
        }
    }
    Vec::new()
}

/// Connects the selected server, or all that are down or were disconnected; those that are off
/// stay off.
pub(super) fn connect(state: &mut State) -> Vec<Effect> {
    let view = state.view.clone();
    let Some(server) = target(state) else {
        let wanted = |s: &&Arc<ServerView>| match s.link {
            Link::Down { .. } => true,
            Link::Idle => !state.servers.is_off(s),
            Link::Up(_) | Link::Connecting => false,
        };
        let effects: Vec<_> =
            view.servers.iter().filter(wanted).map(|s| Effect::Connect(s.id.clone())).collect();
        if effects.is_empty() {
            tell(state, "no server is down");
        }
        return effects;
    };
    let id = &server.id;
    match server.link {
        Link::Up(_) => tell_of(state, id, format!("{id} is up")),
        Link::Connecting => tell_of(state, id, format!("{id} is being connected")),
        Link::Idle | Link::Down { .. } => return vec![Effect::Connect(id.clone())],
    }
    Vec::new()
}

/// Disconnects the selected server; never all at once.
pub(super) fn disconnect(state: &mut State) -> Vec<Effect> {
    let Some(server) = target(state) else {
        tell(state, "select a server first: x disconnects one");
        return Vec::new();
    };
    match server.link {
        Link::Up(_) | Link::Connecting => return vec![Effect::Disconnect(server.id.clone())],
        // It would be connected again by itself.
        Link::Down { .. } if server.again.is_some() => {
            return vec![Effect::Disconnect(server.id.clone())];
        }
        Link::Idle | Link::Down { .. } => {
            let id = &server.id;
            tell_of(state, id, format!("{id} is not connected"));
        }
    }
    Vec::new()
}

/// Ends the selected server and starts it anew; never all at once.
pub(super) fn restart(state: &mut State) -> Vec<Effect> {
    if let Some(server) = target(state) {
        return vec![Effect::Restart(server.id.clone())];
    }
    tell(state, "select a server first: R restarts one");
    Vec::new()
}

/// The server that is meant, as it stands.
fn target(state: &State) -> Option<Arc<ServerView>> {
    state.view.server(&state.server()?).cloned()
}

/// Answers a key that does nothing else.
pub(super) fn tell(state: &mut State, text: impl Into<String>) {
    state.notices.add(state.now, Role::Plain, text);
}

/// The same, as long as that server stands as it does.
fn tell_of(state: &mut State, server: &ServerId, text: impl Into<String>) {
    let about = About::Server(server.clone());
    state.notices.add_about(state.now, Role::Plain, text, about);
}
