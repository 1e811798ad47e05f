//! Doing nothing costs nothing.

use crate::demo::settled;
use crate::start::Start;
use std::time::Duration;

/// How often the threads of a process have given up or lost the processor.
#[cfg(target_os = "linux")]
fn switches(pid: rustix::process::Pid) -> u64 {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    let statuses = threads
        .filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("status")).ok());
    let count = |status: String| -> u64 {
        let lines = status.lines().filter(|line| line.contains("ctxt_switches"));
        lines.filter_map(|line| line.split_whitespace().last()?.parse::<u64>().ok()).sum()
    };
    statuses.map(count).sum()
}

#[cfg(not(target_os = "linux"))]
fn switches(_: rustix::process::Pid) -> u64 {
    0
}

#[test]
fn a_settled_screen_neither_writes_nor_wakes() {
    let mut terminal = settled(Start::demo());
    terminal.keys("Enter");
    terminal.wait_for("— end, read in");
    terminal.wait_quiet(Duration::from_secs(1));
    let (written, before) = (terminal.raw().len(), switches(terminal.pid()));
    // Here the passing of time is what the test is about.
    assert!(!terminal.comes_within(Duration::from_secs(2), |_| false));
    assert_eq!(terminal.raw().len(), written, "it draws although nothing happens");
    let woken = switches(terminal.pid()) - before;
    assert!(woken <= 8, "woken {woken} times in two seconds");
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
}
