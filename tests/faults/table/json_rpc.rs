//! Envelopes that JSON-RPC forbids.

use crate::{
    expect::{ReadExpected, Times, failed, fault},
    row::{Row, legacy},
};
use vestibule::domain::FaultKind;

pub(crate) fn rows() -> Vec<Row> {
    let mut rows = envelopes();
    rows.extend(answers());
    rows
}

fn envelopes() -> Vec<Row> {
    let none = FaultKind::Protocol;
    vec![
        legacy("wrong_id", "answers one list under another id")
            .request(800)
            .resources(failed(FaultKind::Timeout, "resources/list"))
            .breaches(Times::Exactly(1))
            .also_in_process(),
        legacy("string_id", "writes ids as texts").also_in_process(),
        legacy("float_id", "writes ids as 3.0").also_in_process(),
        legacy("null_id_error", "refuses one list without an id")
            .resources(failed(FaultKind::ServerError, "could not read"))
            .breaches(Times::Exactly(1))
            .settled_within(10)
            .also_in_process(),
        legacy("dup_id", "answers every request twice, each time otherwise")
            .breaches(Times::Exactly(6))
            .also_in_process(),
        legacy("both", "answers one list with a result and an error")
            .resources(failed(none, "a result and an error"))
            .also_in_process(),
        legacy("neither", "answers one list with neither result nor error")
            .request(800)
            .resources(failed(FaultKind::Timeout, "resources/list"))
            .stray(Times::Exactly(1))
            .also_in_process(),
        legacy("null_result", "answers one list with null")
            .resources(failed(none, "a list of resources"))
            .also_in_process(),
        legacy("array_result", "answers one list with an array")
            .resources(failed(none, "a list of resources"))
            .also_in_process(),
        legacy("no_jsonrpc", "leaves the jsonrpc member out").also_in_process(),
        legacy("error_shapes", "its errors have no message, a text for a code, or are texts")
            .resources(failed(FaultKind::ServerError, "-32000"))
            .prompts(failed(FaultKind::ServerError, "m"))
            .tools(failed(FaultKind::ServerError, "just a string"))
            .also_in_process(),
        legacy("unsolicited", "answers what nobody asked, before every answer")
            .breaches(Times::Exactly(6))
            .also_in_process(),
    ]
}

fn answers() -> Vec<Row> {
    let gone = FaultKind::Closed;
    let mut rows = vec![
        // A read is safe, so it is tried once more on a fresh connection.
        legacy("exit_mid", "exits in the middle of a read")
            .read_fails(gone, "exit code 3")
            .ends(2, gone, "exit code 3")
            .read_within(10),
        legacy("exit_after", "answers one read and exits; the next is made on a fresh connection")
            .read("mem://r0", ReadExpected::Text("hello"))
            .read("mem://r1", ReadExpected::Text("hello"))
            .ends(2, gone, "exit code 6"),
        legacy("hang_call", "never answers a read")
            .request(800)
            .read_fails(FaultKind::Timeout, "resources/read")
            .stderr("CANCELLED")
            .also_in_process(),
        legacy("late_answer", "answers after the deadline, though it was told")
            .request(700)
            .read_fails(FaultKind::Timeout, "resources/read")
            .read("mem://r1", ReadExpected::Text("hello"))
            .stderr("CANCELLED")
            .breaches(Times::Exactly(1))
            .also_in_process(),
        legacy("read_error", "answers a read with an error")
            .read("mem://r0", ReadExpected::Fails(fault(FaultKind::ServerError, "-32002")))
            .also_in_process(),
    ];
    #[cfg(unix)]
    rows.extend([
        legacy("close_input", "closes its input after a read and runs on")
            .read("mem://r0", ReadExpected::Text("hello"))
            .read("mem://r1", ReadExpected::Text("hello"))
            .connects(2),
        legacy("crash", "is killed by a signal in the middle of a read")
            .read_fails(gone, "killed by signal 6")
            .ends(2, gone, "killed by signal 6")
            .read_within(10),
        legacy("exit_clean", "closes its output in the middle of a read and runs on")
            .read_fails(gone, "still runs")
            .ends(2, gone, "still runs")
            .read_within(10),
    ]);
    rows
}
