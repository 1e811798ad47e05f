//! What a session listens to: changed lists, and the resources that are watched. In the legacy era
//! each resource is asked for by a request of its own, in the modern one all are named when the
//! stream of news is opened, which is done anew when they change.

use super::{
    actor::until,
    asks::{Asked, Asks, Purpose},
    connection::Connection,
    listen::Ear,
    news::Told,
    relist::Relist,
    subscriptions::{Subscriptions, Waiting},
};
use crate::domain::{Era, Fault, FaultKind, Subscription};
use std::{sync::Arc, time::Duration};
use tokio::time::Instant;

/// The pause before resources are asked for again that got no answer; it doubles each time.
const LEAST_PAUSE: Duration = Duration::from_secs(1);
/// Where doubling stops.
const MOST_PAUSE: Duration = Duration::from_secs(60);

/// What a session listens to.
pub(super) struct Watching {
    set: Subscriptions,
    connection: Option<Arc<Connection>>,
    ear: Ear,
    /// The requests of the legacy era, and how many there were.
    asks: Asks,
    asked: u64,
    /// When those that got no answer are asked for again, and the pause before the time after.
    again: Option<Instant>,
    pause: Duration,
    /// When updates are shown: those that come together as one.
    clock: Relist,
    /// Until when the server is to acknowledge the stream.
    acknowledged_by: Option<Instant>,
}

impl Watching {
    pub(super) fn new() -> Self {
        Self {
            set: Subscriptions::default(),
            connection: None,
            ear: Ear::new(),
            asks: Asks::default(),
            asked: 0,
            again: None,
            pause: LEAST_PAUSE,
            clock: Relist::new(),
            acknowledged_by: None,
        }
    }

    /// There is a connection: listens, and takes up again what was dropped.
    pub(super) fn connected(&mut self, connection: Arc<Connection>) {
        self.connection = Some(connection.clone());
        if connection.facts.capabilities.resource_subscriptions {
            self.take_up();
        } else {
            self.set.dropped(&not_offered(&connection));
        }
        if connection.facts.era == Era::Modern {
            self.open();
        }
    }

    /// Asks again for what was dropped. In the modern era that is done by opening the stream.
    fn take_up(&mut self) {
        let dropped = self.set.take_up();
        let era = self.connection.as_ref().map(|connection| connection.facts.era);
        if era == Some(Era::Legacy) {
            dropped.into_iter().for_each(|uri| self.subscribe_by_request(uri));
        }
    }

    /// The connection is gone, and with it all that was watched.
    pub(super) fn parted(&mut self, why: &Fault) {
        self.connection = None;
        self.ear.close();
        self.asks.clear();
        (self.again, self.pause) = (None, LEAST_PAUSE);
        self.clock.forget();
        self.acknowledged_by = None;
        self.set.dropped(why);
    }

    /// Watches a resource.
    pub(super) fn subscribe(&mut self, uri: String, waiting: Waiting) {
        let Some(connection) = self.connection.clone() else {
            let why = Fault::new(FaultKind::Closed, "the server is not connected");
            return self.set.reply(waiting, Err(why));
        };
        if !connection.facts.capabilities.resource_subscriptions {
            return self.set.reply(waiting, Err(not_offered(&connection)));
        }
        if !self.set.ask(&uri, waiting) {
            return;
        }
        match connection.facts.era {
            Era::Legacy => self.subscribe_by_request(uri),
            Era::Modern => self.open(),
        }
    }

    /// Watches a resource no more.
    pub(super) fn unsubscribe(&mut self, uri: String, waiting: Waiting) {
        let Some(was_open) = self.set.forget(&uri) else {
            let why = Fault::new(FaultKind::NotFound, "this resource is not watched");
            return self.set.reply(waiting, Err(why));
        };
        if let Some(connection) = self.connection.clone() {
            match connection.facts.era {
                Era::Legacy if was_open => {
                    return self.asks.push(connection, uri, Purpose::Leave(waiting));
                }
                Era::Legacy => {}
                Era::Modern => self.open(),
            }
        }
        self.set.reply(waiting, Ok(()));
    }

    fn subscribe_by_request(&mut self, uri: String) {
        let Some(connection) = self.connection.clone() else { return };
        self.asked += 1;
        self.set.begun(&uri, self.asked);
        self.asks.push(connection, uri, Purpose::Watch(self.asked));
    }

    /// Opens the stream of news with all that is watched in its filter.
    fn open(&mut self) {
        let Some(connection) = &self.connection else { return };
        let patience = connection.target.limits.request;
        self.ear.open(connection, &self.named(connection));
        self.acknowledged_by = self.set.is_asking().then(|| Instant::now() + patience);
    }

    /// The resources that the stream is to tell of: none where the server does not offer that.
    fn named(&self, connection: &Connection) -> Vec<String> {
        let offered = connection.facts.capabilities.resource_subscriptions;
        if offered { self.set.wanted() } else { Vec::new() }
    }

