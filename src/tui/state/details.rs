//! What the lists say of one item, as a page.

pub mod tool;

use super::authority;
use super::item::{ItemKey, Kind, ListKind};
use super::servers::{Counts, Servers};
use super::words::{LETTERS, count, duration, fault, fault_line};
use super::{Line, Page};
use crate::content::UriTemplate;
use crate::domain::{
    Annotations, Link, ListingState, Prompt, Resource, ResourceTemplate, ServerFacts,
    SubscriptionState, Surface, UntrustedText,
};
use crate::registry::{Addressed, RegistryView, Row, ServerView};
use crate::tui::msg::Moment;
use crate::tui::theme::Role;

/// The details of an item; of all servers when there is none.
pub fn page(view: &RegistryView, key: Option<&ItemKey>, now: Moment, servers: &Servers) -> Page {
    let mut page = Page::default();
    add(&mut page, view, key, now, servers);
    page
}

/// Adds the details of an item to what a page says already.
pub fn add(
    page: &mut Page,
    view: &RegistryView,
    key: Option<&ItemKey>,
    now: Moment,
    servers: &Servers,
) {
    let Some(key) = key else {
        overview(page, view, servers);
        return;
    };
    let catalogue = &view.catalogue;
    let found = match key.kind {
        Kind::Server => view.server(&key.server).map(|s| server(page, s, now, servers)),
        Kind::Resource => row(&catalogue.resources, key).map(|r| resource(page, view, r)),
        Kind::Template => row(&catalogue.templates, key).map(|r| template(page, view, r)),
        Kind::Prompt => row(&catalogue.prompts, key).map(|r| prompt(page, view, r)),
        Kind::Tool => row(&catalogue.tools, key).map(|r| tool::page(page, view, r)),
        Kind::Malformed(list, nth) => view.server(&key.server).and_then(|s| {
            let item = list.malformed(&s.lists).get(nth)?;
            page.say(Role::Bad, format!("✗ could not be read: {}", item.why));
            page.field("server", s.id.to_string());
            if let Some(label) = &item.label {
                page.show("label", label);
            }
            page.gap();
            page.say(Role::Label, "as the server sent it");
            page.text(item.raw.clone());
            Some(())
        }),
    };
    super::watches::describe(page, view, key);
    match (found, key.kind) {
        (Some(()), _) => {}
        // A link may lead to what was never listed.
        (None, Kind::Resource) => {
            page.show("URI", &key.name);
            page.field("server", key.server.to_string());
            page.say(Role::Warn, "not listed by its server now; Enter reads it all the same");
        }
        (None, _) => page.say(Role::Warn, "no longer listed"),
    }
}

/// The row of an item.
pub fn row<'a, T: Addressed>(rows: &'a [Row<T>], key: &ItemKey) -> Option<&'a Row<T>> {
    rows.iter().find(|r| *r.item.bare() == key.name && r.server == key.server)
}

fn overview(page: &mut Page, view: &RegistryView, servers: &Servers) {
    if view.servers.is_empty() {
        page.say(Role::Label, "No servers");
        page.gap();
        page.say(Role::Plain, "Start one with `vestibule -- COMMAND`, or see `vestibule --help`.");
        page.say(Role::Plain, "`vestibule --demo` shows two that are built in.");
        return;
    }
    let counts = Counts::of(view, servers);
    page.say(Role::Label, count(view.servers.len(), "server"));
    for (number, word) in [
        (counts.up, "up"),
        (counts.connecting, "connecting"),
        (counts.down, "down"),
        (counts.disconnected, "disconnected"),
        (counts.off, "off"),
    ] {
        if number > 0 {
            page.field(word, number.to_string());
        }
    }
    page.gap();
    let catalogue = &view.catalogue;
    let reached = view.servers.iter().any(|s| s.connects > 0);
    for (label, number) in [
        ("resources", catalogue.resources.len()),
        ("templates", catalogue.templates.len()),
        ("prompts", catalogue.prompts.len()),
        ("tools", catalogue.tools.len()),
    ] {
        page.field(label, if reached { number.to_string() } else { "—".into() });
    }
    page.gap();
    page.say(Role::Dim, LETTERS);
}

