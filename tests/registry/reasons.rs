//! What is said of a server that did not do as it should: the reasons, and whose words they are.

use crate::house::{House, Setup, Way};
use serde_json::{Value, json};
use std::fs;
use vestibule::domain::{Fault, FaultKind, Link, ServerSpec, Transport};

/// Why the only server is down.
async fn why(house: &House) -> Fault {
    let view = house.registry.settled().await;
    match &view.servers[0].link {
        Link::Down { why } => why.clone(),
        other => panic!("{other:?}"),
    }
}

/// Whether one of the causes begins with and holds these words.
fn says(fault: &Fault, beginning: &str, words: &[&str]) -> bool {
    let causes = fault.cause.iter().map(|cause| cause.raw());
    causes.into_iter().any(|cause| {
        cause.starts_with(beginning) && words.iter().all(|words| cause.contains(words))
    })
}

const TRACE: &str =
    "Traceback (most recent call last):\n  File \"server.py\", line 1\nKeyError: 'TOKEN'\n";

/// Ways to end, each with what must be told of it.
fn endings() -> [(Value, &'static str, &'static str, &'static str); 2] {
    let usage = "usage: server [--port N]\n";
    [
        (json!({"stderr": TRACE, "code": 3}), "stderr: ", "KeyError: 'TOKEN'", "exit code 3"),
        (
            json!({"stdout": usage, "code": 0}),
            "stdout: ",
            "usage: server [--port N]",
            "exit code 0",
        ),
    ]
}

pub(crate) async fn last_words_at_the_handshake(way: Way) {
    for (last_words, from, words, code) in endings() {
        let openings = ["server/discover", "initialize"];
        let script = json!({"die": openings, "last_words": last_words});
        let house = Setup::new(way).server("one", script).open();
        let fault = why(&house).await;
        assert_eq!(fault.kind, FaultKind::Unreachable);
        assert!(says(&fault, from, &[words]), "{fault:?}");
        assert!(says(&fault, "the process ended after ", &[" s: ", code]), "{fault:?}");
        assert!(!format!("{fault}").contains(words), "our words hold the server's: {fault}");
        house.close().await;
    }
}

pub(crate) async fn last_words_in_the_middle_of_a_read(way: Way) {
    for (last_words, from, words, code) in endings() {
        let script = json!({"resources": [], "die": ["resources/read"], "last_words": last_words});
        let house = Setup::new(way).server("one", script).open();
        let fault = house.read("c:1", None).await.expect_err("it ended");
        assert_eq!(fault.kind, FaultKind::Closed);
        assert!(says(&fault, from, &[words]), "{fault:?}");
        assert!(says(&fault, "the process ended after ", &[" s: ", code]), "{fault:?}");
        // Who looks at the server later reads the same.
        let down = why(&house).await;
        assert!(
            says(&down, from, &[words]) && says(&down, "the process ended", &[code]),
            "{down:?}"
        );
        house.close().await;
    }
}

pub(crate) async fn what_cannot_be_started(way: Way) {
    let setup = Setup::new(way);
    let file = setup.path("server.py");
    fs::write(&file, "#!/bin/sh\n").expect("written");
    let file = file.display().to_string();
    let none = setup.path("none");
    let mut homeless = ServerSpec::stdio("one", "sh", [""; 0]);
    if let Transport::Stdio { cwd, .. } = &mut homeless.transport {
        *cwd = Some(none.clone());
    }
    let unknown = ServerSpec::stdio("one", "no-such-program-anywhere", [""; 0]);
    let missing = none.display().to_string();
    let denied = format!("`{file}` could not be started");
    let folder = format!("its folder {missing} does not exist");
    for (spec, what, hint, cause) in [
        (
            ServerSpec::stdio("one", file.as_str(), [""; 0]),
            denied.as_str(),
            "not executable",
            "denied",
        ),
        (unknown, "`no-such-program-anywhere` could not be started", "no such program", "PATH is "),
        (homeless, folder.as_str(), "`cwd`", ""),
    ] {
        let house = Setup::new(way).entry(spec).open();
        let fault = why(&house).await;
        assert_eq!((fault.kind, fault.what.as_str()), (FaultKind::Unreachable, what));
        assert!(fault.hint.as_deref().is_some_and(|said| said.contains(hint)), "{fault:?}");
        let said = fault.cause.iter().any(|said| said.raw().contains(cause));
        assert!(said || cause.is_empty(), "{fault:?}");
        house.registry.close().await;
    }
}

pub(crate) async fn a_refusal_speaks_in_the_cause_alone(way: Way) {
    let message = "walk the plank \u{1b}[2J\u{e0041}\u{e0042}";
    let refusal = json!({"code": -32099, "message": message});
    let script = json!({"refuse": {"server/discover": -32601, "initialize": refusal}});
    let house = Setup::new(way).server("one", script).open();
    let fault = why(&house).await;
    assert_eq!((fault.kind, fault.rpc_code), (FaultKind::ServerError, Some(-32099)));
    assert!(fault.cause.iter().any(|cause| cause.raw() == message), "{fault:?}");
    let ours = fault.to_string();
    assert!(ours.contains("-32099") && !ours.contains("plank"), "{ours}");
    assert!(!ours.contains(['\u{1b}', '\u{e0041}', '\u{e0042}']), "{ours:?}");
    house.close().await;
}

pub(crate) async fn names_of_arguments_are_marked(way: Way) {
    let names =
        ["a\u{3164}b", "c\u{fe00}d", "e\u{1b}[2Jf", "g\u{e0101}h", "i\u{e0041}j", "k\u{202e}l"];
    let hidden = ['\u{3164}', '\u{fe00}', '\u{1b}', '\u{e0101}', '\u{e0041}', '\u{202e}'];
    let arguments = names.map(|name| json!({"name": name, "required": true}));
    let script = json!({"prompts": [{"name": "p", "arguments": arguments}]});
    let house = Setup::new(way).server("one", script).open();
    let given = |name: &str| vec![(name.to_owned(), "x".to_owned())];
    for arguments in [Vec::new(), given(names[0]), given("none\u{3164}\u{1b}")] {
        let fault = house.registry.get_prompt("p", &arguments, None).await.expect_err("refused");
        assert_eq!(fault.kind, FaultKind::Validation);
        let hint = fault.hint.as_deref().expect("a hint");
        assert!(hint.starts_with("it takes: a"), "{hint}");
        for mark in ["U+3164", "U+FE00", "U+E0101", "U+202E", "\u{241b}", "TAG:A"] {
            assert!(hint.contains(mark), "{mark}: {hint}");
        }
        assert!(!fault.to_string().contains(hidden), "{:?}", fault.to_string());
    }
    house.close().await;
}

pub(crate) async fn all_of_an_error_is_told(way: Way) {
    let error =
        json!({"code": -32603, "message": "Internal error", "data": {"file": "mine.py:77"}});
    let script = json!({"resources": [], "refuse": {"resources/read": error}});
    let house = Setup::new(way).server("one", script).open();
    let fault = house.read("c:1", None).await.expect_err("an error");
    assert_eq!((fault.kind, fault.rpc_code), (FaultKind::ServerError, Some(-32603)));
    let causes: Vec<_> = fault.cause.iter().map(|cause| cause.raw()).collect();
    assert_eq!(causes, ["Internal error", r#"data: {"file":"mine.py:77"}"#]);
    house.close().await;
}

pub(crate) async fn a_read_that_ended_it_twice_says_so(way: Way) {
    let script = json!({"resources": [], "die": ["resources/read"]});
    let house = Setup::new(way).server("one", script).open();
    let fault = house.read("c:1", None).await.expect_err("it ended");
    assert_eq!(fault.kind, FaultKind::Closed);
    assert!(fault.what.contains("twice"), "{fault}");
    house.close().await;
}

pub(crate) async fn a_prompt_that_nobody_lists_is_not_sent(way: Way) {
    let script = json!({"resources": [], "prompts": [{"name": "review"}]});
    let house = Setup::new(way).server("one", script).open();
    let registry = &house.registry;
    let fault = registry.get_prompt("rewiew", &[], None).await.expect_err("a typo");
    assert_eq!(fault.kind, FaultKind::NotFound);
    assert_eq!(fault.cause, ["rewiew".into()]);
    assert_eq!(house.received("one", "prompts/get").await.len(), 0);
    house.close().await;
}
