//! What a server tells of how far it has come with a request (spec
//! `basic/utilities/progress`).

use super::track::Track;
use crate::domain::{Progress, UntrustedText};
use serde_json::{Map, Value};
use std::{
    collections::HashMap,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicI64, AtomicUsize, Ordering},
    },
};

/// The longest message that is kept, in bytes.
const MESSAGE: usize = 4 * 1024;
/// How many senseless words about progress are kept on one connection; more are only counted, so
/// that they do not drive out what else a server said.
const WORDED: usize = 50;

/// The requests that wait for an answer, by the token under which progress is told.
#[derive(Debug, Default)]
pub(super) struct Progresses {
    waiting: Mutex<HashMap<i64, Waiting>>,
    wrong: AtomicUsize,
    /// Tokens from 0 to before this one were given out on this connection.
    made: AtomicI64,
}

/// One request that waits.
#[derive(Debug, Default)]
struct Waiting {
    /// Known once it is about to be written, which may be before or after somebody follows it.
    id: Option<i64>,
    track: Track,
    done: Option<f64>,
}

impl Progresses {
    fn waiting(&self) -> MutexGuard<'_, HashMap<i64, Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A request is about to be sent.
    pub(super) fn opened(&self, id: i64, token: i64) {
        self.made.fetch_max(token.saturating_add(1), Ordering::Relaxed);
        self.waiting().entry(token).or_default().id = Some(id);
    }

    /// A request was answered, or given up.
    pub(super) fn closed(&self, id: i64) {
        self.waiting().retain(|_, waiting| waiting.id != Some(id));
    }

    /// Says who watches the progress that is told under a token, for as long as what it gives
    /// lives. What was told already is told again.
    pub(super) fn follow(&self, token: i64, track: &Track) -> Following<'_> {
        let before = {
            let mut all = self.waiting();
            let waiting = all.entry(token).or_default();
            std::mem::replace(&mut waiting.track, track.clone()).state()
        };
        if before.updates > 0 {
            track.tell(|state| {
                state.updates += before.updates;
                state.progress = before.progress;
            });
        }
        Following { all: self, token }
    }

    /// Whether what was wrong with a notification is still worth a line of its own.
    pub(super) fn is_worded(&self) -> bool {
        let more = |before: usize| (before < WORDED).then(|| before + 1);
        self.wrong.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok()
    }

    /// Takes a notification in. The error says what is wrong with it; nothing is shown of it then.
    pub(super) fn told(&self, params: Option<&str>) -> Result<(), String> {
        let wrong = |what: &str| format!("progress was told {what}");
        let params: Map<String, Value> = serde_json::from_str(params.unwrap_or_default())
            .map_err(|_| wrong("without saying of what"))?;
        let number = |key: &str| params.get(key).and_then(Value::as_f64).filter(|n| n.is_finite());
        let token = params.get("progressToken").and_then(Value::as_i64);
        let token = token.ok_or_else(|| wrong("without a token of ours"))?;
        let done = number("progress").ok_or_else(|| wrong("without a number"))?;
        let is_there = |key: &str| params.get(key).is_some_and(|value| !value.is_null());
        let total = number("total");
        if total.is_none() && is_there("total") {
            return Err(wrong("with a total that is no number"));
        }
        let message = params.get("message").and_then(Value::as_str).map(cut);
        if message.is_none() && is_there("message") {
            return Err(wrong("with a message that is no text"));
        }
        let mut all = self.waiting();
        let Some(waiting) = all.get_mut(&token) else {
            // What was on its way when a request ended is an ordinary race.
            let was_made = (0..self.made.load(Ordering::Relaxed)).contains(&token);
            let why = || wrong("of a request that nobody made");
            return if was_made { Ok(()) } else { Err(why()) };
        };
        if waiting.done.is_some_and(|before| done < before) {
            return Err(wrong("that goes backwards"));
        }
        waiting.done = Some(done);
        let progress = Progress { done, total, message };
        waiting.track.tell(|state| {
            state.updates += 1;
            state.progress = Some(progress);
        });
        Ok(())
    }
}

/// Somebody follows a request while this lives.
pub(super) struct Following<'a> {
    all: &'a Progresses,
    token: i64,
}

impl Drop for Following<'_> {
    fn drop(&mut self) {
        self.all.waiting().remove(&self.token);
    }
}

/// The beginning of a message.
fn cut(message: &str) -> UntrustedText {
    message.get(..message.floor_char_boundary(MESSAGE)).unwrap_or(message).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(all: &Progresses, params: &Value) -> Result<(), String> {
        all.told(Some(&params.to_string()))
    }

    #[test]
    fn what_is_told_reaches_who_asked_even_when_it_is_early() {
        let (all, track) = (Progresses::default(), Track::default());
        all.opened(7, 70);
        let first = serde_json::json!({"progressToken": 70, "progress": 1, "total": 4});
        told(&all, &first).expect("taken");
        let following = all.follow(70, &track);
        assert_eq!(track.state().progress.and_then(|p| p.part()), Some(0.25));
        let long = "é".repeat(MESSAGE);
        let second = serde_json::json!({"progressToken": 70, "progress": 1, "message": long});
        told(&all, &second).expect("a new message to the same number");
        let state = track.state();
        let message = state.progress.and_then(|p| p.message).expect("a message");
        assert_eq!((state.updates, message.raw().len()), (2, MESSAGE));
        drop(following);
        // What was on its way still is no breach, and shown nowhere.
        assert!(told(&all, &first).is_ok());

        // Followed before it is written.
        let _following = all.follow(71, &track);
        all.opened(8, 71);
        let third = serde_json::json!({"progressToken": 71, "progress": 1});
        told(&all, &third).expect("taken");
        assert_eq!(track.state().updates, 3);
    }

    #[test]
    fn what_makes_no_sense_is_not_shown() {
        let (all, track) = (Progresses::default(), Track::default());
        all.opened(7, 70);
        let _following = all.follow(70, &track);
        told(&all, &serde_json::json!({"progressToken": 70, "progress": 5})).expect("taken");
        for bad in [
            serde_json::json!({"progressToken": 70, "progress": 4}),
            serde_json::json!({"progressToken": 71, "progress": 9}),
            serde_json::json!({"progressToken": "70", "progress": 9}),
            serde_json::json!({"progressToken": 70, "progress": "9"}),
            serde_json::json!({"progressToken": 70}),
            serde_json::json!({"progressToken": 70, "progress": 9, "total": "lots"}),
            serde_json::json!({"progressToken": 70, "progress": 9, "message": ["m"]}),
            serde_json::json!([]),
        ] {
            assert!(told(&all, &bad).is_err(), "{bad}");
        }
        assert!(all.told(None).is_err());
        assert!(all.told(Some(r#"{"progressToken":70,"progress":1e400}"#)).is_err());
        let worded = (0..WORDED * 2).filter(|_| all.is_worded()).count();
        assert_eq!(worded, WORDED);
        all.closed(7);
        assert!(told(&all, &serde_json::json!({"progressToken": 70, "progress": 6})).is_ok());
        assert_eq!(track.state().updates, 1);
    }
}
