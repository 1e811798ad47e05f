//! Two embedded servers that a newcomer meets when nothing is configured.
//!
//! `library` speaks the legacy era and `observatory` the modern one. They run inside this
//! process, touch nothing outside it, and share one resource URI and one prompt name so
//! that ambiguous addresses can be tried. One resource of the library is written to look
//! harmless while it hides things, and one of each changes while somebody watches it. Other
//! clients can meet them over lines and over HTTP.

mod collection;
mod convert;
mod handler;
mod library;
mod live;
mod observatory;
mod pages;
mod propose;
mod serve;
#[cfg(test)]
mod tests;
mod work;

pub use serve::{HttpServer, standard_input};

use collection::Collection;
use handler::OneEra;
use rmcp::ServiceExt;
use tokio::io::DuplexStream;
use tokio::task::JoinHandle;

/// Bytes that a pipe to an embedded server holds in each direction before the writer waits.
pub const PIPE_BYTES: usize = 64 * 1024;

/// An embedded server that can be opened any number of times.
#[derive(Debug, Clone, Copy)]
pub struct DemoServer {
    /// Its name: lower case ASCII letters.
    pub name: &'static str,
    /// One line about it.
    pub description: &'static str,
    collection: &'static Collection,
}

impl DemoServer {
    /// Starts a fresh, independent instance and returns the client's end of its pipe: one
    /// JSON-RPC message a line, both ways.
    ///
    /// The instance ends by itself when the pipe is dropped.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    pub fn open(&self) -> DuplexStream {
        // Dropping the handle does not stop the task; the end of the pipe does.
        self.start().0
    }

    /// As [`Self::open`], with the task beside the pipe for an owner that joins it.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    pub fn start(&self) -> (DuplexStream, JoinHandle<()>) {
        let (client_end, server_end) = tokio::io::duplex(PIPE_BYTES);
        let server = OneEra::new(self.collection);
        let task = tokio::spawn(async move {
            // An error here is a client that left or that opened in the wrong era. It has
            // been told as the protocol says, and nobody else is listening.
            if let Ok(running) = server.serve(server_end).await {
                let _ = running.waiting().await;
            }
        });
        (client_end, task)
    }
}

/// The embedded servers, in the order in which they are shown.
pub fn servers() -> Vec<DemoServer> {
    [&library::COLLECTION, &observatory::COLLECTION]
        .into_iter()
        .map(|collection| DemoServer {
            name: collection.name,
            description: collection.description,
            collection,
        })
        .collect()
}
