//! The plain server behind HTTP. Each handshake starts a fresh one, as it starts a fresh process
//! or pipe elsewhere; one that ends takes its session and every connection with it.

use crate::{
    http_server::{HttpServer, Out, Request, Rules, Site},
    plain_server::{GLANCE, Plain, Then},
};
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_util::sync::CancellationToken;

/// Where a message says to which stream it belongs.
const STREAM: &str = "/params/_meta/io.modelcontextprotocol~1subscriptionId";
const JSON: (&str, &str) = ("Content-Type", "application/json");
const EVENTS: (&str, &str) = ("Content-Type", "text/event-stream");

/// A server that listens, until it is dropped.
pub(crate) struct PlainHttp {
    site: Arc<PlainSite>,
    server: HttpServer,
}

impl PlainHttp {
    /// Must be called inside a tokio runtime.
    pub(crate) fn start(script: Value) -> Self {
        let site = Arc::new(PlainSite {
            script,
            life: Mutex::default(),
            rules: Mutex::default(),
            wrong: Mutex::default(),
            mirrored: Mutex::default(),
        });
        let server = HttpServer::start(site.clone(), CancellationToken::new());
        Self { site, server }
    }

    pub(crate) fn url(&self) -> String {
        self.server.url("/mcp")
    }

    /// The arguments that came in headers, in order.
    pub(crate) fn mirrored(&self) -> Vec<(String, String)> {
        lock(&self.site.mirrored).clone()
    }

    /// What clients did that the transport forbids.
    pub(crate) fn wrong(&self) -> Vec<String> {
        lock(&self.site.wrong).clone()
    }
}

struct PlainSite {
    script: Value,
    life: Mutex<Life>,
    rules: Mutex<Rules>,
    wrong: Mutex<Vec<String>>,
    /// The headers of calls that mirror arguments.
    mirrored: Mutex<Vec<(String, String)>>,
}

/// One server, from its handshake to its end.
#[derive(Default)]
struct Life {
    number: usize,
    server: Option<Plain>,
    /// Whether nothing but `server/discover` came, so that `initialize` belongs to it.
    only_probed: bool,
    /// Requests that wait, and open streams of news, by their id.
    waiting: HashMap<String, UnboundedSender<Value>>,
    /// The stream for the server's own messages, and what was said before it was there.
    own: Option<UnboundedSender<Value>>,
    unsaid: Vec<Value>,
    /// The id of the open stream of news of the modern era.
    listening: Option<Value>,
    ended: CancellationToken,
}

impl Life {
    fn session(&self) -> String {
        format!("life-{}", self.number)
    }

    /// Begins anew.
    fn begin(&mut self, script: &Value) {
        self.ended.cancel();
        let server = Some(Plain::new(script.clone()));
        *self = Self { number: self.number + 1, server, only_probed: true, ..Self::default() };
    }

    fn end(&mut self) {
        self.ended.cancel();
        *self = Self { number: self.number, ended: self.ended.clone(), ..Self::default() };
    }

    /// Brings a message to where it belongs; `during` is the request that it was written for.
    fn deliver(&mut self, message: Value, during: Option<&str>) {
        let answered = message.get("id").filter(|_| message.get("method").is_none());
        let named = answered.or_else(|| message.pointer(STREAM)).map(Value::to_string);
        let named = named.filter(|id| self.waiting.contains_key(id));
        let apart = message.get("id").is_some()
            && message.get("method").is_some()
            && self.server.as_ref().is_some_and(Plain::asks_apart);
        match named.as_deref().or(during.filter(|_| !apart)) {
            Some(id) => drop(self.waiting.get(id).map(|to| to.send(message))),
            None => self.say(message),
        }
    }

    /// Says something of the server's own: on its stream, to who listens, or later.
    fn say(&mut self, mut message: Value) {
        let listening = self.listening.as_ref().filter(|_| self.own.is_none());
        let to = match listening {
            Some(stream) => {
                // In the modern era it says to whom.
                message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] =
                    stream.clone();
                self.waiting.get(&stream.to_string())
            }
            None => self.own.as_ref(),
        };
        if to.is_none_or(|to| to.send(message.clone()).is_err()) {
            self.unsaid.push(message);
        }
    }
}

impl Site for PlainSite {
    async fn answer(&self, request: &Request, out: &mut Out) -> io::Result<()> {
        let wrong = lock(&self.rules).check(request);
        let line = String::from_utf8_lossy(&request.body);
        lock(&self.wrong).extend(wrong.into_iter().map(|wrong| format!("{wrong}: {line}")));
        let mirrored = request.headers.iter().filter(|(name, _)| name.starts_with("mcp-param-"));
        lock(&self.mirrored).extend(mirrored.cloned());
        match request.method.as_str() {
            "POST" => self.post(request, out).await,
            "GET" => self.own_stream(request, out).await,
            "DELETE" => {
                // It may come after the next session began, which it does not end.
                let known = {
                    let mut life = lock(&self.life);
                    let known = request.header("mcp-session-id") == Some(&life.session());
                    if known {
                        life.end();
                    }
                    known
                };
                out.whole(if known { 200 } else { 404 }, &[], b"").await
            }
            _ => out.whole(405, &[], b"").await,
        }
    }
}

impl PlainSite {
    fn is_modern(&self) -> bool {
        self.script["era"] == "modern"
    }

