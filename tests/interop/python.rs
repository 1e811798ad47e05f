//! A server of ours on the Python SDK, in both eras: `python_server.py`.

use crate::installed::{close, facts, id, open, program, text};
use serde_json::json;
use vestibule::domain::{Content, Era, EraChoice, FaultKind, ResourceBody};

const ERAS: [(EraChoice, Era); 2] =
    [(EraChoice::Auto, Era::Modern), (EraChoice::Legacy, Era::Legacy)];
const GREETING: &str = "größe 漢字 \u{202e}\u{1b}[2J\n";

#[tokio::test]
async fn pages_templates_reads_and_prompts_are_the_same_in_both_eras() {
    for (choice, era) in ERAS {
        let registry = open(&["python"], choice);
        let view = registry.settled().await;
        assert_eq!(facts(&view, "python").era, era);
        let uris: Vec<_> =
            registry.list_resources().await.into_iter().map(|row| row.uri.into_raw()).collect();
        let all: Vec<_> = (1..=5).map(|n| format!("py:item/{n}")).collect();
        assert_eq!(uris, all);
        assert_eq!(registry.list_templates().await[0].uri_template.raw(), "py:item/{n}");

        let reading = registry.read_resource("py:item/1", None).await.expect("a text");
        assert_eq!(text(&reading), GREETING);
        let reading = registry.read_resource("python:py:item/2", None).await.expect("a blob");
        let bytes = &[0, 1, 2, 3, 4, 255][..];
        assert!(matches!(&reading.contents[0].body, ResourceBody::Blob(b) if b[..] == *bytes));

        let given = [("need", "a 'b'\n--c"), ("may", "")].map(|(k, v)| (k.into(), v.into()));
        let done = registry.get_prompt("echo", &given, None).await.expect("a prompt");
        let Content::Text { text, .. } = &done.prompt.messages[0].content[0] else { panic!() };
        assert_eq!(text.raw(), r#"[('may', ''), ('need', "a 'b'\n--c")]"#);
        close(registry).await;
    }
}

#[tokio::test]
async fn a_change_that_is_told_is_listed_again() {
    let registry = open(&["python"], EraChoice::Legacy);
    assert_eq!(registry.list_resources().await.len(), 5);
    registry.read_resource("py:grow", Some("python")).await.expect("a reading");
    let mut watch = registry.watch();
    let six = watch.wait_for(|view| view.catalogue.resources.len() == 6);
    let six = tokio::time::timeout(std::time::Duration::from_secs(20), six).await;
    assert!(six.expect("in time").is_ok());
    close(registry).await;
}

#[tokio::test]
async fn a_question_that_was_never_offered_ends_the_read() {
    for ((choice, _), kind) in ERAS.into_iter().zip([FaultKind::Protocol, FaultKind::ServerError]) {
        let registry = open(&["python"], choice);
        let fault = registry.read_resource("py:ask", None).await.expect_err("refused");
        assert_eq!(fault.kind, kind, "{fault:?}");
        assert_eq!(fault.who, Some(id("python")));
        // It ended that read and nothing else.
        assert!(registry.read_resource("py:item/1", None).await.is_ok());
        close(registry).await;
    }
}

#[test]
fn the_program_prints_it_as_json() {
    for era in ["auto", "legacy"] {
        let (value, err, code) = program(&["read", "py:item/1", "--era", era], "python");
        assert_eq!((value, err.as_str(), code), (json!(GREETING), "", Some(0)));
        let (value, ..) = program(&["read", "py:item/2", "--era", era], "python");
        assert_eq!(value, json!({"mime": "application/x-five", "size": 6}));
    }
}
