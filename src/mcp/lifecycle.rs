//! Opening a conversation: the era, one fallback on a fresh transport, the version checked.

use super::{
    child::ChildProcess,
    connect::{self, Carrier, InProcess},
    connection::{Connection, Parts},
    handler::Handler,
    handshake::{self, Handshake, LEGACY_VERSIONS, MODERN_VERSION},
    tap::{Logs, Tap},
};
use crate::{
    config::Limits,
    domain::{Era, EraChoice, Fault, FaultKind, HttpKind, ServerFacts, ServerSpec, Transport},
    sampling::Gate,
};
use futures_util::{FutureExt, future::BoxFuture};
use rmcp::{
    RoleClient,
    model::{ErrorCode, ErrorData, ProtocolVersion},
    service::{
        ClientInitializeError, ClientLifecycleMode, RunningService,
        serve_client_with_lifecycle_and_ct,
    },
};
use std::{sync::Arc, time::Duration};
use tokio::{sync::watch, time::Instant};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// What is needed to reach a server, over and over.
#[derive(Clone)]
pub(super) struct Target {
    pub(super) spec: Arc<ServerSpec>,
    pub(super) in_process: Option<Arc<dyn InProcess>>,
    pub(super) gate: Gate,
    pub(super) limits: Arc<Limits>,
    pub(super) logs: Arc<Logs>,
    pub(super) tasks: TaskTracker,
}

/// One try that did not succeed.
struct Failed {
    error: Option<Box<ClientInitializeError>>,
    fault: Fault,
    /// Whether HTTP itself refused the handshake, in a way in which servers of the older HTTP+SSE
    /// do.
    may_be_sse: bool,
}

/// One way of opening.
struct Opening {
    mode: ClientLifecycleMode,
    reason: &'static str,
    /// Over the older HTTP+SSE, where the entry leaves it open.
    old: bool,
}

/// Connects. `known` is the era in which this server was reached before, if it was.
///
/// Auto asks with `server/discover`; a server that refuses it is opened with `initialize` on the
/// same stream. Whatever else goes wrong is tried once more with `initialize` on a fresh one,
/// since some servers end, or never recover, when they are greeted in a way they do not know. A
/// server that does not take messages over Streamable HTTP is tried over HTTP+SSE.
pub(super) async fn connect(target: Target, known: Option<Era>) -> Result<Connection, Fault> {
    let logs = target.logs.clone();
    // What the other side says may hold what was sent to it.
    reach(target, known).await.map_err(|fault| logs.mask.fault(fault))
}

async fn reach(target: Target, known: Option<Era>) -> Result<Connection, Fault> {
    let patience = target.spec.connect_timeout.unwrap_or(target.limits.connect);
    let deadline = Instant::now() + patience;
    let auto = || ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        legacy_version: Some(ProtocolVersion::V_2025_11_25),
    };
    let discover = || ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    };
    let initialize = |reason, old| Opening { mode: ClientLifecycleMode::Initialize, reason, old };
    let found_out = || Opening { mode: auto(), reason: "found out", old: false };
    let first = match (target.spec.era, known) {
        // The older HTTP+SSE knows nothing else.
        _ if is_sse(&target.spec) => initialize("HTTP+SSE knows no other", true),
        (EraChoice::Legacy, _) => initialize("chosen in the entry", false),
        (EraChoice::Modern, _) => {
            Opening { mode: discover(), reason: "chosen in the entry", old: false }
        }
        (EraChoice::Auto, Some(Era::Legacy)) => initialize("as it was reached before", false),
        (EraChoice::Auto, Some(Era::Modern) | None) => found_out(),
    };
    let first = match attempt(target.clone(), first, deadline, patience).await {
        Ok(connection) => return Ok(connection),
        Err(failed) => failed,
    };
    let again = match (target.spec.era, known) {
        (EraChoice::Auto | EraChoice::Legacy, _) if first.may_be_sse => {
            initialize("Streamable HTTP was refused, so the older HTTP+SSE", true)
        }
        // It has changed since: what it is now is found out.
        (EraChoice::Auto, Some(Era::Legacy)) if first.error.is_some() => found_out(),
        (EraChoice::Auto, _) if worth_another(&first) => {
            initialize("server/discover failed, so initialize on a fresh connection", false)
        }
        (EraChoice::Auto | EraChoice::Legacy | EraChoice::Modern, _) => return Err(first.fault),
    };
    if Instant::now() >= deadline {
        return Err(first.fault);
    }
    let old = again.old;
    attempt(target, again, deadline, patience).await.map_err(|second| {
        // The first try told more when the second only ran out of time, or was only a guess that
        // nothing bore out.
        let guessed = old && second.fault.kind != FaultKind::Validation;
        if second.fault.kind == FaultKind::Timeout || guessed { first.fault } else { second.fault }
    })
}

