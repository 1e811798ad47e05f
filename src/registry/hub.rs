//! Where the sessions come together: one snapshot, made anew whenever one of them changes.

use super::{Catalogue, Lists, Registry, RegistryView, ServerView, authority};
use crate::{
    config::{self, Limits},
    domain::{Link, ServerId, ServerSpec},
    mcp::{InProcess, Session, SessionState},
    sampling::Gate,
};
use std::{
    collections::HashMap,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};
use tokio::sync::watch;
use tokio_util::task::TaskTracker;

/// Everything behind a registry's handle.
pub(super) struct Hub {
    pub(super) sessions: Vec<Member>,
    publish: watch::Sender<Arc<RegistryView>>,
    /// Held while a snapshot is made, so that snapshots follow each other.
    making: Mutex<()>,
    pub(super) tasks: TaskTracker,
}

/// One server of the registry.
pub(super) struct Member {
    pub(super) spec: Arc<ServerSpec>,
    pub(super) session: Session,
}

/// Starts the sessions and what gathers their states.
pub(super) fn start(
    specs: Vec<ServerSpec>,
    mut in_process: HashMap<ServerId, Arc<dyn InProcess>>,
    mut gates: HashMap<ServerId, Gate>,
    limits: Arc<Limits>,
    cache_folder: Option<&Path>,
) -> Registry {
    let mut view = RegistryView::default();
    let mut sessions = Vec::with_capacity(specs.len());
    for spec in specs {
        let spec = Arc::new(spec);
        let gate = gates.remove(&spec.id).unwrap_or_default();
        view.servers.push(Arc::new(first_view(&spec, gate.is_open())));
        let opener = in_process.remove(&spec.id);
        let session = Session::start(spec.clone(), opener, gate, limits.clone(), cache_folder);
        sessions.push(Member { spec, session });
    }
    let publish = watch::channel(Arc::new(view)).0;
    let hub =
        Arc::new(Hub { sessions, publish, making: Mutex::new(()), tasks: TaskTracker::new() });
    for (index, member) in hub.sessions.iter().enumerate() {
        let state = member.session.state();
        let spec = member.spec.clone();
        hub.tasks.spawn(follow(Arc::downgrade(&hub), index, spec, state));
    }
    Registry { hub }
}

fn first_view(spec: &ServerSpec, sampling: bool) -> ServerView {
    ServerView {
        id: spec.id.clone(),
        transport: spec.transport.label(),
        source: config::describe(spec).source,
        details: details(spec),
        link: if spec.enabled { Link::Connecting } else { Link::Idle },
        connects: 0,
        lists: Arc::new(Lists::default()),
        noise: super::Noise::default(),
        sampling,
    }
}

/// How a server is reached, line by line, without secrets.
fn details(spec: &ServerSpec) -> Vec<String> {
    let shown = config::describe(spec);
    let mut lines = Vec::new();
    if let Some(command) = shown.command {
        lines.push(format!("command: {command}"));
        if !shown.args.is_empty() {
            lines.push(format!("arguments: {}", shown.args.join(" ")));
        }
        lines.push(format!("folder: {}", shown.cwd.as_deref().unwrap_or("where vestibule runs")));
        let added = if shown.env.is_empty() { "nothing".into() } else { shown.env.join(" ") };
        lines.push(format!("environment: vestibule's own, plus {added}"));
    }
    if let Some(url) = shown.url {
        lines.push(format!("address: {url}"));
        lines.extend(shown.headers.into_iter().map(|header| format!("header: {header}")));
    }
    lines
}

/// Carries one session's changes into the snapshot, until the session or the registry ends.
async fn follow(
    hub: std::sync::Weak<Hub>,
    index: usize,
    spec: Arc<ServerSpec>,
    mut state: watch::Receiver<SessionState>,
) {
    state.mark_changed();
    let mut generation = None;
    while state.changed().await.is_ok() {
        let Some(hub) = hub.upgrade() else { return };
        let (update, now) = {
            let state = state.borrow_and_update();
            let fresh = generation != Some(state.lists_generation);
            let lists = fresh.then(|| Arc::new(authority::filter(&state, &spec.permissions)));
            let update = Update {
                link: state.link.clone(),
                connects: state.connects,
                noise: state.noise,
                lists,
            };
            (update, state.lists_generation)
        };
        generation = Some(now);
        hub.apply(index, update);
    }
}

struct Update {
    link: Link,
    connects: u32,
    noise: super::Noise,
    /// `None` when the lists are as before.
    lists: Option<Arc<Lists>>,
}

impl Hub {
    fn apply(&self, index: usize, update: Update) {
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        let mut view = RegistryView::clone(&self.publish.borrow());
        let Some(slot) = view.servers.get_mut(index) else { return };
        let mut server = ServerView::clone(slot);
        server.link = update.link;
        server.connects = update.connects;
        server.noise = update.noise;
        let relisted = update.lists.is_some();
        if let Some(lists) = update.lists {
            server.lists = lists;
        }
        *slot = Arc::new(server);
        if relisted {
            view.catalogue = Arc::new(Catalogue::merge(&view));
        }
        view.generation += 1;
        self.publish.send_replace(Arc::new(view));
    }

    pub(super) fn watch(&self) -> watch::Receiver<Arc<RegistryView>> {
        self.publish.subscribe()
    }

    pub(super) fn member(&self, server: &ServerId) -> Option<&Member> {
        self.sessions.iter().find(|m| m.spec.id == *server)
    }
}
