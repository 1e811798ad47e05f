//! Answers that are told by their status.

use super::{Faulty, JSON, refusal};
use crate::http_server::{Out, Request};
use serde_json::Value;
use std::io;

const HTML: (&str, &str) = ("Content-Type", "text/html; charset=utf-8");
const TEXT: (&str, &str) = ("Content-Type", "text/plain");
const SIGN_IN: &str =
    "Bearer resource_metadata=\"http://127.0.0.1/.well-known/oauth-protected-resource\"";

/// Answers whatever is asked. Says whether it did.
pub(super) async fn everywhere(
    site: &Faulty,
    request: &Request,
    out: &mut Out,
) -> io::Result<bool> {
    match site.fault.as_str() {
        "all_401" => out.whole(401, &[JSON, ("WWW-Authenticate", SIGN_IN)], b"{}").await?,
        "all_403" => out.whole(403, &[TEXT], b"not for you").await?,
        "all_404" => out.whole(404, &[HTML], b"<h1>Not Found</h1>").await?,
        "all_500" => out.whole(500, &[HTML], b"<h1>boom</h1>").await?,
        "all_503" => out.whole(503, &[TEXT, ("Retry-After", "30")], b"starting").await?,
        "all_html" => out.whole(200, &[HTML], b"<html>Welcome</html>").await?,
        "all_202" => out.whole(202, &[], b"").await?,
        "all_tls" => {
            // The alert that a server of TLS has for what is none.
            out.raw(b"\x15\x03\x01\x00\x02\x02\x28").await?;
            out.close();
        }
        "all_hang_up" => out.close(),
        "all_hang" => out.gone().await,
        "all_no_http" => {
            out.raw(b"220 mail.example ESMTP\r\n500 what?\r\n").await?;
            out.close();
        }
        _ => return redirected(site, request, out).await,
    }
    Ok(true)
}

async fn redirected(site: &Faulty, request: &Request, out: &mut Out) -> io::Result<bool> {
    let status = match site.fault.as_str() {
        "redirect_301" => 301,
        "redirect_302" => 302,
        "redirect_303" => 303,
        "redirect_307" | "redirect_loop" | "redirect_cross" => 307,
        "redirect_308" => 308,
        _ => return Ok(false),
    };
    let address = site.address.get().cloned().unwrap_or_default();
    let to = match (site.fault.as_str(), request.path.as_str()) {
        // The same port of another address is another origin.
        ("redirect_cross", "/mcp") => address.replace("127.0.0.1", "127.0.0.2") + "/mcp2",
        ("redirect_loop", _) => "/mcp".to_owned(),
        (_, "/mcp") => "/mcp2".to_owned(),
        _ => return Ok(false),
    };
    out.whole(status, &[("Location", &to)], b"").await?;
    Ok(true)
}

/// Answers what the fault befalls. Says whether it did.
pub(super) async fn answer(site: &Faulty, id: &Value, out: &mut Out) -> io::Result<bool> {
    let rpc = |code: i64, words: &str| refusal(id, code, words).to_string().into_bytes();
    match site.fault.as_str() {
        "s400_json" => out.whole(400, &[JSON], &rpc(-32602, "bad cursor")).await?,
        "s401" => {
            let why = ("WWW-Authenticate", "Bearer error=\"invalid_token\"");
            out.whole(401, &[JSON, why], b"{}").await?;
        }
        "s403" => {
            let why = "Bearer error=\"insufficient_scope\", scope=\"files:write\"";
            out.whole(403, &[JSON, ("WWW-Authenticate", why)], b"{}").await?;
        }
        "s404_json" => out.whole(404, &[JSON], &rpc(-32601, "Method not found")).await?,
        "s413" => out.whole(413, &[], b"").await?,
        "s418" => out.whole(418, &[TEXT], b"I am a teapot").await?,
        "s429" => out.whole(429, &[TEXT, ("Retry-After", "7")], b"slow down").await?,
        "s429_plain" => out.whole(429, &[TEXT], b"slow down").await?,
        "s500" => out.whole(500, &[HTML], b"<html>boom</html>").await?,
        "s500_json" => out.whole(500, &[JSON], &rpc(-32603, "the disk is full")).await?,
        "s500_long" => {
            let body = format!("\x1b[31m{}", "x".repeat(200_000));
            out.whole(500, &[TEXT], body.as_bytes()).await?;
        }
        "s500_endless" => {
            out.open(500, &[TEXT]).await?;
            out.chunk(b"it goes on").await?;
            out.gone().await;
        }
        "s502" => out.whole(502, &[HTML], b"<h1>Bad Gateway</h1>").await?,
        "s503" => out.whole(503, &[TEXT, ("Retry-After", "30")], b"busy").await?,
        "s504" => out.whole(504, &[], b"").await?,
        _ => return Ok(false),
    }
    Ok(true)
}
