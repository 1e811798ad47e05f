//! The same server inside the test's own process, behind the pipe that embedded servers use.

use super::{conversation::Server, run};
use std::{
    io::{self, Read, Write},
    sync::{Arc, Mutex, PoisonError},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf},
    runtime::Handle,
};
use vestibule::registry::InProcess;

/// Starts the server on a thread for every connection.
pub(crate) struct InProcessServer {
    pub(crate) fault: String,
    pub(crate) arg: Option<String>,
    /// What a process would write to its standard error.
    pub(crate) log: Arc<Mutex<Vec<String>>>,
}

impl InProcess for InProcessServer {
    fn open(&self) -> DuplexStream {
        let (near, far) = tokio::io::duplex(64 * 1024);
        let (reader, writer) = tokio::io::split(far);
        let handle = Handle::current();
        let log = self.log.clone();
        let log = Box::new(move |line: &str| {
            log.lock().unwrap_or_else(PoisonError::into_inner).push(line.to_owned());
        });
        let out = Box::new(BlockingWriter { handle: handle.clone(), half: writer });
        let server = Arc::new(Server::new(&self.fault, self.arg.as_deref(), out, log));
        std::thread::spawn(move || run(&server, BlockingReader { handle, half: reader }));
        near
    }
}

struct BlockingReader {
    handle: Handle,
    half: ReadHalf<DuplexStream>,
}

impl Read for BlockingReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.handle.block_on(self.half.read(buffer))
    }
}

struct BlockingWriter {
    handle: Handle,
    half: WriteHalf<DuplexStream>,
}

impl Write for BlockingWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.handle.block_on(self.half.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.handle.block_on(self.half.flush())
    }
}
