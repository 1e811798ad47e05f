//! The older HTTP+SSE (spec 2024-11-05, basic/transports): one stream that brings everything, and
//! an address, named in it, to which messages go.

use super::{
    Wire,
    events::EventReader,
    exchange::{Outgoing, media_type, message_url},
    failure::{self, Failure},
};
use crate::{
    domain::{Fault, FaultKind},
    mcp::{arrived::Arrived, http::Incoming},
};
use reqwest::{Response, Url};
use std::sync::Arc;
use tokio::sync::watch;

/// Where messages go, once it is known, or why it will not be.
pub(super) type Found = watch::Sender<Option<Result<Url, Fault>>>;

/// Opens the stream and reads it to its end, which is the end of the connection.
pub(super) async fn keep(wire: Arc<Wire>, found: Found) {
    let ended = match open(&wire).await {
        Ok(mut response) => read(&wire, &mut response, &found).await,
        Err(failure) => failure.fault,
    };
    let waiting = found.borrow().is_none();
    if waiting {
        found.send_replace(Some(Err(ended)));
        // Whoever waits for the endpoint tells it; then nothing comes any more.
        found.closed().await;
    } else {
        wire.tap.end(ended);
    }
}

async fn open(wire: &Wire) -> Result<Response, Failure> {
    let response = wire.endpoint.stream(wire.legacy_headers()).send().await;
    let response = response.map_err(|error| failure::broken(&error))?;
    let status = response.status();
    if !status.is_success() {
        return Err(failure::of_status(status, response.headers(), b"", false));
    }
    let kind = media_type(&response);
    if kind == "text/event-stream" {
        return Ok(response);
    }
    Err(failure::of_type(&kind, b"").into())
}

async fn read(wire: &Wire, response: &mut Response, found: &Found) -> Fault {
    let mut events = EventReader::new(wire.bound);
    loop {
        let bytes = match response.chunk().await {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Fault::new(FaultKind::Closed, "the server ended its stream"),
            Err(error) => return failure::broken(&error).fault,
        };
        let fits = events.feed(&bytes);
        while let Some(event) = events.pop() {
            if event.kind == "endpoint" {
                let named = String::from_utf8_lossy(&event.data);
                match message_url(wire.endpoint.url(), &named) {
                    Ok(url) => drop(found.send_replace(Some(Ok(url)))),
                    Err(fault) => return fault,
                }
            } else if let Some(arrived) = Arrived::read(event.data, &wire.tap) {
                wire.tell(Incoming::Message(arrived)).await;
            }
        }
        if fits.is_err() {
            let what = format!("an event is longer than {} bytes (limit line_bytes)", wire.bound);
            return Fault::new(FaultKind::Limit, what);
        }
    }
}

/// Sends a message to where the stream says. Its answer comes in the stream.
pub(super) async fn send(
    wire: &Wire,
    mut endpoint: watch::Receiver<Option<Result<Url, Fault>>>,
    outgoing: Outgoing,
) -> Result<(), Failure> {
    let gone = || Fault::new(FaultKind::Closed, "the server ended its stream");
    let url = match endpoint.wait_for(Option::is_some).await {
        Ok(found) => found.clone().unwrap_or_else(|| Err(gone()))?,
        Err(_) => return Err(gone().into()),
    };
    let sent = wire.endpoint.post(&url, outgoing.headers, outgoing.body).send().await;
    let response = sent.map_err(|error| failure::broken(&error))?;
    let status = response.status();
    if status.is_success() {
        return Ok(());
    }
    Err(failure::of_status(status, response.headers(), b"", false))
}
