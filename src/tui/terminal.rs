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
use std::io::{self, BufWriter, Stdout, Write};
use std::panic::{self, PanicHookInfo};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use tokio::sync::Notify;

#[cfg(not(unix))]
mod other;
mod steady;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
use other as system;
#[cfg(unix)]
use unix as system;

pub(super) use system::{Asked, Hangup, Signals, cannot_stop, has_gone, in_background, stop};
use system::{forget_input, is_line_by_line};

use steady::{Contested, Steady};

type Hook = Arc<dyn Fn(&PanicHookInfo<'_>) + Send + Sync>;

/// Which modes are on, as bits.
#[derive(Debug, Default)]
struct Modes(AtomicU8);

impl Modes {
    const RAW: u8 = 1;
    const ALTERNATE: u8 = 2;
    const PASTE: u8 = 4;
    const MOUSE: u8 = 8;

    fn on(&self, mouse: bool) -> io::Result<()> {
        // The bit first: a mode that was half switched on is switched off all the same.
        self.0.fetch_or(Self::RAW, Ordering::SeqCst);
        enable_raw_mode()?;
        self.0.fetch_or(Self::ALTERNATE, Ordering::SeqCst);
        execute!(io::stdout(), EnterAlternateScreen)?;
        self.0.fetch_or(Self::PASTE, Ordering::SeqCst);
        execute!(io::stdout(), EnableBracketedPaste)?;
        if mouse { self.mouse_on() } else { Ok(()) }
    }

    fn mouse_on(&self) -> io::Result<()> {
        self.0.fetch_or(Self::MOUSE, Ordering::SeqCst);
        execute!(io::stdout(), EnableMouse)
    }

    fn mouse_off(&self) -> io::Result<()> {
        if self.0.fetch_and(!Self::MOUSE, Ordering::SeqCst) & Self::MOUSE == 0 {
            return Ok(());
        }
        execute!(io::stdout(), DisableMouse)
    }

    fn are_off(&self) -> bool {
        self.0.load(Ordering::SeqCst) == 0
    }

    /// Switches off what is on. A second call finds nothing on. Errors are of no use here: a
    /// terminal that cannot be written to has gone.
    fn off(&self) {
        let _ = self.mouse_off();
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
    terminal: Terminal<Steady<CrosstermBackend<BufWriter<Output>>>>,
    contested: Contested,
    modes: Arc<Modes>,
    hook: Hook,
    panicked: Arc<Notify>,
    mouse: bool,
}

impl Screen {
    /// Takes the terminal over. A panic anywhere gives it back before the panic is printed.
    pub(super) fn open(size: (u16, u16), mouse: bool) -> io::Result<Self> {
        let modes = Arc::new(Modes::default());
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
        let output = Output { stdout: io::stdout(), modes: modes.clone() };
        let backend = Steady(CrosstermBackend::new(BufWriter::with_capacity(1 << 16, output)));
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

    /// Draws a frame.
    pub(super) fn draw(&mut self, render: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        let contested = &mut self.contested;
        let drawn = self.terminal.draw(|frame| {
            render(frame);
            contested.mark(frame.buffer_mut());
        });
        drawn.map(drop)
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
