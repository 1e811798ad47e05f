//! The values that a user's entry of a server keeps secret, taken out of what is recorded.

use crate::domain::{Fault, ServerSpec, Transport};
use memchr::memmem::Finder;
use secrecy::ExposeSecret;
use std::borrow::Cow;

/// The shortest value that is looked for: a shorter one stands everywhere and gives nothing away.
const SHORTEST: usize = 4;

/// The most that is told of one thing the other side said, in bytes.
const TOLD: usize = 4 * 1024;

/// What stands in place of a value.
const MASK: &[u8] = b"***";

/// The values of one server, made ready to be looked for. Never printed.
pub(super) struct Mask {
    /// The longest first, so that of two that begin alike the whole is taken out.
    finders: Vec<Finder<'static>>,
}

impl std::fmt::Debug for Mask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Mask of {} values", self.finders.len())
    }
}

impl Mask {
    /// The values of an entry's variables and headers.
    pub(super) fn of(spec: &ServerSpec) -> Self {
        let pairs = match &spec.transport {
            Transport::InProcess => &[][..],
            Transport::Stdio { env, .. } => env.as_slice(),
            Transport::Http { headers, .. } => headers.as_slice(),
        };
        Self::new(pairs.iter().map(|(_, value)| value.expose_secret()))
    }

    fn new<'a>(values: impl Iterator<Item = &'a str>) -> Self {
        let mut needles: Vec<String> = values
            // `Bearer x`: the x is the secret.
            .flat_map(|value| [Some(value), value.split_once(' ').map(|(_, rest)| rest)])
            .flatten()
            // As it stands, and as it stands in a JSON string.
            .flat_map(|value| [value.to_owned(), in_json(value)])
            .filter(|needle| needle.chars().count() >= SHORTEST)
            .collect();
        needles.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        needles.dedup();
        Self { finders: needles.iter().map(|n| Finder::new(n.as_bytes()).into_owned()).collect() }
    }

    /// A line without the values.
    pub(super) fn line<'a>(&self, line: &'a [u8]) -> Cow<'a, [u8]> {
        if self.finders.is_empty() { line.into() } else { self.head(line, line.len()).into() }
    }

    /// A fault without the values in what the other side said, each part of it cut to a length
    /// that is fit to print.
    pub(super) fn fault(&self, mut fault: Fault) -> Fault {
        for cause in &mut fault.cause {
            let raw = cause.raw();
            if self.finders.is_empty() && raw.len() <= TOLD {
                continue;
            }
            let length = raw.len();
            let mut text = String::from_utf8_lossy(&self.head(raw.as_bytes(), TOLD)).into_owned();
            if length > TOLD {
                text.push_str(&format!(" … cut, of {length} bytes"));
            }
            *cause = text.into();
        }
        fault
    }

    /// The first `limit` bytes of a message without the values. One that goes on behind that edge
    /// is taken out as well.
    pub(super) fn head(&self, message: &[u8], limit: usize) -> Vec<u8> {
        let longest = self.finders.first().map_or(0, |finder| finder.needle().len());
        let end = message.len().min(limit.saturating_add(longest));
        let window = message.get(..end).unwrap_or(message);
        let mut out = Vec::with_capacity(window.len().min(limit));
        let mut at = 0;
        while at < limit {
            let rest = window.get(at..).unwrap_or_default();
            let found = self
                .finders
                .iter()
                .filter_map(|finder| Some((finder.find(rest)?, finder.needle().len())))
                .min_by_key(|(place, length)| (*place, std::cmp::Reverse(*length)))
                .filter(|(place, _)| at + place < limit);
            let Some((place, length)) = found else {
                out.extend_from_slice(rest.get(..limit - at).unwrap_or(rest));
                break;
            };
            out.extend_from_slice(rest.get(..place).unwrap_or_default());
            out.extend_from_slice(MASK);
            at += place + length;
        }
        out
    }
}

/// A text as it stands between the quotes of a JSON string.
fn in_json(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(values: &[&str], message: &str, limit: usize) -> String {
        let head = Mask::new(values.iter().copied()).head(message.as_bytes(), limit);
        String::from_utf8(head).expect("text")
    }

    #[test]
    fn every_value_is_taken_out_wherever_it_stands() {
        let values = ["canary-one", "canary-one-longer", "Bearer canary-three", "quo\"ted\\4"];
        let message =
            r#"canary-one {"a":"canary-one-longer","b":"xcanary-threex","c":"quo\"ted\\4"}"#;
        let expected = r#"*** {"a":"***","b":"x***x","c":"***"}"#;
        assert_eq!(masked(&values, message, 1000), expected);
        assert_eq!(masked(&values, "", 1000), "");
    }

    #[test]
    fn a_fault_tells_no_value_and_not_all_of_a_long_text() {
        let mask = Mask::new(["canary-one"].into_iter());
        let fault = Fault::new(crate::domain::FaultKind::ServerError, "refused")
            .because("you sent canary-one")
            .because("x".repeat(10 * TOLD));
        let told: Vec<String> =
            mask.fault(fault).cause.iter().map(|cause| cause.raw().to_owned()).collect();
        assert_eq!(told[0], "you sent ***");
        assert!(told[1].len() < TOLD + 40 && told[1].ends_with("cut, of 40960 bytes"));
        assert_eq!(&*mask.line(b"at canary-one:7"), b"at ***:7");
    }

    #[test]
    fn a_short_value_is_no_secret() {
        assert_eq!(masked(&["cat", "", "1"], "the cat sat on 1", 1000), "the cat sat on 1");
        assert_eq!(masked(&["cats"], "the cats sat", 1000), "the *** sat");
    }

    #[test]
    fn nothing_of_a_value_is_left_at_the_edge() {
        let message = format!("{}canary-one{}", "x".repeat(20), "y".repeat(50));
        for limit in 0..40 {
            let head = masked(&["canary-one"], &message, limit);
            assert!(!head.contains("can"), "{limit}: {head}");
            assert!(head.starts_with(&"x".repeat(limit.min(20))), "{limit}: {head}");
        }
        // What stands right behind the edge must not come in by the room that a mask saves.
        assert_eq!(masked(&["secret-a", "secret-b"], "secret-asecret-b", 8), "***");
    }
}
