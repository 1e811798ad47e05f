//! The legacy road: `sampling/createMessage` as a request of the server.

use crate::{
    MODEL_SAYS, scene,
    server::{Era, ask},
};
use serde_json::json;
use std::time::{Duration, Instant};
use vestibule::{
    domain::{Decision, Digest, SamplingResponse},
    sampling::request_digest,
};

fn request(id: &str) -> serde_json::Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "sampling/createMessage", "params": ask()})
}

#[tokio::test]
async fn both_doors_are_passed_by_digest_and_the_digested_bytes_are_on_the_wire() {
    let mut scene = scene(Era::Legacy, true).await;
    assert_eq!(scene.server.client_capabilities, json!({"sampling": {}}));
    let reading = scene.read();
    let read = scene.server.receive().await;
    // Asked while the read is open: the two do not wait for each other.
    scene.server.send(request("s-1")).await;

    let (review, decide) = scene.person.request().await;
    assert_eq!(serde_json::to_value(&review.request).unwrap(), ask(), "all of it, as it was sent");
    assert_eq!(review.origin.server.as_str(), "scripted");
    assert_eq!(review.digest, request_digest(&review.request, &review.model));
    let digest = review.digest;
    decide.send(Decision::Approve { value: review.request, digest }).unwrap();

    let (review, decide) = scene.person.response().await;
    let (bytes, digest) = (review.disclosure.bytes().to_vec(), review.disclosure.digest());
    assert_eq!(digest, Digest::of(&bytes));
    assert!(String::from_utf8_lossy(&bytes).contains("é"));
    decide.send(Decision::Approve { value: review.response, digest }).unwrap();

    let answer = scene.server.receive().await;
    assert_eq!(answer["id"], "s-1");
    assert_eq!(answer["result"]["content"]["text"], MODEL_SAYS);
    let line = scene.server.line.as_bytes();
    assert!(line.windows(bytes.len()).any(|part| part == bytes), "byte for byte");

    scene.server.answer_read(&read, "done").await;
    assert!(reading.await.unwrap().unwrap().contains("done"));
    scene.close().await;
}

#[tokio::test]
async fn an_edit_at_either_door_is_what_travels() {
    let mut scene = scene(Era::Legacy, true).await;
    scene.server.send(request("s-1")).await;
    let (review, decide) = scene.person.request().await;
    let mut edited = review.request.clone();
    edited.max_tokens = 5;
    let digest = request_digest(&edited, &review.model);
    decide.send(Decision::Approve { value: edited, digest }).unwrap();
    let (_, decide) = scene.person.response().await;
    let edited = SamplingResponse::text("human", "my own words");
    let digest = vestibule::sampling::Disclosure::of(&edited).digest();
    decide.send(Decision::Approve { value: edited, digest }).unwrap();
    let answer = scene.server.receive().await;
    assert_eq!(answer["result"]["content"]["text"], "my own words");
    assert_eq!(answer["result"]["model"], "human");
    scene.close().await;
}

#[tokio::test]
async fn an_approval_of_something_else_is_no_approval() {
    let mut scene = scene(Era::Legacy, true).await;
    scene.server.send(request("s-1")).await;
    let (review, decide) = scene.person.request().await;
    let mut other = review.request.clone();
    other.max_tokens = 5;
    decide.send(Decision::Approve { value: other, digest: review.digest }).unwrap();
    let answer = scene.server.receive().await;
    assert_eq!(answer["error"]["code"], -1);
    assert_eq!(answer["error"]["data"]["stage"], "request_review");
    assert!(scene.person.is_alone(), "nothing reached a model");

    scene.server.send(request("s-2")).await;
    let (review, decide) = scene.person.request().await;
    decide.send(Decision::Approve { digest: review.digest, value: review.request }).unwrap();
    let (review, decide) = scene.person.response().await;
    let other = SamplingResponse::text("canned", "swapped");
    decide.send(Decision::Approve { value: other, digest: review.disclosure.digest() }).unwrap();
    let answer = scene.server.receive().await;
    assert_eq!(answer["error"]["data"]["stage"], "response_review");
    assert!(!scene.server.line.contains("swapped") && !scene.server.line.contains("é"));
    scene.close().await;
}

