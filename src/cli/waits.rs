//! Long waits: after a while the person is told for whom.

use super::Reporter;
use crate::{
    content::plain_line,
    domain::{CallState, Fault, FaultKind, Link, Surface},
    registry::{Registry, RegistryView, ServerView},
};
use std::time::Duration;
use tokio::sync::watch;

/// How long a command waits without a word.
const SILENCE: Duration = Duration::from_secs(2);

/// How long nothing is said after a word about a call's progress.
const BETWEEN: Duration = Duration::from_secs(1);

/// How many servers are named; the rest is counted.
const NAMED: usize = 5;

/// Awaits `work`; when that takes longer than two seconds, says once for whom. `surface` is what
/// is waited for, `None` all.
pub(super) async fn with_a_word<T>(
    registry: &Registry,
    surface: Option<Surface>,
    reporter: &mut Reporter<'_>,
    work: impl Future<Output = T>,
) -> T {
    patiently(work, || reporter.note(&note(&registry.view(), surface))).await
}

async fn patiently<T>(work: impl Future<Output = T>, word: impl FnOnce()) -> T {
    let mut work = std::pin::pin!(work);
    if let Ok(done) = tokio::time::timeout(SILENCE, work.as_mut()).await {
        return done;
    }
    word();
    work.await
}

fn note(view: &RegistryView, surface: Option<Surface>) -> Fault {
    let whom = for_whom(view, surface, Some(SILENCE));
    let whom = whom.unwrap_or_else(|| format!("the answer ({} s)", SILENCE.as_secs()));
    let alone = if view.servers.len() > 1 { ", --server NAME asks one alone" } else { "" };
    let what = format!("still waiting for {whom}; Ctrl-C stops{alone}");
    Fault::new(FaultKind::Timeout, what)
}

/// As [`with_a_word`], and tells how a call goes while it does: at most one line a second, the
/// last thing that is known. A call that tells something needs no word about the wait.
pub(super) async fn with_progress<T>(
    registry: &Registry,
    surface: Surface,
    name: &str,
    state: Option<watch::Receiver<CallState>>,
    reporter: &mut Reporter<'_>,
    work: impl Future<Output = T>,
) -> T {
    let Some(state) = state else {
        return with_a_word(registry, Some(surface), reporter, work).await;
    };
    let tell = |news: Option<String>| match news {
        Some(news) => reporter.progress(&format!("{name}: {news}")),
        None => reporter.note(&note(&registry.view(), Some(surface))),
    };
    telling(work, state, tell).await
}

/// Awaits `work`, giving `tell` what there is to say meanwhile; `None` once when it is long that
/// there was nothing.
async fn telling<T>(
    work: impl Future<Output = T>,
    mut state: watch::Receiver<CallState>,
    mut tell: impl FnMut(Option<String>),
) -> T {
    let mut work = std::pin::pin!(work);
    let mut silence = std::pin::pin!(tokio::time::sleep(SILENCE));
    let (mut silent, mut said) = (true, String::new());
    loop {
        tokio::select! {
            biased;
            done = work.as_mut() => return done,
            Ok(()) = state.changed() => {
                let news = progress(&state.borrow_and_update());
                let Some(news) = news.filter(|news| *news != said) else { continue };
                tell(Some(news.clone()));
                (silent, said) = (false, news);
                if let Ok(done) = tokio::time::timeout(BETWEEN, work.as_mut()).await {
                    return done;
                }
            }
            () = silence.as_mut(), if silent => {
                tell(None);
                silent = false;
            }
        }
    }
}

/// `3 of 10, copying`
fn progress(state: &CallState) -> Option<String> {
    let progress = state.progress.as_ref()?;
    let total = progress.total.map(|total| format!(" of {total}")).unwrap_or_default();
    let message = progress.message.as_ref();
    let message = message.map(|text| format!(", {}", plain_line(text))).unwrap_or_default();
    Some(format!("{}{total}{message}", progress.done))
}

