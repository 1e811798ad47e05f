//! Answers in a stream of events.

use crate::{
    expect::{ReadExpected, Times, failed, fault},
    http::site::Form,
    row::{Row, legacy},
};
use vestibule::domain::FaultKind;

/// The least limit of a message that the settings allow.
const LEAST: usize = 64 * 1024;
/// Longer than an event of this test, in any form, in bytes.
const LONGEST_EVENT: usize = 190;

pub(super) fn rows() -> Vec<Row> {
    let mut rows = forms();
    rows.extend(broken());
    rows.extend(resumed());
    rows
}

/// The same message in every form that the standard allows.
fn forms() -> Vec<Row> {
    let mut rows = vec![
        legacy("sse_crlf", "ends its lines with carriage return and line feed"),
        legacy("sse_cr", "ends its lines with carriage returns"),
        legacy("sse_no_space", "leaves the space behind the colon out"),
        legacy("sse_lines", "writes a message in several lines of data"),
        legacy("sse_comments", "writes comments everywhere"),
        legacy("sse_unknown", "writes fields that nobody knows"),
        legacy("sse_all_fields", "names kind, id and pause"),
        legacy("sse_bytes", "writes an event byte by byte"),
        legacy("sse_two_at_once", "writes news and the answer in one piece"),
        legacy("sse_mark", "begins its stream with a byte order mark"),
        legacy("sse_priming", "writes an empty event first, as newer servers do"),
        legacy("sse_other_kind", "writes an event of another kind first").stray(Times::AtLeast(0)),
        legacy("sse_zero_id", "writes an id that is none"),
        legacy("sse_stays", "never ends the stream behind its answer"),
    ];
    rows.extend(Form::ALL.into_iter().map(cuts));
    rows
}

/// One form, cut at every byte.
fn cuts(form: Form) -> Row {
    let name = match form {
        Form::Plain => "sse_cuts_plain",
        Form::CrLf => "sse_cuts_crlf",
        Form::Cr => "sse_cuts_cr",
        Form::NoSpace => "sse_cuts_no_space",
        Form::ManyLines => "sse_cuts_many_lines",
        Form::Comments => "sse_cuts_comments",
        Form::UnknownFields => "sse_cuts_unknown",
        Form::AllFields => "sse_cuts_all_fields",
    };
    let row = legacy(name, "cuts its stream in two, at every byte").serve("sse_cuts");
    (0..LONGEST_EVENT).fold(row.befalls("resources/read"), |row, at| {
        row.read(format!("mem://cut/{at}/{form:?}"), ReadExpected::Text("hello"))
    })
}

fn broken() -> Vec<Row> {
    let protocol = FaultKind::Protocol;
    let early = |row: Row| {
        row.befalls("resources/read")
            .read_fails(FaultKind::Closed, "ended before the answer")
            .read_within(10)
            .count("resources/read", 2..=2)
    };
    let long = |row: Row| {
        row.limit(|limits| limits.line_bytes = LEAST)
            .resources(failed(FaultKind::Limit, "line_bytes"))
            .count("resources/list", 1..=1)
    };
    vec![
        legacy("sse_badjson", "writes broken JSON before its answer").stray(Times::Exactly(1)),
        legacy("sse_badanswer", "breaks its answer and ends the stream")
            .resources(failed(protocol, "not JSON"))
            .stray(Times::Exactly(1)),
        legacy("sse_badanswer_open", "breaks its answer and keeps the stream open")
            .resources(failed(protocol, "not JSON"))
            .stray(Times::Exactly(1))
            .settled_within(10),
        early(legacy("sse_end", "ends the stream before the answer")),
        early(legacy("sse_end_empty", "ends the stream before anything")),
        early(legacy("sse_no_blank", "ends the stream inside the last line of its answer")),
        early(legacy("sse_one_blank", "ends the stream before the empty line of its answer")),
        early(legacy("sse_wrong_id", "answers under another id and ends the stream"))
            .breaches(Times::Exactly(2)),
        legacy("sse_cut", "breaks the stream off in the middle of its answer")
            .befalls("resources/read")
            .read_fails(FaultKind::Closed, "broke")
            .read_within(10)
            .count("resources/read", 2..=2),
        legacy("sse_silent", "says hello and then nothing")
            .befalls("resources/read")
            .request(800)
            .read_fails(FaultKind::Timeout, "resources/read")
            .stderr("CANCELLED"),
        long(legacy("sse_huge", "writes an event longer than the limit")),
        long(legacy("sse_endless_line", "writes one line without an end")),
    ]
}

/// Streams that end behind an id can be resumed, in the legacy era.
fn resumed() -> Vec<Row> {
    vec![
        legacy("sse_resume", "ends the stream; the answer comes when it is resumed")
            .befalls("resources/read")
            .read("mem://r0", ReadExpected::Text("hello"))
            .stderr("RESUMED")
            .count("resources/read", 1..=1),
        legacy("sse_resume_cut", "breaks the stream off; the answer comes when it is resumed")
            .befalls("resources/read")
            .read("mem://r0", ReadExpected::Text("hello"))
            .stderr("RESUMED")
            .count("resources/read", 1..=1),
        legacy("sse_resume_405", "ends the stream and lets nobody resume it")
            .befalls("resources/read")
            .read("mem://r0", ReadExpected::Fails(fault(FaultKind::Closed, "cannot be resumed")))
            .read_within(15)
            .count("GET", 3..=3),
        legacy("sse_resume_loop", "ends the stream each time that it is resumed")
            .befalls("resources/read")
            .read("mem://r0", ReadExpected::Fails(fault(FaultKind::Closed, "resumed")))
            .read_within(20)
            .count("GET", 1..=20)
            .count("resources/read", 2..=2),
    ]
}
