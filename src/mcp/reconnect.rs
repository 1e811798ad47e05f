//! When a server that was lost is connected again by itself: soon, less often the more often it
//! fails, and not for ever.

use crate::domain::FaultKind;
use std::time::Duration;
use tokio::time::Instant;

/// The pause before the first try; it doubles with every one.
const LEAST: Duration = Duration::from_secs(1);
/// Where doubling stops.
const MOST: Duration = Duration::from_secs(30);
/// How many tries are made in a row.
const TRIES: u32 = 8;
/// A connection that lasted for this long counts as one that worked: tries begin anew.
const WORKED: Duration = Duration::from_secs(60);

/// A server that was lost and will be connected again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Again {
    /// Which try comes next, from 1.
    pub attempt: u32,
    /// How many there are in a row.
    pub of: u32,
    /// The pause before it.
    pub pause: Duration,
}

/// The clock of one server.
#[derive(Debug)]
pub(super) struct Reconnect {
    enabled: bool,
    tries: u32,
    /// Whether it was connected since the user last had it disconnected.
    reached: bool,
    due: Option<Instant>,
    /// Since when it is connected.
    up: Option<Instant>,
}

impl Reconnect {
    /// Without `enabled` nothing is ever done by itself.
    pub(super) fn new(enabled: bool) -> Self {
        Self { enabled, tries: 0, reached: false, due: None, up: None }
    }

    /// When to connect, if that is planned.
    pub(super) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// It is connected.
    pub(super) fn connected(&mut self, now: Instant) {
        self.due = None;
        self.reached = true;
        self.up = Some(now);
    }

    /// It was lost, or a try to get it back failed. A server that was never reached is not tried
    /// again: what is wrong there seldom mends itself. Nor does a sign-in that is missing.
    pub(super) fn lost(&mut self, now: Instant, why: FaultKind) -> Option<Again> {
        match self.up.take() {
            Some(up) if now.duration_since(up) >= WORKED => self.tries = 0,
            Some(_) | None => {}
        }
        let hopeless = !self.reached || why == FaultKind::Authorization;
        if !self.enabled || hopeless || self.tries >= TRIES {
            self.due = None;
            return None;
        }
        let pause = (LEAST * 2_u32.saturating_pow(self.tries)).min(MOST);
        self.tries += 1;
        self.due = Some(now + pause);
        Some(Again { attempt: self.tries, of: TRIES, pause })
    }

    /// The try begins.
    pub(super) fn begun(&mut self) {
        self.due = None;
    }

    /// The user wants it connected: tries begin anew.
    pub(super) fn wanted(&mut self) {
        self.tries = 0;
    }

    /// The user decided otherwise: nothing is planned, and tries begin anew.
    pub(super) fn forget(&mut self) {
        (self.tries, self.reached, self.due, self.up) = (0, false, None, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOSED: FaultKind = FaultKind::Closed;

    #[test]
    fn pauses_grow_and_tries_end() {
        let now = Instant::now();
        let mut clock = Reconnect::new(true);
        clock.connected(now);
        let mut pauses = Vec::new();
        while let Some(again) = clock.lost(now, CLOSED) {
            assert_eq!(clock.due(), Some(now + again.pause));
            clock.begun();
            pauses.push(again.pause.as_secs());
        }
        assert_eq!(pauses, [1, 2, 4, 8, 16, 30, 30, 30]);
        assert_eq!(clock.due(), None);
        clock.wanted();
        assert_eq!(clock.lost(now, CLOSED).map(|again| again.attempt), Some(1));
    }

    #[test]
    fn a_connection_that_worked_begins_anew_and_a_short_one_does_not() {
        let now = Instant::now();
        let mut clock = Reconnect::new(true);
        for (lasted, attempt) in [(WORKED, 1), (Duration::ZERO, 2), (WORKED / 2, 3), (WORKED, 1)] {
            clock.connected(now);
            assert_eq!(clock.lost(now + lasted, CLOSED).map(|again| again.attempt), Some(attempt));
        }
        clock.forget();
        assert_eq!(clock.due(), None);
    }

    #[test]
    fn what_was_never_reached_or_is_switched_off_is_left_alone() {
        let now = Instant::now();
        assert_eq!(Reconnect::new(true).lost(now, CLOSED), None);
        let mut off = Reconnect::new(false);
        off.connected(now);
        assert_eq!(off.lost(now, CLOSED), None);
        let mut barred = Reconnect::new(true);
        barred.connected(now);
        assert!(barred.lost(now, CLOSED).is_some());
        assert_eq!(barred.lost(now, FaultKind::Authorization), None);
        assert_eq!(barred.due(), None);
    }
}
