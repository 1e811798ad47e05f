//! Trials whose course is their own.

use crate::{
    expect::{Differences, ReadExpected, stale},
    processes,
    trial::{self, FAULTY, child, id, server, shows},
};
use libtest_mimic::Trial;
use std::time::{Duration, Instant};
use trial::Evidence;
use vestibule::{
    config::Limits,
    domain::{FaultKind, Link, ListingState, ResourceBody, ServerSpec, Transport},
    registry::{Registry, RegistryView},
};

const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) fn trials() -> Vec<Trial> {
    macro_rules! trials {
        ($($name:ident),* $(,)?) => {
            vec![$(Trial::test(concat!("faults::", stringify!($name)), || trial::block_on($name()))),*]
        };
    }
    trials![
        env,
        list_changed,
        changed_echo,
        modern_cache,
        modern_cache_dead,
        cancelled_read,
        disconnected_while_connecting,
        declares_nothing,
        declares_nothing_modern,
        dropped_without_close,
        many_servers,
        not_startable,
    ]
}

fn open(spec: ServerSpec) -> Registry {
    let limits = Limits { connect: PATIENCE, request: PATIENCE, ..Limits::default() };
    Registry::builder().server(spec).limits(limits).open().expect("a registry")
}

/// The text of a read.
async fn text(registry: &Registry, uri: &str) -> Result<String, String> {
    let reading = registry.read_resource(uri, Some(FAULTY)).await.map_err(|f| format!("{f:?}"))?;
    match reading.contents.first().map(|block| &block.body) {
        Some(ResourceBody::Text(text)) => Ok(text.raw().to_owned()),
        other => Err(format!("no text: {other:?}")),
    }
}

/// Closes, and says everything that differed.
async fn end(registry: &Registry, mut differences: Differences) -> Result<(), String> {
    let evidence = Evidence::of_child();
    trial::close(registry, &evidence, &mut differences).await;
    for line in evidence.lines(registry).iter().filter(|line| line.starts_with("VIOLATION")) {
        differences.add(line.clone());
    }
    if differences.0.is_empty() { Ok(()) } else { Err(differences.0.join("\n  ")) }
}

