//! Hearing of changed lists and resources in the modern era: one open request (spec 2026-07-28,
//! basic/patterns/subscriptions). What it brings is noted by the transport like every notification.

use super::connection::Connection;
use crate::domain::{Capabilities, Era, Fault, FaultKind};
use futures_util::{FutureExt, future::BoxFuture};
use serde_json::{Map, Value, json};
use std::{sync::Arc, time::Duration};
use tokio::time::Instant;

/// The request that stays open.
pub(super) const METHOD: &str = "subscriptions/listen";

/// How long one stays open before it is made anew.
const RENEWAL: Duration = Duration::from_secs(24 * 60 * 60);
/// The pause before a stream that the server ended is opened again; it doubles with every end.
const LEAST_PAUSE: Duration = Duration::from_secs(1);
/// Where doubling stops, and how long a stream must have lasted for the pause to begin anew.
const MOST_PAUSE: Duration = Duration::from_secs(60);
/// How long lies at least between two times that all lists are taken for changed because nothing
/// was heard for a while: something on the way may end every stream that is idle for a minute.
pub(super) const CATCH_UP: Duration = Duration::from_secs(5 * 60);

/// The open ear of a modern connection.
pub(super) struct Ear {
    open: Option<BoxFuture<'static, Result<(), Fault>>>,
    /// The pause before the next opening.
    pause: Duration,
    /// When the stream was, or will be, asked for.
    began: Instant,
    /// Whether nothing was heard for a while before this stream.
    missed: bool,
    /// When all lists were last taken for changed.
    caught_up: Option<Instant>,
}

/// What to listen for on a connection, if there is anything.
fn filter(connection: &Connection, uris: &[String]) -> Option<Value> {
    let Capabilities { resource_changes, prompt_changes, tool_changes, .. } =
        connection.facts.capabilities;
    let mut wanted: Map<String, Value> = [
        ("resourcesListChanged", resource_changes),
        ("promptsListChanged", prompt_changes),
        ("toolsListChanged", tool_changes),
    ]
    .into_iter()
    .filter(|(_, offered)| *offered)
    .map(|(name, _)| (name.to_owned(), Value::Bool(true)))
    .collect();
    if !uris.is_empty() {
        wanted.insert("resourceSubscriptions".to_owned(), uris.into());
    }
    let modern = connection.facts.era == Era::Modern;
    (modern && !wanted.is_empty()).then(|| json!({ "notifications": wanted }))
}

impl Ear {
    pub(super) fn new() -> Self {
        Self {
            open: None,
            pause: LEAST_PAUSE,
            began: Instant::now(),
            missed: false,
            caught_up: None,
        }
    }

    /// Opens a stream at once, in place of the one that is open. Where there is nothing to listen
    /// for, none is.
    pub(super) fn open(&mut self, connection: &Arc<Connection>, uris: &[String]) {
        connection.tap.news.reopening();
        self.began = Instant::now();
        let connection = connection.clone();
        self.open = filter(&connection, uris).map(|params| {
            async move { connection.call(METHOD, params, RENEWAL).await.map(drop) }.boxed()
        });
    }

    /// The server acknowledged the stream; says whether what changed before it has to be caught
    /// up with.
    pub(super) fn acknowledged(&mut self) -> bool {
        let missed = std::mem::take(&mut self.missed);
        let due = self.caught_up.is_none_or(|at| at.elapsed() >= CATCH_UP);
        if missed && due {
            self.caught_up = Some(Instant::now());
        }
        missed && due
    }

    /// Opens the stream again after it ended, after a pause; says how long that is.
    pub(super) fn reopen(&mut self, connection: &Arc<Connection>, uris: &[String]) -> Duration {
        if self.began.elapsed() > MOST_PAUSE {
            self.pause = LEAST_PAUSE;
        }
        let pause = self.pause;
        self.pause = (pause * 2).min(MOST_PAUSE);
        self.open(connection, uris);
        self.began += pause;
        self.missed = true;
        self.open = self.open.take().map(|opened| {
            async move {
                tokio::time::sleep(pause).await;
                opened.await
            }
            .boxed()
        });
        pause
    }

    /// Listens no more.
    pub(super) fn close(&mut self) {
        *self = Self::new();
    }

    /// Waits for the end of the stream; for ever, when there is none. An error with a code
    /// is the server's no.
    pub(super) async fn ended(&mut self) -> Result<(), Fault> {
        let Some(open) = &mut self.open else { return std::future::pending().await };
        let ended = open.await;
        self.open = None;
        match ended {
            // Over HTTP the stream may break while the server stays.
            Err(fault) if matches!(fault.kind, FaultKind::Timeout | FaultKind::Closed) => Ok(()),
            ended => ended,
        }
    }
}