/// The servers that are not ready, and what they are doing: `mute (connecting, 2 s)`. None when
/// all are.
pub(super) fn for_whom(
    view: &RegistryView,
    surface: Option<Surface>,
    since: Option<Duration>,
) -> Option<String> {
    let ready = |server: &ServerView| match surface {
        Some(surface) => server.has_listed(surface),
        None => server.is_settled(),
    };
    let since = since.map(|time| format!(", {} s", time.as_secs())).unwrap_or_default();
    let missing = view.servers.iter().filter(|server| !ready(server));
    let count = missing.clone().count();
    let mut names: Vec<String> = missing
        .take(NAMED)
        .map(|server| {
            let doing = if server.link == Link::Connecting { "connecting" } else { "listing" };
            format!("{} ({doing}{since})", server.id)
        })
        .collect();
    if count > NAMED {
        names.push(format!("{} more", count - NAMED));
    }
    (count > 0).then(|| names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::samples::{connecting, up, view};
    use crate::domain::Progress;

    #[tokio::test(start_paused = true)]
    async fn a_short_wait_is_silent_and_a_long_one_says_one_word() {
        for (seconds, expected) in [(0, 0), (1, 0), (3, 1), (500, 1)] {
            let mut words = 0;
            let work = async {
                tokio::time::sleep(Duration::from_secs(seconds)).await;
                "done"
            };
            assert_eq!(patiently(work, || words += 1).await, "done");
            assert_eq!(words, expected, "{seconds}");
        }
    }

    /// What is told of a call whose progress comes at these moments (in tenths of a second), with
    /// the moments.
    async fn told(news: &[(u64, f64)]) -> Vec<(u64, Option<String>)> {
        let (track, state) = watch::channel(CallState::default());
        let (began, mut told) = (tokio::time::Instant::now(), Vec::new());
        let work = async {
            let mut now = 0;
            for (at, done) in news {
                tokio::time::sleep(Duration::from_millis(100 * (at - now))).await;
                now = *at;
                let message = Some("a\u{1b}b".into());
                let progress = Some(Progress { done: *done, total: Some(10.0), message });
                track.send_modify(|state| state.progress = progress);
            }
            tokio::time::sleep(Duration::from_secs(9)).await;
        };
        let tell = |what| {
            let tenths = u64::try_from(began.elapsed().as_millis() / 100).expect("a short test");
            told.push((tenths, what));
        };
        telling(work, state, tell).await;
        told
    }

    #[tokio::test(start_paused = true)]
    async fn of_a_burst_the_first_and_the_last_is_told_a_second_apart() {
        let told = told(&[(1, 1.0), (2, 2.0), (3, 2.5), (50, 4.0), (51, 4.0)]).await;
        let moments: Vec<u64> = told.iter().map(|(at, _)| *at).collect();
        assert_eq!(moments, [1, 11, 50]);
        let texts: Vec<&str> = told.iter().filter_map(|(_, text)| text.as_deref()).collect();
        assert!(texts[0].starts_with("1 of 10, a") && !texts[0].contains('\u{1b}'), "{texts:?}");
        assert!(texts[1].starts_with("2.5 of 10, ") && texts[2].starts_with("4 of 10, "));
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_that_tells_nothing_has_one_word_about_the_wait() {
        assert_eq!(told(&[]).await, [(20, None)]);
        let late = told(&[(30, 1.0)]).await;
        assert_eq!(late.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [20, 30]);
    }

    #[test]
    fn the_word_names_who_is_not_ready_and_what_can_be_done() {
        let alone = view(vec![connecting("mute")]);
        let text = "still waiting for mute (connecting, 2 s); Ctrl-C stops";
        assert_eq!(note(&alone, None).to_string(), text);
        let several = view(vec![up("a"), connecting("mute")]);
        assert_eq!(
            note(&several, Some(Surface::Tools)).to_string(),
            format!("{text}, --server NAME asks one alone")
        );
        let ready = view(vec![up("a")]);
        assert_eq!(
            note(&ready, None).to_string(),
            "still waiting for the answer (2 s); Ctrl-C stops"
        );
    }

    #[test]
    fn of_many_servers_some_are_named_and_the_rest_is_counted() {
        let many = view((0..8).map(|n| connecting(&format!("s{n}"))).collect());
        let text = for_whom(&many, None, None).expect("some");
        assert!(text.starts_with("s0 (connecting), s1 (connecting)"), "{text}");
        assert!(text.ends_with("s4 (connecting), 3 more"), "{text}");
    }
}