fn is_sse(spec: &ServerSpec) -> bool {
    matches!(spec.transport, Transport::Http { kind: HttpKind::Sse, .. })
}

/// Whether the server may be one of the older HTTP+SSE: it does not take messages at its address
/// (spec 2026-07-28, basic/transports/streamable-http, "Backward Compatibility").
fn may_be_sse(spec: &ServerSpec, tap: &Tap) -> bool {
    let Transport::Http { kind: HttpKind::Streamable, .. } = spec.transport else { return false };
    let Some((status, worded)) = tap.status() else { return false };
    // An error in MCP's own words comes from a server that took the message.
    (400..=499).contains(&status) && ![401, 403, 429].contains(&status) && !worded
}

/// Whether a fresh start with `initialize` could help.
fn worth_another(failed: &Failed) -> bool {
    if failed.fault.kind == FaultKind::Authorization {
        return false;
    }
    match failed.error.as_deref() {
        // It could not even be started, or time ran out.
        None => false,
        // `initialize` itself was refused: it would be again.
        Some(ClientInitializeError::LegacyFallbackFailed { fallback, .. }) => {
            !matches!(**fallback, ClientInitializeError::JsonRpcError(_))
        }
        Some(ClientInitializeError::NoCompatibleProtocolVersion { server_supported, .. }) => {
            let known = |v: &ProtocolVersion| LEGACY_VERSIONS.contains(&v.as_str());
            server_supported.iter().any(known)
        }
        Some(_) => true,
    }
}

async fn attempt(
    target: Target,
    opening: Opening,
    deadline: Instant,
    patience: Duration,
) -> Result<Connection, Failed> {
    let id = target.spec.id.clone();
    let Opening { mode, reason, old } = opening;
    let only = |fault: Fault| Failed { error: None, fault: fault.of(&id), may_be_sse: false };
    let tap = Arc::new(Tap::new(target.logs.clone()));
    let in_process = target.in_process.as_ref();
    let opened =
        connect::open(&target.spec, in_process, &target.limits, tap.clone(), &target.tasks, old)
            .map_err(only)?;
    let asking = Arc::new(watch::channel(0).0);
    let handler = Handler {
        spec: target.spec.clone(),
        gate: target.gate.clone(),
        tap: tap.clone(),
        asking: asking.clone(),
    };
    let serving = serve(handler, opened.transport, mode);
    let served = tokio::time::timeout_at(deadline, serving).await;
    let service = match served {
        Ok(Ok(service)) => service,
        Ok(Err(error)) => {
            let fault = refused(&error, &tap, opened.child.as_ref()).await.of(&target.spec.id);
            end(opened.child).await;
            let may_be_sse = !old && may_be_sse(&target.spec, &tap);
            return Err(Failed { error: Some(Box::new(error)), fault, may_be_sse });
        }
        Err(_) => {
            end(opened.child).await;
            return Err(only(too_slow(&tap, patience)));
        }
    };
    let handshake = tap.handshake();
    let facts = match handshake.map(|said| facts(said, reason)) {
        Some(Ok(facts)) => facts,
        Some(Err(fault)) => return Err(only(close(service, opened.child, fault).await)),
        None => {
            let fault = Fault::new(FaultKind::Unexpected, "the handshake left no trace");
            return Err(only(close(service, opened.child, fault).await));
        }
    };
    // Off first thing: it would serve old lists after the server has died.
    let off = rmcp::service::ClientCacheConfig::disabled();
    service.peer().set_response_cache_config(off).await;
    Ok(Connection::new(Parts { service, tap, child: opened.child, facts, asking, target }))
}

/// Boxed here, where all types are known: further up the compiler can no longer prove that the
/// SDK's future may move between threads.
fn serve(
    handler: Handler,
    transport: Carrier,
    mode: ClientLifecycleMode,
) -> BoxFuture<'static, Result<RunningService<RoleClient, Handler>, ClientInitializeError>> {
    let stop = CancellationToken::new();
    serve_client_with_lifecycle_and_ct(handler, transport, mode, stop).boxed()
}

