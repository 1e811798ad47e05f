//! Servers that never answer, signals, and that nothing is left running.

use crate::run::{Home, finish};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _},
    process::{Child, Command},
    thread,
    time::{Duration, Instant},
};

/// A server that never answers, with a process of its own below it; both write their ids into a
/// pipe, which tells that they have started.
const NEVER: &str = "sleep 600 & echo $$ $! > \"$0\"; wait";

/// Ids of processes that must be gone in the end.
struct Family(Vec<Pid>);

impl Family {
    /// Waits until the server has started.
    fn started(home: &Home) -> Self {
        let ids = fs::read_to_string(home.path("pipe")).expect("ids");
        let ids: Vec<Pid> = ids
            .split_whitespace()
            .map(|id| Pid::from_raw(id.parse().expect("a number")).expect("an id"))
            .collect();
        assert_eq!(ids.len(), 2);
        assert!(ids.iter().all(|id| is_running(*id)), "they run until somebody ends them");
        Self(ids)
    }

    /// Sees all of it end. Nobody tells when a process that is no child of ours has ended.
    fn is_gone(&self) -> bool {
        let deadline = Instant::now() + Duration::from_secs(5);
        while self.0.iter().any(|id| is_running(*id)) {
            if Instant::now() > deadline {
                return false;
            }
            thread::sleep(Duration::from_millis(5));
        }
        true
    }
}

/// Whether a process runs. One that has ended and that nobody has asked for does not.
fn is_running(id: Pid) -> bool {
    if test_kill_process(id).is_err() {
        return false;
    }
    let stat = fs::read_to_string(format!("/proc/{}/stat", id.as_raw_nonzero()));
    !stat.is_ok_and(|stat| stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('Z')))
}

/// A command over a server that never answers.
fn never(words: &[&str]) -> (Home, Command) {
    let home = Home::new();
    let pipe = home.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let pipe = pipe.display().to_string();
    let words = [words, &["--", "sh", "-c", NEVER, &pipe]].concat();
    let command = home.command(&words);
    (home, command)
}

fn signalled(child: &Child, signal: Signal) {
    let id = Pid::from_raw(child.id().cast_signed()).expect("an id");
    kill_process(id, signal).expect("it runs");
}

#[test]
fn a_server_that_never_answers_costs_no_more_than_the_timeout() {
    for (words, code) in [
        (&["resources", "--timeout", "0.5"][..], 4),
        (&["servers", "--timeout", "0.5"], 4),
        (&["read", "a:b", "--timeout", "0.5"], 4),
        (&["prompt", "x", "--timeout", "0.5", "--json"], 4),
    ] {
        let (home, mut command) = never(words);
        let began = Instant::now();
        let family = thread::spawn(move || (Family::started(&home), home));
        let ended = finish(&mut command);
        let took = began.elapsed();
        assert_eq!(ended.code, Some(code), "{words:?}: {}", ended.err);
        assert!(ended.err.contains("0.5 s"), "{}", ended.err);
        let named = ["sh: ", "sh (connecting)"].iter().any(|name| ended.err.contains(name));
        assert!(named, "who was not ready is named: {}", ended.err);
        assert!(took < Duration::from_secs(10), "{words:?} took {took:?}");
        let (family, _home) = family.join().expect("joined");
        assert!(family.is_gone(), "{words:?} left something");
    }
}

#[test]
fn what_others_gave_in_time_is_printed() {
    let (home, mut command) = never(&["resources", "--demo", "--timeout", "1.5", "--json"]);
    let family = thread::spawn(move || (Family::started(&home), home));
    let ended = finish(&mut command);
    assert_eq!(ended.code, Some(4));
    assert_eq!(ended.json().as_array().map(Vec::len), Some(14));
    assert_eq!(ended.messages()[0]["error"]["code"], "timeout");
    assert!(family.join().expect("joined").0.is_gone());
}

