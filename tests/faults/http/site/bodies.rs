//! Answers whose HTTP is odd, wrong or cut; what stands in them would be right.

use super::{Faulty, JSON};
use crate::http_server::Out;
use serde_json::Value;
use std::io;

/// Answers. Says whether it did.
pub(super) async fn answer(site: &Faulty, good: &Value, out: &mut Out) -> io::Result<bool> {
    let text = good.to_string();
    let body = text.as_bytes();
    let half = &body[..body.len() / 2];
    match site.fault.as_str() {
        "html" => out.whole(200, &[("Content-Type", "text/html")], b"<html>hi</html>").await?,
        "plain_type" => out.whole(200, &[("Content-Type", "text/plain")], body).await?,
        "no_type" => out.whole(200, &[], body).await?,
        "long_type" => {
            let kind = ("Content-Type", "Application/JSON; charset=\"UTF-8\"; profile=x");
            out.whole(200, &[kind], body).await?;
        }
        "accepted_only" => out.whole(202, &[], b"").await?,
        "no_content" => out.raw(b"HTTP/1.1 204 None\r\n\r\n").await?,
        "empty" => out.whole(200, &[JSON], b"").await?,
        "gzip" => {
            let packed = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xab\xae\x05\x00";
            out.whole(200, &[JSON, ("Content-Encoding", "gzip")], packed).await?;
        }
        "mark" => out.whole(200, &[JSON], &[b"\xef\xbb\xbf", body].concat()).await?,
        "trickle" => {
            out.open(200, &[JSON]).await?;
            for byte in body {
                out.chunk(&[*byte]).await?;
                tokio::task::yield_now().await;
            }
            out.end().await?;
        }
        "slow_head" => {
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
                body.len()
            );
            out.pieces(head.as_bytes(), 7).await?;
            out.pieces(body, 40).await?;
        }
        "hints" => {
            out.raw(
                b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n",
            )
            .await?;
            out.whole(200, &[JSON], body).await?;
        }
        "http10" => {
            out.raw(b"HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n").await?;
            out.raw(body).await?;
            out.close();
        }
        _ => return broken(site, body, half, out).await,
    }
    Ok(true)
}

async fn broken(site: &Faulty, body: &[u8], half: &[u8], out: &mut Out) -> io::Result<bool> {
    match site.fault.as_str() {
        "hang_up" => out.close(),
        "hang_up_once" => {
            if site.state().befallen > 1 {
                return Ok(false);
            }
            out.close();
        }
        "hang" => out.gone().await,
        "stall" => {
            out.open(200, &[JSON]).await?;
            out.chunk(half).await?;
            out.gone().await;
        }
        "short" => {
            let length = (body.len() + 100).to_string();
            out.raw(format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n").as_bytes()).await?;
            out.raw(body).await?;
            out.close();
        }
        "cut_chunk" => {
            out.open(200, &[JSON]).await?;
            out.chunk(half).await?;
            out.close();
        }
        "bad_chunk" => {
            out.open(200, &[JSON]).await?;
            out.raw(b"zz\r\n").await?;
            out.close();
        }
        "bad_head" => {
            out.raw(b"HTTP/1.1 200 OK\r\nno colon here\r\n\r\n").await?;
            out.close();
        }
        "huge_head" => {
            let pad = "x".repeat(4 << 20);
            let _ = out.whole(200, &[JSON, ("X-Pad", &pad)], body).await;
            out.close();
        }
        "many_heads" => {
            let names: Vec<String> = (0..500).map(|n| format!("X-{n}")).collect();
            let headers: Vec<(&str, &str)> = names.iter().map(|n| (n.as_str(), "x")).collect();
            let _ = out.whole(200, &headers, body).await;
            out.close();
        }
        "die" => site.down.cancel(),
        _ => return Ok(false),
    }
    Ok(true)
}
