//! One server: the handle on its task, and what is known of it.

use super::{
    actor::{Actor, Command},
    connect::InProcess,
    connection::Connection,
    era_memory::EraMemory,
    lifecycle::Target,
    mask::Mask,
    reconnect::Again,
    tap::{Logs, Noise},
    traffic::TrafficEntry,
};
use crate::{
    config::Limits,
    domain::{
        Fault, FaultKind, Link, Listing, ListingState, Prompt, Resource, ResourceTemplate,
        ServerId, ServerSpec, Subscription, Tool, UntrustedText,
    },
    sampling::Gate,
};
use std::{path::Path, sync::Arc};
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::task::TaskTracker;

/// How many commands may wait for a session that is busy.
const COMMANDS: usize = 32;

/// What is known of one server at one moment.
#[derive(Clone)]
pub struct SessionState {
    /// How things stand.
    pub link: Link,
    /// Whether it will be connected again by itself, when it is down.
    pub again: Option<Again>,
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
    /// The resources that are watched.
    pub subscriptions: Arc<[Subscription]>,
    /// Counts of what it said beside the protocol.
    pub noise: Noise,
    pub(super) connection: Option<Arc<Connection>>,
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
    /// where the era of a server is remembered; with `reconnect` it is connected again by itself
    /// after a loss.
    pub fn start(
        spec: Arc<ServerSpec>,
        in_process: Option<Arc<dyn InProcess>>,
        gate: Gate,
        limits: Arc<Limits>,
        cache_folder: Option<&Path>,
        reconnect: bool,
    ) -> Self {
        let memory = cache_folder.and_then(|folder| EraMemory::of(&spec, folder));
        let logs = Arc::new(Logs::new(&limits, Mask::of(&spec)));
        let tasks = TaskTracker::new();
        let id = spec.id.clone();
        let enabled = spec.enabled;
        let link = if enabled { Link::Connecting } else { Link::Idle };
        let (publish, state) = watch::channel(SessionState::new(link));
        let (commands, received) = mpsc::channel(COMMANDS);
        let target =
            Target { spec, in_process, gate, limits, logs: logs.clone(), tasks: tasks.clone() };
        let actor = Actor::new(target, memory, publish, reconnect);
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

    /// Ends it, whatever it is doing, and connects it anew.
    pub fn restart(&self) {
        self.tell(Command::Restart);
    }

    /// Lists everything again.
    pub fn refresh(&self) {
        self.tell(Command::Refresh);
    }

    fn tell(&self, command: Command) {
        // A full queue means that the same was asked for many times already.
        let _ = self.commands.try_send(command);
    }

    /// Tells its task something that must not be lost.
    pub(super) async fn command(&self, command: Command) -> Result<(), ()> {
        self.commands.send(command).await.map_err(drop)
    }

    /// The last lines of its standard error, oldest first.
    pub fn stderr(&self) -> Vec<UntrustedText> {
        self.logs.stderr.lines()
    }

    /// Lines on its standard output that were no protocol, and breaches, oldest first.
    pub fn stray(&self) -> Vec<UntrustedText> {
        self.logs.stray.lines()
    }

    /// The last messages both ways after a number, oldest first.
    pub fn traffic(&self, after: u64) -> Vec<TrafficEntry> {
        self.logs.traffic.since(after)
    }

    /// The number of the oldest message that is kept.
    pub fn oldest_message(&self) -> Option<u64> {
        self.logs.traffic.oldest()
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
            again: None,
            connects: 0,
            resources: Arc::default(),
            templates: Arc::default(),
            prompts: Arc::default(),
            tools: Arc::default(),
            subscriptions: Arc::default(),
            noise: Noise::default(),
            connection: None,
        }
    }

    pub(super) fn mark_stale(&mut self, why: &Fault) {
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
