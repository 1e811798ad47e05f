//! How a call goes, told to whoever watches it.

use crate::domain::CallState;
use std::sync::Arc;
use tokio::sync::watch;

/// One call's way of telling how it goes. Whoever does not look misses nothing but steps in
/// between: it is one value, replaced as a whole.
#[derive(Debug, Clone)]
pub struct Track(Arc<watch::Sender<CallState>>);

impl Default for Track {
    fn default() -> Self {
        Self(Arc::new(watch::channel(CallState::default()).0))
    }
}

impl Track {
    /// What is known, and a way to wait for news.
    pub fn subscribe(&self) -> watch::Receiver<CallState> {
        self.0.subscribe()
    }

    /// What is known.
    pub fn state(&self) -> CallState {
        self.0.borrow().clone()
    }

    /// Tells something new.
    pub(super) fn tell(&self, change: impl FnOnce(&mut CallState)) {
        self.0.send_modify(change);
    }

    /// Marks that a person is asked because of this call, for as long as what it gives lives.
    pub(super) fn begin_asking(&self) -> Waiting {
        self.tell(|state| state.is_asking = true);
        Waiting(self.clone())
    }
}

/// A call waits for a person while this lives.
pub(super) struct Waiting(Track);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.tell(|state| state.is_asking = false);
    }
}
