//! The terminal: every mode that is switched on is switched off once, in reverse order, on every
//! way out. Also its signals, its size, and the news that it has been closed.

use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{Command, cursor, execute};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Frame, Terminal, TerminalOptions, Viewport};
use std::fmt;
use std::io::{self, BufWriter, Write as _};
use std::panic::{self, PanicHookInfo};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use tokio::sync::Notify;

#[cfg(not(unix))]
mod other;
mod steady;
#[cfg(unix)]
mod unix;
mod writer;

#[cfg(not(unix))]
use other as system;
#[cfg(unix)]
use unix as system;

use steady::{Contested, Steady};
pub(super) use system::{Asked, Hangup, Signals, cannot_stop, has_gone, in_background, stop};
use system::{forget_input, is_line_by_line, output, write_at_once};
use writer::Writer;

type Hook = Arc<dyn Fn(&PanicHookInfo<'_>) + Send + Sync>;

/// Which modes are on, as bits, and the way to the terminal.
struct Modes {
    on: AtomicU8,
    writer: Writer,
}

impl Modes {
    const RAW: u8 = 1;
    const ALTERNATE: u8 = 2;
    const PASTE: u8 = 4;
    const MOUSE: u8 = 8;

    fn on(&self, mouse: bool) -> io::Result<()> {
        // The bit first: a mode that was half switched on is switched off all the same.
        self.on.fetch_or(Self::RAW, Ordering::SeqCst);
        enable_raw_mode()?;
        self.writer.open();
        self.on.fetch_or(Self::ALTERNATE, Ordering::SeqCst);
        execute!(self.writer.clone(), EnterAlternateScreen)?;
        self.on.fetch_or(Self::PASTE, Ordering::SeqCst);
        execute!(self.writer.clone(), EnableBracketedPaste)?;
        if mouse { self.mouse_on() } else { Ok(()) }
    }

    fn mouse_on(&self) -> io::Result<()> {
        self.on.fetch_or(Self::MOUSE, Ordering::SeqCst);
        execute!(self.writer.clone(), EnableMouse)
    }

    fn mouse_off(&self) -> io::Result<()> {
        self.on.fetch_and(!Self::MOUSE, Ordering::SeqCst);
        execute!(self.writer.clone(), DisableMouse)
    }

    fn are_off(&self) -> bool {
        self.on.load(Ordering::SeqCst) == 0
    }

    /// Switches off what is on. A second call finds nothing on. Errors are of no use here: a
    /// terminal that cannot be written to has gone.
    fn off(&self) {
        let on = self.on.swap(0, Ordering::SeqCst);
        let mut last = Vec::new();
        if on & Self::MOUSE != 0 {
            let _ = execute!(last, DisableMouse);
        }
        if on & Self::PASTE != 0 {
            let _ = execute!(last, DisableBracketedPaste);
        }
        if on & Self::ALTERNATE != 0 {
            let _ = execute!(last, LeaveAlternateScreen, cursor::Show);
        }
        if on != 0 && self.writer.close() {
            let _ = write_at_once(&last);
        }
        if on & Self::RAW != 0 {
            // Keys that nobody has read must not become commands of the user's shell.
            forget_input();
            let _ = disable_raw_mode();
        }
    }
}

/// Presses and the wheel, in coordinates without a bound; not every movement, which is of no use.
struct EnableMouse;

impl Command for EnableMouse {
    fn write_ansi(&self, out: &mut impl fmt::Write) -> fmt::Result {
        out.write_str("\x1b[?1000h\x1b[?1006h")
    }

    #[cfg(windows)]
    fn execute_winapi(&self) -> io::Result<()> {
        crossterm::event::EnableMouseCapture.execute_winapi()
    }
}

/// The reverse.
struct DisableMouse;

impl Command for DisableMouse {
    fn write_ansi(&self, out: &mut impl fmt::Write) -> fmt::Result {
        out.write_str("\x1b[?1006l\x1b[?1000l")
    }

    #[cfg(windows)]
    fn execute_winapi(&self) -> io::Result<()> {
        crossterm::event::DisableMouseCapture.execute_winapi()
    }
}

/// The terminal, taken over. Given back when dropped.
pub(super) struct Screen {
    terminal: Terminal<Steady<CrosstermBackend<BufWriter<Writer>>>>,
    contested: Contested,
    modes: Arc<Modes>,
    hook: Hook,
    panicked: Arc<Notify>,
    mouse: bool,
}

impl Screen {
    /// Takes the terminal over. A panic anywhere gives it back before the panic is printed.
    pub(super) fn open(size: (u16, u16), mouse: bool) -> io::Result<Self> {
        let writer = Writer::start(output()?)?;
        let modes = Arc::new(Modes { on: AtomicU8::new(0), writer: writer.clone() });
        if let Err(error) = modes.on(mouse) {
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
        let backend = Steady(CrosstermBackend::new(BufWriter::with_capacity(1 << 16, writer)));
        // A fixed viewport: the size is ours to find out, since a terminal may say 0 by 0.
        let viewport = Viewport::Fixed(Rect::new(0, 0, size.0, size.1));
        let terminal = match Terminal::with_options(backend, TerminalOptions { viewport }) {
            Ok(terminal) => terminal,
            Err(error) => {
                modes.off();
                return Err(error);
            }
        };
        Ok(Self { terminal, contested: Contested::default(), modes, hook, panicked, mouse })
    }

    /// Takes over a new size.
    pub(super) fn resize(&mut self, (width, height): (u16, u16)) -> io::Result<()> {
        self.terminal.resize(Rect::new(0, 0, width, height))
    }

    /// Gives the terminal back for a while.
    pub(super) fn give_back(&self) {
        self.modes.off();
    }

    /// Takes the terminal over again: after it was given back, or when a shell did so while the
    /// program was stopped from outside. The next frame is drawn in full.
    pub(super) fn take_again(&mut self, size: (u16, u16)) -> io::Result<()> {
        if self.modes.are_off() {
            self.modes.on(self.mouse)?;
        } else if is_line_by_line() {
            self.modes.off();
            self.modes.on(self.mouse)?;
        }
        // Clears, too.
        self.resize(size)
    }

    /// Takes the mouse, or leaves it to the terminal.
    pub(super) fn set_mouse(&mut self, on: bool) -> io::Result<()> {
        self.mouse = on;
        if on { self.modes.mouse_on() } else { self.modes.mouse_off() }
    }

    /// Whether the frames before have been written: a terminal that does not read gets no more.
    pub(super) fn is_ready(&self) -> bool {
        self.modes.writer.is_idle()
    }

    /// What went wrong with writing.
    pub(super) fn take_error(&self) -> Option<io::Error> {
        self.modes.writer.take_error()
    }

    /// Waits until everything has been written, or could not be.
    pub(super) fn written(&self) -> Arc<Notify> {
        self.modes.writer.written()
    }

    /// Draws a frame.
    pub(super) fn draw(&mut self, render: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        let contested = &mut self.contested;
        let drawn = self.terminal.draw(|frame| {
            render(frame);
            contested.mark(frame.buffer_mut());
        });
        drawn.map(drop)
    }

    /// Writes bytes that are no part of a frame, all at once.
    pub(super) fn write_whole(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut writer = self.modes.writer.clone();
        writer.write_all(bytes)?;
        writer.flush()
    }

    /// Waits for a panic in any task.
    pub(super) fn panicked(&self) -> Arc<Notify> {
        self.panicked.clone()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.modes.off();
        self.modes.writer.end();
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
