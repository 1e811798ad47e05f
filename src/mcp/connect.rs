//! From a server's entry to an open stream, with one set of rules for every way.

use super::{
    child::{self, ChildProcess},
    http::{Address, HttpTransport},
    lines::LineTransport,
    tap::Tap,
    writer::WriteError,
};
use crate::{
    config::{self, Limits},
    domain::{Fault, FaultKind, HttpKind, ServerSpec, Transport},
};
use futures_util::{FutureExt, future::BoxFuture};
use rmcp::{
    RoleClient,
    model::{ClientJsonRpcMessage, ServerJsonRpcMessage},
};
use std::sync::Arc;
use tokio::io::{AsyncRead, DuplexStream};
use tokio_util::task::TaskTracker;

/// A server inside this process: each call of `open` starts a fresh one and gives the other end
/// of its pipe. The server ends when the pipe is dropped.
pub trait InProcess: Send + Sync {
    /// Starts the server.
    fn open(&self) -> DuplexStream;
}

impl<F: Fn() -> DuplexStream + Send + Sync> InProcess for F {
    fn open(&self) -> DuplexStream {
        self()
    }
}

/// The reading end of any stream.
pub(super) type Reader = Box<dyn AsyncRead + Send + Unpin>;

/// Whatever carries the messages of a conversation.
pub(super) enum Carrier {
    /// Lines, over pipes.
    Lines(Box<LineTransport<Reader>>),
    /// HTTP.
    Http(Box<HttpTransport>),
}

impl rmcp::transport::Transport<RoleClient> for Carrier {
    type Error = WriteError;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), WriteError>> + Send + 'static {
        let sending: BoxFuture<'static, _> = match self {
            Self::Lines(lines) => lines.send(message).boxed(),
            Self::Http(http) => http.send(message).boxed(),
        };
        sending
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        match self {
            Self::Lines(lines) => lines.receive().await,
            Self::Http(http) => http.receive().await,
        }
    }

    async fn close(&mut self) -> Result<(), WriteError> {
        match self {
            Self::Lines(lines) => lines.close().await,
            Self::Http(http) => http.close().await,
        }
    }
}

/// An open way to a server, and the process behind it if there is one.
pub(super) struct Opened {
    pub(super) transport: Carrier,
    pub(super) child: Option<ChildProcess>,
}

/// Opens the way to a server. `old` asks for the older HTTP+SSE where the entry leaves it open.
pub(super) fn open(
    spec: &ServerSpec,
    in_process: Option<&Arc<dyn InProcess>>,
    limits: &Limits,
    tap: Arc<Tap>,
    tasks: &TaskTracker,
    old: bool,
) -> Result<Opened, Fault> {
    match &spec.transport {
        Transport::InProcess => {
            let server = in_process.ok_or_else(|| {
                Fault::new(FaultKind::Unexpected, "no server was handed over for this name")
            })?;
            let (reader, writer) = tokio::io::split(server.open());
            let reader: Reader = Box::new(reader);
            let transport = LineTransport::new(reader, writer, tap, limits.line_bytes);
            Ok(Opened { transport: Carrier::Lines(Box::new(transport)), child: None })
        }
        Transport::Stdio { command, args, env, cwd } => {
            let started = child::start(command, args, env, cwd.as_deref(), tap.logs.clone(), tasks)
                .map_err(|fault| named(fault, spec))?;
            let reader: Reader = Box::new(started.output);
            let transport = LineTransport::new(reader, started.input, tap, limits.line_bytes);
            Ok(Opened {
                transport: Carrier::Lines(Box::new(transport)),
                child: Some(started.child),
            })
        }
        Transport::Http { url, headers, kind } => {
            let sse = old || *kind == HttpKind::Sse;
            let address = Address { url, headers, sse };
            let transport = HttpTransport::new(&address, tap, limits.line_bytes)?;
            Ok(Opened { transport: Carrier::Http(Box::new(transport)), child: None })
        }
    }
}

/// A fault in which values of variables are their names again, as in the entry.
fn named(mut fault: Fault, spec: &ServerSpec) -> Fault {
    fault.what = config::with_names(&fault.what, spec);
    for cause in &mut fault.cause {
        *cause = config::with_names(cause.raw(), spec).into();
    }
    fault
}
