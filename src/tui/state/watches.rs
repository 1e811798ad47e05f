//! Watched resources: how each stands, and what of its changes has been looked at.

use super::item::{ItemKey, Kind};
use super::page::Page;
use super::words::{count, fault_line};
use super::{Line, State};
use crate::domain::{
    CallId, Fault, Link, ServerId, Subscription, SubscriptionState, UntrustedText,
};
use crate::registry::RegistryView;
use crate::tui::theme::Role;
use std::collections::HashMap;

/// The most changes that are counted out.
const COUNTED: u64 = 999;

/// How far a server's word of a resource had come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Told {
    /// Grows when it should be read again.
    pub generation: u64,
    /// How many updates there were.
    pub updates: u64,
}

/// How what was opened keeps up with what its server tells of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Upkeep {
    /// How far that had come when it was last asked for, whatever came of it; `None` when it was
    /// not watched then.
    pub asked: Option<Told>,
    /// The same of what is kept.
    pub kept: Option<Told>,
    /// The read under way that will replace what is kept.
    pub call: Option<CallId>,
}

/// A wish to watch a resource, or to let it go, that has not been answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// The call.
    pub call: CallId,
    /// The resource.
    pub key: ItemKey,
    /// Whether it is to be watched.
    pub on: bool,
}

/// What the screen itself remembers of watched resources; how they stand is in the snapshot.
#[derive(Debug, Clone, Default)]
pub struct Watches {
    /// The wishes that wait, one of an item at most.
    asks: Vec<Ask>,
    /// How far its server's word of a resource had come when it was last looked at.
    looked_at: HashMap<ItemKey, Told>,
}

impl Watches {
    /// Takes note of a wish. Gives the call of the one that it replaces.
    pub fn ask(&mut self, ask: Ask) -> Option<CallId> {
        let before = self.asks.iter().position(|a| a.key == ask.key);
        let before = before.map(|place| self.asks.swap_remove(place).call);
        // What is watched anew is counted anew.
        self.looked_at.remove(&ask.key);
        self.asks.push(ask);
        before
    }

    /// A wish has been answered; `None` when nobody waits for it any more.
    pub fn answered(&mut self, call: CallId) -> Option<Ask> {
        let place = self.asks.iter().position(|a| a.call == call)?;
        Some(self.asks.swap_remove(place))
    }

    /// What is wished of a resource, while that has not been answered.
    pub fn wish(&self, key: &ItemKey) -> Option<bool> {
        self.asks.iter().find(|a| a.key == *key).map(|a| a.on)
    }

    /// A resource is looked at, as it was when its server's word had come so far.
    pub fn look_at(&mut self, key: ItemKey, told: Told) {
        self.looked_at.insert(key, told);
    }

    /// Forgets what was looked at of resources that are watched no more, or anew.
    pub fn settle(&mut self, view: &RegistryView) {
        self.looked_at.retain(|key, told| {
            subscription(view, &key.server, &key.name)
                .is_some_and(|s| s.updates >= told.updates && s.generation >= told.generation)
        });
    }
}

/// How a resource that is, or was to be, watched stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Watch<'a> {
    /// The server has not answered yet.
    Asking,
    /// The server tells of it; so many updates have not been looked at.
    On(u64),
    /// The server tells of it, and it may have changed while it did not.
    Missed,
    /// The server did not agree.
    Refused(&'a Fault),
    /// It was watched, and will be again.
    Dropped(&'a Fault),
}

impl Watch<'_> {
    /// A mark for a row or a title, with words where there is room.
    pub fn mark(self, words: bool) -> Line {
        let (role, mark, word) = match self {
            Self::Asking => (Role::Warn, "◌".to_owned(), "asking".to_owned()),
            Self::On(0) => (Role::Good, "◉".into(), "watched".into()),
            Self::On(1) => (Role::Key, "◉+1".into(), "1 change".into()),
            Self::On(n @ ..=COUNTED) => (Role::Key, format!("◉+{n}"), format!("{n} changes")),
            Self::On(_) => (Role::Key, format!("◉+{COUNTED}"), format!("over {COUNTED} changes")),
            Self::Missed => (Role::Key, "◉+?".into(), "maybe changed".into()),
            Self::Refused(_) => (Role::Bad, "⊘".into(), "refused".into()),
            Self::Dropped(_) => (Role::Warn, "○".into(), "dropped".into()),
        };
        match (words, mark.chars().next()) {
            (true, Some(sign)) => Line::of(role, format!("{sign} {word}")),
            (true | false, _) => Line::of(role, mark),
        }
    }
}

