//! The era of 2026-07-28.

use super::{EVENTS, Faulty, JSON, refusal};
use crate::http_server::Out;
use serde_json::{Value, json};
use std::io;

/// Where the id of a stream stands in what it brings.
const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

/// Methods that this era took out.
const REMOVED: [&str; 6] = [
    "ping",
    "logging/setLevel",
    "resources/subscribe",
    "resources/unsubscribe",
    "notifications/initialized",
    "initialize",
];

/// Answers in the way of this era. Says whether it did.
pub(super) async fn answer(
    site: &Faulty,
    method: &str,
    message: &Value,
    out: &mut Out,
) -> io::Result<bool> {
    if !site.is_modern() {
        return Ok(false);
    }
    let id = &message["id"];
    if REMOVED.contains(&method) {
        site.say(format!("VIOLATION {method} in the modern era"));
    }
    match (method, site.fault.as_str()) {
        ("subscriptions/listen", "modern_no_listen") => {
            let no = refusal(id, -32601, "Method not found").to_string();
            out.whole(404, &[JSON], no.as_bytes()).await?;
        }
        ("subscriptions/listen", _) => listen(site, message, out).await?,
        ("resources/read", "modern_cancel") => {
            out.open(200, &[EVENTS]).await?;
            out.chunk(b": working\n\n").await?;
            out.gone().await;
            site.say("STREAM CLOSED");
        }
        ("resources/read", "modern_mismatch") => {
            let no = refusal(id, -32020, "Header mismatch: Mcp-Name").to_string();
            out.whole(400, &[JSON], no.as_bytes()).await?;
        }
        ("resources/read", "modern_asks") => {
            let question = json!({"jsonrpc": "2.0", "id": 1, "method": "roots/list"});
            out.open(200, &[EVENTS]).await?;
            out.chunk(format!("data: {question}\n\n").as_bytes()).await?;
            let answer = super::content::answer(site, method, message);
            out.chunk(format!("data: {answer}\n\n").as_bytes()).await?;
            out.end().await?;
        }
        ("prompts/list", "modern_no_prompts") => {
            let no = refusal(id, -32601, "Method not found").to_string();
            out.whole(404, &[JSON], no.as_bytes()).await?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Opens a stream of news, which lasts until the client closes it.
async fn listen(site: &Faulty, message: &Value, out: &mut Out) -> io::Result<()> {
    let id = &message["id"];
    let meta = json!({ SUBSCRIPTION: id });
    let wanted = &message["params"]["notifications"];
    let tell = |method: &str, params: Value| {
        let news = json!({"jsonrpc": "2.0", "method": method, "params": params});
        format!("data: {news}\n\n").into_bytes()
    };
    out.open(200, &[EVENTS, ("X-Accel-Buffering", "no")]).await?;
    let agreed = json!({"notifications": wanted, "_meta": meta});
    out.chunk(&tell("notifications/subscriptions/acknowledged", agreed)).await?;
    match site.fault.as_str() {
        "modern_news" => {
            site.until("resources/list", 1).await;
            let params = json!({"_meta": meta});
            out.chunk(&tell("notifications/resources/list_changed", params)).await?;
        }
        "modern_listen_ends" => {
            let ended = json!({"jsonrpc": "2.0", "id": id, "result": {
                "resultType": "complete", "_meta": meta}});
            out.chunk(format!("data: {ended}\n\n").as_bytes()).await?;
            return out.end().await;
        }
        "modern_listen_cut" => {
            out.close();
            return Ok(());
        }
        _ => {}
    }
    out.gone().await;
    Ok(())
}
