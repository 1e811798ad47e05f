//! The built-in servers for other clients: over standard input and output, and over HTTP.

use crate::run::{Home, finish, quiet};
use serde_json::{Value, json};
use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// Longer than an answer takes on a slow machine.
const PATIENCE: Duration = Duration::from_secs(20);

fn initialize() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "test", "version": "0"}}})
}

fn initialized() -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/initialized"})
}

fn list(id: u64) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "resources/list"})
}

/// A request of the modern era.
fn modern(method: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "0"},
        "io.modelcontextprotocol/clientCapabilities": {}}}})
}

/// Runs `demo --stdio` over these lines, and gives back its lines.
fn spoken(words: &[&str], lines: &[Value]) -> Vec<Value> {
    let home = Home::new();
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let file = std::fs::File::open(home.write("input", &text)).expect("the input");
    let ended = finish(home.command(words).stdin(file));
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{words:?}");
    ended.text().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn a_client_that_starts_it_is_served_until_the_input_ends() {
    let lines = [initialize(), initialized(), list(2), list(3)];
    let mut answers = spoken(&["demo", "--stdio"], &lines);
    answers.sort_by_key(|answer| answer["id"].as_u64());
    assert_eq!(answers.len(), 3, "what was asked before the end is answered: {answers:?}");
    assert_eq!(answers[0]["result"]["serverInfo"]["name"], "library");
    assert_eq!(answers[1]["result"]["resources"][0]["uri"], "demo://welcome");
    assert_eq!(answers[1]["result"], answers[2]["result"]);

    let lines = [modern("server/discover")];
    let answers = spoken(&["demo", "observatory", "--stdio"], &lines);
    assert_eq!(answers[0]["result"]["supportedVersions"], json!(["2026-07-28"]));
}

#[test]
fn it_is_a_server_of_this_program_as_of_any() {
    let program = env!("CARGO_BIN_EXE_vestibule");
    let own = quiet(&["resources", "--json", "--server", "library", "--demo"]);
    let served = quiet(&["resources", "--json", "--", program, "demo", "--stdio"]);
    let uris = |value: Value| -> Vec<Value> {
        value.as_array().expect("rows").iter().map(|row| row["uri"].clone()).collect()
    };
    assert_eq!(uris(served.json()), uris(own.json()));
}

#[test]
fn one_road_has_to_be_named_and_nothing_about_other_servers() {
    for (words, named) in [
        (&["demo"][..], "--stdio"),
        (&["demo", "--stdio", "--http", "0"], "--http"),
        (&["demo", "--http", "65536"], "65536"),
        (&["demo", "museum", "--stdio"], "museum"),
        (&["--json", "demo", "--stdio"], "`demo` is a server itself"),
        (&["demo", "--stdio", "--", "npx", "x"], "`demo` is a server itself"),
    ] {
        let ended = Home::new().run(words);
        assert_eq!((ended.code, ended.text()), (Some(2), ""), "{words:?}");
        assert!(ended.err.contains(named), "{words:?}: {}", ended.err);
    }
}

#[test]
fn a_port_that_is_in_use_is_told() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let ended = Home::new().run(&["demo", "--http", &port]);
    assert_eq!((ended.code, ended.text()), (Some(4), ""));
    assert!(ended.err.contains(&format!("port {port} of 127.0.0.1 is in use")), "{}", ended.err);
}

/// `demo --http 0`, running; ended when it is dropped.
struct Served {
    child: Child,
    /// Name and address, as they were printed.
    addresses: Vec<(String, String)>,
    _home: Home,
}

impl Served {
    fn start(words: &[&str]) -> Self {
        let home = Home::new();
        let mut command: Command = home.command(words);
        let mut child = command.stdin(Stdio::null()).spawn().expect("the program starts");
        let err = BufReader::new(child.stderr.take().expect("a pipe"));
        let line = |line: std::io::Result<String>| {
            let line = line.expect("UTF-8");
            let words = line.strip_prefix("serving ").expect("the address");
            let (name, address) = words.split_once(" at http://").expect("the address");
            (name.to_owned(), address.to_owned())
        };
        let addresses = err.lines().take(3).map(line).collect();
        Self { child, addresses, _home: home }
    }

    /// Writes a request to one path and gives back the open answer behind its head.
    fn ask(&self, path: &str, method: &str, headers: &[&str], body: &str) -> Answer {
        let (host, _) = self.addresses[0].1.split_once('/').expect("a path");
        let mut stream = TcpStream::connect(host).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("set");
        let mut head = format!("{method} {path} HTTP/1.1\r\n");
        if !headers.iter().any(|line| line.starts_with("Host:")) {
            head.push_str(&format!("Host: {host}\r\n"));
        }
        for line in headers {
            head.push_str(&format!("{line}\r\n"));
        }
        head.push_str("Accept: application/json, text/event-stream\r\nConnection: close\r\n");
        head.push_str("Content-Type: application/json\r\n");
        head.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        stream.write_all(head.as_bytes()).expect("written");
        Answer::read(stream)
    }

