//! The task of one server: it connects, lists, and lists again when told.

use super::{
    connection::Connection,
    era_memory::EraMemory,
    lifecycle::{self, Target},
    lists::{self, ListKinds},
    reconnect::{Again, Reconnect},
    relist::Relist,
    session::SessionState,
    subscriptions::Waiting,
    tap::ListKind,
    watching::Watching,
};
use crate::domain::{Era, Fault, FaultKind, Link, ListingState};
use futures_util::{FutureExt, future::BoxFuture};
use std::{sync::Arc, time::Duration};
use tokio::{
    sync::{mpsc, oneshot, watch},
    time::Instant,
};

/// How often counts of noise are published at the most.
const NOISE_INTERVAL: Duration = Duration::from_millis(250);

/// What the task may be told.
pub(super) enum Command {
    /// Answered, if somebody waits, as soon as connecting has begun.
    Connect(Option<oneshot::Sender<()>>),
    Disconnect,
    /// Ends it and starts it anew.
    Restart,
    Refresh,
    Subscribe(String, Waiting),
    Unsubscribe(String, Waiting),
    Close,
}

enum Done {
    Connected(Result<Arc<Connection>, Fault>),
    /// Whether the connection was lost in the middle of it.
    Listed(bool),
}

/// The task of one server.
pub(super) struct Actor {
    target: Target,
    publish: watch::Sender<SessionState>,
    /// What is being done; one thing at a time.
    job: Option<BoxFuture<'static, Done>>,
    connection: Option<Arc<Connection>>,
    watching: Watching,
    /// In which era the server was reached before.
    known: Option<Era>,
    /// Where that outlives the program.
    memory: Option<EraMemory>,
    noise_due: Option<Instant>,
    relist: Relist,
    reconnect: Reconnect,
    /// Whether the job is loading lists.
    is_listing: bool,
    /// Whether lists were begun anew after a loss, which is done once.
    listed_again: bool,
}

impl Actor {
    /// A server that is not connected yet.
    pub(super) fn new(
        target: Target,
        memory: Option<EraMemory>,
        publish: watch::Sender<SessionState>,
        reconnect: bool,
    ) -> Self {
        Self {
            target,
            publish,
            job: None,
            connection: None,
            watching: Watching::new(),
            known: None,
            memory,
            noise_due: None,
            relist: Relist::new(),
            reconnect: Reconnect::new(reconnect),
            is_listing: false,
            listed_again: false,
        }
    }

    /// Does what it is told until it is told to close, or until nobody can tell it any more.
    pub(super) async fn run(mut self, mut commands: mpsc::Receiver<Command>, connect: bool) {
        if connect {
            self.begin_connecting();
        }
        loop {
            let logs = self.target.logs.clone();
            let tap = self.connection.as_ref().map(|c| c.tap.clone());
            let idle = self.job.is_none();
            let (gone, changed) = (tap.clone(), tap);
            let (relist_due, again) = (self.relist.due(), self.reconnect.due());
            tokio::select! {
                command = commands.recv() => match command {
                    Some(Command::Connect(begun)) => {
                        if begun.is_none() {
                            self.reconnect.wanted();
                        }
                        self.connect().await;
                        if let Some(begun) = begun {
                            // Made for a read that is done once more: if that ends it again, it
                            // stays ended.
                            self.listed_again = true;
                            // Whoever asked may have stopped waiting.
                            let _ = begun.send(());
                        }
                    }
                    Some(Command::Disconnect) => self.disconnect().await,
                    Some(Command::Restart) => {
                        self.disconnect().await;
                        self.begin_connecting();
                    }
                    Some(Command::Refresh) => self.refresh(),
                    Some(Command::Subscribe(uri, waiting)) => self.watching.subscribe(uri, waiting),
                    Some(Command::Unsubscribe(uri, waiting)) => {
                        self.watching.unsubscribe(uri, waiting);
                    }
                    Some(Command::Close) | None => break,
                },
                done = next_done(&mut self.job) => self.finish(done),
                () = self.watching.step() => {}
                () = async { match gone {
                    Some(tap) => tap.gone.cancelled().await,
                    None => std::future::pending().await,
                } } => self.lost().await,
                () = async { match changed {
                    Some(tap) if relist_due.is_none() => tap.changed.notified().await,
                    _ => std::future::pending().await,
                } } => self.relist.changed(Instant::now()),
                () = until(relist_due), if idle => self.relist(),
                () = until(again), if idle => self.begin_connecting(),
                () = logs.stirred.notified(), if self.noise_due.is_none() => {
                    self.noise_due = Some(Instant::now() + NOISE_INTERVAL);
                }
                () = until(self.noise_due) => {
                    self.noise_due = None;
                    let noise = logs.noise();
                    self.publish.send_if_modified(|s| std::mem::replace(&mut s.noise, noise) != noise);
                }
            }
            if let Some(now) = self.watching.changes() {
                self.publish.send_modify(|s| s.subscriptions = now);
            }
            self.watching.answer();
        }
        self.job = None;
        let why = Fault::new(FaultKind::Closed, "the server's session has ended");
        self.watching.parted(&why.of(&self.target.spec.id));
        self.watching.answer();
        if let Some(connection) = self.connection.take() {
            connection.close().await;
        }
    }

