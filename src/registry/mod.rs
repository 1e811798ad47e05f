//! Many servers as one: connect, list, address, read, render.
//!
//! ```
//! use std::sync::Arc;
//! use vestibule::{demo, domain::{Completable, ResourceBody}, registry::{Query, Registry}};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), vestibule::domain::Fault> {
//! // The embedded servers; a child process is `ServerSpec::stdio("git", "uvx", ["mcp-server-git"])`.
//! let mut builder = Registry::builder();
//! for server in demo::servers() {
//!     builder = builder.in_process(server.name, Arc::new(move || server.open()));
//! }
//! let registry = builder.open()?;
//!
//! // What all of them list, in one table. A server that cannot be reached is a row of
//! // `registry.view().servers` with its reason, and hides nothing of the others.
//! let resources = registry.list_resources().await;
//! assert!(resources.iter().any(|row| row.uri.raw() == "library://about"));
//!
//! // Bare when one server alone lists it …
//! let reading = registry.read_resource("library://about", None).await?;
//! assert!(matches!(reading.contents[0].body, ResourceBody::Text(_)));
//! // … qualified always …
//! registry.read_resource("observatory:demo://welcome", None).await?;
//! // … or with the server named.
//! registry.read_resource("demo://welcome", Some("library")).await?;
//! // What several servers list is ambiguous without a server.
//! assert!(registry.read_resource("demo://welcome", None).await.is_err());
//!
//! // A template stands for addresses that no list holds; values are encoded as they must be.
//! let values = [("id".to_owned(), "1".to_owned())];
//! registry.read_template("library://books/{id}", &values, None).await?;
//!
//! // Prompts are templates; arguments are checked before anything is sent.
//! let arguments = [("name".to_owned(), "Ada".to_owned())];
//! let rendering = registry.get_prompt("library.greet", &arguments, None).await?;
//! assert!(!rendering.prompt.messages.is_empty());
//!
//! // What could stand in an argument, given what stands in the others.
//! let others = [("mood".to_owned(), "restless".to_owned())];
//! let (of, address) = (Completable::Prompt, "recommend_book");
//! let query = Query { of, address, argument: "pages", value: "", others: &others };
//! let proposals = registry.complete(query, None).await?;
//! assert_eq!(proposals.completion.values, ["40".into(), "90".into()]);
//!
//! // A server may tell when a resource changes; its view then has a `generation` that grows.
//! registry.subscribe("library://notices/today", None).await?;
//! registry.unsubscribe("library://notices/today", None).await?;
//!
//! registry.close().await;
//! # Ok(())
//! # }
//! ```

mod address;
mod arguments;
mod authority;
mod builder;
mod calling;
mod catalogue;
mod completing;
mod hub;
mod reading;
mod rendering;
mod view;

pub use crate::mcp::{Again, Direction, InProcess, Noise, Track, TrafficEntry};
pub use builder::RegistryBuilder;
pub use calling::{Agreement, Called, ToolCall};
pub use catalogue::{
    Addressed, ArgumentRow, Catalogue, PromptRow, ResourceRow, Row, TemplateRow, ToolRow,
};
pub use completing::{Proposals, Query};
pub use reading::Reading;
pub use rendering::Rendering;
pub use view::{Hidden, Lists, RegistryView, ServerView};

use crate::domain::{
    Fault, FaultKind, Prompt, Resource, ResourceTemplate, ServerId, ServerSpec, Surface, Tool,
    UntrustedText,
};
use address::Meaning;
use hub::{Hub, Member};
use std::sync::Arc;
use tokio::sync::watch;

/// A cheap handle on all servers of a session.
#[derive(Clone)]
pub struct Registry {
    hub: Arc<Hub>,
    /// Whether a person said yes to what is done through this handle.
    confirmed: bool,
    /// To whom it is told how calls go that are made through this handle.
    track: Track,
}

impl Registry {
    /// Puts a registry together.
    pub fn builder() -> RegistryBuilder {
        RegistryBuilder::default()
    }

