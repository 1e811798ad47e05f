//! Both directions of a conversation as bytes, bounded.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
    time::SystemTime,
};

/// The most that is kept of one message; above it the head is kept and the length is said.
pub const MAX_MESSAGE: usize = 16 * 1024;

/// Which way a message went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From us to the server.
    Sent,
    /// From the server to us.
    Received,
}

/// One message as it was on the wire.
#[derive(Debug, Clone)]
pub struct TrafficEntry {
    /// When it was written or read.
    pub time: SystemTime,
    /// Which way it went.
    pub direction: Direction,
    /// Its bytes, or the head of them.
    pub bytes: Vec<u8>,
    /// How long it was.
    pub length: usize,
}

/// The last messages, up to a number of bytes.
#[derive(Debug)]
pub(super) struct Traffic {
    bytes: usize,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    entries: VecDeque<TrafficEntry>,
    held: usize,
    total: u64,
}

impl Traffic {
    pub(super) fn new(bytes: usize) -> Self {
        Self { bytes, inner: Mutex::default() }
    }

    pub(super) fn record(&self, direction: Direction, message: &[u8]) {
        let kept = message.get(..MAX_MESSAGE).unwrap_or(message).to_vec();
        let entry =
            TrafficEntry { time: SystemTime::now(), direction, length: message.len(), bytes: kept };
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.total += 1;
        inner.held += entry.bytes.len();
        inner.entries.push_back(entry);
        while inner.held > self.bytes {
            let Some(oldest) = inner.entries.pop_front() else { break };
            inner.held -= oldest.bytes.len();
        }
    }

    pub(super) fn total(&self) -> u64 {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).total
    }

    pub(super) fn entries(&self) -> Vec<TrafficEntry> {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.entries.iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ring_keeps_the_newest_and_the_true_length() {
        let traffic = Traffic::new(MAX_MESSAGE * 2);
        for n in 0..10_u8 {
            traffic.record(Direction::Sent, &vec![n; MAX_MESSAGE + 5]);
        }
        let entries = traffic.entries();
        assert_eq!((entries.len(), traffic.total()), (2, 10));
        assert!(
            entries.iter().all(|e| e.length == MAX_MESSAGE + 5 && e.bytes.len() == MAX_MESSAGE)
        );
        assert_eq!(entries.last().and_then(|e| e.bytes.first()), Some(&9));
    }
}
