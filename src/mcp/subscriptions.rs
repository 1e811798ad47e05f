//! The resources that one session watches, and how each stands. Pure: asking is done elsewhere.

use super::contents::is_at_or_below;
use crate::domain::{Fault, FaultKind, Subscription, SubscriptionState as State};
use std::sync::Arc;
use tokio::sync::oneshot;

/// How many resources of one server may be watched.
pub(super) const MAX_SUBSCRIPTIONS: usize = 64;

/// Whoever waits to be told how an ask ended.
pub(super) type Waiting = oneshot::Sender<Result<(), Fault>>;

struct Entry {
    uri: String,
    state: State,
    /// The number of its last asking.
    asking: u64,
    updates: u64,
    generation: u64,
    /// Whether it was active once, so that changes may have been missed when it is so again.
    was_active: bool,
    /// Whether updates came that are not yet in `generation`.
    stirred: bool,
    waiting: Vec<Waiting>,
}

impl Entry {
    fn is_refused(&self) -> bool {
        matches!(self.state, State::Refused(_))
    }

    /// Whether the server may tell of it.
    fn is_open(&self) -> bool {
        matches!(self.state, State::Asking | State::Active)
    }
}

/// The watched resources of one server.
#[derive(Default)]
pub(super) struct Subscriptions {
    entries: Vec<Entry>,
    /// Whether what is shown of them differs from what was last taken.
    changed: bool,
    /// Answers that go out once the change is shown.
    replies: Vec<(Waiting, Result<(), Fault>)>,
}

