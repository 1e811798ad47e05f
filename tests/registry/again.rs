//! What is done a second time, what never is, and coming back.

use crate::{
    house::{House, Setup, Way, id},
    lists::{begun, six_of_everything},
    losses::is_running,
};
use serde_json::json;
use std::{path::Path, time::Duration};
use vestibule::{
    domain::{FaultKind, Link, ListingState},
    registry::ServerView,
};

/// How long one waits for what must not come.
const NOTHING_MORE: Duration = Duration::from_millis(500);

fn is_down(server: &ServerView) -> bool {
    matches!(server.link, Link::Down { .. })
}

fn is_fresh(server: &ServerView) -> bool {
    let lists = &server.lists;
    let states = [&lists.resources.state, &lists.templates.state, &lists.prompts.state];
    states.iter().all(|state| **state == ListingState::Fresh)
        && lists.tools.state == ListingState::Fresh
}

/// How often a method stands in the record of a server.
fn recorded(record: &Path, method: &str) -> usize {
    let lines = std::fs::read_to_string(record).expect("a record");
    let quoted = format!("\"method\":\"{method}\"");
    lines.lines().filter(|line| line.contains(&quoted)).count()
}

/// Sees that a server is not connected once more by itself.
async fn stays(house: &House, connects: u32) {
    let more = house.until_server("one", |server| server.connects > connects);
    assert!(tokio::time::timeout(NOTHING_MORE, more).await.is_err(), "it was connected again");
}

pub(crate) async fn lists_are_fetched_once_more(way: Way) {
    for dies_of in ["resources/list", "tools/list"] {
        let setup = Setup::new(way);
        let mut script = six_of_everything("legacy");
        script["die"] = json!([dies_of]);
        script["marker"] = json!(setup.path("died"));
        let house = setup.server("one", script).open();
        let again = |s: &ServerView| s.connects == 2 && matches!(s.link, Link::Up(_));
        let server = house.until_server("one", |s| again(s) && s.is_settled()).await;
        assert!(is_fresh(&server), "{:?}", server.lists);
        assert_eq!((server.lists.resources.items.len(), server.lists.tools.items.len()), (6, 6));
        stays(&house, 2).await;
        house.close().await;
    }
}

pub(crate) async fn a_server_that_dies_of_its_lists_is_left_alone(way: Way) {
    let setup = Setup::new(way);
    let record = setup.path("record");
    let mut script = six_of_everything("legacy");
    script["die"] = json!(["resources/list"]);
    script["record"] = json!(record);
    let house = setup.server("one", script).open();
    let server = house.until_server("one", |s| is_down(s) && s.connects == 2).await;
    let Link::Down { why } = &server.link else { panic!("{:?}", server.link) };
    assert_eq!(why.kind, FaultKind::Closed);
    stays(&house, 2).await;
    let server = house.until_server("one", is_down).await;
    assert!(matches!(server.lists.resources.state, ListingState::Failed(_)), "no empty list");
    house.registry.close().await;
    assert_eq!((recorded(&record, "initialize"), recorded(&record, "resources/list")), (2, 2));
    house.close().await;
}

pub(crate) async fn a_prompt_is_never_sent_twice(way: Way) {
    for era in ["legacy", "modern"] {
        let setup = Setup::new(way);
        let record = setup.path("record");
        let script = json!({
            "era": era, "prompts": [{"name": "p"}], "die": ["prompts/get"], "record": record,
        });
        let house = setup.server("one", script).open();
        let fault = house.registry.get_prompt("p", &[], None).await.expect_err("it died");
        assert_eq!(fault.kind, FaultKind::Closed, "{fault:?}");
        // A modern server over HTTP has no connection that could be down.
        if (way, era) != (Way::Http, "modern") {
            let server = house.until_server("one", is_down).await;
            assert_eq!(server.connects, 1);
        }
        stays(&house, 1).await;
        house.registry.close().await;
        assert_eq!(recorded(&record, "prompts/get"), 1);
        house.close().await;
    }
}

