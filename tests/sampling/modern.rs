//! The modern road: a round inside a read (2026-07-28, basic/patterns/mrtr).

use crate::{
    scene,
    server::{Era, ask},
};
use serde_json::{Value, json};
use vestibule::domain::{Decision, FaultKind};

const STATE: &str = "\u{0}é {\"a\": 1}==";

fn round(key: &str) -> Value {
    let request = json!({"method": "sampling/createMessage", "params": ask()});
    json!({"resultType": "input_required", "requestState": STATE, "inputRequests": {key: request}})
}

#[tokio::test]
async fn a_round_goes_through_both_doors_and_the_read_goes_on() {
    let mut scene = scene(Era::Modern, true).await;
    assert_eq!(scene.server.client_capabilities, json!({"sampling": {}}));
    let reading = scene.read();
    let first = scene.server.receive().await;
    scene.server.answer(&first, round("k 1")).await;

    let (review, decide) = scene.person.request().await;
    assert_eq!(serde_json::to_value(&review.request).unwrap(), ask());
    assert_eq!(review.origin.call.as_deref(), Some("read a://x"));
    assert_eq!(review.origin.round, Some(1));
    assert_eq!(review.origin.key.as_ref().map(|k| k.raw()), Some("k 1"));
    decide.send(Decision::Approve { digest: review.digest, value: review.request }).unwrap();
    let (review, decide) = scene.person.response().await;
    let (bytes, digest) = (review.disclosure.bytes().to_vec(), review.disclosure.digest());
    decide.send(Decision::Approve { value: review.response, digest }).unwrap();

    let again = scene.server.receive().await;
    assert_eq!(again["method"], "resources/read");
    assert_ne!(again["id"], first["id"], "a fresh id");
    assert_eq!(again["params"]["uri"], "a://x");
    assert_eq!(again["params"]["requestState"], STATE, "byte for byte");
    let line = scene.server.line.as_bytes();
    assert!(line.windows(bytes.len()).any(|part| part == bytes), "the digested bytes");
    assert!(again["params"]["inputResponses"]["k 1"].is_object());

    scene.server.answer_read(&again, "done").await;
    assert!(reading.await.unwrap().unwrap().contains("done"));
    scene.close().await;
}

#[tokio::test]
async fn a_no_ends_the_read_here_and_sends_nothing() {
    let mut scene = scene(Era::Modern, true).await;
    let reading = scene.read();
    let first = scene.server.receive().await;
    scene.server.answer(&first, round("k")).await;
    let (_, decide) = scene.person.request().await;
    decide.send(Decision::Deny { reason: None }).unwrap();
    assert_eq!(reading.await.unwrap().unwrap_err().kind, FaultKind::Declined);
    // The next thing that is sent belongs to the next read.
    let _reading = scene.read();
    let next = scene.server.receive().await;
    assert_eq!(next["params"].get("inputResponses"), None);
    scene.close().await;
}

#[tokio::test]
async fn dropping_the_read_withdraws() {
    let mut scene = scene(Era::Modern, true).await;
    let reading = scene.read();
    let first = scene.server.receive().await;
    scene.server.answer(&first, round("k")).await;
    let (_, _decide) = scene.person.request().await;
    reading.abort();
    scene.person.withdrawal().await;
    scene.close().await;
}

#[tokio::test]
async fn the_end_of_the_stream_withdraws() {
    let mut scene = scene(Era::Modern, true).await;
    let reading = scene.read();
    let first = scene.server.receive().await;
    scene.server.answer(&first, round("k")).await;
    let (_, _decide) = scene.person.request().await;
    scene.server.hang_up();
    scene.person.withdrawal().await;
    reading.abort();
    scene.close().await;
}

#[tokio::test]
async fn without_a_service_the_ask_ends_the_read_by_name() {
    let mut scene = scene(Era::Modern, false).await;
    assert_eq!(scene.server.client_capabilities, json!({}));
    let reading = scene.read();
    let first = scene.server.receive().await;
    scene.server.answer(&first, round("k")).await;
    let fault = reading.await.unwrap().unwrap_err();
    assert_eq!(fault.kind, FaultKind::Protocol);
    assert!(fault.what.contains("never offered"), "{fault}");
    scene.close().await;
}
