//! The embedded servers: what we send to them is what the schema says, in both eras.

use crate::wire::Wire;
use std::sync::Arc;
use vestibule::{
    demo,
    domain::{Completable, Era, Link},
    registry::{Query, Registry},
};

pub(crate) async fn sent() {
    let mut builder = Registry::builder();
    for server in demo::servers() {
        builder = builder.in_process(server.name, Arc::new(move || server.open()));
    }
    let registry = builder.open().expect("two names");
    let view = registry.settled().await;
    let eras: Vec<Era> = view
        .servers
        .iter()
        .map(|server| match &server.link {
            Link::Up(facts) => facts.era,
            other => panic!("{}: {other:?}", server.id),
        })
        .collect();
    assert_eq!(eras, [Era::Legacy, Era::Modern]);
    for row in registry.list_resources().await {
        registry.read_resource(row.uri.raw(), None).await.expect("a reading");
    }
    for row in registry.list_prompts().await {
        let arguments: Vec<_> =
            row.arguments.iter().map(|a| (a.name.raw().to_owned(), "x y".to_owned())).collect();
        let rendered = registry.get_prompt(row.name.raw(), &arguments, None).await;
        rendered.unwrap_or_else(|fault| panic!("{}: {fault:?}", row.name.raw()));
    }
    for (uri, server) in [
        ("library://notices/today", "library"),
        ("observatory://conditions/now.json", "observatory"),
    ] {
        registry.subscribe(uri, None).await.expect("it may be watched");
        registry.subscribe("demo://no-such", Some(server)).await.expect_err("it may not");
        registry.unsubscribe(uri, None).await.expect("it was watched");
    }
    let others = [("station".to_owned(), "summit".to_owned())];
    let query = Query {
        of: Completable::Template,
        address: "observatory://readings/{station}/{day}",
        argument: "day",
        value: "2026-06-",
        others: &others,
    };
    let days = registry.complete(query, None).await.expect("days").completion;
    assert_eq!((days.values.len(), days.total), (6, Some(6)), "{days:?}");
    let query = Query {
        of: Completable::Prompt,
        address: "recommend_book",
        argument: "mood",
        value: "re",
        others: &[],
    };
    let moods = registry.complete(query, None).await.expect("moods").completion;
    assert_eq!(moods.values, ["restless".into(), "rested".into()]);
    let wire = Wire::new();
    for server in &view.servers {
        let checked = wire.check_traffic(&registry.traffic(&server.id)).expect("the schema");
        assert!(checked > 10, "{}: {checked} messages", server.id);
    }
    registry.close().await;
}
