//! Processes that do not want to end.

use crate::row::{Row, legacy};
use vestibule::domain::FaultKind;

pub(crate) fn rows() -> Vec<Row> {
    if !cfg!(unix) {
        return Vec::new();
    }
    vec![
        legacy("stubborn", "ignores the end of its input and the request to end"),
        legacy("ignore_eof", "ignores the end of its input"),
        legacy("grandchild", "leaves a process behind that holds its output"),
        legacy("stubborn_grandchild", "leaves a process behind that does not want to end"),
        legacy("wrapper", "is a wrapper around a process that ignores the end of its input"),
        legacy("launcher", "ends when it has started the server, which ignores the end of input"),
        // The end of its output is never seen, and it might be a launcher that is meant to end; so
        // only what came too late says that the process is gone.
        legacy("orphan_pipe", "exits in a read, while another process holds its output")
            .request(1000)
            .read_fails(FaultKind::Timeout, "exit code 5"),
    ]
}
