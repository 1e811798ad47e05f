//! Reads and prompts.

use crate::{
    house::{Setup, Way},
    lists::begun,
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use vestibule::{
    domain::{Content, FaultKind, ResourceBody, UntrustedText},
    registry::{Rendering, ServerView},
};

pub(crate) async fn text_blob_and_several_blocks_arrive_whole(way: Way) {
    let bytes: Vec<u8> = (0..=255).cycle().take(10_000).collect();
    let text = "line\r\n\ttab \u{1b}[2J \u{202e}é漢👍🏽\0 \"quoted\" \\ end without a break";
    let blob = json!({"uri": "c:blob", "mimeType": "application/octet-stream",
                      "blob": BASE64_STANDARD.encode(&bytes)});
    let script = json!({
        "resources": [{"uri": "c:text", "name": "t"}, {"uri": "c:blob", "name": "b"},
                      {"uri": "c:dir", "name": "d"}, {"uri": "c:none", "name": "n"}],
        "contents": {
            "c:text": [{"uri": "c:text", "mimeType": "text/plain", "text": text}],
            "c:blob": [blob],
            "c:dir": [{"uri": "c:dir/1", "text": ""}, {"uri": "c:dir/2", "blob": ""},
                      {"uri": "c:dir/3", "text": "three"}],
            "c:none": [],
        },
    });
    let house = Setup::new(way).server("one", script).open();
    let bodies = async |uri: &str| {
        let reading = house.read(uri, None).await.expect("a reading");
        assert_eq!((reading.server.as_str(), reading.uri.raw()), ("one", uri));
        assert!(reading.contents.iter().all(|block| block.notes.is_empty()), "{reading:?}");
        reading.contents.into_iter().map(|block| block.body).collect::<Vec<_>>()
    };
    let text_body = |text: &str| ResourceBody::Text(text.into());
    assert_eq!(bodies("c:text").await, [text_body(text)]);
    assert!(bodies("c:blob").await == [ResourceBody::Blob(bytes.into())]);
    let three = [text_body(""), ResourceBody::Blob(Vec::new().into()), text_body("three")];
    assert_eq!(bodies("c:dir").await, three);
    assert_eq!(bodies("c:none").await, []);
    house.close().await;
}

fn prompt_script(era: &str) -> Value {
    json!({"era": era, "resources": [], "prompts": [
        {"name": "ask", "arguments": [{"name": "need", "required": true}, {"name": "may"}]},
        {"name": "bare"},
    ]})
}

pub(crate) fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
}

/// What the server says that it was asked.
fn echoed(rendering: &Rendering) -> Value {
    match &rendering.prompt.messages[0].content[..] {
        [Content::Text { text, .. }] => serde_json::from_str(text.raw()).expect("JSON"),
        other => panic!("{other:?}"),
    }
}

pub(crate) async fn argument_values_arrive_exactly(way: Way) {
    for era in ["legacy", "modern"] {
        let house = Setup::new(way).server("one", prompt_script(era)).open();
        for value in [
            "with spaces ",
            "\"quoted\" and 'so'",
            "two\nlines\r\n",
            "--leading",
            "a=b=c",
            "größe 漢字 👍🏽",
            "$HOME `x` \\ \0 \u{1b}[2J",
            "{\"json\": [1]}",
        ] {
            let given = pairs(&[("need", value), ("may", "")]);
            let done = house.registry.get_prompt("ask", &given, None).await.expect("a prompt");
            let expected = json!({"name": "ask", "arguments": {"need": value, "may": ""}});
            assert_eq!(echoed(&done), expected);
        }
        let bare = house.registry.get_prompt("one.bare", &[], None).await.expect("a prompt");
        assert_eq!(echoed(&bare), json!({"name": "bare", "arguments": null}));
        assert_eq!(bare.prompt.description.as_ref().map(UntrustedText::raw), Some("an echo"));
        house.close().await;
    }
}

pub(crate) async fn arguments_are_checked_before_anything_is_sent(way: Way) {
    let house = Setup::new(way).server("one", prompt_script("legacy")).open();
    for (bad, part) in [
        (&[][..], "`need` is required"),
        (&[("need", "")], "may not be empty"),
        (&[("need", "x"), ("other", "y")], "no argument `other`"),
        (&[("need", "x"), ("need", "x")], "given twice"),
    ] {
        let given = pairs(bad);
        let fault = house.registry.get_prompt("ask", &given, None).await.expect_err("refused");
        assert_eq!(fault.kind, FaultKind::Validation);
        assert!(fault.what.contains(part), "{fault:?}");
        assert_eq!(fault.hint.as_deref(), Some("it takes: need, [may]"));
    }
    assert!(house.received("one", "prompts/get").await.is_empty());
    house.close().await;
}

