//! Processes, one by one and many at once.

use super::{end, open, text};
use crate::{
    expect::{Differences, LinkExpected, ReadExpected, fault},
    processes,
    trial::{Evidence, FAULTY, child, id, server, shows},
};
use std::time::{Duration, Instant};
use vestibule::{
    config::Limits,
    domain::{FaultKind, Link, ListingState, ServerId, ServerSpec, Transport},
    registry::Registry,
};

/// Environment and folder arrive, and the entry's values win over the inherited ones.
pub(super) async fn env() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let folder = folder.path().canonicalize().map_err(|e| e.to_string())?;
    let mut spec = child("env", None);
    if let Transport::Stdio { env, cwd, .. } = &mut spec.transport {
        let given = [
            ("FAULTS_GIVEN", "given 'as is' $HOME"),
            ("CARGO_MANIFEST_DIR", "wins"),
            ("FAULTS_EMPTY", ""),
        ];
        env.extend(given.map(|(name, value)| (name.to_owned(), value.into())));
        *cwd = Some(folder.clone());
    }
    let registry = open(spec);
    let mut differences = Differences::default();
    let seen: serde_json::Value =
        serde_json::from_str(&text(&registry, "mem://env").await?).map_err(|e| e.to_string())?;
    let home = std::env::var("HOME").unwrap_or_else(|_| "unset".into());
    for (key, expected) in [
        ("given", "given 'as is' $HOME"),
        ("cargo", "wins"),
        ("empty", ""),
        ("home", home.as_str()),
        ("cwd", folder.to_str().unwrap_or_default()),
    ] {
        differences.require(seen[key] == expected, || format!("{key}: {}", seen[key]));
    }
    end(&registry, differences).await
}

/// Whoever disconnects need not wait for a handshake that never ends, and nothing of it is left.
pub(super) async fn disconnected_while_connecting() -> Result<(), String> {
    let registry = open(child("no_init", None));
    let mut differences = Differences::default();
    let evidence = Evidence::of(crate::row::Way::Child);
    differences.require(evidence.says(&registry, "PID").await, || "never started".into());
    registry.disconnect(&id());
    let idle = shows(&registry, Duration::from_secs(2), |v| matches!(server(v).link, Link::Idle));
    differences.require(idle.await, || "still not idle".into());
    let lines = evidence.lines(&registry);
    let ids = processes::named(lines.iter().map(String::as_str));
    let left = processes::left_of(&ids, Duration::from_secs(2)).await;
    differences.require(left.is_empty(), || format!("left running: {left:?}"));
    end(&registry, differences).await
}

/// A registry that is dropped, not closed, leaves nothing running either.
pub(super) async fn dropped_without_close() -> Result<(), String> {
    let registry = open(child("stubborn", None));
    registry.settled().await;
    // What it wrote to standard error may come later than its answers.
    let evidence = Evidence::of(crate::row::Way::Child);
    if !evidence.says(&registry, "PID").await {
        return Err("it never said its id".into());
    }
    let lines = evidence.lines(&registry);
    let ids = processes::named(lines.iter().map(String::as_str));
    drop(registry);
    let left = processes::left_of(&ids, Duration::from_secs(4)).await;
    if ids.is_empty() || !left.is_empty() {
        return Err(format!("left running: {left:?} of {ids:?}"));
    }
    Ok(())
}

/// Servers that are mute, dead or mad beside good ones: the good ones are listed in the time they
/// need themselves, and closing all takes no longer than closing one.
pub(super) async fn many_servers() -> Result<(), String> {
    let named = |name: &str, fault: &str| {
        let mut spec = child(fault, None);
        spec.id = ServerId::sanitized(name);
        spec
    };
    let faults = ["no_init", "init_error", "exit_on_discover", "stdin_block", "stubborn", "ok"];
    let specs = faults.map(|fault| named(fault, fault));
    let limits = Limits {
        connect: Duration::from_secs(8),
        request: Duration::from_secs(1),
        ..Limits::default()
    };
    let registry =
        Registry::builder().servers(specs).limits(limits).open().map_err(|f| format!("{f:?}"))?;
    let mut differences = Differences::default();
    let began = Instant::now();
    let reading = registry.read_resource("mem://r0", Some("ok")).await;
    differences.read("of the good one", &reading, &ReadExpected::Text("hello"));
    let took = began.elapsed();
    differences.require(took < Duration::from_secs(7), || format!("it waited {took:?}"));
    let began = Instant::now();
    let closed = tokio::time::timeout(Duration::from_secs(12), registry.close()).await;
    differences.require(closed.is_ok(), || "never closed".into());
    let took = began.elapsed();
    differences.require(took < Duration::from_secs(4), || format!("closed in {took:?}"));
    let ids: Vec<u32> = registry
        .view()
        .servers
        .iter()
        .flat_map(|s| registry.stderr(&s.id))
        .flat_map(|line| processes::named([line.raw()]))
        .collect();
    let left = processes::left_of(&ids, Duration::from_secs(1)).await;
    differences.require(ids.len() >= faults.len() && left.is_empty(), || {
        format!("left running: {left:?} of {ids:?}")
    });
    if differences.0.is_empty() { Ok(()) } else { Err(differences.0.join("\n  ")) }
}

/// A program that does not exist, and a folder that does not.
pub(super) async fn not_startable() -> Result<(), String> {
    let mut differences = Differences::default();
    let missing = ServerSpec::stdio(FAULTY, "/nowhere/at/all", ["x"]);
    let mut homeless = child("ok", None);
    if let Transport::Stdio { cwd, .. } = &mut homeless.transport {
        *cwd = Some("/nowhere/at/all".into());
    }
    for (spec, words) in [(missing, "could not be started"), (homeless, "does not exist")] {
        let registry = open(spec);
        let view = registry.settled().await;
        let expected = fault(FaultKind::Unreachable, words);
        differences.link(&server(&view).link, &LinkExpected::Down(expected));
        let listed = &server(&view).lists.resources.state;
        differences
            .require(!matches!(listed, ListingState::Fresh), || format!("listed: {listed:?}"));
        let reading = registry.read_resource("mem://r0", Some(FAULTY)).await;
        let expected = fault(FaultKind::Unreachable, words);
        differences.read("of nothing", &reading, &ReadExpected::Fails(expected));
        registry.close().await;
    }
    if differences.0.is_empty() { Ok(()) } else { Err(differences.0.join("\n  ")) }
}
