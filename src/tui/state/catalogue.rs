//! The list pane: tabs, the search over everything, which rows are visible, which one is selected.

use super::field::TextField;
use super::item::{ItemKey, ListKind, RowRef, Tab};
use super::search::{self, Among, Found, Job, Query};
use crate::domain::ServerId;
use crate::registry::{RegistryView, Row};
use std::sync::Arc;

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
    /// How many items there are; in a search, among which.
    pub total: usize,
    /// How many of them are listed, or were found.
    pub matching: usize,
    /// The selected item, by identity.
    pub selected: Option<ItemKey>,
    /// Where that is in `entries`.
    pub cursor: usize,
    /// Whether it was ever computed.
    filled: bool,
    /// Whether the snapshot or the server has changed since.
    stale: bool,
    /// Whether a key was pressed while it was on screen. Before that the first row is selected,
    /// whichever server answers first.
    touched: bool,
}

/// The list pane.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    /// The tab on the screen, while nothing is searched for.
    pub tab: Tab,
    /// Whether the search's field has the keys.
    pub typing: bool,
    /// The search's field: it goes over everything.
    pub filter: TextField,
    tabs: [TabState; 3],
    /// What is found, while something is searched for.
    hits: TabState,
    /// The query that `hits` answers.
    query: String,
    /// The search that is under way elsewhere.
    pending: Option<u64>,
    searches: u64,
    /// Whether the best is to be selected, and not what is selected now.
    wants_best: bool,
}

impl Catalogue {
    /// What is on the screen: what is found, or a tab.
    pub fn current(&self) -> &TabState {
        if self.is_filtered() { &self.hits } else { self.of(self.tab) }
    }

    fn of(&self, tab: Tab) -> &TabState {
        let [resources, prompts, tools] = &self.tabs;
        match tab {
            Tab::Resources => resources,
            Tab::Prompts => prompts,
            Tab::Tools => tools,
        }
    }

    fn current_mut(&mut self) -> &mut TabState {
        if self.is_filtered() { &mut self.hits } else { self.of_mut(self.tab) }
    }

    fn of_mut(&mut self, tab: Tab) -> &mut TabState {
        let [resources, prompts, tools] = &mut self.tabs;
        match tab {
            Tab::Resources => resources,
            Tab::Prompts => prompts,
            Tab::Tools => tools,
        }
    }

    /// Tells that the snapshot or the selected server has changed.
    pub fn invalidate(&mut self) {
        for tab in self.tabs.iter_mut().chain([&mut self.hits]) {
            tab.stale = true;
        }
    }

    /// Brings what is on the screen up to date. Cheap when nothing has changed. Gives a search
    /// that takes longer than a frame, if one is to be begun.
    pub fn settle(&mut self, view: &Arc<RegistryView>, server: Option<&ServerId>) -> Option<Job> {
        if self.is_filtered() {
            return self.search(view);
        }
        (self.query, self.pending) = (String::new(), None);
        let tab = self.tab;
        let state = self.of_mut(tab);
        if state.stale || !state.filled {
            state.fill(all_rows(tab, view, server), view);
        }
        None
    }

    /// Answers the query at once as far as a frame has time; the rest is a job.
    fn search(&mut self, view: &Arc<RegistryView>) -> Option<Job> {
        let text = self.filter.text().trim().to_owned();
        if !self.hits.stale && self.query == text {
            return None;
        }
        let narrows = !self.hits.stale
            && self.pending.is_none()
            && !self.query.is_empty()
            && text.starts_with(&self.query)
            // One more server or kind asks for more, not for less.
            && Query::new(&text).is_about_the_same_as(&Query::new(&self.query));
        let among = if narrows {
            Among::Found(Arc::new(std::mem::take(&mut self.hits.entries)))
        } else {
            Among::all(view)
        };
        let typed = self.query != text;
        // The list may change under a search: then what is selected stays selected.
        self.wants_best = typed;
        self.hits.total = Among::all(view).len(view);
        (self.hits.stale, self.query) = (false, text.clone());
        let entries = search::at_once(view, &among, &text);
        let is_all = among.len(view) <= search::AT_ONCE;
        self.searches += 1;
        self.pending = (!is_all).then_some(self.searches);
        self.take_hits(view, entries, is_all);
        let (id, view) = (self.pending?, view.clone());
        Some(Job { id, text, view, among })
    }

