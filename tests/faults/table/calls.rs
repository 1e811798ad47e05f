//! Calls of tools that are answered oddly, late or never.

use crate::{
    expect::{CallExpected, Times},
    row::{Row, legacy, modern},
};
use vestibule::domain::FaultKind;

pub(crate) fn rows() -> Vec<Row> {
    let mut rows = answers();
    rows.extend(endings());
    rows.extend(rounds());
    rows
}

fn answers() -> Vec<Row> {
    let hello_and = |more| CallExpected::Blocks(vec!["hello", more]);
    let no_list = FaultKind::Protocol;
    vec![
        legacy("call_unknown_content", "a block of a kind that nobody knows, beside a good one")
            .serve("unknown_content")
            .call(hello_and("Unsupported"))
            .also_in_process(),
        legacy("call_cross_fields", "an answer to a call with the member of a read")
            .serve("cross_fields")
            .calls_text("hello")
            .also_in_process(),
        legacy("call_extra_fields", "an answer to a call with members that nobody knows")
            .serve("extra_fields")
            .calls_text("hello")
            .also_in_process(),
        legacy("call_no_content", "an answer to a call with nothing in it")
            .call_fails(no_list, "list of blocks")
            .also_in_process(),
        legacy("call_content_text", "an answer to a call whose content is a text")
            .call_fails(no_list, "list of blocks")
            .also_in_process(),
        legacy("call_is_error_text", "an answer that says with a text whether the tool failed")
            .calls_text("hello")
            .breaches(Times::Exactly(1))
            .also_in_process(),
        legacy("call_error", "an error of the protocol where a tool is called")
            .call_fails(FaultKind::ServerError, "Unknown tool")
            .also_in_process(),
        legacy("call_twice", "two answers to one call")
            .calls_text("hello")
            .calls_text("hello")
            .breaches(Times::Exactly(2))
            .also_in_process(),
        legacy("progress", "progress in order, then some that means nothing")
            .calls_text("hello")
            .breaches(Times::Exactly(5))
            .also_in_process(),
        // All is counted, and the call does not wait for it.
        legacy("progress_flood", "a hundred thousand steps, and as many that mean nothing")
            .limit(|limits| limits.traffic_bytes = 64 << 20)
            .calls_text("hello")
            .breaches(Times::Exactly(100_000)),
        legacy("call_flood", "a hundred thousand notifications in the middle of a call")
            .serve("flood")
            .limit(|limits| limits.traffic_bytes = 64 << 20)
            .calls_text("hello"),
    ]
}

fn endings() -> Vec<Row> {
    vec![
        legacy("call_hang", "never answers a call")
            .serve("hang_call")
            .request(400)
            .read_fails(FaultKind::Timeout, "the server was told")
            .call_fails(FaultKind::Timeout, "the server was told")
            .stderr("CANCELLED"),
        legacy("call_exit", "ends in the middle of a call")
            .serve("call_exit_mid")
            .call_fails(FaultKind::Closed, "3")
            .ends(1, FaultKind::Closed, "3"),
        legacy("call_close_output", "closes its output in the middle of a call, and lives on")
            .serve("call_exit_clean")
            .call_fails(FaultKind::Closed, "closed the connection")
            .ends(1, FaultKind::Closed, "closed"),
    ]
}

fn rounds() -> Vec<Row> {
    vec![
        modern("call_modern_loop", "asks for another round for ever when it is called")
            .serve("modern_loop")
            .read_fails(FaultKind::Limit, "limits.rounds")
            .call_fails(FaultKind::Limit, "limits.rounds"),
        modern("call_modern_empty", "asks for input and does not say which")
            .serve("modern_empty")
            .read_fails(FaultKind::Protocol, "does not say what for")
            .call_fails(FaultKind::Protocol, "does not say what for"),
        modern("call_modern_badinput", "asks for something that was never offered")
            .serve("modern_badinput")
            .read_fails(FaultKind::Protocol, "never offered")
            .call_fails(FaultKind::Protocol, "never offered")
            .breaches(Times::Exactly(2)),
        modern("modern_unknown_type", "an answer of a type that nobody knows")
            .call_fails(FaultKind::Protocol, "unknown type"),
    ]
}
