//! One server: an owned task that connects, lists, and lists again when told.

use super::{
    connect::InProcess,
    connection::Connection,
    lifecycle::{self, Target},
    pages,
    tap::{ListKind, Logs, Noise},
    traffic::TrafficEntry,
};
use crate::{
    config::Limits,
    domain::{
        Era, Fault, FaultKind, Link, Listing, ListingState, Prompt, Resource, ResourceTemplate,
        ServerId, ServerSpec, Tool, UntrustedText,
    },
    sampling::Gate,
};
use futures_util::{FutureExt, future::BoxFuture};
use std::{sync::Arc, time::Duration};
use tokio::{
    sync::{mpsc, oneshot, watch},
    time::Instant,
};
use tokio_util::task::TaskTracker;

/// How long changes are gathered before a list is asked for again.
const COALESCE: Duration = Duration::from_millis(100);
/// How often counts of noise are published at the most.
const NOISE_INTERVAL: Duration = Duration::from_millis(250);
/// How many commands may wait for a session that is busy.
const COMMANDS: usize = 32;

/// What is known of one server at one moment.
#[derive(Clone)]
pub struct SessionState {
    /// How things stand.
    pub link: Link,
    /// How often it was connected.
    pub connects: u32,
    /// `resources/list`
    pub resources: Listing<Arc<Resource>>,
    /// `resources/templates/list`
    pub templates: Listing<Arc<ResourceTemplate>>,
    /// `prompts/list`
    pub prompts: Listing<Arc<Prompt>>,
    /// `tools/list`
    pub tools: Listing<Arc<Tool>>,
    /// Grows whenever a list changes.
    pub lists_generation: u64,
    /// Counts of what it said beside the protocol.
    pub noise: Noise,
    pub(super) connection: Option<Arc<Connection>>,
}

enum Command {
    /// The sender, if there is one, is told once the attempt is under way.
    Connect(Option<oneshot::Sender<()>>),
    Disconnect,
    Refresh,
    Close,
}

/// A handle on one server's task.
pub struct Session {
    id: ServerId,
    commands: mpsc::Sender<Command>,
    state: watch::Receiver<SessionState>,
    logs: Arc<Logs>,
    tasks: TaskTracker,
}

impl Session {
    /// Starts the task of a server; it connects at once if the entry is enabled.
    pub fn start(
        spec: Arc<ServerSpec>,
        in_process: Option<Arc<dyn InProcess>>,
        gate: Gate,
        limits: Arc<Limits>,
    ) -> Self {
        let logs = Arc::new(Logs::new(&limits));
        let tasks = TaskTracker::new();
        let id = spec.id.clone();
        let enabled = spec.enabled;
        let link = if enabled { Link::Connecting } else { Link::Idle };
        let (publish, state) = watch::channel(SessionState::new(link));
        let (commands, received) = mpsc::channel(COMMANDS);
        let target =
            Target { spec, in_process, gate, limits, logs: logs.clone(), tasks: tasks.clone() };
        let actor =
            Actor { target, publish, job: None, connection: None, known: None, noise_due: None };
        tasks.spawn(actor.run(received, enabled));
        Self { id, commands, state, logs, tasks }
    }

    /// The server's name.
    pub fn id(&self) -> &ServerId {
        &self.id
    }

    /// What is known of it, and a way to wait for changes.
    pub fn state(&self) -> watch::Receiver<SessionState> {
        self.state.clone()
    }

    /// Connects it, if it is idle or down.
    pub fn connect(&self) {
        self.tell(Command::Connect(None));
    }

    /// Disconnects it; what was listed stays, marked stale.
    pub fn disconnect(&self) {
        self.tell(Command::Disconnect);
    }

    /// Lists everything again.
    pub fn refresh(&self) {
        self.tell(Command::Refresh);
    }

    fn tell(&self, command: Command) {
        // A full queue means that the same was asked for many times already.
        let _ = self.commands.try_send(command);
    }

    /// The last lines of its standard error, oldest first.
    pub fn stderr(&self) -> Vec<UntrustedText> {
        self.logs.stderr.tail(usize::MAX)
    }

