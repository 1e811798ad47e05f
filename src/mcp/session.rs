//! One server: an owned task that connects, lists, and lists again when told.

use super::{
    connect::InProcess,
    connection::Connection,
    era_memory::EraMemory,
    lifecycle::{self, Target},
    lists::{self, ListKinds},
    relist::Relist,
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
use std::{path::Path, sync::Arc, time::Duration};
use tokio::{
    sync::{mpsc, oneshot, watch},
    time::Instant,
};
use tokio_util::task::TaskTracker;

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
    pub resources: Arc<Listing<Arc<Resource>>>,
    /// `resources/templates/list`
    pub templates: Arc<Listing<Arc<ResourceTemplate>>>,
    /// `prompts/list`
    pub prompts: Arc<Listing<Arc<Prompt>>>,
    /// `tools/list`
    pub tools: Arc<Listing<Arc<Tool>>>,
    /// Counts of what it said beside the protocol.
    pub noise: Noise,
    pub(super) connection: Option<Arc<Connection>>,
}

enum Command {
    /// Answered, if somebody waits, as soon as connecting has begun.
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
    /// Starts the task of a server; it connects at once if the entry is enabled. `cache_folder` is
    /// where the era of a server is remembered.
    pub fn start(
        spec: Arc<ServerSpec>,
        in_process: Option<Arc<dyn InProcess>>,
        gate: Gate,
        limits: Arc<Limits>,
        cache_folder: Option<&Path>,
    ) -> Self {
        let memory = cache_folder.and_then(|folder| EraMemory::of(&spec, folder));
        let logs = Arc::new(Logs::new(&limits));
        let tasks = TaskTracker::new();
        let id = spec.id.clone();
        let enabled = spec.enabled;
        let link = if enabled { Link::Connecting } else { Link::Idle };
        let (publish, state) = watch::channel(SessionState::new(link));
        let (commands, received) = mpsc::channel(COMMANDS);
        let target =
            Target { spec, in_process, gate, limits, logs: logs.clone(), tasks: tasks.clone() };
        let actor = Actor {
            target,
            publish,
            job: None,
            connection: None,
            known: None,
            memory,
            noise_due: None,
            relist: Relist::new(),
        };
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
                    // Not the next change of state: that may still be the loss of the old one.
                    let (begun, begins) = oneshot::channel();
                    if self.commands.send(Command::Connect(Some(begun))).await.is_err()
                        || begins.await.is_err()
                    {
                        return Err(self.fault(FaultKind::Closed, "the server's session has ended"));
                    }
                }
            }
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
            resources: Arc::default(),
            templates: Arc::default(),
            prompts: Arc::default(),
            tools: Arc::default(),
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
        fn stale<T: Clone>(listing: &mut Arc<Listing<T>>, why: &Fault) {
            let state = match (&listing.state, listing.items.is_empty()) {
                (ListingState::NotOffered, _) => return,
                (_, true) => ListingState::Failed(why.clone()),
                (_, false) => ListingState::Stale(why.clone()),
            };
            Arc::make_mut(listing).state = state;
        }
        stale(&mut self.resources, why);
        stale(&mut self.templates, why);
        stale(&mut self.prompts, why);
        stale(&mut self.tools, why);
    }
}

enum Done {
    Connected(Result<Arc<Connection>, Fault>),
    Listed,
}

struct Actor {
    target: Target,
    publish: watch::Sender<SessionState>,
    /// What is being done; one thing at a time.
    job: Option<BoxFuture<'static, Done>>,
    connection: Option<Arc<Connection>>,
    /// In which era the server was reached before.
    known: Option<Era>,
    /// Where that outlives the program.
    memory: Option<EraMemory>,
    noise_due: Option<Instant>,
    relist: Relist,
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
            let relist_due = self.relist.due();
            tokio::select! {
                command = commands.recv() => match command {
                    Some(Command::Connect(begun)) => {
                        self.connect().await;
                        if let Some(begun) = begun {
                            // Whoever asked may have stopped waiting.
                            let _ = begun.send(());
                        }
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
                    Some(tap) if relist_due.is_none() => tap.changed.notified().await,
                    _ => std::future::pending().await,
                } } => self.relist.changed(Instant::now()),
                () = until(relist_due), if idle => self.relist(),
                () = logs.stirred.notified(), if self.noise_due.is_none() => {
                    self.noise_due = Some(Instant::now() + NOISE_INTERVAL);
                }
                () = until(self.noise_due) => {
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
        let (target, known, memory) = (self.target.clone(), self.known, self.memory.clone());
        self.job = Some(
            async move {
                let known = match (known, &memory) {
                    (None, Some(memory)) => memory.recall().await,
                    (known, _) => known,
                };
                let connected = lifecycle::connect(target, known).await.map(Arc::new);
                if let (Ok(connection), Some(memory)) = (&connected, &memory)
                    && known != Some(connection.facts.era)
                {
                    memory.keep(connection.facts.era).await;
                }
                Done::Connected(connected)
            }
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
        self.relist.forget();
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
            (Some(_), false) => self.list(ListKinds::ALL),
            (Some(_), true) => {}
            (None, _) => self.connect().await,
        }
    }

    async fn lost(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        self.job = None;
        self.relist.forget();
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
        self.relist.begun(Instant::now());
        self.list(kinds);
    }

    /// Asks for lists.
    fn list(&mut self, kinds: ListKinds) {
        let Some(connection) = self.connection.clone() else { return };
        let offers = connection.facts.capabilities;
        let kinds = ListKinds {
            resources: kinds.resources && offers.resources,
            prompts: kinds.prompts && offers.prompts,
            tools: kinds.tools && offers.tools,
        };
        self.publish.send_modify(|s| {
            if kinds.resources {
                Arc::make_mut(&mut s.resources).state = ListingState::Loading;
                Arc::make_mut(&mut s.templates).state = ListingState::Loading;
            }
            if kinds.prompts {
                Arc::make_mut(&mut s.prompts).state = ListingState::Loading;
            }
            if kinds.tools {
                Arc::make_mut(&mut s.tools).state = ListingState::Loading;
            }
        });
        let publish = self.publish.clone();
        self.job = Some(
            async move {
                lists::load(&connection, kinds, &publish).await;
                Done::Listed
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
                self.list(ListKinds::ALL);
                self.publish.send_modify(|s| s.link = Link::Up(connection.facts.clone()));
            }
            Done::Connected(Err(why)) => self.publish.send_modify(|s| {
                s.link = Link::Down { why: why.clone() };
                s.connection = None;
                s.mark_stale(&why);
                s.noise = noise;
            }),
            Done::Listed => {
                self.relist.ended(Instant::now());
                self.publish.send_modify(|s| s.noise = noise);
            }
        }
    }
}

async fn until(due: Option<Instant>) {
    match due {
        Some(due) => tokio::time::sleep_until(due).await,
        None => std::future::pending().await,
    }
}

async fn next_done(job: &mut Option<BoxFuture<'static, Done>>) -> Done {
    match job {
        Some(job) => job.await,
        None => std::future::pending().await,
    }
}
