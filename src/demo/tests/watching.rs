//! Resources that change while they are watched, and what is proposed for arguments.

use super::*;
use crate::demo::{collection::Body, live::EVERY};
use std::time::Duration;

const NOTICES: &str = "library://notices/today";
const CONDITIONS: &str = "observatory://conditions/now.json";

/// Longer than several changes take.
const LONG: Duration = Duration::from_secs(EVERY.as_secs() * 5);

impl Client {
    /// The next line that is no answer.
    async fn told(&mut self) -> Value {
        let line = self.lines.next_line().await.unwrap().expect("a notification");
        serde_json::from_str(&line).unwrap()
    }

    /// Sees that nothing more is told, however long one waits.
    async fn hears_nothing(&mut self) {
        let line = tokio::time::timeout(LONG, self.lines.next_line()).await;
        assert!(line.is_err(), "{line:?}");
    }

    async fn proposed(&mut self, of: Value, name: &str, value: &str, others: Value) -> Value {
        let argument = json!({"name": name, "value": value});
        let params = json!({"ref": of, "argument": argument, "context": {"arguments": others}});
        self.result("completion/complete", params).await["completion"].take()
    }
}

#[test]
fn what_changes_keeps_its_length_and_begins_as_it_is_stored() {
    let rows = [&library::COLLECTION, &observatory::COLLECTION].map(|c| c.resources);
    let live = rows.into_iter().flatten().filter_map(|row| match row.body {
        Body::Live { first, after } => Some((first, after)),
        Body::Text(_) | Body::Bytes(_) | Body::Made { .. } => None,
    });
    let mut seen = 0;
    for (first, after) in live {
        assert_eq!(after(0), first);
        for changes in 1..1000 {
            assert_eq!(after(changes).len(), first.len());
            assert_ne!(after(changes), after(changes - 1));
        }
        seen += 1;
    }
    assert_eq!(seen, 2);
}

#[tokio::test(start_paused = true)]
async fn the_library_tells_of_a_watched_resource_until_it_is_let_go() {
    let mut client = Client::library().await;
    client.hears_nothing().await;
    let uri = json!({"uri": NOTICES});
    client.result("resources/subscribe", uri.clone()).await;
    for _ in 0..3 {
        let told = client.told().await;
        assert_eq!(told["method"], "notifications/resources/updated");
        assert_eq!(told["params"]["uri"], NOTICES);
    }
    client.result("resources/unsubscribe", uri).await;
    client.hears_nothing().await;
    // One that never changes may be watched, and one that is not listed may not.
    client.result("resources/subscribe", json!({"uri": "library://about"})).await;
    client.hears_nothing().await;
    assert_eq!(
        client.error_code("resources/subscribe", json!({"uri": "library://x"})).await,
        -32002
    );
}

#[tokio::test(start_paused = true)]
async fn the_observatory_says_what_it_watches_and_tells_of_it() {
    let mut client = Client::observatory();
    let filter = json!({"resourceSubscriptions": [CONDITIONS, "observatory://no/such"],
                        "toolsListChanged": true});
    let mut params = json!({"notifications": filter});
    params["_meta"] = modern_meta();
    client
        .write(&json!({"jsonrpc": "2.0", "id": 77, "method": "subscriptions/listen", "params": params}))
        .await;
    let granted = client.told().await;
    assert_eq!(granted["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(granted["params"]["notifications"], json!({"resourceSubscriptions": [CONDITIONS]}));
    for _ in 0..3 {
        let told = client.told().await;
        assert_eq!(told["params"]["uri"], CONDITIONS);
        assert_eq!(told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 77);
    }
    let cancelled = json!({"requestId": 77, "_meta": modern_meta()});
    client
        .write(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled}))
        .await;
    client.hears_nothing().await;
}

#[tokio::test]
async fn values_are_proposed_and_depend_on_what_else_is_filled_in() {
    let prompt = |name: &str| json!({"type": "ref/prompt", "name": name});
    let mut library = Client::library().await;
    let moods = library.proposed(prompt("recommend_book"), "mood", "RE", json!({})).await;
    assert_eq!(moods, json!({"values": ["restless", "rested"], "total": 2, "hasMore": false}));
    for (others, expected) in [
        (json!({}), json!(["12", "40", "90", "200", "350", "500", "800"])),
        (json!({"mood": "restless"}), json!(["40", "90"])),
        (json!({"mood": "unheard of"}), json!([])),
    ] {
        let pages = library.proposed(prompt("recommend_book"), "pages", "", others).await;
        assert_eq!(pages["values"], expected);
    }
    let none = json!({"ref": prompt("recommend_book"), "argument": {"name": "x", "value": ""}});
    assert_eq!(library.error_code("completion/complete", none).await, -32602);

    let template = json!({"type": "ref/resource", "uri": "observatory://readings/{station}/{day}"});
    let mut observatory = Client::observatory();
    let days = observatory.proposed(template.clone(), "day", "", json!({})).await;
    assert_eq!((&days["total"], &days["hasMore"]), (&json!(30), &json!(true)));
    assert_eq!(days["values"].as_array().unwrap().len(), 10);
    let summit = json!({"station": "summit"});
    let days = observatory.proposed(template, "day", "2026-06-0", summit).await;
    assert_eq!(days["values"], json!(["2026-06-01", "2026-06-06"]));
    for day in days["values"].as_array().unwrap() {
        observatory.read(&format!("observatory://readings/summit/{}", day.as_str().unwrap())).await;
    }
}
