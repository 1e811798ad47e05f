//! The lists of many servers as one.

use crate::{
    figure::Figure,
    measure::{cpu_seconds, medians},
};
use std::{hint::black_box, sync::Arc};
use vestibule::{
    domain::{Link, Listing, ListingState, Resource, ServerId},
    registry::{Catalogue, Lists, Noise, RegistryView, ServerView},
};

/// How many servers share the rows.
const SERVERS: usize = 10;
/// How many rows are merged.
const ROWS: usize = 100_000;

/// Servers that list `total` resources between them, in an order that is none; every hundredth
/// URI is listed by all of them.
fn servers(total: usize) -> Vec<Arc<ServerView>> {
    let each = total / SERVERS;
    (0..SERVERS).map(|server| Arc::new(one(server, each))).collect()
}

fn one(server: usize, each: usize) -> ServerView {
    let items = (0..each).map(|n| Arc::new(resource(server, n))).collect();
    let listing = Listing { items, ..Listing::empty(ListingState::Fresh) };
    of_lists(server, Lists { resources: Arc::new(listing), ..Lists::default() })
}

fn of_lists(server: usize, lists: Lists) -> ServerView {
    ServerView {
        id: ServerId::new(&format!("server-{server}")).expect("a name"),
        transport: "stdio",
        source: String::new(),
        details: Vec::new(),
        link: Link::Connecting,
        again: None,
        connects: 1,
        lists: Arc::new(lists),
        noise: Noise::default(),
        permissions: Arc::default(),
        subscriptions: Arc::default(),
        sampling: false,
    }
}

fn resource(server: usize, n: usize) -> Resource {
    // A bijection on 32 bits: different places, scattered.
    let place = (n as u32).wrapping_mul(0x9e37_79b1);
    let (folder, file) = (place >> 16, place & 0xffff);
    let owner =
        if n.is_multiple_of(100) { "shared".to_owned() } else { format!("archive-{server}") };
    Resource {
        uri: format!("test://{owner}/folder-{folder:05}/record-{file:05}").into(),
        name: format!("record {n} of {owner}").into(),
        title: None,
        description: Some(format!("What {owner} keeps under the number {n}").into()),
        mime_type: Some("text/plain".into()),
        size: None,
        annotations: None,
    }
}

/// A snapshot with so many rows.
pub(crate) fn view(total: usize) -> Arc<RegistryView> {
    of_servers(servers(total))
}

/// One server with these lists.
pub(crate) fn view_of(lists: Lists) -> Arc<RegistryView> {
    of_servers(vec![Arc::new(of_lists(0, lists))])
}

fn of_servers(servers: Vec<Arc<ServerView>>) -> Arc<RegistryView> {
    let catalogue = Arc::new(Catalogue::of(&servers));
    Arc::new(RegistryView { generation: 1, servers, catalogue })
}

pub(crate) fn merge() -> Vec<Figure> {
    let (ours, baseline) = (medians("merge"), medians("merge-sort"));
    vec![Figure::ratio("CPU", ours[0], baseline[0], 2.0)]
}

pub(crate) fn merge_and_address() -> Vec<f64> {
    let servers = servers(ROWS);
    let began = cpu_seconds();
    let catalogue = Catalogue::of(&servers);
    let addresses: Vec<_> = catalogue.resources.iter().map(|row| row.address()).collect();
    let cpu = cpu_seconds() - began;
    assert_eq!(black_box(addresses).len(), ROWS);
    assert_eq!(catalogue.resources.iter().filter(|row| row.ambiguous).count(), ROWS / 100);
    vec![cpu]
}

pub(crate) fn sort() -> Vec<f64> {
    let servers = servers(ROWS);
    let mut rows: Vec<Arc<Resource>> =
        servers.iter().flat_map(|server| server.lists.resources.items.iter().cloned()).collect();
    let began = cpu_seconds();
    rows.sort_by(|a, b| a.uri.cmp(&b.uri));
    let cpu = cpu_seconds() - began;
    assert_eq!(black_box(rows).len(), ROWS);
    vec![cpu]
}
