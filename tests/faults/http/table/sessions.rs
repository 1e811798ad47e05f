//! Sessions of the legacy era.

use crate::{
    expect::{ReadExpected, failed, fault},
    row::{Row, legacy, unreached},
};
use vestibule::domain::FaultKind;

pub(super) fn rows() -> Vec<Row> {
    let renewed = |row: Row| {
        row.befalls("resources/read")
            .read("mem://r0", ReadExpected::Text("hello"))
            .read("mem://r1", ReadExpected::Text("hello"))
            .count("initialize", 2..=2)
            .count("resources/read", 3..=3)
            .connects(2)
    };
    let gone = FaultKind::Closed;
    vec![
        legacy("session_odd", "names its session with every sign that is allowed")
            .count("DELETE", 1..=1),
        renewed(legacy("expire", "has forgotten its session at the first read, with 404")),
        renewed(legacy("expire_410", "has forgotten its session at the first read, with 410")),
        legacy("expire_again", "has forgotten every session at every read")
            .befalls("resources/read")
            .read("mem://r0", ReadExpected::Fails(fault(gone, "ended the session")))
            .count("resources/read", 2..=2)
            .count("initialize", 2..=2)
            .ends(2, gone, "ended the session"),
        unreached("expire_always", "has forgotten its session at once", gone, "ended the session")
            .all_lists(failed(gone, "ended the session"))
            .count("initialize", 2..=2)
            .connects(2),
    ]
}
