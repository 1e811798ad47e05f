//! Signals, stopping and going on, and the news that the terminal has been closed.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::process;
use rustix::termios::{LocalModes, QueueSelector, tcflush, tcgetattr, tcgetpgrp, ttyname};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, IsTerminal, PipeReader, PipeWriter, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::thread::JoinHandle;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::oneshot;

/// The signals that end the program, stop it, and make it go on.
pub(in crate::tui) struct Signals {
    term: Signal,
    hangup: Signal,
    interrupt: Signal,
    quit: Signal,
    stop: Signal,
    go_on: Signal,
}

/// What a signal asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) enum Asked {
    /// To end, by the signal's number.
    End(i32),
    /// To stop.
    Stop,
    /// To go on: it had been stopped.
    GoOn,
}

impl Signals {
    /// Catches them from now on.
    pub(in crate::tui) fn catch() -> io::Result<Self> {
        let other = |kind: process::Signal| signal(SignalKind::from_raw(kind.as_raw()));
        Ok(Self {
            term: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
            stop: other(process::Signal::TSTP)?,
            go_on: other(process::Signal::CONT)?,
        })
    }

    /// Waits for one. Those that end the program come first.
    pub(in crate::tui) async fn next(&mut self) -> Asked {
        let kind = tokio::select! {
            biased;
            _ = self.term.recv() => SignalKind::terminate(),
            _ = self.hangup.recv() => SignalKind::hangup(),
            _ = self.interrupt.recv() => SignalKind::interrupt(),
            _ = self.quit.recv() => SignalKind::quit(),
            _ = self.stop.recv() => return Asked::Stop,
            _ = self.go_on.recv() => return Asked::GoOn,
        };
        Asked::End(kind.as_raw_value())
    }
}

/// Why the program cannot be stopped, if it cannot: a job of no shell would never be brought
/// back. Such a job is in the process group of the session's own leader.
pub(in crate::tui) fn cannot_stop() -> Option<&'static str> {
    let alone = process::getsid(None).is_ok_and(|session| session == process::getpgrp());
    alone.then_some("there is no shell to go back to")
}

/// Stops the program, or all of its job. Returns when it goes on, or a moment before it stops:
/// only [`Asked::GoOn`] says that it was stopped.
pub(in crate::tui) fn stop(whole_job: bool) -> io::Result<()> {
    // What a job's other processes are is unknown; the servers are in sessions of their own.
    let stopped = if whole_job {
        process::kill_current_process_group(process::Signal::STOP)
    } else {
        process::kill_process(process::getpid(), process::Signal::STOP)
    };
    stopped.map_err(io::Error::from)
}

/// Whether another job has the terminal.
pub(in crate::tui) fn in_background() -> bool {
    keyboard().is_ok_and(|terminal| {
        tcgetpgrp(&terminal).is_ok_and(|foreground| foreground != process::getpgrp())
    })
}

/// Whether somebody has given the terminal back its lines, such as a shell of a stopped job.
pub(super) fn is_line_by_line() -> bool {
    keyboard().is_ok_and(|terminal| {
        tcgetattr(&terminal).is_ok_and(|modes| modes.local_modes.contains(LocalModes::ICANON))
    })
}

/// Throws away the keys that nobody has read.
pub(super) fn forget_input() {
    let _ = tcflush(io::stdin(), QueueSelector::IFlush);
}

/// The way to the terminal. Not the standard library's: who holds that while the terminal does not
/// read keeps everybody else from it.
pub(super) struct Output(File);

/// The way to the terminal.
pub(super) fn output() -> io::Result<Output> {
    let stdout = io::stdout();
    // An opening of our own, so that others who have the terminal do not get it without waiting.
    let own = ttyname(&stdout, Vec::new()).map_err(io::Error::from).and_then(|name| {
        let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits();
        let path = OsStr::from_bytes(name.as_bytes());
        File::options().write(true).custom_flags(flags.cast_signed()).open(path)
    });
    match own {
        Ok(terminal) => Ok(Output(terminal)),
        // One that has no name here. It may keep its writer waiting.
        Err(_) => Ok(Output(File::from(stdout.as_fd().try_clone_to_owned()?))),
    }
}

