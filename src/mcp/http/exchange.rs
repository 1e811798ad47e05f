//! One message out, and what comes back for it.

use super::{
    Incoming, Wire,
    endpoint::is_same_origin,
    events::{BYTE_ORDER_MARK, EventReader},
    failure::{self, Failure},
    headers::{LAST_EVENT, SESSION},
};
use crate::{
    domain::{Fault, FaultKind},
    mcp::arrived::Arrived,
};
use reqwest::{
    Response, StatusCode,
    header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue},
};
use std::{sync::atomic::Ordering, time::Duration};

/// How often the stream of one answer is resumed without anything new coming of it.
const RESUMES: usize = 5;
/// How long is waited before a stream is resumed, where the server does not say.
const RETRY: Duration = Duration::from_secs(1);
/// The shortest and the longest that a server may ask for.
const SHORTEST_RETRY: Duration = Duration::from_millis(100);
const LONGEST_RETRY: Duration = Duration::from_secs(30);
/// How long a stream is read on behind its answer, so that its connection can be used again.
const BEHIND: Duration = Duration::from_secs(1);

/// A message, ready to go.
pub(super) struct Outgoing {
    /// Which request of ours it is, if one.
    pub(super) id: Option<i64>,
    /// The message.
    pub(super) body: Vec<u8>,
    /// The headers that belong to it.
    pub(super) headers: HeaderMap,
    /// Whether the answer may bring a session.
    pub(super) opens: bool,
    /// Whether the stream of its answer may be resumed; the modern era knows no such thing.
    pub(super) resumable: bool,
}

/// Sends a message. For a request, everything that comes for it goes into the inbox.
pub(super) async fn exchange(wire: &Wire, outgoing: Outgoing) -> Result<(), Failure> {
    let Outgoing { id, body, headers, opens, resumable } = outgoing;
    let session = headers.get(SESSION).cloned();
    let sending = wire.endpoint.post(wire.endpoint.url(), headers.clone(), body).send();
    let mut response = sending.await.map_err(|error| failure::broken(&error))?;
    if !response.status().is_success() {
        return refused(wire, &mut response, id, opens, session.is_some()).await;
    }
    if opens {
        wire.keep_session(response.headers().get(SESSION));
    }
    let Some(id) = id else { return Ok(()) };
    let kind = media_type(&response);
    if let Some(encoding) = response.headers().get(CONTENT_ENCODING).filter(|e| *e != "identity") {
        let what = "the answer is compressed, which was not asked for";
        let encoding = String::from_utf8_lossy(encoding.as_bytes()).into_owned();
        return Err(Fault::new(FaultKind::Protocol, what).because(encoding).into());
    }
    if kind == "text/event-stream" {
        let again = resumable.then_some(headers);
        return follow(wire, response, id, again).await;
    }
    let no_body = matches!(response.status(), StatusCode::ACCEPTED | StatusCode::NO_CONTENT);
    if kind == "application/json" {
        let body = read_body(&mut response, wire.bound).await?;
        return whole(wire, body, id).await;
    }
    let head = read_head(&mut response).await;
    if no_body || (kind.is_empty() && head.is_empty()) {
        let what = format!(
            "the server took the request and gave no answer (HTTP {})",
            response.status().as_str()
        );
        return Err(Fault::new(FaultKind::Protocol, what).into());
    }
    Err(failure::of_type(&kind, &head).into())
}

/// An answer in one piece.
async fn whole(wire: &Wire, mut body: Vec<u8>, id: i64) -> Result<(), Failure> {
    if body.starts_with(BYTE_ORDER_MARK) {
        body.drain(..BYTE_ORDER_MARK.len());
    }
    let start = body.get(..failure::BODY_HEAD).unwrap_or(&body).to_vec();
    let arrived = Arrived::read(body, &wire.tap).map(|arrived| arrived.for_request(id, &wire.tap));
    let answered = arrived.as_ref().is_some_and(|arrived| arrived.answers(id));
    if let Some(arrived) = arrived {
        wire.tell(Incoming::Message(arrived)).await;
    }
    if answered {
        return Ok(());
    }
    let fault = Fault::new(FaultKind::Protocol, "what came back is no answer to this request");
    Err(failure::head(&start).into_iter().fold(fault, Fault::because).into())
}

