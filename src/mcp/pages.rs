//! A list to its end: every page, bounded, what came before a fault kept.

use super::{
    connection::Connection,
    wire::{self, Item, NextPage, ReadPage},
};
use crate::domain::{Fault, FaultKind, Listing, ListingState, Truncation};
use serde_json::json;
use std::{
    collections::HashSet,
    hash::{BuildHasher, RandomState},
    sync::Arc,
};

/// Lists everything of one kind.
pub(super) async fn list<T: Item>(
    connection: &Connection,
    method: &'static str,
) -> Listing<Arc<T>> {
    let limits = &connection.target.limits;
    let mut listing = Listing::empty(ListingState::Fresh);
    // Hashes only: a cursor may be as long as a line, and there may be thousands. The key is made
    // anew each time, so that no server can make two cursors look alike.
    let hash = RandomState::new();
    let mut seen = HashSet::new();
    let mut cursor: Option<String> = None;
    for page in 1.. {
        let params = match &cursor {
            None => json!({}),
            Some(cursor) => json!({ "cursor": cursor }),
        };
        let read = match one_page::<T>(connection, method, params).await {
            Ok(read) => read,
            Err(fault) if page == 1 => return Listing::empty(ListingState::Failed(fault)),
            Err(fault) => {
                listing.state = ListingState::Partial(fault);
                return listing;
            }
        };
        listing.items.extend(read.items);
        listing.malformed.extend(read.malformed);
        let seen_items = listing.items.len() + listing.malformed.len();
        if seen_items > limits.max_items {
            listing.items.truncate(limits.max_items);
            listing.truncated = Some(Truncation::Items(limits.max_items));
            return listing;
        }
        let next = match read.next {
            NextPage::None => return listing,
            NextPage::Malformed => {
                let what = format!("nextCursor of {method} should be a string; the list may go on");
                let fault = Fault::new(FaultKind::Protocol, what);
                listing.state = ListingState::Partial(fault.of(&connection.target.spec.id));
                return listing;
            }
            NextPage::Cursor(next) => next,
        };
        if !seen.insert(hash.hash_one(&next)) {
            listing.truncated = Some(Truncation::RepeatedCursor);
            return without_repeats(listing);
        }
        if seen_items == limits.max_items {
            listing.truncated = Some(Truncation::Items(limits.max_items));
            return listing;
        }
        if page >= limits.max_pages {
            listing.truncated = Some(Truncation::Pages(limits.max_pages));
            return listing;
        }
        cursor = Some(next);
    }
    listing
}

/// A cursor that came back brought its page a second time: the same items again, which are kept
/// once.
fn without_repeats<T: Item>(mut listing: Listing<Arc<T>>) -> Listing<Arc<T>> {
    let mut seen = HashSet::new();
    listing.items.retain(|item| seen.insert(item.label().clone()));
    let mut seen = HashSet::new();
    listing.malformed.retain(|item| seen.insert(item.raw.clone()));
    listing
}

async fn one_page<T: Item>(
    connection: &Connection,
    method: &'static str,
    params: serde_json::Value,
) -> Result<ReadPage<T>, Fault> {
    let patience = connection.target.limits.request;
    let raw = match connection.call(method, params.clone(), patience).await {
        // Over HTTP a request may break while the connection stays. Listing is safe.
        Err(fault) if fault.kind.is_connection() && !connection.tap.gone.is_cancelled() => {
            connection.call(method, params, patience).await?
        }
        called => called?,
    };
    raw.read(wire::page::<T>).map_err(|why| {
        let what = format!("the answer to {method} cannot be used: {why}");
        Fault::new(FaultKind::Protocol, what).of(&connection.target.spec.id)
    })
}
