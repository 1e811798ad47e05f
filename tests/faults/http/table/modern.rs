//! The era of 2026-07-28. Its rules about headers are looked at in every row.

use crate::{
    expect::{Times, failed, fresh},
    row::{Row, modern},
};
use vestibule::domain::FaultKind;

pub(super) fn rows() -> Vec<Row> {
    let rows = vec![
        modern("modern", "nothing; answers in one piece"),
        modern("modern_sse", "nothing; answers in streams"),
        modern("modern_no_listen", "offers news of its lists and has no method for them")
            .breaches(Times::Exactly(1)),
        modern("modern_listen_ends", "ends the stream of news at once")
            .count("subscriptions/listen", 1..=4),
        modern("modern_listen_cut", "breaks the stream of news off")
            .after("subscriptions/listen", 2)
            .count("subscriptions/listen", 2..=4),
        modern("modern_news", "says that its resources changed").resources(fresh(4)).changes(),
        modern("modern_cancel", "never answers a read")
            .request(800)
            .read_fails(FaultKind::Timeout, "resources/read")
            .stderr("STREAM CLOSED")
            .count("notifications/cancelled", 0..=0),
        modern("modern_mismatch", "finds a header that does not fit")
            .read_fails(FaultKind::ServerError, "-32020")
            .count("resources/read", 1..=1),
        modern("modern_asks", "sends a request, which its era forbids")
            .reads_text("hello")
            .breaches(Times::Exactly(1))
            .count("ANSWER", 0..=0),
        modern("modern_no_prompts", "offers prompts and has no method for them")
            .prompts(failed(FaultKind::ServerError, "-32601")),
    ];
    let never =
        |row: Row| row.count("GET", 0..=0).count("DELETE", 0..=0).count("initialize", 0..=0);
    rows.into_iter().map(never).collect()
}
