//! A small, well-behaved server that does what a script says: over a pipe inside this process or
//! as a child process, in either era, the same either way.

#[path = "plain_calls.rs"]
mod calls;

use serde_json::{Map, Value, json};
use std::{
    fs::OpenOptions,
    io::{BufRead as _, Write as _},
    path::Path,
    time::Duration,
};

/// What a server lists, and what it does with its questions. Everything is optional.
///
/// | member | meaning |
/// |---|---|
/// | `era` | `legacy` (the default) or `modern` |
/// | `version` | what it answers to `initialize`; what was asked for if absent |
/// | `resources`, `templates`, `prompts`, `tools` | the items of the lists; a list that is there is offered |
/// | `page` | items on a page; all on one if absent |
/// | `cursors` | the cursor behind page one, two, … |
/// | `contents` | URI to blocks |
/// | `refuse` | method to error code, or to a whole error: answered with that |
/// | `completion` | what it answers to `completion/complete`; offered if it is there |
/// | `subscriptions` | the URIs that it agrees to watch; offered if it is there |
/// | `tells` | notifications that it sends when `plain:tell` is read; the text `STREAM` in them is the id of the open stream |
/// | `hold` | URIs and methods that are never answered |
/// | `die_on`, `marker` | a URI that ends the server while the file `marker` is absent |
/// | `die` | methods that end the server: once if a `marker` is named, else each time |
/// | `needs` | a file without which it ends at the first line |
/// | `last_words` | how a child ends: `stdout` and `stderr` are written, `code` is its exit code |
/// | `slow` | milliseconds before it reads anything |
/// | `gate` | a file; while it is there, lists wait |
/// | `die_cancelled` | ends when a request is cancelled |
/// | `asks` | requests that it sends once the handshake is done |
/// | `rounds` | results that it gives before the usual one to what may be asked back for; reads of `plain:` are left out |
/// | `calls` | tool to how it is called: `progress` (params of notifications), `result`, `hold` (no answer), `late` (answered when it is cancelled), `twice`, `ask` (params of a sampling request that it waits for), `die`; an echo if absent |
/// | `asks_apart` | over HTTP it asks on its own stream, not on the call's |
/// | `record` | a file that every line is added to as it comes in; the process id is in `record`.pid |
/// | `mute` | reads and never answers anything |
#[derive(Clone)]
pub(crate) struct Plain {
    script: Value,
    /// Every line that came in, kept for `plain:log`.
    log: Vec<Value>,
    /// Ids of requests that were cancelled; listed as resources `seen:cancelled/ID`.
    cancelled: Vec<Value>,
    /// The id of the open stream of news.
    stream: Value,
    /// Calls that wait for something: the id of what it asked or `late` and the call's own id.
    open: Vec<(Value, Value)>,
}

/// Where a notification says to which stream it belongs.
const STREAM_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// How long lies between two looks at a gate.
pub(crate) const GLANCE: Duration = Duration::from_millis(5);

/// What follows a line.
pub(crate) enum Then {
    /// These lines are written.
    Say(Vec<Value>),
    /// The server ends without a word.
    Die,
}

impl Plain {
    pub(crate) fn new(script: Value) -> Self {
        Self {
            script,
            log: Vec::new(),
            cancelled: Vec::new(),
            stream: Value::Null,
            open: Vec::new(),
        }
    }

    /// How long it takes to start.
    pub(crate) fn slow(&self) -> Duration {
        Duration::from_millis(self.script["slow"].as_u64().unwrap_or(0))
    }

    /// Whether a line stands before a closed gate.
    pub(crate) fn waits(&self, line: &str) -> bool {
        let gate = self.script["gate"].as_str().map(Path::new);
        line.contains("/list\"") && gate.is_some_and(Path::exists)
    }

    /// Serves on standard input and output until the input ends; gives the exit code.
    pub(crate) fn serve(mut self) -> std::io::Result<u8> {
        std::thread::sleep(self.slow());
        let mut out = std::io::stdout().lock();
        for line in std::io::stdin().lock().lines() {
            let line = line?;
            while self.waits(&line) {
                std::thread::sleep(GLANCE);
            }
            match self.take(&line) {
                Then::Say(answers) => {
                    for answer in answers {
                        writeln!(out, "{answer}")?;
                    }
                    out.flush()?;
                }
                Then::Die => {
                    let last = &self.script["last_words"];
                    write!(std::io::stderr(), "{}", last["stderr"].as_str().unwrap_or_default())?;
                    write!(out, "{}", last["stdout"].as_str().unwrap_or_default())?;
                    out.flush()?;
                    let code = last["code"].as_u64().unwrap_or(0);
                    return Ok(u8::try_from(code).expect("a code"));
                }
            }
        }
        Ok(0)
    }

