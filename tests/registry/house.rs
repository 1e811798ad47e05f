//! A registry over plain servers, in one of the ways, and what every test does at its end.

use crate::{
    plain_http::PlainHttp,
    plain_server::{GLANCE, Plain, Then},
    wire::Wire,
};
use serde_json::Value;
use std::{
    env,
    path::{Path, PathBuf},
    sync::Arc,
};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream},
    sync::watch,
};
use vestibule::{
    config::Limits,
    domain::{Fault, HttpKind, ServerId, ServerSpec, Transport},
    registry::{Reading, Registry, RegistryBuilder, RegistryView, ServerView},
    sampling::SamplingService,
};

/// How the servers are reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    InProcess,
    Stdio,
    Http,
}

impl Way {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::InProcess => "in_process",
            Self::Stdio => "stdio",
            Self::Http => "http",
        }
    }
}

/// A registry that is being put together.
pub(crate) struct Setup {
    way: Way,
    builder: RegistryBuilder,
    running: watch::Sender<usize>,
    http: Vec<PlainHttp>,
    folder: TempDir,
}

/// An open registry.
pub(crate) struct House {
    pub(crate) registry: Registry,
    running: watch::Receiver<usize>,
    http: Vec<PlainHttp>,
    _folder: TempDir,
}

pub(crate) fn id(name: &str) -> ServerId {
    ServerId::new(name).expect("a name")
}

impl Setup {
    pub(crate) fn new(way: Way) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        Self {
            way,
            builder: Registry::builder(),
            running: watch::channel(0).0,
            http: Vec::new(),
            folder,
        }
    }

    /// A path that nothing is at yet.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn limits(mut self, limits: Limits) -> Self {
        self.builder = self.builder.limits(limits);
        self
    }

    /// Remembers eras in a folder.
    pub(crate) fn cache(mut self, folder: &Path) -> Self {
        self.builder = self.builder.cache_folder(folder);
        self
    }

    /// Connects servers again by itself.
    pub(crate) fn reconnecting(mut self) -> Self {
        self.builder = self.builder.reconnecting();
        self
    }

    /// Lets a server ask for model calls.
    pub(crate) fn sampling(mut self, name: &str, service: SamplingService) -> Self {
        self.builder = self.builder.with_sampling(&id(name), Arc::new(service));
        self
    }

    /// Adds an entry as it is.
    pub(crate) fn entry(mut self, spec: ServerSpec) -> Self {
        self.builder = self.builder.server(spec);
        self
    }

    /// Adds a plain server.
    pub(crate) fn server(self, name: &str, script: Value) -> Self {
        self.adjusted(name, script, |spec| spec)
    }

    /// Adds a plain server under an entry that is changed first.
    pub(crate) fn adjusted(
        mut self,
        name: &str,
        script: Value,
        adjust: impl FnOnce(ServerSpec) -> ServerSpec,
    ) -> Self {
        let spec = match self.way {
            Way::Stdio => {
                let program = env::current_exe().expect("a path").display().to_string();
                ServerSpec::stdio(name, program, ["serve".to_owned(), script.to_string()])
            }
            Way::InProcess => {
                let running = self.running.clone();
                let open = move || open(Plain::new(script.clone()), running.clone());
                self.builder = self.builder.hand_over(&id(name), Arc::new(open));
                ServerSpec::new(id(name), Transport::InProcess)
            }
            Way::Http => {
                let server = PlainHttp::start(script);
                let url = server.url();
                self.http.push(server);
                at(name, url)
            }
        };
        self.builder = self.builder.server(adjust(spec));
        self
    }

    /// Adds a server that ends at once.
    pub(crate) fn dead(mut self, name: &str) -> Self {
        self.builder = match self.way {
            Way::Stdio => self.builder.server(ServerSpec::stdio(name, "false", [""; 0])),
            Way::InProcess => self.builder.in_process(name, Arc::new(|| tokio::io::duplex(64).0)),
            // Nobody listens there.
            Way::Http => self.builder.server(at(name, "http://127.0.0.1:1/mcp".into())),
        };
        self
    }

    /// Adds a server whose program is not there.
    pub(crate) fn missing(self, name: &str) -> Self {
        self.entry(ServerSpec::stdio(name, "no-such-program-anywhere", [""; 0]))
    }

    pub(crate) fn open(self) -> House {
        let registry = self.builder.open().expect("names are different");
        House { registry, running: self.running.subscribe(), http: self.http, _folder: self.folder }
    }
}

