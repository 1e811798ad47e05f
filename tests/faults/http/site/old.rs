//! The older HTTP+SSE: one stream that brings everything, opened by GET, and an address in it to
//! which messages go.

use super::{EVENTS, Faulty, lock};
use crate::http_server::{Out, Request};
use serde_json::{Value, json};
use std::io;
use tokio::sync::mpsc;

const VERSION: &str = "2024-11-05";

/// Answers as such a server. Says whether it did.
pub(super) async fn answer(site: &Faulty, request: &Request, out: &mut Out) -> io::Result<bool> {
    if !site.fault.starts_with("old") {
        return Ok(false);
    }
    match (request.method.as_str(), request.path.as_str()) {
        ("GET", "/mcp") => stream(site, out).await?,
        ("POST", "/messages?sid=1") => posted(site, request, out).await?,
        ("POST", "/mcp") if site.is("old_404") => out.whole(404, &[], b"").await?,
        ("POST", "/mcp") => out.whole(405, &[("Allow", "GET")], b"").await?,
        _ => {
            site.say(format!("VIOLATION {} {}", request.method, request.path));
            out.whole(404, &[], b"").await?;
        }
    }
    Ok(true)
}

async fn stream(site: &Faulty, out: &mut Out) -> io::Result<()> {
    let (say, mut said) = mpsc::unbounded_channel();
    lock(&site.streams).push(say);
    out.open(200, &[EVENTS]).await?;
    let endpoint = match site.fault.as_str() {
        "old_elsewhere" => "http://127.0.0.2:9/messages?sid=1",
        "old_no_endpoint" => {
            out.chunk(b": hello\n\n").await?;
            out.gone().await;
            return Ok(());
        }
        _ => "/messages?sid=1",
    };
    out.chunk(format!("event: endpoint\ndata: {endpoint}\n\n").as_bytes()).await?;
    loop {
        tokio::select! {
            () = out.gone() => return Ok(()),
            Some(message) = said.recv() => {
                if site.is("old_ends") && message["result"]["contents"].is_array() {
                    out.close();
                    return Ok(());
                }
                out.chunk(format!("event: message\ndata: {message}\n\n").as_bytes()).await?;
            }
        }
    }
}

async fn posted(site: &Faulty, request: &Request, out: &mut Out) -> io::Result<()> {
    let message = request.message();
    let answer = match message["method"].as_str() {
        Some("initialize") => {
            lock(&site.rules).agree(VERSION, None);
            Some(json!({"jsonrpc": "2.0", "id": message["id"], "result": {
                "protocolVersion": VERSION,
                "capabilities": super::content::capabilities(),
                "serverInfo": {"name": "old", "version": "1"}}}))
        }
        Some(method) if message.get("id").is_some() => {
            Some(super::content::answer(site, method, &message))
        }
        Some(_) | None => None,
    };
    out.whole(202, &[("Content-Type", "text/plain")], b"Accepted").await?;
    let streams = lock(&site.streams).clone();
    let last = streams.last();
    answer.map_or(Ok(()), |answer: Value| {
        let _ = last.map(|stream| stream.send(answer));
        Ok(())
    })
}
