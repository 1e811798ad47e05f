//! How a conversation is opened.

use crate::{
    expect::{Times, not_offered},
    row::{Row, legacy, modern, unreached},
};
use vestibule::domain::{EraChoice, FaultKind};

pub(crate) fn rows() -> Vec<Row> {
    let mut rows = slow();
    rows.extend(initialize());
    rows.extend(discover());
    rows
}

/// The SDK's probe waits ten seconds, so there are few of these.
fn slow() -> Vec<Row> {
    vec![
        legacy("slow_start", "reads nothing for eleven seconds, as package runners do")
            .breaches(Times::Exactly(1))
            .settled_within(25),
        legacy("mute_on_discover", "ignores server/discover, answers initialize")
            .settled_within(25),
        legacy("late_discover", "refuses server/discover after initialize was sent")
            .breaches(Times::Exactly(1))
            .settled_within(25),
    ]
}

fn initialize() -> Vec<Row> {
    let nothing = |row: Row| {
        row.all_lists(not_offered()).read_fails(FaultKind::NotFound, "offers no resources")
    };
    vec![
        legacy("ok", "nothing; the baseline").also_in_process(),
        legacy("ok_legacy", "nothing; initialize chosen by the user")
            .serve("ok")
            .era(EraChoice::Legacy)
            .also_in_process(),
        unreached(
            "ok_modern",
            "nothing; server/discover chosen by the user, which it does not know",
            FaultKind::ServerError,
            "-32601",
        )
        .serve("ok")
        .era(EraChoice::Modern),
        unreached("no_init", "answers nothing", FaultKind::Timeout, "no answer to the handshake")
            .connect(1000)
            .also_in_process(),
        unreached(
            "no_init_legacy",
            "answers nothing, initialize least of all, which may not be cancelled",
            FaultKind::Timeout,
            "no answer to the handshake",
        )
        .serve("no_init")
        .era(EraChoice::Legacy)
        .connect(1000),
        unreached("init_error", "refuses initialize", FaultKind::ServerError, "I refuse")
            .also_in_process(),
        nothing(
            legacy("init_missing", "names a version and nothing else").breaches(Times::Exactly(2)),
        )
        .also_in_process(),
        nothing(legacy("init_caps_null", "its capabilities are null, true and a list"))
            .prompts(crate::expect::fresh(3))
            .breaches(Times::Exactly(2))
            .also_in_process(),
        unreached("version_unknown", "chooses 1999-01-01", FaultKind::Protocol, "1999-01-01")
            .also_in_process(),
        unreached("version_future", "chooses 2099-01-01", FaultKind::Protocol, "2099-01-01")
            .also_in_process(),
        legacy("version_2024", "chooses 2024-11-05 whatever was asked")
            .version("2024-11-05")
            .also_in_process(),
        legacy("early_sampling", "asks for sampling before and after it answers initialize")
            .reads_text(r#"Some("error -32601") Some("error -32601")"#)
            .breaches(Times::AtLeast(3))
            .also_in_process(),
        legacy("early_ping", "pings and logs before it answers initialize")
            .reads_text(r#"Some("result {}")"#)
            .also_in_process(),
    ]
}

fn discover() -> Vec<Row> {
    vec![
        legacy("exit_on_discover", "exits when it is greeted in a way it does not know"),
        legacy("discover_null_id", "refuses server/discover without an id")
            .breaches(Times::Exactly(1))
            .also_in_process(),
        legacy("discover_strict", "says that it is not initialized").also_in_process(),
        legacy("discover_garbage", "answers server/discover with an empty object")
            .also_in_process(),
        legacy("discover_old", "offers a version by discovery that is opened with initialize")
            .also_in_process(),
        legacy("discover_unsupported", "refuses the version and names one it supports")
            .also_in_process(),
        unreached(
            "discover_future",
            "supports only a version that nobody knows",
            FaultKind::Protocol,
            "no protocol version in common",
        )
        .also_in_process(),
        modern("discover_no_ttl", "leaves out resultType, ttlMs and cacheScope")
            .breaches(Times::Exactly(1))
            .also_in_process(),
    ]
}
