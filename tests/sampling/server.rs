//! A server that a test plays line by line.

use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};
use vestibule::registry::InProcess;

/// How the server wants to be opened.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Era {
    Legacy,
    Modern,
}

type Streams = (Lines<BufReader<ReadHalf<DuplexStream>>>, WriteHalf<DuplexStream>);

/// The server's side of the pipe.
pub(crate) struct Server {
    pending: Arc<Mutex<Option<DuplexStream>>>,
    streams: Option<Streams>,
    /// What the client said it can do.
    pub(crate) client_capabilities: Value,
    /// The last line read, as it was on the wire.
    pub(crate) line: String,
}

impl Server {
    /// A server, and what a registry opens to reach it.
    pub(crate) fn scripted() -> (Self, Arc<dyn InProcess>) {
        let pending = Arc::new(Mutex::new(None));
        let slot = pending.clone();
        let opener = move || {
            let (near, far) = tokio::io::duplex(1 << 16);
            *slot.lock().unwrap() = Some(far);
            near
        };
        let server =
            Self { pending, streams: None, client_capabilities: Value::Null, line: String::new() };
        (server, Arc::new(opener))
    }

    /// Answers the opening and the lists: one resource, nothing else.
    pub(crate) async fn shake_hands(&mut self, era: Era) {
        let far = loop {
            if let Some(far) = self.pending.lock().unwrap().take() {
                break far;
            }
            tokio::task::yield_now().await;
        };
        let (reader, writer) = tokio::io::split(far);
        self.streams = Some((BufReader::new(reader).lines(), writer));
        let discover = self.receive().await;
        assert_eq!(discover["method"], "server/discover");
        let capabilities = json!({"resources": {}});
        if era == Era::Modern {
            let meta = &discover["params"]["_meta"];
            self.client_capabilities = meta["io.modelcontextprotocol/clientCapabilities"].clone();
            self.answer(&discover, json!({"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": capabilities, "ttlMs": 0, "cacheScope": "private"})).await;
        } else {
            self.send(json!({"jsonrpc": "2.0", "id": discover["id"], "error": {"code": -32601, "message": "no"}})).await;
            let initialize = self.receive().await;
            assert_eq!(initialize["method"], "initialize");
            self.client_capabilities = initialize["params"]["capabilities"].clone();
            self.answer(&initialize, json!({"protocolVersion": "2025-11-25", "capabilities": capabilities, "serverInfo": {"name": "scripted", "version": "1"}})).await;
            assert_eq!(self.receive().await["method"], "notifications/initialized");
        }
        let list = self.receive().await;
        assert_eq!(list["method"], "resources/list");
        self.answer(
            &list,
            json!({"resultType": "complete", "resources": [{"uri": "a://x", "name": "x"}]}),
        )
        .await;
        let list = self.receive().await;
        assert_eq!(list["method"], "resources/templates/list");
        self.answer(&list, json!({"resultType": "complete", "resourceTemplates": []})).await;
    }

    /// The next message.
    pub(crate) async fn receive(&mut self) -> Value {
        let (lines, _) = self.streams.as_mut().expect("an open pipe");
        self.line = lines.next_line().await.expect("a pipe").expect("a line");
        serde_json::from_str(&self.line).expect("JSON")
    }

    /// Sends a message.
    pub(crate) async fn send(&mut self, message: Value) {
        let (_, writer) = self.streams.as_mut().expect("an open pipe");
        writer.write_all(format!("{message}\n").as_bytes()).await.expect("written");
    }

    /// Answers a request.
    pub(crate) async fn answer(&mut self, request: &Value, result: Value) {
        self.send(json!({"jsonrpc": "2.0", "id": request["id"], "result": result})).await;
    }

    /// Answers a read.
    pub(crate) async fn answer_read(&mut self, request: &Value, text: &str) {
        let contents = json!([{"uri": "a://x", "text": text}]);
        self.answer(request, json!({"resultType": "complete", "contents": contents})).await;
    }

    /// Goes away.
    pub(crate) fn hang_up(&mut self) {
        self.streams = None;
    }
}

/// A small sampling request.
pub(crate) fn ask() -> Value {
    json!({
        "messages": [{"role": "user", "content": {"type": "text", "text": "how are you?"}}],
        "systemPrompt": "be brief", "maxTokens": 100, "vendor": {"kept": true},
    })
}