#[test]
fn signals_end_the_command_and_its_servers() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::INT, 130), (Signal::HUP, 129)] {
        let (home, mut command) = never(&["resources"]);
        let child = command.spawn().expect("the program starts");
        let family = Family::started(&home);
        let began = Instant::now();
        signalled(&child, signal);
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(output.status.code(), Some(code), "{signal:?}");
        assert!(output.stdout.is_empty(), "half an answer is none");
        let err = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(err, "vestibule: stopped by a signal\n", "one word, and it is not empty");
        assert!(began.elapsed() < Duration::from_secs(5), "{signal:?} took {:?}", began.elapsed());
        assert!(family.is_gone(), "{signal:?} left something");
    }
}

#[test]
fn what_had_failed_before_a_signal_is_told_with_it() {
    let failing = r#"{"mcpServers": {"broken": {"command": "no-such-program-anywhere"}}}"#;
    let (home, mut command) = never(&["resources", "--json", "--config", "failing.json"]);
    home.write("failing.json", failing);
    let mut child = command.spawn().expect("the program starts");
    let family = Family::started(&home);
    // Its first word comes after two seconds; by then the broken one has failed.
    let mut err = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut first = String::new();
    err.read_line(&mut first).expect("a line");
    assert!(first.starts_with("{\"note\""), "{first}");
    signalled(&child, Signal::INT);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(130));
    let err = std::io::read_to_string(err).expect("UTF-8");
    let lines: Vec<serde_json::Value> =
        err.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 2, "{err}");
    assert_eq!(lines[0]["error"]["server"], "broken");
    let last = &lines[1]["error"];
    assert_eq!(
        (&last["code"], &last["message"]),
        (&"cancelled".into(), &"stopped by a signal".into())
    );
    assert!(family.is_gone());
}

#[test]
fn after_two_seconds_a_command_says_once_for_whom_it_waits() {
    for (words, is_json) in
        [(&["resources", "--demo"][..], false), (&["read", "a:b", "--json"], true)]
    {
        let (home, mut command) = never(&[words, &["--timeout", "2.5"]].concat());
        let family = thread::spawn(move || (Family::started(&home), home));
        let ended = finish(&mut command);
        assert_eq!(ended.code, Some(4), "{}", ended.err);
        let alone = if is_json { "" } else { ", --server NAME asks one alone" };
        let note = format!("still waiting for sh (connecting, 2 s); Ctrl-C stops{alone}");
        if is_json {
            let messages = ended.messages();
            assert_eq!(messages[0]["note"]["message"], note.as_str());
            let late = &messages[1]["error"]["message"];
            assert_eq!(late, "gave up waiting for sh (connecting) after 2.5 s");
        } else {
            assert!(ended.err.starts_with(&format!("vestibule: {note}\n")), "{}", ended.err);
        }
        assert_eq!(ended.err.lines().count(), 2, "{}", ended.err);
        assert!(family.join().expect("joined").0.is_gone());
    }
}

#[test]
fn a_server_that_ignores_the_end_of_its_input_and_a_polite_signal_is_ended() {
    let stubborn = "trap '' TERM HUP INT; sleep 600 & echo $$ $! > \"$0\"; while :; do wait; done";
    let home = Home::new();
    let pipe = home.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let pipe = pipe.display().to_string();
    let mut command = home.command(&["resources", "--", "sh", "-c", stubborn, &pipe]);
    let child = command.spawn().expect("the program starts");
    let family = Family::started(&home);
    signalled(&child, Signal::TERM);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(143));
    assert!(family.is_gone());
}

#[test]
fn a_command_that_is_stuck_in_a_pipe_nobody_reads_ends_by_a_signal_all_the_same() {
    for shared in [false, true] {
        let home = Home::new();
        let mut command = home.command(&["read", "library://catalogue/full.txt", "--demo"]);
        // With one pipe for both streams not even the last word can be written.
        let (mut reader, writer) = std::io::pipe().expect("a pipe");
        if shared {
            command.stderr(writer.try_clone().expect("a pipe"));
        }
        let mut child = command.stdout(writer).spawn().expect("the program starts");
        drop(command);
        reader.read_exact(&mut [0; 64]).expect("it writes");
        signalled(&child, Signal::TERM);
        assert_eq!(child.wait().expect("it ends").code(), Some(143));
        if let Some(err) = child.stderr.take() {
            let err = std::io::read_to_string(err).expect("UTF-8");
            assert_eq!(err, "vestibule: stopped by a signal\n");
        }
    }
}
