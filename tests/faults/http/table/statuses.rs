//! Answers that are told by their status.

use crate::{
    expect::{ReadExpected, failed, fault},
    row::{Row, legacy},
};
use vestibule::domain::FaultKind;

pub(super) fn rows() -> Vec<Row> {
    let sign_in = FaultKind::Authorization;
    let said = FaultKind::ServerError;
    let list = |row: Row, kind: FaultKind, words: &'static str| {
        // One failure is one question, and the rest goes on.
        row.resources(failed(kind, words)).count("resources/list", 1..=1)
    };
    vec![
        list(legacy("s400_json", "refuses a list with 400 and an error"), said, "bad cursor"),
        list(legacy("s401", "wants a new sign-in for a list"), sign_in, "invalid_token"),
        list(legacy("s403", "forbids a list"), sign_in, "insufficient_scope"),
        list(legacy("s404_json", "does not know a method, with 404"), said, "-32601"),
        list(legacy("s413", "finds a message too long"), said, "HTTP 413"),
        list(legacy("s418", "is a teapot"), said, "HTTP 418"),
        list(legacy("s429", "is asked too often"), said, "Retry-After: 7"),
        list(
            legacy("s429_plain", "is asked too often and does not say how long"),
            said,
            "HTTP 429",
        ),
        list(legacy("s500", "fails at a list with a page"), said, "<html>boom</html>"),
        list(legacy("s500_json", "fails at a list with an error"), said, "the disk is full"),
        list(legacy("s500_long", "fails at a list with a long text"), said, "xxx …"),
        list(legacy("s500_endless", "fails at a list and goes on talking"), said, "it goes on")
            .settled_within(20),
        list(legacy("s502", "stands behind a gateway that fails"), said, "HTTP 502"),
        list(legacy("s503", "is busy"), said, "Retry-After: 30"),
        list(legacy("s504", "is too slow for its gateway"), said, "HTTP 504"),
        legacy("s403_read", "forbids a read")
            .serve("s403")
            .befalls("resources/read")
            .read("mem://r0", ReadExpected::Fails(fault(sign_in, "files:write")))
            .count("resources/read", 1..=1),
        legacy("s429_read", "is asked too often for reads")
            .serve("s429")
            .befalls("resources/read")
            .read("mem://r0", ReadExpected::Fails(fault(said, "Retry-After: 7")))
            .count("resources/read", 1..=1),
        legacy("s500_read", "fails at a read")
            .serve("s500")
            .befalls("resources/read")
            .read("mem://r0", ReadExpected::Fails(fault(said, "HTTP 500")))
            .count("resources/read", 1..=1),
    ]
}
