//! Lines that are none, and lines that are too long.

use crate::{
    expect::{BodyExpected, ReadExpected, Times, failed, fault, fresh},
    row::{Row, legacy, unreached},
};
use vestibule::domain::{ContentNote, FaultKind};

pub(crate) fn rows() -> Vec<Row> {
    let mut rows = lines();
    rows.extend(sizes());
    rows
}

fn lines() -> Vec<Row> {
    vec![
        // Seven answers with two lines before each, and a banner. Blank lines do not count.
        legacy("nonjson", "writes a banner and log lines on standard output")
            .stray(Times::Exactly(15))
            .also_in_process(),
        legacy("jsonlog", "writes JSON that is no message on standard output")
            .stray(Times::AtLeast(28))
            .also_in_process(),
        legacy("crlf", "ends lines like Windows does, with blank ones between").also_in_process(),
        legacy("bom", "begins with a byte order mark").also_in_process(),
        unreached(
            "pretty",
            "spreads every message over several lines",
            FaultKind::Timeout,
            "no answer to the handshake",
        )
        .connect(1000)
        .stray(Times::AtLeast(3))
        .also_in_process(),
        legacy("batch", "answers with arrays of messages").also_in_process(),
        legacy("bad_utf8", "puts bytes that are no UTF-8 into a text")
            .read(
                "mem://r0",
                ReadExpected::Blocks(vec![(
                    BodyExpected::Text("caf\u{FFFD} \u{FFFD}\u{FFFD} end"),
                    vec![ContentNote::InvalidUnicode],
                )]),
            )
            .breaches(Times::Exactly(1))
            .also_in_process(),
        legacy("bad_utf8_log", "writes bytes that are no text on standard output")
            .stray(Times::Exactly(7))
            .breaches(Times::Exactly(7))
            .also_in_process(),
        legacy("partial", "ends in the middle of its last line").reads_text("hello").ends(
            1,
            FaultKind::Closed,
            "exit code 0",
        ),
        legacy("dribble", "writes one byte at a time").also_in_process(),
    ]
}

fn sizes() -> Vec<Row> {
    let limit = || ReadExpected::Fails(fault(FaultKind::Limit, "line_bytes"));
    let late = || ReadExpected::Fails(fault(FaultKind::Timeout, "resources/read"));
    let hello = || ReadExpected::Text("hello");
    let timeout = |what| failed(FaultKind::Timeout, what);
    vec![
        legacy("huge", "answers with a line longer than the limit")
            .limit(|limits| limits.line_bytes = 1 << 20)
            .read("mem://r0", limit())
            .read("mem://r1", hello())
            .read_within(8)
            .breaches(Times::Exactly(1))
            .also_in_process(),
        legacy("huge_allowed", "answers with a line of two million bytes, which is allowed")
            .serve("huge")
            .limit(|limits| limits.resource_bytes = 1 << 20)
            .read("mem://r0", ReadExpected::Fails(fault(FaultKind::Limit, "resource_bytes")))
            .read("mem://r1", hello()),
        // The next answer stands in the same line and is lost with it; the one after is not.
        legacy("huge_noeol", "writes without end, and without an end of line")
            .limit(|limits| limits.line_bytes = 1 << 20)
            .request(1500)
            .read("mem://r0", limit())
            .read("mem://r1", late())
            .read("mem://r2", hello())
            .breaches(Times::Exactly(1))
            .also_in_process(),
        legacy("deep", "nests a thousand lists in what nobody reads")
            .reads_text("deep")
            .also_in_process(),
        legacy("deep_item", "nests a thousand lists in one item")
            .resources(fresh(4))
            .also_in_process(),
        legacy("stdin_block", "stops reading after the handshake")
            .request(600)
            .resources(timeout("resources/list"))
            .templates(timeout("resources/templates/list"))
            .prompts(timeout("prompts/list"))
            .tools(timeout("tools/list"))
            .read("mem://r0", late())
            // Longer than the pipe: the write itself is stuck.
            .read(format!("mem://{}", "x".repeat(300_000)), late())
            .settled_within(8),
        legacy("stall_mid", "stops in the middle of an answer; the next stands in the same line")
            .request(800)
            .read("mem://r0", late())
            .read("mem://r1", late())
            .read("mem://r2", hello())
            .stray(Times::Exactly(1))
            .also_in_process(),
        legacy("stderr_noeol", "writes one line of eight megabytes on standard error"),
        legacy("stderr_flood", "writes twenty megabytes on standard error before it answers"),
    ]
}
