//! HTTP under the SDK: Streamable HTTP, and the older HTTP+SSE, with the same rules as every other
//! transport. Each message out is a request of its own; what comes back, on whichever stream, goes
//! through one [`Conversation`].
//!
//! That a server is gone shows in the next message, in the stream that it keeps open for news, and,
//! while it waits for an answer of ours, in a heartbeat.

mod endpoint;
mod events;
mod exchange;
mod failure;
mod headers;
mod news;
mod sse;

use super::{
    arrived::Arrived, conversation::Conversation, handshake::Opening, tap::Tap, traffic::Direction,
    writer::WriteError,
};
use crate::domain::{Fault, FaultKind};
use endpoint::Endpoint;
use exchange::Outgoing;
use failure::Failure;
use reqwest::{
    Url,
    header::{HeaderMap, HeaderValue},
};
use rmcp::{
    RoleClient,
    model::{
        ClientJsonRpcMessage, ClientNotification, ClientRequest, JsonRpcMessage, RequestId,
        ServerJsonRpcMessage,
    },
    transport::Transport,
};
use secrecy::SecretString;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, atomic::AtomicUsize},
    time::Duration,
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot, watch},
    task::{AbortHandle, JoinSet},
};

/// How many messages of a server may wait to be taken in; whoever reads them then waits too.
const INBOX: usize = 64;
/// How long a message that wants no answer may take to be accepted before the next one leaves.
const ACCEPTED: Duration = Duration::from_secs(5);
/// How long one may be under way in all: a server that never says so fills no memory.
const UNANSWERED: Duration = Duration::from_secs(60);
/// How many refusals may be under way. What a server asks beyond that is not even refused.
const MAX_REFUSALS: usize = 64;
/// How long the end of a session may take to be told.
const GOODBYE: Duration = Duration::from_millis(400);

/// What the tasks of a transport tell it.
enum Incoming {
    /// A message came.
    Message(Arrived),
    /// A request of ours will get no answer.
    Failed { id: i64, fault: Fault },
}

/// What the tasks of a transport share.
struct Wire {
    endpoint: Endpoint,
    tap: Arc<Tap>,
    bound: usize,
    inbox: mpsc::Sender<Incoming>,
    session: Mutex<Option<HeaderValue>>,
    /// How long the last event of an answer was, in bytes.
    last_length: AtomicUsize,
}

impl Wire {
    async fn tell(&self, incoming: Incoming) {
        // Nobody listens any more only when the transport has ended.
        let _ = self.inbox.send(incoming).await;
    }

    fn keep_session(&self, session: Option<&HeaderValue>) {
        *self.session.lock().unwrap_or_else(PoisonError::into_inner) = session.cloned();
    }

    /// The headers of a message of the legacy era.
    fn legacy_headers(&self) -> HeaderMap {
        let version = self.tap.handshake().map(|said| said.version.into_raw());
        let session = self.session.lock().unwrap_or_else(PoisonError::into_inner).clone();
        headers::legacy(version.as_deref(), session.as_ref())
    }

    /// The fault that whoever sent a message should see. Where it is the connection's and not only
    /// the message's, that is the end of it.
    fn judge(&self, failure: Failure) -> Fault {
        let Failure { mut fault, is_end } = failure;
        if is_end && self.tap.handshake().is_some() {
            fault.kind = FaultKind::Closed;
            self.tap.end(fault.clone());
        }
        fault
    }
}

/// Where messages go.
enum Way {
    /// To the one address of Streamable HTTP.
    Streamable,
    /// To where the stream of HTTP+SSE says, once it does.
    Sse(watch::Receiver<Option<Result<Url, Fault>>>),
}

/// A conversation over HTTP.
pub(super) struct HttpTransport {
    wire: Arc<Wire>,
    inbox: mpsc::Receiver<Incoming>,
    conversation: Conversation,
    way: Way,
    tasks: JoinSet<()>,
    /// Our requests under way.
    posts: HashMap<i64, AbortHandle>,
    /// Refusals under way.
    refusals: Arc<Semaphore>,
}

