//! Answers in one piece whose HTTP is right and whose message is not.

use super::{Faulty, JSON};
use crate::http_server::Out;
use serde_json::{Value, json};
use std::io;

/// More than the least limit of a message.
const HUGE: usize = 300 * 1024;

/// Answers. Says whether it did.
pub(super) async fn answer(
    site: &Faulty,
    id: &Value,
    good: &Value,
    out: &mut Out,
) -> io::Result<bool> {
    let mut answer = good.clone();
    let body = match site.fault.as_str() {
        "json_garbage" => b"{\"jsonrpc\": oops".to_vec(),
        "json_badshape" => {
            answer.as_object_mut().map(|map| map.remove("jsonrpc"));
            answer.to_string().into_bytes()
        }
        "json_wrong_id" => {
            answer["id"] = json!(424_242);
            answer.to_string().into_bytes()
        }
        "json_no_id" => {
            answer.as_object_mut().map(|map| map.remove("id"));
            answer.to_string().into_bytes()
        }
        "json_text_id" => {
            answer["id"] = id.to_string().into();
            answer.to_string().into_bytes()
        }
        "json_neither" => json!({"jsonrpc": "2.0", "id": id}).to_string().into_bytes(),
        "json_batch" => {
            let news = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}});
            json!([news, answer]).to_string().into_bytes()
        }
        "json_news" => {
            json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}})
                .to_string()
                .into_bytes()
        }
        "json_huge" => vec![b' '; HUGE],
        "json_endless" => {
            out.open(200, &[JSON]).await?;
            while out.chunk(&[b' '; 4096]).await.is_ok() {
                tokio::task::yield_now().await;
            }
            out.close();
            return Ok(true);
        }
        _ => return Ok(false),
    };
    out.whole(200, &[JSON], &body).await?;
    Ok(true)
}
