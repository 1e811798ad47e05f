//! The search over everything: what a query asks for, and what it finds.

use super::catalogue::Entry;
use super::filter::Search;
use super::item::{ListKind, RowInfo, RowRef, Tab};
use crate::registry::RegistryView;
use std::cmp::Reverse;
use std::sync::Arc;

/// How many rows are looked at while a key is being handled. What is beyond that is looked at
/// elsewhere, and comes later.
pub const AT_ONCE: usize = 5_000;

/// After how many rows a search says for the first time what it has found, and how many times as
/// many later it does so again.
const REPORT: (usize, usize) = (40_000, 4);

/// After how many rows a search looks if it is still wanted.
const STRETCH: usize = 4_096;

/// How many rows a report brings that is not the last.
const REPORTED: usize = 1_000;

/// What is typed into the field: words, `@server`, `#kind`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    /// The words, which must all be found.
    pub words: String,
    /// Parts of names of servers, in lower case; any of them.
    pub servers: Vec<String>,
    /// Beginnings of names of kinds, in lower case; any of them.
    pub kinds: Vec<String>,
}

impl Query {
    /// Reads what was typed. A sign with nothing behind it asks for nothing yet.
    pub fn new(text: &str) -> Self {
        let mut query = Self::default();
        let mut words = Vec::new();
        for word in text.split_whitespace() {
            match (word.strip_prefix('@'), word.strip_prefix('#')) {
                (Some(""), _) | (_, Some("")) => {}
                (Some(server), _) => query.servers.push(server.to_lowercase()),
                (_, Some(kind)) => query.kinds.push(kind.to_lowercase()),
                (None, None) => words.push(word),
            }
        }
        query.words = words.join(" ");
        query
    }

    /// Whether both ask for the same servers and kinds.
    pub fn is_about_the_same_as(&self, other: &Self) -> bool {
        self.servers == other.servers && self.kinds == other.kinds
    }

    /// Whether a row is of a server and a kind that are asked for.
    fn takes(&self, row: RowRef, info: &RowInfo<'_>) -> bool {
        let kind = || self.kinds.iter().any(|kind| row.list().is_called(kind));
        let server = || {
            let name = info.server.as_str().to_lowercase();
            self.servers.iter().any(|part| name.contains(part.as_str()))
        };
        (self.kinds.is_empty() || kind()) && (self.servers.is_empty() || server())
    }

    /// A kind that is asked for and that there is not.
    pub fn unknown_kind(&self) -> Option<&str> {
        let is_known = |kind: &str| ListKind::ALL.iter().any(|list| list.is_called(kind));
        self.kinds.iter().map(String::as_str).find(|kind| !is_known(kind))
    }
}

/// The rows that a search goes through.
#[derive(Debug, Clone)]
pub enum Among {
    /// Everything, in the order of the lists.
    All(Vec<RowRef>),
    /// What an earlier query found, of which this one asks for more.
    Found(Arc<Vec<Entry>>),
}

impl Among {
    /// Everything. Only what could not be read is written down: the rest is counted through.
    pub fn all(view: &RegistryView) -> Self {
        let mut malformed = Vec::new();
        for (place, server) in view.servers.iter().enumerate() {
            for list in Tab::ALL.into_iter().flat_map(ListKind::of) {
                let count = list.malformed(&server.lists).len();
                malformed.extend((0..count).map(|nth| RowRef::Malformed(place, *list, nth)));
            }
        }
        Self::All(malformed)
    }

    /// How many rows there are.
    pub fn len(&self, view: &RegistryView) -> usize {
        match self {
            Self::All(malformed) => view.catalogue.len() + malformed.len(),
            Self::Found(entries) => entries.len(),
        }
    }

    fn row(&self, view: &RegistryView, n: usize) -> Option<RowRef> {
        let malformed = match self {
            Self::All(malformed) => malformed,
            Self::Found(entries) => {
                return match entries.get(n)? {
                    Entry::Row(row) => Some(*row),
                    Entry::Heading(..) => None,
                };
            }
        };
        let catalogue = &view.catalogue;
        let mut n = n;
        for (length, make) in [
            (catalogue.resources.len(), RowRef::Resource as fn(usize) -> RowRef),
            (catalogue.templates.len(), RowRef::Template),
            (catalogue.prompts.len(), RowRef::Prompt),
            (catalogue.tools.len(), RowRef::Tool),
        ] {
            if n < length {
                return Some(make(n));
            }
            n -= length;
        }
        malformed.get(n).copied()
    }
}

