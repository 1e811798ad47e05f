//! Everything that the loop waits for.

use super::{Exit, RunError};
use crate::registry::RegistryView;
use crate::tui::msg::Msg;
use crate::tui::terminal::{Asked, Hangup, Signals, size};
use crossterm::event::{Event, EventStream, MouseEvent, MouseEventKind};
use futures_util::StreamExt;
use std::io;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::{Notify, mpsc, watch};

/// Everything that can happen.
pub(super) struct Sources {
    pub(super) signals: Signals,
    pub(super) hangup: Hangup,
    pub(super) panicked: Arc<Notify>,
    /// All that was drawn has been written.
    pub(super) written: Arc<Notify>,
    pub(super) events: EventStream,
    pub(super) views: watch::Receiver<Arc<RegistryView>>,
    pub(super) views_ended: bool,
    pub(super) answers: mpsc::Receiver<Msg>,
}

/// How it ends.
pub(super) type End = Result<Exit, RunError>;

/// What has happened.
pub(super) enum Happening {
    Message(Msg),
    /// The terminal said something that means nothing here.
    Nothing,
    Timer,
    /// What was drawn has been written, or could not be.
    Written,
    /// It was asked from outside to stop.
    Stop,
    /// It was stopped from outside, and goes on.
    GoesOn,
    End(End),
}

impl Sources {
    /// Waits for the next thing.
    pub(super) async fn next(&mut self, timer: Option<Instant>) -> Happening {
        let at = tokio::time::Instant::from_std(timer.unwrap_or_else(Instant::now));
        tokio::select! {
            biased;
            signal = self.signals.next() => match signal {
                Asked::End(signal) => Happening::End(Ok(Exit::Signal(signal))),
                Asked::Stop => Happening::Stop,
                Asked::GoOn => Happening::GoesOn,
            },
            () = self.panicked.notified() => Happening::End(Err(RunError::Panicked)),
            () = self.hangup.closed() => Happening::End(Ok(Exit::TerminalClosed)),
            () = self.written.notified() => Happening::Written,
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
    pub(super) async fn ready(&mut self) -> Option<Happening> {
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
        Some(Ok(Event::Mouse(event))) => mouse_event(event),
        Some(Ok(Event::FocusGained | Event::FocusLost)) => Happening::Nothing,
        Some(Err(_)) | None => Happening::End(Ok(Exit::TerminalClosed)),
    }
}

/// Movements mean nothing, and are not worth a frame.
fn mouse_event(event: MouseEvent) -> Happening {
    match event.kind {
        MouseEventKind::Down(_) | MouseEventKind::ScrollUp | MouseEventKind::ScrollDown => {
            Happening::Message(Msg::Mouse(event))
        }
        MouseEventKind::Up(_)
        | MouseEventKind::Drag(_)
        | MouseEventKind::Moved
        | MouseEventKind::ScrollLeft
        | MouseEventKind::ScrollRight => Happening::Nothing,
    }
}
