//! When lists that changed are asked for again: soon, and less often the more often they change.

use std::time::Duration;
use tokio::time::Instant;

/// How long changes are gathered before a list is asked for again.
const LEAST: Duration = Duration::from_millis(100);
/// The same for a server that says without end that its lists change.
const MOST: Duration = Duration::from_secs(5);
/// A server that was quiet for this long, or for twice its last pause, begins anew.
const QUIET: Duration = Duration::from_secs(1);

/// The clock of one server's reloads. The pause doubles with every change that comes right after
/// a reload: a server that answers each list with the news that it changed would otherwise keep
/// both sides busy for ever, and its lists for ever loading.
#[derive(Debug)]
pub(super) struct Relist {
    due: Option<Instant>,
    /// When the last reload ended.
    ended: Option<Instant>,
    pause: Duration,
}

impl Relist {
    pub(super) fn new() -> Self {
        Self { due: None, ended: None, pause: LEAST }
    }

    /// When to ask again, if a change is waiting.
    pub(super) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Takes note of a change.
    pub(super) fn changed(&mut self, now: Instant) {
        if self.due.is_some() {
            return;
        }
        let quiet = (self.pause * 2).max(QUIET);
        self.pause = match self.ended {
            Some(ended) if now < ended + quiet => (self.pause * 2).min(MOST),
            Some(_) | None => LEAST,
        };
        self.due = Some(now + self.pause);
    }

    /// The reload begins.
    pub(super) fn begun(&mut self, now: Instant) {
        self.due = None;
        self.ended = Some(now);
    }

    /// A reload, or the first load, is over.
    pub(super) fn ended(&mut self, now: Instant) {
        if self.ended.is_some() {
            self.ended = Some(now);
        }
    }

    /// The connection is gone, and its changes with it.
    pub(super) fn forget(&mut self) {
        self.due = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many reloads happen in `span`, each followed by the next change after `after`.
    fn reloads(span: Duration, after: Duration) -> usize {
        let began = Instant::now();
        let mut now = began;
        let mut relist = Relist::new();
        let mut reloads = 0;
        while now < began + span {
            relist.changed(now);
            let Some(due) = relist.due() else { break };
            relist.begun(due);
            relist.ended(due);
            reloads += 1;
            now = due + after;
        }
        reloads
    }

    #[test]
    fn changes_without_end_cost_few_reloads_and_rare_changes_are_seen_at_once() {
        let minute = Duration::from_secs(60);
        assert!((10..=20).contains(&reloads(minute, Duration::ZERO)));
        assert_eq!(reloads(minute, Duration::from_millis(1900)), 30);
    }

    #[test]
    fn changes_that_come_together_are_one() {
        let mut relist = Relist::new();
        let now = Instant::now();
        relist.changed(now);
        relist.changed(now + LEAST / 2);
        assert_eq!(relist.due(), Some(now + LEAST));
        relist.forget();
        assert_eq!(relist.due(), None);
    }
}
