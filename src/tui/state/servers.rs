//! The pane of servers.

use crate::domain::{Link, ServerId};
use crate::registry::RegistryView;
use crate::tui::msg::Moment;
use std::collections::HashMap;

/// The pane of servers: which row is selected, and since when each server is being connected.
#[derive(Debug, Clone, Default)]
pub struct Servers {
    /// The selected server; `None` is the row of all servers.
    pub selected: Option<ServerId>,
    /// When a connection that is under way was first seen.
    pub connecting: HashMap<ServerId, Moment>,
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
    /// Not started.
    pub idle: usize,
}

impl Counts {
    /// Counts a snapshot.
    pub fn of(view: &RegistryView) -> Self {
        let mut counts = Self::default();
        for server in &view.servers {
            match server.link {
                Link::Up(_) => counts.up += 1,
                Link::Connecting => counts.connecting += 1,
                Link::Down { .. } => counts.down += 1,
                Link::Idle => counts.idle += 1,
            }
        }
        counts
    }
}

impl Servers {
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

    /// Takes note of a new snapshot.
    pub fn settle(&mut self, view: &RegistryView, now: Moment) {
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