async fn end(child: Option<ChildProcess>) {
    if let Some(child) = child {
        child.stop().await;
    }
}

async fn close(
    mut service: RunningService<RoleClient, Handler>,
    child: Option<ChildProcess>,
    fault: Fault,
) -> Fault {
    // A handler that does not end in this time is dropped with the service.
    let _ = service.close_with_timeout(Duration::from_millis(500)).await;
    end(child).await;
    fault
}

fn facts(said: Handshake, reason: &str) -> Result<ServerFacts, Fault> {
    let era = match said.opening {
        handshake::Opening::Initialize => Era::Legacy,
        handshake::Opening::Discover => Era::Modern,
    };
    let known = match era {
        Era::Legacy => LEGACY_VERSIONS.contains(&said.version.raw()),
        Era::Modern => said.version.raw() == MODERN_VERSION,
    };
    if !known {
        let what = "the server chose a protocol version that is not known";
        return Err(Fault::new(FaultKind::Protocol, what)
            .because(said.version)
            .hint(format!("known: {}, {MODERN_VERSION}", LEGACY_VERSIONS.join(", "))));
    }
    let era_reason = match (era, reason) {
        (Era::Modern, "found out") => "server/discover answered".to_owned(),
        (Era::Legacy, "found out") => {
            "server/discover gave no usable answer, so initialize on the same connection".to_owned()
        }
        (Era::Legacy | Era::Modern, other) => other.to_owned(),
    };
    Ok(ServerFacts {
        era,
        era_reason,
        version: said.version.into_raw(),
        name: said.name,
        release: said.release,
        instructions: said.instructions,
        capabilities: said.capabilities,
    })
}

fn too_slow(tap: &Tap, patience: Duration) -> Fault {
    let seconds = patience.as_secs_f32();
    let what = format!("no answer to the handshake within {seconds} s");
    let hint = "it may still be starting (npx and uvx download first): raise \
                connectTimeoutSeconds in its entry, or connect it again";
    with_last_words(Fault::new(FaultKind::Timeout, what), tap).hint(hint)
}

/// Adds the last lines of standard error and of stray output.
pub(super) fn with_last_words(mut fault: Fault, tap: &Tap) -> Fault {
    fault.cause.extend(tap.last_words());
    fault
}

async fn refused(error: &ClientInitializeError, tap: &Tap, child: Option<&ChildProcess>) -> Fault {
    let error = if let ClientInitializeError::LegacyFallbackFailed { fallback, .. } = error {
        fallback
    } else {
        error
    };
    if let ClientInitializeError::JsonRpcError(data) = error {
        return match tap.refusal() {
            Some(fault) => fault,
            None => answered(data),
        };
    }
    if let ClientInitializeError::NoCompatibleProtocolVersion { server_supported, .. } = error {
        let versions: Vec<&str> = server_supported.iter().map(ProtocolVersion::as_str).collect();
        return Fault::new(FaultKind::Protocol, "no protocol version in common with the server")
            .because(format!("the server speaks: {}", versions.join(", ")));
    }
    ended_early(error, tap, child).await
}

fn answered(data: &ErrorData) -> Fault {
    let what = format!("the server refused the handshake with error {}", data.code.0);
    let mut fault = Fault::new(FaultKind::ServerError, what).because(data.message.to_string());
    fault.rpc_code = Some(data.code.0);
    if data.code == ErrorCode::METHOD_NOT_FOUND {
        return fault.hint("it may speak another era of the protocol: try --era auto");
    }
    fault
}

async fn ended_early(
    error: &ClientInitializeError,
    tap: &Tap,
    child: Option<&ChildProcess>,
) -> Fault {
    let closed = matches!(
        error,
        ClientInitializeError::TransportError { .. } | ClientInitializeError::ConnectionClosed(_)
    );
    let mut fault = if closed || tap.gone.is_cancelled() {
        let what = "the server closed the connection during the handshake";
        Fault::new(FaultKind::Unreachable, what)
    } else {
        Fault::new(FaultKind::Unreachable, "the handshake failed").because(error.to_string())
    };
    if let Some(child) = child {
        fault = fault.because(child.ending(Duration::from_millis(300)).await);
    }
    let words = tap.last_words();
    if words.is_empty() {
        fault = fault.hint("run the command by hand to see what it says");
    }
    fault.cause.extend(words);
    fault
}