/// The entry of a server at an address.
pub(crate) fn at(name: &str, url: String) -> ServerSpec {
    let kind = HttpKind::default();
    ServerSpec::new(id(name), Transport::Http { url, headers: Vec::new(), kind })
}

/// Starts a plain server inside this process; counts those that run.
fn open(mut server: Plain, running: watch::Sender<usize>) -> DuplexStream {
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    running.send_modify(|n| *n += 1);
    tokio::spawn(async move {
        tokio::time::sleep(server.slow()).await;
        let (reader, mut writer) = tokio::io::split(theirs);
        let mut lines = BufReader::new(reader).lines();
        'serving: while let Ok(Some(line)) = lines.next_line().await {
            while server.waits(&line) {
                tokio::time::sleep(GLANCE).await;
            }
            let Then::Say(answers) = server.take(&line) else { break };
            for answer in answers {
                if writer.write_all(format!("{answer}\n").as_bytes()).await.is_err() {
                    break 'serving;
                }
            }
        }
        running.send_modify(|n| *n -= 1);
    });
    ours
}

impl House {
    pub(crate) async fn until(&self, ready: impl Fn(&RegistryView) -> bool) -> Arc<RegistryView> {
        let mut watch = self.registry.watch();
        watch.wait_for(|view| ready(view)).await.expect("the registry is open").clone()
    }

    /// Waits until one server is in a state.
    pub(crate) async fn until_server(
        &self,
        name: &str,
        ready: impl Fn(&ServerView) -> bool,
    ) -> Arc<ServerView> {
        let view = self.until(|view| ready(view.server(&id(name)).expect("a server"))).await;
        view.server(&id(name)).expect("a server").clone()
    }

    pub(crate) async fn read(&self, address: &str, server: Option<&str>) -> Result<Reading, Fault> {
        self.registry.read_resource(address, server).await
    }

    /// The text of a resource of one block.
    pub(crate) async fn text(&self, address: &str, server: Option<&str>) -> String {
        let reading = self.read(address, server).await.expect("a reading");
        match &reading.contents[..] {
            [block] => match &block.body {
                vestibule::domain::ResourceBody::Text(text) => text.raw().to_owned(),
                other => panic!("no text: {other:?}"),
            },
            blocks => panic!("{} blocks", blocks.len()),
        }
    }

    /// The arguments that came to servers over HTTP in headers.
    pub(crate) fn mirrored(&self) -> Vec<(String, String)> {
        self.http.iter().flat_map(PlainHttp::mirrored).collect()
    }

    /// What a server has received of one method so far.
    pub(crate) async fn received(&self, server: &str, method: &str) -> Vec<Value> {
        let log: Vec<Value> =
            serde_json::from_str(&self.text("plain:log", Some(server)).await).expect("JSON");
        log.into_iter().filter(|message| message["method"] == method).collect()
    }

    /// Closes, sees everything end, and holds what was sent against the schema, the last
    /// cancellations too.
    pub(crate) async fn close(mut self) {
        self.registry.close().await;
        self.all_ended().await;
        let wire = Wire::new();
        let view = self.registry.view();
        let mut checked = 0;
        for server in &view.servers {
            checked += wire.check_traffic(&self.registry.traffic(&server.id)).expect("the schema");
        }
        assert!(checked > 0, "nothing was sent");
        let wrong: Vec<String> = self.http.iter().flat_map(PlainHttp::wrong).collect();
        assert!(wrong.is_empty(), "the transport forbids: {wrong:#?}");
    }

    /// Waits until no server inside this process runs.
    pub(crate) async fn all_ended(&mut self) {
        self.running.wait_for(|n| *n == 0).await.expect("the count of servers");
    }
}
