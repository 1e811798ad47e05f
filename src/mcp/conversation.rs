//! What belongs to every way of talking to a server: which requests wait on either side, and what
//! a message that came means to them.
//!
//! Tolerant where the SDK is strict, bounded where it is not, and in order: every result goes up
//! raw (see [`Answer`]), and notifications are noted here.

use super::{
    answer::{Answer, RawResult},
    arrived::Arrived,
    envelope::{self, Frame, Outcome, WireId},
    handshake::{self, Opening},
    listen,
    tap::Tap,
};
use crate::domain::{Fault, FaultKind};
use rmcp::model::{
    CancelledNotification, CancelledNotificationParam, ClientJsonRpcMessage, ClientNotification,
    ClientRequest, CustomRequest, CustomResult, ErrorCode, ErrorData, GetMeta as _, JsonRpcMessage,
    PingRequest, ProgressToken, RequestId, ServerJsonRpcMessage, ServerNotification, ServerRequest,
    ServerResult,
};
use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::Arc,
};

/// How many requests of a server that came before the handshake was over are held for later.
const MAX_HELD: usize = 64;
/// How many requests of a server may be under way. One more is refused at once, so that a server
/// that asks faster than it reads answers fills no memory.
const MAX_ASKED: usize = 1024;
/// How many given-up requests are remembered, to tell a late answer from a stray one.
const MAX_GIVEN_UP: usize = 1024;

/// What a request of ours is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pending {
    /// The handshake.
    Opening(Opening),
    /// It is answered when it is over, which may be never.
    OpenEnded,
    /// Any other.
    Call,
}

/// Both sides of a conversation, as far as it has come.
pub(super) struct Conversation {
    tap: Arc<Tap>,
    bound: usize,
    /// Our requests that wait for an answer.
    pending: HashMap<i64, Pending>,
    /// The last requests that were given up, oldest first.
    given_up: VecDeque<i64>,
    /// Requests of the server that wait for our answer.
    asked: HashSet<RequestId>,
    opening: Option<Opening>,
    /// Whether the handshake is over.
    open: bool,
    ready: VecDeque<ServerJsonRpcMessage>,
    held: VecDeque<ServerJsonRpcMessage>,
    /// What was refused without asking the SDK, to be sent.
    refusals: Vec<Vec<u8>>,
}

impl Conversation {
    /// `bound` is the longest message in bytes (`limits.line_bytes`).
    pub(super) fn new(tap: Arc<Tap>, bound: usize) -> Self {
        Self {
            tap,
            bound,
            pending: HashMap::new(),
            given_up: VecDeque::new(),
            asked: HashSet::new(),
            opening: None,
            open: false,
            ready: VecDeque::new(),
            held: VecDeque::new(),
            refusals: Vec::new(),
        }
    }

    /// The next message for the SDK.
    pub(super) fn pop(&mut self) -> Option<ServerJsonRpcMessage> {
        self.ready.pop_front()
    }

