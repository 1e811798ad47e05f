//! What this session may see and do, per server; checked when listing and again at the call.

use super::Lists;
use crate::{
    config,
    domain::{Listing, Permissions, Surface},
    mcp::SessionState,
};
use std::sync::Arc;

/// Whether the session may use a name on a surface.
pub(super) fn allows(permissions: &Permissions, surface: Surface, name: &str) -> bool {
    config::allows(permissions.of(surface), name)
}

/// The lists of a server as far as the session may see them.
pub(super) fn filter(state: &SessionState, permissions: &Permissions) -> Lists {
    let mut hidden = [0; 3];
    let [of_resources, of_prompts, of_tools] = &mut hidden;
    let may = |surface, name: &str| allows(permissions, surface, name);
    Lists {
        resources: visible(&state.resources, of_resources, |r| {
            may(Surface::Resources, r.uri.raw())
        }),
        templates: visible(&state.templates, of_resources, |t| {
            may(Surface::Resources, t.uri_template.raw())
        }),
        prompts: visible(&state.prompts, of_prompts, |p| may(Surface::Prompts, p.name.raw())),
        tools: visible(&state.tools, of_tools, |t| may(Surface::Tools, t.name.raw())),
        hidden,
    }
}

fn visible<T>(
    listing: &Listing<Arc<T>>,
    hidden: &mut usize,
    may: impl Fn(&T) -> bool,
) -> Listing<Arc<T>> {
    let items: Vec<Arc<T>> = listing.items.iter().filter(|item| may(item)).cloned().collect();
    *hidden += listing.items.len() - items.len();
    Listing {
        items,
        malformed: listing.malformed.clone(),
        state: listing.state.clone(),
        truncated: listing.truncated,
    }
}
