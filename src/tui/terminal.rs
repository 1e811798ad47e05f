//! The terminal: every mode that is switched on is switched off once, in reverse order, on every
//! way out. Also its signals, its size, and the news that it has been closed.

use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Frame, Terminal, TerminalOptions, Viewport};
use std::io::{self, BufWriter, Stdout, Write};
use std::panic::{self, PanicHookInfo};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use tokio::sync::Notify;

type Hook = Arc<dyn Fn(&PanicHookInfo<'_>) + Send + Sync>;

/// Which modes are on, as bits.
#[derive(Debug, Default)]
struct Modes(AtomicU8);

impl Modes {
    const RAW: u8 = 1;
    const ALTERNATE: u8 = 2;
    const PASTE: u8 = 4;

    fn on(&self) -> io::Result<()> {
        // The bit first: a mode that was half switched on is switched off all the same.
        self.0.fetch_or(Self::RAW, Ordering::SeqCst);
        enable_raw_mode()?;
        self.0.fetch_or(Self::ALTERNATE, Ordering::SeqCst);
        execute!(io::stdout(), EnterAlternateScreen)?;
        self.0.fetch_or(Self::PASTE, Ordering::SeqCst);
        execute!(io::stdout(), EnableBracketedPaste)
    }

    fn are_off(&self) -> bool {
        self.0.load(Ordering::SeqCst) == 0
    }

    /// Switches off what is on. A second call finds nothing on. Errors are of no use here: a
    /// terminal that cannot be written to has gone.
    fn off(&self) {
        let on = self.0.swap(0, Ordering::SeqCst);
        if on & Self::PASTE != 0 {
            let _ = execute!(io::stdout(), DisableBracketedPaste);
        }
        if on & Self::ALTERNATE != 0 {
            let _ = execute!(io::stdout(), LeaveAlternateScreen, cursor::Show);
        }
        if on & Self::RAW != 0 {
            // Keys that nobody has read must not become commands of the user's shell.
            forget_input();
            let _ = disable_raw_mode();
        }
    }
}

#[cfg(unix)]
fn forget_input() {
    let _ = rustix::termios::tcflush(io::stdin(), rustix::termios::QueueSelector::IFlush);
}

#[cfg(not(unix))]
fn forget_input() {}

/// Standard output while the modes are on; nowhere once they are off. What is left in a buffer
/// then must not reach the user's own screen, and a terminal that has gone must not make the
/// drawing library complain to a standard error that has gone with it, which would panic.
struct Output {
    stdout: Stdout,
    modes: Arc<Modes>,
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.modes.are_off() { Ok(bytes.len()) } else { self.stdout.write(bytes) }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.modes.are_off() { Ok(()) } else { self.stdout.flush() }
    }
}

/// The terminal, taken over. Given back when dropped.
pub(super) struct Screen {
    terminal: Terminal<CrosstermBackend<BufWriter<Output>>>,
    modes: Arc<Modes>,
    hook: Hook,
    panicked: Arc<Notify>,
}

impl Screen {
    /// Takes the terminal over. A panic anywhere gives it back before the panic is printed.
    pub(super) fn open(size: (u16, u16)) -> io::Result<Self> {
        let modes = Arc::new(Modes::default());
        if let Err(error) = modes.on() {
            modes.off();
            return Err(error);
        }
        let hook: Hook = Arc::from(panic::take_hook());
        let panicked = Arc::new(Notify::new());
        panic::set_hook(Box::new({
            let (modes, hook, panicked) = (modes.clone(), hook.clone(), panicked.clone());
            move |info| {
                modes.off();
                hook(info);
                panicked.notify_one();
            }
        }));
        let output = Output { stdout: io::stdout(), modes: modes.clone() };
        let backend = CrosstermBackend::new(BufWriter::with_capacity(1 << 16, output));
        // A fixed viewport: the size is ours to find out, since a terminal may say 0 by 0.
        let viewport = Viewport::Fixed(Rect::new(0, 0, size.0, size.1));
        let terminal = match Terminal::with_options(backend, TerminalOptions { viewport }) {
            Ok(terminal) => terminal,
            Err(error) => {
                modes.off();
                return Err(error);
            }
        };
        Ok(Self { terminal, modes, hook, panicked })
    }

    /// Takes over a new size.
    pub(super) fn resize(&mut self, (width, height): (u16, u16)) -> io::Result<()> {
        self.terminal.resize(Rect::new(0, 0, width, height))
    }

