//! The pane of servers.

use super::item::{ListKind, Tab};
use crate::domain::{Link, ListingState, ServerId};
use crate::registry::{RegistryView, ServerView};
use crate::tui::msg::Moment;
use std::collections::{HashMap, HashSet};

/// The pane of servers: which row is selected, and since when each server is being connected.
#[derive(Debug, Clone, Default)]
pub struct Servers {
    /// The selected server; `None` is the row of all servers.
    pub selected: Option<ServerId>,
    /// When a connection that is under way was first seen.
    pub connecting: HashMap<ServerId, Moment>,
    /// Servers that were started, or tried, in this session.
    started: HashSet<ServerId>,
    /// How many items of a list could not be read when that was told last.
    malformed: HashMap<(ServerId, ListKind), usize>,
}

/// How many servers stand how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Ready.
    pub up: usize,
    /// Under way.
    pub connecting: usize,
    /// Lost or never reached.
    pub down: usize,
    /// Switched off in their file, and not started.
    pub off: usize,
    /// Disconnected by the user.
    pub disconnected: usize,
}

impl Counts {
    /// Counts a snapshot.
    pub fn of(view: &RegistryView, servers: &Servers) -> Self {
        let mut counts = Self::default();
        for server in &view.servers {
            match server.link {
                Link::Up(_) => counts.up += 1,
                Link::Connecting => counts.connecting += 1,
                Link::Down { .. } => counts.down += 1,
                Link::Idle if servers.is_off(server) => counts.off += 1,
                Link::Idle => counts.disconnected += 1,
            }
        }
        counts
    }
}

impl Servers {
    /// Whether a server is switched off in its file and was never started. One that the user
    /// disconnected is not.
    pub fn is_off(&self, server: &ServerView) -> bool {
        let started = server.connects > 0 || self.started.contains(&server.id);
        matches!(server.link, Link::Idle) && !started
    }

    /// The row of the selection: 0 is all servers.
    pub fn row(&self, view: &RegistryView) -> usize {
        let place = |id: &ServerId| view.servers.iter().position(|s| s.id == *id);
        self.selected.as_ref().and_then(place).map_or(0, |n| n + 1)
    }

    /// Moves the selection.
    pub fn step(&mut self, view: &RegistryView, by: isize) {
        let row = self.row(view).saturating_add_signed(by).min(view.servers.len());
        let server = row.checked_sub(1).and_then(|n| view.servers.get(n));
        self.selected = server.map(|s| s.id.clone());
    }

    /// The lists of a server in which the number of items that could not be read has changed to
    /// one that is to be told, with that number. What it gives counts as told.
    pub fn newly_malformed(&mut self, server: &ServerView) -> Vec<(ListKind, usize)> {
        let mut changed = Vec::new();
        for list in Tab::ALL.into_iter().flat_map(ListKind::of) {
            let standing = list.standing(&server.lists);
            if matches!(standing.state, ListingState::Loading) {
                continue;
            }
            let told = self.malformed.entry((server.id.clone(), *list)).or_default();
            if std::mem::replace(told, standing.malformed) != standing.malformed
                && standing.malformed > 0
            {
                changed.push((*list, standing.malformed));
            }
        }
        changed
    }

    /// Takes note of a new snapshot.
    pub fn settle(&mut self, view: &RegistryView, now: Moment) {
        let started = view.servers.iter().filter(|s| !matches!(s.link, Link::Idle));
        self.started.extend(started.map(|s| s.id.clone()));
        let before = std::mem::take(&mut self.connecting);
        for server in view.servers.iter().filter(|s| matches!(s.link, Link::Connecting)) {
            let since = before.get(&server.id).copied().unwrap_or(now);
            self.connecting.insert(server.id.clone(), since);
        }
        if self.selected.as_ref().is_some_and(|id| view.server(id).is_none()) {
            self.selected = None;
        }
    }
}
