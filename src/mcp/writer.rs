//! Messages out to a server: in order, bounded, never blocking whoever sends.

use std::{io, sync::Arc};
use tokio::{
    io::{AsyncWrite, AsyncWriteExt},
    sync::{mpsc, oneshot},
    task::JoinHandle,
};

/// How many messages may wait for a server that reads slowly. One more is refused: the server has
/// then stopped reading.
const QUEUE: usize = 1024;

/// Why a message did not leave.
#[derive(Debug, Clone, thiserror::Error)]
pub(super) enum WriteError {
    /// Our queue is full.
    #[error("the server has stopped reading: {QUEUE} messages are waiting")]
    Stuck,
    /// The stream is closed.
    #[error("the server's input is closed")]
    Closed,
    /// Writing failed.
    #[error("writing to the server failed: {0}")]
    Io(Arc<io::Error>),
    /// The server did not take it.
    #[error("the server did not take the message: {0}")]
    Refused(String),
    /// The message could not be made.
    #[error("the message could not be written as JSON: {0}")]
    Json(String),
}

type Done = oneshot::Sender<Result<(), WriteError>>;

/// The sending end.
#[derive(Debug)]
pub(super) struct Writer {
    queue: Option<mpsc::Sender<(Vec<u8>, Done)>>,
    task: JoinHandle<()>,
}

impl Writer {
    pub(super) fn new(stream: impl AsyncWrite + Send + Unpin + 'static) -> Self {
        let (queue, messages) = mpsc::channel(QUEUE);
        Self { queue: Some(queue), task: tokio::spawn(write_all(stream, messages)) }
    }

    /// Queues a message now, so that messages leave in the order of these calls; the future waits
    /// until it was written.
    pub(super) fn send(
        &self,
        message: Vec<u8>,
    ) -> impl Future<Output = Result<(), WriteError>> + Send + use<> {
        let (done, written) = oneshot::channel();
        let queued = match &self.queue {
            None => Err(WriteError::Closed),
            Some(queue) => queue.try_send((message, done)).map_err(|error| match error {
                mpsc::error::TrySendError::Full(_) => WriteError::Stuck,
                mpsc::error::TrySendError::Closed(_) => WriteError::Closed,
            }),
        };
        async move {
            queued?;
            written.await.unwrap_or(Err(WriteError::Closed))
        }
    }

    /// Closes the stream. What is stuck in it is given up: a server that does not read must not
    /// be able to keep itself alive.
    pub(super) fn close(&mut self) {
        self.queue = None;
        self.task.abort();
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn write_all(
    mut stream: impl AsyncWrite + Unpin,
    mut messages: mpsc::Receiver<(Vec<u8>, Done)>,
) {
    while let Some((mut message, done)) = messages.recv().await {
        message.push(b'\n');
        let written = async {
            stream.write_all(&message).await?;
            stream.flush().await
        };
        let result = written.await.map_err(|error| WriteError::Io(Arc::new(error)));
        let failed = result.is_err();
        // Whoever sent it may have stopped waiting.
        let _ = done.send(result);
        if failed {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncBufReadExt, BufReader};

    #[tokio::test]
    async fn messages_leave_in_the_order_in_which_they_were_queued() {
        let (near, far) = tokio::io::duplex(64);
        let writer = Writer::new(near);
        let sent: Vec<_> = (0..100).map(|n| writer.send(format!("{n}").into_bytes())).collect();
        let reading = tokio::spawn(async move {
            let mut lines = BufReader::new(far).lines();
            for n in 0..100 {
                assert_eq!(lines.next_line().await.expect("a line"), Some(n.to_string()));
            }
        });
        for one in sent.into_iter().rev() {
            one.await.expect("written");
        }
        reading.await.expect("read");
    }

    #[tokio::test]
    async fn a_server_that_stops_reading_is_refused_more_and_can_be_closed() {
        let (near, _far) = tokio::io::duplex(1);
        let mut writer = Writer::new(near);
        let waiting: Vec<_> = (0..QUEUE + 2).map(|_| writer.send(vec![b'x'; 10])).collect();
        let mut stuck = 0;
        writer.close();
        for one in waiting {
            match one.await {
                Err(WriteError::Stuck) => stuck += 1,
                Err(_) => {}
                Ok(()) => panic!("nothing was read"),
            }
        }
        assert!(stuck >= 1);
        assert!(matches!(writer.send(Vec::new()).await, Err(WriteError::Closed)));
    }
}
