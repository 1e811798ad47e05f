//! Why a request ended without an answer.

use crate::domain::{FailureKind, Stage};

/// How a sampling request failed. It never carries content of either side.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.message())]
pub struct SamplingError {
    /// Why.
    pub kind: FailureKind,
    /// Where.
    pub stage: Stage,
    detail: Option<String>,
}

impl SamplingError {
    pub(crate) fn new(kind: FailureKind, stage: Stage) -> Self {
        Self { kind, stage, detail: None }
    }

    /// Adds what exactly was wrong, in our words, without content.
    #[must_use]
    pub(crate) fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// The JSON-RPC code: -1 for a human's no (spec `client/sampling`, error handling), -32602 for
    /// malformed input, and codes of the implementation's range for the rest.
    pub fn code(&self) -> i32 {
        match self.kind {
            FailureKind::Rejected => -1,
            FailureKind::InvalidRequest => -32602,
            FailureKind::LimitExceeded => -32001,
            FailureKind::Cancelled => -32002,
            FailureKind::DeadlineExceeded => -32003,
            FailureKind::Execution => -32004,
            FailureKind::InvalidOutput => -32005,
        }
    }

    /// A message that is safe to send.
    pub fn message(&self) -> String {
        let text = match self.kind {
            FailureKind::Rejected => "the user rejected the sampling request",
            FailureKind::InvalidRequest => "the sampling request is not valid",
            FailureKind::LimitExceeded => "the sampling request is beyond a limit of the user",
            FailureKind::Cancelled => "the sampling request was withdrawn",
            FailureKind::DeadlineExceeded => "the sampling request was not decided in time",
            FailureKind::Execution => "the model could not answer",
            FailureKind::InvalidOutput => "the model's answer is not valid",
        };
        match &self.detail {
            Some(detail) => format!("{text}: {detail}"),
            None => text.to_owned(),
        }
    }
}
