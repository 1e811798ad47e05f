//! Whether processes still live.

use std::time::{Duration, Instant};

/// The processes that a server named on its standard error.
pub(crate) fn named<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<u32> {
    let mut ids: Vec<u32> =
        lines.into_iter().filter_map(|line| line.strip_prefix("PID ")?.parse().ok()).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// Those that still live after at most `patience`. The system has no event for the end of a
/// process that is not one's own child, so it is asked.
pub(crate) async fn left_of(ids: &[u32], patience: Duration) -> Vec<u32> {
    let began = Instant::now();
    loop {
        let left: Vec<u32> = ids.iter().copied().filter(|id| lives(*id)).collect();
        if left.is_empty() || began.elapsed() > patience {
            return left;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// One that has ended and was not waited for does not live.
#[cfg(target_os = "linux")]
fn lives(id: u32) -> bool {
    let Ok(status) = std::fs::read_to_string(format!("/proc/{id}/stat")) else { return false };
    let state = status.rsplit(") ").next().and_then(|rest| rest.chars().next());
    !matches!(state, Some('Z' | 'X') | None)
}

#[cfg(all(unix, not(target_os = "linux")))]
fn lives(id: u32) -> bool {
    i32::try_from(id)
        .ok()
        .and_then(rustix::process::Pid::from_raw)
        .is_some_and(|id| rustix::process::test_kill_process(id).is_ok())
}

#[cfg(not(unix))]
fn lives(_id: u32) -> bool {
    false
}
