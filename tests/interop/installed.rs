//! Where the servers are, and what every test does with them.

use crate::wire::{Wire, the_check_can_fail};
use serde_json::Value;
use std::{path::PathBuf, process::Command};
use vestibule::{
    domain::{EraChoice, Link, ResourceBody, ServerFacts, ServerId, ServerSpec},
    registry::{Reading, Registry, RegistryView},
};

/// A file below the folder of installed servers.
fn installed(path: &str) -> String {
    let folder = std::env::var_os("VESTIBULE_INTEROP").unwrap_or_else(|| {
        panic!("VESTIBULE_INTEROP is not set; run .ci/run, which installs the servers and sets it")
    });
    let path = PathBuf::from(folder).join(path);
    assert!(path.exists(), "{} is missing; run .ci/run, which installs it", path.display());
    path.display().to_string()
}

/// The command of each server, by the name it has in these tests.
pub(crate) fn command(name: &str) -> Vec<String> {
    match name {
        "everything" => vec![installed("node/node_modules/.bin/mcp-server-everything")],
        "git" | "time" | "fetch" => vec![installed(&format!("venv/bin/mcp-server-{name}"))],
        "python" => {
            let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/interop/python_server.py");
            vec![installed("venv/bin/python"), script.to_owned()]
        }
        other => panic!("no server is called {other}"),
    }
}

pub(crate) fn spec(name: &str, era: EraChoice) -> ServerSpec {
    let words = command(name);
    ServerSpec::stdio(name, words[0].clone(), words[1..].to_vec()).era(era)
}

pub(crate) fn id(name: &str) -> ServerId {
    ServerId::new(name).expect("a name")
}

/// A registry over some of the servers.
pub(crate) fn open(names: &[&str], era: EraChoice) -> Registry {
    let specs = names.iter().map(|name| spec(name, era)).collect();
    Registry::open(specs).expect("names are different")
}

/// How a server was reached.
pub(crate) fn facts(view: &RegistryView, name: &str) -> ServerFacts {
    match &view.server(&id(name)).expect("a server").link {
        Link::Up(facts) => facts.clone(),
        other => panic!("{name} is {other:?}"),
    }
}

/// The text of a resource of one block.
pub(crate) fn text(reading: &Reading) -> &str {
    match &reading.contents[..] {
        [block] => match &block.body {
            ResourceBody::Text(text) => text.raw(),
            other => panic!("no text: {other:?}"),
        },
        blocks => panic!("{} blocks", blocks.len()),
    }
}

/// Holds what was sent against the schema of the version spoken, then closes.
pub(crate) async fn close(registry: Registry) {
    let wire = Wire::new();
    for server in &registry.view().servers {
        let traffic = registry.traffic(&server.id);
        let checked = wire.check_traffic(&traffic).unwrap_or_else(|why| panic!("{why}"));
        assert!(checked > 0 || traffic.is_empty());
    }
    registry.close().await;
}

/// What the program prints as JSON, its messages, and its exit code, over one server.
pub(crate) fn program(words: &[&str], server: &str) -> (Value, String, Option<i32>) {
    let home = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_vestibule"))
        .args(words)
        .args(["--json", "--timeout", "60", "--"])
        .args(command(server))
        .env("VESTIBULE_HOME", home.path())
        .output()
        .expect("the program starts");
    let out = String::from_utf8(output.stdout).expect("UTF-8");
    let value =
        if out.is_empty() { Value::Null } else { serde_json::from_str(&out).expect("JSON") };
    // How long the servers of other people take to start is not ours to judge.
    let err = String::from_utf8(output.stderr).expect("UTF-8");
    let lines = err.split_inclusive('\n').filter(|line| !line.contains("still waiting for"));
    (value, lines.collect(), output.status.code())
}

#[test]
fn the_check_of_what_is_sent_can_fail() {
    the_check_can_fail(&Wire::new()).expect("it does");
}
