//! What the server knows, and its way out.

use super::{
    calls,
    check::{self, Seen},
    framing, json_rpc, lifecycle, modern, process, reads, requests_to_client, results,
};
use serde_json::{Value, json};
use std::{
    io::Write,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

type Log = Box<dyn Fn(&str) + Send + Sync>;

/// One server with one fault.
pub(crate) struct Server {
    pub(crate) fault: String,
    /// A number that some faults take.
    pub(crate) arg: Option<u64>,
    out: Mutex<Box<dyn Write + Send>>,
    log: Log,
    seen: Mutex<Seen>,
    pub(crate) asked: requests_to_client::Asked,
    /// Opened by the second read, for a first that waits for it.
    pub(crate) second_read: Latch,
}

/// Something that happens once, and those who wait for it.
#[derive(Default)]
pub(crate) struct Latch {
    open: Mutex<bool>,
    opened: Condvar,
}

impl Latch {
    pub(crate) fn open(&self) {
        *self.open.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.opened.notify_all();
    }

    pub(crate) fn wait(&self) {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let _open = self.opened.wait_while(open, |open| !*open);
    }
}

impl Server {
    pub(crate) fn new(
        fault: &str,
        arg: Option<&str>,
        out: Box<dyn Write + Send>,
        log: Log,
    ) -> Self {
        Self {
            fault: fault.to_owned(),
            arg: arg.and_then(|arg| arg.parse().ok()),
            out: Mutex::new(out),
            log,
            seen: Mutex::default(),
            asked: requests_to_client::Asked::default(),
            second_read: Latch::default(),
        }
    }

    pub(crate) fn is(&self, fault: &str) -> bool {
        self.fault == fault
    }

    /// Whether it speaks 2026-07-28.
    pub(crate) fn modern(&self) -> bool {
        self.fault.starts_with("modern") || self.is("discover_no_ttl")
    }

    pub(crate) fn log(&self, line: &str) {
        (self.log)(line);
    }

    /// Says that the client did what the protocol forbids.
    pub(crate) fn violation(&self, what: &str) {
        self.log(&format!("VIOLATION {what}"));
    }

    pub(crate) fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes bytes as they are.
    pub(crate) fn raw(&self, bytes: &[u8]) {
        self.hold(|out| out.write_all(bytes));
    }

    /// Writes several pieces with nobody else's between them.
    pub(crate) fn hold(&self, write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        // The client may be gone; the end of the input tells.
        let _ = write(&mut **out).and_then(|()| out.flush());
    }

    /// Writes one message, framed in the way of the fault.
    pub(crate) fn send(&self, message: &Value) {
        if self.is("dribble") {
            self.hold(|out| {
                format!("{message}\n").bytes().try_for_each(|byte| {
                    out.write_all(&[byte])?;
                    out.flush()
                })
            });
        } else {
            let bytes = framing::encode(self, message);
            self.raw(&bytes);
        }
    }

    pub(crate) fn notify(&self, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    pub(crate) fn result(&self, id: &Value, result: Value) {
        json_rpc::result(self, id, result);
    }

    pub(crate) fn error(&self, id: &Value, code: i64, message: &str) {
        self.send(
            &json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}),
        );
    }

    /// Acts on one message.
    pub(crate) fn dispatch(self: &Arc<Self>, message: &Value) {
        let Some(method) = message.get("method").and_then(Value::as_str) else {
            requests_to_client::answered(self, message);
            return;
        };
        let params = message.get("params").cloned().unwrap_or_default();
        let Some(id) = message.get("id").cloned() else {
            self.notified(method, &params);
            return;
        };
        match method {
            "initialize" => lifecycle::initialize(self, &id, &params),
            "server/discover" => lifecycle::discover(self, &id),
            _ if self.is("no_init") => {}
            "ping" => self.result(&id, json!({})),
            "resources/list" => results::list(self, &id, "resources", &params),
            "resources/templates/list" => results::list(self, &id, "resourceTemplates", &params),
            "prompts/list" => results::list(self, &id, "prompts", &params),
            "tools/list" => results::list(self, &id, "tools", &params),
            "subscriptions/listen" => modern::listen(self, &id, &params),
            "prompts/get" => results::prompt(self, &id),
            // Nothing is read while it is busy.
            "resources/read" if self.is("ping_flood") => self.read(&id, &params),
            "resources/read" if self.is("close_input") => {
                // First of all, so that nothing more can be written when the answer is there.
                process::close_input();
                self.read(&id, &params);
            }
            "resources/read" => {
                // Apart, since some reads ask back and wait.
                let server = self.clone();
                std::thread::spawn(move || server.read(&id, &params));
            }
            "tools/call" => {
                let server = self.clone();
                std::thread::spawn(move || calls::call(&server, &id, &params));
            }
            other => self.error(&id, -32601, &format!("no such method: {other}")),
        }
    }

    fn notified(&self, method: &str, params: &Value) {
        match method {
            "notifications/cancelled" => {
                self.log(&format!("CANCELLED {}", params.get("requestId").unwrap_or(&Value::Null)));
            }
            "notifications/initialized" if self.is("stdin_block") => {
                self.log("READING NO MORE");
                std::thread::sleep(Duration::from_secs(120));
            }
            _ => {}
        }
    }

    fn read(&self, id: &Value, params: &Value) {
        let uri = params.get("uri").and_then(Value::as_str).unwrap_or_default();
        self.log(&format!("READ {id} {}", uri.get(..60).unwrap_or(uri)));
        if uri == "mem://report" {
            self.text(id, uri, &check::report(self));
            return;
        }
        let done = process::read(self, id, uri)
            || requests_to_client::read(self, id, uri)
            || modern::read(self, id, uri, params)
            || super::notifications::read(self, id, uri)
            || reads::read(self, id, uri);
        if !done {
            self.text(id, uri, "hello");
        }
    }

    /// Answers a read with one block of text, or a call, which has no URI.
    pub(crate) fn text(&self, id: &Value, uri: &str, text: &str) {
        if uri == calls::NO_URI {
            let content = json!([{"type": "text", "text": text}]);
            self.result(id, json!({"content": content}));
            return;
        }
        let contents = json!([{"uri": uri, "mimeType": "text/plain", "text": text}]);
        self.result(id, json!({"contents": contents}));
    }
}
