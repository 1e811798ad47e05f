//! Notifications: many, and unknown ones.

use crate::{
    expect::Times,
    row::{Row, legacy},
};

pub(crate) fn rows() -> Vec<Row> {
    vec![
        legacy("flood", "a hundred thousand notifications in the middle of a read")
            // All of it is kept, so that what was sent before it can be looked at in the end.
            .limit(|limits| limits.traffic_bytes = 64 << 20)
            .read_within(20),
        legacy("stray_flood", "a hundred thousand lines that are no messages")
            .stray(Times::Exactly(100_000))
            .limit(|limits| limits.traffic_bytes = 64 << 20)
            .read_within(20),
        legacy("custom_notification", "notifications that nobody knows, and one without a method")
            .stray(Times::Exactly(1))
            .breaches(Times::Exactly(1))
            .also_in_process(),
        // Answering them all must not cost the connection, nor keep others waiting.
        legacy("ping_flood", "twenty thousand pings without reading an answer")
            .read_within(20)
            .breaches(Times::AtLeast(0)),
    ]
}
