//! Writing to the terminal on a thread of its own: one that does not read, because it is stopped
//! or far away, holds up neither the keys nor the end.

use super::system;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// Bytes written at once. Between two such pieces writing can be broken off.
const PIECE: usize = 4096;

/// How long a terminal that does not read may hold up the end, twice.
const GRACE: Duration = Duration::from_millis(300);

#[derive(Default)]
struct Status {
    /// What is to be written. Bounded by the frames being held back while there is something.
    waiting: Vec<u8>,
    /// Whether something is being written.
    busy: bool,
    /// Whether anything more is taken.
    open: bool,
    /// Whether the thread is to end.
    ended: bool,
    failed: Option<io::Error>,
}

impl Status {
    fn is_idle(&self) -> bool {
        self.waiting.is_empty() && !self.busy
    }
}

#[derive(Default)]
struct Shared {
    status: Mutex<Status>,
    changed: Condvar,
    written: Arc<Notify>,
}

impl Shared {
    fn status(&self) -> MutexGuard<'_, Status> {
        // Each change is whole: what a panicking thread leaves is sound.
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_idle(&self, status: MutexGuard<'_, Status>) -> bool {
        let waited = self.changed.wait_timeout_while(status, GRACE, |s| !s.is_idle());
        waited.unwrap_or_else(PoisonError::into_inner).0.is_idle()
    }

    /// The thread's work.
    fn work(&self, mut terminal: impl Write) {
        loop {
            let waiting =
                self.changed.wait_while(self.status(), |s| s.waiting.is_empty() && !s.ended);
            let mut status = waiting.unwrap_or_else(PoisonError::into_inner);
            if status.ended {
                return;
            }
            let bytes = std::mem::take(&mut status.waiting);
            status.busy = true;
            drop(status);
            let result = self.write(&mut terminal, &bytes);
            let mut status = self.status();
            status.busy = false;
            if let Err(error) = result {
                status.waiting.clear();
                status.failed = Some(error);
            }
            drop(status);
            self.changed.notify_all();
            self.written.notify_one();
        }
    }

    fn write(&self, terminal: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
        let mut rest = bytes;
        while !rest.is_empty() && self.status().open {
            let piece = rest.get(..PIECE).unwrap_or(rest);
            match terminal.write(piece) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => rest = rest.get(written..).unwrap_or_default(),
                Err(error) if is_to_be_tried_again(&error) => {}
                Err(error) => return Err(error),
            }
        }
        terminal.flush()
    }
}

fn is_to_be_tried_again(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

/// The way to the terminal. Closed at first.
#[derive(Clone, Default)]
pub(super) struct Writer(Arc<Shared>);

impl Writer {
    /// Starts the thread.
    pub(super) fn start(terminal: impl Write + Send + 'static) -> io::Result<Self> {
        let writer = Self::default();
        let shared = writer.0.clone();
        // Not joined: a terminal that never reads again would keep it for ever.
        std::thread::Builder::new().name("terminal".into()).spawn(move || shared.work(terminal))?;
        Ok(writer)
    }

    /// Takes what is written from now on.
    pub(super) fn open(&self) {
        self.0.status().open = true;
    }

    /// Whether all of it has been written.
    pub(super) fn is_idle(&self) -> bool {
        self.0.status().is_idle()
    }

    /// What went wrong with writing.
    pub(super) fn take_error(&self) -> Option<io::Error> {
        self.0.status().failed.take()
    }

    /// Tells each time that all of it has been written, or could not be.
    pub(super) fn written(&self) -> Arc<Notify> {
        self.0.written.clone()
    }

    /// Takes nothing more. What is under way is written to its end when the terminal reads, and
    /// broken off when it does not. Gives whether the terminal can be written to.
    pub(super) fn close(&self) -> bool {
        if !self.0.wait_idle(self.0.status()) {
            let mut status = self.0.status();
            status.open = false;
            status.waiting.clear();
            let broken_off = self.0.wait_idle(status);
            // Makes room for the last words.
            system::forget_output();
            return broken_off;
        }
        self.0.status().open = false;
        true
    }

    /// Ends the thread, as soon as it can.
    pub(super) fn end(&self) {
        self.0.status().ended = true;
        self.0.changed.notify_all();
    }
}

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut status = self.0.status();
        if let Some(error) = status.failed.take() {
            return Err(error);
        }
        if status.open {
            status.waiting.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.changed.notify_all();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[tokio::test]
    async fn what_is_written_arrives_in_order_and_is_told() {
        let (mut reader, pipe) = io::pipe().unwrap();
        let mut writer = Writer::start(pipe).unwrap();
        writer.write_all(b"before it is open").unwrap();
        writer.open();
        writer.write_all(b"one ").unwrap();
        writer.write_all(b"two").unwrap();
        writer.flush().unwrap();
        writer.written().notified().await;
        assert!(writer.close() && writer.is_idle());
        writer.write_all(b"behind the end").unwrap();
        writer.end();
        let mut all = String::new();
        reader.read_to_string(&mut all).unwrap();
        assert_eq!(all, "one two");
    }

    #[test]
    fn who_does_not_read_holds_up_the_end_for_a_moment_only() {
        let (reader, pipe) = io::pipe().unwrap();
        let mut writer = Writer::start(pipe).unwrap();
        writer.open();
        writer.write_all(&vec![b'x'; 1 << 22]).unwrap();
        writer.flush().unwrap();
        assert!(!writer.close());
        assert!(!writer.is_idle());
        drop(reader);
    }

    #[tokio::test]
    async fn an_error_is_told_once() {
        let (reader, pipe) = io::pipe().unwrap();
        drop(reader);
        let mut writer = Writer::start(pipe).unwrap();
        writer.open();
        writer.write_all(b"x").unwrap();
        writer.flush().unwrap();
        writer.written().notified().await;
        assert_eq!(writer.take_error().map(|error| error.kind()), Some(io::ErrorKind::BrokenPipe));
        assert!(writer.write_all(b"y").is_ok() && writer.close());
    }
}
