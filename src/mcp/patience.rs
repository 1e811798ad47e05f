//! How long a call may take.

use super::track::Track;
use std::time::Duration;
use tokio::{sync::watch, time::Instant};

/// How long is waited for an answer. Time in which a person is asked does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Patience {
    /// Without a word about how far it has come (`limits.request_seconds`).
    pub(super) quiet: Duration,
    /// In all (`limits.call_seconds`).
    pub(super) whole: Duration,
}

/// What ran out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RanOut {
    /// Nothing was heard for too long.
    Quiet,
    /// It told of its progress, and still took too long.
    Whole,
}

impl Patience {
    /// The same for both.
    pub(super) fn of(time: Duration) -> Self {
        Self { quiet: time, whole: time }
    }

    /// Waits until it has run out. What the server tells of its progress begins the quiet time
    /// anew (spec `basic/lifecycle`, timeouts). While a person is asked nothing runs out, and the
    /// call is marked as waiting for that.
    pub(super) async fn run_out(self, asking: &watch::Sender<usize>, track: &Track) -> RanOut {
        let (mut asking, mut told) = (asking.subscribe(), track.subscribe());
        let mut heard = told.borrow_and_update().updates;
        let (mut quiet, mut whole) = (self.quiet, self.whole);
        loop {
            if *asking.borrow_and_update() > 0 {
                let _waiting = track.begin_asking();
                if asking.wait_for(|n| *n == 0).await.is_err() {
                    return std::future::pending().await;
                }
            }
            let since = Instant::now();
            let news = told.wait_for(|state| state.updates > heard);
            let new = tokio::select! {
                () = tokio::time::sleep(quiet.min(whole)) => {
                    return if whole <= quiet && self.whole != self.quiet {
                        RanOut::Whole
                    } else {
                        RanOut::Quiet
                    };
                }
                Ok(state) = news => Some(state.updates),
                Ok(_) = asking.wait_for(|n| *n > 0) => None,
            };
            let passed = since.elapsed();
            whole = whole.saturating_sub(passed);
            quiet = quiet.saturating_sub(passed);
            if let Some(updates) = new {
                (heard, quiet) = (updates, self.quiet);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::handler::Asking, *};
    use std::sync::Arc;

    fn seconds(quiet: u64, whole: u64) -> Patience {
        Patience { quiet: Duration::from_secs(quiet), whole: Duration::from_secs(whole) }
    }

    async fn progress(track: &Track, every: u64, times: u64) {
        for _ in 0..times {
            tokio::time::sleep(Duration::from_secs(every)).await;
            track.tell(|state| state.updates += 1);
        }
        std::future::pending().await
    }

    #[tokio::test(start_paused = true)]
    async fn the_clock_stands_still_while_a_person_is_asked() {
        let asking = Arc::new(watch::channel(0).0);
        let (began, track) = (Instant::now(), Track::default());
        let (ask, told) = (asking.clone(), track.subscribe());
        let person = tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let open = Asking::begin(&ask);
            tokio::time::sleep(Duration::from_secs(100)).await;
            assert!(told.borrow().is_asking);
            drop(open);
        });
        let three = Patience::of(Duration::from_secs(3));
        assert_eq!(three.run_out(&asking, &track).await, RanOut::Quiet);
        assert_eq!(began.elapsed().as_secs(), 103);
        assert!(!track.state().is_asking);
        person.await.expect("joined");
    }

    #[tokio::test(start_paused = true)]
    async fn progress_begins_the_quiet_time_anew_and_not_the_whole() {
        let asking = watch::channel(0).0;
        for (patience, every, times, ended, at) in [
            (seconds(3, 100), 2, 5, RanOut::Quiet, 13),
            (seconds(3, 7), 2, 50, RanOut::Whole, 7),
            (seconds(3, 3), 1, 50, RanOut::Quiet, 3),
        ] {
            let (began, track) = (Instant::now(), Track::default());
            let ran_out = tokio::select! {
                out = patience.run_out(&asking, &track) => out,
                () = progress(&track, every, times) => unreachable!("it never ends"),
            };
            assert_eq!((ran_out, began.elapsed().as_secs()), (ended, at));
        }
    }
}
