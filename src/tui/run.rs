//! The loop: wait for something, take what else is ready, update, draw once. Nothing ticks.

mod sources;

use super::clipboard::Road;
use super::effect::{After, Effect, Runner};
use super::made_up_panic;
use super::msg::{Moment, Msg};
use super::state::{State, words};
use super::terminal::{
    Asked, Hangup, Screen, Signals, cannot_stop, has_gone, in_background, size, stop,
};
use super::theme::{Role, Theme};
use super::{update, view};
use crate::domain::Fault;
use crate::registry::Registry;
use crossterm::event::EventStream;
use sources::{End, Happening, Sources};
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// How the screen is to be.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// What there is to tell from the start, such as entries that were left out.
    pub notices: Vec<Fault>,
    /// Whether the servers are the built-in ones.
    pub demo: bool,
    /// The colours.
    pub theme: Theme,
    /// Whether the mouse is taken from the terminal.
    pub mouse: bool,
}

/// How the screen ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// The user wanted it.
    Quit,
    /// A signal, by its number.
    Signal(i32),
    /// The terminal was closed, and no signal said so.
    TerminalClosed,
}

/// Why there is no screen.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Standard output is no terminal.
    #[error("standard output is no terminal; see `vestibule --help` for the commands without one")]
    NoTerminal,
    /// The terminal refused.
    #[error("the terminal cannot be used: {0}")]
    Terminal(#[from] io::Error),
    /// Another job has the terminal.
    #[error("vestibule was started in the background, and the screen needs the terminal")]
    Background,
    /// A task of the program panicked; the panic has been printed.
    #[error("a part of the program panicked")]
    Panicked,
}

/// The shortest time between two frames.
const FRAME: Duration = Duration::from_millis(10);

/// How many messages are taken up before the next frame.
const BATCH: usize = 1000;

/// Shows the servers of a registry until the user leaves or something ends it. The registry is
/// left open; closing it is up to the caller, after the terminal has been given back.
///
/// # Errors
/// [`RunError`] when there is no terminal, when it cannot be used, or when a task panicked.
pub async fn run(registry: Registry, options: Options) -> Result<Exit, RunError> {
    if !io::stdout().is_terminal() {
        return Err(RunError::NoTerminal);
    }
    if in_background() {
        return Err(RunError::Background);
    }
    let signals = Signals::catch()?;
    let hangup = Hangup::watch()?;
    let mut state = State::new(size());
    state.mouse = options.mouse;
    let start = Moment::default();
    for note in &options.notices {
        state.notices.add(start, Role::Warn, words::fault_notice(note));
    }
    if options.demo {
        state.notices.add(start, Role::Plain, "these are the built-in servers; none of yours runs");
    }
    let screen = Screen::open(state.size, options.mouse)?;
    let views = registry.watch();
    let (runner, answers) = Runner::new(registry);
    let sources = Sources {
        signals,
        hangup,
        panicked: screen.panicked(),
        written: screen.written(),
        events: EventStream::new(),
        views,
        views_ended: false,
        answers,
    };
    let mut driver = Driver {
        state,
        theme: options.theme,
        started: Instant::now(),
        screen,
        runner,
        wake: None,
        dirty: true,
        next_frame: Instant::now(),
        wants_to_stop: false,
    };
    let end = driver.drive(sources).await;
    let Driver { screen, runner, .. } = driver;
    // The terminal first: calls may take a moment to end.
    drop(screen);
    runner.close().await;
    end
}

/// How an error of writing ends it.
fn failed(error: io::Error) -> End {
    if has_gone(&error) { Ok(Exit::TerminalClosed) } else { Err(error.into()) }
}

/// The state and what is around it.
struct Driver {
    state: State,
    theme: Theme,
    started: Instant,
    screen: Screen,
    runner: Runner,
    wake: Option<Instant>,
    dirty: bool,
    next_frame: Instant,
    wants_to_stop: bool,
}

impl Driver {
    async fn drive(&mut self, mut sources: Sources) -> Result<Exit, RunError> {
        let first = sources.views.borrow_and_update().clone();
        if self.take(Msg::View(first)) {
            return Ok(Exit::Quit);
        }
        loop {
            if self.dirty
                && self.screen.is_ready()
                && Instant::now() >= self.next_frame
                && let Err(error) = self.draw()
            {
                return failed(error);
            }
            let timer = match self.dirty {
                true if self.screen.is_ready() => Some(self.next_frame),
                // The news that it is ready comes by itself.
                true | false => self.wake,
            };
            let mut happening = Some(sources.next(timer).await);
            let mut taken = 0;
            while let Some(one) = happening {
                match one {
                    Happening::End(end) => return end,
                    Happening::Message(msg) => {
                        if self.take(msg) {
                            return Ok(Exit::Quit);
                        }
                        if std::mem::take(&mut self.wants_to_stop)
                            && let Some(end) = self.stop(&mut sources, true).await
                        {
                            return end;
                        }
                    }
                    Happening::Stop => {
                        if let Some(end) = self.stop(&mut sources, false).await {
                            return end;
                        }
                    }
                    Happening::GoesOn => {
                        if let Some(end) = self.go_on(&mut sources).await {
                            return end;
                        }
                    }
                    Happening::Written => {
                        if let Some(error) = self.screen.take_error() {
                            return failed(error);
                        }
                        self.stamp();
                    }
                    Happening::Timer => self.timer(),
                    Happening::Nothing => {}
                }
                taken += 1;
                happening = if taken < BATCH { sources.ready().await } else { None };
            }
        }
    }

