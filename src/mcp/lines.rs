//! The line transport under the SDK, for stdio and the in-process pipe.
//!
//! Tolerant where the SDK is strict, bounded where it is not, and in order: every result goes up
//! raw (see [`Answer`]), notifications are noted here, and the end of the stream is told at once.

use super::{
    answer::{Answer, RawResult},
    envelope::{self, Frame, Outcome, WireId},
    handshake::{self, Opening},
    line_reader::{Line, LineReader},
    listen,
    tap::Tap,
    traffic::Direction,
    writer::{WriteError, Writer},
};
use rmcp::{
    RoleClient,
    model::{
        CancelledNotification, CancelledNotificationParam, ClientJsonRpcMessage,
        ClientNotification, ClientRequest, CustomRequest, CustomResult, ErrorCode, ErrorData,
        JsonRpcMessage, PingRequest, RequestId, ServerJsonRpcMessage, ServerNotification,
        ServerRequest, ServerResult,
    },
    transport::Transport,
};
use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::Arc,
};
use tokio::io::{AsyncRead, AsyncWrite};

/// How many requests of a server that came before the handshake was over are held for later.
const MAX_HELD: usize = 64;
/// How many requests of a server may be under way. One more is refused at once, so that a server
/// that asks faster than it reads answers fills no memory.
const MAX_ASKED: usize = 1024;
/// How many given-up requests are remembered, to tell a late answer from a stray one.
const MAX_GIVEN_UP: usize = 1024;

/// How much of a line that is no message is kept, in bytes.
const STRAY_HEAD: usize = 2000;

/// A conversation in lines.
pub(super) struct LineTransport<R> {
    reader: LineReader<R>,
    writer: Writer,
    tap: Arc<Tap>,
    bound: usize,
    /// Our requests that wait for an answer; the value says which opening it is, if one.
    pending: HashMap<i64, Option<Opening>>,
    given_up: HashSet<i64>,
    /// Requests of the server that wait for our answer.
    asked: HashSet<RequestId>,
    /// Those of them that stay open for as long as the connection.
    open_ended: HashSet<i64>,
    opening: Option<Opening>,
    /// Whether the handshake is over.
    open: bool,
    ready: VecDeque<ServerJsonRpcMessage>,
    held: VecDeque<ServerJsonRpcMessage>,
    first_line: bool,
}

impl<R: AsyncRead + Send + Unpin> LineTransport<R> {
    /// `bound` is the longest line in bytes (`limits.line_bytes`).
    pub(super) fn new(
        reader: R,
        writer: impl AsyncWrite + Send + Unpin + 'static,
        tap: Arc<Tap>,
        bound: usize,
    ) -> Self {
        Self {
            reader: LineReader::new(reader, bound),
            writer: Writer::new(writer),
            tap,
            bound,
            pending: HashMap::new(),
            given_up: HashSet::new(),
            asked: HashSet::new(),
            open_ended: HashSet::new(),
            opening: None,
            open: false,
            ready: VecDeque::new(),
            held: VecDeque::new(),
            first_line: true,
        }
    }

    fn note_sent(&mut self, message: &ClientJsonRpcMessage) {
        match message {
            JsonRpcMessage::Request(request) => self.note_request(&request.request, &request.id),
            JsonRpcMessage::Notification(notification) => {
                self.note_notification(&notification.notification);
            }
            JsonRpcMessage::Response(response) => {
                self.asked.remove(&response.id);
            }
            JsonRpcMessage::Error(error) => {
                error.id.as_ref().map(|id| self.asked.remove(id));
            }
        }
    }

    fn note_request(&mut self, request: &ClientRequest, id: &RequestId) {
        let opening = if matches!(request, ClientRequest::InitializeRequest(_)) {
            Some(Opening::Initialize)
        } else if matches!(request, ClientRequest::DiscoverRequest(_)) {
            Some(Opening::Discover)
        } else {
            None
        };
        if opening.is_some() {
            // An opening that was not answered in time is given up by the next one.
            let before: Vec<i64> = self.pending.keys().copied().collect();
            before.into_iter().for_each(|id| self.give_up(id));
            self.opening = opening;
        }
        if let RequestId::Number(id) = id {
            if request.method() == listen::METHOD {
                self.open_ended.insert(*id);
                self.tap.news.opened(*id);
            }
            self.pending.insert(*id, opening);
        }
    }

    fn note_notification(&mut self, notification: &ClientNotification) {
        if let ClientNotification::InitializedNotification(_) = notification {
            self.open = true;
            self.ready.append(&mut self.held);
        }
        if let ClientNotification::CancelledNotification(cancelled) = notification
            && let Some(RequestId::Number(id)) = cancelled.params.request_id
        {
            self.give_up(id);
        }
    }