/// What the transport is made of.
pub(super) struct Address<'a> {
    pub(super) url: &'a str,
    pub(super) headers: &'a [(String, SecretString)],
    /// Whether to speak the older HTTP+SSE.
    pub(super) sse: bool,
}

impl HttpTransport {
    /// Must be called inside a tokio runtime. `bound` is the longest message in bytes.
    pub(super) fn new(address: &Address<'_>, tap: Arc<Tap>, bound: usize) -> Result<Self, Fault> {
        let endpoint = Endpoint::new(address.url, address.headers)?;
        let (inbox, received) = mpsc::channel(INBOX);
        let conversation = Conversation::new(tap.clone(), bound);
        let (session, last_length) = (Mutex::new(None), AtomicUsize::new(0));
        let wire = Arc::new(Wire { endpoint, tap, bound, inbox, session, last_length });
        let mut tasks = JoinSet::new();
        let way = if address.sse {
            let (found, endpoint) = watch::channel(None);
            tasks.spawn(sse::keep(wire.clone(), found));
            Way::Sse(endpoint)
        } else {
            Way::Streamable
        };
        let refusals = Arc::new(Semaphore::new(MAX_REFUSALS));
        let posts = HashMap::new();
        Ok(Self { wire, inbox: received, conversation, way, tasks, posts, refusals })
    }

    /// Records a message and sends it in a task of its own. The receiver tells when it was accepted.
    fn post(&mut self, outgoing: Outgoing) -> oneshot::Receiver<Result<(), Fault>> {
        self.wire.tap.traffic(Direction::Sent, &outgoing.body);
        let (done, accepted) = oneshot::channel();
        let wire = self.wire.clone();
        let id = outgoing.id;
        let old = match &self.way {
            Way::Streamable => None,
            Way::Sse(endpoint) => Some(endpoint.clone()),
        };
        let task = self.tasks.spawn(async move {
            let sending = async {
                match old {
                    None => exchange::exchange(&wire, outgoing).await,
                    Some(endpoint) => sse::send(&wire, endpoint, outgoing).await,
                }
            };
            let sent = match id {
                // Whoever made a request knows how long to wait for it.
                Some(_) => sending.await,
                None => match tokio::time::timeout(UNANSWERED, sending).await {
                    Ok(sent) => sent,
                    Err(_) => Err(unaccepted().into()),
                },
            };
            let sent = sent.map_err(|failure| wire.judge(failure));
            if let (Err(fault), Some(id)) = (&sent, id) {
                wire.tell(Incoming::Failed { id, fault: fault.clone() }).await;
            }
            // Whoever sent it may have stopped waiting.
            let _ = done.send(sent);
        });
        if let Some(id) = id {
            self.posts.retain(|_, post| !post.is_finished());
            self.posts.insert(id, task);
        }
        accepted
    }

    fn outgoing(&self, message: &ClientJsonRpcMessage, body: Vec<u8>) -> Outgoing {
        let modern = self.is_modern();
        let (id, opens) = match message {
            JsonRpcMessage::Request(request) => {
                let id = match request.id {
                    RequestId::Number(id) => Some(id),
                    RequestId::String(_) => None,
                };
                let request = &request.request;
                let opens = matches!(
                    request,
                    ClientRequest::InitializeRequest(_) | ClientRequest::DiscoverRequest(_)
                );
                (id, opens)
            }
            JsonRpcMessage::Response(_)
            | JsonRpcMessage::Error(_)
            | JsonRpcMessage::Notification(_) => (None, false),
        };
        let headers = if modern { headers::modern(message) } else { self.wire.legacy_headers() };
        Outgoing { id, body, headers, opens: opens && !modern, resumable: !modern }
    }

    fn is_modern(&self) -> bool {
        self.conversation.opening() == Some(Opening::Discover)
    }

