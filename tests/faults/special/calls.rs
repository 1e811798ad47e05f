//! What is sent, and how calls find their answers.

use super::{end, open, text};
use crate::{
    expect::Differences,
    trial::{Evidence, FAULTY, child, id},
};
use vestibule::registry::Direction;

/// A read that is dropped is cancelled at the server, under its own id.
pub(super) async fn cancelled_read() -> Result<(), String> {
    let registry = open(child("hang_call", None));
    registry.settled().await;
    let mut differences = Differences::default();
    let evidence = Evidence::of(crate::row::Way::Child);
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

async fn declared(fault: &str) -> Result<(), String> {
    let registry = open(child(fault, None));
    registry.settled().await;
    let report = text(&registry, "mem://report").await?;
    let mut differences = Differences::default();
    differences.require(report.contains("declared {}"), || report.clone());
    // One after the other, so the ids must grow.
    let ids: Vec<i64> = registry
        .traffic(&id())
        .iter()
        .filter(|entry| entry.direction == Direction::Sent)
        .filter_map(|entry| serde_json::from_slice::<serde_json::Value>(&entry.bytes).ok())
        .filter_map(|message| message.get("id").and_then(serde_json::Value::as_i64))
        .collect();
    let grow = ids.windows(2).all(|pair| pair[0] < pair[1]);
    differences.require(grow && ids.len() >= 6, || format!("ids {ids:?}"));
    end(&registry, differences).await
}

/// Nobody attached anything, so nothing is declared.
pub(super) async fn declares_nothing() -> Result<(), String> {
    declared("ok").await
}

/// The same in every request of the modern era.
pub(super) async fn declares_nothing_modern() -> Result<(), String> {
    declared("modern").await
}

/// Answers that come in another order find their requests, and whoever waits for the first keeps
/// nobody else waiting. Reads and prompts can be made by tasks of their own.
pub(super) async fn out_of_order() -> Result<(), String> {
    let registry = open(child("out_of_order", None));
    registry.settled().await;
    let mut differences = Differences::default();
    let first = {
        let registry = registry.clone();
        tokio::spawn(async move { text(&registry, "mem://first").await })
    };
    let arrived = Evidence::of(crate::row::Way::Child).says(&registry, "mem://first").await;
    differences.require(arrived, || "the read never arrived".into());
    let prompt = {
        let registry = registry.clone();
        tokio::spawn(async move { registry.get_prompt("q", &[], Some(FAULTY)).await })
    };
    let prompt = prompt.await.map_err(|e| e.to_string())?;
    differences.require(prompt.is_ok(), || format!("prompt: {prompt:?}"));
    differences.require(!first.is_finished(), || "the first was answered too early".into());
    let second = text(&registry, "mem://second").await;
    differences.require(second.as_deref() == Ok("of mem://second"), || format!("{second:?}"));
    let first = first.await.map_err(|e| e.to_string())?;
    differences.require(first.as_deref() == Ok("of mem://first"), || format!("{first:?}"));
    end(&registry, differences).await
}