fn server(page: &mut Page, server: &ServerView, now: Moment, servers: &Servers) {
    link(page, server, now, servers);
    page.field("transport", server.transport);
    for detail in &server.details {
        page.field("", detail.clone());
    }
    page.field("from", server.source.clone());
    page.field("connected", count(server.connects as usize, "time"));
    authority::server(page, &server.permissions);
    page.gap();
    lists(page, server);
    subscriptions(page, server);
    let noise = server.noise;
    if noise.stderr_lines + noise.stray_lines + noise.breaches > 0 {
        page.gap();
        page.field("stderr", count(to_usize(noise.stderr_lines), "line"));
        page.field("stray output", count(to_usize(noise.stray_lines), "line"));
        page.field("breaches", format!("{} of the protocol, survived", noise.breaches));
    }
    if let Link::Up(ServerFacts { instructions: Some(text), .. }) = &server.link {
        page.gap();
        page.say(Role::Label, "its instructions for a model");
        page.show_block(text);
    }
}

/// The resources that it was asked to watch, and how each stands.
fn subscriptions(page: &mut Page, server: &ServerView) {
    for (n, one) in server.subscriptions.iter().enumerate() {
        let label = if n == 0 { "watched" } else { "" };
        page.show(label, &one.uri);
        let updates = count(to_usize(one.updates), "update");
        let why = match &one.state {
            SubscriptionState::Refused(why) | SubscriptionState::Dropped(why) => {
                format!(": {}", fault_line(why))
            }
            SubscriptionState::Asking | SubscriptionState::Active => String::new(),
        };
        page.field("", format!("{}, {updates}{why}", one.state.label()));
    }
}

/// How its connection stands.
fn link(page: &mut Page, server: &ServerView, now: Moment, servers: &Servers) {
    match &server.link {
        Link::Up(facts) => up(page, facts),
        Link::Idle if servers.is_off(server) => {
            page.say(Role::Plain, "○ off in its file; c connects it");
        }
        Link::Idle => page.say(Role::Plain, "○ disconnected; c connects it"),
        Link::Connecting => {
            let since = servers.connecting.get(&server.id).copied().unwrap_or(now);
            let elapsed = duration(now.since(since), false);
            page.say(Role::Warn, format!("… connecting, {elapsed}"));
            page.say(Role::Plain, "e shows its output so far, x stops it");
        }
        Link::Down { why } => {
            page.say(Role::Bad, "✗ down; c connects again, e shows its last output");
            if let Some(again) = server.again {
                let (pause, attempt, of) = (again.pause.as_secs(), again.attempt, again.of);
                page.say(
                    Role::Warn,
                    format!("connects again after {pause} s, try {attempt} of {of}; x stops that"),
                );
            }
            page.gap();
            fault(page, why);
            page.gap();
        }
    }
}

/// What it lists of each kind, and what is missing from that.
fn lists(page: &mut Page, server: &ServerView) {
    let lists = &server.lists;
    for (list, surface) in [
        (ListKind::Resources, Some(Surface::Resources)),
        (ListKind::Templates, None),
        (ListKind::Prompts, Some(Surface::Prompts)),
        (ListKind::Tools, Some(Surface::Tools)),
    ] {
        let standing = list.standing(lists);
        let items = standing.items;
        let hidden = surface.map_or(0, |s| lists.hidden(s));
        let note = if server.connects == 0 {
            // Nothing is known of a server that was never reached.
            "—".to_owned()
        } else if hidden > 0 {
            format!("{items}, and {hidden} hidden by this session's permissions")
        } else {
            items.to_string()
        };
        page.field(list.noun(), note);
        // The list itself has room for the start of such a sentence only.
        match standing.state {
            ListingState::Partial(why) | ListingState::Failed(why) => {
                page.field("", fault_line(why));
            }
            ListingState::NotOffered
            | ListingState::Loading
            | ListingState::Fresh
            | ListingState::Stale(_) => {}
        }
        if let Some(truncated) = standing.truncated {
            page.field("", truncated.text());
        }
    }
}

