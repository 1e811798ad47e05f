//! What all servers list, merged.

use super::{ServerView, authority::needs_confirmation};
use crate::content::UriTemplate;
use crate::domain::is_absolute_uri as is_absolute;
use crate::domain::{Prompt, Resource, ResourceTemplate, ServerId, Surface, Tool, UntrustedText};
use foldhash::quality::RandomState;
use serde::Serialize;
use serde_json::{Map, Value};
use std::{
    collections::{HashMap, hash_map::Entry},
    sync::Arc,
};

/// What all servers list, merged, in the order of configuration and of each server's list.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    /// Resources.
    pub resources: Arc<Vec<Row<Resource>>>,
    /// Resource templates.
    pub templates: Arc<Vec<Row<ResourceTemplate>>>,
    /// Prompts.
    pub prompts: Arc<Vec<Row<Prompt>>>,
    /// Tools.
    pub tools: Arc<Vec<Row<Tool>>>,
}

impl Catalogue {
    /// What these servers list.
    pub fn of(servers: &[Arc<ServerView>]) -> Self {
        Self {
            resources: merge(servers, |s| &s.lists.resources.items),
            templates: merge(servers, |s| &s.lists.templates.items),
            prompts: merge(servers, |s| &s.lists.prompts.items),
            tools: merge(servers, |s| &s.lists.tools.items),
        }
    }

    /// How many items there are in all.
    pub fn len(&self) -> usize {
        self.resources.len() + self.templates.len() + self.prompts.len() + self.tools.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// One item of one server.
#[derive(Debug, Clone)]
pub struct Row<T> {
    /// Whose it is.
    pub server: ServerId,
    /// The item.
    pub item: Arc<T>,
    /// Whether another server lists the same name, so that the bare one is ambiguous.
    pub ambiguous: bool,
    /// How often this server lists it; the same URI twice is one row with a note.
    pub copies: u32,
    /// Whether it is used only after a person said yes ([`Registry::confirmed`]).
    ///
    /// [`Registry::confirmed`]: super::Registry::confirmed
    pub needs_confirmation: bool,
}

/// An item that has a name in addresses.
pub trait Addressed {
    /// What stands between server and name: `:` for URIs, `.` for names.
    const SEPARATOR: char;
    /// The surface it is on.
    const SURFACE: Surface;
    /// The URI, template or name.
    fn bare(&self) -> &UntrustedText;
    /// Whether what stands behind `server` and the separator can be a name by itself, although
    /// the server never listed it.
    fn can_stand_alone(_rest: &str) -> bool {
        false
    }
}

impl Addressed for Resource {
    const SEPARATOR: char = ':';
    const SURFACE: Surface = Surface::Resources;
    fn bare(&self) -> &UntrustedText {
        &self.uri
    }
    /// A server may be called like a scheme: `library://books/1` is a URI and not the URI
    /// `//books/1` of the server `library`.
    fn can_stand_alone(rest: &str) -> bool {
        is_absolute(rest)
    }
}
impl Addressed for ResourceTemplate {
    const SEPARATOR: char = ':';
    const SURFACE: Surface = Surface::Resources;
    fn bare(&self) -> &UntrustedText {
        &self.uri_template
    }
}
impl Addressed for Prompt {
    const SEPARATOR: char = '.';
    const SURFACE: Surface = Surface::Prompts;
    fn bare(&self) -> &UntrustedText {
        &self.name
    }
}
impl Addressed for Tool {
    const SEPARATOR: char = '.';
    const SURFACE: Surface = Surface::Tools;
    fn bare(&self) -> &UntrustedText {
        &self.name
    }
}

impl<T: Addressed> Row<T> {
    /// The shortest address that means this item and no other: bare when unique.
    pub fn address(&self) -> UntrustedText {
        if self.ambiguous { self.qualified() } else { self.item.bare().clone() }
    }

    /// The address that is always accepted: `server:uri`, `server.prompt`.
    pub fn qualified(&self) -> UntrustedText {
        format!("{}{}{}", self.server, T::SEPARATOR, self.item.bare().raw()).into()
    }
}

/// Merges one list of all servers.
pub(super) fn merge<T: Addressed>(
    servers: &[Arc<ServerView>],
    items: impl Fn(&ServerView) -> &[Arc<T>],
) -> Arc<Vec<Row<T>>> {
    let total = servers.iter().map(|s| items(s).len()).sum();
    let mut rows: Vec<Row<T>> = Vec::with_capacity(total);
    // The latest row of each name: enough to find both a copy within one server and a second owner.
    let mut latest: HashMap<&str, usize, RandomState> =
        HashMap::with_capacity_and_hasher(total, RandomState::default());
    for server in servers {
        for item in items(server) {
            let ambiguous = match latest.entry(item.bare().raw()) {
                Entry::Vacant(free) => {
                    free.insert(rows.len());
                    false
                }
                Entry::Occupied(mut earlier) => {
                    let Some(row) = rows.get_mut(*earlier.get()) else { continue };
                    if row.server == server.id {
                        row.copies += 1;
                        continue;
                    }
                    row.ambiguous = true;
                    earlier.insert(rows.len());
                    true
                }
            };
            let name = item.bare().raw();
            let needs_confirmation = needs_confirmation(&server.permissions, T::SURFACE, name);
            let (server, item) = (server.id.clone(), item.clone());
            rows.push(Row { server, item, ambiguous, copies: 1, needs_confirmation });
        }
    }
    Arc::new(rows)
}

/// A resource as the library and `--json` show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ResourceRow {
    /// Its address: bare when unique, else `server:uri`.
    pub uri: UntrustedText,
    /// Whose it is.
    pub server: ServerId,
    /// Its name.
    pub name: UntrustedText,
    /// What it is.
    pub description: Option<UntrustedText>,
    /// Its media type, as claimed.
    pub mime_type: Option<UntrustedText>,
    /// Whether it is used only after a person said yes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub confirm: bool,
}

/// A template as the library and `--json` show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TemplateRow {
    /// Its address: bare when unique, else `server:template`.
    pub uri_template: UntrustedText,
    /// Whose it is.
    pub server: ServerId,
    /// Its name.
    pub name: UntrustedText,
    /// What it is.
    pub description: Option<UntrustedText>,
    /// The media type of what it yields, as claimed.
    pub mime_type: Option<UntrustedText>,
    /// Why it cannot be filled in, in our words, if it cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// Whether it is used only after a person said yes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub confirm: bool,
}

