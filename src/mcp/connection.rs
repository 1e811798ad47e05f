//! One open conversation: calls with a deadline that is kept, and an end that is told at once.

use super::{
    answer::{Answer, RawResult},
    child::ChildProcess,
    handler::Handler,
    handshake,
    lifecycle::{Target, with_last_words},
    mirrored::Mirrored,
    patience::{Patience, RanOut},
    tap::Tap,
    track::Track,
    writer::WriteError,
};
use crate::domain::{Fault, FaultKind, ServerFacts};
use rmcp::{
    RoleClient,
    model::{
        CancelledNotification, CancelledNotificationParam, ClientNotification, ClientRequest,
        CustomRequest, CustomResult, ProgressToken, RequestId, ServerResult,
    },
    service::{Peer, PeerRequestOptions, RunningService, ServiceError},
};
use serde_json::Value;
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::sync::watch;
use tokio_util::task::TaskTracker;

/// How long an end waits for the cancellations before it to be written.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// What a connection is made of.
pub(super) struct Parts {
    pub(super) service: RunningService<RoleClient, Handler>,
    pub(super) tap: Arc<Tap>,
    pub(super) child: Option<ChildProcess>,
    pub(super) facts: ServerFacts,
    pub(super) asking: Arc<watch::Sender<usize>>,
    pub(super) target: Target,
}

/// What has to be ended: the SDK's service, and the process.
type Owned = (RunningService<RoleClient, Handler>, Option<ChildProcess>);

/// An open conversation with a server.
pub(super) struct Connection {
    pub(super) facts: ServerFacts,
    pub(super) tap: Arc<Tap>,
    pub(super) target: Target,
    peer: Peer<RoleClient>,
    asking: Arc<watch::Sender<usize>>,
    owned: Mutex<Option<Owned>>,
    /// How the process ended, once it is known.
    ending: watch::Sender<Option<String>>,
    /// Cancellations on their way to the server.
    giving_up: TaskTracker,
}

impl Connection {
    pub(super) fn new(parts: Parts) -> Self {
        Self {
            facts: parts.facts,
            tap: parts.tap,
            target: parts.target,
            peer: parts.service.peer().clone(),
            asking: parts.asking,
            owned: Mutex::new(Some((parts.service, parts.child))),
            ending: watch::channel(None).0,
            giving_up: TaskTracker::new(),
        }
    }

    /// Sends one request and waits for its raw result, at most `time` in which no person is being
    /// asked. Dropping the future tells the server that the request was given up.
    pub(super) async fn call(
        &self,
        method: &'static str,
        params: Value,
        time: Duration,
    ) -> Result<RawResult, Fault> {
        let request = request(method, params, Mirrored::default());
        self.tracked(method, request, Patience::of(time), &Track::default()).await
    }

    /// The same for a request that may take longer as long as it tells how far it has come.
    pub(super) async fn tracked(
        &self,
        method: &'static str,
        request: CustomRequest,
        patience: Patience,
        track: &Track,
    ) -> Result<RawResult, Fault> {
        let called = self.ask(method, request, patience, track).await;
        // What the other side says may hold what was sent to it.
        called.map_err(|fault| self.tap.logs.mask.fault(fault))
    }

    async fn ask(
        &self,
        method: &'static str,
        request: CustomRequest,
        patience: Patience,
        track: &Track,
    ) -> Result<RawResult, Fault> {
        let request = ClientRequest::CustomRequest(request);
        let options = PeerRequestOptions::no_options();
        let gone = self.tap.gone.cancelled();
        let mark = self.tap.mark();
        let calling = async {
            let mut handle = self.peer.send_request_with_option(request, options).await?;
            let _following = match handle.progress_token {
                ProgressToken(RequestId::Number(token)) => {
                    Some(self.tap.progress.follow(token, track))
                }
                ProgressToken(RequestId::String(_)) => None,
            };
            let mut guard = GiveUp::new(self, &handle.id);
            let answer = (&mut handle.rx).await.unwrap_or(Err(ServiceError::TransportClosed));
            guard.armed = false;
            answer
        };
        // The stream's end is looked at last: an answer that came just before it counts.
        tokio::select! {
            biased;
            answer = calling => self.read_answer(method, answer, mark).await,
            out = patience.run_out(&self.asking, track) => {
                Err(self.too_slow(method, patience, out, mark))
            }
            () = gone => Err(self.closed(method).await),
        }
    }

