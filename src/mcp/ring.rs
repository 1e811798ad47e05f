//! The last lines that a server said beside the protocol, bounded.

use crate::domain::UntrustedText;
use std::{collections::VecDeque, sync::Mutex, sync::PoisonError};

/// The longest line that is kept; the rest of it is cut and counted as one line all the same.
pub(super) const MAX_LINE: usize = 8 * 1024;

/// What a line costs beside its text, so that empty lines fill no memory either.
const LINE_COST: usize = 64;

/// The last lines, up to a number of bytes. Cheap to write to from any task.
#[derive(Debug)]
pub(super) struct LineRing {
    bytes: usize,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    lines: VecDeque<String>,
    held: usize,
    total: u64,
}

impl LineRing {
    pub(super) fn new(bytes: usize) -> Self {
        Self { bytes, inner: Mutex::default() }
    }

    /// Adds a line, cut at [`MAX_LINE`] bytes; bytes that are no UTF-8 are replaced.
    pub(super) fn push(&self, line: &[u8]) {
        let kept = line.get(..MAX_LINE).unwrap_or(line);
        let mut text = String::from_utf8_lossy(kept).into_owned();
        if kept.len() < line.len() {
            text.push_str(" … cut");
        }
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.total += 1;
        inner.held += LINE_COST + text.len();
        inner.lines.push_back(text);
        while inner.held > self.bytes {
            let Some(oldest) = inner.lines.pop_front() else { break };
            inner.held -= LINE_COST + oldest.len();
        }
    }

    /// How many lines there were in all.
    pub(super) fn total(&self) -> u64 {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).total
    }

    /// All lines that are still kept, oldest first.
    pub(super) fn lines(&self) -> Vec<UntrustedText> {
        self.tail(0, usize::MAX)
    }

    /// The last `most` lines after the first `mark` ones that are still kept, oldest first.
    pub(super) fn tail(&self, mark: u64, most: usize) -> Vec<UntrustedText> {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let since = usize::try_from(inner.total.saturating_sub(mark)).unwrap_or(usize::MAX);
        let skip = inner.lines.len().saturating_sub(most.min(since));
        inner.lines.iter().skip(skip).map(|line| line.as_str().into()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_lines_make_room_and_all_are_counted() {
        let ring = LineRing::new(11 * (LINE_COST + 9));
        (0..50).for_each(|n| ring.push(format!("line {n:04}").as_bytes()));
        assert_eq!(ring.total(), 50);
        assert_eq!(ring.tail(48, 1000).len(), 2);
        let tail = ring.lines();
        assert_eq!(tail.len(), 11);
        assert_eq!(tail.last().map(UntrustedText::raw), Some("line 0049"));
    }

    #[test]
    fn empty_lines_make_room_too() {
        let ring = LineRing::new(LINE_COST * 10);
        (0..1000).for_each(|_| ring.push(b""));
        assert_eq!((ring.total(), ring.lines().len()), (1000, 10));
    }

    #[test]
    fn a_line_without_end_is_cut() {
        let ring = LineRing::new(1 << 20);
        ring.push(&vec![b'e'; 1 << 20]);
        assert!(ring.lines().iter().all(|l| l.len() < MAX_LINE + 20));
    }
}
