//! Running the real program, with its own home and never the user's.

use serde_json::Value;
use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};
use tempfile::TempDir;

/// Longer than any command takes on a slow machine; then it is ended, and the test fails.
const PATIENCE: Duration = Duration::from_secs(30);

/// A folder for the files of one test: the program's home, and where it runs.
pub(crate) struct Home(TempDir);

/// How a command ended.
pub(crate) struct Ended {
    /// Its exit code; `None` after a signal.
    pub(crate) code: Option<i32>,
    pub(crate) out: Vec<u8>,
    pub(crate) err: String,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file, and the folders above it.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, text).expect("written");
        path
    }

    /// The program, not yet started: its home is `home` below this folder, its folder this one.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vestibule"));
        command
            .args(words)
            .current_dir(self.0.path())
            .env("VESTIBULE_HOME", self.path("home"))
            .env_remove("NO_COLOR")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, words: &[&str]) -> Ended {
        finish(&mut self.command(words))
    }

    /// Runs the program on one more word that is a path.
    pub(crate) fn run_with(&self, words: &[&str], path: &Path) -> Ended {
        finish(self.command(words).arg::<&OsStr>(path.as_ref()))
    }
}

/// Waits for a command to end, with all that it wrote.
pub(crate) fn finish(command: &mut Command) -> Ended {
    let child = command.spawn().expect("the program starts");
    let id = child.id();
    let (done, waiting) = mpsc::channel();
    let watchdog = thread::spawn(move || {
        if waiting.recv_timeout(PATIENCE).is_err() {
            end(id);
        }
    });
    let output = child.wait_with_output().expect("the program ends");
    done.send(()).expect("it did not hang");
    watchdog.join().expect("joined");
    let err = String::from_utf8(output.stderr).expect("UTF-8");
    Ended { code: output.status.code(), out: output.stdout, err }
}

#[cfg(unix)]
fn end(id: u32) {
    let id = rustix::process::Pid::from_raw(id.cast_signed()).expect("an id");
    let _ = rustix::process::kill_process(id, rustix::process::Signal::KILL);
}

#[cfg(not(unix))]
fn end(_: u32) {}

impl Ended {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.out).expect("UTF-8")
    }

    /// Standard output as the one JSON value that it must be.
    pub(crate) fn json(&self) -> Value {
        let text = self.text();
        assert!(text.ends_with('\n') && text.lines().count() == 1, "no line of its own: {text}");
        serde_json::from_str(text).expect("JSON")
    }

    /// Standard error as JSON lines.
    pub(crate) fn messages(&self) -> Vec<Value> {
        self.err.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }
}

/// What a command prints that must work and have nothing to remark.
pub(crate) fn quiet(words: &[&str]) -> Ended {
    let ended = Home::new().run(words);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{words:?}");
    ended
}

/// The keys of an object, in their order.
pub(crate) fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}