/// An answer in a stream; `again` holds the headers with which it may be resumed.
async fn follow(
    wire: &Wire,
    mut response: Response,
    id: i64,
    again: Option<HeaderMap>,
) -> Result<(), Failure> {
    let mut left = RESUMES;
    let mut last_id: Option<String> = None;
    let mut retry = RETRY;
    loop {
        let length = wire.last_length.load(Ordering::Relaxed);
        let mut events = EventReader::new(wire.bound).expecting(length);
        let (came, early) = match read_stream(wire, &mut response, &mut events, Some(id)).await {
            (_, Ending::Answered) => return Ok(()),
            (came, Ending::Early(fault)) => (came, fault),
            (_, Ending::Broken(fault)) => return Err(fault.into()),
        };
        last_id = events.last_id().map(str::to_owned).or(last_id);
        let (Some(headers), Some(from)) = (&again, last_id.as_deref()) else {
            return Err(early.into());
        };
        left = if came { RESUMES } else { left };
        let Some(fewer) = left.checked_sub(1) else {
            let why = format!("it was resumed {RESUMES} times, and nothing came");
            return Err(early.because(why).into());
        };
        left = fewer;
        retry = events.retry().unwrap_or(retry).clamp(SHORTEST_RETRY, LONGEST_RETRY);
        tokio::time::sleep(retry).await;
        response = resume(wire, headers, from).await?;
    }
}

async fn resume(wire: &Wire, headers: &HeaderMap, from: &str) -> Result<Response, Failure> {
    let mut headers = headers.clone();
    if let Ok(from) = HeaderValue::from_str(from) {
        headers.insert(LAST_EVENT, from);
    }
    let resumed = wire.endpoint.stream(headers).send().await;
    let response = resumed.map_err(|error| failure::broken(&error))?;
    if response.status().is_success() && media_type(&response) == "text/event-stream" {
        return Ok(response);
    }
    let what = format!(
        "the stream ended before the answer, and cannot be resumed (HTTP {})",
        response.status().as_str()
    );
    Err(Fault::new(FaultKind::Closed, what).into())
}

/// How a stream ended.
pub(super) enum Ending {
    /// Behind the answer.
    Answered,
    /// Before the answer; it may be resumed.
    Early(Fault),
    /// In a way that leaves nothing to resume.
    Broken(Fault),
}

/// Reads a stream to its end, or to an answer. Gives whether any message came.
pub(super) async fn read_stream(
    wire: &Wire,
    response: &mut Response,
    events: &mut EventReader,
    id: Option<i64>,
) -> (bool, Ending) {
    let mut came = false;
    let early = |what: &str| Fault::new(FaultKind::Closed, what);
    loop {
        let bytes = match response.chunk().await {
            Ok(Some(bytes)) => bytes,
            Ok(None) => {
                return (came, Ending::Early(early("the stream ended before the answer")));
            }
            Err(error) => return (came, Ending::Early(failure::broken(&error).fault)),
        };
        let fits = events.feed(&bytes);
        while let Some(event) = events.pop() {
            wire.last_length.store(event.data.len(), Ordering::Relaxed);
            let Some(mut arrived) = Arrived::read(event.data, &wire.tap) else { continue };
            came = true;
            if let Some(id) = id {
                arrived = arrived.for_request(id, &wire.tap);
            }
            let answered = id.is_some_and(|id| arrived.answers(id));
            let broke = id.is_some_and(|id| arrived.breaks(id));
            wire.tell(Incoming::Message(arrived)).await;
            if answered {
                let _ = tokio::time::timeout(BEHIND, behind(wire, response, events)).await;
                return (came, Ending::Answered);
            }
            if broke {
                let what = "the answer is broken: not JSON";
                return (came, Ending::Broken(Fault::new(FaultKind::Protocol, what)));
            }
        }
        if fits.is_err() {
            return (came, Ending::Broken(too_long(wire.bound)));
        }
    }
}

/// What comes behind an answer in its stream.
async fn behind(wire: &Wire, response: &mut Response, events: &mut EventReader) {
    while let Ok(Some(bytes)) = response.chunk().await {
        if events.feed(&bytes).is_err() {
            return;
        }
        while let Some(event) = events.pop() {
            if let Some(arrived) = Arrived::read(event.data, &wire.tap) {
                wire.tell(Incoming::Message(arrived)).await;
            }
        }
    }
}

