//! The protocol authors' own test server, on the TypeScript SDK. It speaks the legacy era.

use crate::installed::{close, facts, id, open, program, text};
use serde_json::{Value, json};
use vestibule::{
    domain::{Content, Era, EraChoice, FaultKind, Link, ResourceBody},
    registry::Registry,
};

const TEXT: &str = "demo://resource/dynamic/text/1";
const BLOB: &str = "demo://resource/dynamic/blob/1";

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
}

async fn prompt(registry: &Registry, name: &str, arguments: &[(&str, &str)]) -> Vec<Content> {
    let rendered = registry.get_prompt(name, &pairs(arguments), None).await;
    let messages = rendered.unwrap_or_else(|fault| panic!("{fault:?}")).prompt.messages;
    messages.into_iter().flat_map(|message| message.content).collect()
}

#[tokio::test]
async fn auto_and_forced_legacy_find_the_same() {
    let mut found = Vec::new();
    for era in [EraChoice::Auto, EraChoice::Legacy] {
        let registry = open(&["everything"], era);
        let view = registry.settled().await;
        let facts = facts(&view, "everything");
        assert_eq!((facts.era, facts.version.as_str()), (Era::Legacy, "2025-11-25"));
        let lists = (
            registry.list_resources().await,
            registry.list_templates().await,
            registry.list_prompts().await,
            registry.list_tools().await,
        );
        assert_eq!((lists.1.len(), lists.2.len()), (2, 4));
        assert!(lists.0.len() >= 7 && lists.3.len() >= 10);
        assert!(
            lists
                .1
                .iter()
                .any(|t| t.uri_template.raw() == "demo://resource/dynamic/text/{resourceId}")
        );
        assert!(lists.3.iter().any(|tool| tool.name.raw() == "echo"));
        found.push(lists);
        close(registry).await;
    }
    assert_eq!(found[0], found[1]);
}

#[tokio::test]
async fn modern_forced_is_refused_in_words() {
    let registry = open(&["everything"], EraChoice::Modern);
    let view = registry.settled().await;
    let Link::Down { why } = &view.servers[0].link else { panic!("{:?}", view.servers[0].link) };
    assert_eq!(why.who, Some(id("everything")));
    assert!(matches!(why.kind, FaultKind::ServerError | FaultKind::Protocol), "{why:?}");
    assert!(why.what.contains("handshake"), "{why:?}");
    assert!(view.catalogue.tools.is_empty());
    close(registry).await;
}

#[tokio::test]
async fn listed_resources_and_those_of_templates_are_read() {
    let registry = open(&["everything"], EraChoice::Auto);
    for row in registry.list_resources().await {
        let reading = registry.read_resource(row.uri.raw(), None).await.expect("a reading");
        assert!(text(&reading).len() > 100, "{}", row.uri.raw());
        assert!(reading.contents[0].notes.is_empty(), "{reading:?}");
    }
    let reading = registry.read_resource(TEXT, None).await.expect("a text");
    assert!(text(&reading).starts_with("Resource 1: This is a plaintext resource"));
    let reading = registry.read_resource(BLOB, Some("everything")).await.expect("a blob");
    match &reading.contents[0].body {
        ResourceBody::Blob(bytes) => {
            assert!(bytes.starts_with(b"Resource 1: This is a base64 blob"))
        }
        other => panic!("{other:?}"),
    }
    let fault = registry.read_resource("demo://no/such", None).await.expect_err("unknown");
    assert_eq!(fault.kind, FaultKind::ServerError);
    close(registry).await;
}

#[tokio::test]
async fn prompts_take_required_and_optional_arguments_and_embed_resources() {
    let registry = open(&["everything"], EraChoice::Auto);
    assert_eq!(prompt(&registry, "simple-prompt", &[]).await.len(), 1);
    let weather =
        async |arguments: &[(&str, &str)]| match &prompt(&registry, "args-prompt", arguments).await
            [..]
        {
            [Content::Text { text, .. }] => text.raw().to_owned(),
            other => panic!("{other:?}"),
        };
    assert_eq!(
        weather(&[("city", "São \"Paulo\"\n--x")]).await,
        "What's weather in São \"Paulo\"\n--x?"
    );
    assert_eq!(
        weather(&[("city", "Paris"), ("state", "Texas")]).await,
        "What's weather in Paris, Texas?"
    );
    let missing = registry.get_prompt("args-prompt", &pairs(&[("state", "Texas")]), None).await;
    assert_eq!(missing.expect_err("refused").kind, FaultKind::Validation);
    let given = [("resourceType", "Text"), ("resourceId", "1")];
    let blocks = prompt(&registry, "everything.resource-prompt", &given).await;
    assert!(blocks.iter().any(|block| matches!(block, Content::Resource { .. })), "{blocks:?}");
    let refused = registry
        .get_prompt(
            "resource-prompt",
            &pairs(&[("resourceType", "None"), ("resourceId", "1")]),
            None,
        )
        .await
        .expect_err("the server refuses");
    assert_eq!(refused.kind, FaultKind::ServerError);
    assert!(!refused.cause.is_empty());
    close(registry).await;
}

#[test]
fn the_program_prints_it_as_json() {
    let (rows, err, code) = program(&["servers"], "everything");
    assert_eq!((err.as_str(), code), ("", Some(0)));
    assert_eq!((&rows[0]["era"], &rows[0]["version"]), (&json!("legacy"), &json!("2025-11-25")));
    let (value, _, code) = program(&["read", TEXT], "everything");
    assert!(code == Some(0) && value.as_str().is_some_and(|text| text.starts_with("Resource 1")));
    let (value, _, code) = program(&["read", BLOB], "everything");
    assert_eq!(code, Some(0));
    assert!(value["size"].as_u64().is_some_and(|size| size > 30), "{value}");
    let (value, _, _) = program(&["prompt", "args-prompt", "city=Oslo"], "everything");
    assert_eq!(value["messages"][0]["content"], "What's weather in Oslo?");
    let (value, err, code) = program(&["tools", "--era", "modern"], "everything");
    assert_eq!((value, code), (json!([]), Some(6)));
    let error: Value = serde_json::from_str(&err).expect("one line");
    assert_eq!(error["error"]["server"], "mcp-server-everything");
}
