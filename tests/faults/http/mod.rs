//! Faulty servers over HTTP: what each of them does, and what it must end as.

mod site;
mod table;

pub(crate) use site::Running;
pub(crate) use table::rows;

use crate::trial::id;
use std::{process::ExitCode, time::Duration};
use vestibule::domain::{HttpKind, ServerSpec, Transport};

/// The entry of a server at an address.
pub(crate) fn spec(url: String) -> ServerSpec {
    ServerSpec::new(id(), Transport::Http { url, headers: Vec::new(), kind: HttpKind::default() })
}

/// Serves one of them until the process is ended, for a person to look at.
pub(crate) fn serve(fault: &str, befalls: Option<&str>) -> ExitCode {
    let shown = crate::trial::block_on(async {
        let log = site::Log::default();
        let running = Running::start(fault, befalls, log.clone());
        println!("{}", running.url());
        loop {
            tokio::time::sleep(Duration::from_millis(100)).await;
            let lines = std::mem::take(&mut *site::lock(&log));
            lines.iter().for_each(|line| eprintln!("{line}"));
        }
    });
    if shown.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