    /// Draws a frame.
    pub(super) fn draw(&mut self, render: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        self.terminal.draw(render).map(drop)
    }

    /// Writes bytes that are no part of a frame, all at once.
    pub(super) fn write_whole(&mut self, bytes: &[u8]) -> io::Result<()> {
        let backend = self.terminal.backend_mut();
        // What is longer than the buffer passes it by; what is shorter leaves it in one.
        Write::flush(backend)?;
        backend.write_all(bytes)?;
        Write::flush(backend)
    }

    /// Waits for a panic in any task.
    pub(super) fn panicked(&self) -> Arc<Notify> {
        self.panicked.clone()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.modes.off();
        // The hook cannot be changed by a thread that panics.
        if !std::thread::panicking() {
            drop(panic::take_hook());
            let hook = self.hook.clone();
            panic::set_hook(Box::new(move |info| hook(info)));
        }
    }
}

/// The size of the terminal. One that says 0 does not know: `COLUMNS` and `LINES` are asked
/// then, and after them 80 by 24 is taken.
pub(super) fn size() -> (u16, u16) {
    let (width, height) = crossterm::terminal::size().unwrap_or_default();
    let variable = |name| std::env::var(name).ok().and_then(|v| v.trim().parse().ok());
    let known = |size: u16, name, default| match size {
        0 => variable(name).filter(|n| *n > 0).unwrap_or(default),
        size => size,
    };
    (known(width, "COLUMNS", 80), known(height, "LINES", 24))
}

/// Whether an error of writing says that the terminal is no longer there. The signal or the
/// hang-up that say the same may come later than the error.
#[cfg(unix)]
pub(super) fn has_gone(error: &io::Error) -> bool {
    use rustix::io::Errno;
    matches!(Errno::from_io_error(error), Some(Errno::IO | Errno::NXIO | Errno::PIPE))
}

#[cfg(not(unix))]
pub(super) fn has_gone(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

#[cfg(unix)]
pub(super) use unix::{Hangup, Signals};

#[cfg(unix)]
mod unix {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;
    use std::fs::File;
    use std::io::{self, IsTerminal, PipeReader, PipeWriter};
    use std::os::fd::{AsFd, OwnedFd};
    use std::thread::JoinHandle;
    use tokio::signal::unix::{Signal, SignalKind, signal};
    use tokio::sync::oneshot;

    /// The signals that end the program.
    pub(in crate::tui) struct Signals {
        term: Signal,
        hangup: Signal,
        interrupt: Signal,
        quit: Signal,
    }

    impl Signals {
        /// Catches them from now on.
        pub(in crate::tui) fn catch() -> io::Result<Self> {
            Ok(Self {
                term: signal(SignalKind::terminate())?,
                hangup: signal(SignalKind::hangup())?,
                interrupt: signal(SignalKind::interrupt())?,
                quit: signal(SignalKind::quit())?,
            })
        }

        /// Waits for one; gives its number.
        pub(in crate::tui) async fn next(&mut self) -> i32 {
            let kind = tokio::select! {
                _ = self.term.recv() => SignalKind::terminate(),
                _ = self.hangup.recv() => SignalKind::hangup(),
                _ = self.interrupt.recv() => SignalKind::interrupt(),
                _ = self.quit.recv() => SignalKind::quit(),
            };
            kind.as_raw_value()
        }
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
            let stdin = io::stdin();
            let terminal: OwnedFd = if stdin.is_terminal() {
                stdin.as_fd().try_clone_to_owned()?
            } else {
                File::open("/dev/tty")?.into()
            };
            Self::of(terminal)
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
}

#[cfg(not(unix))]
pub(super) use other::{Hangup, Signals};

#[cfg(not(unix))]
mod other {
    use std::io;

    /// The signals that end the program: Ctrl-C from outside, as signal 2.
    pub(in crate::tui) struct Signals;

    impl Signals {
        pub(in crate::tui) fn catch() -> io::Result<Self> {
            Ok(Self)
        }

        pub(in crate::tui) async fn next(&mut self) -> i32 {
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
            2
        }
    }

    /// A console that is closed ends its programs itself.
    pub(in crate::tui) struct Hangup;

    impl Hangup {
        pub(in crate::tui) fn watch() -> io::Result<Self> {
            Ok(Self)
        }

        pub(in crate::tui) async fn closed(&mut self) {
            std::future::pending::<()>().await;
        }
    }
}
