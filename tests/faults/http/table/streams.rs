//! The stream for the server's own messages. Whatever happens to it, calls work, and nothing is
//! asked again and again.

use crate::{
    expect::{Times, fresh},
    row::{Row, legacy, unreached},
};
use vestibule::domain::FaultKind;

pub(super) fn rows() -> Vec<Row> {
    let mut rows = refused();
    rows.extend(asking());
    rows.extend(old());
    rows
}

fn refused() -> Vec<Row> {
    // Tried a few times, each later than the one before, and then left alone.
    let left = |row: Row| row.after("GET", 4).count("GET", 4..=4).breaches(Times::Exactly(1));
    let once = |row: Row| row.count("GET", 1..=1).breaches(Times::Exactly(1));
    vec![
        once(legacy("get_404", "answers GET with 404")),
        once(legacy("get_500", "answers GET with 500")),
        once(legacy("get_501", "answers GET with 501")),
        once(legacy("get_401", "answers GET with 401")),
        once(legacy("get_json", "answers GET with JSON")),
        once(legacy("get_html", "answers GET with a page")),
        left(legacy("get_ends", "ends the stream at once")),
        left(legacy("get_hangs_up", "hangs up at GET")),
        legacy("get_silent", "takes GET and never says a word").count("GET", 1..=1),
        legacy("get_news", "says in its stream that its resources changed")
            .resources(fresh(4))
            .changes()
            .count("resources/list", 2..=2),
        legacy("get_open", "keeps the stream open").count("GET", 1..=1),
        legacy("get_garbage", "writes into the stream what is no message")
            .stray(Times::Exactly(2))
            .count("GET", 1..=1),
        legacy("get_endless", "writes one line without an end into the stream")
            .limit(|limits| limits.line_bytes = 64 * 1024)
            .breaches(Times::AtLeast(1))
            .count("GET", 1..=4),
        legacy("delete_405", "lets nobody end a session").count("DELETE", 1..=1),
        legacy("delete_404", "has forgotten its session").count("DELETE", 1..=1),
        legacy("delete_500", "fails when a session ends").count("DELETE", 1..=1),
        legacy("delete_hangs", "never answers the end of a session").count("DELETE", 1..=1),
    ]
}

/// A server asks for what nobody offered, in the middle of a read.
fn asking() -> Vec<Row> {
    let refused = |row: Row| {
        row.reads_text("the client said -32601").breaches(Times::AtLeast(1)).count("ANSWER", 1..=1)
    };
    vec![
        refused(legacy("ask_call", "asks in the stream of the call")),
        refused(legacy("ask_get", "asks in the stream for its own messages")),
        refused(legacy("ask_slow_ack", "takes its time to acknowledge the answer")),
        refused(legacy("ask_no_ack", "never acknowledges the answer")),
        refused(legacy("ask_refused_ack", "refuses the answer")),
        legacy("ask_drop", "asks, and then breaks the stream off")
            .read_fails(FaultKind::Closed, "broke")
            .breaches(Times::AtLeast(1))
            .count("resources/read", 2..=2),
    ]
}

/// The older HTTP+SSE.
fn old() -> Vec<Row> {
    vec![
        legacy("old", "is an HTTP+SSE server, whose address takes no POST").version("2024-11-05"),
        legacy("old_404", "is an HTTP+SSE server that answers POST with 404").version("2024-11-05"),
        legacy("old_ends", "ends its stream instead of answering a read")
            .version("2024-11-05")
            .read_fails(FaultKind::Closed, "broke")
            .ends(2, FaultKind::Closed, "broke")
            .read_within(10),
        unreached("old_elsewhere", "names an endpoint elsewhere", FaultKind::Validation, "origin"),
        unreached("old_no_endpoint", "never names its endpoint", FaultKind::Unreachable, "405")
            .connect(2000),
    ]
}
