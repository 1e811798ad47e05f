//! Subscriptions: resources that a server was asked to tell of when they change.

use super::{Fault, UntrustedText};

/// One resource that is, or was to be, watched.
#[derive(Debug, Clone, PartialEq)]
pub struct Subscription {
    /// The URI, in the server's own words.
    pub uri: UntrustedText,
    /// How it stands.
    pub state: SubscriptionState,
    /// How many updates were told of.
    pub updates: u64,
    /// Grows when the resource should be read again. Updates that come together are one step.
    pub generation: u64,
}

/// How a subscription stands.
#[derive(Debug, Clone, PartialEq)]
pub enum SubscriptionState {
    /// The server was asked and has not answered yet.
    Asking,
    /// The server agreed.
    Active,
    /// The server did not agree. It is not subscribed.
    Refused(Fault),
    /// It is wanted, and not watched until it can be taken up again: the server is gone, or gave
    /// no answer.
    Dropped(Fault),
}

impl SubscriptionState {
    /// `asking`, `active`, `refused`, `dropped`.
    pub fn label(&self) -> &'static str {
        match self {
            Self::Asking => "asking",
            Self::Active => "active",
            Self::Refused(_) => "refused",
            Self::Dropped(_) => "dropped",
        }
    }
}
