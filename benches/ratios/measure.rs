//! One case in a process of its own, and the clocks.

use crate::{
    figure::median,
    form, rows, screen,
    wire::{self, Way},
};
use rustix::time::{ClockId, clock_gettime};
use std::process::Command;

/// How often each case is run.
const RUNS: usize = 5;

/// Runs a case in this process and gives its figures, the first of which is CPU seconds and the
/// second the peak of memory in bytes.
pub(crate) fn case(name: &str) -> String {
    let mut figures = match name {
        "text" => asynchronous(wire::read_text(Way::Stdio)),
        "text-json" => asynchronous(wire::read_text(Way::Json)),
        "text-events" => asynchronous(wire::read_text(Way::Events)),
        "text-value" => wire::text_value(),
        "blob" => asynchronous(wire::read_blob()),
        "blob-decode" => wire::blob_decode(),
        "list" => asynchronous(wire::list_all(Way::Stdio)),
        "list-json" => asynchronous(wire::list_all(Way::Json)),
        "list-events" => asynchronous(wire::list_all(Way::Events)),
        "list-typed" => wire::list_typed(),
        "merge" => rows::merge_and_address(),
        "merge-sort" => rows::sort(),
        "search-many" => screen::search(100_000),
        "search-most" => screen::search(1_000_000),
        "draw-text" => screen::draw_text(),
        "draw-empty" => screen::draw_empty(),
        "form-open" => form::open(),
        "form-parse" => form::parse(),
        other => panic!("no case {other}"),
    };
    figures.insert(1, peak_bytes());
    figures.iter().map(f64::to_string).collect::<Vec<_>>().join(" ")
}

/// The figures of a case: the medians over several processes.
pub(crate) fn medians(case: &str) -> Vec<f64> {
    medians_of(RUNS, case)
}

/// The same, over so many.
pub(crate) fn medians_of(runs: usize, case: &str) -> Vec<f64> {
    let runs: Vec<Vec<f64>> = (0..runs).map(|_| run(case)).collect();
    let figure = |n: usize| median(runs.iter().map(|run| run[n]).collect());
    (0..runs[0].len()).map(figure).collect()
}

fn run(case: &str) -> Vec<f64> {
    let me = std::env::current_exe().expect("a path");
    let output = Command::new(me).args(["case", case]).output().expect("a run");
    let text = String::from_utf8_lossy(&output.stdout);
    let why = || panic!("case {case}: {}", String::from_utf8_lossy(&output.stderr));
    text.split_whitespace().map(|f| f.parse().unwrap_or_else(|_| why())).collect()
}

/// CPU time of this process so far, all threads.
pub(crate) fn cpu_seconds() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}

/// The most memory that this process ever held (`VmHWM`).
fn peak_bytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
    let kib: f64 = line.trim().trim_end_matches(" kB").parse().unwrap_or(0.0);
    kib * 1024.0
}

fn asynchronous(work: impl Future<Output = Vec<f64>>) -> Vec<f64> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(work)
}
