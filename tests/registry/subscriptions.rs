//! Watched resources: what is asked for, what is told, and what becomes of it.

use crate::house::{House, Setup, Way, id};
use serde_json::{Value, json};
use vestibule::domain::{FaultKind, Link, Permissions, Subscription, SubscriptionState};

const ERAS: [&str; 2] = ["legacy", "modern"];

fn update(uri: &str) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {
        "uri": uri, "_meta": {"io.modelcontextprotocol/subscriptionId": "STREAM"}}})
}

fn script(era: &str, tells: &[Value]) -> Value {
    json!({
        "era": era, "subscriptions": ["a://1", "a://2", "a://3"], "tells": tells,
        "resources": [{"uri": "a://1", "name": "one"}, {"uri": "a://2", "name": "two"}],
    })
}

/// Waits until the subscriptions of a server are so; gives them.
async fn until(house: &House, ready: impl Fn(&[Subscription]) -> bool) -> Vec<Subscription> {
    house.until_server("one", |server| ready(&server.subscriptions)).await.subscriptions.to_vec()
}

fn is_active(all: &[Subscription], uri: &str) -> bool {
    all.iter().any(|s| s.uri.raw() == uri && s.state == SubscriptionState::Active)
}

/// Watches a resource and sees it shown.
async fn watch(house: &House, uri: &str) {
    house.registry.subscribe(uri, None).await.expect("it agrees");
    until(house, |all| is_active(all, uri)).await;
}

async fn tell(house: &House) {
    house.text("plain:tell", Some("one")).await;
}

/// Waits until the stream that the server knows of names these; another may be open until then.
async fn until_named(house: &House, uris: &[&str]) {
    let named = |m: &Value| m["params"]["notifications"]["resourceSubscriptions"].clone();
    loop {
        // Each look sends a message, so that what was sent before it has arrived by then.
        let listens = house.received("one", "subscriptions/listen").await;
        if listens.last().map(named) == Some(json!(uris)) {
            return;
        }
    }
}

/// The breaches that are logged, once there is one that says this.
async fn logged(house: &House, what: &str) -> Vec<String> {
    let lines = || {
        let stray = house.registry.stray(&id("one"));
        stray.into_iter().map(|line| line.into_raw()).collect::<Vec<_>>()
    };
    house.until_server("one", |_| lines().iter().any(|line| line.contains(what))).await;
    lines()
}

pub(crate) async fn updates_are_counted_and_come_together(way: Way) {
    for era in ERAS {
        let mut tells = vec![update("a://1"); 49];
        tells.push(update("a://1/below"));
        let house = Setup::new(way).server("one", script(era, &tells)).open();
        watch(&house, "a://1").await;
        tell(&house).await;
        let all = until(&house, |all| all[0].updates == 50 && all[0].generation > 0).await;
        assert!(all[0].generation <= 3, "{era}: {all:?}");
        assert_eq!((all.len(), &all[0].state), (1, &SubscriptionState::Active));
        // Asked for once more, it stays the one that it is.
        house.registry.subscribe("one:a://1", None).await.expect("it agrees");
        assert_eq!(until(&house, |all| !all.is_empty()).await.len(), 1);
        let asked = if era == "legacy" { "resources/subscribe" } else { "subscriptions/listen" };
        let asked = house.received("one", asked).await;
        let named = asked.iter().filter(|m| m["params"].to_string().contains("a://1"));
        assert_eq!(named.count(), 1, "{era}");
        house.close().await;
    }
}

pub(crate) async fn what_is_not_watched_is_logged(way: Way) {
    for era in ERAS {
        let nameless = json!({"jsonrpc": "2.0", "method": "notifications/resources/updated"});
        let tells = [update("a://2"), update("a://2"), nameless, update("a://12"), update("a://1")];
        let house = Setup::new(way).server("one", script(era, &tells)).open();
        watch(&house, "a://1").await;
        tell(&house).await;
        let all = until(&house, |all| all[0].generation > 0).await;
        assert_eq!(all[0].updates, 1);
        let lines = logged(&house, "not subscribed").await;
        let has = |what: &str| lines.iter().any(|line| line.contains(what));
        // What comes together is one line; whether it does is the pipe's to say.
        let apart = lines.iter().filter(|line| line.ends_with("not subscribed: a://2")).count();
        assert!(has("not subscribed (2 times): a://2") || apart == 2, "{lines:?}");
        assert!(
            has("not subscribed: a://12") && has("an update that names no resource"),
            "{lines:?}"
        );
        house.close().await;
    }
}

pub(crate) async fn a_stream_takes_its_own_updates_only(way: Way) {
    let mut foreign = update("a://1");
    foreign["params"]["_meta"] = json!({"io.modelcontextprotocol/subscriptionId": 4711});
    let mut bare = update("a://1");
    bare["params"].as_object_mut().expect("params").remove("_meta");
    let tells = [foreign, bare, update("a://1")];
    let house = Setup::new(way).server("one", script("modern", &tells)).open();
    watch(&house, "a://1").await;
    tell(&house).await;
    let all = until(&house, |all| all[0].generation > 0).await;
    assert_eq!(all[0].updates, 1, "its own");
    let lines = logged(&house, "without the id of its subscription").await;
    assert!(
        lines.iter().any(|l| l.contains("under the id of a subscription that nobody has")),
        "{lines:?}"
    );
    // With another resource the stream is opened anew, and that is the one that counts.
    watch(&house, "a://2").await;
    let listens = house.received("one", "subscriptions/listen").await;
    let filter = |n: usize| &listens[n]["params"]["notifications"]["resourceSubscriptions"];
    let last = listens.len() - 1;
    assert_eq!(filter(last), &json!(["a://1", "a://2"]));
    tell(&house).await;
    until(&house, |all| all[0].updates == 2).await;
    house.close().await;
}

