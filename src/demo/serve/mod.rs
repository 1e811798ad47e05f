//! The embedded servers for clients outside this process: over lines, and over HTTP on loopback.
//!
//! Over lines a server is the very one that the rest of the program meets. Over HTTP the SDK
//! handles the transport and looks at the version of a request first, so the library refuses
//! `server/discover` by naming the versions that it speaks.

mod answer;
mod http;

pub use http::HttpServer;

use super::{DemoServer, handler::OneEra};
use rmcp::ServiceExt;
use std::io::{self, Read as _};
use tokio::io::{AsyncWrite, AsyncWriteExt as _, DuplexStream};

/// Bytes of standard input that are read at once, and that may wait to be understood.
const INPUT_BYTES: usize = 64 * 1024;

impl DemoServer {
    /// Serves one client that writes lines to `input` and reads lines from `output`, until its
    /// input ends.
    pub async fn serve_lines(
        &self,
        input: impl tokio::io::AsyncRead + Send + Unpin + 'static,
        output: impl AsyncWrite + Send + Unpin + 'static,
    ) {
        // An error here is a client that left or that opened in the wrong era; it has been told.
        if let Ok(running) = OneEra::new(self.collection).serve((input, output)).await {
            let _ = running.waiting().await;
        }
    }
}

/// Standard input, read on a thread of its own: a read cannot be taken back, and one that waits
/// for a client that never writes again must not hold up the end of the program.
///
/// # Errors
/// Those of the system, when no thread can be started.
///
/// # Panics
/// Outside a tokio runtime.
pub fn standard_input() -> io::Result<DuplexStream> {
    let (mut filled, read) = tokio::io::duplex(INPUT_BYTES);
    let runtime = tokio::runtime::Handle::current();
    let fill = move || {
        let mut input = io::stdin().lock();
        let mut bytes = vec![0; INPUT_BYTES];
        loop {
            let some = match input.read(&mut bytes) {
                Ok(0) => return,
                Ok(length) => bytes.get(..length).unwrap_or_default(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => return,
            };
            if runtime.block_on(filled.write_all(some)).is_err() {
                return;
            }
        }
    };
    std::thread::Builder::new().name("input".into()).spawn(fill)?;
    Ok(read)
}