    /// Starts all servers in parallel and returns at once; see [`settled`](Self::settled). Must be
    /// called inside a tokio runtime.
    ///
    /// # Errors
    /// A [`Fault`] when two servers have the same name.
    pub fn open(specs: Vec<ServerSpec>) -> Result<Self, Fault> {
        Self::builder().servers(specs).open()
    }

    /// The latest snapshot, and a way to wait for the next. Snapshots are whole: missing one is
    /// harmless.
    pub fn watch(&self) -> watch::Receiver<Arc<RegistryView>> {
        self.hub.watch()
    }

    /// The latest snapshot.
    pub fn view(&self) -> Arc<RegistryView> {
        self.hub.watch().borrow().clone()
    }

    /// Waits until nothing is being connected or loaded.
    pub async fn settled(&self) -> Arc<RegistryView> {
        self.wait(|view| view.is_settled()).await
    }

    async fn wait(&self, until: impl Fn(&RegistryView) -> bool) -> Arc<RegistryView> {
        let mut watch = self.hub.watch();
        // The sender lives in the hub, which this handle holds.
        let waited = watch.wait_for(|view| until(view)).await.map(|view| view.clone());
        waited.unwrap_or_else(|_| self.view())
    }

    /// Waits until no server is being connected and none loads its lists of a surface.
    pub async fn listed(&self, surface: Surface) -> Arc<RegistryView> {
        self.wait(|view| view.servers.iter().all(|server| server.has_listed(surface))).await
    }

    /// The resources of all servers, once they are loaded.
    pub async fn list_resources(&self) -> Vec<ResourceRow> {
        self.listed(Surface::Resources).await.catalogue.resources.iter().map(Into::into).collect()
    }

    /// The resource templates of all servers, once they are loaded.
    pub async fn list_templates(&self) -> Vec<TemplateRow> {
        self.listed(Surface::Resources).await.catalogue.templates.iter().map(Into::into).collect()
    }

    /// The prompts of all servers, once they are loaded.
    pub async fn list_prompts(&self) -> Vec<PromptRow> {
        self.listed(Surface::Prompts).await.catalogue.prompts.iter().map(Into::into).collect()
    }

    /// The tools of all servers, once they are loaded.
    pub async fn list_tools(&self) -> Vec<ToolRow> {
        self.listed(Surface::Tools).await.catalogue.tools.iter().map(Into::into).collect()
    }

    /// Waits for what an address needs: the lists of the server that is named, beside the address
    /// or in it, or else of all of them, since any of them may make a bare address ambiguous.
    async fn listed_for<T: Addressed>(
        &self,
        surface: Surface,
        address: &str,
        server: Option<&str>,
        rows: impl Fn(&RegistryView) -> &[Row<T>],
    ) -> Arc<RegistryView> {
        let concerns = |id: &ServerId| server.is_none_or(|name| id.as_str() == name);
        self.wait(|view| {
            let named = || address::is_settled_by_name::<T>(view, surface, rows(view), address);
            let listed = |server: &Arc<ServerView>| server.has_listed(surface);
            view.servers.iter().filter(|s| concerns(&s.id)).all(listed)
                || (server.is_none() && named())
        })
        .await
    }

    /// The server of a call, if the session may make it. Forbidden looks like unknown.
    fn member_for(
        &self,
        meaning: &Meaning,
        surface: Surface,
        noun: &str,
        address: &str,
    ) -> Result<&Member, Fault> {
        let may =
            |member: &&Member| authority::allows(&member.spec.permissions, surface, &meaning.bare);
        let member = self.hub.member(&meaning.server).filter(may);
        member.ok_or_else(|| address::not_found(noun, address))
    }

    /// A handle on the same servers through which a person's yes is given: what is read or rendered
    /// through it is not refused for want of one. Made for one use, right after the yes.
    #[must_use]
    pub fn confirmed(&self) -> Self {
        Self { confirmed: true, ..self.clone() }
    }

    /// A handle on the same servers that tells how what is done through it goes: progress, rounds,
    /// whether it waits for a person. Made for one call.
    #[must_use]
    pub fn tracked(&self, track: Track) -> Self {
        Self { track, ..self.clone() }
    }

