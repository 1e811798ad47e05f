//! What servers list.

use crate::house::{House, Setup, Way, id};
use serde_json::{Value, json};
use vestibule::{
    config::Limits,
    domain::{Era, Link, ListingState, Permissions, Surface, Truncation},
};

/// Three pages of two for each kind of list, with cursors that are not to be touched.
pub(crate) fn six_of_everything(era: &str) -> Value {
    let items = |make: fn(usize) -> Value| (1..=6).map(make).collect::<Vec<_>>();
    json!({
        "era": era,
        "page": 2,
        "cursors": ["eyJ9/+=", long_cursor(), "for the seventh"],
        "resources": items(|n| json!({"uri": format!("plain:item/{n}"), "name": format!("r{n}")})),
        "templates": items(|n| json!({"uriTemplate": format!("plain:{n}/{{x}}"), "name": format!("t{n}")})),
        "prompts": items(|n| json!({"name": format!("p{n}")})),
        "tools": items(|n| json!({"name": format!("f{n}"), "inputSchema": {"type": "object"}})),
    })
}

fn long_cursor() -> String {
    "é\"\\/ 0123456789+=".chars().cycle().take(4096).collect()
}

pub(crate) async fn every_page_arrives_in_order(way: Way) {
    for era in ["legacy", "modern"] {
        let house = Setup::new(way).server("one", six_of_everything(era)).open();
        let expected = |head: &str| (1..=6).map(|n| format!("{head}{n}")).collect::<Vec<_>>();
        let view = house.registry.settled().await;
        let lists = &view.servers[0].lists;
        assert_eq!(names(&house.registry.list_resources().await, |r| &r.name), expected("r"));
        assert_eq!(names(&house.registry.list_templates().await, |t| &t.name), expected("t"));
        assert_eq!(names(&house.registry.list_prompts().await, |p| &p.name), expected("p"));
        assert_eq!(names(&house.registry.list_tools().await, |t| &t.name), expected("f"));
        assert_eq!(lists.resources.state, ListingState::Fresh);
        assert_eq!((lists.resources.truncated, lists.resources.malformed.len()), (None, 0));
        house.close().await;
    }
}

/// Pages long enough to be read while the next one is on its way.
pub(crate) async fn long_pages_are_asked_for_once_each_and_no_further_than_allowed(way: Way) {
    let long = "long ".repeat(2000);
    for (max_pages, max_items, pages, items) in [(9, 99, 4, 7), (2, 99, 2, 4), (9, 5, 3, 5)] {
        let script = json!({
            "page": 2, "cursors": ["a", "b", "c"],
            "resources": (1..=7).map(|n| json!({
                "uri": format!("plain:{n}"), "name": format!("r{n}"), "description": long,
            })).collect::<Vec<_>>(),
        });
        let limits = Limits { max_pages, max_items, ..Limits::default() };
        let house = Setup::new(way).limits(limits).server("one", script).open();
        house.registry.settled().await;
        let expected: Vec<_> = (1..=items).map(|n| format!("r{n}")).collect();
        assert_eq!(names(&house.registry.list_resources().await, |r| &r.name), expected);
        let asked = house.received("one", "resources/list").await;
        let cursors: Vec<_> = asked.iter().map(|m| m["params"]["cursor"].as_str()).collect();
        assert_eq!(cursors, [None, Some("a"), Some("b"), Some("c")][..pages]);
        assert_eq!(house.received("one", "notifications/cancelled").await.len(), 0);
        house.close().await;
    }
}

fn names<T>(rows: &[T], name: fn(&T) -> &vestibule::domain::UntrustedText) -> Vec<String> {
    rows.iter().map(|row| name(row).raw().to_owned()).collect()
}

pub(crate) async fn cursors_go_back_byte_for_byte(way: Way) {
    for era in ["legacy", "modern"] {
        let house = Setup::new(way).server("one", six_of_everything(era)).open();
        house.registry.settled().await;
        for method in ["resources/list", "resources/templates/list", "prompts/list", "tools/list"] {
            let asked = house.received("one", method).await;
            let cursors: Vec<_> = asked.iter().map(|m| m["params"].get("cursor")).collect();
            let expected = [None, Some(&json!("eyJ9/+=")), Some(&json!(long_cursor()))];
            assert_eq!(cursors, expected, "{method}");
        }
        house.close().await;
    }
}

