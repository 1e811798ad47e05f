//! Answers in one piece whose HTTP is right and whose message is not. None of them may wait for a
//! time that runs out.

use crate::{
    expect::{Times, failed},
    row::{Row, legacy},
};
use vestibule::domain::FaultKind;

/// The least limit of a message that the settings allow.
const LEAST: usize = 64 * 1024;

pub(super) fn rows() -> Vec<Row> {
    let protocol = FaultKind::Protocol;
    let long = |row: Row| {
        row.limit(|limits| limits.line_bytes = LEAST)
            .resources(failed(FaultKind::Limit, "line_bytes"))
            .count("resources/list", 1..=1)
    };
    vec![
        legacy("json_garbage", "answers a list with broken JSON")
            .resources(failed(protocol, "no answer to this request"))
            .stray(Times::Exactly(1)),
        legacy("json_badshape", "leaves the jsonrpc member out"),
        legacy("json_wrong_id", "answers a list under another id")
            .resources(failed(protocol, "no answer to this request"))
            .breaches(Times::Exactly(1)),
        legacy("json_no_id", "answers a list without an id").breaches(Times::Exactly(1)),
        legacy("json_text_id", "writes ids as texts"),
        legacy("json_neither", "answers a list with neither result nor error")
            .resources(failed(protocol, "no answer to this request"))
            .stray(Times::Exactly(1)),
        legacy("json_batch", "answers with a batch, news before the answer"),
        legacy("json_news", "answers with news alone")
            .resources(failed(protocol, "no answer to this request")),
        long(legacy("json_huge", "announces more than the limit")),
        long(legacy("json_endless", "writes without an end")),
    ]
}
