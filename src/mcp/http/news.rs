//! The stream on which a server of the legacy era tells news and asks (spec 2025-11-25,
//! basic/transports, "Listening for Messages from the Server"), and the heartbeat.

use super::{
    Wire,
    events::EventReader,
    exchange::{Ending, media_type, read_stream},
    failure::{self, Failure},
    headers::{LAST_EVENT, SESSION},
};
use crate::{
    domain::FaultKind,
    mcp::{listen::CATCH_UP, traffic::Direction},
};
use reqwest::{StatusCode, header::HeaderValue};
use std::{sync::Arc, time::Duration};
use tokio::time::Instant;

/// How long the answer to the request for the stream may take. Some servers take the request and
/// say nothing; everything else works without.
const OPENING: Duration = Duration::from_secs(30);
/// The pause before the stream is asked for again; it doubles each time.
const LEAST_PAUSE: Duration = Duration::from_secs(1);
/// Where doubling stops.
const MOST_PAUSE: Duration = Duration::from_secs(60);
/// How long a stream must have lasted to count as one that works.
const WORKED: Duration = Duration::from_secs(5);
/// How often in a row a stream may end at once before it is left alone.
const TRIES: u32 = 4;
/// How often in a row the server may be out of reach before it counts as gone.
const UNREACHABLE: u32 = 3;
/// The time between two beats.
const BEAT: Duration = Duration::from_secs(15);
/// How long a server may take to answer one.
const BEAT_ANSWER: Duration = Duration::from_secs(10);

/// Keeps the stream open for as long as the connection lasts, as far as the server lets it.
pub(super) async fn keep(wire: Arc<Wire>) {
    let mut last_id: Option<String> = None;
    let mut pause = LEAST_PAUSE;
    let (mut short, mut unreachable) = (0, 0);
    let mut had = false;
    let mut caught_up: Option<Instant> = None;
    loop {
        let mut worked = false;
        let mut events = EventReader::new(wire.bound);
        match tokio::time::timeout(OPENING, open(&wire, last_id.as_deref(), had)).await {
            Ok(Ok(Some(mut response))) => {
                // What changed before a stream that goes on nowhere was not heard of.
                let missed = had && last_id.is_none();
                if missed && caught_up.is_none_or(|at| at.elapsed() >= CATCH_UP) {
                    caught_up = Some(Instant::now());
                    wire.tap.all_changed();
                }
                (had, unreachable) = (true, 0);
                let began = Instant::now();
                match read_stream(&wire, &mut response, &mut events, None).await {
                    (_, Ending::Answered | Ending::Early(_)) => {}
                    (_, Ending::Broken(fault)) => wire.tap.logs.breach(&fault.what),
                }
                worked = began.elapsed() >= WORKED;
            }
            Ok(Ok(None)) => return,
            Ok(Err(Failure { mut fault, is_end: true })) => {
                unreachable += 1;
                let forgotten = fault.kind == FaultKind::Closed;
                if forgotten || unreachable >= UNREACHABLE {
                    fault.kind = FaultKind::Closed;
                    return wire.tap.end(fault);
                }
            }
            // Somebody is there, and gives no stream: messages may work all the same.
            Ok(Err(_)) | Err(_) => unreachable = 0,
        }
        if let Some(id) = events.last_id() {
            last_id = Some(id.to_owned());
        }
        if worked {
            (short, pause) = (0, LEAST_PAUSE);
        } else {
            short += 1;
            if short >= TRIES && unreachable == 0 {
                wire.tap.logs.breach(
                    "the stream for the server's own messages does not last, and is left alone",
                );
                return;
            }
        }
        tokio::time::sleep(events.retry().unwrap_or(pause).clamp(LEAST_PAUSE, MOST_PAUSE)).await;
        pause = (pause * 2).min(MOST_PAUSE);
    }
}

/// Asks for the stream; nothing when the server has none. `had` says whether there was one before:
/// a server that knows the address and no longer the session has ended it.
async fn open(
    wire: &Wire,
    last_id: Option<&str>,
    had: bool,
) -> Result<Option<reqwest::Response>, Failure> {
    let mut headers = wire.legacy_headers();
    let in_session = headers.contains_key(SESSION);
    if let Some(Ok(id)) = last_id.map(HeaderValue::from_str) {
        headers.insert(LAST_EVENT, id);
    }
    let opened = wire.endpoint.stream(headers).send().await;
    let response = opened.map_err(|error| failure::broken(&error))?;
    let kind = media_type(&response);
    let status = response.status();
    if status.is_success() && kind == "text/event-stream" {
        return Ok(Some(response));
    }
    if had && in_session && matches!(status, StatusCode::NOT_FOUND | StatusCode::GONE) {
        return Err(failure::of_status(status, response.headers(), b"", true));
    }
    // Having none is allowed and says 405; everything else is worth a line.
    if status != StatusCode::METHOD_NOT_ALLOWED {
        let kind = if status.is_success() { format!(", {kind}") } else { String::new() };
        wire.tap.logs.breach(&format!(
            "no stream for the server's own messages: HTTP {}{kind}",
            status.as_str()
        ));
    }
    Ok(None)
}

/// One beat, after a while: a `ping` that only tells whether anybody is there. It is not one of
/// the SDK's requests, and its answer means nothing else.
pub(super) async fn heartbeat(wire: &Wire) {
    tokio::time::sleep(BEAT).await;
    let ping = br#"{"jsonrpc":"2.0","id":"heartbeat","method":"ping"}"#.to_vec();
    wire.tap.traffic(Direction::Sent, &ping);
    let url = wire.endpoint.url();
    let beat = wire.endpoint.post(url, wire.legacy_headers(), ping).send();
    match tokio::time::timeout(BEAT_ANSWER, beat).await {
        Ok(Err(error)) if error.is_connect() => {
            let mut fault = failure::broken(&error).fault;
            fault.kind = FaultKind::Closed;
            wire.tap.end(fault);
        }
        // Slow is not gone, and a refusal is an answer.
        Ok(_) | Err(_) => {}
    }
}
