//! Many servers as one: connect, list, address, read, render.

mod catalogue;
mod view;

pub use catalogue::{
    Addressed, ArgumentRow, Catalogue, PromptRow, ResourceRow, Row, TemplateRow, ToolRow,
};
pub use view::{Lists, Noise, RegistryView, ServerView};

use crate::domain::{Fault, RenderedPrompt, ResourceContents, ServerId, ServerSpec, UntrustedText};
use std::{sync::Arc, time::Duration};
use tokio::sync::watch;

/// What a read gave: the blocks, and where they came from.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// Who was asked.
    pub server: ServerId,
    /// For which URI, byte for byte.
    pub uri: UntrustedText,
    /// The blocks, checked; what is odd stands in their notes.
    pub contents: Vec<ResourceContents>,
    /// How long the server took.
    pub took: Duration,
}

/// What a prompt rendered to.
#[derive(Debug, Clone, PartialEq)]
pub struct Rendering {
    /// Who was asked.
    pub server: ServerId,
    /// For which prompt, under the server's own name.
    pub name: UntrustedText,
    /// The messages.
    pub prompt: RenderedPrompt,
    /// How long the server took.
    pub took: Duration,
}

/// A cheap handle on all servers of a session.
#[derive(Clone)]
pub struct Registry {}

#[allow(clippy::todo, clippy::unused_async, missing_docs)]
impl Registry {
    /// Connects all servers in parallel; returns at once, see [`settled`](Self::settled).
    pub fn open(specs: Vec<ServerSpec>) -> Result<Self, Fault> {
        let _ = specs;
        todo!()
    }
    /// The latest snapshot, and a way to wait for the next.
    pub fn watch(&self) -> watch::Receiver<Arc<RegistryView>> {
        todo!()
    }
    /// The latest snapshot.
    pub fn view(&self) -> Arc<RegistryView> {
        todo!()
    }
    /// Waits until nothing is being connected or loaded.
    pub async fn settled(&self) -> Arc<RegistryView> {
        todo!()
    }
    /// Rows of all servers; wait for [`settled`](Self::settled) inside.
    pub async fn list_resources(&self) -> Vec<ResourceRow> {
        todo!()
    }
    pub async fn list_templates(&self) -> Vec<TemplateRow> {
        todo!()
    }
    pub async fn list_prompts(&self) -> Vec<PromptRow> {
        todo!()
    }
    pub async fn list_tools(&self) -> Vec<ToolRow> {
        todo!()
    }
    /// Reads by address (bare, qualified) or, with a server named, by that server's URI.
    /// Dropping the future cancels the read and tells the server.
    pub async fn read_resource(
        &self,
        address: &str,
        server: Option<&str>,
    ) -> Result<Reading, Fault> {
        let _ = (address, server);
        todo!()
    }
    /// Renders a prompt by name (bare, qualified) or, with a server named, by that server's name.
    pub async fn get_prompt(
        &self,
        name: &str,
        arguments: &[(String, String)],
        server: Option<&str>,
    ) -> Result<Rendering, Fault> {
        let _ = (name, arguments, server);
        todo!()
    }
    /// Connects a server that is idle or down (again).
    pub fn connect(&self, server: &ServerId) {
        let _ = server;
        todo!()
    }
    /// Disconnects; its rows stay, marked stale.
    pub fn disconnect(&self, server: &ServerId) {
        let _ = server;
        todo!()
    }
    /// Lists everything of a server again.
    pub fn refresh(&self, server: &ServerId) {
        let _ = server;
        todo!()
    }
    /// The last lines of its standard error, oldest first.
    pub fn stderr(&self, server: &ServerId) -> Vec<UntrustedText> {
        let _ = server;
        todo!()
    }
    /// Lines on its standard output that were no protocol, and breaches, oldest first.
    pub fn stray(&self, server: &ServerId) -> Vec<UntrustedText> {
        let _ = server;
        todo!()
    }
    /// Ends every session: children gone, tasks joined.
    pub async fn close(&self) {
        todo!()
    }
}
