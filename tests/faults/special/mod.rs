//! Trials whose course is their own.

mod calls;
mod lists;
mod processes;

use crate::{
    expect::Differences,
    trial::{self, Evidence, FAULTY},
    wire::Wire,
};
use libtest_mimic::Trial;
use std::time::Duration;
use vestibule::{
    config::Limits,
    domain::{ResourceBody, ServerSpec},
    registry::Registry,
};

const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) fn trials() -> Vec<Trial> {
    macro_rules! trials {
        ($($module:ident::$name:ident),* $(,)?) => {
            vec![$(Trial::test(concat!("faults::", stringify!($name)), || trial::block_on($module::$name()))),*]
        };
    }
    trials![
        processes::env,
        processes::disconnected_while_connecting,
        processes::dropped_without_close,
        processes::many_servers,
        processes::not_startable,
        lists::list_changed,
        lists::modern_changed,
        lists::changed_echo,
        lists::modern_cache,
        lists::modern_cache_dead,
        calls::cancelled_read,
        calls::declares_nothing,
        calls::declares_nothing_modern,
        calls::out_of_order,
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
    let evidence = Evidence::of(crate::row::Way::Child);
    trial::close(registry, &evidence, &mut differences).await;
    trial::sent(registry, &Wire::new(), &mut differences);
    for line in evidence.lines(registry).iter().filter(|line| line.starts_with("VIOLATION")) {
        differences.add(line.clone());
    }
    if differences.0.is_empty() { Ok(()) } else { Err(differences.0.join("\n  ")) }
}

/// How often a list was asked for, from the server's own count.
fn count(report: &str, method: &str) -> usize {
    let prefix = format!("{method}=");
    let words = report.split_whitespace();
    words.filter_map(|word| word.strip_prefix(&prefix)?.parse::<usize>().ok()).sum()
}
