//! Hand-made snapshots for the tests of this room.

use super::{
    Reporter,
    outcome::{Settled, Stop},
};
use crate::{
    domain::{
        Capabilities, Era, Fault, FaultKind, Link, Listing, ListingState, Resource, ServerFacts,
        ServerId,
    },
    registry::{Catalogue, Lists, Noise, RegistryView, Row, ServerView},
};
use std::{io::Write, sync::Arc};

/// A server in the given state, listing the given resources.
fn server(name: &str, link: Link, resources: Vec<Resource>) -> ServerView {
    let mut lists = Lists::default();
    if matches!(link, Link::Up(_)) {
        let mut listing = Listing::empty(ListingState::Fresh);
        listing.items = resources.into_iter().map(Arc::new).collect();
        lists.resources = Arc::new(listing);
    }
    ServerView {
        id: ServerId::sanitized(name),
        transport: "stdio",
        source: "a test".into(),
        details: Vec::new(),
        link,
        again: None,
        connects: 1,
        lists: Arc::new(lists),
        subscriptions: Arc::default(),
        permissions: Arc::default(),
        noise: Noise::default(),
        sampling: false,
    }
}

/// A server that is up and lists the given resources.
pub(super) fn up_with(name: &str, resources: Vec<Resource>) -> ServerView {
    let facts = ServerFacts {
        era: Era::Legacy,
        era_reason: "asked for".into(),
        version: "2025-11-25".into(),
        name: None,
        release: None,
        instructions: None,
        capabilities: Capabilities::default(),
    };
    server(name, Link::Up(facts), resources)
}

/// A server that is up and lists nothing.
pub(super) fn up(name: &str) -> ServerView {
    up_with(name, Vec::new())
}

/// A server that was not reached.
pub(super) fn down(name: &str) -> ServerView {
    let why = Fault::new(FaultKind::Unreachable, "could not be reached");
    server(name, Link::Down { why: why.of(&ServerId::sanitized(name)) }, Vec::new())
}

/// A server that is still starting.
pub(super) fn connecting(name: &str) -> ServerView {
    server(name, Link::Connecting, Vec::new())
}

/// A server that is switched off.
pub(super) fn off(name: &str) -> ServerView {
    ServerView { connects: 0, ..server(name, Link::Idle, Vec::new()) }
}

/// A resource with a name and nothing else.
pub(super) fn resource(uri: &str) -> Resource {
    Resource {
        uri: uri.into(),
        name: "name".into(),
        title: None,
        description: None,
        mime_type: None,
        size: None,
        annotations: None,
    }
}

/// The snapshot of these servers.
pub(super) fn view(servers: Vec<ServerView>) -> RegistryView {
    let row = |server: &ServerView, item: &Arc<Resource>| Row {
        server: server.id.clone(),
        item: item.clone(),
        ambiguous: false,
        copies: 1,
        needs_confirmation: false,
    };
    let resources: Vec<_> = servers
        .iter()
        .flat_map(|server| server.lists.resources.items.iter().map(move |item| row(server, item)))
        .collect();
    RegistryView {
        generation: 1,
        catalogue: Arc::new(Catalogue { resources: Arc::new(resources), ..Catalogue::default() }),
        servers: servers.into_iter().map(Arc::new).collect(),
    }
}

/// What a command writes to both streams for a snapshot, and its exit code.
pub(super) fn presented(
    view: &RegistryView,
    present: impl FnOnce(&Settled, &mut dyn Write, &mut Reporter<'_>) -> Result<u8, Stop>,
) -> (String, String, u8) {
    let settled = Settled { view: Arc::new(view.clone()), late: None };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = match present(&settled, &mut out, &mut Reporter::new(&mut err, false)) {
        Ok(code) => code,
        Err(Stop::Fault(fault)) => {
            err.extend(format!("{fault}\n").bytes());
            fault.kind.exit_code()
        }
        Err(Stop::Output(error)) => panic!("{error}"),
    };
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (text(out), text(err), code)
}