    fn give_up(&mut self, id: i64) {
        self.tap.news.closed(id);
        if self.pending.remove(&id).is_some() && self.given_up.len() < MAX_GIVEN_UP {
            self.given_up.insert(id);
        }
    }

    fn accept_line(&mut self, mut bytes: Vec<u8>) {
        if std::mem::take(&mut self.first_line) && bytes.starts_with(b"\xef\xbb\xbf") {
            bytes.drain(..3);
        }
        if bytes.trim_ascii().is_empty() {
            return;
        }
        self.tap.traffic(Direction::Received, &bytes);
        let mut replaced = false;
        let line = String::from_utf8(bytes).unwrap_or_else(|error| {
            replaced = true;
            self.tap.logs.breach("a line was not valid UTF-8; what was not is shown as \u{FFFD}");
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        });
        // A line of no use is kept, so its head is put aside before the line is taken apart.
        let head = line.as_bytes().get(..STRAY_HEAD).unwrap_or(line.as_bytes()).to_vec();
        for frame in envelope::read(line) {
            match frame {
                Frame::Stray { .. } => self.tap.logs.stray(&head),
                Frame::Notification { method, params } => self.accept_notification(&method, params),
                Frame::Request { id, method, params } => self.accept_request(id, method, params),
                Frame::Answer { id, outcome } => self.accept_answer(id, outcome, replaced),
            }
        }
    }

    fn accept_notification(&mut self, method: &str, params: Option<String>) {
        self.tap.notification(method, params.as_deref());
        if method != "notifications/cancelled" {
            return;
        }
        let params = params.unwrap_or_default();
        match serde_json::from_str::<CancelledNotificationParam>(&params) {
            Ok(params) if params.request_id.is_some() => {
                // It may never be answered now.
                params.request_id.as_ref().map(|id| self.asked.remove(id));
                let cancelled = CancelledNotification::new(params);
                self.ready.push_back(JsonRpcMessage::notification(
                    ServerNotification::CancelledNotification(cancelled),
                ));
            }
            Ok(_) | Err(_) => self.tap.logs.breach("a cancellation that names no request"),
        }
    }

    fn accept_request(&mut self, id: WireId, method: String, params: Option<String>) {
        if self.opening == Some(Opening::Discover) {
            // 2026-07-28, basic/transports/stdio: a server may not send requests, and nothing
            // may be answered to one that does.
            self.tap.logs.breach("the server sent a request, which its era forbids; not answered");
            return;
        }
        let id = match id {
            WireId::Number(n) => RequestId::Number(n),
            WireId::Text(text) => RequestId::String(text.into()),
        };
        if self.asked.len() >= MAX_ASKED {
            return self.refuse(id);
        }
        if !self.asked.insert(id.clone()) {
            // An answer under this id would be taken for the answer to the first.
            self.tap.logs.breach("the server asked again under an id in use; not answered");
            return;
        }
        if method == "ping" {
            let ping = ServerRequest::PingRequest(PingRequest::default());
            self.ready.push_back(JsonRpcMessage::request(ping, id));
            return;
        }
        let params = params.map(serde_json::Value::String);
        let request = ServerRequest::CustomRequest(CustomRequest::new(method, params));
        let message = JsonRpcMessage::request(request, id);
        if self.open {
            self.ready.push_back(message);
        } else if self.held.len() < MAX_HELD {
            self.tap.logs.breach("the server sent a request before the handshake was over");
            self.held.push_back(message);
        } else {
            self.tap.logs.breach("too many requests before the handshake was over; one is lost");
        }
    }

    /// `replaced` says whether bytes of its line were no UTF-8.
    /// Answers that there are too many, without the SDK. Nobody waits for it to be written.
    fn refuse(&self, id: RequestId) {
        self.tap.logs.breach("the server asks more at once than is answered; one was refused");
        let error = ErrorData::new(ErrorCode::INTERNAL_ERROR, "too many requests at once", None);
        let refusal: ClientJsonRpcMessage = JsonRpcMessage::error(error, Some(id));
        if let Ok(bytes) = serde_json::to_vec(&refusal) {
            self.tap.traffic(Direction::Sent, &bytes);
            drop(self.writer.send(bytes));
        }
    }