pub(crate) async fn down_comes_up_when_told(way: Way) {
    let setup = Setup::new(way);
    let needed = setup.path("needed");
    let mut script = six_of_everything("legacy");
    script["needs"] = json!(needed);
    let house = setup.server("one", script).open();
    let server = house.until_server("one", is_down).await;
    assert_eq!((server.connects, server.lists.resources.items.len()), (0, 0));
    std::fs::write(&needed, "").expect("written");
    house.registry.connect(&id("one"));
    let up = |s: &ServerView| matches!(s.link, Link::Up(_)) && s.is_settled();
    let server = house.until_server("one", up).await;
    assert!(is_fresh(&server) && server.connects == 1, "{:?}", server.lists);
    assert_eq!(house.registry.list_resources().await.len(), 6);
    house.close().await;
}

pub(crate) async fn switched_off_starts_nothing(way: Way) {
    let setup = Setup::new(way);
    let record = setup.path("record");
    let mut script = six_of_everything("legacy");
    script["record"] = json!(record);
    let house = setup
        .adjusted("one", script, |mut spec| {
            spec.enabled = false;
            spec
        })
        .server("other", six_of_everything("legacy"))
        .open();
    let view = house.registry.settled().await;
    assert!(matches!(view.servers[1].link, Link::Up(_)), "the other was started meanwhile");
    assert_eq!((&view.servers[0].link, view.servers[0].connects), (&Link::Idle, 0));
    // Not even somebody who reads from it starts it.
    let fault = house.read("plain:log", Some("one")).await.expect_err("switched off");
    assert_eq!(fault.kind, FaultKind::Unreachable);
    assert!(!record.exists(), "it was started");
    house.registry.connect(&id("one"));
    let up = |s: &ServerView| matches!(s.link, Link::Up(_)) && s.is_settled();
    assert!(is_fresh(&*house.until_server("one", up).await));
    assert!(record.exists());
    house.close().await;
}

pub(crate) async fn rounds_leave_no_process(way: Way) {
    let mut house = Setup::new(way).server("one", json!({"resources": []})).open();
    let mut children = Vec::new();
    for round in 1..=20 {
        let connected = |s: &ServerView| s.connects == round && s.is_settled();
        house.until_server("one", connected).await;
        children.push(house.text("plain:pid", Some("one")).await.parse::<i32>().expect("an id"));
        house.registry.disconnect(&id("one"));
        house.until_server("one", |s| s.link == Link::Idle).await;
        if way == Way::Stdio {
            assert!(!is_running(children[children.len() - 1]), "round {round}: idle, and it runs");
        }
        house.registry.connect(&id("one"));
    }
    house.until_server("one", |s| s.connects == 21 && s.is_settled()).await;
    house.registry.disconnect(&id("one"));
    house.until_server("one", |s| s.link == Link::Idle).await;
    house.all_ended().await;
    if way == Way::Stdio {
        children.sort_unstable();
        children.dedup();
        assert_eq!(children.len(), 20, "each round has its own process");
    }
    house.close().await;
}

pub(crate) async fn a_server_that_was_lost_comes_back_by_itself(way: Way) {
    let mut script = six_of_everything("legacy");
    script["hold"] = json!(["plain:held"]);
    script["die_cancelled"] = json!(true);
    let house = Setup::new(way).reconnecting().server("one", script).open();
    house.registry.settled().await;
    drop(begun(&house, "plain:held").await);
    let down = house.until_server("one", is_down).await;
    let again = down.again.expect("it is planned");
    assert_eq!((again.attempt, again.pause), (1, Duration::from_secs(1)));
    assert!(down.lists.resources.is_stale());
    let back = |s: &ServerView| s.connects == 2 && s.is_settled() && is_fresh(s);
    assert_eq!(house.until_server("one", back).await.again, None);
    // Once more, and this time the user wants none of it.
    drop(begun(&house, "plain:held").await);
    let down = house.until_server("one", |s| is_down(s) && s.again.is_some()).await;
    assert_eq!(down.again.map(|again| again.attempt), Some(2));
    house.registry.disconnect(&id("one"));
    let idle = house.until_server("one", |s| matches!(s.link, Link::Idle)).await;
    assert_eq!(idle.again, None);
    stays(&house, 2).await;
    house.close().await;
}

pub(crate) async fn a_restart_is_a_fresh_connection(way: Way) {
    let house = Setup::new(way).server("one", six_of_everything("legacy")).open();
    house.registry.settled().await;
    house.registry.restart(&id("one"));
    let server = house.until_server("one", |s| s.connects == 2 && s.is_settled()).await;
    assert!(is_fresh(&server));
    house.close().await;
}
