//! The user's bounds on sampling, as written down. The policy made from them is `sampling`'s.

use super::values::{bounded, seconds};
use serde::Deserialize;
use std::time::Duration;

const GIB: i64 = 1024 * 1024 * 1024;
const DAY: i64 = 24 * 60 * 60;

/// The table `[sampling]` of `settings.toml`. It opens nothing: sampling is switched on for a
/// server by the person, and each request still goes through both doors.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SamplingSettings {
    /// The most messages of one request.
    /// Default 64; from 1 to 100 000.
    #[serde(deserialize_with = "bounded::<_, _, 1, 100_000>")]
    pub max_messages: usize,
    /// The most content blocks of one request, over all its messages.
    /// Default 256; from 1 to 100 000.
    #[serde(deserialize_with = "bounded::<_, _, 1, 100_000>")]
    pub max_blocks: usize,
    /// The largest request, in bytes of its JSON.
    /// Default 1 MiB; from 1 to 1 GiB.
    #[serde(deserialize_with = "bounded::<_, _, 1, GIB>")]
    pub max_request_bytes: usize,
    /// The most pictures and sound of one request, in bytes after decoding.
    /// Default 4 MiB; from 0 (none) to 1 GiB.
    #[serde(deserialize_with = "bounded::<_, _, 0, GIB>")]
    pub max_media_bytes: usize,
    /// The most tokens a request may ask for in its `maxTokens`.
    /// Default 8 192; from 1 to 10 000 000.
    #[serde(deserialize_with = "bounded::<_, _, 1, 10_000_000>")]
    pub max_tokens: u64,
    /// The most requests in the life of the program.
    /// Default 1 000; from 0 (none) to 1 000 000 000.
    #[serde(deserialize_with = "bounded::<_, _, 0, 1_000_000_000>")]
    pub lifetime_requests: u64,
    /// The most tokens reserved in the life of the program, input and output together.
    /// Default 1 000 000; from 0 (none) to 1 000 000 000 000.
    #[serde(deserialize_with = "bounded::<_, _, 0, 1_000_000_000_000>")]
    pub lifetime_tokens: u64,
    /// The most requests of one server at once.
    /// Default 2; from 1 to 1 000.
    #[serde(deserialize_with = "bounded::<_, _, 1, 1_000>")]
    pub at_once_per_server: usize,
    /// The most requests at once, over all servers.
    /// Default 4; from 1 to 1 000.
    #[serde(deserialize_with = "bounded::<_, _, 1, 1_000>")]
    pub at_once: usize,
    /// The most requests of one server that wait for a place; one more is refused.
    /// Default 16; from 0 (none waits) to 10 000.
    #[serde(deserialize_with = "bounded::<_, _, 0, 10_000>")]
    pub waiting_per_server: usize,
    /// The most requests that wait for a place, over all servers.
    /// Default 64; from 0 (none waits) to 10 000.
    #[serde(deserialize_with = "bounded::<_, _, 0, 10_000>")]
    pub waiting: usize,
    /// Time for the whole of one request, both reviews included. In the file: `whole_seconds`.
    /// Default 15 min; from 1 s to a day.
    #[serde(rename = "whole_seconds", deserialize_with = "seconds::<_, DAY>")]
    pub whole: Duration,
    /// Time for the model's call. In the file: `model_seconds`.
    /// Default 5 min; from 1 s to a day.
    #[serde(rename = "model_seconds", deserialize_with = "seconds::<_, DAY>")]
    pub model: Duration,
    /// The most turns of a conversation in which the model asks for tools.
    /// Default 10; from 1 to 1 000.
    #[serde(deserialize_with = "bounded::<_, _, 1, 1_000>")]
    pub tool_turns: u32,
    /// What happens to a request that asks for context of servers (`includeContext`).
    /// Default `"ignore"`.
    pub context: ContextRule,
    /// Whether a person who tests servers may send an answer that the protocol forbids, after
    /// saying yes once more.
    /// Default `false`.
    pub allow_invalid: bool,
}

/// What to do with a request that asks for context of servers. It is never added either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContextRule {
    /// Show that it was asked for, and go on without.
    #[default]
    Ignore,
    /// Refuse the request.
    Reject,
}

impl Default for SamplingSettings {
    fn default() -> Self {
        Self {
            max_messages: 64,
            max_blocks: 256,
            max_request_bytes: 1 << 20,
            max_media_bytes: 4 << 20,
            max_tokens: 8_192,
            lifetime_requests: 1_000,
            lifetime_tokens: 1_000_000,
            at_once_per_server: 2,
            at_once: 4,
            waiting_per_server: 16,
            waiting: 64,
            whole: Duration::from_secs(15 * 60),
            model: Duration::from_secs(5 * 60),
            tool_turns: 10,
            context: ContextRule::Ignore,
            allow_invalid: false,
        }
    }
}
