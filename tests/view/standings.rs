//! How servers and their lists stand, as a person sees it.

use crate::frames::{Scene, at_three_sizes};
use crate::support::*;
use std::sync::Arc;
use std::time::Duration;
use vestibule::domain::*;
use vestibule::registry::{Again, Lists, Noise, ServerView};
use vestibule::tui::state::words::fault_notice;
use vestibule::tui::theme::Role as Look;
use vestibule::tui::{Effect, Msg};

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
    ("down_again", |s| {
        let one = library(|server| {
            let why = Fault::new(FaultKind::Closed, "the server closed the connection");
            server.link = Link::Down { why: why.clone() };
            let pause = Duration::from_secs(4);
            server.again = Some(Again { attempt: 3, of: 8, pause });
            Arc::make_mut(&mut lists(server).resources).state = ListingState::Stale(why);
        });
        s.send(Msg::View(registry(vec![one])));
        s.keys("h j");
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

#[test]
fn a_server_that_is_tried_again_can_be_let_be() {
    let mut screen = Screen::new(80, 24);
    let down = |again| {
        library(|server| {
            let why = Fault::new(FaultKind::Closed, "the server closed the connection");
            server.link = Link::Down { why };
            server.again = again;
        })
    };
    let planned = Again { attempt: 1, of: 8, pause: Duration::from_secs(1) };
    screen.send(Msg::View(registry(vec![down(Some(planned))])));
    assert!(matches!(screen.keys("h j x").as_slice(), [Effect::Disconnect(_)]));
    screen.send(Msg::View(registry(vec![down(None)])));
    assert_eq!(screen.keys("x"), []);
    assert!(screen.shows("is not connected"));
    assert!(matches!(screen.keys("R").as_slice(), [Effect::Restart(_)]));
}
