//! Processes of the system.

use std::sync::atomic::{AtomicU32, Ordering};

/// An argument for `sleep`, some minutes long, that no other process has.
pub fn unique_sleep() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::SeqCst);
    format!("300.{:07}{number:03}", std::process::id())
}

/// The command lines that hold a text.
pub fn running_with(text: &str) -> Vec<String> {
    let own = std::process::id().to_string();
    let Ok(processes) = std::fs::read_dir("/proc") else { return listed_with(text) };
    processes
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.bytes().all(|b| b.is_ascii_digit()) && *name != own)
        .filter_map(|name| std::fs::read_to_string(format!("/proc/{name}/cmdline")).ok())
        .filter(|line| line.contains(text))
        .collect()
}

/// The same where there is no `/proc`.
fn listed_with(text: &str) -> Vec<String> {
    let listed = std::process::Command::new("ps").args(["-A", "-o", "args="]).output().unwrap();
    let lines = String::from_utf8_lossy(&listed.stdout).into_owned();
    lines.lines().filter(|line| line.contains(text)).map(str::to_owned).collect()
}
