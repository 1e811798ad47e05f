//! The table of servers over HTTP, by theme.

mod answers;
mod bodies;
mod events;
mod handshake;
mod modern;
mod sessions;
mod statuses;
mod streams;

use crate::row::Row;

/// Every row.
pub(crate) fn rows() -> Vec<Row> {
    let mut rows = handshake::rows();
    rows.extend(statuses::rows());
    rows.extend(bodies::rows());
    rows.extend(answers::rows());
    rows.extend(events::rows());
    rows.extend(streams::rows());
    rows.extend(sessions::rows());
    rows.extend(modern::rows());
    rows.into_iter().map(Row::http).collect()
}
