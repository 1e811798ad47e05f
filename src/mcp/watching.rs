//! What a session listens to: changed lists, and the resources that are watched. In the legacy era
//! each resource is asked for by a request of its own, in the modern one all are named when the
//! stream of news is opened, which is done anew when they change.

use super::{
    actor::until,
    connection::Connection,
    listen::Ear,
    news::Told,
    relist::Relist,
    subscriptions::{Subscriptions, Waiting},
};
use crate::domain::{Era, Fault, FaultKind, Subscription};
use futures_util::{FutureExt, StreamExt, future::BoxFuture, stream::FuturesUnordered};
use serde_json::json;
use std::{collections::HashMap, sync::Arc};
use tokio::time::Instant;

/// The end of one request of the legacy era.
struct Asked {
    uri: String,
    outcome: Result<(), Fault>,
    /// Who waits for the end of an unsubscription; a subscription's waiters are with its entry.
    leaving: Option<Waiting>,
}

/// What a session listens to.
pub(super) struct Watching {
    set: Subscriptions,
    connection: Option<Arc<Connection>>,
    ear: Ear,
    asks: FuturesUnordered<BoxFuture<'static, Asked>>,
    /// Resources that the server has not yet been heard to have let go of.
    leaving: HashMap<String, usize>,
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
            asks: FuturesUnordered::new(),
            leaving: HashMap::new(),
            clock: Relist::new(),
            acknowledged_by: None,
        }
    }

    /// There is a connection: listens, and takes up again what was dropped.
    pub(super) fn connected(&mut self, connection: Arc<Connection>) {
        self.connection = Some(connection.clone());
        if connection.facts.capabilities.resource_subscriptions {
            self.set.take_up();
        }
        match connection.facts.era {
            Era::Modern => self.open(),
            Era::Legacy if connection.facts.capabilities.resource_subscriptions => {
                self.set.wanted().into_iter().for_each(|uri| self.subscribe_by_request(uri));
            }
            Era::Legacy => {}
        }
        if !connection.facts.capabilities.resource_subscriptions {
            self.set.dropped(&not_offered(&connection));
        }
    }

    /// The connection is gone, and with it all that was watched.
    pub(super) fn parted(&mut self, why: &Fault) {
        self.connection = None;
        self.ear.close();
        self.asks.clear();
        self.leaving.clear();
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
        match self.connection.as_ref().map(|connection| connection.facts.era) {
            Some(Era::Legacy) if was_open => {
                *self.leaving.entry(uri.clone()).or_default() += 1;
                self.ask("resources/unsubscribe", uri, Some(waiting));
            }
            Some(Era::Modern) => {
                self.open();
                self.set.reply(waiting, Ok(()));
            }
            Some(Era::Legacy) | None => self.set.reply(waiting, Ok(())),
        }
    }

    fn subscribe_by_request(&mut self, uri: String) {
        self.ask("resources/subscribe", uri, None);
    }

    fn ask(&mut self, method: &'static str, uri: String, leaving: Option<Waiting>) {
        let Some(connection) = self.connection.clone() else { return };
        let patience = connection.target.limits.request;
        self.asks.push(
            async move {
                let asked = connection.call(method, json!({"uri": uri}), patience).await;
                Asked { uri, outcome: asked.map(drop), leaving }
            }
            .boxed(),
        );
    }

    /// Opens the stream of news with all that is watched in its filter.
    fn open(&mut self) {
        let Some(connection) = &self.connection else { return };
        let patience = connection.target.limits.request;
        self.ear.open(connection, &self.set.wanted());
        self.acknowledged_by = self.set.is_asking().then(|| Instant::now() + patience);
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
            () = until(self.acknowledged_by) => self.not_acknowledged(),
        }
    }

    fn asked(&mut self, asked: Asked) {
        let Asked { uri, outcome, leaving } = asked;
        if let Some(waiting) = leaving {
            if let Some(count) = self.leaving.get_mut(&uri) {
                *count -= 1;
                if *count == 0 {
                    self.leaving.remove(&uri);
                }
            }
            return self.set.reply(waiting, outcome);
        }
        match outcome {
            Ok(()) => self.set.agreed(&uri),
            Err(why) => self.set.refused(&why, |refused| refused == uri),
        }
    }

    fn told(&mut self, told: Told) {
        let Some(connection) = &self.connection else { return };
        if let Some(granted) = told.granted {
            self.acknowledged_by = None;
            granted.iter().for_each(|uri| self.set.agreed(uri));
            let what = "the server does not watch this resource, of all that it was asked to";
            let why = Fault::new(FaultKind::ServerError, what).of(&connection.target.spec.id);
            self.set.refused(&why, |uri| !granted.iter().any(|granted| granted == uri));
        }
        for (uri, times) in told.updates {
            if self.set.updated(&uri, times) {
                self.clock.changed(Instant::now());
            } else if !self.leaving.contains_key(&uri) {
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
        self.set.unanswered(&why);
    }

    fn stream_ended(&mut self, ended: Result<(), Fault>) {
        let Some(connection) = self.connection.clone() else { return };
        self.acknowledged_by = None;
        match ended {
            Ok(()) => {
                let pause = self.ear.reopen(&connection, &self.set.wanted());
                let what = "the stream of the server's news ended";
                let why = Fault::new(FaultKind::Closed, what).of(&connection.target.spec.id);
                let seconds = pause.as_secs_f32();
                self.set.dropped(&why.hint(format!("it is opened again in {seconds} s")));
            }
            Err(why) if why.kind == FaultKind::ServerError && !self.set.wanted().is_empty() => {
                // Each refusal leaves less to ask for, so this comes to an end.
                self.set.refused_together(&why);
                self.open();
            }
            Err(why) => {
                if why.kind == FaultKind::ServerError {
                    connection.tap.logs.breach(
                        "the server offers news of changed lists and refuses to be listened to",
                    );
                }
                self.set.dropped(&why);
            }
        }
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