    fn too_slow(&self, method: &str, patience: Patience, out: RanOut, mark: (u64, u64)) -> Fault {
        let (time, limit) = match out {
            RanOut::Quiet => (patience.quiet, "limits.request_seconds"),
            RanOut::Whole => (self.target.limits.call, "limits.call_seconds"),
        };
        let what = format!("{method} was not answered within {} s", time.as_secs_f32());
        let mut fault = self.fault(FaultKind::Timeout, what);
        let owned = self.owned.lock().unwrap_or_else(PoisonError::into_inner);
        fault.cause.extend(
            owned
                .as_ref()
                .and_then(|(_, child)| child.as_ref()?.ended())
                .map(crate::domain::UntrustedText::from),
        );
        let meanwhile = self.tap.words_since(mark);
        if meanwhile.is_empty() {
            return fault.hint(format!("the server was told; raise {limit} if it is only slow"));
        }
        fault.cause.extend(meanwhile);
        fault.hint("the server was told; what it wrote meanwhile was no answer to this")
    }

    fn fault(&self, kind: FaultKind, what: String) -> Fault {
        Fault::new(kind, what).of(&self.target.spec.id)
    }

    async fn read_answer(
        &self,
        method: &str,
        answer: Result<ServerResult, ServiceError>,
        mark: (u64, u64),
    ) -> Result<RawResult, Fault> {
        let value = match answer {
            Ok(ServerResult::CustomResult(CustomResult(value))) => value,
            Ok(_) => {
                let what = format!("{method} was answered with something of another kind");
                return Err(self.fault(FaultKind::Protocol, what));
            }
            Err(ServiceError::TransportSend(error)) => {
                let why = error.error.downcast_ref::<WriteError>();
                if !matches!(why, Some(WriteError::Stuck | WriteError::Json(_))) {
                    return Err(self.unwritable(method).await);
                }
                let what = format!("{method} could not be sent");
                let fault = self.fault(FaultKind::Closed, what).because(error.error.to_string());
                return Err(with_last_words(fault, &self.tap));
            }
            Err(ServiceError::Cancelled { .. }) => {
                return Err(self.fault(FaultKind::Cancelled, format!("{method} was cancelled")));
            }
            Err(_) => return Err(self.closed(method).await),
        };
        match Answer::from_value(value) {
            Answer::Result(raw) => Ok(raw),
            Answer::Error(raw) => {
                let error = handshake::error(&raw);
                let what = format!("the server answered {method} with error {}", error.code.0);
                let mut fault = self.fault(FaultKind::ServerError, what);
                fault.rpc_code = Some(error.code.0);
                fault = fault.because(error.message.to_string());
                if let Some(data) = error.data {
                    fault = fault.because(format!("data: {data}"));
                }
                fault.cause.extend(self.tap.words_since(mark));
                Err(fault)
            }
            Answer::Failed(number) => {
                let unknown = || Fault::new(FaultKind::Unexpected, "the reason was lost");
                let mut fault = self.tap.take_failure(number).unwrap_or_else(unknown);
                fault.what = format!("{method}: {}", fault.what);
                Err(fault.of(&self.target.spec.id))
            }
            Answer::Unusable(why) => Err(self.fault(FaultKind::Protocol, why)),
            Answer::TooLarge(why) => Err(self
                .fault(FaultKind::Limit, why)
                .hint("raise limits.line_bytes in settings.toml if you trust this server")),
        }
    }