/// The subscription to a resource of a server.
pub fn subscription<'a>(
    view: &'a RegistryView,
    server: &ServerId,
    uri: &UntrustedText,
) -> Option<&'a Subscription> {
    view.server(server)?.subscriptions.iter().find(|s| s.uri == *uri)
}

/// Whether a server is there and tells of changes of its resources; else why not.
fn offers(view: &RegistryView, server: &ServerId) -> Result<(), &'static str> {
    match view.server(server).map(|s| &s.link) {
        Some(Link::Up(facts)) if facts.capabilities.resource_subscriptions => Ok(()),
        Some(Link::Up(_)) => Err("this server does not offer to tell when a resource changes"),
        Some(Link::Idle | Link::Connecting | Link::Down { .. }) | None => {
            Err("its server is not connected")
        }
    }
}

impl State {
    /// How a resource stands that is, or was to be, watched.
    pub fn watch(&self, server: &ServerId, uri: &UntrustedText) -> Option<Watch<'_>> {
        let key = || ItemKey { server: server.clone(), kind: Kind::Resource, name: uri.clone() };
        let Some(subscription) = subscription(&self.view, server, uri) else {
            // What was wished a moment ago is not in the snapshot yet.
            let is_wished =
                !self.watches.asks.is_empty() && self.watches.wish(&key()) == Some(true);
            return is_wished.then_some(Watch::Asking);
        };
        Some(match &subscription.state {
            SubscriptionState::Asking => Watch::Asking,
            SubscriptionState::Active => {
                let looked_at = self.watches.looked_at.get(&key()).copied().unwrap_or_default();
                match subscription.updates.saturating_sub(looked_at.updates) {
                    0 if subscription.generation > looked_at.generation => Watch::Missed,
                    updates => Watch::On(updates),
                }
            }
            SubscriptionState::Refused(why) => Watch::Refused(why),
            SubscriptionState::Dropped(why) => Watch::Dropped(why),
        })
    }

    /// How an item stands that is, or was to be, watched.
    pub fn watch_of(&self, key: &ItemKey) -> Option<Watch<'_>> {
        (key.kind == Kind::Resource).then(|| self.watch(&key.server, &key.name)).flatten()
    }

    /// Whether an item is watched, or is wished to be.
    pub fn is_watched(&self, key: &ItemKey) -> bool {
        self.watches.wish(key).unwrap_or_else(|| match self.watch_of(key) {
            Some(Watch::Asking | Watch::On(_) | Watch::Missed | Watch::Dropped(_)) => true,
            Some(Watch::Refused(_)) | None => false,
        })
    }

    /// How far its server's word of a resource has come; `None` while nobody would tell, or a
    /// wish waits.
    pub fn told(&self, key: &ItemKey) -> Option<Told> {
        let subscription = subscription(&self.view, &key.server, &key.name)?;
        let is_told = key.kind == Kind::Resource
            && subscription.state == SubscriptionState::Active
            && self.watches.wish(key).is_none();
        let Subscription { generation, updates, .. } = *subscription;
        is_told.then_some(Told { generation, updates })
    }

    /// Why an item can be neither watched nor let go.
    pub fn why_not_watched(&self, key: Option<&ItemKey>) -> Option<&'static str> {
        match key {
            Some(key) if key.kind == Kind::Resource => {
                let offers = || offers(&self.view, &key.server).err();
                if self.is_watched(key) { None } else { offers() }
            }
            Some(_) | None => Some("only a resource can be watched"),
        }
    }
}

/// Says of a resource how it stands with watching it.
pub(super) fn describe(page: &mut Page, view: &RegistryView, key: &ItemKey) {
    if key.kind != Kind::Resource {
        return;
    }
    let Some(subscription) = subscription(view, &key.server, &key.name) else {
        if offers(view, &key.server).is_ok() {
            page.say(Role::Dim, "w watches it: the server tells when it changes.");
        }
        return;
    };
    let updates = usize::try_from(subscription.updates).unwrap_or(usize::MAX);
    let updates = count(updates, "update");
    let (role, text) = match &subscription.state {
        SubscriptionState::Asking => (Role::Warn, "◌ Asked to be watched; no answer yet.".into()),
        SubscriptionState::Active => {
            (Role::Good, format!("◉ Watched, {updates} so far; w lets go."))
        }
        SubscriptionState::Refused(why) => {
            (Role::Bad, format!("⊘ Not watched: {}; w asks again.", fault_line(why)))
        }
        SubscriptionState::Dropped(why) => {
            let text = fault_line(why);
            (
                Role::Warn,
                format!("○ Not watched until the server can be asked again: {text}; w lets go."),
            )
        }
    };
    page.say(role, text);
}
