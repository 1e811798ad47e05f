//! What an address means.

use crate::house::{House, Setup, Way};
use serde_json::{Value, json};
use vestibule::{
    domain::{Fault, FaultKind, Permissions},
    registry::Hidden,
};

/// A server that lists these URIs, each with a text that names the server, and these prompts.
fn lists(name: &str, uris: &[&str], prompts: &[&str]) -> Value {
    let mut script = json!({"resources": [], "prompts": [], "contents": {}});
    script["resources"] = uris.iter().map(|uri| json!({"uri": uri, "name": "r"})).collect();
    script["prompts"] = prompts.iter().map(|name| json!({"name": name})).collect();
    for uri in uris {
        script["contents"][*uri] = json!([{"uri": uri, "text": format!("{name} has {uri}")}]);
    }
    // Read, and not listed.
    script["contents"]["x:unlisted"] =
        json!([{"uri": "x:unlisted", "text": format!("{name} hides")}]);
    script
}

fn two(way: Way) -> House {
    Setup::new(way)
        .server("alpha", lists("alpha", &["a:1", "x:shared"], &["mine", "greet"]))
        .server("my notes.v2", lists("my notes.v2", &["b:1", "x:shared"], &["greet"]))
        .open()
}

async fn refused(house: &House, address: &str, server: Option<&str>) -> Fault {
    house.read(address, server).await.expect_err("refused")
}

pub(crate) async fn bare_where_one_server_lists_it(way: Way) {
    let house = two(way);
    assert_eq!(house.text("a:1", None).await, "alpha has a:1");
    assert_eq!(house.text("b:1", None).await, "my notes.v2 has b:1");
    let rendered = house.registry.get_prompt("mine", &[], None).await.expect("a prompt");
    assert_eq!(rendered.server.as_str(), "alpha");
    let shown: Vec<_> =
        house.registry.list_resources().await.iter().map(|r| r.uri.raw().to_owned()).collect();
    assert_eq!(shown, ["a:1", "alpha:x:shared", "b:1", "my notes.v2:x:shared"]);
    house.close().await;
}

pub(crate) async fn qualified_always(way: Way) {
    let house = two(way);
    assert_eq!(house.text("alpha:a:1", None).await, "alpha has a:1");
    assert_eq!(house.text("alpha:x:shared", None).await, "alpha has x:shared");
    assert_eq!(house.text("my notes.v2:x:shared", None).await, "my notes.v2 has x:shared");
    for (name, server) in [("alpha.greet", "alpha"), ("my notes.v2.greet", "my notes.v2")] {
        let rendered = house.registry.get_prompt(name, &[], None).await.expect("a prompt");
        assert_eq!((rendered.server.as_str(), rendered.name.raw()), (server, "greet"));
    }
    house.close().await;
}

pub(crate) async fn the_named_server_alone_is_asked(way: Way) {
    let house = two(way);
    assert_eq!(house.text("x:shared", Some("my notes.v2")).await, "my notes.v2 has x:shared");
    // A qualified form stays one beside the server's name.
    assert_eq!(house.text("alpha:a:1", Some("alpha")).await, "alpha has a:1");
    let fault = refused(&house, "a:1", Some("my notes.v2")).await;
    assert_eq!(fault.kind, FaultKind::ServerError, "{fault:?}");
    let fault = refused(&house, "a:1", Some("beta")).await;
    assert_eq!(fault.kind, FaultKind::NotFound);
    assert!(fault.hint.expect("a hint").contains("alpha, my notes.v2"));
    house.close().await;
}

pub(crate) async fn two_owners_are_told_with_their_qualified_forms(way: Way) {
    let house = two(way);
    let fault = refused(&house, "x:shared", None).await;
    let forms = |fault: &Fault| fault.cause.iter().map(|c| c.raw().to_owned()).collect::<Vec<_>>();
    assert_eq!(fault.kind, FaultKind::Ambiguous);
    assert_eq!(forms(&fault), ["alpha:x:shared", "my notes.v2:x:shared"]);
    let fault = house.registry.get_prompt("greet", &[], None).await.expect_err("refused");
    assert_eq!(fault.kind, FaultKind::Ambiguous);
    assert_eq!(forms(&fault), ["alpha.greet", "my notes.v2.greet"]);
    house.close().await;
}