    /// What has to be sent beside what the SDK sends.
    pub(super) fn take_refusals(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.refusals)
    }

    /// Which opening was sent last.
    pub(super) fn opening(&self) -> Option<Opening> {
        self.opening
    }

    /// Whether the server waits for an answer of ours.
    pub(super) fn is_asked(&self) -> bool {
        !self.asked.is_empty()
    }

    /// A request of ours got no answer, and will get none.
    pub(super) fn fail(&mut self, id: i64, fault: Fault) {
        self.tap.closed(id);
        let Some(pending) = self.pending.remove(&id) else { return };
        self.ready.push_back(if matches!(pending, Pending::Opening(_)) {
            self.refuse_opening(id, fault)
        } else {
            answer(id, Answer::Failed(self.tap.keep_failure(fault)))
        });
    }

    /// The SDK gets an error in place of the answer to an opening; what was wrong is told beside
    /// it, so that no error of a server can pass for ours.
    fn refuse_opening(&self, id: i64, fault: Fault) -> ServerJsonRpcMessage {
        self.tap.refuse(fault);
        let error = ErrorData::new(ErrorCode::INTERNAL_ERROR, "", None);
        JsonRpcMessage::error(error, Some(RequestId::Number(id)))
    }

    /// Takes note of what is about to be sent.
    pub(super) fn note_sent(&mut self, message: &ClientJsonRpcMessage) {
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
            if let Some(ProgressToken(RequestId::Number(token))) =
                request.get_meta().get_progress_token()
            {
                self.tap.progress.opened(*id, token);
            }
            let pending = match opening {
                Some(opening) => Pending::Opening(opening),
                None if request.method() == listen::METHOD => {
                    self.tap.news.opened(*id);
                    Pending::OpenEnded
                }
                None => Pending::Call,
            };
            self.pending.insert(*id, pending);
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
        self.tap.closed(id);
        if self.pending.remove(&id).is_none() {
            return;
        }
        if self.given_up.len() >= MAX_GIVEN_UP {
            self.given_up.pop_front();
        }
        self.given_up.push_back(id);
    }

    /// Takes a message in.
    pub(super) fn accept(&mut self, arrived: Arrived) {
        let Arrived { frames, head, replaced } = arrived;
        for frame in frames {
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

    /// Answers that there are too many, without the SDK. Nobody waits for it to be written.
    fn refuse(&mut self, id: RequestId) {
        self.tap.logs.breach("the server asks more at once than is answered; one was refused");
        let error = ErrorData::new(ErrorCode::INTERNAL_ERROR, "too many requests at once", None);
        let refusal: ClientJsonRpcMessage = JsonRpcMessage::error(error, Some(id));
        if let Ok(bytes) = serde_json::to_vec(&refusal) {
            self.refusals.push(bytes);
        }
    }

    /// `replaced` says whether bytes of its line were no UTF-8.
    fn accept_answer(&mut self, id: Option<WireId>, outcome: Outcome, replaced: bool) {
        let Some(id) = self.whose(id) else { return };
        self.tap.closed(id);
        let opening = match self.pending.remove(&id) {
            Some(Pending::Opening(opening)) => Some(opening),
            Some(Pending::OpenEnded | Pending::Call) | None => None,
        };
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
                    Err(why) => self.refuse_opening(id, protocol(why)),
                }
            }
            (Some(_), Outcome::Error(raw)) => {
                self.tap.accept_refusal();
                JsonRpcMessage::error(handshake::error(&raw), Some(RequestId::Number(id)))
            }
            (Some(_), Outcome::Both) => self.refuse_opening(id, protocol(BOTH)),
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
        let mut waiting =
            self.pending.iter().filter(|(_, pending)| **pending != Pending::OpenEnded);
        let (only, _) = waiting.next()?;
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
            let given_up = |id: i64| self.given_up.iter().position(|given_up| *given_up == id);
            let late = wire.ours().and_then(given_up);
            let late = late.and_then(|at| self.given_up.remove(at)).is_some();
            self.tap.logs.breach(if late {
                "a late answer to a request that was given up"
            } else {
                "an answer to a request that nobody made, or made twice"
            });
        }
        ours
    }

    /// Takes the head of a message in that is too long.
    pub(super) fn accept_too_long(&mut self, head: &[u8]) {
        let why =
            format!("the server's answer is longer than {} bytes (limit line_bytes)", self.bound);
        self.tap.logs.breach(&why);
        let named = envelope::id_in_head(head).filter(|id| self.pending.contains_key(id));
        if let Some(id) = named.or_else(|| self.only_waiting()) {
            self.tap.closed(id);
            self.pending.remove(&id);
            self.ready.push_back(answer(id, Answer::TooLarge(why)));
        }
    }
}

const BOTH: &str = "the server sent a result and an error in one answer";

fn protocol(why: impl Into<String>) -> Fault {
    Fault::new(FaultKind::Protocol, why)
}

fn answer(id: i64, answer: Answer) -> ServerJsonRpcMessage {
    let result = ServerResult::CustomResult(CustomResult(answer.into_value()));
    JsonRpcMessage::response(result, RequestId::Number(id))
}