pub(crate) async fn an_error_of_the_server_is_its_own_and_asked_once(way: Way) {
    let mut script = prompt_script("legacy");
    script["refuse"] = json!({"prompts/get": -32603});
    let house = Setup::new(way).server("one", script).open();
    let fault = house.registry.get_prompt("bare", &[], None).await.expect_err("refused");
    assert_eq!(fault.kind, FaultKind::ServerError);
    assert!(fault.what.contains("-32603"), "{fault:?}");
    assert_eq!(fault.cause[0].raw(), "this server refuses prompts/get");
    assert_eq!(house.received("one", "prompts/get").await.len(), 1);
    let fault = house.read("no:such", None).await.expect_err("refused");
    assert_eq!(fault.kind, FaultKind::ServerError);
    let reads = house.received("one", "resources/read").await;
    assert_eq!(reads.iter().filter(|m| m["params"]["uri"] == "no:such").count(), 1);
    house.close().await;
}

pub(crate) async fn a_dropped_read_is_cancelled_at_the_server(way: Way) {
    for era in ["legacy", "modern"] {
        // Over HTTP a modern server tells its news to who listens, and to nobody else.
        let script = json!({"era": era, "resources": [], "hold": ["c:held"], "subscriptions": []});
        let house = Setup::new(way).server("one", script).open();
        house.registry.settled().await;
        drop(begun(&house, "c:held").await);
        // The server lists what it was told of; nothing else says that it has arrived.
        let told = |server: &ServerView| !server.lists.resources.items.is_empty();
        let server = house.until_server("one", told).await;
        let reads = house.received("one", "resources/read").await;
        let held = reads.iter().find(|m| m["params"]["uri"] == "c:held").expect("the read");
        let listed = server.lists.resources.items[0].uri.raw().to_owned();
        assert_eq!(listed, format!("seen:cancelled/{}", held["id"]));
        let cancelled = house.received("one", "notifications/cancelled").await;
        assert_eq!(cancelled.len(), 1, "one read was given up");
        house.close().await;
    }
}

pub(crate) async fn a_read_is_cancelled_even_when_all_is_closed_at_once(way: Way) {
    for _ in 0..3 {
        let folder = tempfile::tempdir().expect("a folder");
        let record = folder.path().join("record");
        let script = json!({"resources": [], "hold": ["c:held"], "record": record});
        let house = Setup::new(way).server("one", script).open();
        house.registry.settled().await;
        drop(begun(&house, "c:held").await);
        house.registry.close().await;
        house.close().await;
        let lines = std::fs::read_to_string(&record).expect("a record");
        assert!(lines.contains("\"notifications/cancelled\""), "{lines}");
    }
}

pub(crate) async fn questions_that_were_never_offered_are_answered_by_name(way: Way) {
    let ask = |id: Value, method: &str, params: Value| json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    let asks = [
        // An id of ours means nothing in the other direction.
        ask(json!(1), "ping", json!({})),
        ask(json!("r"), "roots/list", json!({})),
        ask(json!("s"), "sampling/createMessage", json!({"messages": [], "maxTokens": 1})),
        ask(json!("x"), "no/such", json!({})),
    ];
    let script = json!({"resources": [], "asks": asks});
    let house = Setup::new(way).server("one", script).open();
    house.registry.settled().await;
    let mut answers = Vec::<Value>::new();
    while answers.len() < asks.len() {
        // Each look sends a message, so that what was sent before it has arrived by then.
        let log = house.text("plain:log", Some("one")).await;
        let log: Vec<Value> = serde_json::from_str(&log).expect("JSON");
        answers = log.into_iter().filter(|message| message.get("method").is_none()).collect();
    }
    let of = |id: Value| answers.iter().find(|answer| answer["id"] == id).expect("an answer");
    assert_eq!(of(json!(1))["result"], json!({}));
    for (id, method) in [("r", "roots/list"), ("s", "sampling/createMessage"), ("x", "no/such")] {
        let error = &of(json!(id))["error"];
        assert_eq!(error["code"], -32601, "{error}");
        assert!(error["message"].as_str().is_some_and(|why| why.contains(method)), "{error}");
    }
    house.close().await;
}