    /// Lines on its standard output that were no protocol, and breaches, oldest first.
    pub fn stray(&self) -> Vec<UntrustedText> {
        self.logs.stray.tail(usize::MAX)
    }

    /// The last messages both ways, oldest first.
    pub fn traffic(&self) -> Vec<TrafficEntry> {
        self.logs.traffic.entries()
    }

    /// Ends the conversation and everything that belongs to it; returns when nothing is left.
    pub async fn close(&self) {
        let _ = self.commands.send(Command::Close).await;
        self.tasks.close();
        self.tasks.wait().await;
    }

    /// A live connection: waits while it is being made, and makes it again if it was lost.
    pub(super) async fn connection(&self) -> Result<Arc<Connection>, Fault> {
        let mut state = self.state.clone();
        let mut asked = false;
        loop {
            let settled = state
                .wait_for(|s| !matches!(s.link, Link::Connecting))
                .await
                .map(|s| (s.link.clone(), s.connects, s.connection.clone()));
            let Ok((link, connects, connection)) = settled else {
                return Err(self.fault(FaultKind::Closed, "the server's session has ended"));
            };
            match (link, connection) {
                (Link::Up(_), Some(connection)) if !connection.tap.gone.is_cancelled() => {
                    return Ok(connection);
                }
                (Link::Down { why }, _) if asked || connects == 0 => return Err(why),
                (Link::Idle, _) => {
                    return Err(self
                        .fault(FaultKind::Unreachable, "the server is not connected")
                        .hint("connect it first"));
                }
                _ => {
                    asked = true;
                    // Waits for the attempt itself: on the way there the old connection's end is
                    // published, which is no answer to this.
                    let (begun, under_way) = oneshot::channel();
                    if self.commands.send(Command::Connect(Some(begun))).await.is_err()
                        || under_way.await.is_err()
                    {
                        return Err(self.fault(FaultKind::Closed, "the server's session has ended"));
                    }
                }
            }
        }
    }

    /// Does something safe with a live connection; when the connection turns out dead it is made
    /// again and the thing is done once more. An error that the server answered is never retried.
    pub(super) async fn safely<T, F>(&self, act: F) -> Result<T, Fault>
    where
        F: AsyncFn(Arc<Connection>) -> Result<T, Fault>,
    {
        match act(self.connection().await?).await {
            Err(fault) if fault.kind.is_connection() => act(self.connection().await?).await,
            done => done,
        }
    }

    pub(super) fn fault(&self, kind: FaultKind, what: impl Into<String>) -> Fault {
        Fault::new(kind, what).of(&self.id)
    }
}

impl SessionState {
    fn new(link: Link) -> Self {
        Self {
            link,
            connects: 0,
            resources: Listing::default(),
            templates: Listing::default(),
            prompts: Listing::default(),
            tools: Listing::default(),
            lists_generation: 0,
            noise: Noise::default(),
            connection: None,
        }
    }

    /// Whether nothing is being connected or loaded.
    pub fn is_settled(&self) -> bool {
        !matches!(self.link, Link::Connecting)
            && self.resources.state != ListingState::Loading
            && self.templates.state != ListingState::Loading
            && self.prompts.state != ListingState::Loading
            && self.tools.state != ListingState::Loading
    }

    fn mark_stale(&mut self, why: &Fault) {
        fn stale<T>(listing: &mut Listing<T>, why: &Fault) {
            listing.state = match (&listing.state, listing.items.is_empty()) {
                (ListingState::NotOffered, _) => ListingState::NotOffered,
                (_, true) => ListingState::Failed(why.clone()),
                (_, false) => ListingState::Stale(why.clone()),
            };
        }
        stale(&mut self.resources, why);
        stale(&mut self.templates, why);
        stale(&mut self.prompts, why);
        stale(&mut self.tools, why);
        self.lists_generation += 1;
    }
}

enum Done {
    Connected(Result<Arc<Connection>, Fault>),
    Listed(Box<Lists>),
}

/// Lists that were asked for together; `None` was not asked for.
#[derive(Default)]
struct Lists {
    resources: Option<Listing<Arc<Resource>>>,
    templates: Option<Listing<Arc<ResourceTemplate>>>,
    prompts: Option<Listing<Arc<Prompt>>>,
    tools: Option<Listing<Arc<Tool>>>,
}