/// Waits a moment until the terminal takes something.
fn wait_for_room(terminal: &File, milliseconds: i64) -> io::Result<bool> {
    let time = Timespec { tv_sec: 0, tv_nsec: milliseconds * 1_000_000 };
    Ok(poll(&mut [PollFd::new(terminal, PollFlags::OUT)], Some(&time))? > 0)
}

impl Write for Output {
    /// What would have to wait has waited for a moment before it says so.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                wait_for_room(&self.0, 100)?;
                Err(error)
            }
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Throws away what the terminal has not read.
pub(super) fn forget_output() {
    let _ = tcflush(io::stdout(), QueueSelector::OFlush);
}

/// Writes a little, if the terminal takes it.
pub(super) fn write_at_once(bytes: &[u8]) -> io::Result<()> {
    let mut output = output()?;
    if wait_for_room(&output.0, 300)? { output.write_all(bytes) } else { Err(Errno::AGAIN.into()) }
}

/// The terminal that keys come from.
fn keyboard() -> io::Result<OwnedFd> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        Ok(stdin.as_fd().try_clone_to_owned()?)
    } else {
        Ok(File::open("/dev/tty")?.into())
    }
}

/// Whether an error of writing says that the terminal is no longer there. The signal or the
/// hang-up that say the same may come later than the error.
pub(in crate::tui) fn has_gone(error: &io::Error) -> bool {
    matches!(Errno::from_io_error(error), Some(Errno::IO | Errno::NXIO | Errno::PIPE))
}

/// Tells when the terminal has been closed, even when no signal says so.
///
/// The event source of crossterm reads a closed terminal for ever, without a word: a read
/// that gives nothing, or an error, is tried again at once. So a thread of ours waits in
/// `poll` for nothing but the hang-up, which costs nothing until it comes.
pub(in crate::tui) struct Hangup {
    news: oneshot::Receiver<()>,
    stop: Option<PipeWriter>,
    thread: Option<JoinHandle<()>>,
}

impl Hangup {
    /// Watches the terminal that keys come from.
    pub(in crate::tui) fn watch() -> io::Result<Self> {
        Self::of(keyboard()?)
    }

    fn of(terminal: OwnedFd) -> io::Result<Self> {
        let (stopped, stop) = io::pipe()?;
        let (tell, news) = oneshot::channel();
        let thread = std::thread::Builder::new().name("hangup".into()).spawn(move || {
            if waits_for_hangup(&terminal, &stopped) {
                // Nobody listens any more only when the screen has ended.
                let _ = tell.send(());
            }
        })?;
        Ok(Self { news, stop: Some(stop), thread: Some(thread) })
    }

    /// Waits for it. Never returns when it can no longer be told.
    pub(in crate::tui) async fn closed(&mut self) {
        if (&mut self.news).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl Drop for Hangup {
    fn drop(&mut self) {
        // Closing our end of the pipe is what ends the thread.
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Waits until the terminal hangs up (`true`) or the pipe closes.
fn waits_for_hangup(terminal: &OwnedFd, stopped: &PipeReader) -> bool {
    let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    loop {
        let mut fds =
            [PollFd::new(terminal, PollFlags::empty()), PollFd::new(stopped, PollFlags::IN)];
        match poll(&mut fds, None) {
            Ok(_) => {
                let [terminal, stopped] = &fds;
                if !stopped.revents().is_empty() {
                    return false;
                }
                if terminal.revents().intersects(gone) {
                    return true;
                }
            }
            Err(Errno::INTR) => {}
            Err(_) => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// A pipe hangs up like a terminal: its reading end is told when the writing end goes.
    #[tokio::test]
    async fn a_closed_terminal_is_told_at_once_and_an_open_one_never() {
        let (reader, writer) = io::pipe().expect("a pipe");
        let mut hangup = Hangup::of(reader.into()).expect("a watch");
        let early = tokio::time::timeout(Duration::from_millis(30), hangup.closed()).await;
        assert!(early.is_err(), "told before it was closed");
        drop(writer);
        let told = tokio::time::timeout(Duration::from_secs(5), hangup.closed()).await;
        assert!(told.is_ok(), "not told");
    }

    #[test]
    fn a_watch_that_is_dropped_leaves_no_thread_behind() {
        let (reader, _writer) = io::pipe().expect("a pipe");
        // Joins its thread: this test would hang otherwise.
        drop(Hangup::of(reader.into()).expect("a watch"));
    }
}