impl Subscriptions {
    /// Takes note that a resource is to be watched; says whether the server has to be asked.
    pub(super) fn ask(&mut self, uri: &str, waiting: Waiting) -> bool {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.uri == uri) {
            if entry.state == State::Active {
                self.replies.push((waiting, Ok(())));
                return false;
            }
            entry.waiting.push(waiting);
            let asks = entry.state != State::Asking;
            entry.state = State::Asking;
            self.changed |= asks;
            return asks;
        }
        if self.entries.len() >= MAX_SUBSCRIPTIONS {
            let Some(oldest) = self.entries.iter().position(Entry::is_refused) else {
                let what = format!("{MAX_SUBSCRIPTIONS} resources of this server are watched");
                let full = Fault::new(FaultKind::Limit, what).hint("stop watching one first");
                self.replies.push((waiting, Err(full)));
                return false;
            };
            self.entries.remove(oldest);
        }
        self.entries.push(Entry {
            uri: uri.to_owned(),
            state: State::Asking,
            asking: 0,
            updates: 0,
            generation: 0,
            was_active: false,
            stirred: false,
            waiting: vec![waiting],
        });
        self.changed = true;
        true
    }

    /// The URIs of those that the server is to watch: all that it did not refuse.
    pub(super) fn wanted(&self) -> Vec<String> {
        let wanted = self.entries.iter().filter(|entry| !entry.is_refused());
        wanted.map(|entry| entry.uri.clone()).collect()
    }

    /// Whether any is being asked for.
    pub(super) fn is_asking(&self) -> bool {
        self.entries.iter().any(|entry| entry.state == State::Asking)
    }

    /// Those that were dropped are asked for again; gives their URIs.
    pub(super) fn take_up(&mut self) -> Vec<String> {
        let mut taken_up = Vec::new();
        for entry in &mut self.entries {
            if matches!(entry.state, State::Dropped(_)) {
                entry.state = State::Asking;
                taken_up.push(entry.uri.clone());
                self.changed = true;
            }
        }
        taken_up
    }

    /// A resource is asked for under this number.
    pub(super) fn begun(&mut self, uri: &str, asking: u64) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.uri == uri) {
            entry.asking = asking;
        }
    }

    /// Whether this was the last asking for a resource that is still wanted. The outcome of an
    /// earlier one settles nothing.
    pub(super) fn is_current(&self, uri: &str, asking: u64) -> bool {
        self.entries.iter().any(|entry| entry.uri == uri && entry.asking == asking)
    }

    /// The server agreed to watch one. What changed while it did not was not heard of.
    pub(super) fn agreed(&mut self, uri: &str) {
        self.set(|entry| (entry.uri == uri).then_some(State::Active), &Ok(()));
    }

    /// The server did not agree to those that are meant here.
    pub(super) fn refused(&mut self, why: &Fault, meant: impl Fn(&str) -> bool) {
        let refused = |entry: &Entry| {
            (!entry.is_refused() && meant(&entry.uri)).then(|| State::Refused(why.clone()))
        };
        self.set(refused, &Err(why.clone()));
    }

    /// The server did not agree to those that are asked for; to the others neither, if there are
    /// none.
    pub(super) fn refused_together(&mut self, why: &Fault) {
        let asking = self.is_asking();
        let refused = |entry: &Entry| {
            let hit = entry.state == State::Asking || (!asking && !entry.is_refused());
            hit.then(|| State::Refused(why.clone()))
        };
        self.set(refused, &Err(why.clone()));
    }

    /// None of them is watched any more, for now.
    pub(super) fn dropped(&mut self, why: &Fault) {
        let wanted = |entry: &Entry| !entry.is_refused();
        self.set(|e| wanted(e).then(|| State::Dropped(why.clone())), &Err(why.clone()));
    }

    /// Those that are asked for and are meant here got no answer; that is no refusal.
    pub(super) fn unanswered(&mut self, why: &Fault, meant: impl Fn(&str) -> bool) {
        let asking = |entry: &Entry| entry.state == State::Asking && meant(&entry.uri);
        self.set(|e| asking(e).then(|| State::Dropped(why.clone())), &Err(why.clone()));
    }

    fn set(&mut self, state: impl Fn(&Entry) -> Option<State>, outcome: &Result<(), Fault>) {
        for entry in &mut self.entries {
            let Some(state) = state(entry) else { continue };
            if state == State::Active {
                entry.generation += u64::from(entry.was_active);
                entry.was_active = true;
            }
            entry.state = state;
            let waiting = entry.waiting.drain(..);
            self.replies.extend(waiting.map(|waiting| (waiting, outcome.clone())));
            self.changed = true;
        }
    }

    /// Forgets one, if it is there; says whether the server may still tell of it.
    pub(super) fn forget(&mut self, uri: &str) -> Option<bool> {
        let at = self.entries.iter().position(|entry| entry.uri == uri)?;
        let gone = self.entries.remove(at);
        let was_open = gone.is_open();
        let why = Fault::new(FaultKind::Cancelled, "it was given up before the server answered");
        let waiting = gone.waiting.into_iter();
        self.replies.extend(waiting.map(|waiting| (waiting, Err(why.clone()))));
        self.changed = true;
        Some(was_open)
    }

    /// Answers somebody once what changed is shown.
    pub(super) fn reply(&mut self, waiting: Waiting, outcome: Result<(), Fault>) {
        self.replies.push((waiting, outcome));
    }

    /// Counts updates of a resource, or of one below it; says whether any is watched.
    pub(super) fn updated(&mut self, uri: &str, times: u64) -> bool {
        let mut watched = false;
        for entry in &mut self.entries {
            if entry.is_open() && is_at_or_below(uri, &entry.uri) {
                entry.updates = entry.updates.saturating_add(times);
                entry.stirred = true;
                watched = true;
            }
        }
        watched
    }

    /// Shows the updates that came since this was last done, each resource as one step.
    pub(super) fn show_updates(&mut self) {
        for entry in &mut self.entries {
            if std::mem::take(&mut entry.stirred) {
                entry.generation += 1;
                self.changed = true;
            }
        }
    }

    /// What is to be shown, if it changed since this was last asked.
    pub(super) fn changes(&mut self) -> Option<Arc<[Subscription]>> {
        std::mem::take(&mut self.changed).then(|| {
            let shown = |entry: &Entry| Subscription {
                uri: entry.uri.as_str().into(),
                state: entry.state.clone(),
                updates: entry.updates,
                generation: entry.generation,
            };
            self.entries.iter().map(shown).collect()
        })
    }

    /// Answers whoever waits. Called once the changes are shown.
    pub(super) fn answer(&mut self) {
        for (waiting, outcome) in self.replies.drain(..) {
            // Whoever asked may have stopped waiting.
            let _ = waiting.send(outcome);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(set: &mut Subscriptions, uri: &str) -> bool {
        set.ask(uri, oneshot::channel().0)
    }

    fn shown(set: &mut Subscriptions) -> Vec<(String, &'static str, u64, u64)> {
        let all = set.changes().expect("a change");
        all.iter()
            .map(|s| (s.uri.raw().to_owned(), s.state.label(), s.updates, s.generation))
            .collect()
    }

    #[test]
    fn updates_that_come_together_are_one_step_and_count_below_too() {
        let mut set = Subscriptions::default();
        assert!(ask(&mut set, "a://1"));
        set.agreed("a://1");
        assert!(!ask(&mut set, "a://1"), "once is enough");
        assert!(set.updated("a://1", 49) && set.updated("a://1/x", 1));
        assert!(!set.updated("a://12", 1) && !set.updated("a://2", 1));
        set.show_updates();
        assert_eq!(shown(&mut set), [("a://1".to_owned(), "active", 50, 1)]);
        set.show_updates();
        assert!(set.changes().is_none());
    }

    #[test]
    fn what_is_lost_is_dropped_in_sight_and_taken_up_again() {
        let mut set = Subscriptions::default();
        ask(&mut set, "a://1");
        ask(&mut set, "a://2");
        set.agreed("a://1");
        let why = Fault::new(FaultKind::ServerError, "no");
        set.refused(&why, |uri| uri == "a://2");
        set.dropped(&why);
        let labels = |set: &mut Subscriptions| {
            shown(set).into_iter().map(|row| (row.1, row.3)).collect::<Vec<_>>()
        };
        assert_eq!(labels(&mut set), [("dropped", 0), ("refused", 0)]);
        assert_eq!(set.take_up(), ["a://1"]);
        assert_eq!(set.wanted(), ["a://1"]);
        assert_eq!(labels(&mut set), [("asking", 0), ("refused", 0)]);
        set.agreed("a://1");
        assert_eq!(labels(&mut set), [("active", 1), ("refused", 0)], "it is read again");
    }

    #[test]
    fn an_outcome_settles_its_own_asking_and_none_is_no_refusal() {
        let mut set = Subscriptions::default();
        ask(&mut set, "a://1");
        set.begun("a://1", 1);
        assert_eq!(set.forget("a://1"), Some(true));
        assert!(!set.is_current("a://1", 1));
        ask(&mut set, "a://1");
        set.begun("a://1", 2);
        assert!(!set.is_current("a://1", 1) && set.is_current("a://1", 2));
        let why = Fault::new(FaultKind::Timeout, "slow");
        set.unanswered(&why, |uri| uri == "a://1");
        assert_eq!(shown(&mut set)[0].1, "dropped");
        assert_eq!(set.take_up(), ["a://1"]);
    }

    #[test]
    fn whoever_waits_is_answered_once_the_change_is_shown() {
        let mut set = Subscriptions::default();
        let (first, mut answer) = oneshot::channel();
        set.ask("a://1", first);
        set.agreed("a://1");
        assert!(answer.try_recv().is_err());
        set.answer();
        assert_eq!(answer.try_recv(), Ok(Ok(())));
    }

    #[test]
    fn only_so_many_are_watched_and_a_refused_one_makes_room() {
        let mut set = Subscriptions::default();
        for n in 0..MAX_SUBSCRIPTIONS {
            assert!(ask(&mut set, &format!("a://{n}")));
        }
        let (over, mut answer) = oneshot::channel();
        assert!(!set.ask("a://over", over));
        set.answer();
        let fault = answer.try_recv().expect("an answer").expect_err("full");
        assert_eq!(fault.kind, FaultKind::Limit);
        set.refused(&fault, |uri| uri == "a://3");
        assert!(ask(&mut set, "a://over"));
        assert_eq!(set.entries.len(), MAX_SUBSCRIPTIONS);
    }
}
