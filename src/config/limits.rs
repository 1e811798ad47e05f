//! Bounds on what servers may send and how long they may take.

use super::values::{bounded, seconds};
use serde::Deserialize;
use std::time::Duration;

const KIB: i64 = 1024;
const MIB: i64 = 1024 * KIB;
const GIB: i64 = 1024 * MIB;
const DAY: i64 = 24 * 60 * 60;

/// The table `[limits]` of `settings.toml`: reading and listing. Sampling has its own table.
///
/// A value out of its bounds is an error of the file, with its line; it is never rounded.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// The longest line of a stdio server and the largest HTTP body, in bytes.
    /// Default 128 MiB; from 64 KiB to 4 GiB.
    #[serde(deserialize_with = "bounded::<_, _, {64 * KIB}, {4 * GIB}>")]
    pub line_bytes: usize,
    /// The largest resource, in bytes after decoding.
    /// Default 64 MiB; from 1 to 4 GiB.
    #[serde(deserialize_with = "bounded::<_, _, 1, {4 * GIB}>")]
    pub resource_bytes: usize,
    /// The most pages of one list.
    /// Default 2 000; from 1 to 1 000 000.
    #[serde(deserialize_with = "bounded::<_, _, 1, 1_000_000>")]
    pub max_pages: usize,
    /// The most items of one list.
    /// Default 1 000 000; from 1 to 100 000 000.
    #[serde(deserialize_with = "bounded::<_, _, 1, 100_000_000>")]
    pub max_items: usize,
    /// The most messages of a rendered prompt.
    /// Default 1 000; from 1 to 1 000 000.
    #[serde(deserialize_with = "bounded::<_, _, 1, 1_000_000>")]
    pub prompt_messages: usize,
    /// The largest rendered prompt, in bytes of its JSON.
    /// Default 16 MiB; from 1 to 4 GiB.
    #[serde(deserialize_with = "bounded::<_, _, 1, {4 * GIB}>")]
    pub prompt_bytes: usize,
    /// The largest answer of a tool, in bytes of its JSON.
    /// Default 64 MiB; from 1 to 4 GiB.
    #[serde(deserialize_with = "bounded::<_, _, 1, {4 * GIB}>")]
    pub result_bytes: usize,
    /// Time for the start of a server and the handshake; a server's own
    /// `connectTimeoutSeconds` goes before. In the file: `connect_seconds`.
    /// Default 30 s; from 1 s to a day.
    #[serde(rename = "connect_seconds", deserialize_with = "seconds::<_, DAY>")]
    pub connect: Duration,
    /// Time for one request; it stands still while the server's question is before the person.
    /// In the file: `request_seconds`.
    /// Default 60 s; from 1 s to a day.
    #[serde(rename = "request_seconds", deserialize_with = "seconds::<_, DAY>")]
    pub request: Duration,
    /// Time for a whole call that tells how far it has come, in which each word of that begins the
    /// time for one request anew. In the file: `call_seconds`.
    /// Default 900 s; from 1 s to a day.
    #[serde(rename = "call_seconds", deserialize_with = "seconds::<_, DAY>")]
    pub call: Duration,
    /// The most rounds in which a server may ask back within one call.
    /// Default 10; from 1 to 1 000.
    #[serde(deserialize_with = "bounded::<_, _, 1, 1_000>")]
    pub rounds: u32,
    /// How much of the traffic with one server is kept for looking at, in bytes.
    /// Default 8 MiB; from 4 KiB to 1 GiB.
    #[serde(deserialize_with = "bounded::<_, _, {4 * KIB}, GIB>")]
    pub traffic_bytes: usize,
    /// How much of one server's standard error is kept, in bytes.
    /// Default 1 MiB; from 4 KiB to 1 GiB.
    #[serde(deserialize_with = "bounded::<_, _, {4 * KIB}, GIB>")]
    pub stderr_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            line_bytes: 128 << 20,
            resource_bytes: 64 << 20,
            max_pages: 2_000,
            max_items: 1_000_000,
            prompt_messages: 1_000,
            prompt_bytes: 16 << 20,
            result_bytes: 64 << 20,
            connect: Duration::from_secs(30),
            request: Duration::from_secs(60),
            call: Duration::from_secs(900),
            rounds: 10,
            traffic_bytes: 8 << 20,
            stderr_bytes: 1 << 20,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Limits, String> {
        toml::from_str(text).map_err(|e: toml::de::Error| e.message().to_owned())
    }

    #[test]
    fn what_is_not_set_keeps_its_default() {
        let limits = read("rounds = 3\nconnect_seconds = 86400").unwrap();
        let day = Duration::from_secs(86_400);
        assert_eq!(limits, Limits { rounds: 3, connect: day, ..Limits::default() });
    }

    #[test]
    fn both_sides_of_an_edge() {
        for (key, least, most) in [
            ("line_bytes", 65_536, 4_294_967_296_i64),
            ("resource_bytes", 1, 4_294_967_296),
            ("max_pages", 1, 1_000_000),
            ("max_items", 1, 100_000_000),
            ("prompt_messages", 1, 1_000_000),
            ("prompt_bytes", 1, 4_294_967_296),
            ("result_bytes", 1, 4_294_967_296),
            ("connect_seconds", 1, 86_400),
            ("request_seconds", 1, 86_400),
            ("call_seconds", 1, 86_400),
            ("rounds", 1, 1_000),
            ("traffic_bytes", 4_096, 1_073_741_824),
            ("stderr_bytes", 4_096, 1_073_741_824),
        ] {
            for good in [least, most] {
                assert!(read(&format!("{key} = {good}")).is_ok(), "{key} = {good}");
            }
            for bad in [least - 1, most + 1, -1] {
                let error = read(&format!("{key} = {bad}")).unwrap_err();
                assert!(error.contains(&format!("from {least} to {most}")), "{error}");
            }
        }
    }

    #[test]
    fn a_wrong_type_and_an_unknown_key_are_named() {
        assert!(read("rounds = \"3\"").unwrap_err().contains("string"));
        assert!(read("round = 3").unwrap_err().contains("`round`"));
    }
}
