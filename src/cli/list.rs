//! What the four listing commands share: rows out, and everything odd about the lists beside them.

use super::{
    Options, Reporter,
    connect::unknown_server,
    json,
    outcome::{Outcome, Settled, Stop, down, named},
    table::{self, Column},
};
use crate::{
    content,
    domain::{Fault, FaultKind, Link, Listing, ListingState, UntrustedText},
    registry::{Lists, RegistryView, Row, ServerView},
};
use serde::Serialize;
use std::{io::Write, sync::Arc};

/// How many malformed items of a server are named; the rest is counted.
const MALFORMED_NAMED: usize = 10;

/// An item that a command lists.
pub(super) trait Item: Sized {
    /// Its row under `--json`.
    type Json: Serialize;
    /// What many of them are called: `resources`.
    const NOUN: &'static str;
    /// The columns in plain output.
    const COLUMNS: [Column; 5];

    /// All of them, of all servers.
    fn rows(view: &RegistryView) -> &[Row<Self>];
    /// The list of one server.
    fn listing(lists: &Lists) -> &Listing<Arc<Self>>;
    /// What is said when there are none.
    fn nothing(_view: &RegistryView) -> String {
        format!("there are no {}", Self::NOUN)
    }
    /// The row under `--json`.
    fn json(row: &Row<Self>) -> Self::Json;
    /// What stands in them, revealed.
    fn cells(row: &Row<Self>) -> [String; 5];
}

/// Writes the rows, then reports what is missing or odd, then gives the exit code.
pub(super) fn present<T: Item>(
    settled: &Settled,
    options: &Options,
    out: &mut dyn Write,
    reporter: &mut Reporter<'_>,
) -> Result<u8, Stop> {
    let view = &*settled.view;
    let servers = chosen(view, options)?;
    let meant = |row: &&Row<T>| servers.iter().any(|server| server.id == row.server);
    let rows = T::rows(view).iter().filter(meant);
    let none = rows.clone().next().is_none();
    if options.json {
        json::write_rows(out, rows.clone().map(T::json), options.terminal)?;
    } else {
        table::write(out, &T::COLUMNS, options.width, rows.clone(), |row| T::cells(row))?;
    }
    out.flush()?;
    let outcome = report::<T>(&servers, settled, options, reporter);
    for server in &servers {
        let copied = rows.clone().filter(|row| row.server == server.id && row.copies > 1).count();
        if copied > 0 {
            let what = format!("{copied} of its {} are listed more than once", T::NOUN);
            reporter.remark(&server.id, FaultKind::Protocol, what);
        }
    }
    if none && outcome.failures.is_empty() && !options.json {
        reporter.note(&Fault::new(FaultKind::NotFound, T::nothing(view)));
    }
    Ok(outcome.code(options.strict))
}

/// The servers a command is about: all, or the one named.
pub(super) fn chosen<'a>(
    view: &'a RegistryView,
    options: &Options,
) -> Result<Vec<&'a Arc<ServerView>>, Fault> {
    let Some(name) = options.server.as_deref() else { return Ok(view.servers.iter().collect()) };
    match view.servers.iter().find(|server| server.id.as_str() == name.trim()) {
        Some(server) => Ok(vec![server]),
        None => {
            let names: Vec<String> = view.servers.iter().map(|s| s.id.to_string()).collect();
            Err(unknown_server(name, &names))
        }
    }
}

fn report<T: Item>(
    servers: &[&Arc<ServerView>],
    settled: &Settled,
    options: &Options,
    reporter: &mut Reporter<'_>,
) -> Outcome {
    let mut outcome = Outcome::default();
    for server in servers {
        if let Some(fault) = down(server) {
            reporter.error(&fault);
            outcome.failures.push(fault);
            continue;
        }
        let listing = T::listing(&server.lists);
        match (&server.link, &listing.state) {
            (Link::Idle, _) => {
                if servers.len() == 1 {
                    let what = format!("is off; `--server {}` starts it", server.id);
                    reporter.remark(&server.id, FaultKind::Unreachable, what);
                }
                continue;
            }
            (Link::Connecting, _) | (_, ListingState::Loading) => {
                let what = format!("gave no {} in time: gave up", T::NOUN);
                let fault = Options::too_late(settled.late, &what).of(&server.id);
                reporter.error(&fault);
                outcome.failures.push(fault);
                outcome.late = true;
            }
            (_, ListingState::Failed(fault)) => {
                let fault = named(fault, server);
                reporter.error(&fault);
                outcome.failures.push(fault);
            }
            (_, ListingState::NotOffered) => {
                if options.server.is_some() {
                    let what = format!("does not offer {}", T::NOUN);
                    reporter.remark(&server.id, FaultKind::NotFound, what);
                }
                outcome.succeeded += 1;
            }
            (_, ListingState::Partial(_) | ListingState::Stale(_) | ListingState::Fresh) => {
                outcome.succeeded += 1;
            }
        }
        for lapse in lapses(T::NOUN, server, listing) {
            reporter.lapse(&lapse, options.strict);
            outcome.lapses.push(lapse);
        }
    }
    outcome
}

/// What makes a list less than the whole: pages that failed or are old, a limit, items that
/// could not be read.
pub(super) fn lapses<T>(noun: &str, server: &ServerView, list: &Listing<T>) -> Vec<Fault> {
    let mut lapses = Vec::new();
    match &list.state {
        ListingState::Partial(fault) | ListingState::Stale(fault) => {
            let what = format!("its {noun} are not all of them: {}", fault.what);
            lapses.push(Fault { what, ..named(fault, server) });
        }
        ListingState::NotOffered
        | ListingState::Loading
        | ListingState::Fresh
        | ListingState::Failed(_) => {}
    }
    if let Some(truncation) = list.truncated {
        let what = format!("its list of {noun} is not whole: {}", truncation.text());
        lapses.push(Fault::new(FaultKind::Limit, what).of(&server.id));
    }
    if !list.malformed.is_empty() {
        lapses.push(unreadable(noun, list).of(&server.id));
    }
    lapses
}

/// The items that could not be read, the first ones by name.
fn unreadable<T>(noun: &str, list: &Listing<T>) -> Fault {
    let what = format!("{} of its {noun} could not be read", list.malformed.len());
    let mut fault = Fault::new(FaultKind::Protocol, what);
    for item in list.malformed.iter().take(MALFORMED_NAMED) {
        let label = item.label.as_ref().map_or("without a name", UntrustedText::raw);
        fault = fault.because(format!("{label}: {}", item.why));
    }
    let rest = list.malformed.len().saturating_sub(MALFORMED_NAMED);
    if rest > 0 { fault.because(format!("and {rest} more")) } else { fault }
}

/// A text in a column, revealed on one line; nothing when there is none.
pub(super) fn cell(text: Option<&UntrustedText>) -> String {
    text.map(content::plain_line).unwrap_or_default()
}

/// The first line of a description, with `…` where more follows; `--json` has all of it.
pub(super) fn first_line(text: Option<&UntrustedText>) -> String {
    let Some(text) = text else { return String::new() };
    let whole = text.raw().trim();
    match whole.split_once('\n') {
        Some((first, _)) => format!("{} …", content::plain_line(&first.trim_end().into())),
        None => content::plain_line(&whole.into()),
    }
}

#[cfg(test)]
mod tests;
