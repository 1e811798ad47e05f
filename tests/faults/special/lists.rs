//! Lists that are asked for again.

use super::{PATIENCE, count, end, open, text};
use crate::{
    expect::Differences,
    trial::{child, id, server, shows},
};
use std::time::Duration;
use vestibule::registry::RegistryView;

/// A storm of changes costs few calls, and the lists are asked for again.
pub(super) async fn list_changed() -> Result<(), String> {
    storm("list_changed").await
}

/// The same in the era in which news comes on a stream that was asked for.
pub(super) async fn modern_changed() -> Result<(), String> {
    storm("modern_changed").await
}

async fn storm(fault: &str) -> Result<(), String> {
    let registry = open(child(fault, None));
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
pub(super) async fn changed_echo() -> Result<(), String> {
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
pub(super) async fn modern_cache() -> Result<(), String> {
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

/// A list of a server that has died is fetched from a fresh one, whatever was said about how long
/// it may be kept.
pub(super) async fn modern_cache_dead() -> Result<(), String> {
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
    shows(&registry, PATIENCE, |v| server(v).connects == 2 && v.is_settled()).await;
    let mut differences = Differences::default();
    let seen = server(&registry.view());
    differences.require(seen.connects == 2, || format!("{} connections", seen.connects));
    let first = seen.lists.resources.items.first().map(|r| r.uri.raw().to_owned());
    differences.require(first.as_deref() == Some("mem://listed-1"), || format!("{first:?}"));
    end(&registry, differences).await
}
