//! Addresses: bare when unique, qualified always.
//!
//! The order for a form is: an exact listed URI or name; then `server:` or `server.` for a known
//! server, longest name first, where the rest must be listed by that server. It is never split at
//! the first separator: a server called like a URI's scheme must not swallow that scheme.

use super::{Addressed, RegistryView, Row};
use crate::{
    content::reveal_line,
    domain::{Fault, FaultKind, ServerId, Surface, UntrustedText},
};

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
    for (name, rest) in qualified::<T>(view, address) {
        if lists(rows, name, rest) {
            return Ok(Meaning { server: name.clone(), bare: rest.to_owned() });
        }
    }
    match view.servers.as_slice() {
        // With one server there is no doubt whom to ask for something that it never listed.
        [only] => Ok(never_listed::<T>(rows, &only.id, address)),
        _ => Err(not_found(noun, address)),
    }
}

/// The servers that a form may name, longest name first, each with what stands behind its name.
fn qualified<'a, T: Addressed>(
    view: &'a RegistryView,
    address: &'a str,
) -> Vec<(&'a ServerId, &'a str)> {
    let mut named: Vec<_> = view
        .servers
        .iter()
        .filter_map(|server| Some((&server.id, strip::<T>(address, &server.id)?)))
        .collect();
    named.sort_by_key(|(name, _)| std::cmp::Reverse(name.as_str().len()));
    named
}

/// Whether an address names a server that lists the rest of it, so that nothing has to be waited
/// for but that server, and those of longer names that the address may mean.
pub(super) fn is_settled_by_name<T: Addressed>(
    view: &RegistryView,
    surface: Surface,
    rows: &[Row<T>],
    address: &str,
) -> bool {
    if rows.iter().any(|row| row.item.bare().raw() == address) {
        return false;
    }
    for (name, rest) in qualified::<T>(view, address) {
        if !view.server(name).is_some_and(|server| server.has_listed(surface)) {
            return false;
        }
        if lists(rows, name, rest) {
            return true;
        }
    }
    false
}

fn with_server<T: Addressed>(
    view: &RegistryView,
    rows: &[Row<T>],
    address: &str,
    name: &str,
) -> Result<Meaning, Fault> {
    let found = view.servers.iter().find(|s| s.id.as_str() == name);
    let server = found.ok_or_else(|| unknown_server(view, name))?;
    Ok(never_listed::<T>(rows, &server.id, address))
}

/// What is asked of a server that is known from elsewhere than the address, which may name it all
/// the same.
fn never_listed<T: Addressed>(rows: &[Row<T>], server: &ServerId, address: &str) -> Meaning {
    let qualified = strip::<T>(address, server)
        .filter(|_| !lists(rows, server, address))
        .filter(|rest| lists(rows, server, rest) || T::can_stand_alone(rest));
    Meaning { server: server.clone(), bare: qualified.unwrap_or(address).to_owned() }
}

fn strip<'a, T: Addressed>(address: &'a str, server: &ServerId) -> Option<&'a str> {
    address.strip_prefix(server.as_str())?.strip_prefix(T::SEPARATOR)
}

fn lists<T: Addressed>(rows: &[Row<T>], server: &ServerId, bare: &str) -> bool {
    rows.iter().any(|r| r.server == *server && r.item.bare().raw() == bare)
}

/// Unknown and forbidden look the same.
pub(super) fn not_found(noun: &str, address: &str) -> Fault {
    Fault::new(FaultKind::NotFound, format!("no {noun} is listed under this address"))
        .because(UntrustedText::new(address))
        .hint("list what there is; for something that no server lists, name one with `--server`")
}

fn unknown_server(view: &RegistryView, name: &str) -> Fault {
    let known: Vec<&str> = view.servers.iter().map(|s| s.id.as_str()).collect();
    let what = format!("no server is named `{}`", reveal_line(name).plain());
    Fault::new(FaultKind::NotFound, what).hint(format!("there are: {}", known.join(", ")))
}

fn ambiguous<T: Addressed>(owners: &[&Row<T>], noun: &str) -> Fault {
    let what = format!("several servers list this {noun}");
    let mut fault = Fault::new(FaultKind::Ambiguous, what).hint("use one of the qualified forms");
    fault.cause = owners.iter().map(|row| row.qualified()).collect();
    fault
}
