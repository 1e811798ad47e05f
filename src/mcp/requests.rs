//! What a person asks of one server: reading and watching resources, rendering a prompt.

use super::{
    Session,
    actor::Command,
    connection::Connection,
    contents::{self, Unreadable},
    mirrored::Mirrored,
    rendered,
    rounds::{self, Call},
    subscriptions::Waiting,
    track::Track,
};
use crate::content::reveal_line;
use crate::domain::{Fault, FaultKind, RenderedPrompt, ResourceContents};
use serde_json::{Map, Value};
use std::sync::Arc;
use tokio::sync::oneshot;

/// Above this many bytes an answer is parsed on a thread of its own, so that the runtime's
/// threads stay free.
pub(super) const PARSE_APART: usize = 1 << 20;

impl Session {
    /// Reads a resource by the server's own URI, byte for byte. Dropping the future cancels the
    /// read and tells the server.
    ///
    /// A read is safe, so a connection that turns out dead is made again and the read is done once
    /// more. An error that the server answered is never retried.
    ///
    /// # Errors
    /// A [`Fault`].
    pub async fn read_resource(
        &self,
        uri: &str,
        track: &Track,
    ) -> Result<Vec<ResourceContents>, Fault> {
        let first = self.connection().await?;
        match self.read_on(&first, uri, track).await {
            Err(fault) if fault.kind.is_connection() => {
                let second = self.connection().await?;
                let mut again = self.read_on(&second, uri, track).await;
                // Over HTTP it may take the second one to learn that the session is over.
                let same = Arc::ptr_eq(&first, &second) && second.tap.gone.is_cancelled();
                if same && matches!(&again, Err(fault) if fault.kind.is_connection()) {
                    again = self.read_on(&*self.connection().await?, uri, track).await;
                }
                again.map_err(|mut fault| {
                    if fault.kind.is_connection() {
                        fault
                            .what
                            .push_str(", twice: the read was sent again on a fresh connection");
                    }
                    fault
                })
            }
            read => read,
        }
    }

    async fn read_on(
        &self,
        connection: &Connection,
        uri: &str,
        track: &Track,
    ) -> Result<Vec<ResourceContents>, Fault> {
        if !connection.facts.capabilities.resources {
            return Err(self.fault(FaultKind::NotFound, "the server offers no resources"));
        }
        let params = Map::from_iter([("uri".to_owned(), Value::from(uri))]);
        let what = format!("read {}", reveal_line(uri).plain());
        let mirrored = Mirrored::default();
        let call = Call { method: "resources/read", params, what: &what, mirrored };
        let raw = rounds::call(connection, call, track).await?;
        let bound = connection.target.limits.resource_bytes;
        let uri = uri.to_owned();
        let read = move |raw| contents::read(raw, &uri, bound);
        raw.apart(PARSE_APART, read).await?.map_err(|why| match why {
            Unreadable::Protocol(why) => self.fault(FaultKind::Protocol, why),
            Unreadable::TooLarge { size } => self
                .fault(
                    FaultKind::Limit,
                    format!("the resource has {size} bytes, more than the limit of {bound}"),
                )
                .hint("raise limits.resource_bytes in settings.toml"),
        })
    }

    /// Asks the server to tell when a resource changes. How it stands is in the session's state,
    /// from the asking on; a refusal leaves it there, not watched.
    ///
    /// # Errors
    /// A [`Fault`]; nothing is sent to a server that offers no subscriptions.
    pub async fn subscribe(&self, uri: &str) -> Result<(), Fault> {
        self.connection().await?;
        self.told(|done| Command::Subscribe(uri.to_owned(), done)).await
    }

    /// Asks the server to tell of a resource no more, and forgets it.
    ///
    /// # Errors
    /// A [`Fault`] when it is not watched, or when the server did not like to be asked.
    pub async fn unsubscribe(&self, uri: &str) -> Result<(), Fault> {
        self.told(|done| Command::Unsubscribe(uri.to_owned(), done)).await
    }

    async fn told(&self, command: impl FnOnce(Waiting) -> Command) -> Result<(), Fault> {
        let (done, outcome) = oneshot::channel();
        let ended = || self.fault(FaultKind::Closed, "the server's session has ended");
        self.command(command(done)).await.map_err(|()| ended())?;
        let mut outcome = outcome.await.map_err(|_| ended())?;
        if let Err(fault) = &mut outcome {
            fault.who.get_or_insert_with(|| self.id().clone());
        }
        outcome
    }

    /// Renders a prompt by the server's own name. Arguments are sent as they are. Never done twice
    /// by itself: what a prompt sets off is the server's business.
    ///
    /// # Errors
    /// A [`Fault`].
    pub async fn get_prompt(
        &self,
        name: &str,
        arguments: &[(String, String)],
        track: &Track,
    ) -> Result<RenderedPrompt, Fault> {
        let connection = &*self.connection().await?;
        if !connection.facts.capabilities.prompts {
            return Err(self.fault(FaultKind::NotFound, "the server offers no prompts"));
        }
        let mut params = Map::from_iter([("name".to_owned(), Value::from(name))]);
        if !arguments.is_empty() {
            let given = arguments.iter().map(|(k, v)| (k.clone(), Value::from(v.as_str())));
            params.insert("arguments".to_owned(), Value::Object(given.collect()));
        }
        let what = format!("prompt {}", reveal_line(name).plain());
        let mirrored = Mirrored::default();
        let call = Call { method: "prompts/get", params, what: &what, mirrored };
        let raw = rounds::call(connection, call, track).await?;
        let limits = &connection.target.limits;
        let size = raw.json.as_str().len();
        if size > limits.prompt_bytes {
            let bound = limits.prompt_bytes;
            let what = format!("the prompt has {size} bytes, more than the limit of {bound}");
            return Err(self
                .fault(FaultKind::Limit, what)
                .hint("raise limits.prompt_bytes in settings.toml"));
        }
        let bound = limits.prompt_messages;
        raw.read_apart(PARSE_APART, move |json: &str| rendered::read(json, bound))
            .await?
            .map_err(|why| self.fault(FaultKind::Protocol, why))
    }
}