pub(crate) async fn a_server_named_like_a_scheme_swallows_nothing(way: Way) {
    let house = Setup::new(way)
        .server("file", lists("file", &["note:1"], &[]))
        .server("docs", lists("docs", &["file:///etc/motd", "file:note:1"], &[]))
        .open();
    assert_eq!(house.text("file:///etc/motd", None).await, "docs has file:///etc/motd");
    // What a server really lists comes before what a name in front could mean.
    assert_eq!(house.text("file:note:1", None).await, "docs has file:note:1");
    assert_eq!(house.text("file:note:1", Some("file")).await, "file has note:1");
    assert_eq!(refused(&house, "file:///etc/other", None).await.kind, FaultKind::NotFound);
    house.close().await;
}

pub(crate) async fn the_longest_server_name_is_tried_first(way: Way) {
    let house = Setup::new(way)
        .server("a", lists("a", &[], &["b.greet", "other"]))
        .server("a.b", lists("a.b", &[], &["greet"]))
        .open();
    let owner = async |name: &str| {
        let rendered = house.registry.get_prompt(name, &[], None).await;
        rendered.map(|r| (r.server.to_string(), r.name.into_raw())).map_err(|fault| fault.kind)
    };
    assert_eq!(owner("a.b.greet").await, Ok(("a.b".into(), "greet".into())));
    assert_eq!(owner("a.b.b.greet").await, Err(FaultKind::NotFound));
    assert_eq!(owner("b.greet").await, Ok(("a".into(), "b.greet".into())));
    // The longer name lists no such prompt, so the shorter one is meant.
    assert_eq!(owner("a.other").await, Ok(("a".into(), "other".into())));
    house.close().await;
}

pub(crate) async fn what_was_never_listed_needs_a_named_server(way: Way) {
    let house = two(way);
    assert_eq!(refused(&house, "x:unlisted", None).await.kind, FaultKind::NotFound);
    assert_eq!(refused(&house, "alpha:x:unlisted", None).await.kind, FaultKind::NotFound);
    assert_eq!(house.text("x:unlisted", Some("alpha")).await, "alpha hides");
    house.close().await;
}

pub(crate) async fn one_server_alone_is_asked_for_what_it_never_listed(way: Way) {
    let house = Setup::new(way).server("alpha", lists("alpha", &["a:1"], &[])).open();
    assert_eq!(house.text("x:unlisted", None).await, "alpha hides");
    assert_eq!(house.text("alpha:x:unlisted", None).await, "alpha hides");
    house.close().await;
}

pub(crate) async fn forbidden_looks_like_unknown(way: Way) {
    let patterns = |list: &[&str]| Some(list.iter().map(|p| (*p).to_owned()).collect());
    let permissions = Permissions {
        resources: patterns(&["*", "!x:*", "!secret:*"]),
        prompts: patterns(&["gr*"]),
        tools: patterns(&[]),
        ..Permissions::default()
    };
    let script = lists("alpha", &["a:1", "secret:1"], &["greet", "other"]);
    let house = Setup::new(way)
        .adjusted("alpha", script, |spec| spec.permissions(permissions))
        .server("beta", lists("beta", &["b:1"], &[]))
        .open();
    let view = house.registry.settled().await;
    let shown: Vec<_> = house.registry.list_resources().await;
    assert_eq!(shown.iter().map(|r| r.uri.raw()).collect::<Vec<_>>(), ["a:1", "b:1"]);
    assert_eq!(house.registry.list_prompts().await.len(), 1);
    let hidden = Hidden { resources: 1, prompts: 1, ..Hidden::default() };
    assert_eq!(view.servers[0].lists.hidden, hidden);
    // The same but for what was asked for.
    let but_for = |mut fault: Fault, address: &str| {
        assert_eq!(fault.cause, [address.into()]);
        fault.cause.clear();
        fault
    };
    let unknown = but_for(refused(&house, "nobody:has-this", None).await, "nobody:has-this");
    for (address, server) in [
        ("secret:1", None),
        ("alpha:secret:1", None),
        ("secret:1", Some("alpha")),
        ("alpha:secret:1", Some("alpha")),
        ("x:unlisted", Some("alpha")),
    ] {
        let fault = refused(&house, address, server).await;
        assert_eq!(but_for(fault, address), unknown, "{address} {server:?}");
    }
    let registry = &house.registry;
    let unknown = registry.get_prompt("no such", &[], None).await.expect_err("refused");
    let forbidden = registry.get_prompt("other", &[], Some("alpha")).await.expect_err("refused");
    assert_eq!(but_for(forbidden, "other"), but_for(unknown, "no such"));
    // Nothing of it reached the server.
    let reads = house.registry.traffic(&crate::house::id("alpha"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let sent = reads.iter().filter(|e| e.direction == vestibule::registry::Direction::Sent);
    assert!(sent.map(|e| text(&e.bytes)).all(|line| !line.contains("secret")));
    house.close().await;
}
