//! Runs a row: the faulty server beside a good one, in one registry.

use crate::{
    expect::{Differences, LinkExpected, ReadExpected, Times},
    http, processes,
    row::{Row, Way},
    server::InProcessServer,
    wire::Wire,
};
use libtest_mimic::{Failed, Trial};
use std::{
    future::Future,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use vestibule::{
    domain::{Link, ListingState, ServerId, ServerSpec, UntrustedText},
    registry::{Noise, Registry, RegistryView, ServerView, ToolCall},
};

/// How long closing may take: end of input, TERM and KILL, each with its grace.
const CLOSED_WITHIN: Duration = Duration::from_millis(4000);
/// How long counts and lines may take to arrive after their cause was seen.
const ARRIVES_WITHIN: Duration = Duration::from_secs(5);

/// The name of the server under test.
pub(crate) const FAULTY: &str = "faulty";
/// The name of the good server beside it.
const NEIGHBOUR: &str = "neighbour";

/// The trials of a row.
pub(crate) fn of(row: Row, wire: &Arc<Wire>) -> Vec<Trial> {
    let trial = |name: String, way: Way| {
        let (row, wire) = (row.clone(), wire.clone());
        Trial::test(name, move || block_on(run(row, way, &wire)))
    };
    match &row.counts {
        Some(_) => vec![trial(format!("http::{}", row.name), Way::Http)],
        None => {
            let mut trials = Vec::new();
            if row.in_process {
                trials.push(trial(format!("faults::{}::in_process", row.name), Way::InProcess));
            }
            trials.push(trial(format!("faults::{}", row.name), Way::Child));
            trials
        }
    }
}

/// Runs a trial on a runtime of its own.
pub(crate) fn block_on(trial: impl Future<Output = Result<(), String>>) -> Result<(), Failed> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(trial).map_err(Failed::from)
}

/// This program as a server.
pub(crate) fn child(fault: &str, arg: Option<&str>) -> ServerSpec {
    let this = std::env::current_exe().expect("this program has a path");
    let args = ["serve", fault].into_iter().chain(arg);
    ServerSpec::stdio(FAULTY, this.to_str().expect("a path in UTF-8"), args)
}

/// The server's name.
pub(crate) fn id() -> ServerId {
    ServerId::sanitized(FAULTY)
}

/// The server as the registry shows it.
pub(crate) fn server(view: &RegistryView) -> Arc<ServerView> {
    view.server(&id()).expect("the server is a row").clone()
}

/// Waits until the registry shows something, at most `patience`.
pub(crate) async fn shows(
    registry: &Registry,
    patience: Duration,
    what: impl Fn(&RegistryView) -> bool,
) -> bool {
    let mut watch = registry.watch();
    let waited = tokio::time::timeout(patience, watch.wait_for(|view| what(view))).await;
    waited.is_ok_and(|seen| seen.is_ok())
}

/// What a server said beside the protocol.
pub(crate) struct Evidence {
    log: Arc<Mutex<Vec<String>>>,
    way: Way,
}

impl Evidence {
    pub(crate) fn of(way: Way) -> Self {
        Self { log: Arc::default(), way }
    }

    /// Where a server of this process writes its lines.
    pub(crate) fn log(&self) -> Arc<Mutex<Vec<String>>> {
        self.log.clone()
    }

    /// The lines of its standard error, or what stands for it.
    pub(crate) fn lines(&self, registry: &Registry) -> Vec<String> {
        if self.way != Way::Child {
            return self.log.lock().unwrap_or_else(PoisonError::into_inner).clone();
        }
        registry.stderr(&id()).into_iter().map(UntrustedText::into_raw).collect()
    }