struct Actor {
    target: Target,
    publish: watch::Sender<SessionState>,
    /// What is being done; one thing at a time.
    job: Option<BoxFuture<'static, Done>>,
    connection: Option<Arc<Connection>>,
    /// In which era the server was reached before.
    known: Option<Era>,
    noise_due: Option<Instant>,
}

impl Actor {
    async fn run(mut self, mut commands: mpsc::Receiver<Command>, connect: bool) {
        if connect {
            self.begin_connecting();
        }
        loop {
            let logs = self.target.logs.clone();
            let tap = self.connection.as_ref().map(|c| c.tap.clone());
            let idle = self.job.is_none();
            let (gone, changed) = (tap.clone(), tap);
            tokio::select! {
                command = commands.recv() => match command {
                    Some(Command::Connect(begun)) => {
                        self.connect().await;
                        // Whoever asked may have stopped waiting.
                        begun.map(|begun| begun.send(()));
                    }
                    Some(Command::Disconnect) => self.disconnect().await,
                    Some(Command::Refresh) => self.refresh().await,
                    Some(Command::Close) | None => break,
                },
                done = next_done(&mut self.job) => self.finish(done),
                () = async { match gone {
                    Some(tap) => tap.gone.cancelled().await,
                    None => std::future::pending().await,
                } } => self.lost().await,
                () = async { match changed {
                    Some(tap) if idle => tap.changed.notified().await,
                    _ => std::future::pending().await,
                } } => self.relist(),
                () = logs.stirred.notified(), if self.noise_due.is_none() => {
                    self.noise_due = Some(Instant::now() + NOISE_INTERVAL);
                }
                () = async { match self.noise_due {
                    Some(due) => tokio::time::sleep_until(due).await,
                    None => std::future::pending().await,
                } } => {
                    self.noise_due = None;
                    let noise = logs.noise();
                    self.publish.send_if_modified(|s| std::mem::replace(&mut s.noise, noise) != noise);
                }
            }
        }
        self.job = None;
        if let Some(connection) = self.connection.take() {
            connection.close().await;
        }
    }

    fn begin_connecting(&mut self) {
        self.publish.send_modify(|s| s.link = Link::Connecting);
        let (target, known) = (self.target.clone(), self.known);
        self.job = Some(
            async move { Done::Connected(lifecycle::connect(target, known).await.map(Arc::new)) }
                .boxed(),
        );
    }

    async fn connect(&mut self) {
        if self.connection.as_ref().is_some_and(|c| c.tap.gone.is_cancelled()) {
            self.lost().await;
        }
        let link = self.publish.borrow().link.clone();
        if matches!(link, Link::Idle | Link::Down { .. }) {
            self.begin_connecting();
        }
    }

    async fn disconnect(&mut self) {
        self.job = None;
        if let Some(connection) = self.connection.take() {
            connection.close().await;
        }
        let why = Fault::new(FaultKind::Cancelled, "disconnected").of(&self.target.spec.id);
        self.publish.send_modify(|s| {
            s.link = Link::Idle;
            s.connection = None;
            s.mark_stale(&why);
        });
    }

    async fn refresh(&mut self) {
        match (&self.connection, self.job.is_some()) {
            (Some(_), false) => self.list(ListKinds::ALL, Duration::ZERO),
            (Some(_), true) => {}
            (None, _) => self.connect().await,
        }
    }

    async fn lost(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        self.job = None;
        let mut why = connection.closed("the session").await;
        why.what = "the server closed the connection".to_owned();
        let why = why.hint("connect it again, or read its stderr");
        self.publish.send_modify(|s| {
            s.link = Link::Down { why: why.clone() };
            s.connection = None;
            s.mark_stale(&why);
            s.noise = self.target.logs.noise();
        });
    }

    fn relist(&mut self) {
        let Some(connection) = &self.connection else { return };
        let changed = connection.tap.take_changed();
        let kinds = ListKinds {
            resources: changed(ListKind::Resources),
            prompts: changed(ListKind::Prompts),
            tools: changed(ListKind::Tools),
        };
        self.list(kinds, COALESCE);
    }

