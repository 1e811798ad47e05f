//! What the registry shows: whole snapshots, so that missing one is harmless.

use super::{Again, Catalogue, Noise};
use crate::domain::{
    Link, Listing, ListingState::Loading, Permissions, Prompt, Resource, ResourceTemplate,
    ServerId, Subscription, Surface, Tool,
};
use std::sync::Arc;

/// Everything that is known of all servers at one moment.
#[derive(Debug, Clone, Default)]
pub struct RegistryView {
    /// Grows with every change.
    pub generation: u64,
    /// The servers in the order of configuration.
    pub servers: Vec<Arc<ServerView>>,
    /// What they all list, merged.
    pub catalogue: Arc<Catalogue>,
}

impl RegistryView {
    /// One server by name.
    pub fn server(&self, id: &ServerId) -> Option<&Arc<ServerView>> {
        self.servers.iter().find(|s| s.id == *id)
    }

    /// Whether nothing is being connected or loaded right now.
    pub fn is_settled(&self) -> bool {
        self.servers.iter().all(|s| s.is_settled())
    }
}

/// Everything that is known of one server at one moment.
#[derive(Debug, Clone)]
pub struct ServerView {
    /// The user's name for it.
    pub id: ServerId,
    /// `in-process`, `stdio`, `http`.
    pub transport: &'static str,
    /// Where its entry was read.
    pub source: String,
    /// How it is reached, one line each, secrets masked, safe to print.
    pub details: Vec<String>,
    /// How things stand.
    pub link: Link,
    /// Whether it will be connected again by itself, when it is down.
    pub again: Option<Again>,
    /// How often it was connected in this session.
    pub connects: u32,
    /// What it lists, after permissions.
    pub lists: Arc<Lists>,
    /// The resources that are watched, and how each stands.
    pub subscriptions: Arc<[Subscription]>,
    /// What this session may see and do there, and what needs a yes.
    pub permissions: Arc<Permissions>,
    /// Counts of what it said beside the protocol.
    pub noise: Noise,
    /// Whether it is told that it may ask for sampling.
    pub sampling: bool,
}

impl ServerView {
    /// Whether a name on a surface is used only after a person said yes.
    pub fn needs_confirmation(&self, surface: Surface, name: &str) -> bool {
        super::authority::needs_confirmation(&self.permissions, surface, name)
    }

    /// Whether nothing of it is being connected or loaded right now.
    pub fn is_settled(&self) -> bool {
        [Surface::Resources, Surface::Prompts, Surface::Tools]
            .into_iter()
            .all(|s| self.has_listed(s))
    }

    /// Whether it is not being connected, and its lists of a surface are not being loaded.
    pub fn has_listed(&self, surface: Surface) -> bool {
        let lists = &self.lists;
        let loading = match surface {
            Surface::Resources => {
                lists.resources.state == Loading || lists.templates.state == Loading
            }
            Surface::Prompts => lists.prompts.state == Loading,
            Surface::Tools => lists.tools.state == Loading,
        };
        !loading && !matches!(self.link, Link::Connecting)
    }
}

/// The lists of one server.
#[derive(Debug, Clone, Default)]
pub struct Lists {
    /// `resources/list`
    pub resources: Arc<Listing<Arc<Resource>>>,
    /// `resources/templates/list`
    pub templates: Arc<Listing<Arc<ResourceTemplate>>>,
    /// `prompts/list`
    pub prompts: Arc<Listing<Arc<Prompt>>>,
    /// `tools/list`
    pub tools: Arc<Listing<Arc<Tool>>>,
    /// How many items this session's permissions hide.
    pub hidden: Hidden,
}

/// How many items of each list this session's permissions hide.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Hidden {
    /// Of the resources.
    pub resources: usize,
    /// Of the templates.
    pub templates: usize,
    /// Of the prompts.
    pub prompts: usize,
    /// Of the tools.
    pub tools: usize,
}

impl Lists {
    /// How many items of a surface this session's permissions hide.
    pub fn hidden(&self, surface: Surface) -> usize {
        match surface {
            Surface::Resources => self.hidden.resources + self.hidden.templates,
            Surface::Prompts => self.hidden.prompts,
            Surface::Tools => self.hidden.tools,
        }
    }
}
