//! Where the sessions come together: one snapshot, made anew whenever one of them changes.

use super::{
    Catalogue, Lists, Registry, RegistryView, ServerView, authority::visible, catalogue::merge,
};
use crate::{
    config::{self, Limits},
    content::reveal_line,
    domain::{Link, Root, ServerId, ServerSpec, Surface},
    mcp::{InProcess, Session, SessionState, Track},
    sampling::Gate,
};
use std::{
    collections::HashMap,
    path::Path,
    sync::{Arc, Mutex, PoisonError, Weak},
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
    reconnect: bool,
) -> Registry {
    let mut view = RegistryView::default();
    let mut sessions = Vec::with_capacity(specs.len());
    for spec in specs {
        let spec = Arc::new(spec);
        let gate = gates.remove(&spec.id).unwrap_or_default();
        view.servers.push(Arc::new(first_view(&spec, gate.is_open())));
        let opener = in_process.remove(&spec.id);
        let session =
            Session::start(spec.clone(), opener, gate, limits.clone(), cache_folder, reconnect);
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
    Registry { hub, confirmed: false, track: Track::default() }
}

fn first_view(spec: &ServerSpec, sampling: bool) -> ServerView {
    ServerView {
        id: spec.id.clone(),
        transport: spec.transport.label(),
        source: config::describe(spec).source,
        details: details(spec),
        link: if spec.enabled { Link::Connecting } else { Link::Idle },
        again: None,
        connects: 0,
        lists: Arc::new(Lists::default()),
        subscriptions: Arc::default(),
        permissions: Arc::new(spec.permissions.clone()),
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
    let root = |root: &Root| {
        let uri = config::with_names(&root.uri, spec);
        format!("may work in: {}", reveal_line(&uri).plain())
    };
    lines.extend(spec.roots.iter().map(root));
    lines
}

/// Carries one session's changes into the snapshot, until the session or the registry ends.
async fn follow(
    hub: Weak<Hub>,
    index: usize,
    spec: Arc<ServerSpec>,
    mut state: watch::Receiver<SessionState>,
) {
    state.mark_changed();
    let mut before: Option<SessionState> = None;
    while state.changed().await.is_ok() {
        let Some(hub) = hub.upgrade() else { return };
        let now = state.borrow_and_update().clone();
        hub.apply(index, &spec, &now, before.as_ref());
        before = Some(now);
    }
}

impl Hub {
    /// Makes the next snapshot. Only the lists that changed are filtered and merged again.
    fn apply(
        &self,
        index: usize,
        spec: &ServerSpec,
        now: &SessionState,
        before: Option<&SessionState>,
    ) {
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        let mut view = RegistryView::clone(&self.publish.borrow());
        let Some(slot) = view.servers.get_mut(index) else { return };
        let mut server = ServerView::clone(slot);
        server.link = now.link.clone();
        server.again = now.again;
        server.connects = now.connects;
        server.noise = now.noise;
        server.subscriptions = now.subscriptions.clone();
        let changed = Changed::between(now, before);
        server.lists = Arc::new(filtered(&server.lists, spec, now, changed));
        *slot = Arc::new(server);
        view.catalogue = Arc::new(merged(&view, changed));
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

/// Which lists of a server changed.
#[derive(Clone, Copy)]
struct Changed {
    resources: bool,
    templates: bool,
    prompts: bool,
    tools: bool,
}

impl Changed {
    fn between(now: &SessionState, before: Option<&SessionState>) -> Self {
        let Some(before) = before else {
            return Self { resources: true, templates: true, prompts: true, tools: true };
        };
        Self {
            resources: !Arc::ptr_eq(&now.resources, &before.resources),
            templates: !Arc::ptr_eq(&now.templates, &before.templates),
            prompts: !Arc::ptr_eq(&now.prompts, &before.prompts),
            tools: !Arc::ptr_eq(&now.tools, &before.tools),
        }
    }
}

/// The lists of a server as far as the session may see them.
fn filtered(lists: &Lists, spec: &ServerSpec, now: &SessionState, changed: Changed) -> Lists {
    let (mut lists, may) = (lists.clone(), &spec.permissions);
    let hidden = &mut lists.hidden;
    if changed.resources {
        (lists.resources, hidden.resources) = visible(&now.resources, may, Surface::Resources);
    }
    if changed.templates {
        (lists.templates, hidden.templates) = visible(&now.templates, may, Surface::Resources);
    }
    if changed.prompts {
        (lists.prompts, hidden.prompts) = visible(&now.prompts, may, Surface::Prompts);
    }
    if changed.tools {
        (lists.tools, hidden.tools) = visible(&now.tools, may, Surface::Tools);
    }
    lists
}

/// The catalogue after one server's lists changed.
fn merged(view: &RegistryView, changed: Changed) -> Catalogue {
    let (mut catalogue, servers) = (Catalogue::clone(&view.catalogue), &view.servers);
    if changed.resources {
        catalogue.resources = merge(servers, |s| &s.lists.resources.items);
    }
    if changed.templates {
        catalogue.templates = merge(servers, |s| &s.lists.templates.items);
    }
    if changed.prompts {
        catalogue.prompts = merge(servers, |s| &s.lists.prompts.items);
    }
    if changed.tools {
        catalogue.tools = merge(servers, |s| &s.lists.tools.items);
    }
    catalogue
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{HttpKind, Transport};

    #[test]
    fn details_hold_no_secret_and_nothing_that_acts() {
        let mut spec = ServerSpec::stdio(
            "s",
            "run\u{1b}[2J",
            ["--api-key", "s3cret-one", "--token=s3cret-two", "line\nbreak\u{202e}", "ghp_s3cret3"],
        );
        if let Transport::Stdio { env, cwd, .. } = &mut spec.transport {
            env.push(("PASS\u{1b}]0;x\u{7}".into(), "s3cret-four".into()));
            *cwd = Some("/srv/\u{e0041}\ndata".into());
        }
        let child = details(&spec);
        let url = "https://me:s3cret-five@host/\u{1b}p?key=s3cret-six#s3cret-seven".to_owned();
        let headers = vec![("Authorization\u{200b}".to_owned(), "Bearer s3cret-eight".into())];
        spec.transport = Transport::Http { url, headers, kind: HttpKind::Streamable };
        let http = details(&spec);

        let begins = |lines: &[String], heads: &[&str]| {
            assert_eq!(lines.len(), heads.len(), "{lines:#?}");
            for (line, head) in lines.iter().zip(heads) {
                assert!(line.starts_with(head), "{line:?} is no {head}");
            }
        };
        begins(&child, &["command: run", "arguments: --api-key", "folder: /srv/", "environment: "]);
        begins(&http, &["address: https://", "header: Authorization"]);
        for line in child.iter().chain(&http) {
            assert!(!line.contains("s3cret"), "{line}");
            let acts = |c: char| c.is_control() || "\u{202e}\u{200b}\u{e0041}".contains(c);
            assert!(!line.contains(acts), "{line:?}");
        }
        // What is no secret stays readable.
        assert!(child.iter().any(|line| line.contains("break")), "{child:#?}");
        assert!(http.iter().any(|line| line.contains("host/")), "{http:#?}");
    }

    #[test]
    fn details_of_a_bare_command_name_what_it_inherits() {
        let lines = details(&ServerSpec::stdio("s", "run", [""; 0]));
        assert_eq!(
            lines,
            [
                "command: run",
                "folder: where vestibule runs",
                "environment: vestibule's own, plus nothing",
            ]
        );
    }
}
