//! How a conversation is opened.

use super::{Faulty, JSON, content, lock, refusal, sessions};
use crate::http_server::Out;
use serde_json::{Value, json};
use std::io;

/// Answers an opening. Says whether it did.
pub(super) async fn answer(
    site: &Faulty,
    method: &str,
    message: &Value,
    out: &mut Out,
) -> io::Result<bool> {
    match method {
        "initialize" => initialize(site, message, out).await?,
        "server/discover" => discover(site, message, out).await?,
        _ => return Ok(false),
    }
    Ok(true)
}

async fn initialize(site: &Faulty, message: &Value, out: &mut Out) -> io::Result<()> {
    let id = &message["id"];
    if site.is_modern() {
        let data =
            json!({"supported": ["2026-07-28"], "requested": message["params"]["protocolVersion"]});
        let mut answer = refusal(id, -32022, "Unsupported protocol version");
        answer["error"]["data"] = data;
        return out.whole(400, &[JSON], answer.to_string().as_bytes()).await;
    }
    let version = message["params"]["protocolVersion"].as_str().unwrap_or_default();
    let session = sessions::give(site);
    lock(&site.rules).agree(version, session.as_deref());
    let answer = json!({"jsonrpc": "2.0", "id": id, "result": {
        "protocolVersion": version,
        "capabilities": content::capabilities(),
        "serverInfo": {"name": "faulty", "version": "1"},
    }});
    let headers: Vec<(&str, &str)> =
        session.as_deref().map(|session| ("Mcp-Session-Id", session)).into_iter().collect();
    site.reply(&answer, &headers, out).await
}

async fn discover(site: &Faulty, message: &Value, out: &mut Out) -> io::Result<()> {
    let id = &message["id"];
    if site.is_modern() {
        let answer = json!({"jsonrpc": "2.0", "id": id, "result": {
            "resultType": "complete",
            "supportedVersions": ["2026-07-28"],
            "capabilities": content::capabilities(),
            "ttlMs": 0,
            "cacheScope": "private",
        }});
        return site.reply(&answer, &[], out).await;
    }
    let error = |status: u16, id: &Value, code: i64, words: &str| {
        (status, refusal(id, code, words).to_string())
    };
    let (status, body) = match site.fault.as_str() {
        "discover_400" => (400, String::new()),
        "discover_401" => (401, String::new()),
        "discover_403" => (403, "Forbidden".to_owned()),
        "discover_404" => (404, "Not Found".to_owned()),
        "discover_405" => (405, String::new()),
        "discover_406" => error(406, &json!("server-error"), -32600, "Not Acceptable"),
        "discover_415" => (415, String::new()),
        "discover_422" => (422, "missing field `session`".to_owned()),
        "discover_500" => (500, "Traceback (most recent call last):".to_owned()),
        "discover_502" => (502, "<html>Bad Gateway</html>".to_owned()),
        "discover_null_id" => error(400, &Value::Null, -32600, "Bad Request: no session"),
        "discover_words" => error(400, id, -32000, "Bad Request: Unsupported protocol version"),
        "discover_method" => error(200, id, -32601, "Method not found"),
        "discover_empty" => error(200, id, 0, ""),
        "discover_unsupported" => {
            let mut answer = refusal(id, -32022, "Unsupported protocol version");
            answer["error"]["data"] =
                json!({"supported": ["2025-11-25"], "requested": "2026-07-28"});
            (400, answer.to_string())
        }
        "discover_html" => {
            return out.whole(200, &[("Content-Type", "text/html")], b"<html>hi</html>").await;
        }
        "discover_202" => return out.whole(202, &[], b"").await,
        "discover_hang_up" => {
            out.close();
            return Ok(());
        }
        "discover_nothing" => {
            out.gone().await;
            return Ok(());
        }
        // What most servers of the time before say.
        _ => error(400, &json!("server-error"), -32600, "Bad Request: Missing session ID"),
    };
    out.whole(status, &[JSON], body.as_bytes()).await
}
