//! The table, by theme.

mod calls;
mod framing;
mod json_rpc;
mod lifecycle;
mod modern;
mod notifications;
mod process;
mod requests;
mod results;

use crate::row::Row;

/// Every row.
pub(crate) fn rows() -> Vec<Row> {
    // The slow ones first, so that the others run beside them.
    let mut rows = lifecycle::rows();
    rows.extend(framing::rows());
    rows.extend(json_rpc::rows());
    rows.extend(results::rows());
    rows.extend(notifications::rows());
    rows.extend(requests::rows());
    rows.extend(calls::rows());
    rows.extend(modern::rows());
    rows.extend(process::rows());
    rows
}
