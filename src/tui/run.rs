//! The loop: wait for something, take what else is ready, update, draw once. Nothing ticks.

use super::clipboard::Road;
use super::effect::{After, Effect, Runner};
use super::made_up_panic;
use super::msg::{Moment, Msg};
use super::state::{State, words};
use super::terminal::{Hangup, Screen, Signals, has_gone, size};
use super::theme::{Role, Theme};
use super::{update, view};
use crate::domain::Fault;
use crate::registry::{Registry, RegistryView};
use crossterm::event::{Event, EventStream};
use futures_util::StreamExt;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{Notify, mpsc, watch};

/// How the screen is to be.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Whether to do without colours (`NO_COLOR`).
    pub no_color: bool,
    /// What there is to tell from the start, such as entries that were left out.
    pub notices: Vec<Fault>,
    /// Whether the servers are the built-in ones.
    pub demo: bool,
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
    let signals = Signals::catch()?;
    let hangup = Hangup::watch()?;
    let mut state = State::new(size());
    let start = Moment::default();
    for note in &options.notices {
        state.notices.add(start, Role::Warn, words::fault_notice(note));
    }
    if options.demo {
        state.notices.add(start, Role::Plain, "these are the built-in servers; none of yours runs");
    }
    let screen = Screen::open(state.size)?;
    let views = registry.watch();
    let (runner, answers) = Runner::new(registry);
    let sources = Sources {
        signals,
        hangup,
        panicked: screen.panicked(),
        events: EventStream::new(),
        views,
        views_ended: false,
        answers,
    };
    let mut driver = Driver {
        state,
        theme: Theme::new(!options.no_color),
        started: Instant::now(),
        screen,
        runner,
        wake: None,
        dirty: true,
        next_frame: Instant::now(),
    };
    let end = driver.drive(sources).await;
    let Driver { screen, runner, .. } = driver;
    // The terminal first: calls may take a moment to end.
    drop(screen);
    runner.close().await;
    end
}

/// Everything that can happen.
struct Sources {
    signals: Signals,
    hangup: Hangup,
    panicked: Arc<Notify>,
    events: EventStream,
    views: watch::Receiver<Arc<RegistryView>>,
    views_ended: bool,
    answers: mpsc::Receiver<Msg>,
}

/// What has happened.
enum Happening {
    Message(Msg),
    /// The terminal said something that means nothing here.
    Nothing,
    Timer,
    End(Result<Exit, RunError>),
}

impl Sources {
    /// Waits for the next thing.
    async fn next(&mut self, timer: Option<Instant>) -> Happening {
        let at = tokio::time::Instant::from_std(timer.unwrap_or_else(Instant::now));
        tokio::select! {
            biased;
            signal = self.signals.next() => Happening::End(Ok(Exit::Signal(signal))),
            () = self.panicked.notified() => Happening::End(Err(RunError::Panicked)),
            () = self.hangup.closed() => Happening::End(Ok(Exit::TerminalClosed)),
            event = self.events.next() => terminal_event(event),
            changed = self.views.changed(), if !self.views_ended => {
                self.views_ended = changed.is_err();
                Happening::Message(Msg::View(self.views.borrow_and_update().clone()))
            }
            Some(answer) = self.answers.recv() => Happening::Message(answer),
            () = tokio::time::sleep_until(at), if timer.is_some() => Happening::Timer,
        }
    }

    /// What is ready now. Polled as part of the task itself and not with a waker of its own:
    /// the event stream remembers the waker that asked first, and would wake nobody.
    async fn ready(&mut self) -> Option<Happening> {
        tokio::select! {
            biased;
            happening = self.next(None) => Some(happening),
            () = std::future::ready(()) => None,
        }
    }
}

fn terminal_event(event: Option<io::Result<Event>>) -> Happening {
    match event {
        Some(Ok(Event::Key(key))) => Happening::Message(Msg::Key(key)),
        Some(Ok(Event::Paste(text))) => Happening::Message(Msg::Paste(text)),
        Some(Ok(Event::Resize(..))) => {
            let (width, height) = size();
            Happening::Message(Msg::Resize(width, height))
        }
        Some(Ok(Event::FocusGained | Event::FocusLost | Event::Mouse(_))) => Happening::Nothing,
        Some(Err(_)) | None => Happening::End(Ok(Exit::TerminalClosed)),
    }
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
}

impl Driver {
    async fn drive(&mut self, mut sources: Sources) -> Result<Exit, RunError> {
        let first = sources.views.borrow_and_update().clone();
        if self.take(Msg::View(first)) {
            return Ok(Exit::Quit);
        }
        loop {
            if self.dirty
                && Instant::now() >= self.next_frame
                && let Err(error) = self.draw()
            {
                return if has_gone(&error) { Ok(Exit::TerminalClosed) } else { Err(error.into()) };
            }
            let timer = if self.dirty { Some(self.next_frame) } else { self.wake };
            let mut happening = Some(sources.next(timer).await);
            let mut taken = 0;
            while let Some(one) = happening {
                match one {
                    Happening::End(end) => return end,
                    Happening::Message(msg) => {
                        if self.take(msg) {
                            return Ok(Exit::Quit);
                        }
                    }
                    Happening::Timer => self.timer(),
                    Happening::Nothing => {}
                }
                taken += 1;
                happening = if taken < BATCH { sources.ready().await } else { None };
            }
        }
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
        // Stamped at once: what has been seen is a fact that the next key may depend on.
        let now = self.now();
        self.wake = None;
        let effects = update(&mut self.state, now, Msg::Drawn);
        self.start(effects);
        Ok(())
    }
}
