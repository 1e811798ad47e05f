//! The list pane: tabs, the filter, which rows are visible, which one is selected.

use super::field::TextField;
use super::filter::Search;
use super::item::{ItemKey, ListKind, RowRef, Tab};
use crate::domain::ServerId;
use crate::registry::{RegistryView, Row};

/// A line of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// A heading over rows of a kind, with their number; cannot be selected.
    Heading(&'static str, usize),
    /// An item.
    Row(RowRef),
}

/// One tab: what is visible of it, computed once per change.
#[derive(Debug, Clone, Default)]
pub struct TabState {
    /// The visible lines, in order.
    pub entries: Vec<Entry>,
    /// How many items there are without the filter.
    pub total: usize,
    /// How many items are visible.
    pub matching: usize,
    /// The selected item, by identity.
    pub selected: Option<ItemKey>,
    /// Where that is in `entries`.
    pub cursor: usize,
    /// The query that `entries` answers.
    query: String,
    /// Whether the snapshot or the server has changed since.
    stale: bool,
    /// Whether a key was pressed while it was on screen. Before that the first row is selected,
    /// whichever server answers first.
    touched: bool,
}

/// The list pane.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    /// The tab on the screen.
    pub tab: Tab,
    /// Whether the filter's field has the keys.
    pub typing: bool,
    /// The filter's field. One filter serves all tabs.
    pub filter: TextField,
    tabs: [TabState; 3],
}

impl Catalogue {
    /// The tab on the screen.
    pub fn current(&self) -> &TabState {
        let [resources, prompts, tools] = &self.tabs;
        match self.tab {
            Tab::Resources => resources,
            Tab::Prompts => prompts,
            Tab::Tools => tools,
        }
    }

    fn current_mut(&mut self) -> &mut TabState {
        let [resources, prompts, tools] = &mut self.tabs;
        match self.tab {
            Tab::Resources => resources,
            Tab::Prompts => prompts,
            Tab::Tools => tools,
        }
    }

    /// Tells that the snapshot or the selected server has changed.
    pub fn invalidate(&mut self) {
        for tab in &mut self.tabs {
            tab.stale = true;
        }
    }

    /// Brings the tab on the screen up to date. Cheap when nothing has changed.
    pub fn settle(&mut self, view: &RegistryView, server: Option<&ServerId>) {
        let (tab, query) = (self.tab, self.filter.text().trim().to_owned());
        let state = self.current_mut();
        if !state.stale && state.query == query {
            return;
        }
        let extends = !state.stale && !state.query.is_empty() && query.starts_with(&state.query);
        let sections = if extends { split(&state.entries) } else { all_rows(tab, view, server) };
        if !extends {
            state.total = sections.iter().map(|s| s.1.len()).sum();
        }
        let typed = state.query != query && !query.is_empty();
        state.fill(sections, view, &query);
        if typed {
            // What was typed asks for the best, which stands first.
            state.select_near(view, 0, false);
        }
        state.query = query;
        state.stale = false;
    }

    /// A key was pressed: from now on the selection stays with its item.
    pub fn touch(&mut self) {
        let state = self.current_mut();
        state.touched = !state.entries.is_empty();
    }

    /// Moves the selection by rows; headings are stepped over.
    pub fn step(&mut self, view: &RegistryView, by: isize) {
        let state = self.current_mut();
        let last = state.entries.len().saturating_sub(1);
        state.select_near(view, state.cursor.saturating_add_signed(by).min(last), by < 0);
    }

    /// Selects an entry; a heading cannot be selected.
    pub fn select(&mut self, view: &RegistryView, entry: usize) {
        let state = self.current_mut();
        if matches!(state.entries.get(entry), Some(Entry::Row(_))) {
            state.select_near(view, entry, false);
        }
    }

    /// Forgets the filter.
    pub fn clear_filter(&mut self) {
        self.filter.clear();
    }

    /// Whether rows are filtered.
    pub fn is_filtered(&self) -> bool {
        !self.filter.text().trim().is_empty()
    }
}

impl TabState {
    /// The row under the cursor.
    pub fn row(&self) -> Option<RowRef> {
        match self.entries.get(self.cursor)? {
            Entry::Row(row) => Some(*row),
            Entry::Heading(..) => None,
        }
    }

