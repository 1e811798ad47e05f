//! The same servers over HTTP: Streamable HTTP, and the older HTTP+SSE.

use crate::{
    asking,
    installed::{close, command, facts, id, text},
};
use std::{
    net::{TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};
use vestibule::{
    domain::{Content, Era, EraChoice, FaultKind, HttpKind, ResourceBody, ServerSpec, Transport},
    registry::Registry,
};

/// How long a server may take to listen.
const START: Duration = Duration::from_secs(60);

/// A server of somebody else, listening on this machine.
struct Served {
    child: Child,
    port: u16,
}

impl Served {
    /// Starts one; `None` of the words stands for the port.
    fn start(name: &str, words: &[Option<&str>]) -> Self {
        let any = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = any.local_addr().expect("an address").port();
        drop(any);
        let mut line = command(name);
        let number = port.to_string();
        line.extend(words.iter().map(|word| word.unwrap_or(&number).to_owned()));
        let child = Command::new(&line[0])
            .args(&line[1..])
            .env("PORT", &number)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let served = Self { child, port };
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(began.elapsed() < START, "{name} does not listen");
            std::thread::sleep(Duration::from_millis(50));
        }
        served
    }

    fn everything(kind: &str) -> Self {
        Self::start("everything", &[Some(kind)])
    }

    fn python(kind: &str) -> Self {
        Self::start("python", &[Some(kind), None])
    }

    fn spec(&self, name: &str, path: &str, kind: HttpKind, era: EraChoice) -> ServerSpec {
        let url = format!("http://127.0.0.1:{}/{path}", self.port);
        ServerSpec::new(id(name), Transport::Http { url, headers: Vec::new(), kind }).era(era)
    }

    fn open(&self, path: &str, kind: HttpKind, era: EraChoice) -> Registry {
        Registry::open(vec![self.spec("served", path, kind, era)]).expect("one server")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn the_test_server_is_the_same_over_both_kinds_of_http() {
    for (kind, path) in [("streamableHttp", "mcp"), ("sse", "sse")] {
        let served = Served::everything(kind);
        // The kind is found out.
        let registry = served.open(path, HttpKind::Streamable, EraChoice::Auto);
        let view = registry.settled().await;
        let facts = facts(&view, "served");
        assert_eq!((facts.era, facts.version.as_str()), (Era::Legacy, "2025-11-25"), "{kind}");
        assert_eq!(facts.era_reason.contains("HTTP+SSE"), kind == "sse", "{facts:?}");
        let lists = &view.server(&id("served")).expect("a server").lists;
        assert!(lists.resources.items.len() >= 7 && lists.tools.items.len() >= 10);
        let read = registry.read_resource("demo://resource/dynamic/text/1", None).await;
        assert!(text(&read.expect("a reading")).starts_with("Resource 1"));
        let given = [("city".to_owned(), "São \"Paulo\"\n--x".to_owned())];
        let done = registry.get_prompt("args-prompt", &given, None).await.expect("a prompt");
        let Content::Text { text, .. } = &done.prompt.messages[0].content[0] else { panic!() };
        assert_eq!(text.raw(), "What's weather in São \"Paulo\"\n--x?");
        close(registry).await;
    }
}

#[tokio::test]
async fn a_server_of_ours_is_the_same_over_every_kind_of_answer() {
    for kind in ["http", "json"] {
        let served = Served::python(kind);
        for (path, http, choice, era) in [
            ("mcp", HttpKind::Streamable, EraChoice::Auto, Era::Modern),
            ("mcp", HttpKind::Streamable, EraChoice::Legacy, Era::Legacy),
            ("sse", HttpKind::Sse, EraChoice::Auto, Era::Legacy),
            ("sse", HttpKind::Streamable, EraChoice::Auto, Era::Legacy),
        ] {
            let registry = served.open(path, http, choice);
            let view = registry.settled().await;
            assert_eq!(facts(&view, "served").era, era, "{kind} {path}");
            assert_eq!(registry.list_resources().await.len(), 5);
            let read = registry.read_resource("py:item/2", None).await.expect("a blob");
            assert!(matches!(&read.contents[0].body, ResourceBody::Blob(b) if b.len() == 6));
            let fault = registry.read_resource("py:ask", None).await.expect_err("never offered");
            let expected =
                if era == Era::Modern { FaultKind::Protocol } else { FaultKind::ServerError };
            // In one piece there is no way to ask before the answer.
            if kind == "http" || era == Era::Modern {
                assert_eq!(fault.kind, expected, "{fault:?}");
            }
            close(registry).await;
        }
    }
}

#[tokio::test]
async fn a_change_that_is_told_on_the_stream_for_news_is_listed_again() {
    let served = Served::python("http");
    let registry = served.open("mcp", HttpKind::Streamable, EraChoice::Legacy);
    assert_eq!(registry.list_resources().await.len(), 5);
    registry.read_resource("py:grow", Some("served")).await.expect("a reading");
    let mut watch = registry.watch();
    let six = watch.wait_for(|view| view.catalogue.resources.len() == 6);
    let six = tokio::time::timeout(Duration::from_secs(20), six).await;
    assert!(six.expect("in time").is_ok());
    close(registry).await;
}

#[tokio::test]
async fn an_approved_answer_reaches_the_server_over_http_in_both_eras() {
    let served = Served::python("http");
    for (path, kind, era) in [
        ("mcp", HttpKind::Streamable, EraChoice::Auto),
        ("mcp", HttpKind::Streamable, EraChoice::Legacy),
        ("sse", HttpKind::Sse, EraChoice::Legacy),
    ] {
        let registry = asking::open_all_yes(served.spec("python", path, kind, era));
        let reading = registry.read_resource("py:ask", None).await.expect("a reading");
        assert!(text(&reading).starts_with("forty-two"));
        close(registry).await;
    }
}
