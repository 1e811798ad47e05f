//! Completion: what is asked, of whom, and what is never sent.

use crate::{
    calls::pairs,
    house::{House, Setup, Way},
};
use serde_json::{Value, json};
use vestibule::{
    domain::{Completable, Completion, Fault, FaultKind, Permissions},
    registry::Query,
};

const TEMPLATE: &str = "repo://{owner}{/repo}";

fn script(era: &str) -> Value {
    json!({
        "era": era, "resources": [],
        "templates": [{"uriTemplate": TEMPLATE, "name": "t"}, {"uriTemplate": "a:{b", "name": "x"}],
        "prompts": [{"name": "fork", "arguments": [{"name": "owner", "required": true},
                                                   {"name": "repo"}]}],
        "completion": {"values": ["a", "b\u{1b}[2J", "c"], "total": 250, "hasMore": true},
    })
}

fn prompt<'a>(argument: &'a str, others: &'a [(String, String)]) -> Query<'a> {
    Query { of: Completable::Prompt, address: "fork", argument, value: "", others }
}

fn template<'a>(argument: &'a str, others: &'a [(String, String)]) -> Query<'a> {
    Query { of: Completable::Template, address: TEMPLATE, argument, value: "v", others }
}

async fn refused(house: &House, query: Query<'_>) -> Fault {
    house.registry.complete(query, None).await.expect_err("refused")
}

pub(crate) async fn what_is_proposed_arrives_with_how_much_it_is(way: Way) {
    for era in ["legacy", "modern"] {
        let house = Setup::new(way).server("one", script(era)).open();
        let done = house.registry.complete(prompt("owner", &[]), None).await.expect("proposals");
        assert_eq!(done.server.as_str(), "one");
        let expected = Completion {
            values: ["a", "b\u{1b}[2J", "c"].map(Into::into).to_vec(),
            total: Some(250),
            has_more: true,
            left_out: 0,
        };
        assert_eq!(done.completion, expected);
        house.registry.complete(template("repo", &[]), None).await.expect("proposals");
        let asked = house.received("one", "completion/complete").await;
        let what = |n: usize| (&asked[n]["params"]["ref"], &asked[n]["params"]["argument"]);
        let prompt = (
            &json!({"type": "ref/prompt", "name": "fork"}),
            &json!({"name": "owner", "value": ""}),
        );
        let template = (
            &json!({"type": "ref/resource", "uri": TEMPLATE}),
            &json!({"name": "repo", "value": "v"}),
        );
        assert_eq!((what(0), what(1)), (prompt, template));
        house.close().await;
    }
}

pub(crate) async fn other_values_go_along_where_the_version_knows_them(way: Way) {
    for (era, version, knows) in [
        ("legacy", "2024-11-05", false),
        ("legacy", "2025-03-26", false),
        ("legacy", "2025-06-18", true),
        ("legacy", "2025-11-25", true),
        ("modern", "2026-07-28", true),
    ] {
        let mut script = script(era);
        script["version"] = json!(version);
        let house = Setup::new(way).server("one", script).open();
        let others = pairs(&[("owner", "x y"), ("repo", "itself")]);
        house.registry.complete(prompt("repo", &others), None).await.expect("proposals");
        house.registry.complete(template("repo", &others), None).await.expect("proposals");
        for asked in house.received("one", "completion/complete").await {
            let context = asked["params"].get("context");
            let expected = json!({"arguments": {"owner": "x y"}});
            assert_eq!(context, knows.then_some(&expected), "{version}");
        }
        house.close().await;
    }
}

pub(crate) async fn nothing_is_sent_where_it_cannot_be_answered(way: Way) {
    let mut without = script("modern");
    without.as_object_mut().expect("a script").remove("completion");
    let house = Setup::new(way).server("one", without).open();
    let fault = refused(&house, prompt("owner", &[])).await;
    assert_eq!(
        (fault.kind, fault.what.as_str()),
        (FaultKind::NotFound, "the server offers no completion")
    );
    assert!(house.received("one", "completion/complete").await.is_empty());
    house.close().await;

    let hidden = Permissions { prompts: Some(Vec::new()), ..Permissions::default() };
    let house =
        Setup::new(way).adjusted("one", script("legacy"), |spec| spec.permissions(hidden)).open();
    let broken = Query { address: "a:{b", argument: "b", ..template("repo", &[]) };
    let others = pairs(&[("nothing", "1")]);
    for (query, kind, what) in [
        (prompt("owner", &[]), FaultKind::NotFound, "no prompt is listed"),
        (template("id", &[]), FaultKind::Validation, "the template has no argument `id`"),
        (
            template("repo", &others),
            FaultKind::Validation,
            "the template has no argument `nothing`",
        ),
        (broken, FaultKind::Validation, "a `{` is never closed, at byte 3"),
    ] {
        let fault = refused(&house, query).await;
        assert_eq!(fault.kind, kind, "{fault:?}");
        assert!(fault.what.contains(what), "{fault:?}");
    }
    assert!(house.received("one", "completion/complete").await.is_empty());
    house.close().await;
}

pub(crate) async fn a_dropped_completion_is_cancelled_at_the_server(way: Way) {
    for era in ["legacy", "modern"] {
        let mut script = script(era);
        script["hold"] = json!(["completion/complete"]);
        // Over HTTP a modern server tells its news to who listens, and to nobody else.
        script["subscriptions"] = json!([]);
        let house = Setup::new(way).server("one", script).open();
        house.registry.settled().await;
        {
            let asking = house.registry.complete(prompt("owner", &[]), None);
            let mut asking = std::pin::pin!(asking);
            while house.received("one", "completion/complete").await.is_empty() {
                let polled = std::future::poll_fn(|cx| {
                    std::task::Poll::Ready(asking.as_mut().poll(cx).is_ready())
                });
                assert!(!polled.await, "it is never answered");
            }
        }
        // The server lists what it was told of; nothing else says that it has arrived.
        house.until_server("one", |server| !server.lists.resources.items.is_empty()).await;
        let asked = house.received("one", "completion/complete").await;
        let cancelled = house.received("one", "notifications/cancelled").await;
        assert_eq!(cancelled[0]["params"]["requestId"], asked[0]["id"]);
        house.close().await;
    }
}
