//! Sentences and pages of our own: how lists stand, the help, the notices.

use super::item::{ListKind, Tab};
use super::search::Query;
use super::{Line, Page, State};
use crate::content::fit_line;
use crate::domain::{Fault, Link, ListingState, UntrustedText};
use crate::registry::ServerView;
use crate::tui::keymap;
use crate::tui::theme::Role;
use std::time::{Duration, SystemTime};

/// How long something takes: `0.4 s`, `12 s`, `3 min 5 s`.
pub fn duration(time: Duration, tenths: bool) -> String {
    let seconds = time.as_secs();
    if seconds >= 60 {
        format!("{} min {} s", seconds / 60, seconds % 60)
    } else if tenths {
        format!("{seconds}.{} s", time.subsec_millis() / 100)
    } else {
        format!("{seconds} s")
    }
}

/// A time of day, in UTC: `12:34:56.789`.
pub fn clock(time: SystemTime) -> String {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let seconds = since.as_secs() % 86_400;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{hours:02}:{minutes:02}:{seconds:02}.{:03}", since.subsec_millis())
}

/// A number of things: `1 read`, `2 reads`.
pub fn count(number: usize, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

/// A fault on one line: our words, then the first thing the other side said.
pub fn fault_line(fault: &Fault) -> String {
    match fault.cause.iter().find(|c| !c.raw().trim().is_empty()) {
        Some(cause) => format!("{}: {}", fault.what, short(cause)),
        None => fault.what.clone(),
    }
}

/// A fault as a notice: of whom, what, why, and what to try.
pub fn fault_notice(fault: &Fault) -> String {
    let who = fault.who.as_ref().map(|id| format!("{id}: ")).unwrap_or_default();
    let hint = fault.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
    format!("{who}{}{hint}", fault_line(fault))
}

/// The start of what somebody else wrote, for a sentence of ours.
pub fn short(text: &UntrustedText) -> String {
    fit_line(text.raw(), 300).plain()
}

/// Adds all that a fault says to a page.
pub fn fault(page: &mut Page, fault: &Fault) {
    page.say(Role::Bad, format!("✗ {}", fault.what));
    for cause in &fault.cause {
        page.show_block(cause);
    }
    if let Some(hint) = &fault.hint {
        page.gap();
        page.say(Role::Plain, format!("→ {hint}"));
    }
}

/// How the lists of the tab stand, in words: one line for each thing worth saying.
pub fn standings(state: &State, tab: Tab) -> Vec<Line> {
    let single = state.scope();
    let single = single.as_ref();
    let mut lines = Vec::new();
    if state.view.servers.is_empty() {
        lines.push(Line::of(Role::Plain, "no servers: start one with `vestibule -- COMMAND`"));
        lines.push(Line::of(Role::Plain, "or see `vestibule --help`"));
        return lines;
    }
    let tab_state = state.catalogue.current();
    if state.catalogue.is_filtered() {
        return search_standing(state);
    }
    let in_scope = state.view.servers.iter().filter(|s| single.is_none_or(|id| s.id == *id));
    for server in in_scope {
        let prefix = if single.is_some() { String::new() } else { format!("{}: ", server.id) };
        for list in ListKind::of(tab) {
            list_standing(&mut lines, server, *list, &prefix, single.is_some());
        }
        // The pane of servers says how they stand; here it is said where nothing else is.
        if single.is_some() || tab_state.total == 0 {
            let off = state.servers.is_off(server);
            lines.extend(link_standing(server, off, tab, &prefix));
            let keys = match server.link {
                Link::Down { .. } => Some("c connects again, e shows its output"),
                Link::Connecting => Some("e shows its output so far, x stops it"),
                Link::Idle | Link::Up(_) => None,
            };
            let keys = keys.filter(|_| single.is_some());
            lines.extend(keys.map(|text| Line::of(Role::Plain, text)));
        }
    }
    if tab_state.total == 0 && lines.is_empty() {
        let noun = tab.noun();
        let text = match single {
            Some(_) => format!("this server lists no {noun}"),
            None => format!("no server lists {noun}"),
        };
        lines.push(Line::of(Role::Dim, text));
    }
    lines
}

/// What there is to say of a search.
fn search_standing(state: &State) -> Vec<Line> {
    let query = Query::new(state.catalogue.filter.text());
    let mut lines = Vec::new();
    if let Some(kind) = query.unknown_kind() {
        let text = format!("no kind begins with {}: resource, template, prompt, tool", shown(kind));
        lines.push(Line::of(Role::Warn, text));
    }
    let is_known = |part: &&String| {
        state.view.servers.iter().any(|s| s.id.as_str().to_lowercase().contains(part.as_str()))
    };
    if let Some(part) = query.servers.iter().find(|part| !is_known(part)) {
        lines.push(Line::of(Role::Warn, format!("no server is called {}", shown(part))));
    }
    match (state.catalogue.current().matching, state.catalogue.is_searching()) {
        (_, true) => lines.push(Line::of(Role::Dim, "searching …")),
        (0, false) => {
            lines.insert(0, Line::of(Role::Warn, "nothing matches the filter; Esc clears it"));
        }
        (_, false) => {}
    }
    lines
}

/// The start of what was typed, for a sentence of ours.
fn shown(typed: &str) -> String {
    short(&typed.to_owned().into())
}

fn list_standing(
    lines: &mut Vec<Line>,
    server: &ServerView,
    list: ListKind,
    prefix: &str,
    single: bool,
) {
    let standing = list.standing(&server.lists);
    let noun = list.noun();
    let mut say = |role, text: String| lines.push(Line::of(role, format!("{prefix}{text}")));
    let up = matches!(server.link, Link::Up(_));
    match (standing.state, &server.link) {
        // How the one server stands is said once, and not again of each list.
        (ListingState::Stale(_) | ListingState::Failed(_), _) if single && !up => {}
        // So are templates that went stale together with the resources.
        (ListingState::Stale(_), _)
            if list == ListKind::Templates && *standing.state == server.lists.resources.state => {}
        (ListingState::NotOffered, Link::Up(_)) if single => {
            say(Role::Dim, format!("offers no {noun}"));
        }
        (ListingState::NotOffered, _) => {}
        (ListingState::Loading, _) => say(Role::Warn, format!("loading {noun} …")),
        (ListingState::Fresh, _) => {
            let templates = server.lists.templates.items.len();
            if single && list == ListKind::Resources && standing.items == 0 && templates > 0 {
                say(Role::Dim, format!("no fixed resources, {}", count(templates, "template")));
            }
        }
        (ListingState::Stale(f), _) => {
            say(Role::Warn, format!("{noun} are stale: {}", fault_line(f)));
        }
        (ListingState::Partial(f), _) => {
            say(Role::Bad, format!("only {} {noun} came: {}", standing.items, fault_line(f)));
        }
        (ListingState::Failed(f), _) => say(Role::Bad, format!("no {noun}: {}", fault_line(f))),
    }
    if let Some(truncated) = standing.truncated {
        say(Role::Warn, format!("{noun}: {}", truncated.text()));
    }
}

/// How a server stands that lists nothing yet.
fn link_standing(server: &ServerView, off: bool, tab: Tab, prefix: &str) -> Option<Line> {
    let stale = ListKind::of(tab).iter().any(|list| list.standing(&server.lists).items > 0);
    let one = prefix.is_empty();
    let (role, text) = match &server.link {
        Link::Up(_) => return None,
        // Keys are told where they would mean this server.
        Link::Down { .. } if !one => (Role::Bad, "down".into()),
        Link::Idle if !one && off => (Role::Dim, "off in its file".into()),
        Link::Idle if !one => (Role::Dim, "disconnected".into()),
        Link::Connecting if stale => (Role::Warn, "stale; connecting".into()),
        Link::Connecting => (Role::Warn, format!("connecting, no {} yet", tab.noun())),
        Link::Down { why } if stale => (Role::Bad, format!("stale; down: {}", fault_line(why))),
        Link::Down { why } => (Role::Bad, format!("down: {}", fault_line(why))),
        Link::Idle if stale => (Role::Warn, "stale; disconnected: c connects".into()),
        Link::Idle if off => (Role::Dim, "off in its file; c connects it".into()),
        Link::Idle => (Role::Dim, "disconnected; c connects it".into()),
    };
    Some(Line::of(role, format!("{prefix}{text}")))
}

/// From so many columns on, the help page has two columns.
const TWO_COLUMNS: usize = 130;

/// The help page, from the live table of keys.
pub fn help(width: usize) -> Page {
    let groups: Vec<Vec<Line>> = keymap::table()
        .into_iter()
        .map(|(group, rows)| {
            let keys = rows.into_iter().map(|(keys, what)| {
                let mut line = Line::of(Role::Key, format!("  {keys:<14}"));
                line.say(Role::Plain, format!("  {what}"));
                line.indent = 18;
                line
            });
            std::iter::once(Line::of(Role::Label, group.heading()))
                .chain(keys)
                .chain([Line::default()])
                .collect()
        })
        .collect();
    let mut page = Page::default();
    if width >= TWO_COLUMNS {
        side_by_side(&mut page, groups, width / 2);
    } else {
        groups.into_iter().flatten().for_each(|line| page.push(line));
    }
    for text in [
        LETTERS,
        "What servers wrote is shown with hidden characters made visible, like ⟨U+202E⟩.",
        "The preview belongs to the item in its title; an answer that comes after you moved on \
         waits with its item, where Enter shows it.",
    ] {
        page.say(Role::Dim, text);
    }
    page
}

/// What the letters in the pane of servers mean.
pub const LETTERS: &str = "The pane of servers counts R resources, P prompts and T tools; templates are not among R. \
     ✗ counts what could not be read.";

/// Puts groups of lines into two columns of about the same height, the first of so many columns.
fn side_by_side(page: &mut Page, groups: Vec<Vec<Line>>, width: usize) {
    let all: usize = groups.iter().map(Vec::len).sum();
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for group in groups {
        let column = if left.len() * 2 < all { &mut left } else { &mut right };
        column.extend(group.iter().flat_map(|line| line.rows(width - 2)));
    }
    for row in 0..left.len().max(right.len()) {
        let mut line = left.get(row).cloned().unwrap_or_default();
        if let Some(beside) = right.get(row) {
            line.say(Role::Plain, " ".repeat(width.saturating_sub(line.width())));
            line.spans.extend(beside.spans.iter().cloned());
        }
        line.whole = true;
        page.push(line);
    }
}

/// The page of notices, the newest first.
pub fn notices(state: &State) -> Page {
    let mut page = Page::default();
    let mut any = false;
    for notice in state.notices.iter() {
        any = true;
        let ago = duration(state.now.since(notice.at), false);
        let mut line = Line::of(Role::Dim, format!("{ago:>10} ago  "));
        line.say(notice.role, notice.text.clone());
        line.indent = 16;
        page.push(line);
    }
    if !any {
        page.say(Role::Dim, "no notices");
    }
    if state.notices.dropped() > 0 {
        page.say(Role::Dim, format!("{} older ones are no longer kept", state.notices.dropped()));
    }
    page
}
