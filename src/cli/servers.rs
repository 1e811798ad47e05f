//! `vestibule servers`: how each was reached, and how much it lists.

use super::{
    Options, Reporter, json,
    list::{chosen, lapses},
    notes::{Fields, ours},
    outcome::{Outcome, Settled, Stop, down, is_off, named},
    table::{self, Column, Cut},
};
use crate::{
    domain::{Fault, Link, Listing, ListingState, ServerId},
    registry::{Lists, ServerView},
};
use serde::Serialize;
use std::io::Write;

/// A server under `--json`.
#[derive(Serialize)]
struct ServerRow<'a> {
    name: &'a ServerId,
    transport: &'static str,
    era: Option<&'static str>,
    version: Option<&'a str>,
    link: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Fields<'a>>,
    counts: Counts,
    /// Whether it is told that it may ask for a model call.
    sampling: bool,
}

/// How many items a server lists; `null` where that is not known.
#[derive(Debug, PartialEq, Serialize)]
struct Counts {
    resources: Option<usize>,
    templates: Option<usize>,
    prompts: Option<usize>,
    tools: Option<usize>,
}

impl From<&Lists> for Counts {
    fn from(lists: &Lists) -> Self {
        Self {
            resources: count(&lists.resources),
            templates: count(&lists.templates),
            prompts: count(&lists.prompts),
            tools: count(&lists.tools),
        }
    }
}

/// A failed load is never an empty list, so it has no count.
fn count<T>(list: &Listing<T>) -> Option<usize> {
    match list.state {
        ListingState::Failed(_) | ListingState::Loading => None,
        ListingState::NotOffered
        | ListingState::Fresh
        | ListingState::Stale(_)
        | ListingState::Partial(_) => Some(list.items.len()),
    }
}

fn row(server: &ServerView) -> ServerRow<'_> {
    let (era, version) = match &server.link {
        Link::Up(facts) => (Some(facts.era.label()), Some(facts.version.as_str())),
        Link::Idle | Link::Connecting | Link::Down { .. } => (None, None),
    };
    let error = match &server.link {
        Link::Down { why } => Some(why.into()),
        Link::Idle | Link::Connecting | Link::Up(_) => None,
    };
    // Nothing was asked yet of a server that was not reached, so zero would be a claim.
    let counts = if matches!(server.link, Link::Up(_)) {
        Counts::from(&*server.lists)
    } else {
        Counts { resources: None, templates: None, prompts: None, tools: None }
    };
    ServerRow {
        name: &server.id,
        transport: server.transport,
        era,
        version,
        link: server.link.label(),
        error,
        counts,
        sampling: server.sampling,
    }
}

const COLUMNS: [Column; 5] = [
    ("name", Cut::End),
    ("transport", Cut::End),
    ("link", Cut::End),
    ("protocol", Cut::End),
    ("lists", Cut::End),
];

/// The last column holds what the server lists, or why it does not.
fn cells(server: &ServerView) -> [String; 5] {
    let row = row(server);
    let counts = [
        (row.counts.resources, "resource"),
        (row.counts.templates, "template"),
        (row.counts.prompts, "prompt"),
        (row.counts.tools, "tool"),
    ];
    let counts = counts.iter().filter_map(|(n, noun)| n.map(|n| counted(n, noun)));
    let spoken = [row.era, row.version].into_iter().flatten().collect::<Vec<_>>().join(" ");
    [
        row.name.to_string(),
        row.transport.to_owned(),
        if is_off(server) { "off".into() } else { row.link.to_owned() },
        spoken,
        match &server.link {
            Link::Down { why } => ours(why.what.clone()).replace('\n', " "),
            Link::Idle | Link::Connecting | Link::Up(_) => counts.collect::<Vec<_>>().join(", "),
        },
    ]
}