    /// Stops the request that a message gives up, if it is one that does. In the modern era that
    /// tells the server, and nothing else may (spec 2026-07-28, "Cancellation").
    fn stop(&mut self, message: &ClientJsonRpcMessage) -> bool {
        let JsonRpcMessage::Notification(notification) = message else { return false };
        let ClientNotification::CancelledNotification(cancelled) = &notification.notification
        else {
            return false;
        };
        if let Some(RequestId::Number(id)) = &cancelled.params.request_id
            && let Some(post) = self.posts.remove(id)
        {
            post.abort();
        }
        self.is_modern()
    }

    /// Begins what starts when the handshake is over: the stream for news (legacy).
    fn opened(&mut self, message: &ClientJsonRpcMessage) {
        let JsonRpcMessage::Notification(notification) = message else { return };
        let initialized =
            matches!(notification.notification, ClientNotification::InitializedNotification(_));
        if initialized && matches!(self.way, Way::Streamable) {
            self.tasks.spawn(news::keep(self.wire.clone()));
        }
    }

    /// Sends a refusal; its place is given back when it was accepted, or will not be.
    fn refuse(&mut self, body: Vec<u8>, place: OwnedSemaphorePermit) {
        let headers = self.wire.legacy_headers();
        let accepted =
            self.post(Outgoing { id: None, body, headers, opens: false, resumable: false });
        self.tasks.spawn(async move {
            // Nobody waits for it; one that failed has told so where it did.
            let _ = accepted.await;
            drop(place);
        });
    }

    fn accept(&mut self, incoming: Incoming) {
        match incoming {
            Incoming::Message(arrived) => self.conversation.accept(arrived),
            Incoming::Failed { id, fault } => self.conversation.fail(id, fault),
        }
        for refusal in self.conversation.take_refusals() {
            let Ok(place) = self.refusals.clone().try_acquire_owned() else { continue };
            self.refuse(refusal, place);
        }
    }
}

/// A message that wants no answer was not accepted.
fn unaccepted() -> Fault {
    let seconds = UNANSWERED.as_secs();
    let what = format!("the server did not accept a message within {seconds} s");
    Fault::new(FaultKind::Timeout, what)
}

impl Transport<RoleClient> for HttpTransport {
    type Error = WriteError;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), WriteError>> + Send + 'static {
        self.conversation.note_sent(&message);
        let accepted = if self.stop(&message) {
            Ok(None)
        } else {
            serde_json::to_vec(&message).map_err(|error| WriteError::Json(error.to_string())).map(
                |body| {
                    let outgoing = self.outgoing(&message, body);
                    let waits = outgoing.id.is_none();
                    let accepted = self.post(outgoing);
                    waits.then_some(accepted)
                },
            )
        };
        self.opened(&message);
        let is_notification = matches!(message, JsonRpcMessage::Notification(_));
        async move {
            let Some(accepted) = accepted? else { return Ok(()) };
            let sent = if is_notification {
                // A server that never says so is no reason to wait for ever.
                tokio::time::timeout(ACCEPTED, accepted).await.unwrap_or(Ok(Ok(())))
            } else {
                accepted.await
            };
            match sent {
                Ok(Ok(())) => Ok(()),
                Ok(Err(fault)) => Err(WriteError::Refused(fault.what)),
                Err(_) => Err(WriteError::Closed),
            }
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            if let Some(message) = self.conversation.pop() {
                return Some(message);
            }
            let beats = self.conversation.is_asked() && !self.is_modern();
            tokio::select! {
                biased;
                incoming = self.inbox.recv() => match incoming {
                    Some(incoming) => self.accept(incoming),
                    None => return None,
                },
                () = self.wire.tap.gone.cancelled() => return None,
                Some(_) = self.tasks.join_next() => {}
                () = news::heartbeat(&self.wire), if beats => {}
            }
        }
    }

    async fn close(&mut self) -> Result<(), WriteError> {
        self.wire.tap.gone.cancel();
        self.tasks.abort_all();
        let headers = self.wire.legacy_headers();
        if headers.contains_key(headers::SESSION) {
            // A server may refuse it (405), and one that is gone does not answer.
            let _ = tokio::time::timeout(GOODBYE, self.wire.endpoint.delete(headers).send()).await;
        }
        Ok(())
    }
}