    fn post(&self, path: &str, headers: &[&str], body: &Value) -> Answer {
        self.ask(path, "POST", headers, &body.to_string())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Answer {
    status: u16,
    /// `name: value`, names in lower case.
    headers: Vec<String>,
    body: BufReader<TcpStream>,
}

impl Answer {
    fn read(stream: TcpStream) -> Self {
        let mut body = BufReader::new(stream);
        let mut line = || {
            let mut line = String::new();
            body.read_line(&mut line).expect("a line");
            line.trim_end().to_owned()
        };
        let status = line().split(' ').nth(1).expect("a status").parse().expect("a number");
        let headers = std::iter::from_fn(|| Some(line()).filter(|line| !line.is_empty())).collect();
        Self { status, headers, body }
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    /// The first message in its body, whether in an event or alone.
    fn message(self) -> Value {
        let message = |line: std::io::Result<String>| {
            let line = line.expect("UTF-8");
            serde_json::from_str(line.strip_prefix("data: ").unwrap_or(&line)).ok()
        };
        self.body.lines().filter_map(message).find(Value::is_object).expect("a message")
    }
}

const MODERN: [&str; 2] = ["MCP-Protocol-Version: 2026-07-28", "Mcp-Method: server/discover"];

#[test]
fn over_http_the_library_is_there_with_sessions_and_the_observatory_without() {
    let served = Served::start(&["demo", "--http", "0"]);
    let names: Vec<&str> = served.addresses.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["library", "library", "observatory"]);
    for (_, address) in &served.addresses {
        assert!(address.starts_with("127.0.0.1:"), "{address}");
    }

    let hello = served.post("/mcp", &[], &initialize());
    assert_eq!(hello.status, 200);
    let session = format!("Mcp-Session-Id: {}", hello.header("mcp-session-id").expect("an id"));
    assert_eq!(hello.message()["result"]["serverInfo"]["name"], "library");
    let headers = [session.as_str(), "MCP-Protocol-Version: 2025-11-25"];
    assert_eq!(served.post("/mcp", &headers, &initialized()).status, 202);
    let listed = served.post("/mcp", &headers, &list(2)).message();
    assert_eq!(listed["result"]["resources"][0]["uri"], "demo://welcome");

    let found = served.post("/observatory", &MODERN, &modern("server/discover"));
    assert_eq!((found.status, found.header("mcp-session-id")), (200, None));
    assert_eq!(found.message()["result"]["supportedVersions"], json!(["2026-07-28"]));
    let headers = [MODERN[0], "Mcp-Method: resources/list"];
    let listed = served.post("/observatory", &headers, &modern("resources/list")).message();
    assert_eq!(listed["result"]["resources"][0]["uri"], "demo://welcome");

    let refused = served.post("/library", &MODERN, &modern("server/discover"));
    assert_eq!(refused.status, 400);
    let error = refused.message()["error"].take();
    assert_eq!(error["code"], -32022);
    assert_eq!(error["data"]["supported"][3], "2025-11-25");
}

#[test]
fn over_http_the_server_that_was_named_comes_first() {
    let served = Served::start(&["demo", "observatory", "--http", "0"]);
    assert_eq!(served.addresses[0].0, "observatory");
    assert!(served.addresses[0].1.ends_with("/mcp"));
    assert_eq!(served.post("/mcp", &MODERN, &modern("server/discover")).status, 200);
}

#[test]
fn strangers_are_refused() {
    let served = Served::start(&["demo", "--http", "0"]);
    for (header, status) in [
        ("Origin: http://example.com", 403),
        ("Origin: null", 403),
        ("Host: example.com", 403),
        ("Origin: http://localhost:3000", 200),
        ("X-Other: header", 200),
    ] {
        assert_eq!(served.post("/mcp", &[header], &initialize()).status, status, "{header}");
    }
    for path in ["/", "/mcp/more", "/museum"] {
        assert_eq!(served.post(path, &[], &initialize()).status, 404, "{path}");
    }
    assert_eq!(served.ask("/mcp", "PUT", &[], "").status, 405);
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it_soon_also_with_open_streams() {
    use rustix::process::{Pid, Signal, kill_process};
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let mut served = Served::start(&["demo", "--http", "0"]);
        let hello = served.post("/mcp", &[], &initialize());
        let session = format!("Mcp-Session-Id: {}", hello.header("mcp-session-id").expect("an id"));
        let headers = [session.as_str(), "MCP-Protocol-Version: 2025-11-25"];
        assert_eq!(served.post("/mcp", &headers, &initialized()).status, 202);
        let mut stream = served.ask("/mcp", "GET", &headers, "");
        assert_eq!(stream.header("content-type"), Some("text/event-stream"));

        let began = Instant::now();
        let id = Pid::from_raw(served.child.id().cast_signed()).expect("an id");
        kill_process(id, signal).expect("it runs");
        assert_eq!(served.child.wait().expect("it ends").code(), Some(code));
        assert!(began.elapsed() < Duration::from_secs(5), "took {:?}", began.elapsed());
        let mut rest = Vec::new();
        stream.body.read_to_end(&mut rest).expect("the end of the stream, not a reset");
        assert!(rest.ends_with(b"0\r\n\r\n"), "{:?}", String::from_utf8_lossy(&rest));
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it_while_it_waits_for_a_client() {
    use rustix::process::{Pid, Signal, kill_process};
    let home = Home::new();
    let mut child = home.command(&["demo", "--stdio"]).stdin(Stdio::piped()).spawn().expect("it");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(format!("{}\n", initialize()).as_bytes()).expect("written");
    let mut answer = String::new();
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    out.read_line(&mut answer).expect("an answer");
    let began = Instant::now();
    let id = Pid::from_raw(child.id().cast_signed()).expect("an id");
    kill_process(id, Signal::TERM).expect("it runs");
    assert_eq!(child.wait().expect("it ends").code(), Some(143));
    assert!(began.elapsed() < Duration::from_secs(5), "took {:?}", began.elapsed());
    let err = std::io::read_to_string(child.stderr.take().expect("a pipe")).expect("UTF-8");
    assert_eq!(err, "");
}
