//! Whole processes on the clock, against a bare client in Python that does the same with the same
//! server and prints nothing.

use crate::figure::{Figure, median};
use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

/// How often each is run, in turn.
const RUNS: usize = 9;

pub(crate) fn list() -> Vec<Figure> {
    compare("list", "100000", &["resources", "--json"], 10_000_000)
}

pub(crate) fn read() -> Vec<Figure> {
    compare("read", "50", &["read", "--raw", "test://records/0"], 50_000_000)
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/ratios").join(name)
}

fn compare(kind: &str, size: &str, arguments: &[&str], at_least: u64) -> Vec<Figure> {
    let python = Command::new("python3").arg("--version").stdout(Stdio::null()).status();
    if !python.is_ok_and(|status| status.success()) {
        println!("  left out: there is no python3 to compare with");
        return Vec::new();
    }
    let home = tempfile::tempdir().expect("a folder");
    let output = home.path().join("output");
    let server = ["python3".into(), script("server.py"), kind.into(), size.into()];
    let mut ours = Command::new(env!("CARGO_BIN_EXE_vestibule"));
    ours.args(arguments).arg("--").args(&server).env("VESTIBULE_HOME", home.path());
    let mut bare = Command::new("python3");
    bare.arg(script("client.py")).arg(kind).args(&server);
    let (mut times, mut bare_times) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        ours.stdout(std::fs::File::create(&output).expect("a file"));
        times.push(time(&mut ours));
        let written = std::fs::metadata(&output).expect("a file").len();
        assert!(written > at_least, "{written} bytes");
        bare_times.push(time(&mut bare));
    }
    vec![Figure::ratio("wall", median(times), median(bare_times), 1.05)]
}

fn time(command: &mut Command) -> f64 {
    let began = Instant::now();
    let status = command.status().expect("a run");
    let took = began.elapsed().as_secs_f64();
    assert!(status.success(), "{status}");
    took
}