    /// Asks for lists again, after a while in which more changes may come.
    fn list(&mut self, kinds: ListKinds, after: Duration) {
        let Some(connection) = self.connection.clone() else { return };
        let offers = connection.facts.capabilities;
        let kinds = ListKinds {
            resources: kinds.resources && offers.resources,
            prompts: kinds.prompts && offers.prompts,
            tools: kinds.tools && offers.tools,
        };
        self.publish.send_modify(|s| {
            if kinds.resources {
                s.resources.state = ListingState::Loading;
                s.templates.state = ListingState::Loading;
            }
            if kinds.prompts {
                s.prompts.state = ListingState::Loading;
            }
            if kinds.tools {
                s.tools.state = ListingState::Loading;
            }
            s.lists_generation += 1;
        });
        self.job = Some(
            async move {
                tokio::time::sleep(after).await;
                Done::Listed(Box::new(list_all(&connection, kinds).await))
            }
            .boxed(),
        );
    }

    fn finish(&mut self, done: Done) {
        self.job = None;
        let noise = self.target.logs.noise();
        match done {
            Done::Connected(Ok(connection)) => {
                self.known = Some(connection.facts.era);
                self.connection = Some(connection.clone());
                // In one step with the lists' state, so that nobody sees it up and unlisted.
                self.publish.send_modify(|s| {
                    s.connects += 1;
                    s.noise = noise;
                    s.link = Link::Connecting;
                    s.connection = Some(connection.clone());
                });
                self.list(ListKinds::ALL, Duration::ZERO);
                self.publish.send_modify(|s| s.link = Link::Up(connection.facts.clone()));
            }
            Done::Connected(Err(why)) => self.publish.send_modify(|s| {
                s.link = Link::Down { why: why.clone() };
                s.connection = None;
                s.mark_stale(&why);
                s.noise = noise;
            }),
            Done::Listed(lists) => self.publish.send_modify(|s| {
                keep(&mut s.resources, lists.resources);
                keep(&mut s.templates, lists.templates);
                keep(&mut s.prompts, lists.prompts);
                keep(&mut s.tools, lists.tools);
                s.lists_generation += 1;
                s.noise = noise;
            }),
        }
    }
}

#[derive(Clone, Copy)]
struct ListKinds {
    resources: bool,
    prompts: bool,
    tools: bool,
}

impl ListKinds {
    const ALL: Self = Self { resources: true, prompts: true, tools: true };
}

async fn next_done(job: &mut Option<BoxFuture<'static, Done>>) -> Done {
    match job {
        Some(job) => job.await,
        None => std::future::pending().await,
    }
}

/// Takes a new listing over; one that failed leaves the old rows standing, marked stale.
fn keep<T>(old: &mut Listing<T>, new: Option<Listing<T>>) {
    let Some(new) = new else { return };
    if let ListingState::Failed(fault) = &new.state
        && !old.items.is_empty()
    {
        old.state = ListingState::Stale(fault.clone());
    } else {
        *old = new;
    }
}

async fn list_all(connection: &Connection, kinds: ListKinds) -> Lists {
    let mut lists = Lists::default();
    // One after the other: a server with one thread gains nothing from more, and an answer
    // without id can then be told.
    if kinds.resources {
        lists.resources = Some(pages::list(connection, "resources/list").await);
        lists.templates = Some(templates(connection).await);
    }
    if kinds.prompts {
        lists.prompts = Some(pages::list(connection, "prompts/list").await);
    }
    if kinds.tools {
        lists.tools = Some(pages::list(connection, "tools/list").await);
    }
    lists
}

/// Templates are part of the resources capability, and many servers do not have the method: that
/// alone only means that there are none.
async fn templates(connection: &Connection) -> Listing<Arc<ResourceTemplate>> {
    let listing = pages::list(connection, "resources/templates/list").await;
    let no_method = |fault: &Fault| fault.what.ends_with("error -32601");
    if matches!(&listing.state, ListingState::Failed(fault) if no_method(fault)) {
        return Listing::empty(ListingState::NotOffered);
    }
    listing
}