    /// Gives the terminal back and stops, until somebody makes the program go on. Gives the end,
    /// if that comes first.
    async fn stop(&mut self, sources: &mut Sources, whole_job: bool) -> Option<End> {
        if let Some(why) = cannot_stop() {
            self.state.notices.add(self.now(), Role::Warn, format!("not stopped: {why}"));
            self.dirty = true;
            return None;
        }
        self.screen.give_back();
        if let Err(error) = stop(whole_job) {
            return Some(Err(error.into()));
        }
        loop {
            match sources.signals.next().await {
                Asked::End(signal) => return Some(Ok(Exit::Signal(signal))),
                Asked::Stop => {}
                Asked::GoOn => return self.go_on(sources).await,
            }
        }
    }

    /// Takes the terminal again after a stop; stops again while another job has it.
    async fn go_on(&mut self, sources: &mut Sources) -> Option<End> {
        while in_background() {
            // Standard error, since the terminal shows the shell.
            let _ = writeln!(io::stderr(), "vestibule waits: its screen needs the terminal (fg)");
            if let Err(error) = stop(true) {
                return Some(Err(error.into()));
            }
            while match sources.signals.next().await {
                Asked::End(signal) => return Some(Ok(Exit::Signal(signal))),
                Asked::Stop => true,
                Asked::GoOn => false,
            } {}
        }
        let size = size();
        if let Err(error) = self.screen.take_again(size) {
            return Some(failed(error));
        }
        self.take(Msg::Resize(size.0, size.1)).then_some(Ok(Exit::Quit))
    }

    /// The time has come: for the frame that was held back, or for what changes with time.
    fn timer(&mut self) {
        if self.wake.is_some_and(|at| at <= Instant::now()) {
            self.wake = None;
            self.take(Msg::Wake);
        }
    }

    fn now(&self) -> Moment {
        Moment(self.started.elapsed())
    }

    /// Takes up a message and all that follows from it. Gives whether that is the end.
    fn take(&mut self, msg: Msg) -> bool {
        if let Msg::Resize(width, height) = &msg
            && self.screen.resize((*width, *height)).is_err()
        {
            // A terminal that cannot be written to says so at the next frame.
            self.dirty = true;
        }
        self.dirty = true;
        let now = self.now();
        let effects = update(&mut self.state, now, msg);
        self.start(effects)
    }

    fn start(&mut self, effects: Vec<Effect>) -> bool {
        for effect in effects {
            match self.runner.start(effect) {
                After::Nothing => {}
                After::Answer(msg) => {
                    if self.take(msg) {
                        return true;
                    }
                }
                After::Copy(what, text) => {
                    if self.copy(what, &text) {
                        return true;
                    }
                }
                After::WakeAt(moment) => self.wake = Some(self.started + moment.0),
                After::Stop => self.wants_to_stop = true,
                After::Mouse(on) => {
                    // A terminal that cannot be written to says so at the next frame.
                    let _ = self.screen.set_mouse(on);
                }
                After::Quit => return true,
            }
        }
        false
    }

    /// Hands a text to the terminal's clipboard. Gives whether that is the end.
    fn copy(&mut self, what: String, text: &str) -> bool {
        let road = Road::of(|name| std::env::var_os(name));
        match self.screen.write_whole(road.sequence(text).as_bytes()) {
            Ok(()) => self.take(Msg::Copied { what, length: text.len(), road }),
            // A terminal that cannot be written to says so at the next frame.
            Err(_) => false,
        }
    }

    fn draw(&mut self) -> io::Result<()> {
        let (state, theme) = (&self.state, &self.theme);
        if state.overlay.is_some() {
            made_up_panic::error("draw")?;
        }
        self.screen.draw(|frame| {
            if state.overlay.is_some() {
                made_up_panic::at("draw");
            }
            let area = frame.area();
            if let Some(cursor) = view::draw(state, theme, area, frame.buffer_mut()) {
                frame.set_cursor_position(cursor);
            }
        })?;
        self.dirty = false;
        self.next_frame = Instant::now() + FRAME;
        self.wake = None;
        self.stamp();
        Ok(())
    }

    /// Tells that what the state says is on the screen, as soon as the terminal has taken it: what
    /// has been seen is a fact that the next key may depend on.
    fn stamp(&mut self) {
        if !self.dirty && self.screen.is_ready() {
            let now = self.now();
            let effects = update(&mut self.state, now, Msg::Drawn);
            self.start(effects);
        }
    }
}
