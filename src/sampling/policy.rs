//! The user's limits on sampling.

use crate::config::SamplingSettings;
use std::time::Duration;

/// Limits of one sampling request. All of them are the user's; nothing a server sends raises one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SamplingPolicy {
    /// The most messages of a request. Default 64.
    pub messages: usize,
    /// The most content blocks of a request, nested ones included. Default 256.
    pub blocks: usize,
    /// The most bytes of a request or of an answer as JSON. Default 1 MiB.
    pub bytes: usize,
    /// The most tokens a request may ask for. Default 8 192.
    pub max_tokens: u64,
    /// Time for the whole, both doors included. Default 15 minutes.
    pub whole: Duration,
    /// Time for the model's call. Default 5 minutes.
    pub model: Duration,
}

impl Default for SamplingPolicy {
    fn default() -> Self {
        Self::from(&SamplingSettings::default())
    }
}

impl From<&SamplingSettings> for SamplingPolicy {
    fn from(settings: &SamplingSettings) -> Self {
        Self {
            messages: settings.max_messages,
            blocks: settings.max_blocks,
            bytes: settings.max_request_bytes,
            max_tokens: settings.max_tokens,
            whole: settings.whole,
            model: settings.model,
        }
    }
}