    /// Takes what a search has found, if it is the latest.
    pub fn found(&mut self, view: &RegistryView, found: Found) {
        if self.pending != Some(found.id) {
            return;
        }
        if found.done {
            self.pending = None;
        }
        let matching = found.matching;
        self.take_hits(view, found.entries, found.done);
        self.hits.matching = matching;
    }

    fn take_hits(&mut self, view: &RegistryView, entries: Vec<Entry>, is_all: bool) {
        self.hits.matching = entries.len();
        self.hits.entries = entries;
        if self.wants_best {
            self.hits.select_near(view, 0, false);
        } else {
            self.hits.find_selected(view, is_all);
        }
    }

    /// Whether a search goes on.
    pub fn is_searching(&self) -> bool {
        self.pending.is_some()
    }

    /// A key was pressed: from now on the selection stays with its item.
    pub fn touch(&mut self) {
        let state = self.current_mut();
        state.touched = !state.entries.is_empty();
    }

    /// Moves the selection by rows; headings are stepped over.
    pub fn step(&mut self, view: &RegistryView, by: isize) {
        self.wants_best = false;
        let state = self.current_mut();
        let last = state.entries.len().saturating_sub(1);
        state.select_near(view, state.cursor.saturating_add_signed(by).min(last), by < 0);
    }

    /// Selects an entry; a heading cannot be selected.
    pub fn select(&mut self, view: &RegistryView, entry: usize) {
        self.wants_best = false;
        let state = self.current_mut();
        if matches!(state.entries.get(entry), Some(Entry::Row(_))) {
            state.select_near(view, entry, false);
        }
    }

    /// Ends the search. What was selected in it stays selected, in its own tab.
    pub fn clear_filter(&mut self) {
        self.filter.clear();
        if let Some(key) = self.hits.selected.take()
            && let Some(tab) = key.tab()
        {
            self.tab = tab;
            let state = self.of_mut(tab);
            (state.selected, state.touched, state.stale) = (Some(key), true, true);
        }
    }

    /// Shows a tab; a search ends.
    pub fn show(&mut self, tab: Tab) {
        self.filter.clear();
        self.hits.selected = None;
        self.tab = tab;
    }

    /// Whether something is searched for.
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

    fn fill(&mut self, sections: Vec<(Section, Vec<RowRef>)>, view: &RegistryView) {
        (self.stale, self.filled) = (false, true);
        self.entries.clear();
        self.total = sections.iter().map(|(_, rows)| rows.len()).sum();
        self.matching = self.total;
        for (section, rows) in sections {
            if let (Some(heading), false) = (section.heading(), rows.is_empty()) {
                self.entries.push(Entry::Heading(heading, rows.len()));
            }
            self.entries.extend(rows.into_iter().map(Entry::Row));
        }
        if self.touched {
            self.find_selected(view, true);
        } else {
            self.select_near(view, 0, false);
        }
    }

    /// Puts the cursor on the selected item. When it is gone, and all is there, the cursor stays
    /// where it was.
    fn find_selected(&mut self, view: &RegistryView, is_all: bool) {
        let found = self.selected.as_ref().and_then(|key| {
            self.entries.iter().position(|e| matches!(e, Entry::Row(r) if r.is(view, key)))
        });
        let last = self.entries.len().saturating_sub(1);
        match found {
            Some(cursor) => self.cursor = cursor,
            None if is_all => self.select_near(view, self.cursor.min(last), false),
            None => self.cursor = self.cursor.min(last),
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