pub(crate) async fn a_refusal_is_shown_and_nothing_is_watched(way: Way) {
    for era in ERAS {
        let house = Setup::new(way)
            .server("one", script(era, &[update("bad:uri"), update("a://1")]))
            .open();
        watch(&house, "a://1").await;
        for uri in ["a://other", "bad:uri"] {
            let fault = house.registry.subscribe(uri, Some("one")).await.expect_err("refused");
            assert_eq!(fault.kind, FaultKind::ServerError, "{era}: {fault:?}");
            let refused = |all: &[Subscription]| {
                all.iter().any(|s| {
                    s.uri.raw() == uri && matches!(&s.state, SubscriptionState::Refused(why) if why.what == fault.what)
                })
            };
            until(&house, refused).await;
        }
        // The other one stays watched, or is so again.
        if era == "modern" {
            until_named(&house, &["a://1"]).await;
        }
        until(&house, |all| is_active(all, "a://1")).await;
        // Over HTTP what is asked next may overtake the stream that is opened without the refused.
        let streams = if era == "modern" { 5 } else { 0 };
        while house.received("one", "subscriptions/listen").await.len() < streams {}
        tell(&house).await;
        let all = until(&house, |all| all[0].updates > 0).await;
        assert_eq!(all.iter().map(|s| s.updates).collect::<Vec<_>>(), [1, 0, 0]);
        house.close().await;
    }
}

pub(crate) async fn what_is_not_offered_is_not_asked_for(way: Way) {
    for era in ERAS {
        let mut without = script(era, &[]);
        without.as_object_mut().expect("a script").remove("subscriptions");
        let house = Setup::new(way).server("one", without).open();
        let fault = house.registry.subscribe("a://1", None).await.expect_err("not offered");
        assert_eq!(fault.what, "the server offers no subscriptions to its resources");
        assert_eq!(fault.who, Some(id("one")));
        assert!(house.registry.view().servers[0].subscriptions.is_empty());
        assert!(house.received("one", "resources/subscribe").await.is_empty());
        house.close().await;
    }
    let patterns = Some(vec!["*".to_owned(), "!a://2".to_owned()]);
    let may = Permissions { resources: patterns, ..Permissions::default() };
    let setup = Setup::new(way);
    let house = setup.adjusted("one", script("legacy", &[]), |spec| spec.permissions(may)).open();
    let fault = house.registry.subscribe("a://2", Some("one")).await.expect_err("forbidden");
    assert_eq!(fault.kind, FaultKind::NotFound);
    assert!(house.received("one", "resources/subscribe").await.is_empty());
    house.close().await;
}

pub(crate) async fn after_a_loss_they_are_taken_up_again(way: Way) {
    for era in ERAS {
        let setup = Setup::new(way);
        let mut script = script(era, &[update("a://1")]);
        script["die_on"] = json!("a://end");
        script["marker"] = json!(setup.path("died"));
        let house = setup.server("one", script).open();
        watch(&house, "a://1").await;
        // The read is done again on a new connection.
        let _ = house.read("a://end", Some("one")).await;
        // A modern server over HTTP is asked in no connection: there the stream alone is lost.
        let connects = if (way, era) == (Way::Http, "modern") { 1 } else { 2 };
        let again = |s: &Subscription| s.generation == 1;
        let server = house
            .until_server("one", |s| {
                is_active(&s.subscriptions, "a://1") && again(&s.subscriptions[0])
            })
            .await;
        assert_eq!(server.connects, connects, "it is read again");
        tell(&house).await;
        until(&house, |all| all[0].updates == 1).await;
        house.registry.disconnect(&id("one"));
        let dropped = |all: &[Subscription]| matches!(&all[0].state, SubscriptionState::Dropped(why) if why.what == "disconnected");
        until(&house, dropped).await;
        house.registry.connect(&id("one"));
        let up = house.until_server("one", |s| is_active(&s.subscriptions, "a://1")).await;
        assert!(matches!(up.link, Link::Up(_)));
        house.close().await;
    }
}

pub(crate) async fn a_stream_that_ended_is_opened_again(way: Way) {
    let house = Setup::new(way).server("one", script("modern", &[update("a://1")])).open();
    watch(&house, "a://1").await;
    house.text("plain:end", Some("one")).await;
    let dropped = |all: &[Subscription]| {
        matches!(&all[0].state, SubscriptionState::Dropped(why)
            if why.hint.as_deref() == Some("it is opened again in 1 s"))
    };
    until(&house, dropped).await;
    let all = until(&house, |all| is_active(all, "a://1")).await;
    assert_eq!(all[0].generation, 1);
    tell(&house).await;
    until(&house, |all| all[0].updates == 1).await;
    house.close().await;
}

pub(crate) async fn what_is_let_go_is_not_told_of(way: Way) {
    for era in ERAS {
        let house =
            Setup::new(way).server("one", script(era, &[update("a://1"), update("a://2")])).open();
        watch(&house, "a://1").await;
        watch(&house, "a://2").await;
        house.registry.unsubscribe("a://1", None).await.expect("watched");
        let all = until(&house, |all| all.len() == 1 && is_active(all, "a://2")).await;
        assert_eq!(all[0].uri.raw(), "a://2");
        let fault = house.registry.unsubscribe("a://1", None).await.expect_err("not watched");
        assert_eq!(fault.kind, FaultKind::NotFound);
        if era == "legacy" {
            let asked = house.received("one", "resources/unsubscribe").await;
            assert_eq!(asked.len(), 1);
        } else {
            until_named(&house, &["a://2"]).await;
        }
        tell(&house).await;
        until(&house, |all| all[0].updates == 1).await;
        logged(&house, "not subscribed: a://1").await;
        house.close().await;
    }
}
