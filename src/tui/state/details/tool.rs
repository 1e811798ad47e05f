//! What a server says of a tool.

use super::super::form::NEEDS_TASK;
use super::super::item::Kind;
use super::super::{Line, Page, authority};
use super::{addresses, described, named};
use crate::domain::Tool;
use crate::registry::{RegistryView, Row};
use crate::schema::{self, TreeRow};
use crate::tui::theme::Role;
use serde_json::{Map, Value};

/// The rows of a schema's tree that are shown; the JSON below has all of it.
const ROWS: usize = 500;

/// Columns by which a row of the tree is moved in for each step down.
const STEP: usize = 2;

/// The most steps that are shown as such.
const DEEPEST: usize = 12;

/// The details of a tool.
pub(super) fn page(page: &mut Page, view: &RegistryView, row: &Row<Tool>) {
    let item = &row.item;
    named(page, &item.name, item.title.as_ref());
    addresses(page, row);
    described(page, item.description.as_ref());
    page.gap();
    if item.needs_task {
        page.say(Role::Warn, format!("! {NEEDS_TASK}"));
    } else {
        let keys = "Enter opens its form, or its last answer; o its form.";
        page.say(Role::Dim, format!("{keys} Nothing is sent without a yes."));
    }
    page.gap();
    tree(page, "input schema", &item.input_schema);
    if let Some(schema) = &item.output_schema {
        page.gap();
        tree(page, "output schema", schema);
    }
    page.gap();
    claims(page, item);
    authority::item(page, view, &row.server, Kind::Tool, &item.name);
    json(page, "input schema as sent", &item.input_schema);
    if let Some(schema) = &item.output_schema {
        json(page, "output schema as sent", schema);
    }
}

/// What the server claims of a tool's effects, and what the protocol assumes where it says
/// nothing.
pub fn claims(page: &mut Page, tool: &Tool) {
    let hints = tool.annotations.clone().unwrap_or_default();
    if let Some(title) = &hints.title {
        page.show("hint: title", title);
    }
    let reads = hints.read_only.unwrap_or(false);
    let mut label = "claims";
    let mut say = |said: Option<bool>, assumed: bool, yes: &str, no: &str| {
        let what = if said.unwrap_or(assumed) { yes } else { no };
        let mut line = Line::of(Role::Label, format!("{label:<12} "));
        label = "";
        line.indent = 13;
        match said {
            Some(_) => line.say(Role::Plain, format!("{what}, says the server; unproven")),
            None => line.say(Role::Dim, format!("{what}, assumed: the server does not say")),
        }
        page.push(line);
    };
    say(hints.read_only, false, "changes nothing", "may change something");
    // The protocol gives these two a meaning only for what changes something.
    if !reads || hints.destructive.is_some() {
        say(hints.destructive, true, "may destroy", "destroys nothing");
    }
    if !reads || hints.idempotent.is_some() {
        say(hints.idempotent, false, "a second call changes nothing more", "each call counts");
    }
    say(hints.open_world, true, "reaches beyond the server", "stays inside the server");
}

fn tree(page: &mut Page, heading: &str, schema: &Map<String, Value>) {
    page.say(Role::Label, heading);
    let rows = schema::tree(schema);
    if rows.is_empty() {
        page.say(Role::Dim, "  (names no properties)");
    }
    for row in rows.iter().take(ROWS) {
        branch(page, row);
    }
    if let Some(more @ 1..) = rows.len().checked_sub(ROWS) {
        page.say(Role::Dim, format!("  … and {more} more; the JSON below has them"));
    }
}

fn branch(page: &mut Page, row: &TreeRow) {
    let margin = STEP * (row.depth.min(DEEPEST) + 1);
    let mut line = Line::of(Role::Plain, " ".repeat(margin));
    line.indent = margin + STEP;
    let mut hidden = 0;
    if let Some(name) = &row.name {
        hidden += line.show(Role::Key, name);
        line.say(Role::Plain, "  ");
    }
    hidden += line.show(Role::Plain, &row.kind);
    if row.required {
        line.say(Role::Warn, "  required");
    }
    if !row.limits.is_empty() {
        line.say(Role::Plain, "  ");
        hidden += line.show(Role::Dim, &row.limits.join("; ").into());
    }
    if let Some(text) = &row.description {
        line.say(Role::Plain, "  ");
        hidden += line.show(Role::Dim, text);
    }
    page.push_counted(line, hidden);
}

fn json(page: &mut Page, heading: &str, schema: &Map<String, Value>) {
    page.gap();
    page.say(Role::Label, heading);
    page.json(&Value::Object(schema.clone()));
}