    /// Whether a name on a surface of a server is used only after a person said yes.
    pub fn needs_confirmation(&self, server: &ServerId, surface: Surface, name: &str) -> bool {
        let member = self.hub.member(server);
        member.is_some_and(|m| authority::needs_confirmation(&m.spec.permissions, surface, name))
    }

    /// Refuses what needs a yes and has none. Nothing has been sent by then.
    fn ask_yes(&self, meaning: &Meaning, surface: Surface, noun: &str) -> Result<(), Fault> {
        if self.confirmed || !self.needs_confirmation(&meaning.server, surface, &meaning.bare) {
            return Ok(());
        }
        let what = format!("this {noun} is used only after a yes, by your permissions");
        let fault = Fault::new(FaultKind::Declined, what).of(&meaning.server);
        Err(fault.because(meaning.bare.as_str()).hint("`--yes` says yes"))
    }

    /// Connects a server that is idle or down.
    pub fn connect(&self, server: &ServerId) {
        self.hub.member(server).into_iter().for_each(|m| m.session.connect());
    }

    /// Disconnects a server; its rows stay, marked stale.
    pub fn disconnect(&self, server: &ServerId) {
        self.hub.member(server).into_iter().for_each(|m| m.session.disconnect());
    }

    /// Ends a server, whatever it is doing, and connects it anew.
    pub fn restart(&self, server: &ServerId) {
        self.hub.member(server).into_iter().for_each(|m| m.session.restart());
    }

    /// Lists everything of a server again.
    pub fn refresh(&self, server: &ServerId) {
        self.hub.member(server).into_iter().for_each(|m| m.session.refresh());
    }

    /// The last lines of a server's standard error, oldest first.
    pub fn stderr(&self, server: &ServerId) -> Vec<UntrustedText> {
        self.hub.member(server).map(|m| m.session.stderr()).unwrap_or_default()
    }

    /// Lines on a server's standard output that were no protocol, and its breaches of the
    /// protocol, oldest first.
    pub fn stray(&self, server: &ServerId) -> Vec<UntrustedText> {
        self.hub.member(server).map(|m| m.session.stray()).unwrap_or_default()
    }

    /// The last messages to and from a server, oldest first.
    pub fn traffic(&self, server: &ServerId) -> Vec<TrafficEntry> {
        self.traffic_after(server, 0)
    }

    /// Those of the last messages that came after a number, oldest first.
    pub fn traffic_after(&self, server: &ServerId, number: u64) -> Vec<TrafficEntry> {
        self.hub.member(server).map(|m| m.session.traffic(number)).unwrap_or_default()
    }

    /// The number of the oldest message that is kept of a server.
    pub fn oldest_message(&self, server: &ServerId) -> Option<u64> {
        self.hub.member(server).and_then(|m| m.session.oldest_message())
    }

    /// Ends every session: children gone, tasks joined.
    pub async fn close(&self) {
        let closing = self.hub.sessions.iter().map(|member| member.session.close());
        futures_util::future::join_all(closing).await;
        self.hub.tasks.close();
        self.hub.tasks.wait().await;
    }
}

fn resources(view: &RegistryView) -> &[Row<Resource>] {
    &view.catalogue.resources
}

/// Whether an address is that of a row, bare or qualified.
fn is_listed<T: Addressed>(rows: &[Row<T>], address: &str, server: Option<&str>) -> bool {
    let mut rows = rows.iter().filter(|row| server.is_none_or(|name| row.server.as_str() == name));
    rows.any(|row| row.item.bare().raw() == address || row.qualified().raw() == address)
}

fn templates(view: &RegistryView) -> &[Row<ResourceTemplate>] {
    &view.catalogue.templates
}

fn prompts(view: &RegistryView) -> &[Row<Prompt>] {
    &view.catalogue.prompts
}

fn tools(view: &RegistryView) -> &[Row<Tool>] {
    &view.catalogue.tools
}
