//! How servers and their lists stand, as a person sees it.

use crate::frames::{Scene, at_three_sizes};
use crate::support::*;
use std::sync::Arc;
use vestibule::domain::*;
use vestibule::registry::{Lists, Noise, ServerView};
use vestibule::tui::Msg;
use vestibule::tui::state::words::fault_notice;
use vestibule::tui::theme::Role as Look;

/// The first server, with something changed.
fn library(change: impl FnOnce(&mut ServerView)) -> ServerView {
    let mut library = servers().swap_remove(0);
    change(&mut library);
    library
}

fn lists(server: &mut ServerView) -> &mut Lists {
    Arc::make_mut(&mut server.lists)
}

fn template(name: &str, uri: &str) -> ResourceTemplate {
    ResourceTemplate {
        uri_template: uri.into(),
        name: name.into(),
        title: Some("By its number".into()),
        description: Some("One of them.\nThe number stands on its back.".into()),
        mime_type: Some("text/markdown".into()),
        annotations: Some(Annotations { priority: Some(0.5), ..Default::default() }),
    }
}

const SCENES: &[Scene] = &[
    ("server_up", |s| {
        s.send(Msg::View(registry(vec![talkative()])));
        s.keys("h j BackTab");
    }),
    ("server_up_end", |s| {
        s.send(Msg::View(registry(vec![talkative()])));
        s.keys("h j BackTab G");
    }),
    ("truncated", |s| {
        let one = library(|server| {
            let lists = lists(server);
            Arc::make_mut(&mut lists.resources).truncated = Some(Truncation::Items(3));
            Arc::make_mut(&mut lists.templates).truncated = Some(Truncation::RepeatedCursor);
        });
        s.send(Msg::View(registry(vec![one])));
        s.keys("h j l");
    }),
    ("truncated_told", |s| {
        let one = library(|server| {
            let lists = lists(server);
            Arc::make_mut(&mut lists.resources).truncated = Some(Truncation::Items(3));
            Arc::make_mut(&mut lists.templates).truncated = Some(Truncation::RepeatedCursor);
            Arc::make_mut(&mut lists.tools).state = ListingState::Partial(
                Fault::new(FaultKind::Timeout, "page 2 did not come").because("no answer in 60 s"),
            );
        });
        s.send(Msg::View(registry(vec![one])));
        s.keys("h j BackTab");
    }),
    ("templates_only", |s| {
        let one = server(
            "archive",
            up(),
            Lists {
                resources: fresh(vec![]),
                templates: fresh(vec![
                    template("box", "archive://boxes/{number}"),
                    template("reel", "archive://reels/{number}"),
                ]),
                ..Default::default()
            },
        );
        s.send(Msg::View(registry(vec![one])));
        s.keys("h j Enter");
    }),
    ("template", |s| {
        let one = library(|server| {
            lists(server).templates = fresh(vec![template("book", "library://books/{isbn}")]);
        });
        s.send(Msg::View(registry(vec![one])));
        s.keys("G k l");
    }),
    ("skipped_entry", |s| {
        let skipped = Fault::new(FaultKind::Usage, "servers.json: the entry `git` is skipped")
            .because("it has neither `command` nor `url`")
            .hint("see `vestibule servers --help`");
        s.state.notices.add(s.now, Look::Warn, fault_notice(&skipped));
        s.after(20).send(Msg::View(registry(vec![library(|server| {
            Arc::make_mut(&mut lists(server).resources).malformed.clear();
        })])));
    }),
    ("skipped_entry_read", |s| {
        let skipped = Fault::new(FaultKind::Usage, "servers.json: the entry `git` is skipped")
            .because("it has neither `command` nor `url`")
            .hint("see `vestibule servers --help`");
        s.state.notices.add(s.now, Look::Warn, fault_notice(&skipped));
        s.after(20).send(Msg::View(registry(vec![library(|server| {
            Arc::make_mut(&mut lists(server).resources).malformed.clear();
        })])));
        s.after(5000).keys("n");
    }),
    ("off", |s| {
        s.send(Msg::View(registry(off_and_disconnected())));
        s.keys("h G k");
    }),
    ("disconnected", |s| {
        s.send(Msg::View(registry(off_and_disconnected())));
        s.keys("h G");
    }),
];

/// One that has instructions, and that has said more than the protocol asks for.
fn talkative() -> ServerView {
    library(|server| {
        let Link::Up(facts) = &mut server.link else { panic!("it is up") };
        facts.instructions = Some(
            "Ask for a book by its number.\u{1b}[2J\nNever ask for two at once: the clerk has only \
             two hands, and one of them holds the lamp."
                .into(),
        );
        server.noise = Noise { stderr_lines: 12, stray_lines: 1, breaches: 2, messages: 40 };
    })
}

/// One that is up, one that is off in its file, one that was disconnected and has stale lists.
fn off_and_disconnected() -> Vec<ServerView> {
    let mut off = server("unused", Link::Idle, Lists::default());
    off.connects = 0;
    let parted = library(|server| {
        server.id = id("parted");
        server.link = Link::Idle;
        let why = ListingState::Stale(Fault::new(FaultKind::Closed, "disconnected"));
        let lists = lists(server);
        Arc::make_mut(&mut lists.resources).state = why.clone();
        Arc::make_mut(&mut lists.templates).state = why.clone();
        Arc::make_mut(&mut lists.prompts).state = why.clone();
        Arc::make_mut(&mut lists.tools).state = why;
    });
    vec![library(|_| ()), off, parted]
}

#[test]
fn every_standing_at_three_sizes() {
    at_three_sizes(SCENES);
}