/// A search that is under way.
struct Run<'a> {
    view: &'a RegistryView,
    among: &'a Among,
    query: Query,
    search: Search,
    found: Vec<(u32, RowRef)>,
}

impl<'a> Run<'a> {
    fn new(view: &'a RegistryView, among: &'a Among, text: &str) -> Self {
        let query = Query::new(text);
        let search = Search::new(&query.words);
        Self { view, among, query, search, found: Vec::new() }
    }

    fn look(&mut self, rows: std::ops::Range<usize>) {
        for n in rows {
            let row = self.among.row(self.view, n);
            let Some((row, info)) = row.and_then(|row| Some((row, row.info(self.view)?))) else {
                continue;
            };
            if self.query.takes(row, &info)
                && let Some(score) = self.search.score(&info)
            {
                self.found.push((score, row));
            }
        }
    }

    /// The best so far, at most so many; equals in the order of the lists.
    fn best(&mut self, most: usize) -> Vec<Entry> {
        let order = |(score, row): &(u32, RowRef)| (Reverse(*score), *row);
        if self.found.len() > most {
            self.found.select_nth_unstable_by_key(most, order);
        }
        let most = most.min(self.found.len());
        let best = self.found.get_mut(..most).unwrap_or_default();
        best.sort_unstable_by_key(order);
        best.iter().map(|(_, row)| Entry::Row(*row)).collect()
    }
}

/// What stands among the first rows, for the next frame.
pub fn at_once(view: &RegistryView, among: &Among, text: &str) -> Vec<Entry> {
    let mut run = Run::new(view, among, text);
    run.look(0..among.len(view).min(AT_ONCE));
    run.best(usize::MAX)
}

/// A search that takes longer than a frame.
#[derive(Clone)]
pub struct Job {
    /// Our name for it; a later one has a higher number.
    pub id: u64,
    /// What was typed.
    pub text: String,
    /// In which snapshot.
    pub view: Arc<RegistryView>,
    /// Among which rows.
    pub among: Among,
}

/// Two are the same when they are one.
impl PartialEq for Job {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Job {}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Job({}, {:?}, {} rows)", self.id, self.text, self.among.len(&self.view))
    }
}

impl Job {
    /// Looks through everything, and reports what was found so far now and then, and at the end;
    /// ends without a word when it is no longer wanted.
    pub fn run(&self, wanted: impl Fn() -> bool, mut report: impl FnMut(Found)) {
        let mut run = Run::new(&self.view, &self.among, &self.text);
        let (all, mut next) = (self.among.len(&self.view), REPORT.0);
        for begin in (0..all).step_by(STRETCH) {
            if !wanted() {
                return;
            }
            run.look(begin..(begin + STRETCH).min(all));
            if begin >= next {
                next *= REPORT.1;
                let matching = run.found.len();
                report(Found { id: self.id, entries: run.best(REPORTED), matching, done: false });
            }
        }
        let matching = run.found.len();
        let entries = run.best(usize::MAX);
        if wanted() {
            report(Found { id: self.id, entries, matching, done: true });
        }
    }
}

/// What a search has found.
#[derive(Debug, Clone)]
pub struct Found {
    /// Which search.
    pub id: u64,
    /// The rows, the best first.
    pub entries: Vec<Entry>,
    /// How many there are so far.
    pub matching: usize,
    /// Whether that is all.
    pub done: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_words_servers_and_kinds() {
        let query = Query::new(" notes  @Lib #Prompt today @ # @obs ");
        assert_eq!(query.words, "notes today");
        assert_eq!(query.servers, ["lib", "obs"]);
        assert_eq!(query.kinds, ["prompt"]);
        assert_eq!(query.unknown_kind(), None);
        assert_eq!(Query::new("#t #te").unknown_kind(), None);
        assert_eq!(Query::new("#tools #x").unknown_kind(), Some("x"));
        assert_eq!(Query::new("a#b c@d").words, "a#b c@d");
    }
}