    /// Begins what a message begins; says whether there is anybody to take it.
    fn admit(&self, request: &Request, method: &str) -> bool {
        let mut life = lock(&self.life);
        let gone = life.server.is_none();
        match method {
            "server/discover" => life.begin(&self.script),
            "initialize" if gone || !life.only_probed => life.begin(&self.script),
            "initialize" => {}
            _ if self.is_modern() => {
                if gone {
                    life.begin(&self.script);
                }
            }
            _ => return !gone && request.header("mcp-session-id") == Some(&life.session()),
        }
        life.only_probed = method == "server/discover";
        true
    }

    async fn post(&self, request: &Request, out: &mut Out) -> io::Result<()> {
        let message = request.message();
        let method = message["method"].as_str().unwrap_or_default();
        if !self.admit(request, method) {
            return out.whole(404, &[], b"no such session").await;
        }
        let line = message.to_string();
        let asks = message.get("id").is_some() && !method.is_empty();
        let id = message["id"].to_string();
        let (answer, answers) = unbounded_channel();
        let (slow, ended, number) = {
            let mut life = lock(&self.life);
            if asks {
                life.waiting.insert(id.clone(), answer.clone());
            }
            if method == "subscriptions/listen" {
                life.listening = Some(message["id"].clone());
            }
            let opens = ["server/discover", "initialize"].contains(&method);
            let slow = life.server.as_ref().filter(|_| opens).map(Plain::slow).unwrap_or_default();
            (slow, life.ended.clone(), life.number)
        };
        tokio::time::sleep(slow).await;
        self.pass_on(&line, asks.then_some(id.as_str()), number).await;
        if ended.is_cancelled() {
            out.close();
            return Ok(());
        }
        if !asks {
            return out.whole(202, &[], b"").await;
        }
        let left = ended.run_until_cancelled(self.reply(method, answers, out)).await;
        {
            // Another client may wait under the same id by now.
            let mut life = lock(&self.life);
            if life.waiting.get(&id).is_some_and(|waiting| waiting.same_channel(&answer)) {
                life.waiting.remove(&id);
            }
        }
        let Some(done) = left else {
            out.close(); // with the server
            return Ok(());
        };
        if !done? && self.is_modern() {
            // Nobody waits any more, which is how the modern era cancels.
            let params = json!({"requestId": message["id"]});
            let method = "notifications/cancelled";
            let line = json!({"jsonrpc": "2.0", "method": method, "params": params});
            self.pass_on(&line.to_string(), None, number).await;
        }
        Ok(())
    }

    /// Gives a line to the server and brings what it says to where it belongs. What was meant for
    /// a server that has ended does not reach the next one.
    async fn pass_on(&self, line: &str, during: Option<&str>, number: usize) {
        let waits = || lock(&self.life).server.as_ref().is_some_and(|server| server.waits(line));
        while waits() {
            tokio::time::sleep(GLANCE).await;
        }
        let mut life = lock(&self.life);
        if life.number != number {
            return;
        }
        match life.server.as_mut().map(|server| server.take(line)) {
            Some(Then::Say(messages)) => {
                messages.into_iter().for_each(|message| life.deliver(message, during));
                // There may be somebody to hear it by now.
                std::mem::take(&mut life.unsaid).into_iter().for_each(|message| life.say(message));
            }
            Some(Then::Die) | None => life.end(),
        }
    }

    /// Writes what comes for a request: one answer as JSON, anything else as events. Says whether
    /// the answer came before the client left.
    async fn reply(
        &self,
        method: &str,
        mut messages: UnboundedReceiver<Value>,
        out: &mut Out,
    ) -> io::Result<bool> {
        let mut is_open = false;
        loop {
            let message = tokio::select! {
                biased;
                Some(message) = messages.recv() => message,
                () = out.gone() => return Ok(false),
            };
            let is_answer = message.get("method").is_none();
            if is_answer && !is_open {
                return self.whole(method, &message, out).await.map(|()| true);
            }
            if !is_open {
                out.open(200, &[EVENTS]).await?;
                is_open = true;
            }
            out.chunk(format!("data: {message}\n\n").as_bytes()).await?;
            if is_answer {
                return out.end().await.map(|()| true);
            }
        }
    }

    async fn whole(&self, method: &str, answer: &Value, out: &mut Out) -> io::Result<()> {
        let session = lock(&self.life).session();
        let mut headers = vec![JSON];
        if method == "initialize"
            && let Some(version) = answer["result"]["protocolVersion"].as_str()
        {
            lock(&self.rules).agree(version, Some(&session));
            headers.push(("Mcp-Session-Id", &session));
        }
        // The modern era says by its status what it does not know.
        let unknown = self.is_modern() && answer["error"]["code"] == -32601;
        out.whole(if unknown { 404 } else { 200 }, &headers, answer.to_string().as_bytes()).await
    }

    /// The stream for the server's own messages.
    async fn own_stream(&self, request: &Request, out: &mut Out) -> io::Result<()> {
        let (say, mut said) = unbounded_channel();
        let ended = {
            let mut life = lock(&self.life);
            let known = request.header("mcp-session-id") == Some(&life.session());
            if life.server.is_none() || !known {
                None
            } else {
                life.own = Some(say);
                std::mem::take(&mut life.unsaid).into_iter().for_each(|message| life.say(message));
                Some(life.ended.clone())
            }
        };
        let Some(ended) = ended else { return out.whole(404, &[], b"").await };
        out.open(200, &[EVENTS]).await?;
        let telling = async {
            loop {
                tokio::select! {
                    biased;
                    Some(message) = said.recv() => {
                        out.chunk(format!("data: {message}\n\n").as_bytes()).await?;
                    }
                    () = out.gone() => return Ok(()),
                }
            }
        };
        let told: Option<io::Result<()>> = ended.run_until_cancelled(telling).await;
        out.close();
        told.unwrap_or(Ok(()))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
