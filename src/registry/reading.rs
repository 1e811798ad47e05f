//! Reading: a resource by its address, or one that a template stands for.

use super::{
    Registry,
    address::{self, Meaning},
    arguments::{given_twice, shown},
    hub::Member,
    is_listed, resources, templates,
};
use crate::{
    content::UriTemplate,
    domain::{Fault, FaultKind, ResourceContents, ServerId, Surface, UntrustedText},
};
use std::time::{Duration, Instant};

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

impl Registry {
    /// Reads a resource by its address, bare or qualified, or, with a server named, by that
    /// server's own URI. Dropping the future cancels the read and tells the server.
    ///
    /// # Errors
    /// A [`Fault`] that says what went wrong, where and what to try.
    pub async fn read_resource(
        &self,
        address: &str,
        server: Option<&str>,
    ) -> Result<Reading, Fault> {
        // A server's own URI needs no list, which may be long in coming. What begins with the
        // server's name may be either.
        let is_plain = |name: &str| !address.starts_with(&format!("{name}:"));
        let view = match server {
            Some(name) if is_plain(name) => self.view(),
            Some(_) | None => self.listed_for(Surface::Resources, address, server, resources).await,
        };
        let (noun, rows) = ("resource", resources(&view));
        let meaning = address::resolve(&view, rows, address, server, noun)?;
        self.read(meaning, noun, address).await
    }

    /// Fills in a template, named by its address like a resource, and reads what comes of it. A
    /// variable that is not among the values drops out; an empty value is a value; see
    /// [`UriTemplate`] for lists. Dropping the future cancels the read and tells the server.
    ///
    /// # Errors
    /// A [`Fault`]: nothing is sent when the template cannot be filled in, or has no such variable.
    pub async fn read_template(
        &self,
        address: &str,
        values: &[(String, String)],
        server: Option<&str>,
    ) -> Result<Reading, Fault> {
        let view = self.listed_for(Surface::Resources, address, server, templates).await;
        let noun = "template";
        let meaning = address::resolve(&view, templates(&view), address, server, noun)?;
        self.member_for(&meaning, Surface::Resources, noun, address)?;
        self.ask_yes(&meaning, Surface::Resources, noun)?;
        let uri = expanded(&meaning.bare, values).map_err(|fault| fault.of(&meaning.server))?;
        let filled = Meaning { server: meaning.server, bare: uri };
        self.read(filled, noun, address).await
    }

    /// Whether an address means a template of some server and no resource, as far as lists go.
    /// Waits for them.
    pub async fn is_template(&self, address: &str, server: Option<&str>) -> bool {
        let view = self.listed_for(Surface::Resources, address, server, templates).await;
        is_listed(templates(&view), address, server)
            && !is_listed(resources(&view), address, server)
    }

    /// Asks the server of a resource to tell when it changes. How it stands is in the server's
    /// view, with a `generation` that grows when it should be read again. After a loss it is taken
    /// up again with the next connection.
    ///
    /// # Errors
    /// A [`Fault`] when the server does not agree, or offers no subscriptions at all.
    pub async fn subscribe(&self, address: &str, server: Option<&str>) -> Result<(), Fault> {
        let (member, uri) = self.watched(address, server).await?;
        member.session.subscribe(&uri).await
    }

    /// Asks the server of a resource to tell of it no more.
    ///
    /// # Errors
    /// A [`Fault`] when it is not watched, or when the server did not agree.
    pub async fn unsubscribe(&self, address: &str, server: Option<&str>) -> Result<(), Fault> {
        let (member, uri) = self.watched(address, server).await?;
        member.session.unsubscribe(&uri).await
    }

    async fn watched(
        &self,
        address: &str,
        server: Option<&str>,
    ) -> Result<(&Member, String), Fault> {
        let view = self.listed_for(Surface::Resources, address, server, resources).await;
        let noun = "resource";
        let meaning = address::resolve(&view, resources(&view), address, server, noun)?;
        let member = self.member_for(&meaning, Surface::Resources, noun, address)?;
        Ok((member, meaning.bare))
    }

    /// Reads what an address turned out to mean, if this session may.
    async fn read(&self, meaning: Meaning, noun: &str, address: &str) -> Result<Reading, Fault> {
        let member = self.member_for(&meaning, Surface::Resources, noun, address)?;
        self.ask_yes(&meaning, Surface::Resources, noun)?;
        let began = Instant::now();
        let contents = member.session.read_resource(&meaning.bare, &self.track).await?;
        let uri = meaning.bare.into();
        Ok(Reading { server: meaning.server, uri, contents, took: began.elapsed() })
    }
}

/// A template that can be filled in.
pub(super) fn parsed(template: &str) -> Result<UriTemplate, Fault> {
    UriTemplate::parse(template).map_err(|why| {
        let what = format!("the template cannot be filled in: {why}");
        Fault::new(FaultKind::Validation, what).because(template)
    })
}

/// The URI that values make of a template.
fn expanded(template: &str, values: &[(String, String)]) -> Result<String, Fault> {
    let parsed = parsed(template)?;
    let variables = parsed.variables();
    let invalid = |what: String| {
        let names: Vec<String> = variables.iter().map(|name| shown(name)).collect();
        let takes = if names.is_empty() { "no values".to_owned() } else { names.join(", ") };
        Fault::new(FaultKind::Validation, what).hint(format!("it takes: {takes}"))
    };
    if let Some(name) = given_twice(values) {
        return Err(invalid(format!("the value `{}` is given twice", shown(name))));
    }
    if let Some((name, _)) = values.iter().find(|(name, _)| !variables.contains(name)) {
        return Err(invalid(format!("the template has no variable `{}`", shown(name))));
    }
    parsed.expand(values).map_err(|why| invalid(format!("the template cannot be filled in: {why}")))
}
