//! Both directions of a conversation as bytes, bounded.

use super::mask::Mask;
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

/// The most that is kept of one message; above it the head is kept and the length is said.
pub const MAX_MESSAGE: usize = 16 * 1024;

/// What a message costs beside its bytes, so that short ones fill no memory either.
const MESSAGE_COST: usize = 128;

/// Which way a message went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From us to the server.
    Sent,
    /// From the server to us.
    Received,
}

/// One message as it was on the wire, but for the values that the server's entry keeps secret.
#[derive(Debug, Clone)]
pub struct TrafficEntry {
    /// Its number, from 1, over all connections of the session.
    pub number: u64,
    /// When it was written or read.
    pub time: SystemTime,
    /// Which way it went.
    pub direction: Direction,
    /// Its bytes, or the head of them; `***` stands for each secret value.
    pub bytes: Vec<u8>,
    /// How long it was.
    pub length: usize,
}

/// The last messages, up to a number of bytes.
#[derive(Debug)]
pub(super) struct Traffic {
    bytes: usize,
    mask: Arc<Mask>,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    entries: VecDeque<TrafficEntry>,
    held: usize,
    total: u64,
}

impl Traffic {
    pub(super) fn new(bytes: usize, mask: Arc<Mask>) -> Self {
        Self { bytes, mask, inner: Mutex::default() }
    }

    pub(super) fn record(&self, direction: Direction, message: &[u8]) {
        let bytes = self.mask.head(message, MAX_MESSAGE);
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.total += 1;
        let (number, time, length) = (inner.total, SystemTime::now(), message.len());
        let entry = TrafficEntry { number, time, direction, bytes, length };
        inner.held += MESSAGE_COST + entry.bytes.len();
        inner.entries.push_back(entry);
        while inner.held > self.bytes {
            let Some(oldest) = inner.entries.pop_front() else { break };
            inner.held -= MESSAGE_COST + oldest.bytes.len();
        }
    }

    pub(super) fn total(&self) -> u64 {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).total
    }

    /// The messages after a number that are still kept, oldest first.
    pub(super) fn since(&self, number: u64) -> Vec<TrafficEntry> {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let begin = inner.entries.partition_point(|entry| entry.number <= number);
        inner.entries.range(begin..).cloned().collect()
    }

    /// The number of the oldest message that is kept.
    pub(super) fn oldest(&self) -> Option<u64> {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.entries.front().map(|entry| entry.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{HttpKind, ServerId, ServerSpec, Transport};

    fn traffic(bytes: usize, transport: Transport) -> Traffic {
        let spec = ServerSpec::new(ServerId::sanitized("s"), transport);
        Traffic::new(bytes, Arc::new(Mask::of(&spec)))
    }

    #[test]
    fn no_value_of_an_entry_is_kept() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.into());
        let env = vec![pair("TOKEN", "canary-of-env"), pair("PAGER", "cat")];
        let (command, args, cwd) = ("run".to_owned(), Vec::new(), None);
        let stdio = Transport::Stdio { command, args, env, cwd };
        let headers = vec![pair("Authorization", "Bearer canary-of-header")];
        let http = Transport::Http {
            url: "http://127.0.0.1/".into(),
            headers,
            kind: HttpKind::Streamable,
        };
        for (transport, shown) in
            [(stdio, "cat *** canary-of-header"), (http, "cat canary-of-env ***")]
        {
            let traffic = traffic(1000, transport);
            for direction in [Direction::Sent, Direction::Received] {
                traffic.record(direction, b"cat canary-of-env canary-of-header");
            }
            for entry in traffic.since(0) {
                assert_eq!(String::from_utf8_lossy(&entry.bytes), shown);
                assert_eq!(entry.length, 34, "its true length");
            }
            assert!(!format!("{traffic:?}").contains("canary-of-env\""), "the values themselves");
        }
    }

    #[test]
    fn what_is_new_is_given_by_number() {
        let traffic = traffic(2 * (MESSAGE_COST + 4), Transport::InProcess);
        assert_eq!((traffic.since(0).len(), traffic.oldest()), (0, None));
        (0..5).for_each(|_| traffic.record(Direction::Received, b"1234"));
        let numbers = |after| traffic.since(after).iter().map(|e| e.number).collect::<Vec<_>>();
        assert_eq!((numbers(0), numbers(4), numbers(5)), (vec![4, 5], vec![5], vec![]));
        assert_eq!(traffic.oldest(), Some(4));
    }

    #[test]
    fn the_ring_keeps_the_newest_and_the_true_length() {
        let traffic = traffic((MESSAGE_COST + MAX_MESSAGE) * 2, Transport::InProcess);
        for n in 0..10_u8 {
            traffic.record(Direction::Sent, &vec![n; MAX_MESSAGE + 5]);
        }
        let entries = traffic.since(0);
        assert_eq!((entries.len(), traffic.total()), (2, 10));
        assert!(
            entries.iter().all(|e| e.length == MAX_MESSAGE + 5 && e.bytes.len() == MAX_MESSAGE)
        );
        assert_eq!(entries.last().and_then(|e| e.bytes.first()), Some(&9));
    }
}
