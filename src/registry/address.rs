//! Addresses: bare when unique, qualified always.
//!
//! The order for a form is: an exact listed URI or name; then `server:` or `server.` for a known
//! server, longest name first, where the rest must be listed by that server. It is never split at
//! the first separator: a server called like a URI's scheme must not swallow that scheme.

use super::{Addressed, RegistryView, Row};
use crate::domain::{Fault, FaultKind, ServerId};

/// What an address means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Meaning {
    /// Who is asked.
    pub(super) server: ServerId,
    /// For what, in the server's own words.
    pub(super) bare: String,
}

/// Resolves an address among the rows of one kind. `noun` is what is looked for, in our words.
pub(super) fn resolve<T: Addressed>(
    view: &RegistryView,
    rows: &[Row<T>],
    address: &str,
    server: Option<&str>,
    noun: &str,
) -> Result<Meaning, Fault> {
    if let Some(name) = server {
        return with_server::<T>(view, rows, address, name);
    }
    let owners: Vec<&Row<T>> = rows.iter().filter(|r| r.item.bare().raw() == address).collect();
    match owners.as_slice() {
        [one] => return Ok(Meaning { server: one.server.clone(), bare: address.to_owned() }),
        [] => {}
        several => return Err(ambiguous(several, noun)),
    }
    let mut names: Vec<&ServerId> = view.servers.iter().map(|s| &s.id).collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.as_str().len()));
    for name in names {
        if let Some(rest) = strip::<T>(address, name)
            && lists(rows, name, rest)
        {
            return Ok(Meaning { server: name.clone(), bare: rest.to_owned() });
        }
    }
    match view.servers.as_slice() {
        // With one server there is no doubt whom to ask for something that it never listed.
        [only] => {
            let bare = strip::<T>(address, &only.id).unwrap_or(address);
            Ok(Meaning { server: only.id.clone(), bare: bare.to_owned() })
        }
        _ => Err(not_found(noun)),
    }
}

fn with_server<T: Addressed>(
    view: &RegistryView,
    rows: &[Row<T>],
    address: &str,
    name: &str,
) -> Result<Meaning, Fault> {
    let Some(found) = view.servers.iter().find(|s| s.id.as_str() == name) else {
        return Err(unknown_server(view, name));
    };
    let server = found.id.clone();
    let bare = match strip::<T>(address, &server) {
        Some(rest) if !lists(rows, &server, address) => rest,
        Some(_) | None => address,
    };
    Ok(Meaning { server, bare: bare.to_owned() })
}

fn strip<'a, T: Addressed>(address: &'a str, server: &ServerId) -> Option<&'a str> {
    address.strip_prefix(server.as_str())?.strip_prefix(T::SEPARATOR)
}

fn lists<T: Addressed>(rows: &[Row<T>], server: &ServerId, bare: &str) -> bool {
    rows.iter().any(|r| r.server == *server && r.item.bare().raw() == bare)
}

/// Unknown and forbidden look the same.
pub(super) fn not_found(noun: &str) -> Fault {
    Fault::new(FaultKind::NotFound, format!("no {noun} is listed under this address")).hint(
        "list what there is, or name the server with --server for something that it does not list",
    )
}

pub(super) fn unknown_server(view: &RegistryView, name: &str) -> Fault {
    let known: Vec<&str> = view.servers.iter().map(|s| s.id.as_str()).collect();
    let what = format!("no server is called `{}`", name.escape_debug());
    Fault::new(FaultKind::NotFound, what).hint(format!("known: {}", known.join(", ")))
}

fn ambiguous<T: Addressed>(owners: &[&Row<T>], noun: &str) -> Fault {
    let what = format!("several servers list this {noun}");
    let mut fault = Fault::new(FaultKind::Ambiguous, what).hint("use one of the qualified forms");
    fault.cause = owners.iter().map(|row| row.qualified()).collect();
    fault
}