pub(crate) async fn every_older_version_is_spoken_and_an_unknown_one_refused(way: Way) {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut script = six_of_everything("legacy");
        script["version"] = json!(version);
        let house = Setup::new(way).server("one", script).open();
        let view = house.registry.settled().await;
        let Link::Up(facts) = &view.servers[0].link else { panic!("{:?}", view.servers[0].link) };
        assert_eq!((facts.era, facts.version.as_str()), (Era::Legacy, version));
        assert_eq!(view.catalogue.tools.len(), 6);
        house.registry.get_prompt("p1", &[], None).await.expect("a prompt");
        house.close().await; // holds what was sent against the schema of that version
    }
    for version in ["1999-01-01", "2099-01-01", ""] {
        let mut script = six_of_everything("legacy");
        script["version"] = json!(version);
        let house = Setup::new(way).server("one", script).open();
        let view = house.registry.settled().await;
        let Link::Down { why } = &view.servers[0].link else { panic!("{version} was taken") };
        assert_eq!(why.kind.code(), "protocol", "{why:?}");
        assert!(why.cause.iter().any(|cause| cause.raw() == version), "{why:?}");
        house.registry.close().await;
    }
}

pub(crate) async fn a_server_of_templates_only_has_templates(way: Way) {
    let script = json!({"templates": [{"uriTemplate": "only:{x}", "name": "t"}]});
    let house = Setup::new(way).server("one", script).open();
    let view = house.registry.settled().await;
    assert_eq!(house.registry.list_templates().await.len(), 1);
    assert!(house.registry.list_resources().await.is_empty());
    let lists = &view.servers[0].lists;
    assert_eq!(lists.prompts.state, ListingState::NotOffered);
    assert_eq!(lists.tools.state, ListingState::NotOffered);
    // What is not offered is not asked for.
    assert!(house.received("one", "prompts/list").await.is_empty());
    assert!(house.received("one", "tools/list").await.is_empty());
    house.close().await;
}

pub(crate) async fn a_missing_template_method_hides_templates_only(way: Way) {
    let mut script = six_of_everything("legacy");
    script["refuse"] = json!({"resources/templates/list": -32601});
    let house = Setup::new(way).server("one", script).open();
    let view = house.registry.settled().await;
    let lists = &view.servers[0].lists;
    assert_eq!(lists.templates.state, ListingState::NotOffered);
    assert_eq!(lists.resources.items.len(), 6);
    assert_eq!(lists.tools.items.len(), 6);
    house.close().await;
}

pub(crate) async fn a_list_that_is_refused_is_no_empty_list(way: Way) {
    let mut script = six_of_everything("legacy");
    script["refuse"] = json!({"prompts/list": -32603, "resources/templates/list": -32603});
    let house = Setup::new(way).server("one", script).open();
    let view = house.registry.settled().await;
    let lists = &view.servers[0].lists;
    for fault in [lists.prompts.fault(), lists.templates.fault()] {
        let fault = fault.expect("a fault");
        assert_eq!(fault.kind.code(), "server_error");
        assert!(fault.cause[0].raw().contains("this server refuses"), "{fault:?}");
    }
    assert_eq!(lists.resources.items.len(), 6);
    house.close().await;
}

pub(crate) async fn a_change_that_is_told_is_listed_again(way: Way) {
    let mut script = six_of_everything("legacy");
    script["hold"] = json!(["plain:held"]);
    let house = Setup::new(way).server("one", script).open();
    house.registry.settled().await;
    // The server lists one resource more for each read that was given up, and says so.
    drop(begun(&house, "plain:held").await);
    let seven = |view: &vestibule::registry::ServerView| view.lists.resources.items.len() == 7;
    let server = house.until_server("one", seven).await;
    assert_eq!(server.connects, 1);
    house.close().await;
}

/// A read that has reached the server, which holds it.
pub(crate) async fn begun(house: &House, uri: &str) -> impl Future<Output = ()> + use<> {
    let registry = house.registry.clone();
    let address = uri.to_owned();
    let mut read = Box::pin(async move {
        let _ = registry.read_resource(&address, Some("one")).await;
    });
    // One server reads its lines in order: what it answers after this has been sent comes after it.
    tokio::select! {
        biased;
        () = &mut read => panic!("it was held"),
        () = sent(house, uri) => {}
    }
    read
}

