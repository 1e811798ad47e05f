//! A list that a server gave, with all that is wrong with it.

use super::{Fault, UntrustedText};

/// What is known of one list of one server. Old rows survive a reload that fails; a failed load
/// is never an empty list.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing<T> {
    /// The items that could be read, in the server's order.
    pub items: Vec<T>,
    /// The items that could not, each with its reason and its JSON.
    pub malformed: Vec<Malformed>,
    /// How the last load went.
    pub state: ListingState,
    /// Set when the list goes on beyond what was loaded.
    pub truncated: Option<Truncation>,
}

/// How the last load of a list went.
#[derive(Debug, Clone, PartialEq)]
pub enum ListingState {
    /// The server does not advertise this kind of list; nothing was asked.
    NotOffered,
    /// Asked, not answered yet; rows of an earlier load may be there.
    Loading,
    /// Loaded to the end.
    Fresh,
    /// Rows of an earlier load; the reload failed or the server went away.
    Stale(Fault),
    /// Some pages came, then one failed.
    Partial(Fault),
    /// Nothing came.
    Failed(Fault),
}

/// Why a list was cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truncation {
    /// The server gave a cursor that it had given before.
    RepeatedCursor,
    /// More pages than the limit allows.
    Pages(usize),
    /// More items than the limit allows.
    Items(usize),
}

impl Truncation {
    /// The reason in words for a person.
    pub fn text(self) -> String {
        match self {
            Self::RepeatedCursor => {
                "the server repeated a page cursor; its paging is faulty, so the list may go on"
                    .into()
            }
            Self::Pages(limit) => format!("cut after {limit} pages (limit max_pages)"),
            Self::Items(limit) => format!("cut after {limit} items (limit max_items)"),
        }
    }
}

/// An item that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    /// What is wrong, in our words: «annotations should be an object».
    pub why: String,
    /// Its name or URI, where it has one.
    pub label: Option<UntrustedText>,
    /// Its JSON, as sent.
    pub raw: UntrustedText,
}

impl<T> Listing<T> {
    /// An empty list in the given state.
    pub fn empty(state: ListingState) -> Self {
        Self { items: Vec::new(), malformed: Vec::new(), state, truncated: None }
    }

    /// The fault of the last load, if it had one.
    pub fn fault(&self) -> Option<&Fault> {
        match &self.state {
            ListingState::Stale(f) | ListingState::Partial(f) | ListingState::Failed(f) => Some(f),
            ListingState::NotOffered | ListingState::Loading | ListingState::Fresh => None,
        }
    }

    /// Whether these rows were loaded before the server went away or refused.
    pub fn is_stale(&self) -> bool {
        matches!(self.state, ListingState::Stale(_))
    }
}

impl<T> Default for Listing<T> {
    fn default() -> Self {
        Self::empty(ListingState::NotOffered)
    }
}
