//! What decides the exit code: which servers failed, and whether it was in time.

use super::{Options, Reporter};
use crate::{
    domain::{Fault, FaultKind, Link, Surface},
    registry::{Registry, RegistryView, ServerView},
};
use std::{io, sync::Arc, time::Duration};

/// Why a command ends early.
#[derive(Debug)]
pub(super) enum Stop {
    /// It failed.
    Fault(Fault),
    /// Nobody takes its output.
    Output(io::Error),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// How the servers did, in the order of configuration.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Outcome {
    /// Servers that gave nothing, and why.
    pub failures: Vec<Fault>,
    /// Servers that gave less than all, and why.
    pub lapses: Vec<Fault>,
    /// How many servers gave what they have.
    pub succeeded: usize,
    /// Whether time ran out before all had answered.
    pub late: bool,
}

impl Outcome {
    /// The exit code: 0 unless time ran out, all servers failed, or `strict` and one did. The
    /// first in the order of configuration decides.
    pub(super) fn code(&self, strict: bool) -> u8 {
        if self.late {
            return FaultKind::Timeout.exit_code();
        }
        let failed = self.failures.first().filter(|_| strict || self.succeeded == 0);
        let lapsed = self.lapses.first().filter(|_| strict);
        failed.or(lapsed).map_or(0, |fault| fault.kind.exit_code())
    }
}

/// A registry's snapshot, and whether it is what was there when time ran out.
#[derive(Debug, Clone)]
pub(super) struct Settled {
    /// The snapshot.
    pub view: Arc<RegistryView>,
    /// The time that was too short, if it was.
    pub late: Option<Duration>,
}

/// Waits until nothing is being connected or loaded, or until time is up.
pub(super) async fn settled(registry: &Registry, timeout: Option<Duration>) -> Settled {
    waited(registry, registry.settled(), timeout).await
}

/// Waits until a list is there from every server, or until time is up.
pub(super) async fn listed(
    registry: &Registry,
    surface: Surface,
    timeout: Option<Duration>,
) -> Settled {
    waited(registry, registry.listed(surface), timeout).await
}

async fn waited(
    registry: &Registry,
    view: impl Future<Output = Arc<RegistryView>>,
    timeout: Option<Duration>,
) -> Settled {
    let Some(limit) = timeout else { return Settled { view: view.await, late: None } };
    match tokio::time::timeout(limit, view).await {
        Ok(view) => Settled { view, late: None },
        Err(_) => Settled { view: registry.view(), late: timeout },
    }
}

/// Waits for an answer, or until time is up.
pub(super) async fn in_time<T>(
    timeout: Option<Duration>,
    answer: impl Future<Output = Result<T, Fault>>,
) -> Result<T, Fault> {
    let Some(limit) = timeout else { return answer.await };
    tokio::time::timeout(limit, answer)
        .await
        .unwrap_or_else(|_| Err(Options::too_late(timeout, "gave up waiting for the answer")))
}

/// The fault of a server that is down, with its name in it.
pub(super) fn down(server: &ServerView) -> Option<Fault> {
    match &server.link {
        Link::Down { why } => Some(named(why, server)),
        Link::Idle | Link::Connecting | Link::Up(_) => None,
    }
}

/// The fault with the server's name, which it may lack.
pub(super) fn named(fault: &Fault, server: &ServerView) -> Fault {
    if fault.who.is_some() { fault.clone() } else { fault.clone().of(&server.id) }
}

/// Reports the servers that are down beside a read or a prompt. The one that the command's own
/// fault is about is left out: that fault is reported by itself.
pub(super) fn of_servers(
    view: &RegistryView,
    fault: Option<&Fault>,
    reporter: &mut Reporter<'_>,
) -> Outcome {
    let mut outcome = Outcome::default();
    for server in &view.servers {
        if fault.is_some_and(|fault| fault.who.as_ref() == Some(&server.id)) {
            continue;
        }
        match down(server) {
            Some(fault) => {
                reporter.error(&fault);
                outcome.failures.push(fault);
            }
            None => outcome.succeeded += 1,
        }
    }
    // The answer came from somewhere, even if its server has gone since.
    outcome.succeeded = outcome.succeeded.max(1);
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::samples::{down as down_server, up, view};

    fn fault(kind: FaultKind) -> Fault {
        Fault::new(kind, "failed")
    }

    #[test]
    fn one_failing_server_fails_the_command_only_when_strict() {
        let outcome = Outcome {
            failures: vec![fault(FaultKind::Authorization)],
            succeeded: 1,
            ..Outcome::default()
        };
        assert_eq!((outcome.code(false), outcome.code(true)), (0, 3));
    }

    #[test]
    fn when_all_fail_the_first_by_configuration_decides() {
        let failures = vec![fault(FaultKind::ServerError), fault(FaultKind::Unreachable)];
        let outcome = Outcome { failures, ..Outcome::default() };
        assert_eq!(outcome.code(false), 6);
    }

    #[test]
    fn a_lapse_counts_when_strict_and_lateness_always() {
        let lapsed = Outcome {
            lapses: vec![fault(FaultKind::Protocol)],
            succeeded: 1,
            ..Outcome::default()
        };
        assert_eq!((lapsed.code(false), lapsed.code(true)), (0, 7));
        let late = Outcome { succeeded: 3, late: true, ..Outcome::default() };
        assert_eq!(late.code(false), 4);
    }

    #[test]
    fn beside_a_read_every_failing_server_is_reported_once() {
        let view = view(vec![up("a"), down_server("b"), down_server("c")]);
        let own = fault(FaultKind::Unreachable).of(&view.servers[1].id);
        let mut err = Vec::new();
        let outcome = of_servers(&view, Some(&own), &mut Reporter::new(&mut err, false));
        assert_eq!(String::from_utf8(err).expect("UTF-8"), "vestibule: c: could not be reached\n");
        assert_eq!((outcome.code(false), outcome.code(true)), (0, 4));
    }

    #[tokio::test]
    async fn an_answer_that_does_not_come_is_a_timeout() {
        let never = std::future::pending::<Result<(), Fault>>();
        let fault = in_time(Some(Duration::from_millis(5)), never).await.expect_err("late");
        assert_eq!((fault.kind, fault.kind.exit_code()), (FaultKind::Timeout, 4));
        assert!(fault.what.ends_with("after 0.005 s"), "{fault}");
    }
}
