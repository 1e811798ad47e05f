//! What this session may see and do, per server; checked when listing and again at the call.

use super::Addressed;
use crate::{
    config,
    domain::{Listing, Permissions, Surface},
};
use std::sync::Arc;

/// Whether the session may use a name on a surface.
pub(super) fn allows(permissions: &Permissions, surface: Surface, name: &str) -> bool {
    config::allows(permissions.of(surface), name)
}

/// Whether a name on a surface is used only after a person said yes.
pub(super) fn needs_confirmation(permissions: &Permissions, surface: Surface, name: &str) -> bool {
    let patterns = permissions.confirm.of(surface);
    patterns.is_some_and(|patterns| config::allows(Some(patterns), name))
}

/// The items of a list that the session may see, and how many it may not.
pub(super) fn visible<T: Addressed>(
    listing: &Arc<Listing<Arc<T>>>,
    permissions: &Permissions,
    surface: Surface,
) -> (Arc<Listing<Arc<T>>>, usize) {
    if permissions.of(surface).is_none() {
        return (listing.clone(), 0);
    }
    let may = |item: &&Arc<T>| allows(permissions, surface, item.bare().raw());
    let items: Vec<Arc<T>> = listing.items.iter().filter(may).cloned().collect();
    let hidden = listing.items.len() - items.len();
    let seen = Listing {
        items,
        malformed: listing.malformed.clone(),
        state: listing.state.clone(),
        truncated: listing.truncated,
    };
    (Arc::new(seen), hidden)
}
