//! Answers in a stream of events.

use super::{
    EVENTS, Faulty,
    forms::{Form, event},
    lock,
};
use crate::http_server::Out;
use serde_json::Value;
use std::io;

/// More than the least limit of a message.
const HUGE: usize = 300 * 1024;

/// The pause before a stream is resumed that this server asks for, in milliseconds.
pub(crate) const RETRY: u64 = 1500;

/// Answers. Says whether it did.
pub(super) async fn answer(
    site: &Faulty,
    id: &Value,
    good: &Value,
    out: &mut Out,
) -> io::Result<bool> {
    if let Some(form) = form(site) {
        return formed(site, form, good, out).await.map(|()| true);
    }
    let whole = event(Form::Plain, &good.to_string());
    let broken = format!("data: {{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{oops\n\n");
    let comment = b": hello\n\n";
    let (first, stays): (Vec<u8>, bool) = match site.fault.as_str() {
        "sse_badjson" => ([b"data: {broken\n\n", whole.as_bytes()].concat(), false),
        "sse_badanswer" => (broken.into_bytes(), false),
        "sse_badanswer_open" => (broken.into_bytes(), true),
        "sse_end" => (comment.to_vec(), false),
        "sse_end_empty" => (Vec::new(), false),
        "sse_no_blank" => (whole.trim_end().as_bytes().to_vec(), false),
        "sse_one_blank" => {
            (whole.trim_end_matches('\n').as_bytes().iter().copied().chain(*b"\n").collect(), false)
        }
        "sse_silent" => (comment.to_vec(), true),
        "sse_stays" => (whole.into_bytes(), true),
        "sse_two_at_once" => (twice(&whole).into_bytes(), false),
        "sse_mark" => (["\u{feff}", &whole].concat().into_bytes(), false),
        "sse_priming" => (["id: 0\nretry: 100\ndata:\n\n", &whole].concat().into_bytes(), false),
        "sse_other_kind" => {
            (["event: ping\ndata: {\"time\":1}\n\n", &whole].concat().into_bytes(), false)
        }
        "sse_zero_id" => (["id: a\0b\n", &whole].concat().into_bytes(), false),
        "sse_wrong_id" => {
            let mut other = good.clone();
            other["id"] = 424_242.into();
            (event(Form::Plain, &other.to_string()).into_bytes(), false)
        }
        "sse_huge" => (format!("data: {}\n\n", " ".repeat(HUGE)).into_bytes(), false),
        "sse_endless_line" => {
            out.open(200, &[EVENTS]).await?;
            while out.chunk(&[b'x'; 4096]).await.is_ok() {
                tokio::task::yield_now().await;
            }
            out.close();
            return Ok(true);
        }
        "sse_cut" => {
            out.open(200, &[EVENTS]).await?;
            out.chunk(whole.as_bytes().get(..whole.len() / 2).unwrap_or_default()).await?;
            out.close();
            return Ok(true);
        }
        _ => return resumable(site, good, out).await,
    };
    out.open(200, &[EVENTS]).await?;
    out.chunk(&first).await?;
    if stays {
        out.gone().await
    } else {
        out.end().await?
    }
    Ok(true)
}

/// A notification and the answer in one piece.
fn twice(answer: &str) -> String {
    let news = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"x\"}}";
    format!("data: {news}\n\n{answer}")
}

/// The form in which every event is written.
fn form(site: &Faulty) -> Option<Form> {
    Some(match site.fault.as_str() {
        "sse_crlf" => Form::CrLf,
        "sse_cr" => Form::Cr,
        "sse_no_space" => Form::NoSpace,
        "sse_lines" => Form::ManyLines,
        "sse_comments" => Form::Comments,
        "sse_unknown" => Form::UnknownFields,
        "sse_all_fields" => Form::AllFields,
        "sse_cuts" | "sse_bytes" => Form::Plain,
        _ => return None,
    })
}

/// Writes one event: whole, byte by byte, or in two pieces where the URI says.
async fn formed(site: &Faulty, form: Form, good: &Value, out: &mut Out) -> io::Result<()> {
    out.open(200, &[EVENTS]).await?;
    let text = event(form, &good.to_string());
    let uri = good.pointer("/result/contents/0/uri").and_then(Value::as_str).unwrap_or_default();
    let cut = uri.strip_prefix("mem://cut/").and_then(|at| at.split_once('/'));
    if let Some((at, form)) = cut {
        // The form is named too: each of them is cut at every byte.
        let form = Form::ALL
            .into_iter()
            .find(|known| format!("{known:?}") == form)
            .unwrap_or(form_of(site));
        let text = event(form, &good.to_string());
        let at = at.parse().unwrap_or(0).min(text.len());
        let (head, tail) = text.as_bytes().split_at(at);
        out.chunk(head).await?;
        out.apart().await;
        out.chunk(tail).await?;
    } else if site.is("sse_bytes") {
        for byte in text.as_bytes() {
            out.chunk(&[*byte]).await?;
            tokio::task::yield_now().await;
        }
    } else {
        out.chunk(text.as_bytes()).await?;
    }
    out.end().await
}

fn form_of(site: &Faulty) -> Form {
    form(site).unwrap_or(Form::Plain)
}

/// Ends the stream behind an id, so that it can be resumed.
async fn resumable(site: &Faulty, good: &Value, out: &mut Out) -> io::Result<bool> {
    if !site.is_one_of(&["sse_resume", "sse_resume_405", "sse_resume_loop", "sse_resume_cut"]) {
        return Ok(false);
    }
    site.state().saved = Some(good.clone());
    lock(&site.rules).event_id("e1");
    out.open(200, &[EVENTS]).await?;
    out.chunk(format!("id: e1\nretry: {RETRY}\ndata:\n\n").as_bytes()).await?;
    if site.is("sse_resume_cut") {
        // As a proxy does that has waited long enough.
        out.close();
        return Ok(true);
    }
    out.end().await?;
    Ok(true)
}

/// Resumes. Says whether it did.
pub(super) async fn resume(site: &Faulty, out: &mut Out) -> io::Result<bool> {
    match site.fault.as_str() {
        "sse_resume" | "sse_resume_cut" => {
            site.say("RESUMED");
            let saved = site.state().saved.clone().unwrap_or_default();
            lock(&site.rules).event_id("e2");
            out.open(200, &[EVENTS]).await?;
            out.chunk(format!("id: e2\ndata: {saved}\n\n").as_bytes()).await?;
            out.end().await?;
        }
        "sse_resume_loop" => {
            let times = {
                let mut state = site.state();
                state.resumed += 1;
                state.resumed
            };
            let id = format!("l{times}");
            lock(&site.rules).event_id(&id);
            out.open(200, &[EVENTS]).await?;
            out.chunk(format!("id: {id}\nretry: 10\ndata:\n\n").as_bytes()).await?;
            out.end().await?;
        }
        "sse_resume_405" => out.whole(405, &[], b"").await?,
        _ => return Ok(false),
    }
    Ok(true)
}