/// The server refused a message. An error that it words as MCP does is an answer to a request.
async fn refused(
    wire: &Wire,
    response: &mut Response,
    id: Option<i64>,
    opens: bool,
    had_session: bool,
) -> Result<(), Failure> {
    let status = response.status();
    let json = media_type(response) == "application/json";
    let body = read_head(response).await;
    let failure = failure::of_status(status, response.headers(), &body, had_session);
    let said = rpc_error(&body).filter(|_| json);
    if opens {
        wire.tap.note_status(status.as_u16(), said.is_some());
    }
    // A server may say with 404 that it lacks a method; that is not the end of its session.
    let lacks = said.as_deref().is_some_and(is_method_not_found);
    let final_word = (failure.is_end && !lacks) || failure.fault.kind == FaultKind::Authorization;
    match (id, said) {
        (Some(id), Some(raw)) if !final_word => {
            wire.tap.traffic(crate::mcp::traffic::Direction::Received, &body);
            wire.tell(Incoming::Message(Arrived::error(id, raw))).await;
            Ok(())
        }
        (Some(_) | None, _) => Err(failure),
    }
}

/// The error of a JSON-RPC answer.
fn rpc_error(body: &[u8]) -> Option<String> {
    let value: serde_json::Value = serde_json::from_slice(body).ok()?;
    let error = value.get("error").filter(|error| error.is_object())?;
    Some(error.to_string())
}

fn is_method_not_found(error: &str) -> bool {
    let value: serde_json::Value = serde_json::from_str(error).unwrap_or_default();
    value.get("code").and_then(serde_json::Value::as_i64) == Some(-32601)
}

/// The media type of an answer, without parameters.
pub(super) fn media_type(response: &Response) -> String {
    let value = response.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    let text = String::from_utf8_lossy(value);
    text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

async fn read_body(response: &mut Response, bound: usize) -> Result<Vec<u8>, Failure> {
    let announced = response.content_length().and_then(|n| usize::try_from(n).ok());
    if announced.is_some_and(|size| size > bound) {
        return Err(too_long(bound).into());
    }
    let mut body = Vec::with_capacity(announced.unwrap_or_default());
    while let Some(bytes) = response.chunk().await.map_err(|error| failure::broken(&error))? {
        if body.len() + bytes.len() > bound {
            return Err(too_long(bound).into());
        }
        body.extend_from_slice(&bytes);
    }
    Ok(body)
}

/// The most of a refusal that is read, in bytes, and how long it may take.
const REFUSAL: usize = 64 * 1024;
const REFUSAL_TIME: Duration = Duration::from_secs(5);

/// The beginning of a body that holds no answer.
async fn read_head(response: &mut Response) -> Vec<u8> {
    let mut head = Vec::new();
    let reading = async {
        while let Ok(Some(bytes)) = response.chunk().await {
            let room = REFUSAL - head.len();
            head.extend_from_slice(bytes.get(..room).unwrap_or(&bytes));
            if head.len() >= REFUSAL {
                return;
            }
        }
    };
    let _ = tokio::time::timeout(REFUSAL_TIME, reading).await;
    head
}

fn too_long(bound: usize) -> Fault {
    let what = format!("the server's answer is longer than {bound} bytes (limit line_bytes)");
    Fault::new(FaultKind::Limit, what)
        .hint("raise limits.line_bytes in settings.toml if you trust this server")
}

/// Where messages go in the older HTTP+SSE, as the server names it: within its own origin.
pub(super) fn message_url(base: &reqwest::Url, named: &str) -> Result<reqwest::Url, Fault> {
    let url = base.join(named.trim()).map_err(|_| {
        Fault::new(FaultKind::Protocol, "the server names no usable endpoint").because(named)
    })?;
    if !is_same_origin(base, &url) {
        let what = "the server names an endpoint on another origin, which is not followed";
        return Err(Fault::new(FaultKind::Validation, what).because(named));
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_stays_on_its_origin() {
        let base = reqwest::Url::parse("http://host:8/sse").expect("a base");
        let to = |named: &str| message_url(&base, named).map(|url| url.to_string()).ok();
        assert_eq!(to("/messages?sid=1").as_deref(), Some("http://host:8/messages?sid=1"));
        assert_eq!(to("http://host:8/m").as_deref(), Some("http://host:8/m"));
        for other in ["http://evil/m", "//evil/m", "https://host:8/m", "file:///m"] {
            assert_eq!(to(other), None, "{other}");
        }
    }

    #[test]
    fn only_an_object_is_an_error_of_json_rpc() {
        assert!(rpc_error(br#"{"error":{"code":-32600}}"#).is_some());
        for body in [&b"{}"[..], b"gone", br#"{"error":"invalid_token"}"#, b"[]"] {
            assert_eq!(rpc_error(body), None);
        }
    }
}
