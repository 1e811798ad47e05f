//! Resources that change while somebody watches them, and only then: without a watcher no clock
//! runs, and a read gives the same as before.

use super::collection::{Body, Collection};
use rmcp::{
    ErrorData, Peer, RoleServer,
    model::{ResourceUpdatedNotificationParam, SubscriptionFilter},
    service::SubscriptionContext,
};
use serde_json::json;
use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio_util::task::AbortOnDropHandle;

/// How long a watched resource stays as it is.
pub(super) const EVERY: Duration = Duration::from_secs(3);

/// How often anything changed since the program began. One number for all instances, as a server
/// that answers each request of HTTP anew has no other memory.
static STEPS: AtomicU64 = AtomicU64::new(0);

/// How often anything changed so far.
pub(super) fn steps() -> u64 {
    STEPS.load(Ordering::Relaxed)
}

/// Waits until the next change is due, and makes it.
async fn change() {
    tokio::time::sleep(EVERY).await;
    STEPS.fetch_add(1, Ordering::Relaxed);
}

fn is_live(collection: &Collection, uri: &str) -> bool {
    let live = |body: &Body| matches!(body, Body::Live { .. });
    collection.resources.iter().any(|row| row.uri == uri && live(&row.body))
}

fn is_listed(collection: &Collection, uri: &str) -> bool {
    collection.resources.iter().any(|row| row.uri == uri)
}

/// What one legacy client watches. The clocks end with it.
#[derive(Debug, Clone, Default)]
pub(super) struct Watched(Arc<Mutex<HashMap<&'static str, AbortOnDropHandle<()>>>>);

impl Watched {
    fn clocks(&self) -> MutexGuard<'_, HashMap<&'static str, AbortOnDropHandle<()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells a client of a listed resource from now on, whenever it changes.
    ///
    /// # Errors
    /// Not found, for a URI that is not listed.
    pub(super) fn watch(
        &self,
        collection: &'static Collection,
        uri: &str,
        peer: Peer<RoleServer>,
    ) -> Result<(), ErrorData> {
        let Some(row) = collection.resources.iter().find(|row| row.uri == uri) else {
            let data = json!({ "uri": uri });
            return Err(ErrorData::resource_not_found("Resource not found", Some(data)));
        };
        if is_live(collection, uri) {
            let clock = tokio::spawn(async move {
                loop {
                    change().await;
                    let changed = ResourceUpdatedNotificationParam::new(row.uri);
                    if peer.notify_resource_updated(changed).await.is_err() {
                        return;
                    }
                }
            });
            self.clocks().insert(row.uri, AbortOnDropHandle::new(clock));
        }
        Ok(())
    }

    /// Tells of a resource no more.
    pub(super) fn forget(&self, uri: &str) {
        self.clocks().remove(uri);
    }
}

/// What a modern client may watch, of what it asked for: the resources that are listed.
pub(super) fn accepted(
    collection: &Collection,
    requested: &SubscriptionFilter,
) -> SubscriptionFilter {
    let mut filter = SubscriptionFilter::default();
    filter.resource_subscriptions = requested
        .resource_subscriptions
        .as_ref()
        .map(|uris| uris.iter().filter(|uri| is_listed(collection, uri)).cloned().collect());
    filter
}

/// Tells a modern client of what it watches, until it stops.
pub(super) async fn listen(collection: &Collection, context: SubscriptionContext) {
    let uris = context.accepted().resource_subscriptions.iter().flatten();
    let live: Vec<String> = uris.filter(|uri| is_live(collection, uri)).cloned().collect();
    if live.is_empty() {
        return context.cancelled().await;
    }
    loop {
        tokio::select! {
            () = context.cancelled() => return,
            () = change() => {
                for uri in &live {
                    if context.sink().notify_resource_updated(uri).await.is_err() {
                        return;
                    }
                }
            }
        }
    }
}
