//! The line transport under the SDK, for stdio and the in-process pipe. The end of the stream is
//! told at once.

use super::{
    arrived::Arrived,
    conversation::Conversation,
    line_reader::{Line, LineReader},
    tap::Tap,
    traffic::Direction,
    writer::{WriteError, Writer},
};
use rmcp::{
    RoleClient,
    model::{ClientJsonRpcMessage, ServerJsonRpcMessage},
    transport::Transport,
};
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};

/// A conversation in lines.
pub(super) struct LineTransport<R> {
    reader: LineReader<R>,
    writer: Writer,
    tap: Arc<Tap>,
    conversation: Conversation,
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
            conversation: Conversation::new(tap.clone(), bound),
            tap,
            first_line: true,
        }
    }

    fn accept_line(&mut self, mut bytes: Vec<u8>) {
        if std::mem::take(&mut self.first_line) && bytes.starts_with(b"\xef\xbb\xbf") {
            bytes.drain(..3);
        }
        if let Some(arrived) = Arrived::read(bytes, &self.tap) {
            self.conversation.accept(arrived);
        }
        for refusal in self.conversation.take_refusals() {
            self.tap.traffic(Direction::Sent, &refusal);
            // Nobody waits for it to be written.
            drop(self.writer.send(refusal));
        }
    }
}

impl<R: AsyncRead + Send + Unpin> Transport<RoleClient> for LineTransport<R> {
    type Error = WriteError;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), WriteError>> + Send + 'static {
        self.conversation.note_sent(&message);
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
            if let Some(message) = self.conversation.pop() {
                return Some(message);
            }
            match self.reader.next().await {
                Ok(Some(Line::Whole(bytes))) => self.accept_line(bytes),
                Ok(Some(Line::TooLong(head))) => self.conversation.accept_too_long(&head),
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