    fn accept_answer(&mut self, id: Option<WireId>, outcome: Outcome, replaced: bool) {
        let Some(id) = self.whose(id) else { return };
        self.tap.news.closed(id);
        let opening = self.pending.remove(&id).flatten();
        let message = match (opening, outcome) {
            (Some(opening), Outcome::Result(raw)) => {
                let read = match opening {
                    Opening::Initialize => handshake::initialize(raw.as_str()),
                    Opening::Discover => handshake::discover(raw.as_str()),
                };
                match read {
                    Ok((said, result)) => {
                        self.open |= opening == Opening::Discover;
                        self.tap.greet(said);
                        JsonRpcMessage::response(result, RequestId::Number(id))
                    }
                    Err(why) => {
                        // The SDK gets an error in its place; what was wrong is told beside it,
                        // so that no error of a server can pass for ours.
                        self.tap.refuse(why);
                        let error = ErrorData::new(ErrorCode::INTERNAL_ERROR, "", None);
                        JsonRpcMessage::error(error, Some(RequestId::Number(id)))
                    }
                }
            }
            (Some(_), Outcome::Error(raw)) => {
                self.tap.accept_refusal();
                JsonRpcMessage::error(handshake::error(&raw), Some(RequestId::Number(id)))
            }
            (Some(_), Outcome::Both) => {
                self.tap.refuse(BOTH.to_owned());
                let error = ErrorData::new(ErrorCode::INTERNAL_ERROR, "", None);
                JsonRpcMessage::error(error, Some(RequestId::Number(id)))
            }
            (None, Outcome::Result(json)) => {
                answer(id, Answer::Result(RawResult { json, replaced }))
            }
            (None, Outcome::Error(raw)) => answer(id, Answer::Error(raw)),
            (None, Outcome::Both) => answer(id, Answer::Unusable(BOTH.into())),
        };
        self.ready.push_back(message);
    }

    /// The one request that waits, if there is one alone: what has no id can only be its answer.
    fn only_waiting(&self) -> Option<i64> {
        let mut waiting = self.pending.keys().filter(|id| !self.open_ended.contains(id));
        let only = waiting.next()?;
        waiting.next().is_none().then_some(*only)
    }

    /// Which of our requests an answer belongs to.
    fn whose(&mut self, id: Option<WireId>) -> Option<i64> {
        let Some(wire) = id else {
            if let Some(only) = self.only_waiting() {
                self.tap.logs.breach("an answer without id; taken for the one that was waiting");
                return Some(only);
            }
            self.tap.logs.breach("an answer without id, while several requests were waiting");
            return None;
        };
        let ours = wire.ours().filter(|id| self.pending.contains_key(id));
        if ours.is_none() {
            let late = wire.ours().is_some_and(|id| self.given_up.remove(&id));
            self.tap.logs.breach(if late {
                "a late answer to a request that was given up"
            } else {
                "an answer to a request that nobody made, or made twice"
            });
        }
        ours
    }

    fn accept_too_long(&mut self, head: &[u8]) {
        let why =
            format!("the server's answer is longer than {} bytes (limit line_bytes)", self.bound);
        self.tap.logs.breach(&why);
        let named = envelope::id_in_head(head).filter(|id| self.pending.contains_key(id));
        if let Some(id) = named.or_else(|| self.only_waiting()) {
            self.pending.remove(&id);
            self.ready.push_back(answer(id, Answer::TooLarge(why)));
        }
    }
}

const BOTH: &str = "the server sent a result and an error in one answer";

fn answer(id: i64, answer: Answer) -> ServerJsonRpcMessage {
    let result = ServerResult::CustomResult(CustomResult(answer.into_value()));
    JsonRpcMessage::response(result, RequestId::Number(id))
}

impl<R: AsyncRead + Send + Unpin> Transport<RoleClient> for LineTransport<R> {
    type Error = WriteError;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), WriteError>> + Send + 'static {
        self.note_sent(&message);
        let sent = serde_json::to_vec(&message)
            .map_err(|error| WriteError::Json(error.to_string()))
            .map(|bytes| {
                self.tap.traffic(Direction::Sent, &bytes);
                self.writer.send(bytes)
            });
        async move { sent?.await }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            if let Some(message) = self.ready.pop_front() {
                return Some(message);
            }
            match self.reader.next().await {
                Ok(Some(Line::Whole(bytes))) => self.accept_line(bytes),
                Ok(Some(Line::TooLong(head))) => self.accept_too_long(&head),
                Ok(None) => {
                    self.tap.gone.cancel();
                    return None;
                }
                Err(error) => {
                    self.tap.logs.breach(&format!("reading from the server failed: {error}"));
                    self.tap.gone.cancel();
                    return None;
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), WriteError> {
        self.tap.gone.cancel();
        self.writer.close();
        Ok(())
    }
}