    /// Takes one line.
    pub(crate) fn take(&mut self, line: &str) -> Then {
        let message: Value = serde_json::from_str(line).expect("the client sends JSON");
        self.log.push(message.clone());
        if let Some(path) = self.script["record"].as_str() {
            let id = std::process::id().to_string();
            std::fs::write(format!("{path}.pid"), id).expect("a record");
            let file = OpenOptions::new().append(true).create(true).open(path);
            file.and_then(|mut file| writeln!(file, "{line}")).expect("a record");
        }
        if self.script["mute"] == true {
            return Then::Say(Vec::new());
        }
        let method = message["method"].as_str().unwrap_or_default();
        let needed = self.script["needs"].as_str().map(Path::new);
        if needed.is_some_and(|path| !path.exists()) || self.ends_with(method) {
            return Then::Die;
        }
        let Some(id) = message.get("id") else {
            return self.noted(method, &message);
        };
        if method.is_empty() {
            return self.answered(&message);
        }
        if self.holds(method) {
            return Then::Say(Vec::new());
        }
        let uri = message["params"]["uri"].as_str().unwrap_or_default();
        if method == "resources/read" {
            if self.holds(uri) {
                return Then::Say(Vec::new());
            }
            if self.dies_on(uri) {
                return Then::Die;
            }
        }
        if method == "subscriptions/listen" && self.script.get("subscriptions").is_some() {
            return self.listen(id, &message["params"]["notifications"]);
        }
        if let Some(result) = self.round(method, uri) {
            return Then::Say(vec![json!({"jsonrpc": "2.0", "id": id, "result": result})]);
        }
        let name = message["params"]["name"].as_str().unwrap_or_default();
        if method == "tools/call"
            && let Some(script) = self.script["calls"].get(name).cloned()
        {
            return self.call(id, &message["params"], &script);
        }
        let mut lines = self.aside(uri);
        let mut answer = match self.answer(method, &message["params"]) {
            Ok(result) => json!({"jsonrpc": "2.0", "result": result}),
            Err((code, why)) => {
                let error = match self.script["refuse"].get(method) {
                    Some(whole) if whole.is_object() => whole.clone(),
                    _ => json!({"code": code, "message": why}),
                };
                json!({"jsonrpc": "2.0", "error": error})
            }
        };
        answer["id"] = id.clone();
        if self.is_modern() && answer.get("result").is_some() {
            answer["result"]["resultType"] = "complete".into();
            answer["result"]["ttlMs"] = 0.into();
            answer["result"]["cacheScope"] = "private".into();
        }
        lines.push(answer);
        Then::Say(lines)
    }

    /// Takes a notification.
    fn noted(&mut self, method: &str, message: &Value) -> Then {
        if method == "notifications/cancelled" {
            if self.script["die_cancelled"] == true {
                return Then::Die;
            }
            let id = message["params"]["requestId"].clone();
            self.cancelled.push(id.clone());
            let changed = "notifications/resources/list_changed";
            let mut lines = vec![json!({"jsonrpc": "2.0", "method": changed})];
            let late = (json!("late"), id);
            if self.open.contains(&late) {
                lines.push(self.called(&late.1, json!({"content": []})));
            }
            return Then::Say(lines);
        }
        if method == "notifications/initialized" {
            return Then::Say(self.script["asks"].as_array().cloned().unwrap_or_default());
        }
        Then::Say(Vec::new())
    }

    /// Whether it asks on its own stream.
    pub(crate) fn asks_apart(&self) -> bool {
        self.script["asks_apart"] == true
    }

    /// Opens a stream of news; it is answered when it ends.
    fn listen(&mut self, id: &Value, filter: &Value) -> Then {
        let asked = filter["resourceSubscriptions"].as_array().cloned().unwrap_or_default();
        if asked.iter().any(|uri| uri == "bad:uri") {
            let error = json!({"code": -32602, "message": "a bad URI"});
            return Then::Say(vec![json!({"jsonrpc": "2.0", "id": id, "error": error})]);
        }
        self.stream = id.clone();
        let granted: Vec<Value> = asked.into_iter().filter(|uri| self.agrees(uri)).collect();
        let meta = json!({STREAM_ID: id});
        Then::Say(vec![json!({
            "jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
            "params": {"notifications": {"resourceSubscriptions": granted}, "_meta": meta},
        })])
    }

    fn agrees(&self, uri: &Value) -> bool {
        self.script["subscriptions"].as_array().is_some_and(|agreed| agreed.contains(uri))
    }

    /// What is sent before the answer to a read.
    fn aside(&mut self, uri: &str) -> Vec<Value> {
        match uri {
            "plain:tell" => {
                let tells = self.script["tells"].to_string();
                let tells = tells.replace("\"STREAM\"", &self.stream.to_string());
                serde_json::from_str(&tells).expect("notifications")
            }
            "plain:end" => {
                let id = std::mem::take(&mut self.stream);
                let result = json!({"resultType": "complete", "_meta": {STREAM_ID: id}});
                vec![json!({"jsonrpc": "2.0", "id": id, "result": result})]
            }
            _ => Vec::new(),
        }
    }

    fn is_modern(&self) -> bool {
        self.script["era"] == "modern"
    }

    fn holds(&self, uri: &str) -> bool {
        self.script["hold"].as_array().is_some_and(|held| held.iter().any(|h| h == uri))
    }

