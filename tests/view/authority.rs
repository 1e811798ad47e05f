//! What the details say of who may do what.

use crate::support::*;
use std::sync::Arc;
use vestibule::domain::*;
use vestibule::registry::ServerView;
use vestibule::tui::Msg;

fn alone(change: impl FnOnce(&mut ServerView)) -> Screen {
    let mut one = servers().swap_remove(0);
    change(&mut one);
    let mut screen = Screen::empty(200, 50);
    screen.send(Msg::View(registry(vec![one])));
    screen
}

fn patterns(patterns: &[&str]) -> Option<Vec<String>> {
    Some(patterns.iter().map(|p| (*p).to_owned()).collect())
}

#[test]
fn an_item_says_its_surface_its_effect_and_who_permits_it() {
    let mut screen = alone(|s| {
        s.permissions = Arc::new(Permissions {
            resources: patterns(&["notes://*", "library://*"]),
            prompts: patterns(&["!secret*"]),
            tools: None,
            ..Permissions::default()
        });
    });
    for (keys, surface, effect, permitted) in [
        (
            "1 g",
            "resources",
            "reading asks the server and changes nothing here",
            "by `library://*`",
        ),
        ("j j j", "resources", "stands for resources", "by `library://*`"),
        ("2", "prompts", "rendering asks the server", "no prohibition of prompts"),
        ("3", "tools", "whatever the server makes of a call", "all tools: its entry has no list"),
    ] {
        screen.keys(keys);
        let shown = screen.draw().0;
        for part in [format!("surface      {surface}"), effect.into(), permitted.into()] {
            assert!(shown.contains(&part), "{part} after {keys}: {shown}");
        }
    }
    screen.keys("h j");
    let shown = screen.draw().0;
    for part in
        ["permitted    resources: `notes://*` `library://*`", "prompts: `!secret*`", "tools: all"]
    {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

#[test]
fn what_is_watched_stands_with_its_server() {
    let why = Fault::new(FaultKind::ServerError, "the server refused");
    let one = |uri: &str, state| Subscription { uri: uri.into(), state, updates: 2, generation: 1 };
    let mut screen = alone(|s| {
        s.subscriptions = Arc::new([
            one("library://hours", SubscriptionState::Active),
            one("library://rooms/reading", SubscriptionState::Refused(why)),
        ]);
    });
    screen.keys("h j");
    let shown = screen.draw().0;
    for part in [
        "watched      library://hours",
        "active, 2 updates",
        "refused, 2 updates: the server refused",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}
