//! A list to its end: every page, bounded, what came before a fault kept.

use super::{
    answer::RawResult,
    connection::Connection,
    cursor,
    wire::{self, Item, NextPage, ReadPage},
};
use crate::domain::{Fault, FaultKind, Listing, ListingState, Truncation};
use futures_util::future::{MaybeDone, maybe_done};
use serde_json::json;
use std::{
    collections::HashSet,
    future::poll_fn,
    hash::{BuildHasher, RandomState},
    pin::{Pin, pin},
    sync::Arc,
};

/// Above this many bytes a page is read on a thread of its own: the next one is asked for
/// meanwhile, and the runtime's threads stay free.
const PARSE_APART: usize = 16 * 1024;

/// Lists everything of one kind. Where a page shows at a glance how it goes on, the next one is
/// asked for before this one is read; never more than one ahead.
pub(super) async fn list<T: Item>(
    connection: &Connection,
    method: &'static str,
) -> Listing<Arc<T>> {
    let limits = &connection.target.limits;
    let mut listing = Listing::empty(ListingState::Fresh);
    let mut cursors = Cursors::default();
    let mut asked = ask(connection, method, None);
    // How many items the page before had: this one will have no more.
    let mut usual = 0;
    for page in 1.. {
        let read = match asked.answer().await {
            Ok(raw) => {
                let room = listing.items.len() + listing.malformed.len() + usual < limits.max_items;
                let more = room && page < limits.max_pages;
                let guess = more.then(|| cursor::guess(raw.json.as_str())).flatten();
                let fresh = guess.filter(|guess| !cursors.has(guess));
                let ahead = fresh.map(|cursor| ask(connection, method, Some(cursor)));
                read_beside(connection, method, raw, ahead).await
            }
            Err(fault) => Err(fault),
        };
        let (read, ahead) = match read {
            Ok(read) => read,
            Err(fault) if page == 1 => return Listing::empty(ListingState::Failed(fault)),
            Err(fault) => {
                listing.state = ListingState::Partial(fault);
                return listing;
            }
        };
        usual = read.items.len() + read.malformed.len();
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
        if !cursors.insert(&next) {
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
        asked = match ahead {
            Some(ahead) if ahead.cursor.as_ref() == Some(&next) => ahead,
            // A wrong guess is dropped, which tells the server.
            Some(_) | None => ask(connection, method, Some(next)),
        };
    }
    listing
}

/// The cursors that were seen. Hashes only: a cursor may be as long as a line, and there may be
/// thousands. The key is made anew each time, so that no server can make two look alike.
#[derive(Default)]
struct Cursors {
    hash: RandomState,
    seen: HashSet<u64>,
}

impl Cursors {
    fn has(&self, cursor: &str) -> bool {
        self.seen.contains(&self.hash.hash_one(cursor))
    }

    /// Gives whether it is new.
    fn insert(&mut self, cursor: &str) -> bool {
        self.seen.insert(self.hash.hash_one(cursor))
    }
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

/// A page that was asked for. It is sent when this is first polled.
struct Asked<F: Future> {
    cursor: Option<String>,
    call: Pin<Box<MaybeDone<F>>>,
}

type Answered = Result<RawResult, Fault>;

fn ask(
    connection: &Connection,
    method: &'static str,
    cursor: Option<String>,
) -> Asked<impl Future<Output = Answered>> {
    let params = match &cursor {
        None => json!({}),
        Some(cursor) => json!({ "cursor": cursor }),
    };
    let patience = connection.target.limits.request;
    let call = async move {
        match connection.call(method, params.clone(), patience).await {
            // Over HTTP a request may break while the connection stays. Listing is safe.
            Err(fault) if fault.kind.is_connection() && !connection.tap.gone.is_cancelled() => {
                connection.call(method, params, patience).await
            }
            called => called,
        }
    };
    Asked { cursor, call: Box::pin(maybe_done(call)) }
}

impl<F: Future<Output = Answered>> Asked<F> {
    async fn answer(&mut self) -> Answered {
        self.call.as_mut().await;
        let answer = self.call.as_mut().take_output();
        answer.unwrap_or_else(|| Err(Fault::new(FaultKind::Unexpected, "a page was taken twice")))
    }
}

/// Reads a page, while the next one is on its way.
async fn read_beside<T: Item, F: Future<Output = Answered>>(
    connection: &Connection,
    method: &'static str,
    raw: RawResult,
    mut ahead: Option<Asked<F>>,
) -> Result<(ReadPage<T>, Option<Asked<F>>), Fault> {
    let mut reading = pin!(raw.read_apart(PARSE_APART, |json| {
        make_room();
        wire::page::<T>(json)
    }));
    let read = poll_fn(|context| {
        if let Some(ahead) = &mut ahead {
            // Ready or not, it is taken when its turn comes.
            let _ = ahead.call.as_mut().poll(context);
        }
        reading.as_mut().poll(context)
    });
    let read = read.await?.map_err(|why| {
        let what = format!("the answer to {method} cannot be used: {why}");
        Fault::new(FaultKind::Protocol, what).of(&connection.target.spec.id)
    })?;
    Ok((read, ahead))
}

/// Lets the allocator fetch at once what the items of a page will take, and keep what was freed for
/// the next page. On any thread but the first, glibc's asks the system for four kilobytes at a time
/// otherwise, and gives freed pages back each time, which for a long list costs as much as reading
/// it. Room that is not written to takes no memory.
fn make_room() {
    const ROOM: usize = 4 << 20;
    let room: Vec<u8> = Vec::with_capacity(ROOM);
    drop(std::hint::black_box(room));
}