/// `1 template`, `2 templates`
fn counted(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// Writes the servers, then reports those that failed, then gives the exit code.
pub(super) fn present(
    settled: &Settled,
    options: &Options,
    out: &mut dyn Write,
    reporter: &mut Reporter<'_>,
) -> Result<u8, Stop> {
    let servers = chosen(&settled.view, options)?;
    if options.json {
        json::write_rows(out, servers.iter().map(|server| row(server)), options.terminal)?;
    } else {
        table::write(out, &COLUMNS, options.width, servers.iter(), |server| cells(server))?;
    }
    out.flush()?;
    let mut outcome = Outcome::default();
    for server in &servers {
        if let Some(fault) = down(server) {
            reporter.error(&fault);
            outcome.failures.push(fault);
        } else if server.is_settled() {
            // One that was never to be started neither failed nor succeeded.
            outcome.succeeded += usize::from(server.link != Link::Idle);
            for lapse in list_faults(server) {
                reporter.lapse(&lapse, options.strict);
                outcome.lapses.push(lapse);
            }
        } else {
            let fault =
                Options::too_late(settled.late, "not ready in time: gave up").of(&server.id);
            reporter.error(&fault);
            outcome.failures.push(fault);
            outcome.late = true;
        }
    }
    Ok(outcome.code(options.strict))
}

/// What is wrong with the lists whose lengths are shown.
fn list_faults(server: &ServerView) -> Vec<Fault> {
    fn of<T>(noun: &str, server: &ServerView, list: &Listing<T>) -> Vec<Fault> {
        let failed = match &list.state {
            ListingState::Failed(fault) => {
                let what = format!("its {noun} could not be listed: {}", fault.what);
                Some(Fault { what, ..named(fault, server) })
            }
            ListingState::NotOffered
            | ListingState::Loading
            | ListingState::Fresh
            | ListingState::Stale(_)
            | ListingState::Partial(_) => None,
        };
        failed.into_iter().chain(lapses(noun, server, list)).collect()
    }
    let lists = &server.lists;
    [
        of("resources", server, &lists.resources),
        of("templates", server, &lists.templates),
        of("prompts", server, &lists.prompts),
        of("tools", server, &lists.tools),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::samples::{connecting, down, off, presented, resource, up, up_with, view};
    use serde_json::{Value, json};

    #[test]
    fn every_server_is_a_row_with_its_counts_or_its_error() {
        let view = view(vec![up_with("a", vec![resource("x:1")]), down("b")]);
        let json = Options { json: true, ..Options::default() };
        let (out, err, code) = presented(&view, |settled, out, r| present(settled, &json, out, r));
        let rows: Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(
            rows,
            json!([
                {"name": "a", "transport": "stdio", "era": "legacy", "version": "2025-11-25",
                 "link": "up", "sampling": false,
                 "counts": {"resources": 1, "templates": 0, "prompts": 0, "tools": 0}},
                {"name": "b", "transport": "stdio", "era": null, "version": null, "link": "down",
                 "error": {"server": "b", "code": "unreachable", "message": "could not be reached"},
                 "sampling": false,
                 "counts": {"resources": null, "templates": null, "prompts": null, "tools": null}},
            ])
        );
        assert_eq!((err.lines().count(), code), (1, 0));
    }

    #[test]
    fn a_server_that_is_not_ready_in_time_is_shown_and_makes_the_command_late() {
        let view = view(vec![up("a"), connecting("slow")]);
        let plain = Options::default();
        let (out, err, code) = presented(&view, |settled, out, r| present(settled, &plain, out, r));
        assert_eq!(out.lines().last(), Some("slow  stdio  connecting"));
        assert!(err.starts_with("vestibule: slow: not ready in time"), "{err}");
        assert_eq!(code, 4);
    }

    #[test]
    fn all_failing_is_a_failure_with_the_rows_still_printed() {
        let view = view(vec![down("a"), down("b")]);
        let plain = Options::default();
        let (out, err, code) = presented(&view, |settled, out, r| present(settled, &plain, out, r));
        assert_eq!((out.lines().count(), err.lines().count(), code), (2, 2, 4));
    }

    #[test]
    fn a_row_says_off_or_why_a_server_is_down_and_counts_in_the_singular() {
        let view = view(vec![up_with("a", vec![resource("x:1")]), down("b"), off("c")]);
        let plain = Options::default();
        let (out, err, code) = presented(&view, |settled, out, r| present(settled, &plain, out, r));
        let lines: Vec<&str> = out.lines().collect();
        assert!(lines[0].ends_with("  1 resource, 0 templates, 0 prompts, 0 tools"), "{out}");
        assert!(lines[1].ends_with("  could not be reached"), "{out}");
        assert_eq!(lines[2], "c  stdio  off");
        assert_eq!((err.lines().count(), code), (1, 0));
        let narrow = Options { width: Some(50), ..Options::default() };
        let (out, _, _) = presented(&view, |settled, out, r| present(settled, &narrow, out, r));
        assert!(out.starts_with("name  transport  link  protocol"), "{out}");
        assert!(out.lines().all(|line| line.chars().count() <= 50), "{out}");
    }

    #[test]
    fn lists_that_are_less_than_whole_are_told_and_fail_a_strict_command() {
        let mut server = up("a");
        let mut lists = (*server.lists).clone();
        let cut = std::sync::Arc::make_mut(&mut lists.tools);
        cut.truncated = Some(crate::domain::Truncation::Items(3));
        let failed = Fault::new(crate::domain::FaultKind::ServerError, "answered with an error");
        std::sync::Arc::make_mut(&mut lists.prompts).state = ListingState::Failed(failed);
        server.lists = std::sync::Arc::new(lists);
        let view = view(vec![server]);
        let coded = |strict| {
            let options = Options { strict, ..Options::default() };
            presented(&view, |settled, out, r| present(settled, &options, out, r))
        };
        let (_, err, code) = coded(false);
        assert!(err.contains("a: its prompts could not be listed: answered with an error"));
        assert!(err.contains("a: its list of tools is not whole: cut after 3 items"), "{err}");
        assert_eq!((code, coded(true).2), (0, 6));
    }
}
