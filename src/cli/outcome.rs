//! What decides the exit code: which servers failed, and whether it was in time.

use super::{Options, Reporter, waits};
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

/// Waits for a snapshot, or until time is up.
pub(super) async fn settled(
    registry: &Registry,
    timeout: Option<Duration>,
    view: impl Future<Output = Arc<RegistryView>>,
) -> Settled {
    let Some(limit) = timeout else { return Settled { view: view.await, late: None } };
    match tokio::time::timeout(limit, view).await {
        Ok(view) => Settled { view, late: None },
        Err(_) => Settled { view: registry.view(), late: timeout },
    }
}

/// Waits for an answer, or until time is up; the fault then names the servers that were not
/// ready, of all that `view` knows.
pub(super) async fn in_time<T>(
    timeout: Option<Duration>,
    answer: impl Future<Output = Result<T, Fault>>,
    surface: Surface,
    view: impl FnOnce() -> Arc<RegistryView>,
) -> Result<T, Fault> {
    let Some(limit) = timeout else { return answer.await };
    tokio::time::timeout(limit, answer).await.unwrap_or_else(|_| {
        let waited_for = waits::for_whom(&view(), Some(surface), None);
        let what = format!("gave up waiting for {}", waited_for.as_deref().unwrap_or("the answer"));
        Err(Options::too_late(timeout, &what))
    })
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

/// Whether a server was never started, because its entry switches it off.
pub(super) fn is_off(server: &ServerView) -> bool {
    server.link == Link::Idle && server.connects == 0
}

/// Says of something that was not found when it may belong to a server that is off: such a
/// server lists nothing, and who wrote the address may have forgotten that.
pub(super) fn with_servers_off(mut fault: Fault, view: &RegistryView, address: &str) -> Fault {
    let mut off = view.servers.iter().filter(|server| is_off(server));
    let meant = |server: &&Arc<ServerView>| {
        let rest = address.strip_prefix(server.id.as_str());
        fault.who.as_ref() == Some(&server.id)
            || rest.is_some_and(|rest| rest.starts_with([':', '.']))
    };
    if let Some(server) = off.clone().find(meant) {
        return Fault::new(fault.kind, format!("the server `{}` is off", server.id))
            .hint(format!("`--server {}` starts it for this command", server.id));
    }
    if fault.kind == FaultKind::NotFound && off.next().is_some() {
        let names: Vec<String> = view
            .servers
            .iter()
            .filter(|server| is_off(server))
            .map(|server| format!("`{}`", server.id))
            .collect();
        let more = format!("off: {}; `--server NAME` starts one", names.join(", "));
        fault.hint = Some(match fault.hint {
            Some(hint) => format!("{hint}; {more}"),
            None => more,
        });
    }
    fault
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
    use crate::cli::samples::{connecting, down as down_server, off, up, view};

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
    async fn an_answer_that_does_not_come_is_a_timeout_that_names_who_was_not_ready() {
        for (servers, expected) in [
            (vec![up("a")], "gave up waiting for the answer after 0.005 s"),
            (
                vec![up("a"), connecting("mute"), connecting("b")],
                "gave up waiting for mute (connecting), b (connecting) after 0.005 s",
            ),
        ] {
            let never = std::future::pending::<Result<(), Fault>>();
            let limit = Some(Duration::from_millis(5));
            let view = || Arc::new(view(servers));
            let late = in_time(limit, never, Surface::Resources, view).await;
            let fault = late.expect_err("late");
            assert_eq!((fault.kind, fault.kind.exit_code()), (FaultKind::Timeout, 4));
            assert_eq!(fault.what, expected);
        }
    }

    #[test]
    fn what_is_not_found_may_belong_to_a_server_that_is_off() {
        let view = view(vec![up("a"), off("remote")]);
        let unknown = || fault(FaultKind::NotFound).hint("list them");
        for address in ["remote:x:y", "remote.greet"] {
            let fault = with_servers_off(unknown(), &view, address);
            let text = "the server `remote` is off (`--server remote` starts it for this command)";
            assert_eq!((fault.to_string().as_str(), fault.kind), (text, FaultKind::NotFound));
        }
        let own = fault(FaultKind::Unreachable).of(&view.servers[1].id);
        assert!(with_servers_off(own, &view, "x:y").what.ends_with("is off"));
        let other = with_servers_off(unknown(), &view, "remotely:x");
        let hint = "list them; off: `remote`; `--server NAME` starts one";
        assert_eq!((other.what.as_str(), other.hint.as_deref()), ("failed", Some(hint)));
        let ambiguous = fault(FaultKind::Ambiguous);
        assert_eq!(with_servers_off(ambiguous.clone(), &view, "x:y"), ambiguous);
        let on = crate::cli::samples::view(vec![up("remote")]);
        assert_eq!(with_servers_off(unknown(), &on, "remote:x"), unknown());
    }
}