    /// Waits for words on standard error.
    pub(crate) async fn says(&self, registry: &Registry, words: &str) -> bool {
        let began = Instant::now();
        loop {
            if self.lines(registry).iter().any(|line| line.contains(words)) {
                return true;
            }
            if began.elapsed() > ARRIVES_WITHIN {
                return false;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

async fn run(row: Row, way: Way, wire: &Wire) -> Result<(), String> {
    let mut differences = Differences::default();
    let evidence = Evidence::of(way);
    let http = match way {
        Way::Http => Some(http::Running::start(row.serve, row.arg, evidence.log())),
        Way::Child | Way::InProcess => None,
    };
    let registry = open(&row, &evidence, http.as_ref());
    let began = Instant::now();
    let limit = row.settled_within + Duration::from_secs(5);
    let Ok(view) = tokio::time::timeout(limit, registry.settled()).await else {
        registry.close().await;
        return Err(format!("{}: not settled after {:?}", row.what, began.elapsed()));
    };
    let took = began.elapsed();
    differences.require(took <= row.settled_within, || format!("settled after {took:?}"));
    let view = if row.changes { changed(&row, &registry).await } else { view };
    // What was lost at once may be up for a moment.
    let view = if matches!(row.link, LinkExpected::Down(_)) {
        let down = |view: &RegistryView| {
            view.is_settled() && matches!(server(view).link, Link::Down { .. })
        };
        shows(&registry, ARRIVES_WITHIN, down).await;
        registry.view()
    } else {
        view
    };
    settled(&row, &view, &mut differences);
    if let (Some((what, times)), Some(http)) = (row.after, &http) {
        let came = tokio::time::timeout(row.read_within, http.until(what, times)).await;
        differences.require(came.is_ok(), || format!("{what} did not come {times} times"));
    }
    reads(&row, &registry, &mut differences).await;
    prompt(&row, &registry, &mut differences).await;
    calls(&row, &registry, &mut differences).await;
    afterwards(&row, &registry, &evidence, &mut differences).await;
    close(&registry, &evidence, &mut differences).await;
    sent(&registry, wire, &mut differences);
    if let Some(http) = &http {
        counted(&row, http, &mut differences);
    }
    if differences.0.is_empty() {
        return Ok(());
    }
    Err(format!("{}\n  {}", row.what, differences.0.join("\n  ")))
}

fn open(row: &Row, evidence: &Evidence, http: Option<&http::Running>) -> Registry {
    let good = InProcessServer { fault: "ok".into(), arg: None, log: Arc::default() };
    let mut builder = Registry::builder().limits(row.limits.clone());
    let spec = match (evidence.way, http) {
        (_, Some(http)) => http::spec(row.address.map_or_else(|| http.url(), str::to_owned)),
        (Way::InProcess, None) => {
            let server = InProcessServer {
                fault: row.serve.into(),
                arg: row.arg.map(Into::into),
                log: evidence.log(),
            };
            builder = builder.hand_over(&id(), Arc::new(server));
            ServerSpec::new(id(), vestibule::domain::Transport::InProcess)
        }
        (Way::Child | Way::Http, None) => child(row.serve, row.arg),
    };
    builder = builder.server(spec.era(row.era));
    builder.in_process(NEIGHBOUR, Arc::new(good)).open().expect("a registry")
}

/// The view once its resources are as many as they come to be, and the rest is there too.
async fn changed(row: &Row, registry: &Registry) -> Arc<RegistryView> {
    let expected = row.lists[0].count;
    shows(registry, ARRIVES_WITHIN, |view| {
        let lists = &server(view).lists;
        lists.resources.items.len() == expected
            && !matches!(lists.resources.state, ListingState::Loading)
            && !matches!(lists.templates.state, ListingState::Loading)
    })
    .await;
    registry.view()
}

fn settled(row: &Row, view: &RegistryView, differences: &mut Differences) {
    let server = server(view);
    differences.link(&server.link, &row.link);
    let [resources, templates, prompts, tools] = &row.lists;
    differences.list("resources", &server.lists.resources, resources);
    differences.list("templates", &server.lists.templates, templates);
    differences.list("prompts", &server.lists.prompts, prompts);
    differences.list("tools", &server.lists.tools, tools);
}

async fn reads(row: &Row, registry: &Registry, differences: &mut Differences) {
    let up = matches!(row.link, crate::expect::LinkExpected::Up { .. });
    let hello = [("mem://r0".to_owned(), ReadExpected::Text("hello"))];
    let reads = if row.reads.is_empty() && up { hello.as_slice() } else { row.reads.as_slice() };
    for (uri, expected) in reads {
        let began = Instant::now();
        let reading = registry.read_resource(uri, Some(FAULTY));
        let limit = row.read_within + Duration::from_secs(5);
        let Ok(seen) = tokio::time::timeout(limit, reading).await else {
            differences.add(format!("read: not over after {:?}", began.elapsed()));
            return;
        };
        let took = began.elapsed();
        differences.require(took <= row.read_within, || format!("read after {took:?}"));
        differences.read(uri, &seen, expected);
    }
}

async fn prompt(row: &Row, registry: &Registry, differences: &mut Differences) {
    let Some(expected) = row.prompt else { return };
    match registry.get_prompt("q", &[], Some(FAULTY)).await {
        Err(fault) => differences.add(format!("prompt: {fault:?}")),
        Ok(rendering) => {
            let seen: Vec<(String, String)> = rendering
                .prompt
                .messages
                .iter()
                .map(|m| (format!("{:?}", m.role), format!("{:?}", m.content)))
                .collect();
            let alike = seen.len() == expected.len()
                && seen.iter().zip(expected).all(|(seen, expected)| {
                    seen.0.contains(expected.0) && seen.1.contains(expected.1)
                });
            differences.require(alike, || format!("prompt: saw {seen:?}"));
        }
    }
}

async fn calls(row: &Row, registry: &Registry, differences: &mut Differences) {
    let arguments = serde_json::Map::new();
    for expected in &row.calls {
        let began = Instant::now();
        let call = ToolCall { name: "t", arguments: &arguments, unchecked: false };
        let limit = row.read_within + Duration::from_secs(5);
        let calling = registry.call_tool(call, Some(FAULTY));
        let Ok(seen) = tokio::time::timeout(limit, calling).await else {
            differences.add(format!("call: not over after {:?}", began.elapsed()));
            return;
        };
        let took = began.elapsed();
        differences.require(took <= row.read_within, || format!("call after {took:?}"));
        differences.call(&seen, expected);
    }
}

async fn afterwards(
    row: &Row,
    registry: &Registry,
    evidence: &Evidence,
    differences: &mut Differences,
) {
    for words in &row.stderr {
        let said = evidence.says(registry, words).await;
        differences.require(said, || format!("stderr never said «{words}»"));
    }
    let expected = row.link_after.as_ref().unwrap_or(&row.link);
    if row.link_after.is_some() {
        shows(registry, ARRIVES_WITHIN, |v| matches!(server(v).link, Link::Down { .. })).await;
    }
    let enough =
        |noise: Noise| row.stray.meets(noise.stray_lines) && row.breaches.meets(noise.breaches);
    shows(registry, ARRIVES_WITHIN, |view| enough(server(view).noise)).await;
    // A read that was sent again may come back before the view says how often it was connected.
    shows(registry, ARRIVES_WITHIN, |view| server(view).connects >= row.connects).await;
    let view = registry.view();
    let server = server(&view);
    differences.link(&server.link, expected);
    differences.require(server.connects == row.connects, || {
        format!("connected {} times, expected {}", server.connects, row.connects)
    });
    differences.require(enough(server.noise), || {
        let stray = registry.stray(&id());
        let (lines, breaches) = (row.stray, row.breaches);
        let tail = &stray[stray.len().saturating_sub(12)..];
        format!("expected stray {lines:?}, breaches {breaches:?}; saw {:?} {tail:?}", server.noise)
    });
    if let Some(neighbour) = view.server(&ServerId::sanitized(NEIGHBOUR)) {
        differences.require(matches!(neighbour.link, Link::Up(_)), || "the neighbour fell".into());
    }
    let reading = registry.read_resource("mem://r0", Some(NEIGHBOUR)).await;
    differences.read("of the neighbour", &reading, &ReadExpected::Text("hello"));
    differences.require(
        Times::Exactly(0).meets(evidence_of_violations(registry, evidence)),
        || {
            let lines = evidence.lines(registry);
            let bad: Vec<_> = lines.iter().filter(|line| line.starts_with("VIOLATION")).collect();
            format!("the server saw {bad:#?}")
        },
    );
}

fn evidence_of_violations(registry: &Registry, evidence: &Evidence) -> u64 {
    let lines = evidence.lines(registry);
    lines.iter().filter(|line| line.starts_with("VIOLATION")).count() as u64
}

/// How often the server was asked for what.
fn counted(row: &Row, http: &http::Running, differences: &mut Differences) {
    for (what, expected) in row.counts.iter().flatten() {
        let seen = http.count(what);
        differences.require(expected.contains(&seen), || {
            format!("{what} came {seen} times, expected {expected:?}")
        });
    }
}

/// Holds all that was sent against the schema. After the end, so that the last cancellations are
/// looked at too.
pub(crate) fn sent(registry: &Registry, wire: &Wire, differences: &mut Differences) {
    for server in &registry.view().servers {
        match wire.check_traffic(&registry.traffic(&server.id)) {
            Ok(checked) => differences
                .require(checked > 0, || format!("{}: nothing sent was looked at", server.id)),
            Err(wrong) => differences.add(format!("{}: {wrong}", server.id)),
        }
    }
}

/// Closes the registry, in time and with nothing left running.
pub(crate) async fn close(registry: &Registry, evidence: &Evidence, differences: &mut Differences) {
    let began = Instant::now();
    let closed = tokio::time::timeout(CLOSED_WITHIN * 3, registry.close()).await;
    let took = began.elapsed();
    differences.require(closed.is_ok() && took <= CLOSED_WITHIN, || format!("closed in {took:?}"));
    if evidence.way != Way::Child {
        return;
    }
    let lines = evidence.lines(registry);
    let ids = processes::named(lines.iter().map(String::as_str));
    differences.require(!ids.is_empty(), || "the server never named its process".into());
    let left = processes::left_of(&ids, Duration::from_secs(1)).await;
    differences.require(left.is_empty(), || format!("left running: {left:?} of {ids:?}"));
}
