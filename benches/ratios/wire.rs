//! Reading and listing: from a server's bytes to values.

use crate::{
    figure::Figure,
    http::Served,
    measure::{cpu_seconds, medians},
    server::{self, PAGE, RESOURCES},
};
use base64::engine::{Engine as _, general_purpose::STANDARD};
use serde::Deserialize;
use std::hint::black_box;
use vestibule::{
    content::Document,
    domain::{HttpKind, ResourceBody, ServerId, ServerSpec, Transport},
    registry::Registry,
};

/// The ways to the server; `case` names go with them.
#[derive(Clone, Copy)]
pub(crate) enum Way {
    Stdio,
    /// HTTP with answers in one piece.
    Json,
    /// HTTP with answers in streams.
    Events,
}

pub(crate) fn text() -> Vec<Figure> {
    read("text")
}

pub(crate) fn text_json() -> Vec<Figure> {
    read("text-json")
}

pub(crate) fn text_events() -> Vec<Figure> {
    read("text-events")
}

/// Ratios of CPU time, and of peak memory to the payload.
fn read(case: &str) -> Vec<Figure> {
    let (ours, baseline) = (medians(case), medians("text-value"));
    let payload = ours[2];
    let mebibytes = |bytes: f64| bytes / f64::from(1 << 20);
    vec![
        Figure::ratio("CPU", ours[0], baseline[0], 2.0),
        Figure {
            kind: "memory",
            value: ours[1] / payload,
            most: 3.0,
            made_of: format!("{:.0} MiB / {:.0} MiB", mebibytes(ours[1]), mebibytes(payload)),
        },
    ]
}

pub(crate) fn blob() -> Vec<Figure> {
    let (ours, baseline) = (medians("blob"), medians("blob-decode"));
    vec![Figure::ratio("CPU", ours[0], baseline[0], 2.0)]
}

pub(crate) fn list() -> Vec<Figure> {
    listed("list")
}

pub(crate) fn list_json() -> Vec<Figure> {
    listed("list-json")
}

pub(crate) fn list_events() -> Vec<Figure> {
    listed("list-events")
}

fn listed(case: &str) -> Vec<Figure> {
    let (ours, baseline) = (medians(case), medians("list-typed"));
    vec![Figure::ratio("CPU", ours[0], baseline[0], 1.5)]
}

/// The server, if it is no child of the registry, and the way to it.
fn served(way: Way, kind: &str) -> (Option<Served>, ServerSpec) {
    let served = match way {
        Way::Stdio => {
            let me = std::env::current_exe().expect("a path");
            return (None, ServerSpec::stdio("bulk", me.to_string_lossy(), ["serve", kind]));
        }
        Way::Json => Served::start("json", kind),
        Way::Events => Served::start("events", kind),
    };
    let id = ServerId::new("bulk").expect("a name");
    let (url, kind) = (served.url.clone(), HttpKind::Streamable);
    let spec = ServerSpec::new(id, Transport::Http { url, headers: Vec::new(), kind });
    (Some(served), spec)
}

pub(crate) async fn read_text(way: Way) -> Vec<f64> {
    let (_served, spec) = served(way, "text");
    let registry = Registry::open(vec![spec]).expect("a registry");
    registry.settled().await;
    let began = cpu_seconds();
    let reading = registry.read_resource("test://big", None).await.expect("the text");
    let Some(ResourceBody::Text(text)) = reading.contents.into_iter().next().map(|c| c.body) else {
        panic!("a text");
    };
    let document = Document::new(text);
    let cpu = cpu_seconds() - began;
    assert!(document.line_count() > 900_000);
    let payload = document.len() as f64;
    registry.close().await;
    vec![cpu, payload]
}

pub(crate) fn text_value() -> Vec<f64> {
    let line = server::answer("7", &server::text_result()).into_bytes();
    let began = cpu_seconds();
    let value: serde_json::Value = serde_json::from_slice(&line).expect("JSON");
    let cpu = cpu_seconds() - began;
    black_box(&value);
    vec![cpu]
}

pub(crate) async fn read_blob() -> Vec<f64> {
    let registry = Registry::open(vec![served(Way::Stdio, "blob").1]).expect("a registry");
    registry.settled().await;
    let began = cpu_seconds();
    let reading = registry.read_resource("test://big", None).await.expect("the bytes");
    let cpu = cpu_seconds() - began;
    let Some(ResourceBody::Blob(bytes)) = reading.contents.into_iter().next().map(|c| c.body)
    else {
        panic!("bytes");
    };
    assert_eq!(bytes.len(), server::BYTES);
    registry.close().await;
    vec![cpu]
}

pub(crate) fn blob_decode() -> Vec<f64> {
    let text = server::base64();
    let began = cpu_seconds();
    let bytes = STANDARD.decode(&text).expect("base64");
    let cpu = cpu_seconds() - began;
    assert_eq!(black_box(bytes).len(), server::BYTES);
    vec![cpu]
}

pub(crate) async fn list_all(way: Way) -> Vec<f64> {
    let (_served, spec) = served(way, "list");
    let began = cpu_seconds();
    let registry = Registry::open(vec![spec]).expect("a registry");
    let view = registry.settled().await;
    let cpu = cpu_seconds() - began;
    assert_eq!(view.catalogue.resources.len(), RESOURCES);
    registry.close().await;
    vec![cpu]
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

pub(crate) fn list_typed() -> Vec<f64> {
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
    vec![cpu]
}