    /// Nothing can be sent any more. The end of what the server writes usually follows at once;
    /// where it does not, this is the end, so that the next call makes a new connection.
    async fn unwritable(&self, during: &str) -> Fault {
        let gone = self.tap.gone.cancelled();
        let _ = tokio::time::timeout(Duration::from_millis(300), gone).await;
        self.tap.gone.cancel();
        self.closed(during).await
    }

    /// The connection is gone: what is known of how.
    pub(super) async fn closed(&self, during: &str) -> Fault {
        self.tap.logs.mask.fault(self.how_it_closed(during).await)
    }

    async fn how_it_closed(&self, during: &str) -> Fault {
        // Over HTTP there is no process that could tell how it ended.
        if let Some(mut why) = self.tap.ending() {
            // It is ended all the same, among the tasks that a closing waits for.
            let _ = self.ending().await;
            why.what = format!("the connection was lost during {during}: {}", why.what);
            return why.of(&self.target.spec.id);
        }
        let what = format!("the server closed the connection during {during}");
        let mut fault = self.fault(FaultKind::Closed, what);
        if let Some(ending) = self.ending().await {
            fault = fault.because(ending);
        }
        with_last_words(fault, &self.tap)
    }

    /// Ends the service and the process, once; says how the process ended. The work is a task of
    /// its own, so that whoever asks may stop waiting.
    async fn ending(&self) -> Option<String> {
        const PATIENCE: Duration = Duration::from_millis(300);
        let owned = self.owned.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((service, child)) = owned {
            let tell = self.ending.clone();
            self.target.tasks.spawn(async move {
                let ending = match &child {
                    Some(child) => child.ending(PATIENCE).await,
                    None => "the server inside this program ended".to_owned(),
                };
                tell.send_replace(Some(ending));
                end(service, child).await;
            });
        }
        let mut ending = self.ending.subscribe();
        let known = tokio::time::timeout(PATIENCE * 2, ending.wait_for(Option::is_some)).await;
        known.ok()?.ok()?.clone()
    }

    /// Closes the conversation and ends the process; returns when nothing of it is left. A server
    /// is told first what was given up just before.
    pub(super) async fn close(&self) {
        self.giving_up.close();
        // A server that does not read is not waited for.
        let _ = tokio::time::timeout(LAST_WORDS, self.giving_up.wait()).await;
        let owned = self.owned.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.tap.gone.cancel();
        if let Some((service, child)) = owned {
            end(service, child).await;
        }
    }
}

/// A request, and what goes along with it in headers, where there are any.
pub(super) fn request(method: &'static str, params: Value, mirrored: Mirrored) -> CustomRequest {
    let mut request = CustomRequest::new(method, Some(params));
    request.extensions.insert(mirrored);
    request
}

async fn end(mut service: RunningService<RoleClient, Handler>, child: Option<ChildProcess>) {
    // The handlers watch the stream's end, so this is quick; a stuck one is dropped.
    let _ = service.close_with_timeout(Duration::from_millis(500)).await;
    drop(service);
    if let Some(child) = child {
        child.stop().await;
    }
}

/// Tells the server that a request was given up, unless it was answered.
struct GiveUp<'a> {
    connection: &'a Connection,
    id: &'a RequestId,
    armed: bool,
}

impl<'a> GiveUp<'a> {
    fn new(connection: &'a Connection, id: &'a RequestId) -> Self {
        Self { connection, id, armed: true }
    }
}

impl Drop for GiveUp<'_> {
    fn drop(&mut self) {
        if !self.armed || tokio::runtime::Handle::try_current().is_err() {
            return;
        }
        let reason = Some("given up by the user or by a deadline".to_owned());
        let params = CancelledNotificationParam::new(Some(self.id.clone()), reason);
        let cancelled =
            ClientNotification::CancelledNotification(CancelledNotification::new(params));
        let peer = self.connection.peer.clone();
        let telling = self.connection.giving_up.track_future(async move {
            // A server that does not read must not keep this task alive.
            let sending = peer.send_notification(cancelled);
            let _ = tokio::time::timeout(Duration::from_secs(1), sending).await;
        });
        self.connection.target.tasks.spawn(telling);
    }
}