    fn fill(&mut self, sections: Vec<(Section, Vec<RowRef>)>, view: &RegistryView, query: &str) {
        let mut search = (!query.is_empty()).then(|| Search::new(query));
        self.entries.clear();
        self.matching = 0;
        for (section, rows) in sections {
            let rows = match &mut search {
                Some(search) => ranked(rows, view, search),
                None => rows,
            };
            self.matching += rows.len();
            if let (Some(heading), false) = (section.heading(), rows.is_empty()) {
                self.entries.push(Entry::Heading(heading, rows.len()));
            }
            self.entries.extend(rows.into_iter().map(Entry::Row));
        }
        if !self.touched {
            self.select_near(view, 0, false);
            return;
        }
        let found = self.selected.as_ref().and_then(|key| {
            self.entries.iter().position(|e| matches!(e, Entry::Row(r) if r.is(view, key)))
        });
        match found {
            Some(cursor) => self.cursor = cursor,
            // Stay where the lost row was.
            None => {
                let last = self.entries.len().saturating_sub(1);
                self.select_near(view, self.cursor.min(last), false);
            }
        }
    }

    /// Selects the row nearest to a place, looking first in the given direction.
    fn select_near(&mut self, view: &RegistryView, at: usize, up: bool) {
        let is_row = |e: &Entry| matches!(e, Entry::Row(_));
        let below = || self.entries.iter().skip(at).position(is_row).map(|n| at + n);
        let above = || self.entries.iter().take(at + 1).rposition(is_row);
        let found = if up { above().or_else(below) } else { below().or_else(above) };
        self.cursor = found.unwrap_or(0);
        self.selected = self.row().and_then(|row| row.key(view));
    }
}

/// The sections of a tab.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Items,
    Templates,
    Malformed,
}

impl Section {
    fn heading(self) -> Option<&'static str> {
        match self {
            Self::Items => None,
            Self::Templates => Some("templates"),
            Self::Malformed => Some("could not be read"),
        }
    }

    fn of(row: RowRef) -> Self {
        match row {
            RowRef::Resource(_) | RowRef::Prompt(_) | RowRef::Tool(_) => Self::Items,
            RowRef::Template(_) => Self::Templates,
            RowRef::Malformed(..) => Self::Malformed,
        }
    }
}

/// The visible rows again by section, in the order of the lists.
fn split(entries: &[Entry]) -> Vec<(Section, Vec<RowRef>)> {
    [Section::Items, Section::Templates, Section::Malformed]
        .into_iter()
        .map(|section| {
            let rows = entries.iter().filter_map(|e| match e {
                Entry::Row(row) if Section::of(*row) == section => Some(*row),
                Entry::Row(_) | Entry::Heading(..) => None,
            });
            (section, rows.collect())
        })
        .collect()
}

fn all_rows(
    tab: Tab,
    view: &RegistryView,
    server: Option<&ServerId>,
) -> Vec<(Section, Vec<RowRef>)> {
    fn of<T>(
        rows: &[Row<T>],
        server: Option<&ServerId>,
        make: impl Fn(usize) -> RowRef,
    ) -> Vec<RowRef> {
        let wanted = |row: &Row<T>| server.is_none_or(|s| row.server == *s);
        rows.iter().enumerate().filter(|(_, r)| wanted(r)).map(|(n, _)| make(n)).collect()
    }
    let catalogue = &view.catalogue;
    let mut sections = match tab {
        Tab::Resources => vec![
            (Section::Items, of(&catalogue.resources, server, RowRef::Resource)),
            (Section::Templates, of(&catalogue.templates, server, RowRef::Template)),
        ],
        Tab::Prompts => vec![(Section::Items, of(&catalogue.prompts, server, RowRef::Prompt))],
        Tab::Tools => vec![(Section::Items, of(&catalogue.tools, server, RowRef::Tool))],
    };
    let mut malformed = Vec::new();
    for (place, one) in view.servers.iter().enumerate() {
        if server.is_some_and(|s| one.id != *s) {
            continue;
        }
        for list in ListKind::of(tab) {
            let count = list.malformed(&one.lists).len();
            malformed.extend((0..count).map(|nth| RowRef::Malformed(place, *list, nth)));
        }
    }
    sections.push((Section::Malformed, malformed));
    sections
}

/// The rows that match, the best first, equals in their order.
fn ranked(rows: Vec<RowRef>, view: &RegistryView, search: &mut Search) -> Vec<RowRef> {
    let mut scored: Vec<(u32, RowRef)> =
        rows.into_iter().filter_map(|row| Some((search.score(&row.info(view)?)?, row))).collect();
    scored.sort_by_key(|(score, row)| (std::cmp::Reverse(*score), *row));
    scored.into_iter().map(|(_, row)| row).collect()
}
