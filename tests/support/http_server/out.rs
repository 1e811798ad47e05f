//! The way out to a client, piece by piece.

use std::{io, time::Duration};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::TcpStream,
};

/// Between two pieces that the client must receive apart. Nothing tells when it has read one.
const APART: Duration = Duration::from_millis(2);

/// The rest of a connection behind one request.
pub(crate) struct Out {
    stream: BufReader<TcpStream>,
    closes: bool,
}

impl Out {
    pub(super) fn new(stream: BufReader<TcpStream>) -> Self {
        Self { stream, closes: false }
    }

    /// The connection, for the next request.
    pub(super) fn into_next(self) -> Option<BufReader<TcpStream>> {
        (!self.closes).then_some(self.stream)
    }

    /// Ends the connection behind this answer.
    pub(crate) fn close(&mut self) {
        self.closes = true;
    }

    /// Bytes as they are.
    pub(crate) async fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.get_mut().write_all(bytes).await
    }

    /// Bytes as they are, in pieces of a length that arrive apart.
    pub(crate) async fn pieces(&mut self, bytes: &[u8], length: usize) -> io::Result<()> {
        for piece in bytes.chunks(length) {
            self.raw(piece).await?;
            tokio::time::sleep(APART).await;
        }
        Ok(())
    }

    /// A whole answer.
    pub(crate) async fn whole(
        &mut self,
        status: u16,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> io::Result<()> {
        let mut text = head(status, headers);
        text.push_str(&format!("Content-Length: {}\r\n\r\n", body.len()));
        self.raw(&[text.as_bytes(), body].concat()).await
    }

    /// The head of an answer whose body comes in chunks.
    pub(crate) async fn open(&mut self, status: u16, headers: &[(&str, &str)]) -> io::Result<()> {
        let text = head(status, headers) + "Transfer-Encoding: chunked\r\n\r\n";
        self.raw(text.as_bytes()).await
    }

    /// One chunk of a body.
    pub(crate) async fn chunk(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(()); // would be the end
        }
        let size = format!("{:x}\r\n", bytes.len());
        self.raw(&[size.as_bytes(), bytes, b"\r\n"].concat()).await
    }

    /// The end of a body in chunks.
    pub(crate) async fn end(&mut self) -> io::Result<()> {
        self.raw(b"0\r\n\r\n").await
    }

    /// A little time, so that what was written before arrives alone.
    pub(crate) async fn apart(&self) {
        tokio::time::sleep(APART).await;
    }

    /// Waits until the client closes the connection.
    pub(crate) async fn gone(&mut self) {
        self.closes = true;
        let _ = self.stream.fill_buf().await;
    }
}

/// Status line and headers, without the empty line.
fn head(status: u16, headers: &[(&str, &str)]) -> String {
    let mut text = format!("HTTP/1.1 {status} Word\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text
}
