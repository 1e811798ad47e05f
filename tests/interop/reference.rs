//! The reference servers on the Python SDK: git, time and fetch. They speak both eras.

use crate::installed::{close, command, facts, id, open, program, spec};
use serde_json::{Value, json};
use std::{path::Path, process::Command};
use vestibule::{
    domain::{Era, EraChoice, FaultKind, Link, ServerSpec},
    registry::Registry,
};

/// A repository with one commit.
fn repository(folder: &Path) {
    let git = |words: &[&str]| {
        let done = Command::new("git")
            .current_dir(folder)
            .args(["-c", "user.name=A", "-c", "user.email=a@example.org"])
            .args(words)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .output()
            .expect("git");
        assert!(done.status.success(), "git {words:?}: {done:?}");
    };
    git(&["init", "--quiet"]);
    std::fs::write(folder.join("a.txt"), "a\n").expect("written");
    git(&["add", "a.txt"]);
    git(&["commit", "--quiet", "--message", "Begin"]);
}

fn on_repository(folder: &Path, era: EraChoice) -> ServerSpec {
    let program = command("git").remove(0);
    let words = ["--repository".to_owned(), folder.display().to_string()];
    ServerSpec::stdio("git", program, words).era(era)
}

/// What a registry over one server finds, after how it was reached was checked.
async fn found(spec: ServerSpec, era: Era, version: &str) -> [Value; 4] {
    let name = spec.id.clone();
    let registry = Registry::open(vec![spec]).expect("one server");
    let view = registry.settled().await;
    let facts = facts(&view, name.as_str());
    assert_eq!((facts.era, facts.version.as_str()), (era, version), "{name}");
    let lists = [
        json!(registry.list_resources().await),
        json!(registry.list_templates().await),
        json!(registry.list_prompts().await),
        json!(registry.list_tools().await),
    ];
    close(registry).await;
    lists
}

#[tokio::test]
async fn both_eras_give_the_same_lists() {
    let folder = tempfile::tempdir().expect("a folder");
    repository(folder.path());
    for name in ["git", "time", "fetch"] {
        let spec = |era| match name {
            "git" => on_repository(folder.path(), era),
            _ => spec(name, era),
        };
        let modern = found(spec(EraChoice::Auto), Era::Modern, "2026-07-28").await;
        let legacy = found(spec(EraChoice::Legacy), Era::Legacy, "2025-11-25").await;
        assert_eq!(modern, legacy, "{name}");
        let count = |list: &Value| list.as_array().map(Vec::len);
        assert!(count(&modern[3]) > Some(1) || name == "fetch");
        assert_eq!(count(&modern[2]), Some(usize::from(name == "fetch")), "{name}");
    }
}

#[tokio::test]
async fn a_required_argument_of_fetch_is_asked_for_here() {
    for era in [EraChoice::Auto, EraChoice::Legacy] {
        let registry = open(&["fetch"], era);
        let fault = registry.get_prompt("fetch.fetch", &[], None).await.expect_err("refused");
        assert_eq!(fault.kind, FaultKind::Validation);
        assert_eq!(fault.hint.as_deref(), Some("it takes: url"));
        close(registry).await;
    }
}

#[tokio::test]
async fn all_of_them_together_are_not_held_up_by_a_dead_one() {
    let mut specs: Vec<ServerSpec> = ["everything", "git", "time", "fetch"]
        .iter()
        .map(|name| spec(name, EraChoice::Auto))
        .collect();
    specs.insert(0, ServerSpec::stdio("dead", "false", [""; 0]));
    let registry = Registry::open(specs).expect("five names");
    let view = registry.settled().await;
    assert!(matches!(&view.servers[0].link, Link::Down { why } if why.who == Some(id("dead"))));
    let eras = ["everything", "git", "time", "fetch"].map(|name| facts(&view, name).era);
    assert_eq!(eras, [Era::Legacy, Era::Modern, Era::Modern, Era::Modern]);
    let tools = registry.list_tools().await;
    for (server, tool) in
        [("everything", "echo"), ("git", "git_log"), ("time", "convert_time"), ("fetch", "fetch")]
    {
        let of_server = |row: &&vestibule::registry::ToolRow| row.server == id(server);
        assert!(tools.iter().filter(of_server).any(|row| row.name.raw() == tool), "{tool}");
    }
    registry.read_resource("demo://resource/static/document/features.md", None).await.expect("it");
    close(registry).await;
}

#[test]
fn the_program_finds_them_too() {
    for (server, prompts) in [("time", 0), ("fetch", 1)] {
        let (rows, err, code) = program(&["servers"], server);
        assert_eq!((err.as_str(), code), ("", Some(0)));
        assert_eq!(rows[0]["version"], "2026-07-28");
        assert_eq!(rows[0]["counts"]["prompts"], json!(prompts));
    }
    let (rows, _, code) = program(&["tools", "--era", "legacy"], "git");
    assert_eq!(code, Some(0));
    assert!(rows.as_array().expect("rows").iter().any(|row| row["name"] == "git_status"));
}