fn to_usize(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn up(page: &mut Page, facts: &ServerFacts) {
    page.say(Role::Good, "● up");
    if let Some(name) = &facts.name {
        page.show("calls itself", name);
    }
    if let Some(release) = &facts.release {
        page.show("version", release);
    }
    page.field("protocol", format!("{}, {} era", facts.version, facts.era.label()));
    page.field("", facts.era_reason.clone());
    let can = facts.capabilities;
    let offers: Vec<&str> = [
        (can.resources, "resources"),
        (can.resource_subscriptions, "subscriptions"),
        (can.prompts, "prompts"),
        (can.tools, "tools"),
        (can.completions, "completions"),
        (can.logging, "logging"),
    ]
    .into_iter()
    .filter_map(|(has, word)| has.then_some(word))
    .collect();
    page.field("offers", if offers.is_empty() { "nothing".into() } else { offers.join(", ") });
}

fn addresses<T: Addressed>(page: &mut Page, row: &Row<T>) {
    page.field("server", row.server.to_string());
    if row.ambiguous {
        page.show("address", &row.qualified());
        page.field("", "another server lists the same name: the bare one is ambiguous");
    } else {
        page.show("address", &row.address());
        page.show("", &row.qualified());
    }
    if row.copies > 1 {
        page.field("", format!("listed {} times by this server", row.copies));
    }
}

fn named(page: &mut Page, name: &UntrustedText, title: Option<&UntrustedText>) {
    page.show("name", name);
    if let Some(title) = title {
        page.show("title", title);
    }
}

fn described(page: &mut Page, text: Option<&UntrustedText>) {
    if let Some(text) = text {
        page.gap();
        page.show_block(text);
    }
}

fn hints(page: &mut Page, annotations: Option<&Annotations>) {
    let Some(hints) = annotations else { return };
    for who in &hints.audience {
        page.show("audience", who);
    }
    if let Some(priority) = hints.priority {
        page.field("priority", priority.to_string());
    }
    if let Some(when) = &hints.last_modified {
        page.show("modified", when);
    }
}

fn resource(page: &mut Page, view: &RegistryView, row: &Row<Resource>) {
    let item = &row.item;
    named(page, &item.name, item.title.as_ref());
    page.show("URI", &item.uri);
    addresses(page, row);
    if let Some(mime) = &item.mime_type {
        page.show("media type", mime);
    }
    if let Some(size) = item.size {
        page.field("size", format!("{size} bytes, as claimed"));
    }
    hints(page, item.annotations.as_ref());
    authority::item(page, view, &row.server, Kind::Resource, &item.uri);
    described(page, item.description.as_ref());
    page.gap();
    page.say(Role::Dim, "Enter reads it.");
}

fn template(page: &mut Page, view: &RegistryView, row: &Row<ResourceTemplate>) {
    let item = &row.item;
    named(page, &item.name, item.title.as_ref());
    page.show("template", &item.uri_template);
    addresses(page, row);
    if let Some(mime) = &item.mime_type {
        page.show("media type", mime);
    }
    hints(page, item.annotations.as_ref());
    authority::item(page, view, &row.server, Kind::Template, &item.uri_template);
    described(page, item.description.as_ref());
    page.gap();
    page.say(Role::Dim, "A pattern of URIs: what stands in braces is filled in by whoever asks.");
    match UriTemplate::parse(item.uri_template.raw()) {
        Ok(known) if known.variables().is_empty() => page.say(Role::Dim, "Enter reads it."),
        Ok(_) => page.say(Role::Dim, "Enter opens its form."),
        Err(why) => page.say(Role::Bad, format!("✗ it cannot be filled in: {why}")),
    }
}

fn prompt(page: &mut Page, view: &RegistryView, row: &Row<Prompt>) {
    let item = &row.item;
    named(page, &item.name, item.title.as_ref());
    addresses(page, row);
    authority::item(page, view, &row.server, Kind::Prompt, &item.name);
    described(page, item.description.as_ref());
    page.gap();
    page.say(Role::Label, if item.arguments.is_empty() { "no arguments" } else { "arguments" });
    for argument in &item.arguments {
        let mut line = Line::of(Role::Plain, "  ");
        let mut hidden = line.show(Role::Label, &argument.name);
        line.say(Role::Dim, if argument.required { "  required" } else { "  optional" });
        if let Some(title) = &argument.title {
            line.say(Role::Plain, "  ");
            hidden += line.show(Role::Plain, title);
        }
        page.push_counted(line, hidden);
        if let Some(text) = &argument.description {
            let mut line = Line::of(Role::Plain, "    ");
            let hidden = line.show(Role::Plain, text);
            line.indent = 4;
            page.push_counted(line, hidden);
        }
    }
    page.gap();
    page.say(
        Role::Dim,
        match item.arguments.iter().any(|argument| argument.required) {
            true => "Enter opens its form.",
            false if item.arguments.is_empty() => "Enter runs it.",
            false => "Enter runs it, o opens its form.",
        },
    );
}
