//! Answers whose HTTP is odd, wrong or cut.

use crate::{
    expect::{ReadExpected, failed, fault},
    row::{Row, legacy},
};
use vestibule::domain::FaultKind;

pub(super) fn rows() -> Vec<Row> {
    let mut rows = odd();
    rows.extend(wrong());
    rows.extend(cut());
    rows
}

/// What is unusual and allowed, or harmless.
fn odd() -> Vec<Row> {
    vec![
        legacy("long_type", "names its media type with parameters and capitals"),
        legacy("mark", "begins its JSON with a byte order mark"),
        legacy("trickle", "writes a list byte by byte, each a chunk").befalls("resources/list"),
        legacy("slow_head", "writes its head and a list in small pieces"),
        legacy("hints", "sends provisional answers first"),
        legacy("http10", "speaks HTTP/1.0, whose body ends with the connection"),
        legacy("accepted_with_body", "acknowledges notifications with a word"),
        legacy("accepted_as_ok", "acknowledges notifications with 200 and JSON"),
        legacy("accepted_as_no_content", "acknowledges notifications with 204"),
        legacy("never_accepted", "never acknowledges notifications").settled_within(20),
    ]
}

fn wrong() -> Vec<Row> {
    let protocol = FaultKind::Protocol;
    let list = |row: Row, words: &'static str| {
        row.resources(failed(protocol, words)).count("resources/list", 1..=1)
    };
    vec![
        list(legacy("html", "answers a list with a page"), "text/html"),
        list(legacy("plain_type", "calls its JSON plain text"), "text/plain"),
        list(legacy("no_type", "does not name its media type"), "no media type"),
        list(legacy("accepted_only", "takes a request as if it were a notification"), "HTTP 202"),
        list(legacy("no_content", "answers a request with 204"), "HTTP 204"),
        list(legacy("empty", "answers with an empty body"), "no answer"),
        list(legacy("gzip", "compresses without being asked"), "compressed"),
        list(legacy("bad_head", "writes a head that is none"), "no HTTP"),
        list(legacy("huge_head", "writes a head of four megabytes"), "no HTTP"),
        list(legacy("many_heads", "writes five hundred headers"), "no HTTP"),
        list(legacy("bad_chunk", "writes a chunk without a length"), "no HTTP"),
    ]
}

/// What breaks off. A read is safe, so it is tried once more; the session goes on.
fn cut() -> Vec<Row> {
    let (gone, down) = (FaultKind::Closed, FaultKind::Unreachable);
    let read = |row: Row| {
        row.befalls("resources/read")
            .read_fails(gone, "broke")
            .count("resources/read", 2..=2)
            .read_within(10)
    };
    vec![
        read(legacy("hang_up", "hangs up instead of answering a read")),
        read(legacy("short", "announces more than it sends")),
        read(legacy("cut_chunk", "breaks off between two chunks")),
        legacy("hang_up_once", "hangs up once, instead of answering a read")
            .befalls("resources/read")
            .read("mem://r0", ReadExpected::Text("hello"))
            .count("resources/read", 2..=2),
        legacy("hang_up_once_list", "hangs up once, instead of answering a list")
            .serve("hang_up_once")
            .count("resources/list", 2..=2),
        legacy("hang", "never answers a read")
            .befalls("resources/read")
            .request(800)
            .read_fails(FaultKind::Timeout, "resources/read")
            .stderr("CANCELLED")
            .count("resources/read", 1..=1),
        legacy("stall", "answers half a read and then nothing")
            .befalls("resources/read")
            .request(800)
            .read("mem://r0", ReadExpected::Fails(fault(FaultKind::Timeout, "0.8 s")))
            .stderr("CANCELLED"),
        legacy("die", "goes away in the middle of a read")
            .befalls("resources/read")
            .read("mem://r0", ReadExpected::Lost)
            .read("mem://r1", ReadExpected::Fails(fault(down, "could not be reached at 127.0.0.1")))
            .ends(1, down, "could not be reached at 127.0.0.1")
            .read_within(10),
    ]
}
