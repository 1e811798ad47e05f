//! A small MCP server over HTTP that misbehaves in one named way. It shares nothing with the
//! program under test but the protocol, and watches what it is sent: whatever the protocol or its
//! transport forbids becomes a line that begins with `VIOLATION`.

mod answers;
mod asking;
mod bodies;
mod content;
mod events;
mod forms;
mod handshake;
mod modern;
mod old;
mod sessions;
mod statuses;
mod streams;

pub(crate) use forms::Form;

use crate::http_server::{HttpServer, Out, Request, Rules, Site};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    io,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};
use tokio::sync::{Notify, mpsc, watch};
use tokio_util::sync::CancellationToken;

/// What a server writes down: what a process would write to its standard error.
pub(crate) type Log = Arc<Mutex<Vec<String>>>;

pub(crate) const JSON: (&str, &str) = ("Content-Type", "application/json");
pub(crate) const EVENTS: (&str, &str) = ("Content-Type", "text/event-stream");

/// One server with one fault.
pub(crate) struct Faulty {
    fault: String,
    /// What the fault befalls; lists of resources if nothing is said.
    befalls: String,
    log: Log,
    rules: Mutex<Rules>,
    state: Mutex<State>,
    /// Streams for the server's own messages.
    streams: Mutex<Vec<mpsc::UnboundedSender<Value>>>,
    /// What the client answered to the server's own requests, by their id.
    answers: watch::Sender<BTreeMap<String, Value>>,
    address: OnceLock<String>,
    /// Told with every request.
    came: Notify,
    down: CancellationToken,
}

/// What has happened so far.
#[derive(Default)]
struct State {
    /// How often each method, `GET` and `DELETE` came.
    counts: BTreeMap<String, usize>,
    /// How often the fault befell.
    befallen: usize,
    /// Sessions that were given out.
    sessions: usize,
    /// An answer that a resumed stream brings.
    saved: Option<Value>,
    resumed: usize,
    asked: u64,
}

/// A server that listens.
pub(crate) struct Running {
    site: Arc<Faulty>,
    server: HttpServer,
}

impl Running {
    pub(crate) fn start(fault: &str, befalls: Option<&str>, log: Log) -> Self {
        let down = CancellationToken::new();
        let site = Arc::new(Faulty {
            fault: fault.to_owned(),
            befalls: befalls.unwrap_or("resources/list").to_owned(),
            log,
            rules: Mutex::default(),
            state: Mutex::default(),
            streams: Mutex::default(),
            answers: watch::channel(BTreeMap::new()).0,
            address: OnceLock::new(),
            came: Notify::new(),
            down: down.clone(),
        });
        let server = HttpServer::start(site.clone(), down);
        let _ = site.address.set(server.url(""));
        Self { site, server }
    }

    pub(crate) fn url(&self) -> String {
        self.server.url("/mcp")
    }

    /// Waits until something has come so often.
    pub(crate) async fn until(&self, what: &str, times: usize) {
        self.site.until(what, times).await;
    }

    /// How often something came: a method of the protocol, `GET` or `DELETE`.
    pub(crate) fn count(&self, what: &str) -> usize {
        self.site.count(what)
    }
}

impl Site for Faulty {
    async fn answer(&self, request: &Request, out: &mut Out) -> io::Result<()> {
        let message = request.message();
        let what = match request.method.as_str() {
            "POST" => message["method"].as_str().unwrap_or("ANSWER"),
            other => other,
        };
        *self.state().counts.entry(what.to_owned()).or_default() += 1;
        self.came.notify_waiters();
        for wrong in lock(&self.rules).check(request) {
            self.say(format!("VIOLATION {wrong}: {} {message}", request.method));
        }
        if statuses::everywhere(self, request, out).await?
            || old::answer(self, request, out).await?
        {
            return Ok(());
        }
        match request.method.as_str() {
            "GET" => streams::get(self, request, out).await,
            "DELETE" => sessions::delete(self, request, out).await,
            "POST" => self.post(request, &message, out).await,
            _ => out.whole(405, &[], b"").await,
        }
    }
}

impl Faulty {
    fn is(&self, fault: &str) -> bool {
        self.fault == fault
    }

    fn is_one_of(&self, faults: &[&str]) -> bool {
        faults.contains(&self.fault.as_str())
    }

    /// Whether it speaks 2026-07-28.
    fn is_modern(&self) -> bool {
        self.fault.starts_with("modern")
    }

    fn say(&self, line: impl Into<String>) {
        lock(&self.log).push(line.into());
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    async fn until(&self, what: &str, times: usize) {
        loop {
            let came = self.came.notified();
            if self.count(what) >= times {
                return;
            }
            came.await;
        }
    }

    fn count(&self, what: &str) -> usize {
        self.state().counts.get(what).copied().unwrap_or(0)
    }

    /// Whether the fault befalls a message of this method.
    fn befalls(&self, method: &str) -> bool {
        let befalls = self.befalls == method;
        self.state().befallen += usize::from(befalls);
        befalls
    }

    async fn post(&self, request: &Request, message: &Value, out: &mut Out) -> io::Result<()> {
        let Some(method) = message["method"].as_str() else {
            return asking::answered(self, message, out).await;
        };
        let Some(id) = message.get("id") else {
            return self.notified(method, message, out).await;
        };
        if handshake::answer(self, method, message, out).await?
            || sessions::expired(self, request, method, out).await?
        {
            return Ok(());
        }
        let good = content::answer(self, method, message);
        if modern::answer(self, method, message, out).await?
            || asking::call(self, method, id, out).await?
        {
            return Ok(());
        }
        let befallen = self.befalls(method)
            && (statuses::answer(self, id, out).await?
                || bodies::answer(self, &good, out).await?
                || events::answer(self, id, &good, out).await?
                || answers::answer(self, id, &good, out).await?);
        if befallen { Ok(()) } else { self.reply(&good, &[], out).await }
    }

    async fn notified(&self, method: &str, message: &Value, out: &mut Out) -> io::Result<()> {
        if method == "notifications/cancelled" {
            self.say(format!("CANCELLED {}", message["params"]["requestId"]));
            if self.is_modern() {
                self.say("VIOLATION a cancellation that is a message");
            }
        }
        match self.fault.as_str() {
            "accepted_with_body" => {
                out.whole(202, &[("Content-Type", "text/plain")], b"Accepted").await
            }
            "accepted_as_ok" => out.whole(200, &[JSON], b"{}").await,
            "accepted_as_no_content" => out.raw(b"HTTP/1.1 204 None\r\n\r\n").await,
            "never_accepted" => {
                out.gone().await;
                Ok(())
            }
            _ => out.whole(202, &[], b"").await,
        }
    }

    /// An answer in the way of this server: in one piece, or as an event.
    async fn reply(
        &self,
        answer: &Value,
        headers: &[(&str, &str)],
        out: &mut Out,
    ) -> io::Result<()> {
        if !self.fault.starts_with("sse") && !self.is("modern_sse") {
            let headers = [&[JSON], headers].concat();
            return out.whole(200, &headers, answer.to_string().as_bytes()).await;
        }
        out.open(200, &[&[EVENTS], headers].concat()).await?;
        out.chunk(format!("data: {answer}\n\n").as_bytes()).await?;
        out.end().await
    }
}

/// An error answer.
fn refusal(id: &Value, code: i64, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