    fn begin_connecting(&mut self) {
        self.reconnect.begun();
        self.publish.send_modify(|s| {
            s.link = Link::Connecting;
            s.again = None;
        });
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
        self.is_listing = false;
        let why = Fault::new(FaultKind::Cancelled, "disconnected").of(&self.target.spec.id);
        self.watching.parted(&why);
        self.relist.forget();
        self.reconnect.forget();
        if let Some(connection) = self.connection.take() {
            connection.close().await;
        }
        self.publish.send_modify(|s| {
            s.link = Link::Idle;
            s.again = None;
            s.connection = None;
            s.mark_stale(&why);
        });
    }

    fn refresh(&mut self) {
        // One that is not there is not made: connecting is another wish.
        let Some(connection) = &self.connection else { return };
        if self.job.is_some() {
            connection.tap.all_changed();
        } else {
            self.list(ListKinds::ALL);
        }
    }

    async fn lost(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        self.job = None;
        self.relist.forget();
        let mut why = connection.closed("the session").await;
        if connection.tap.ending().is_none() {
            why.what = "the server closed the connection".to_owned();
            why = why.hint("connect it again, or read its stderr");
        }
        self.watching.parted(&why);
        let again = self.reconnect.lost(Instant::now(), why.kind);
        self.down(&why, again);
        // Listing is safe: what was lost by a loss in the middle of it is fetched once more.
        if std::mem::take(&mut self.is_listing) && !self.listed_again {
            self.listed_again = true;
            self.begin_connecting();
        }
    }

    fn down(&self, why: &Fault, again: Option<Again>) {
        let noise = self.target.logs.noise();
        self.publish.send_modify(|s| {
            s.link = Link::Down { why: why.clone() };
            s.again = again;
            s.connection = None;
            s.mark_stale(why);
            s.noise = noise;
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
        self.is_listing = true;
        self.job = Some(
            async move { Done::Listed(lists::load(&connection, kinds, &publish).await) }.boxed(),
        );
    }

    fn finish(&mut self, done: Done) {
        self.job = None;
        let noise = self.target.logs.noise();
        match done {
            Done::Connected(Ok(connection)) => {
                self.known = Some(connection.facts.era);
                self.reconnect.connected(Instant::now());
                self.watching.connected(connection.clone());
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
            Done::Connected(Err(why)) => {
                let again = self.reconnect.lost(Instant::now(), why.kind);
                self.down(&why, again);
            }
            Done::Listed(lost) => {
                // Whole lists are not fetched again, even if the server went away just then.
                if !lost || self.connection.as_ref().is_some_and(|c| !c.tap.gone.is_cancelled()) {
                    self.is_listing = false;
                    self.listed_again = false;
                }
                self.relist.ended(Instant::now());
                self.publish.send_modify(|s| s.noise = noise);
            }
        }
    }
}

pub(super) async fn until(due: Option<Instant>) {
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