/// A prompt as the library and `--json` show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PromptRow {
    /// Its address: bare when unique, else `server.name`.
    pub name: UntrustedText,
    /// Whose it is.
    pub server: ServerId,
    /// What it is for.
    pub description: Option<UntrustedText>,
    /// What it asks for.
    pub arguments: Vec<ArgumentRow>,
    /// Whether it is used only after a person said yes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub confirm: bool,
}

/// An argument of a prompt as the library and `--json` show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ArgumentRow {
    /// Its name.
    pub name: UntrustedText,
    /// What to write.
    pub description: Option<UntrustedText>,
    /// Whether the server needs it.
    pub required: bool,
}

/// A tool as the library and `--json` show it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ToolRow {
    /// Its address: bare when unique, else `server.name`.
    pub name: UntrustedText,
    /// Whose it is.
    pub server: ServerId,
    /// What it does.
    pub description: Option<UntrustedText>,
    /// JSON Schema of its arguments, as sent.
    pub input_schema: Map<String, Value>,
    /// JSON Schema of its structured result, as sent; absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Map<String, Value>>,
    /// Hints of the server, as far as they are known. Untrusted.
    pub annotations: Map<String, Value>,
    /// Whether it is used only after a person said yes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub confirm: bool,
}

impl From<&Row<Resource>> for ResourceRow {
    fn from(row: &Row<Resource>) -> Self {
        Self {
            confirm: row.needs_confirmation,
            uri: row.address(),
            server: row.server.clone(),
            name: row.item.name.clone(),
            description: row.item.description.clone(),
            mime_type: row.item.mime_type.clone(),
        }
    }
}

impl Row<ResourceTemplate> {
    /// Why it cannot be filled in, in our words, if it cannot.
    pub fn problem(&self) -> Option<String> {
        let parsed = UriTemplate::parse(self.item.uri_template.raw());
        parsed.err().map(|why| why.to_string())
    }
}

impl From<&Row<ResourceTemplate>> for TemplateRow {
    fn from(row: &Row<ResourceTemplate>) -> Self {
        Self {
            confirm: row.needs_confirmation,
            problem: row.problem(),
            uri_template: row.address(),
            server: row.server.clone(),
            name: row.item.name.clone(),
            description: row.item.description.clone(),
            mime_type: row.item.mime_type.clone(),
        }
    }
}

impl From<&Row<Prompt>> for PromptRow {
    fn from(row: &Row<Prompt>) -> Self {
        let argument = |a: &crate::domain::PromptArgument| ArgumentRow {
            name: a.name.clone(),
            description: a.description.clone(),
            required: a.required,
        };
        Self {
            confirm: row.needs_confirmation,
            name: row.address(),
            server: row.server.clone(),
            description: row.item.description.clone(),
            arguments: row.item.arguments.iter().map(argument).collect(),
        }
    }
}

impl From<&Row<Tool>> for ToolRow {
    fn from(row: &Row<Tool>) -> Self {
        let mut annotations = Map::new();
        if let Some(hints) = &row.item.annotations {
            if let Some(title) = &hints.title {
                annotations.insert("title".into(), title.raw().into());
            }
            for (key, hint) in [
                ("readOnlyHint", hints.read_only),
                ("destructiveHint", hints.destructive),
                ("idempotentHint", hints.idempotent),
                ("openWorldHint", hints.open_world),
            ] {
                if let Some(hint) = hint {
                    annotations.insert(key.into(), hint.into());
                }
            }
        }
        Self {
            confirm: row.needs_confirmation,
            name: row.address(),
            server: row.server.clone(),
            description: row.item.description.clone(),
            input_schema: row.item.input_schema.clone(),
            output_schema: row.item.output_schema.clone(),
            annotations,
        }
    }
}