#[tokio::test]
async fn a_no_is_told_as_a_no_under_the_same_id_and_nothing_of_the_answer_leaves() {
    let mut scene = scene(Era::Legacy, true).await;
    scene.server.send(request("s-1")).await;
    let (_, decide) = scene.person.request().await;
    decide.send(Decision::Deny { reason: Some("private".into()) }).unwrap();
    let answer = scene.server.receive().await;
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!("s-1"), &json!(-1)));
    assert!(!scene.server.line.contains("private"));

    scene.server.send(request("s-2")).await;
    let (review, decide) = scene.person.request().await;
    decide.send(Decision::Approve { digest: review.digest, value: review.request }).unwrap();
    let (_, decide) = scene.person.response().await;
    decide.send(Decision::Deny { reason: None }).unwrap();
    let answer = scene.server.receive().await;
    assert_eq!(answer["error"]["code"], -1);
    assert!(!scene.server.line.contains("quotes"));
    scene.close().await;
}

#[tokio::test]
async fn without_a_service_nothing_is_declared_and_nobody_is_asked() {
    let mut scene = scene(Era::Legacy, false).await;
    assert_eq!(scene.server.client_capabilities, json!({}));
    scene.server.send(request("s-1")).await;
    let answer = scene.server.receive().await;
    assert_eq!(answer["error"]["code"], -32601);
    assert!(scene.person.is_alone());
    scene.close().await;
}

#[tokio::test]
async fn a_malformed_request_is_refused_before_anybody_sees_it() {
    let mut scene = scene(Era::Legacy, true).await;
    for params in [json!(null), json!({"messages": []}), json!({"messages": [], "maxTokens": -1})] {
        let method = "sampling/createMessage";
        scene
            .server
            .send(json!({"jsonrpc": "2.0", "id": 9, "method": method, "params": params}))
            .await;
        let answer = scene.server.receive().await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    assert!(scene.person.is_alone());
    scene.close().await;
}

#[tokio::test]
async fn the_end_of_the_stream_withdraws_at_once() {
    let mut scene = scene(Era::Legacy, true).await;
    scene.server.send(request("s-1")).await;
    let (_, _decide) = scene.person.request().await;
    let began = Instant::now();
    scene.server.hang_up();
    scene.person.withdrawal().await;
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    scene.close().await;
}

#[tokio::test]
async fn a_cancellation_withdraws_and_nothing_is_answered() {
    let mut scene = scene(Era::Legacy, true).await;
    scene.server.send(request("s-1")).await;
    let (_, _decide) = scene.person.request().await;
    let params = json!({"requestId": "s-1", "reason": "changed my mind"});
    scene
        .server
        .send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}))
        .await;
    scene.person.withdrawal().await;
    scene.server.send(json!({"jsonrpc": "2.0", "id": "p", "method": "ping"})).await;
    assert_eq!(scene.server.receive().await["id"], "p", "the next thing sent is about the ping");
    scene.close().await;
}

#[tokio::test]
async fn an_id_in_use_is_asked_once_and_answered_once() {
    let mut scene = scene(Era::Legacy, true).await;
    scene.server.send(request("s-1")).await;
    scene.server.send(request("s-1")).await;
    let (_, decide) = scene.person.request().await;
    scene.server.send(json!({"jsonrpc": "2.0", "id": "p", "method": "ping"})).await;
    assert_eq!(scene.server.receive().await["id"], "p");
    assert!(scene.person.is_alone(), "the second is not shown");
    decide.send(Decision::Deny { reason: None }).unwrap();
    assert_eq!(scene.server.receive().await["id"], "s-1");
    scene.registry.close().await;
}

#[tokio::test]
async fn too_many_at_once_are_refused_and_hold_up_nobody() {
    let mut scene = scene(Era::Legacy, true).await;
    for n in 0..1100 {
        scene.server.send(request(&format!("s-{n}"))).await;
    }
    scene.server.send(json!({"jsonrpc": "2.0", "id": "p", "method": "ping"})).await;
    // The places are taken by what waits for the person, the line of the test's own desk included.
    let mut refused = 0;
    loop {
        let answer = scene.server.receive().await;
        assert_eq!(answer["error"]["code"], -32603, "{answer}");
        refused += 1;
        if answer["id"] == "p" {
            break;
        }
    }
    assert_eq!(refused, 1100 - 1024 + 1);
    let reading = scene.read();
    let read = scene.server.receive().await;
    scene.server.answer_read(&read, "done").await;
    assert!(reading.await.unwrap().unwrap().contains("done"), "reads go on");
    scene.registry.close().await;
}

#[tokio::test]
async fn closing_the_program_withdraws() {
    let mut scene = scene(Era::Legacy, true).await;
    scene.server.send(request("s-1")).await;
    let (_, _decide) = scene.person.request().await;
    let began = Instant::now();
    scene.registry.close().await;
    scene.person.withdrawal().await;
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    scene.close().await;
}
