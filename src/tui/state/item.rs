//! What can be selected: an item by identity, and its row in the registry's snapshot.

use crate::domain::{Listing, Malformed, ServerId, UntrustedText};
use crate::registry::{Lists, RegistryView, Row};

/// The tabs of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Tab {
    /// Resources and their templates.
    #[default]
    Resources,
    /// Prompts.
    Prompts,
    /// Tools.
    Tools,
}

impl Tab {
    /// All, in their order on the screen.
    pub const ALL: [Self; 3] = [Self::Resources, Self::Prompts, Self::Tools];

    /// Its title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Resources => "Resources",
            Self::Prompts => "Prompts",
            Self::Tools => "Tools",
        }
    }

    /// What stands in it, for a sentence.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Resources => "resources",
            Self::Prompts => "prompts",
            Self::Tools => "tools",
        }
    }
}

/// One of the four lists of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ListKind {
    /// Resources.
    Resources,
    /// Resource templates.
    Templates,
    /// Prompts.
    Prompts,
    /// Tools.
    Tools,
}

impl ListKind {
    /// All.
    pub const ALL: [Self; 4] = [Self::Resources, Self::Templates, Self::Prompts, Self::Tools];

    /// Whether a beginning of its name is this, in lower case.
    pub fn is_called(self, beginning: &str) -> bool {
        self.noun().starts_with(beginning)
    }

    /// The tab that shows it.
    pub fn tab(self) -> Tab {
        match self {
            Self::Resources | Self::Templates => Tab::Resources,
            Self::Prompts => Tab::Prompts,
            Self::Tools => Tab::Tools,
        }
    }

    /// Its mark in a list of everything, two columns wide.
    pub fn mark(self) -> &'static str {
        match self {
            Self::Resources => "R ",
            Self::Templates => "{}",
            Self::Prompts => "P ",
            Self::Tools => "T ",
        }
    }

    /// The lists that a tab shows.
    pub fn of(tab: Tab) -> &'static [Self] {
        match tab {
            Tab::Resources => &[Self::Resources, Self::Templates],
            Tab::Prompts => &[Self::Prompts],
            Tab::Tools => &[Self::Tools],
        }
    }

    /// What it holds, for a sentence.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Resources => "resources",
            Self::Templates => "templates",
            Self::Prompts => "prompts",
            Self::Tools => "tools",
        }
    }

    /// The items of it that could not be read.
    pub fn malformed(self, lists: &Lists) -> &[Malformed] {
        match self {
            Self::Resources => &lists.resources.malformed,
            Self::Templates => &lists.templates.malformed,
            Self::Prompts => &lists.prompts.malformed,
            Self::Tools => &lists.tools.malformed,
        }
    }

    /// How it stands, and how many items it has.
    pub fn standing(self, lists: &Lists) -> Standing<'_> {
        fn of<T>(listing: &Listing<T>) -> Standing<'_> {
            Standing {
                state: &listing.state,
                truncated: listing.truncated,
                items: listing.items.len(),
                malformed: listing.malformed.len(),
            }
        }
        match self {
            Self::Resources => of(&lists.resources),
            Self::Templates => of(&lists.templates),
            Self::Prompts => of(&lists.prompts),
            Self::Tools => of(&lists.tools),
        }
    }
}

/// How a list stands, whatever is in it.
#[derive(Debug, Clone, Copy)]
pub struct Standing<'a> {
    /// How the last load went.
    pub state: &'a crate::domain::ListingState,
    /// Whether it goes on.
    pub truncated: Option<crate::domain::Truncation>,
    /// How many items could be read.
    pub items: usize,
    /// How many could not.
    pub malformed: usize,
}

/// What kind of thing an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A server itself.
    Server,
    /// A resource.
    Resource,
    /// A resource template.
    Template,
    /// A prompt.
    Prompt,
    /// A tool.
    Tool,
    /// An item of a list that could not be read, by its place among those.
    Malformed(ListKind, usize),
}

/// An item by what it is, not by where it stands: survives every change of a list.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ItemKey {
    /// Whose it is.
    pub server: ServerId,
    /// What it is.
    pub kind: Kind,
    /// Its URI, template or name; empty for a server and for what could not be read.
    pub name: UntrustedText,
}

impl ItemKey {
    /// The tab that lists it.
    pub fn tab(&self) -> Option<Tab> {
        match self.kind {
            Kind::Server => None,
            Kind::Resource | Kind::Template => Some(Tab::Resources),
            Kind::Prompt => Some(Tab::Prompts),
            Kind::Tool => Some(Tab::Tools),
            Kind::Malformed(list, _) => Some(list.tab()),
        }
    }

    /// A server itself.
    pub fn server(id: &ServerId) -> Self {
        Self { server: id.clone(), kind: Kind::Server, name: UntrustedText::default() }
    }
}

