//! Servers that end, never answer, or were never there.

use crate::{
    house::{House, Setup, Way, id},
    lists::{begun, six_of_everything},
};
use serde_json::json;
use std::time::Duration;
use vestibule::domain::{FaultKind, Link};

#[cfg(unix)]
pub(crate) fn is_running(child: i32) -> bool {
    let child = rustix::process::Pid::from_raw(child).expect("an id");
    rustix::process::test_kill_process(child).is_ok()
}

#[cfg(not(unix))]
pub(crate) fn is_running(_: i32) -> bool {
    false
}

fn down(house: &House, name: &str) -> FaultKind {
    let view = house.registry.view();
    match &view.server(&id(name)).expect("a server").link {
        Link::Down { why } => why.kind,
        other => panic!("{name} is {other:?}"),
    }
}

pub(crate) async fn a_read_survives_the_end_of_its_server_once(way: Way) {
    let setup = Setup::new(way);
    let marker = setup.path("died").display().to_string();
    let script = json!({
        "resources": [{"uri": "c:1", "name": "r"}],
        "contents": {"c:1": [{"uri": "c:1", "text": "alive"}]},
        "die_on": "c:1",
        "marker": marker,
    });
    let house = setup.server("one", script).open();
    assert_eq!(house.text("c:1", None).await, "alive");
    house.until_server("one", |s| s.is_settled() && s.connects == 2).await;
    assert_eq!(house.received("one", "resources/read").await.len(), 2, "the read, and the log");
    house.close().await;
}

pub(crate) async fn a_server_that_ended_leaves_stale_rows(way: Way) {
    let mut script = six_of_everything("legacy");
    script["hold"] = json!(["plain:held"]);
    script["die_cancelled"] = json!(true);
    let house = Setup::new(way).server("one", script).open();
    house.registry.settled().await;
    // Nobody waits for the server when it ends, so nobody connects it again.
    drop(begun(&house, "plain:held").await);
    let server = house.until_server("one", |s| matches!(s.link, Link::Down { .. })).await;
    assert_eq!(down(&house, "one"), FaultKind::Closed);
    let lists = &server.lists;
    assert!(lists.resources.is_stale() && lists.prompts.is_stale() && lists.tools.is_stale());
    assert_eq!((lists.resources.items.len(), lists.tools.items.len()), (6, 6));
    // Whoever reads then connects it again, and the lists are fresh.
    assert!(house.text("plain:log", Some("one")).await.contains("initialize"));
    let server = house.until_server("one", |s| s.is_settled() && s.connects == 2).await;
    assert!(!server.lists.resources.is_stale());
    house.close().await;
}

pub(crate) async fn bad_servers_take_nothing_from_good_ones(way: Way) {
    let never = Duration::from_secs(3600);
    let house = Setup::new(way)
        .dead("dead")
        .adjusted("mute", json!({"mute": true}), |spec| spec.connect_timeout(never))
        .missing("missing")
        .server("good", six_of_everything("modern"))
        .open();
    let settled = |view: &vestibule::registry::RegistryView| {
        view.servers.iter().all(|s| s.id.as_str() == "mute" || s.is_settled())
    };
    let view = house.until(settled).await;
    assert_eq!(view.servers[1].link, Link::Connecting, "nobody waited for the mute one");
    assert_eq!(view.catalogue.resources.len(), 6);
    assert!(house.text("plain:log", Some("good")).await.contains("tools/list"));
    assert_eq!(down(&house, "missing"), FaultKind::Unreachable);
    assert_eq!(down(&house, "dead"), FaultKind::Unreachable);
    // Closing does not wait for the mute one either.
    house.close().await;

    let little = Duration::from_millis(300);
    let house = Setup::new(way)
        .adjusted("mute", json!({"mute": true}), |spec| spec.connect_timeout(little))
        .server("good", six_of_everything("legacy"))
        .open();
    assert_eq!(house.registry.list_tools().await.len(), 6);
    assert_eq!(down(&house, "mute"), FaultKind::Timeout);
    house.close().await;
}

pub(crate) async fn disconnecting_ends_a_server_that_never_answered(way: Way) {
    let setup = Setup::new(way);
    let record = setup.path("record");
    let script = json!({"mute": true, "record": record});
    let mut house = setup.server("mute", script).open();
    // Its first line has reached it; it is running.
    while !record.exists() {
        tokio::task::yield_now().await;
    }
    house.registry.disconnect(&id("mute"));
    house.until_server("mute", |server| server.link == Link::Idle).await;
    match way {
        Way::InProcess | Way::Http => house.all_ended().await,
        Way::Stdio => {
            let child = std::fs::read_to_string(record.with_extension("pid")).expect("an id");
            let child = child.parse().expect("a number");
            // The registry stays open: the end is the disconnecting's own.
            while is_running(child) {
                tokio::task::yield_now().await;
            }
        }
    }
    house.close().await;
}

pub(crate) async fn many_reads_share_one_new_connection(way: Way) {
    let setup = Setup::new(way);
    let marker = setup.path("died").display().to_string();
    let script = json!({
        "resources": [],
        "contents": {"c:1": [{"uri": "c:1", "text": "one"}], "c:2": [{"uri": "c:2", "text": "two"}]},
        "die_on": "c:1",
        "marker": marker,
    });
    let house = setup.server("one", script).open();
    house.registry.settled().await;
    let reads = (0..20).map(|n| house.text(if n % 2 == 0 { "c:1" } else { "c:2" }, None));
    let texts = futures_util::future::join_all(reads).await;
    assert!(texts.chunks(2).all(|pair| pair == ["one", "two"]), "{texts:?}");
    house.until_server("one", |s| s.is_settled() && s.connects == 2).await;
    house.close().await;
}

pub(crate) async fn disconnected_rows_stay_and_come_back(way: Way) {
    let house = Setup::new(way).server("one", six_of_everything("legacy")).open();
    house.registry.settled().await;
    house.registry.disconnect(&id("one"));
    let server = house.until_server("one", |s| s.link == Link::Idle).await;
    let lists = &server.lists;
    assert!(lists.resources.is_stale() && lists.tools.is_stale());
    assert_eq!((lists.resources.items.len(), lists.tools.items.len()), (6, 6));
    let fault = house.read("plain:log", Some("one")).await.expect_err("disconnected");
    assert_eq!(fault.kind, FaultKind::Unreachable);
    house.registry.connect(&id("one"));
    let server = house.until_server("one", |s| s.connects == 2 && s.is_settled()).await;
    assert!(!server.lists.resources.is_stale());
    assert_eq!(server.lists.resources.items.len(), 6);
    house.close().await;
}

pub(crate) async fn closing_leaves_nothing_running(way: Way) {
    let house = Setup::new(way)
        .server("one", six_of_everything("legacy"))
        .server("two", six_of_everything("modern"))
        .open();
    let mut children = Vec::new();
    for server in ["one", "two"] {
        children.push(house.text("plain:pid", Some(server)).await.parse::<i32>().expect("an id"));
    }
    let registry = house.registry.clone();
    house.close().await;
    if way == Way::Stdio {
        assert_ne!(children[0], children[1]);
        assert!(!children.iter().any(|child| is_running(*child)), "{children:?}");
    }
    // What comes later is refused, not waited for.
    let fault = registry.read_resource("plain:log", Some("one")).await.expect_err("closed");
    assert!(matches!(fault.kind, FaultKind::Closed | FaultKind::Unreachable), "{fault:?}");
}
