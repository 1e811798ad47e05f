//! In which era a server is reached, why, and in which time.

use crate::{
    house::{House, Setup, Way, at},
    lists::six_of_everything,
    plain_http::PlainHttp,
};
use serde_json::{Value, json};
use std::{fs, path::Path, time::Duration};
use vestibule::{
    config::Limits,
    domain::{Era, EraChoice, FaultKind, Link, ServerFacts},
};

/// What a server is said to be once it is up.
async fn facts(house: &House) -> ServerFacts {
    let view = house.registry.settled().await;
    match &view.servers[0].link {
        Link::Up(facts) => facts.clone(),
        other => panic!("{other:?}"),
    }
}

pub(crate) async fn the_reason_of_an_era_is_told(way: Way) {
    let dying = json!({"resources": [], "die": ["server/discover"]});
    // Over HTTP every message has a connection of its own.
    let died = match way {
        Way::InProcess | Way::Stdio => "initialize on a fresh connection",
        Way::Http => "initialize on the same connection",
    };
    for (script, choice, era, reason) in [
        (json!({"era": "modern"}), EraChoice::Auto, Era::Modern, "server/discover answered"),
        (json!({}), EraChoice::Auto, Era::Legacy, "initialize on the same connection"),
        (dying, EraChoice::Auto, Era::Legacy, died),
        (json!({}), EraChoice::Legacy, Era::Legacy, "chosen in the entry"),
        (json!({"era": "modern"}), EraChoice::Modern, Era::Modern, "chosen in the entry"),
    ] {
        let setup = Setup::new(way);
        let house = setup.adjusted("one", script, |spec| spec.era(choice)).open();
        let facts = facts(&house).await;
        assert_eq!(facts.era, era, "{choice:?}: {reason}");
        assert!(facts.era_reason.contains(reason), "{:?} is not {reason}", facts.era_reason);
        house.close().await;
    }
}

pub(crate) async fn every_refusal_of_discovery_leads_to_initialize(way: Way) {
    let error = |code: i64| json!({"code": code, "message": "no", "data": {"supported": 7}});
    let unsupported = |versions: Value| {
        let data = json!({"supported": versions, "requested": "2026-07-28"});
        json!({"code": -32022, "message": "Unsupported protocol version", "data": data})
    };
    for (refusal, version) in [
        (error(-32600), "2025-11-25"),
        (error(-32601), "2025-11-25"),
        (error(-32602), "2025-11-25"),
        (error(-32603), "2025-11-25"),
        (json!({"code": -1, "message": ""}), "2025-11-25"),
        (unsupported(json!(["2024-11-05"])), "2024-11-05"),
        (unsupported(json!(["2025-06-18", "2025-03-26"])), "2025-06-18"),
        (unsupported(json!(["1999-01-01", "2025-03-26"])), "2025-03-26"),
    ] {
        let mut script = six_of_everything("legacy");
        script["version"] = json!(version);
        script["refuse"] = json!({"server/discover": refusal});
        let house = Setup::new(way).server("one", script).open();
        let facts = facts(&house).await;
        assert_eq!((facts.era, facts.version.as_str()), (Era::Legacy, version), "{refusal}");
        assert_eq!(house.registry.list_tools().await.len(), 6, "{refusal}");
        house.close().await;
    }
}

/// One server that is reached again and again.
struct Same {
    way: Way,
    script: Value,
    /// Its address must stay what it was.
    http: Option<PlainHttp>,
}

impl Same {
    fn new(way: Way, script: Value) -> Self {
        let http = (way == Way::Http).then(|| PlainHttp::start(script.clone()));
        Self { way, script, http }
    }

    /// Connects it over a cache folder; says how it was reached and what it was asked first.
    async fn reached(&self, cache: &Path) -> (ServerFacts, String) {
        let record = Path::new(self.script["record"].as_str().expect("a record"));
        let _ = fs::remove_file(record);
        let setup = Setup::new(self.way).cache(cache);
        let house = match &self.http {
            Some(http) => setup.entry(at("one", http.url())),
            None => setup.server("one", self.script.clone()),
        };
        let house = house.open();
        let facts = facts(&house).await;
        house.close().await;
        let lines = fs::read_to_string(record).expect("a record");
        let first: Value =
            serde_json::from_str(lines.lines().next().expect("a line")).expect("JSON");
        (facts, first["method"].as_str().expect("a method").to_owned())
    }
}

pub(crate) async fn an_era_is_remembered(way: Way) {
    let folder = tempfile::tempdir().expect("a folder");
    let record = folder.path().join("record");
    for era in ["legacy", "modern"] {
        let script = json!({"era": era, "resources": [], "record": record});
        let cache = folder.path().join("cache");
        let server = Same::new(way, script);
        let (first, asked) = server.reached(&cache).await;
        assert_eq!((first.era.label(), asked.as_str()), (era, "server/discover"));
        let (second, asked) = server.reached(&cache).await;
        assert_eq!(second.era, first.era);
        match (way, second.era) {
            (Way::Stdio | Way::Http, Era::Legacy) => {
                assert_eq!(asked, "initialize", "nothing is asked before");
                assert_eq!(second.era_reason, "as it was reached before");
            }
            // What runs in this process answers at once, and is asked anew.
            (Way::InProcess, _) | (_, Era::Modern) => {
                assert_eq!(
                    (asked.as_str(), second.era_reason),
                    ("server/discover", first.era_reason)
                );
            }
        }
    }
}

pub(crate) async fn a_memory_that_is_wrong_is_corrected(way: Way) {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path().join("cache");
    let record = folder.path().join("record");
    let script = json!({"era": "modern", "resources": [], "record": record});
    let server = Same::new(way, script);
    server.reached(&cache).await;
    // The server was of the older era when it was reached last.
    let memories: Vec<_> = match fs::read_dir(cache.join("eras")) {
        Ok(entries) => entries.map(|entry| entry.expect("an entry").path()).collect(),
        Err(_) => Vec::new(),
    };
    assert_eq!(memories.len(), usize::from(way != Way::InProcess));
    memories.iter().for_each(|memory| fs::write(memory, "legacy").expect("written"));
    let (facts, _) = server.reached(&cache).await;
    assert_eq!((facts.era, facts.era_reason.as_str()), (Era::Modern, "server/discover answered"));
    for memory in &memories {
        assert_eq!(fs::read_to_string(memory).expect("a memory"), "modern");
    }
}

pub(crate) async fn the_time_of_an_entry_goes_before_the_limit(way: Way) {
    let (short, long) = (Duration::from_millis(200), Duration::from_secs(20));
    let script = json!({"resources": [], "slow": 600});
    let setup = Setup::new(way).limits(Limits { connect: short, ..Limits::default() });
    let house = setup.adjusted("one", script.clone(), |spec| spec.connect_timeout(long)).open();
    assert_eq!(facts(&house).await.era, Era::Legacy);
    house.close().await;

    let setup = Setup::new(way).limits(Limits { connect: long, ..Limits::default() });
    let house = setup.adjusted("one", script, |spec| spec.connect_timeout(short)).open();
    let view = house.registry.settled().await;
    let Link::Down { why } = &view.servers[0].link else { panic!("{:?}", view.servers[0].link) };
    assert_eq!(why.kind, FaultKind::Timeout);
    assert!(why.what.ends_with("within 0.2 s"), "{why:?}");
    let hint = why.hint.as_deref().expect("a hint");
    assert!(hint.contains("may still be starting") && hint.contains("connectTimeoutSeconds"));
    house.close().await;
}
