//! All lists of a server: one after the other while it answers, side by side when it does not.

use super::{connection::Connection, mirrored::wrong_mark, pages, session::SessionState};
use crate::domain::{
    Era, Fault, Listing, ListingState, Malformed, ResourceTemplate, Tool, Transport,
};
use futures_util::{FutureExt, StreamExt, future::BoxFuture, stream::FuturesUnordered};
use serde_json::json;
use std::{collections::VecDeque, sync::Arc, time::Duration};
use tokio::sync::watch;

/// How long a list may hold up the next one. One at a time lets an answer without id be told, and
/// a server with one thread gains nothing from more; but one list that hangs must not hide the
/// others.
const PATIENCE: Duration = Duration::from_millis(500);

/// JSON-RPC: the method does not exist.
const METHOD_NOT_FOUND: i32 = -32601;

/// Which lists are meant.
#[derive(Clone, Copy)]
pub(super) struct ListKinds {
    /// Resources and their templates.
    pub(super) resources: bool,
    pub(super) prompts: bool,
    pub(super) tools: bool,
}

impl ListKinds {
    pub(super) const ALL: Self = Self { resources: true, prompts: true, tools: true };
}

/// What a finished list changes; gives whether the connection was lost in the middle of it.
type Change = Box<dyn FnOnce(&mut SessionState) -> bool + Send>;

/// Loads lists; each is published when it is there. Gives whether the connection was lost in the
/// middle of one.
pub(super) async fn load(
    connection: &Connection,
    kinds: ListKinds,
    publish: &watch::Sender<SessionState>,
) -> bool {
    let mut lost = false;
    let mut waiting = planned(connection, kinds);
    let mut running = FuturesUnordered::new();
    loop {
        if running.is_empty() {
            let Some(next) = waiting.pop_front() else { return lost };
            running.push(next);
        }
        tokio::select! {
            Some(change) = running.next() => publish.send_modify(|state| {
                lost |= change(state);
            }),
            () = tokio::time::sleep(PATIENCE), if !waiting.is_empty() => {
                running.extend(waiting.pop_front());
            }
        }
    }
}

fn planned(connection: &Connection, kinds: ListKinds) -> VecDeque<BoxFuture<'_, Change>> {
    let mut plan = VecDeque::new();
    if kinds.resources {
        plan.push_back(
            pages::list(connection, "resources/list")
                .map(|new| -> Change { Box::new(|s| keep(&mut s.resources, new)) })
                .boxed(),
        );
        plan.push_back(
            templates(connection)
                .map(|new| -> Change { Box::new(|s| keep(&mut s.templates, new)) })
                .boxed(),
        );
    }
    if kinds.prompts {
        plan.push_back(
            pages::list(connection, "prompts/list")
                .map(|new| -> Change { Box::new(|s| keep(&mut s.prompts, new)) })
                .boxed(),
        );
    }
    if kinds.tools {
        plan.push_back(
            tools(connection)
                .map(|new| -> Change { Box::new(|s| keep(&mut s.tools, new)) })
                .boxed(),
        );
    }
    plan
}

/// Takes a new listing over; one that failed leaves the old rows standing, marked stale. Gives
/// whether it failed because the connection was lost.
fn keep<T: Clone>(old: &mut Arc<Listing<T>>, new: Listing<T>) -> bool {
    let lost = new.fault().is_some_and(|fault| fault.kind.is_connection());
    if let ListingState::Failed(fault) = &new.state
        && !old.items.is_empty()
    {
        Arc::make_mut(old).state = ListingState::Stale(fault.clone());
    } else {
        *old = Arc::new(new);
    }
    lost
}

/// Over HTTP in the modern era a tool that wants arguments in headers in a way that the transport
/// forbids must not be used (spec 2026-07-28, basic/transports/streamable-http).
async fn tools(connection: &Connection) -> Listing<Arc<Tool>> {
    let mut listing = pages::list::<Tool>(connection, "tools/list").await;
    let is_http = matches!(connection.target.spec.transport, Transport::Http { .. });
    if is_http && connection.facts.era == Era::Modern {
        let malformed = &mut listing.malformed;
        listing.items.retain(|tool| match wrong_mark(&tool.input_schema) {
            None => true,
            Some(why) => {
                let raw =
                    json!({"name": tool.name.raw(), "inputSchema": tool.input_schema}).to_string();
                let label = Some(tool.name.clone());
                malformed.push(Malformed { why, label, raw: raw.into() });
                false
            }
        });
    }
    listing
}

/// Templates are part of the resources capability, and many servers do not have the method: that
/// alone only means that there are none.
async fn templates(connection: &Connection) -> Listing<Arc<ResourceTemplate>> {
    let listing = pages::list(connection, "resources/templates/list").await;
    let no_method = |fault: &Fault| fault.rpc_code == Some(METHOD_NOT_FOUND);
    if matches!(&listing.state, ListingState::Failed(fault) if no_method(fault)) {
        return Listing::empty(ListingState::NotOffered);
    }
    listing
}
