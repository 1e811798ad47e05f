//! Hearing of changed lists in the modern era: one open request (spec 2026-07-28,
//! basic/patterns/subscriptions). What it brings is noted by the transport like every notification.

use super::connection::Connection;
use crate::domain::{Capabilities, Era, FaultKind};
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

/// What to listen for on a connection, if there is anything.
fn filter(connection: &Connection) -> Option<Value> {
    let Capabilities { resource_changes, prompt_changes, tool_changes, .. } =
        connection.facts.capabilities;
    let wanted: Map<String, Value> = [
        ("resourcesListChanged", resource_changes),
        ("promptsListChanged", prompt_changes),
        ("toolsListChanged", tool_changes),
    ]
    .into_iter()
    .filter(|(_, offered)| *offered)
    .map(|(name, _)| (name.to_owned(), Value::Bool(true)))
    .collect();
    let modern = connection.facts.era == Era::Modern;
    (modern && !wanted.is_empty()).then(|| json!({ "notifications": wanted }))
}

/// Keeps a stream open for as long as the connection lasts. Returns when there is nothing to
/// listen for, or when the server will not have it; dropped when the connection is gone.
pub(super) async fn keep(connection: Arc<Connection>) {
    let Some(params) = filter(&connection) else { return };
    let mut pause = LEAST_PAUSE;
    loop {
        let began = Instant::now();
        match connection.call(METHOD, params.clone(), RENEWAL).await {
            Ok(_) => {}
            // Over HTTP the stream may break while the server stays; with the connection itself
            // this ends too.
            Err(fault) if matches!(fault.kind, FaultKind::Timeout | FaultKind::Closed) => {}
            Err(fault) => {
                if fault.kind == FaultKind::ServerError {
                    connection.tap.logs.breach(
                        "the server offers news of changed lists and refuses to be listened to",
                    );
                }
                return;
            }
        }
        if began.elapsed() > MOST_PAUSE {
            pause = LEAST_PAUSE;
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(MOST_PAUSE);
        // What changed meanwhile was not heard of.
        connection.tap.all_changed();
    }
}