    fn dies_on(&self, uri: &str) -> bool {
        self.script["die_on"] == uri && self.has_not_died()
    }

    fn ends_with(&self, method: &str) -> bool {
        let fatal = self.script["die"].as_array();
        fatal.is_some_and(|fatal| fatal.iter().any(|f| f == method)) && self.has_not_died()
    }

    /// Whether it may die, which is done once where a marker is named.
    fn has_not_died(&self) -> bool {
        let Some(marker) = self.script["marker"].as_str().map(Path::new) else { return true };
        !marker.exists() && {
            std::fs::write(marker, "it died once").expect("a marker");
            true
        }
    }

    fn answer(&self, method: &str, params: &Value) -> Result<Value, (i64, String)> {
        if let Some(refusal) = self.script["refuse"].get(method) {
            let code = refusal.as_i64().unwrap_or_default();
            return Err((code, format!("this server refuses {method}")));
        }
        match (method, self.is_modern()) {
            ("initialize", false) => Ok(json!({
                "protocolVersion": self.script.get("version").unwrap_or(&params["protocolVersion"]),
                "capabilities": self.capabilities(),
                "serverInfo": {"name": "plain", "version": "1"},
            })),
            ("server/discover", true) => Ok(json!({
                "supportedVersions": ["2026-07-28"],
                "capabilities": self.capabilities(),
                "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "plain", "version": "1"}},
            })),
            ("ping", false) => Ok(json!({})),
            ("resources/list", _) => self.page("resources", params),
            ("resources/templates/list", _) => self.page("templates", params),
            ("prompts/list", _) => self.page("prompts", params),
            ("tools/list", _) => self.page("tools", params),
            ("resources/read", _) => self.read(params["uri"].as_str().unwrap_or_default()),
            ("prompts/get", _) => Ok(self.echo(params)),
            ("tools/call", _) => {
                let text = params.get("arguments").unwrap_or(&Value::Null).to_string();
                Ok(json!({"content": [{"type": "text", "text": text}]}))
            }
            ("resources/subscribe" | "resources/unsubscribe", false) => {
                if self.agrees(&params["uri"]) {
                    return Ok(json!({}));
                }
                Err((-32602, "this server does not watch it".into()))
            }
            ("completion/complete", _) if self.script.get("completion").is_some() => {
                Ok(json!({"completion": self.script["completion"]}))
            }
            _ => Err((-32601, format!("no method {method}"))),
        }
    }

    fn capabilities(&self) -> Value {
        let mut offered = Map::new();
        for (list, capability) in [
            ("resources", "resources"),
            ("templates", "resources"),
            ("prompts", "prompts"),
            ("tools", "tools"),
        ] {
            if self.script.get(list).is_some() {
                offered.insert(capability.into(), json!({"listChanged": true}));
            }
        }
        if self.script.get("subscriptions").is_some() {
            offered["resources"]["subscribe"] = true.into();
        }
        if self.script.get("completion").is_some() {
            offered.insert("completions".into(), json!({}));
        }
        offered.into()
    }

    fn page(&self, list: &str, params: &Value) -> Result<Value, (i64, String)> {
        let mut items = self.script[list].as_array().cloned().unwrap_or_default();
        let cursors = self.script["cursors"].as_array().cloned().unwrap_or_default();
        if list == "resources" {
            items.extend(self.cancelled.iter().map(|id| {
                json!({"uri": format!("seen:cancelled/{id}"), "name": format!("cancelled {id}")})
            }));
        }
        let size = self.script["page"].as_u64().map_or(usize::MAX, |n| n as usize);
        let page = match params.get("cursor") {
            None => 0,
            Some(cursor) => match cursors.iter().position(|known| known == cursor) {
                Some(n) => n + 1,
                None => return Err((-32602, format!("never gave the cursor {cursor}"))),
            },
        };
        let start = size.saturating_mul(page).min(items.len());
        let end = start.saturating_add(size).min(items.len());
        let mut result = Map::new();
        let key = if list == "templates" { "resourceTemplates" } else { list };
        result.insert(key.into(), items[start..end].to_vec().into());
        if end < items.len() {
            result.insert("nextCursor".into(), cursors[page].clone());
        }
        Ok(result.into())
    }

    fn read(&self, uri: &str) -> Result<Value, (i64, String)> {
        let text = |text: String| Ok(json!({"contents": [{"uri": uri, "text": text}]}));
        match uri {
            "plain:log" => text(Value::from(self.log.clone()).to_string()),
            "plain:tell" | "plain:end" => text("done".into()),
            "plain:pid" => text(std::process::id().to_string()),
            _ => match self.script["contents"].get(uri) {
                Some(blocks) => Ok(json!({"contents": blocks})),
                None => Err((-32002, format!("no resource {uri}"))),
            },
        }
    }

    /// Answers with what was asked, so that a test sees what arrived.
    fn echo(&self, params: &Value) -> Value {
        let text = json!({"name": params["name"], "arguments": params.get("arguments")});
        let content = json!({"type": "text", "text": text.to_string()});
        json!({"description": "an echo", "messages": [{"role": "user", "content": content}]})
    }
}
