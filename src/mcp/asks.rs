//! The requests about watched resources in the legacy era. Those about one resource leave one after
//! the other, each once the one before it is answered: over HTTP they could overtake each other.

use super::{connection::Connection, subscriptions::Waiting};
use crate::domain::Fault;
use futures_util::{FutureExt, StreamExt, future::BoxFuture, stream::FuturesUnordered};
use serde_json::json;
use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
};

/// What a request is for.
pub(super) enum Purpose {
    /// To watch a resource. The number tells one asking from the next.
    Watch(u64),
    /// To watch it no more, and who waits for that.
    Leave(Waiting),
}

/// The end of one request.
pub(super) struct Asked {
    pub(super) uri: String,
    pub(super) purpose: Purpose,
    pub(super) outcome: Result<(), Fault>,
}

/// On which connection a request about which resource ended, and how.
type Answered = (Arc<Connection>, String, Result<(), Fault>);

/// The requests of one connection.
#[derive(Default)]
pub(super) struct Asks {
    running: FuturesUnordered<BoxFuture<'static, Answered>>,
    /// What is asked about each resource; the first is under way.
    lanes: HashMap<String, VecDeque<Purpose>>,
}

impl Asks {
    /// Asks as soon as everything before it about the same resource is answered.
    pub(super) fn push(&mut self, connection: Arc<Connection>, uri: String, purpose: Purpose) {
        let lane = self.lanes.entry(uri.clone()).or_default();
        lane.push_back(purpose);
        if lane.len() == 1 {
            self.begin(connection, uri);
        }
    }

    fn begin(&mut self, connection: Arc<Connection>, uri: String) {
        let method = match self.lanes.get(&uri).and_then(VecDeque::front) {
            Some(Purpose::Watch(_)) => "resources/subscribe",
            Some(Purpose::Leave(_)) => "resources/unsubscribe",
            None => return,
        };
        let patience = connection.target.limits.request;
        self.running.push(
            async move {
                let asked = connection.call(method, json!({"uri": uri}), patience).await;
                (connection, uri, asked.map(drop))
            }
            .boxed(),
        );
    }

    /// Waits for the end of one request; nothing when none is under way. May be dropped at any
    /// time.
    pub(super) async fn next(&mut self) -> Option<Asked> {
        let (connection, uri, outcome) = self.running.next().await?;
        let lane = self.lanes.get_mut(&uri)?;
        let purpose = lane.pop_front()?;
        if lane.is_empty() {
            self.lanes.remove(&uri);
        } else {
            self.begin(connection, uri.clone());
        }
        Some(Asked { uri, purpose, outcome })
    }

    /// Whether the server has yet to be heard to have let go of a resource.
    pub(super) fn is_leaving(&self, uri: &str) -> bool {
        let lane = self.lanes.get(uri).into_iter().flatten();
        lane.into_iter().any(|purpose| matches!(purpose, Purpose::Leave(_)))
    }

    /// Forgets all of them.
    pub(super) fn clear(&mut self) {
        self.running.clear();
        self.lanes.clear();
    }
}
