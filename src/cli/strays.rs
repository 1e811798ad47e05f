//! What servers wrote to standard output beside the protocol: the commonest fault of a server, and
//! one that other clients do not survive.

use super::Reporter;
use crate::{
    domain::{Fault, FaultKind},
    registry::{Registry, RegistryView},
};

/// Tells of each server that did, once, with the first of the lines.
pub(super) fn report(registry: &Registry, view: &RegistryView, reporter: &mut Reporter<'_>) {
    for server in &view.servers {
        let over_http = server.transport == "http";
        let what = match server.noise.stray_lines {
            0 => continue,
            n if over_http => format!("sent {n} times what is no protocol message"),
            1 => "wrote a line to its standard output that is no protocol message".to_owned(),
            n => format!("wrote {n} lines to its standard output that are no protocol messages"),
        };
        let mut fault = Fault::new(FaultKind::Protocol, what).of(&server.id);
        fault.cause = registry.stray(&server.id).into_iter().take(1).collect();
        if !over_http {
            fault = fault.hint("it belongs on standard error");
        }
        reporter.note(&fault);
    }
}
