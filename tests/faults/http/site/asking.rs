//! A legacy server asks back in the middle of a call.

use super::{EVENTS, Faulty, JSON, lock};
use crate::http_server::Out;
use serde_json::{Value, json};
use std::{io, time::Duration};

/// How long an answer of the client may take to be acknowledged by a slow server.
const SLOW: Duration = Duration::from_millis(1500);

/// Asks in the middle of a read. Says whether it did.
pub(super) async fn call(
    site: &Faulty,
    method: &str,
    id: &Value,
    out: &mut Out,
) -> io::Result<bool> {
    if method != "resources/read" || !site.fault.starts_with("ask_") {
        return Ok(false);
    }
    let number = {
        let mut state = site.state();
        state.asked += 1;
        state.asked + 900
    };
    let question = json!({"jsonrpc": "2.0", "id": number, "method": "sampling/createMessage", "params": {
        "messages": [{"role": "user", "content": {"type": "text", "text": "hi"}}], "maxTokens": 5}});
    out.open(200, &[EVENTS]).await?;
    if site.is("ask_get") {
        let streams = lock(&site.streams).clone();
        let sent = streams.iter().any(|stream| stream.send(question.clone()).is_ok());
        if !sent {
            site.say("NO STREAM");
        }
    } else {
        out.chunk(format!("data: {question}\n\n").as_bytes()).await?;
    }
    if site.is("ask_drop") {
        out.close();
        return Ok(true);
    }
    let mut answers = site.answers.subscribe();
    let key = number.to_string();
    let answered = answers.wait_for(|answers| answers.contains_key(&key)).await;
    let code = answered.map(|answers| answers[&key]["error"]["code"].clone());
    let text = format!("the client said {}", code.unwrap_or_default());
    let answer = json!({"jsonrpc": "2.0", "id": id, "result": {
        "contents": [{"uri": "mem://r0", "text": text}]}});
    out.chunk(format!("data: {answer}\n\n").as_bytes()).await?;
    out.end().await?;
    Ok(true)
}

/// The client answers.
pub(super) async fn answered(site: &Faulty, message: &Value, out: &mut Out) -> io::Result<()> {
    if message.get("result").is_some() == message.get("error").is_some() {
        site.say(format!("VIOLATION neither result nor error, or both: {message}"));
    }
    let key = message["id"].to_string();
    site.answers.send_modify(|answers| {
        answers.insert(key, message.clone());
    });
    match site.fault.as_str() {
        "ask_slow_ack" => tokio::time::sleep(SLOW).await,
        "ask_no_ack" => out.gone().await,
        "ask_refused_ack" => {
            return out.whole(400, &[JSON], b"{\"error\":\"no\"}").await;
        }
        _ => {}
    }
    out.whole(202, &[], b"").await
}
