//! What reading and listing cost, as ratios against a baseline measured in the same run.
//!
//! `cargo bench` prints a table. Each figure is the median of several processes, so that memory is
//! measured from a clean start; CPU time is this process's alone, the server's is not in it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::print_stdout)]

mod measure;
mod server;

use std::process::Command;

/// How often each case is run.
const RUNS: usize = 5;

/// One line of the table.
struct Ratio {
    what: &'static str,
    ours: &'static str,
    baseline: &'static str,
    /// The ratio of CPU times that must not be passed.
    cpu: f64,
    /// The ratio of peak memory to payload that must not be passed, where that is asked.
    memory: Option<f64>,
}

const RATIOS: [Ratio; 2] = [
    Ratio {
        what: "50 MB of text over stdio into a document / serde_json::Value of its line",
        ours: "read",
        baseline: "read-value",
        cpu: 2.0,
        memory: Some(3.0),
    },
    Ratio {
        what: "100 000 resources in pages of 1000 / typed serde_json of the same lines",
        ours: "list",
        baseline: "list-typed",
        cpu: 1.5,
        memory: None,
    },
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["serve", kind] => server::serve(kind),
        ["case", case] => println!("{}", measure::case(case)),
        _ => table(),
    }
}

/// CPU seconds, and peak memory over payload.
type Figures = (f64, f64);

fn median(case: &str) -> Figures {
    let mut runs: Vec<Figures> = (0..RUNS).map(|_| run(case)).collect();
    runs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let cpu = runs[RUNS / 2].0;
    runs.sort_by(|a, b| a.1.total_cmp(&b.1));
    (cpu, runs[RUNS / 2].1)
}

fn run(case: &str) -> Figures {
    let me = std::env::current_exe().expect("a path");
    let output = Command::new(me).args(["case", case]).output().expect("a run");
    let text = String::from_utf8_lossy(&output.stdout);
    let mut figures = text.split_whitespace().map(|f| f.parse().expect("a figure"));
    (figures.next().expect("CPU"), figures.next().expect("memory"))
}

fn table() {
    let mut kept = true;
    for ratio in RATIOS {
        let (ours, peak) = median(ratio.ours);
        let (baseline, _) = median(ratio.baseline);
        let cpu = ours / baseline;
        println!("{}", ratio.what);
        println!("  CPU     {cpu:.2} (at most {:.1}): {ours:.3} s / {baseline:.3} s", ratio.cpu);
        kept &= cpu <= ratio.cpu;
        if let Some(most) = ratio.memory {
            println!("  memory  {peak:.2} times the payload at its peak (at most {most:.1})");
            kept &= peak <= most;
        }
    }
    println!("{}", if kept { "all ratios are kept" } else { "A RATIO IS NOT KEPT" });
}
