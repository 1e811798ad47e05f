//! Whether a server may ask at all.

use super::SamplingService;
use std::sync::Arc;

/// One server's way to the sampling service. Closed unless a service is attached; the capability
/// is declared only while it is open.
#[derive(Clone, Default)]
pub struct Gate {
    service: Option<Arc<SamplingService>>,
}

impl Gate {
    /// A gate that lets requests through to a service.
    pub fn open(service: Arc<SamplingService>) -> Self {
        Self { service: Some(service) }
    }

    /// Whether a service is attached.
    pub fn is_open(&self) -> bool {
        self.service.is_some()
    }

    /// The service, if one is attached.
    pub fn service(&self) -> Option<&SamplingService> {
        self.service.as_deref()
    }
}

impl std::fmt::Debug for Gate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.is_open() { "Gate(open)" } else { "Gate(closed)" })
    }
}
