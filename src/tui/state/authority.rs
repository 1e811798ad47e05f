//! What an item may do and who allowed it, for its details.

use super::item::Kind;
use super::page::Page;
use crate::config::{Verdict, verdict};
use crate::domain::{Permissions, ServerId, Surface, UntrustedText};
use crate::registry::RegistryView;

/// Adds what opening an item does, and why this session may see it.
pub(super) fn item(
    page: &mut Page,
    view: &RegistryView,
    server: &ServerId,
    kind: Kind,
    name: &UntrustedText,
) {
    let (surface, effect) = match kind {
        Kind::Resource => (Surface::Resources, "reading asks the server and changes nothing here"),
        Kind::Template => (Surface::Resources, "stands for resources, which are read"),
        Kind::Prompt => (
            Surface::Prompts,
            "rendering asks the server for messages; they go nowhere by themselves",
        ),
        Kind::Tool => (Surface::Tools, "whatever the server makes of a call"),
        Kind::Server | Kind::Malformed(..) => return,
    };
    page.field("surface", surface.label());
    page.field("effect", effect);
    if let Some(server) = view.server(server) {
        let reason = reason(&server.permissions, surface, name.raw());
        page.field("permitted", reason);
        if let Some(asks) = asks(&server.permissions, surface, name.raw()) {
            page.field("asks first", asks);
        }
    }
}

/// Why a name is let through.
fn reason(permissions: &Permissions, surface: Surface, name: &str) -> String {
    let list = surface.label();
    match verdict(permissions.of(surface), name) {
        Verdict::Unlisted => format!("all {list}: its entry has no list"),
        Verdict::By(pattern) => format!("by `{}` in its entry", shown(pattern)),
        Verdict::NotForbidden => format!("no prohibition of {list} in its entry matches"),
        Verdict::Forbidden => "no".into(),
    }
}

/// By which pattern it is used only after a yes, if it is.
fn asks(permissions: &Permissions, surface: Surface, name: &str) -> Option<String> {
    let patterns = permissions.confirm.of(surface)?;
    match verdict(Some(patterns), name) {
        Verdict::By(pattern) => Some(format!("by `{}` in its entry's confirm", shown(pattern))),
        Verdict::NotForbidden => Some("its entry's confirm means all but a few".into()),
        Verdict::Unlisted | Verdict::Forbidden => None,
    }
}

/// A pattern of the user's own file, which may still hold anything.
fn shown(pattern: &str) -> String {
    super::words::short(&pattern.to_owned().into())
}

/// Adds what a server's entry permits, a line for each surface that has a list.
pub(super) fn server(page: &mut Page, permissions: &Permissions) {
    if *permissions == Permissions::default() {
        page.field("permitted", "everything");
        return;
    }
    for (label, surface) in
        [("permitted", Surface::Resources), ("", Surface::Prompts), ("", Surface::Tools)]
    {
        let patterns = match permissions.of(surface) {
            None => "all".into(),
            Some([]) => "none".into(),
            Some(patterns) => {
                patterns.iter().map(|p| format!("`{}`", shown(p))).collect::<Vec<_>>().join(" ")
            }
        };
        page.field(label, format!("{}: {patterns}", surface.label()));
    }
}
