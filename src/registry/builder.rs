//! Putting a registry together.

use super::{Registry, hub};
use crate::{
    config::Limits,
    domain::{Fault, FaultKind, ServerId, ServerSpec, Transport},
    mcp::InProcess,
    sampling::{Gate, SamplingService},
};
use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
    sync::Arc,
};

/// Puts a registry together: servers, limits, and for which of them sampling is attached.
#[derive(Default)]
pub struct RegistryBuilder {
    specs: Vec<ServerSpec>,
    in_process: HashMap<ServerId, Arc<dyn InProcess>>,
    gates: HashMap<ServerId, Gate>,
    limits: Limits,
    cache_folder: Option<PathBuf>,
    reconnect: bool,
}

impl RegistryBuilder {
    /// Adds a server.
    #[must_use]
    pub fn server(mut self, spec: ServerSpec) -> Self {
        self.specs.push(spec);
        self
    }

    /// Adds servers.
    #[must_use]
    pub fn servers(mut self, specs: impl IntoIterator<Item = ServerSpec>) -> Self {
        self.specs.extend(specs);
        self
    }

    /// Adds a server that runs inside this program, with everything allowed.
    #[must_use]
    pub fn in_process(self, name: &str, server: Arc<dyn InProcess>) -> Self {
        let spec = ServerSpec::new(ServerId::sanitized(name), Transport::InProcess);
        self.hand_over(&spec.id, server).server(spec)
    }

    /// Hands over the server behind an entry whose transport is [`Transport::InProcess`].
    #[must_use]
    pub fn hand_over(mut self, name: &ServerId, server: Arc<dyn InProcess>) -> Self {
        self.in_process.insert(name.clone(), server);
        self
    }

    /// Attaches a sampling service to one server, which then, and only then, is told that it may
    /// ask. Nothing is attached by default.
    #[must_use]
    pub fn with_sampling(mut self, server: &ServerId, service: Arc<SamplingService>) -> Self {
        self.gates.insert(server.clone(), Gate::open(service));
        self
    }

    /// Replaces the limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Remembers in this folder in which era each server was reached.
    #[must_use]
    pub fn cache_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.cache_folder = Some(folder.into());
        self
    }

    /// Connects a server again by itself after it was lost, with growing pauses and not for ever.
    /// Without this it stays down until something asks for it.
    #[must_use]
    pub fn reconnecting(mut self) -> Self {
        self.reconnect = true;
        self
    }

    /// Starts all servers in parallel and returns at once; see [`Registry::settled`]. Must be
    /// called inside a tokio runtime.
    ///
    /// # Errors
    /// A [`Fault`] when two servers have the same name.
    pub fn open(self) -> Result<Registry, Fault> {
        let mut names = HashSet::new();
        if let Some(twice) = self.specs.iter().find(|spec| !names.insert(spec.id.clone())) {
            let what = format!("two servers are called `{}`", twice.id);
            return Err(Fault::new(FaultKind::Usage, what).hint("give each a name of its own"));
        }
        let limits = Arc::new(self.limits);
        let cache = self.cache_folder.as_deref();
        Ok(hub::start(self.specs, self.in_process, self.gates, limits, cache, self.reconnect))
    }
}
