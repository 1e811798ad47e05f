//! From a server's entry to an open stream, with one set of rules for every way.

use super::{
    child::{self, ChildProcess},
    lines::LineTransport,
    tap::Tap,
};
use crate::{
    config::Limits,
    domain::{Fault, FaultKind, ServerSpec, Transport},
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

/// An open stream, and the process behind it if there is one.
pub(super) struct Opened {
    pub(super) transport: LineTransport<Reader>,
    pub(super) child: Option<ChildProcess>,
}

/// Opens the way to a server.
pub(super) fn open(
    spec: &ServerSpec,
    in_process: Option<&Arc<dyn InProcess>>,
    limits: &Limits,
    tap: Arc<Tap>,
    tasks: &TaskTracker,
) -> Result<Opened, Fault> {
    match &spec.transport {
        Transport::InProcess => {
            let server = in_process.ok_or_else(|| {
                Fault::new(FaultKind::Unexpected, "no server was handed over for this name")
            })?;
            let (reader, writer) = tokio::io::split(server.open());
            let reader: Reader = Box::new(reader);
            let transport = LineTransport::new(reader, writer, tap, limits.line_bytes);
            Ok(Opened { transport, child: None })
        }
        Transport::Stdio { command, args, env, cwd } => {
            let started =
                child::start(command, args, env, cwd.as_deref(), tap.logs.clone(), tasks)?;
            let reader: Reader = Box::new(started.output);
            let transport = LineTransport::new(reader, started.input, tap, limits.line_bytes);
            Ok(Opened { transport, child: Some(started.child) })
        }
        Transport::Http { .. } => Err(Fault::new(
            FaultKind::Unreachable,
            "Streamable HTTP is not spoken by this version of vestibule",
        )
        .hint("run the server over stdio for now: `vestibule -- COMMAND`")),
    }
}