/// A row of the list, as a place in a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowRef {
    /// A place in `catalogue.resources`.
    Resource(usize),
    /// A place in `catalogue.templates`.
    Template(usize),
    /// A place in `catalogue.prompts`.
    Prompt(usize),
    /// A place in `catalogue.tools`.
    Tool(usize),
    /// A place in `servers` and among what could not be read there.
    Malformed(usize, ListKind, usize),
}

/// What the list and the filter need to know of a row.
#[derive(Debug, Clone, Copy)]
pub struct RowInfo<'a> {
    /// Whose it is.
    pub server: &'a ServerId,
    /// Its name; absent only where an item could not be read.
    pub name: Option<&'a UntrustedText>,
    /// Its name for people.
    pub title: Option<&'a UntrustedText>,
    /// Its URI or template, where it has one beside the name.
    pub address: Option<&'a UntrustedText>,
    /// Why it could not be read.
    pub why: Option<&'a str>,
}

impl RowRef {
    /// Of which list it is.
    pub fn list(self) -> ListKind {
        match self {
            Self::Resource(_) => ListKind::Resources,
            Self::Template(_) => ListKind::Templates,
            Self::Prompt(_) => ListKind::Prompts,
            Self::Tool(_) => ListKind::Tools,
            Self::Malformed(_, list, _) => list,
        }
    }

    /// What the row is, for the list and the filter.
    pub fn info(self, view: &RegistryView) -> Option<RowInfo<'_>> {
        let catalogue = &view.catalogue;
        Some(match self {
            Self::Resource(n) => {
                let row = catalogue.resources.get(n)?;
                known(row, &row.item.name, row.item.title.as_ref(), Some(&row.item.uri))
            }
            Self::Template(n) => {
                let row = catalogue.templates.get(n)?;
                known(row, &row.item.name, row.item.title.as_ref(), Some(&row.item.uri_template))
            }
            Self::Prompt(n) => {
                let row = catalogue.prompts.get(n)?;
                known(row, &row.item.name, row.item.title.as_ref(), None)
            }
            Self::Tool(n) => {
                let row = catalogue.tools.get(n)?;
                known(row, &row.item.name, row.item.title.as_ref(), None)
            }
            Self::Malformed(server, list, nth) => {
                let server = view.servers.get(server)?;
                let item = list.malformed(&server.lists).get(nth)?;
                RowInfo {
                    server: &server.id,
                    name: item.label.as_ref(),
                    title: None,
                    address: None,
                    why: Some(&item.why),
                }
            }
        })
    }

    /// The item's identity.
    pub fn key(self, view: &RegistryView) -> Option<ItemKey> {
        fn key<T: crate::registry::Addressed>(row: &Row<T>, kind: Kind) -> ItemKey {
            ItemKey { server: row.server.clone(), kind, name: row.item.bare().clone() }
        }
        let catalogue = &view.catalogue;
        Some(match self {
            Self::Resource(n) => key(catalogue.resources.get(n)?, Kind::Resource),
            Self::Template(n) => key(catalogue.templates.get(n)?, Kind::Template),
            Self::Prompt(n) => key(catalogue.prompts.get(n)?, Kind::Prompt),
            Self::Tool(n) => key(catalogue.tools.get(n)?, Kind::Tool),
            Self::Malformed(server, list, nth) => ItemKey {
                server: view.servers.get(server)?.id.clone(),
                kind: Kind::Malformed(list, nth),
                name: UntrustedText::default(),
            },
        })
    }

    /// Whether the row is the item with this identity. Copies nothing.
    pub fn is(self, view: &RegistryView, key: &ItemKey) -> bool {
        fn same<T: crate::registry::Addressed>(row: Option<&Row<T>>, key: &ItemKey) -> bool {
            row.is_some_and(|r| *r.item.bare() == key.name && r.server == key.server)
        }
        let catalogue = &view.catalogue;
        match (self, key.kind) {
            (Self::Resource(n), Kind::Resource) => same(catalogue.resources.get(n), key),
            (Self::Template(n), Kind::Template) => same(catalogue.templates.get(n), key),
            (Self::Prompt(n), Kind::Prompt) => same(catalogue.prompts.get(n), key),
            (Self::Tool(n), Kind::Tool) => same(catalogue.tools.get(n), key),
            (Self::Malformed(server, list, nth), Kind::Malformed(l, n)) => {
                (list, nth) == (l, n)
                    && view.servers.get(server).is_some_and(|s| s.id == key.server)
            }
            _ => false,
        }
    }
}

fn known<'a, T>(
    row: &'a Row<T>,
    name: &'a UntrustedText,
    title: Option<&'a UntrustedText>,
    address: Option<&'a UntrustedText>,
) -> RowInfo<'a> {
    RowInfo { server: &row.server, name: Some(name), title, address, why: None }
}
