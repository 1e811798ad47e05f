//! One case in a process of its own.

use crate::server::{self, PAGE, RESOURCES};
use rustix::time::{ClockId, clock_gettime};
use serde::Deserialize;
use std::hint::black_box;
use vestibule::{
    content::Document,
    domain::{ResourceBody, ServerSpec},
    registry::Registry,
};

/// Runs a case: CPU seconds, and peak memory over payload.
pub(crate) fn case(name: &str) -> String {
    let (cpu, payload) = match name {
        "read" => asynchronous(read()),
        "list" => asynchronous(list()),
        "read-value" => read_value(),
        "list-typed" => list_typed(),
        other => panic!("no case {other}"),
    };
    format!("{cpu} {}", peak_bytes() / payload)
}

fn cpu_seconds() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}

/// The most memory that this process ever held (`VmHWM`).
fn peak_bytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
    let kib: f64 = line.trim().trim_end_matches(" kB").parse().unwrap_or(0.0);
    kib * 1024.0
}

fn asynchronous(work: impl Future<Output = (f64, f64)>) -> (f64, f64) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(work)
}

fn registry(kind: &str) -> Registry {
    let me = std::env::current_exe().expect("a path");
    let spec = ServerSpec::stdio("bulk", me.to_string_lossy(), ["serve", kind]);
    Registry::open(vec![spec]).expect("a registry")
}

async fn read() -> (f64, f64) {
    let registry = registry("read");
    registry.settled().await;
    let began = cpu_seconds();
    let reading = registry.read_resource("text://big", None).await.expect("the text");
    let Some(ResourceBody::Text(text)) = reading.contents.into_iter().next().map(|c| c.body) else {
        panic!("a text");
    };
    let document = Document::new(text);
    let cpu = cpu_seconds() - began;
    assert!(document.line_count() > 900_000);
    let payload = document.len() as f64;
    registry.close().await;
    (cpu, payload)
}

async fn list() -> (f64, f64) {
    let began = cpu_seconds();
    let registry = registry("list");
    let view = registry.settled().await;
    let cpu = cpu_seconds() - began;
    assert_eq!(view.catalogue.resources.len(), RESOURCES);
    registry.close().await;
    (cpu, 1.0)
}

fn read_value() -> (f64, f64) {
    let line = server::answer("7", &server::text_result()).into_bytes();
    let began = cpu_seconds();
    let value: serde_json::Value = serde_json::from_slice(&line).expect("JSON");
    let cpu = cpu_seconds() - began;
    black_box(&value);
    (cpu, line.len() as f64)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code)]
struct Resource {
    uri: String,
    name: String,
    title: Option<String>,
    description: Option<String>,
    mime_type: Option<String>,
    size: Option<u64>,
    annotations: Option<Annotations>,
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Annotations {
    audience: Vec<String>,
    priority: Option<f64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code)]
struct Page {
    resources: Vec<Resource>,
    next_cursor: Option<String>,
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Answer {
    jsonrpc: String,
    id: u64,
    result: Page,
}

fn list_typed() -> (f64, f64) {
    let lines: Vec<Vec<u8>> = (0..RESOURCES)
        .step_by(PAGE)
        .map(|from| server::answer("7", &server::page(from)).into_bytes())
        .collect();
    let began = cpu_seconds();
    let mut all = Vec::new();
    for line in &lines {
        let answer: Answer = serde_json::from_slice(line).expect("a page");
        all.extend(answer.result.resources);
    }
    let cpu = cpu_seconds() - began;
    assert_eq!(black_box(all).len(), RESOURCES);
    (cpu, 1.0)
}