/// Environment and folder arrive, and the entry's values win over the inherited ones.
async fn env() -> Result<(), String> {
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

/// How often a list was asked for, from the server's own count.
fn count(report: &str, method: &str) -> usize {
    let prefix = format!("{method}=");
    let words = report.split_whitespace();
    words.filter_map(|word| word.strip_prefix(&prefix)?.parse::<usize>().ok()).sum()
}

/// A storm of changes costs few calls, and the lists are asked for again.
async fn list_changed() -> Result<(), String> {
    let registry = open(child("list_changed", None));
    registry.settled().await;
    text(&registry, "mem://storm").await?;
    // The storm came before the answer, so the reload begins at once; it shows as Loading.
    shows(&registry, Duration::from_secs(2), |view| !server(view).is_settled()).await;
    registry.settled().await;
    let report = text(&registry, "mem://report").await?;
    let mut differences = Differences::default();
    for method in ["resources/list", "prompts/list", "tools/list"] {
        let asked = count(&report, method);
        differences.require((2..=5).contains(&asked), || format!("{method}: {asked} calls"));
    }
    end(&registry, differences).await
}

/// A server that says after every list that the list changed must not keep anybody busy for
/// ever, nor keep those waiting who wait for the list.
async fn changed_echo() -> Result<(), String> {
    let registry = open(child("changed_echo", None));
    let mut differences = Differences::default();
    for n in 0..5 {
        let settled = tokio::time::timeout(Duration::from_secs(3), registry.settled()).await;
        differences.require(settled.is_ok(), || format!("not settled, wait {n}"));
        tokio::time::sleep(Duration::from_millis(400)).await;
    }
    let listed = |view: &RegistryView| server(view).lists.resources.items.len() == 3;
    differences.require(listed(&registry.view()), || "the list is gone".into());
    let report = text(&registry, "mem://report").await?;
    let asked = count(&report, "resources/list");
    // Two seconds in which nothing really changed.
    differences.require(asked <= 12, || format!("{asked} calls of one list in two seconds"));
    end(&registry, differences).await
}

/// What a server says about how long its answers may be kept is not followed: a reload is one.
async fn modern_cache() -> Result<(), String> {
    let registry = open(child("modern_cache", None));
    let first = |view: &RegistryView| {
        server(view).lists.resources.items.first().map(|r| r.uri.raw().to_owned())
    };
    let mut differences = Differences::default();
    let before = first(&*registry.settled().await);
    differences.require(before.as_deref() == Some("mem://listed-1"), || format!("{before:?}"));
    registry.refresh(&id());
    let again = shows(&registry, PATIENCE, |v| first(v).as_deref() == Some("mem://listed-2")).await;
    differences.require(again, || format!("after the reload: {:?}", first(&registry.view())));
    end(&registry, differences).await
}

/// A list of a server that has died is stale, whatever was said about how long it may be kept.
async fn modern_cache_dead() -> Result<(), String> {
    let registry = open(child("modern_cache", None));
    registry.settled().await;
    registry.refresh(&id());
    shows(&registry, PATIENCE, |v| {
        server(v).lists.resources.items.first().is_some_and(|r| r.uri.raw() == "mem://listed-2")
    })
    .await;
    registry.settled().await;
    // The third time it exits instead of answering.
    registry.refresh(&id());
    shows(&registry, PATIENCE, |v| matches!(server(v).link, Link::Down { .. })).await;
    let mut differences = Differences::default();
    let seen = server(&registry.view());
    differences.require(matches!(seen.link, Link::Down { .. }), || format!("{:?}", seen.link));
    let list = stale(1, FaultKind::Closed, "exit code 0");
    differences.list("resources", &seen.lists.resources, &list);
    end(&registry, differences).await
}

/// A read that is dropped is cancelled at the server, under its own id.
async fn cancelled_read() -> Result<(), String> {
    let registry = open(child("hang_call", None));
    registry.settled().await;
    let mut differences = Differences::default();
    let evidence = Evidence::of_child();
    let reading = {
        let registry = registry.clone();
        tokio::spawn(async move { registry.read_resource("mem://dropped", Some(FAULTY)).await })
    };
    let arrived = evidence.says(&registry, "mem://dropped").await;
    differences.require(arrived, || "the read never arrived".into());
    reading.abort();
    differences.require(evidence.says(&registry, "CANCELLED").await, || "not cancelled".into());
    let lines = evidence.lines(&registry);
    let read = lines.iter().find_map(|line| line.strip_prefix("READ ")?.split(' ').next());
    let cancelled: Vec<_> = lines.iter().filter_map(|l| l.strip_prefix("CANCELLED ")).collect();
    differences.require(cancelled.as_slice() == read.as_slice(), || {
        format!("read {read:?}, cancelled {cancelled:?}")
    });
    // The connection is as good as before.
    differences.require(text(&registry, "mem://report").await.is_ok(), || "no report".into());
    end(&registry, differences).await
}

/// Whoever disconnects need not wait for a handshake that never ends, and nothing of it is left.
async fn disconnected_while_connecting() -> Result<(), String> {
    let registry = open(child("no_init", None));
    let mut differences = Differences::default();
    let evidence = Evidence::of_child();
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

async fn declared(fault: &str) -> Result<(), String> {
    let registry = open(child(fault, None));
    let report = text(&registry, "mem://report").await?;
    let mut differences = Differences::default();
    differences.require(report.contains("declared {}"), || report.clone());
    end(&registry, differences).await
}

/// Nobody attached anything, so nothing is declared.
async fn declares_nothing() -> Result<(), String> {
    declared("ok").await
}

/// The same in every request of the modern era.
async fn declares_nothing_modern() -> Result<(), String> {
    declared("modern").await
}

/// A registry that is dropped, not closed, leaves nothing running either.
async fn dropped_without_close() -> Result<(), String> {
    let registry = open(child("stubborn", None));
    registry.settled().await;
    let lines = Evidence::of_child().lines(&registry);
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
async fn many_servers() -> Result<(), String> {
    let named = |name: &str, fault: &str| {
        let mut spec = child(fault, None);
        spec.id = vestibule::domain::ServerId::sanitized(name);
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
    registry.close().await;
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
async fn not_startable() -> Result<(), String> {
    let mut differences = Differences::default();
    let missing = ServerSpec::stdio(FAULTY, "/nowhere/at/all", ["x"]);
    let mut homeless = child("ok", None);
    if let Transport::Stdio { cwd, .. } = &mut homeless.transport {
        *cwd = Some("/nowhere/at/all".into());
    }
    for (spec, words) in [(missing, "could not be started"), (homeless, "does not exist")] {
        let registry = open(spec);
        let view = registry.settled().await;
        let expected = crate::expect::fault(FaultKind::Unreachable, words);
        differences.link(&server(&view).link, &crate::expect::LinkExpected::Down(expected));
        let listed = &server(&view).lists.resources.state;
        differences
            .require(!matches!(listed, ListingState::Fresh), || format!("listed: {listed:?}"));
        let reading = registry.read_resource("mem://r0", Some(FAULTY)).await;
        let expected = crate::expect::fault(FaultKind::Unreachable, words);
        differences.read("of nothing", &reading, &ReadExpected::Fails(expected));
        registry.close().await;
    }
    if differences.0.is_empty() { Ok(()) } else { Err(differences.0.join("\n  ")) }
}
