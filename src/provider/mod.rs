//! Models that the user owns, as sampling calls them.

mod closure;
mod template;

pub use closure::ClosureProvider;
pub use template::{MAX_ANSWER_BYTES, TemplateProvider};

use crate::domain::{ApprovedRequest, Model, SamplingResponse, UntrustedText};
use std::{future::Future, pin::Pin};

/// A future on the heap that may move between threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Something that answers an approved request.
pub trait SamplingProvider: Send + Sync {
    /// Answers. The answer is not yet anybody's: it is checked, shown and approved first.
    ///
    /// Dropping the future stops the call; there is no other way to cancel it. Deadlines are the
    /// caller's.
    ///
    /// # Errors
    /// [`ProviderError`] when there is no answer.
    fn sample<'a>(
        &'a self,
        request: &'a ApprovedRequest,
        model: &'a Model,
    ) -> BoxFuture<'a, Result<ProviderAnswer, ProviderError>>;
}

/// An answer, and what it cost.
#[derive(Debug, Clone, PartialEq)]
pub struct ProviderAnswer {
    /// The answer. As untrusted as anything from outside.
    pub response: SamplingResponse,
    /// What it cost; `None` when the model does not say, and then all that was reserved counts.
    pub usage: Option<Usage>,
}

/// Tokens that a call used, by the model's own count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Read by the model.
    pub input_tokens: u64,
    /// Written by the model.
    pub output_tokens: u64,
}

/// Why there is no answer. The text of the error is ours; what the model said stays apart.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// The model, or who runs it, will not answer this.
    #[error("the model refused to answer")]
    Refused,
    /// The call failed.
    #[error("the call of the model failed")]
    Failed {
        /// What the model, or the way to it, said.
        message: UntrustedText,
    },
    /// The model did not answer in the time that it, or the way to it, allows.
    #[error("the model did not answer in time")]
    TimedOut,
}

impl ProviderError {
    /// A failed call, with what was said.
    pub fn failed(message: impl Into<UntrustedText>) -> Self {
        Self::Failed { message: message.into() }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::domain::Digest;

    /// A request of the given parameters, approved for a model called `canned`.
    pub(crate) fn approved(params: serde_json::Value) -> ApprovedRequest {
        ApprovedRequest {
            request: serde_json::from_value(params).unwrap(),
            model: Model { name: "canned".into(), endpoint: "template".into() },
            digest: Digest::of(b""),
        }
    }

    #[test]
    fn what_a_model_said_is_not_in_the_text_of_the_error() {
        let error = ProviderError::failed("\x1b[2J");
        assert_eq!(error.to_string(), "the call of the model failed");
    }
}
