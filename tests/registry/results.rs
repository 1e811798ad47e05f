//! What tools answer.

use crate::{
    house::{Setup, Way, id},
    tools::{call, script},
};
use serde_json::json;
use vestibule::{config::Limits, domain::FaultKind, registry::Track};

pub(crate) async fn a_result_is_bounded_on_both_sides_of_the_edge(way: Way) {
    let result = json!({"content": [], "structuredContent": {"a": "é"}});
    let size = result.to_string().len();
    for (bound, fits) in [(size, true), (size - 1, false)] {
        let limits = Limits { result_bytes: bound, ..Limits::default() };
        let script = script("legacy", json!({"t": {"result": result}}));
        let house = Setup::new(way).limits(limits).server("one", script).open();
        match call(&house.registry, "t", json!({})).await {
            Ok(_) => assert!(fits, "{bound}"),
            Err(fault) => {
                assert_eq!((fault.kind, fits), (FaultKind::Limit, false), "{fault:?}");
                assert!(fault.hint.is_some_and(|hint| hint.contains("limits.result_bytes")));
            }
        }
        house.close().await;
    }
}

pub(crate) async fn a_wrong_mark_of_failure_is_a_breach(way: Way) {
    let result = json!({"content": [], "isError": "yes"});
    let script = script("modern", json!({"t": {"result": result}}));
    let house = Setup::new(way).server("one", script).open();
    let called = call(&house.registry, "t", json!({})).await.expect("an answer");
    assert!(!called.result.is_error);
    let breaches = house.registry.stray(&id("one"));
    assert!(breaches.iter().any(|line| line.raw().contains("isError")), "{breaches:?}");
    house.close().await;
}

/// Much that is senseless is counted, and what is kept of it leaves room for what else was said.
pub(crate) async fn one_progress_after_another_never_says_that_much(way: Way) {
    const MANY: u64 = 2_000;
    let mut told = vec![json!({"progress": 1, "message": "good"})];
    told.extend((0..MANY).map(|n| json!({"progressToken": "nobody", "progress": n})));
    let script = script("legacy", json!({"t": {"progress": told}}));
    let house = Setup::new(way).server("one", script).open();
    house.registry.settled().await;
    let track = Track::default();
    call(&house.registry.tracked(track.clone()), "t", json!({})).await.expect("an answer");
    assert_eq!(track.state().updates, 1);
    house.until_server("one", |server| server.noise.breaches == MANY).await;
    let kept = house.registry.stray(&id("one")).len();
    assert!((1..100).contains(&kept), "{kept}");
    house.close().await;
}