/// Returns once a read of this URI is among what was sent.
async fn sent(house: &House, uri: &str) {
    use vestibule::registry::Direction;
    let quoted = Value::from(uri).to_string();
    loop {
        let traffic = house.registry.traffic(&id("one"));
        let mut ours = traffic.iter().filter(|entry| entry.direction == Direction::Sent);
        if ours.any(|entry| String::from_utf8_lossy(&entry.bytes).contains(&quoted)) {
            return;
        }
        tokio::task::yield_now().await;
    }
}

pub(crate) async fn a_refresh_lists_again(way: Way) {
    let setup = Setup::new(way);
    let gate = setup.path("gate");
    let mut script = six_of_everything("modern");
    script["gate"] = json!(gate);
    let house = setup.server("one", script).open();
    house.registry.settled().await;
    std::fs::write(&gate, "closed").expect("written");
    house.registry.refresh(&id("one"));
    // Old rows stand while the new ones are on their way.
    let loading = house.until(|view| !view.is_settled()).await;
    assert_eq!(loading.servers[0].lists.resources.items.len(), 6);
    std::fs::remove_file(&gate).expect("opened");
    house.registry.settled().await;
    assert_eq!(house.received("one", "resources/list").await.len(), 6);
    house.close().await;
}

pub(crate) async fn an_edge_of_the_limit_is_no_cut(way: Way) {
    let three = |make: fn(usize) -> Value| (1..=3).map(make).collect::<Vec<_>>();
    // All on one page; the last one on a page of its own; each on one.
    for page in [3, 2, 1] {
        for (max_items, cut) in [(3, None), (2, Some(Truncation::Items(2))), (4, None)] {
            let script = json!({
                "page": page, "cursors": ["a", "b", "c"],
                "resources": three(|n| json!({"uri": format!("r:{n}"), "name": "r"})),
                "templates": three(|n| json!({"uriTemplate": format!("t:{n}"), "name": "t"})),
                "prompts": three(|n| json!({"name": format!("p{n}")})),
                "tools": three(|n| json!({"name": format!("f{n}"), "inputSchema": {"type": "object"}})),
            });
            let limits = Limits { max_items, ..Limits::default() };
            let house = Setup::new(way).limits(limits).server("one", script).open();
            let view = house.registry.settled().await;
            let lists = &view.servers[0].lists;
            let seen = [
                (lists.resources.items.len(), lists.resources.truncated, &lists.resources.state),
                (lists.templates.items.len(), lists.templates.truncated, &lists.templates.state),
                (lists.prompts.items.len(), lists.prompts.truncated, &lists.prompts.state),
                (lists.tools.items.len(), lists.tools.truncated, &lists.tools.state),
            ];
            let expected = (max_items.min(3), cut, &ListingState::Fresh);
            assert_eq!(seen, [expected; 4], "pages of {page}, {max_items} allowed");
            house.close().await;
        }
    }
}

pub(crate) async fn forbidden_tools_are_counted_and_not_listed(way: Way) {
    let tools = ["read_file", "read_all", "write_file", "READ_FILE"];
    let tools = tools.map(|name| json!({"name": name, "inputSchema": {"type": "object"}}));
    let script = json!({"tools": tools, "prompts": [{"name": "write_file"}]});
    let patterns = |patterns: &[&str]| Some(patterns.iter().map(|p| (*p).to_owned()).collect());
    for (allowed, seen) in [
        (patterns(&["read_*"]), &["read_file", "read_all"][..]),
        (patterns(&["*", "!read_*"]), &["write_file", "READ_FILE"]),
        (patterns(&["*_file", "!write_*"]), &["read_file"]),
        (patterns(&[]), &[]),
        (None, &["read_file", "read_all", "write_file", "READ_FILE"]),
    ] {
        let may = Permissions { tools: allowed.clone(), ..Permissions::default() };
        let setup = Setup::new(way);
        let house = setup.adjusted("one", script.clone(), |spec| spec.permissions(may)).open();
        let view = house.registry.settled().await;
        assert_eq!(names(&house.registry.list_tools().await, |t| &t.name), seen, "{allowed:?}");
        let rows = view.catalogue.tools.iter().map(|row| row.item.name.raw());
        assert_eq!(rows.collect::<Vec<_>>(), seen, "{allowed:?}");
        let lists = &view.servers[0].lists;
        assert_eq!(lists.hidden(Surface::Tools), 4 - seen.len());
        // No surface speaks for another.
        assert_eq!((lists.hidden(Surface::Prompts), lists.prompts.items.len()), (0, 1));
        house.close().await;
    }
}
