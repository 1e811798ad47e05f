//! The embedded servers: what we send to them is what the schema says, in both eras.

use crate::wire::Wire;
use std::sync::Arc;
use vestibule::{
    demo,
    domain::{Completable, Era, HttpKind, Link, ServerId, ServerSpec, Transport},
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

/// A registry over the embedded servers on a port of loopback.
async fn over_http() -> (Registry, tokio::task::JoinHandle<()>, tokio::sync::oneshot::Sender<()>) {
    let [library, observatory] = demo::servers()[..] else { panic!("two servers") };
    let http = demo::HttpServer::bind(library, 0).await.expect("a free port");
    let mut specs = Vec::new();
    for server in [library, observatory] {
        let addresses = http.addresses();
        let (_, url) = addresses.iter().rfind(|(name, _)| *name == server.name).expect("listed");
        let transport =
            Transport::Http { url: url.clone(), headers: Vec::new(), kind: HttpKind::default() };
        specs.push(ServerSpec::new(ServerId::new(server.name).expect("a name"), transport));
    }
    let (end, ends) = tokio::sync::oneshot::channel();
    let serving = tokio::spawn(async move {
        let _ = http.serve(ends).await;
    });
    (Registry::open(specs).expect("two names"), serving, end)
}

pub(crate) async fn watched_over_http() {
    let (registry, serving, end) = over_http().await;
    for (uri, server) in [
        ("library://notices/today", "library"),
        ("observatory://conditions/now.json", "observatory"),
    ] {
        registry.subscribe(uri, None).await.unwrap_or_else(|fault| panic!("{server}: {fault:?}"));
        let mut watch = registry.watch();
        let id = ServerId::new(server).expect("a name");
        let told = watch.wait_for(|view| {
            let all = &view.server(&id).expect("a server").subscriptions;
            all.iter().any(|one| one.uri.raw() == uri && one.updates > 0 && one.generation > 0)
        });
        told.await.expect("the registry is open");
        registry.unsubscribe(uri, None).await.expect("it was watched");
    }
    registry.close().await;
    end.send(()).expect("it serves");
    serving.await.expect("it ended");
}
