//! The stream for the server's own messages: GET, in the legacy era.

use super::{EVENTS, Faulty, JSON, events};
use crate::http_server::{Out, Request};
use serde_json::json;
use std::io;
use tokio::sync::mpsc;

/// Answers GET.
pub(super) async fn get(site: &Faulty, request: &Request, out: &mut Out) -> io::Result<()> {
    if request.header("last-event-id").is_some() && events::resume(site, out).await? {
        return Ok(());
    }
    match site.fault.as_str() {
        "get_404" => out.whole(404, &[("Content-Type", "text/plain")], b"Not Found").await,
        "get_500" => out.whole(500, &[], b"").await,
        "get_501" => out.whole(501, &[], b"").await,
        "get_401" => out.whole(401, &[], b"").await,
        "get_json" => out.whole(200, &[JSON], b"{\"status\":\"ok\"}").await,
        "get_html" => out.whole(200, &[("Content-Type", "text/html")], b"<html>hi</html>").await,
        "get_ends" => {
            out.open(200, &[EVENTS]).await?;
            out.end().await
        }
        "get_hangs_up" => {
            out.close();
            Ok(())
        }
        "get_silent" => {
            out.gone().await;
            Ok(())
        }
        "get_garbage" => {
            out.open(200, &[EVENTS]).await?;
            out.chunk(b"data: {broken\n\ndata: 7\n\nid: x\n\n").await?;
            out.gone().await;
            Ok(())
        }
        "get_endless" => {
            out.open(200, &[EVENTS]).await?;
            while out.chunk(&[b'x'; 4096]).await.is_ok() {
                tokio::task::yield_now().await;
            }
            out.close();
            Ok(())
        }
        "get_news" => {
            site.until("resources/list", 1).await;
            let news = json!({"jsonrpc": "2.0", "method": "notifications/resources/list_changed"});
            out.open(200, &[EVENTS]).await?;
            out.chunk(format!(": hello\n\ndata: {news}\n\n").as_bytes()).await?;
            open(site, out).await
        }
        "get_open" | "ask_get" => {
            out.open(200, &[EVENTS]).await?;
            open(site, out).await
        }
        _ => out.whole(405, &[("Allow", "POST, DELETE")], b"").await,
    }
}

/// Keeps a stream open for what the server wants to say.
async fn open(site: &Faulty, out: &mut Out) -> io::Result<()> {
    let (say, mut said) = mpsc::unbounded_channel();
    super::lock(&site.streams).push(say);
    out.chunk(b": open\n\n").await?;
    loop {
        tokio::select! {
            Some(message) = said.recv() => out.chunk(format!("data: {message}\n\n").as_bytes()).await?,
            () = out.gone() => return Ok(()),
        }
    }
}