    /// Waits for one thing to happen and deals with it. May be dropped at any time.
    pub(super) async fn step(&mut self) {
        let news = self.connection.as_ref().map(|connection| connection.tap.clone());
        let told = async {
            match &news {
                Some(tap) => tap.news.heard.notified().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            Some(asked) = self.asks.next() => self.asked(asked),
            ended = self.ear.ended() => self.stream_ended(ended),
            () = told => {
                if let Some(tap) = news {
                    self.told(tap.news.take());
                }
            }
            () = until(self.clock.due()) => {
                self.set.show_updates();
                self.clock.begun(Instant::now());
            }
            () = until(self.again) => {
                self.again = None;
                self.take_up();
            }
            () = until(self.acknowledged_by) => self.not_acknowledged(),
        }
    }

    fn asked(&mut self, asked: Asked) {
        let Asked { uri, purpose, outcome } = asked;
        match (purpose, outcome) {
            (Purpose::Leave(waiting), outcome) => self.set.reply(waiting, outcome),
            (Purpose::Watch(asking), _) if !self.set.is_current(&uri, asking) => {}
            (Purpose::Watch(_), Ok(())) => {
                self.pause = LEAST_PAUSE;
                self.set.agreed(&uri);
            }
            (Purpose::Watch(_), Err(why)) if why.rpc_code.is_some() => {
                self.set.refused(&why, |refused| refused == uri);
            }
            // Only the server's own word is a refusal; this may pass.
            (Purpose::Watch(_), Err(why)) => {
                self.set.unanswered(&why, |unanswered| unanswered == uri);
                if self.again.is_none() {
                    self.again = Some(Instant::now() + self.pause);
                    self.pause = (self.pause * 2).min(MOST_PAUSE);
                }
            }
        }
    }

    fn told(&mut self, told: Told) {
        let Some(connection) = &self.connection else { return };
        if let Some(granted) = told.granted {
            self.acknowledged_by = None;
            if self.ear.acknowledged() {
                connection.tap.all_changed();
            }
            granted.iter().for_each(|uri| self.set.agreed(uri));
            let what = "the server does not watch this resource, of all that it was asked to";
            let why = Fault::new(FaultKind::ServerError, what).of(&connection.target.spec.id);
            self.set.refused(&why, |uri| !granted.iter().any(|granted| granted == uri));
        }
        for (uri, times) in told.updates {
            if self.set.updated(&uri, times) {
                self.clock.changed(Instant::now());
            } else if !self.asks.is_leaving(&uri) {
                let times = if times > 1 { format!(" ({times} times)") } else { String::new() };
                let what = format!("an update for a resource that is not subscribed{times}: {uri}");
                connection.tap.logs.breach(&what);
            }
        }
    }

    fn not_acknowledged(&mut self) {
        self.acknowledged_by = None;
        let Some(connection) = &self.connection else { return };
        let seconds = connection.target.limits.request.as_secs_f32();
        let what = format!("the server did not say within {seconds} s what it watches");
        let why = Fault::new(FaultKind::Timeout, what).of(&connection.target.spec.id);
        self.set.unanswered(&why, |_| true);
    }

    fn stream_ended(&mut self, ended: Result<(), Fault>) {
        let Some(connection) = self.connection.clone() else { return };
        self.acknowledged_by = None;
        let named = self.named(&connection);
        let why = match ended {
            Ok(()) => {
                let what = "the stream of the server's news ended";
                Fault::new(FaultKind::Closed, what).of(&connection.target.spec.id)
            }
            Err(why) if why.rpc_code.is_some() && named.is_empty() => {
                connection.tap.logs.breach(
                    "the server offers news of changed lists and refuses to be listened to",
                );
                return self.set.dropped(&why);
            }
            Err(why) if why.rpc_code.is_some() => {
                // Each refusal leaves less to ask for, so this comes to an end.
                self.set.refused_together(&why);
                return self.open();
            }
            // Only the server's own word is a refusal; this may pass.
            Err(why) => {
                connection.tap.logs.breach(&format!("the stream of news: {}", why.what));
                why
            }
        };
        let seconds = self.ear.reopen(&connection, &named).as_secs_f32();
        self.set.dropped(&why.hint(format!("it is opened again in {seconds} s")));
    }

    /// What is to be shown, if it changed.
    pub(super) fn changes(&mut self) -> Option<Arc<[Subscription]>> {
        self.set.changes()
    }

    /// Answers whoever waits. Called once the changes are shown.
    pub(super) fn answer(&mut self) {
        self.set.answer();
    }
}

fn not_offered(connection: &Connection) -> Fault {
    let what = "the server offers no subscriptions to its resources";
    Fault::new(FaultKind::NotFound, what).of(&connection.target.spec.id)
}
