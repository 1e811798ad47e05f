//! What a server asks of us that nobody offered.

use crate::{
    expect::Times,
    row::{Row, legacy},
};

pub(crate) fn rows() -> Vec<Row> {
    let never = |name, what| {
        let row = legacy(name, what).reads_text("error -32601").calls_text("error -32601");
        row.breaches(Times::Exactly(2)).also_in_process()
    };
    vec![
        never("elicit", "asks for a form"),
        never("elicit_url", "asks to open an address"),
        never("roots", "asks for folders"),
        never("sample", "asks for sampling"),
        never("sample_badparams", "asks for sampling, with a list for params"),
        never("unknown_request", "asks for something of its own"),
        legacy("ping", "asks whether we live")
            .reads_text("result {}")
            .calls_text("result {}")
            .also_in_process(),
    ]
}
