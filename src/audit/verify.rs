//! Checking the record.

use super::journal::{BEGINNING, Head, Link, log_file, read_head};
use crate::domain::{Digest, UntrustedText};
use std::{
    fmt,
    fs::File,
    io::{self, BufRead as _, BufReader, Read as _},
    path::Path,
};

/// The most findings that are listed; the first is what matters.
const MAX_FINDINGS: usize = 100;

/// What the check of a record found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// How many lines there are.
    pub records: u64,
    /// What does not fit, in the order of the file, at most 100; empty when all does.
    pub findings: Vec<Finding>,
}

impl Verdict {
    /// Whether nothing was found.
    pub fn is_intact(&self) -> bool {
        self.findings.is_empty()
    }
}

/// Something that does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The line of `audit.jsonl`, from 1; one more than there are for what is missing at the end.
    pub line: u64,
    /// What.
    pub damage: Damage,
}

/// How a record does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Damage {
    /// The line is not a record.
    Unreadable,
    /// The line is not the one that its successor, or the head, names.
    Edited,
    /// Records are missing before the line: this many.
    Removed(u64),
    /// The line stands behind one with the same or a higher number.
    Reordered,
    /// Records are missing at the end: this many.
    Cut(u64),
    /// `audit.head` is missing or cannot be read, so that a cut could not be seen.
    NoHead,
    /// There are more lines than `audit.head` knows of.
    Added,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line;
        match self.damage {
            Damage::Unreadable => write!(f, "line {line} is not a record"),
            Damage::Edited => write!(f, "line {line} was changed after it was written"),
            Damage::Removed(n) => write!(f, "{n} record(s) were removed before line {line}"),
            Damage::Reordered => write!(f, "line {line} does not stand where it was written"),
            Damage::Cut(n) => write!(f, "{n} record(s) were removed after the last line"),
            Damage::NoHead => f.write_str("audit.head is missing or cannot be read"),
            Damage::Added => write!(f, "line {line} was added outside of this program"),
        }
    }
}

/// Checks the record in a folder: an edited, removed, reordered or cut line is found. A folder
/// without a record is intact. A part of a line at the very end, as a crash leaves it, is not a
/// finding: it was never written.
///
/// # Errors
/// When the files cannot be read.
pub fn verify(folder: &Path) -> io::Result<Verdict> {
    let mut walk = Walk::new();
    let head = match open(folder)? {
        None => read_head(folder)?,
        Some(log) => {
            // The lock is held until both files were read.
            let mut log = BufReader::new(log);
            let mut line = Vec::new();
            while log.read_until(b'\n', &mut line)? > 0 {
                let Some(whole) = line.strip_suffix(b"\n") else { break };
                walk.line(whole);
                line.clear();
            }
            read_head(folder)?
        }
    };
    walk.end(head);
    walk.findings.truncate(MAX_FINDINGS);
    Ok(Verdict { records: walk.lines, findings: walk.findings })
}

/// The records as stored, one JSON object each, without checking them. Somebody may have changed
/// the file, so that the text is untrusted.
///
/// # Errors
/// When the file is there and cannot be read; one that is not there has no lines.
pub fn lines(folder: &Path) -> io::Result<impl Iterator<Item = io::Result<UntrustedText>>> {
    let mut whole = None;
    if let Some(log) = open(folder)? {
        // No lock while the caller takes its time: up to here the lines are complete.
        let length = log.metadata()?.len();
        log.unlock()?;
        whole = Some(BufReader::new(log.take(length)));
    }
    Ok(whole.into_iter().flat_map(|log| log.lines()).map(|line| line.map(Into::into)))
}

fn open(folder: &Path) -> io::Result<Option<File>> {
    match File::open(log_file(folder)) {
        Ok(log) => {
            log.lock_shared()?;
            Ok(Some(log))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The way along the chain.
struct Walk {
    lines: u64,
    /// The number of the last record.
    seq: u64,
    /// The hash of the last line.
    hash: String,
    /// What the last record names as the one before it.
    prev: String,
    findings: Vec<Finding>,
}

impl Walk {
    fn new() -> Self {
        let begin = || BEGINNING.to_owned();
        Self { lines: 0, seq: 0, hash: begin(), prev: begin(), findings: Vec::new() }
    }

    fn find(&mut self, line: u64, damage: Damage) {
        if self.findings.len() < MAX_FINDINGS {
            self.findings.push(Finding { line, damage });
        }
    }

    fn line(&mut self, bytes: &[u8]) {
        self.lines += 1;
        let expected = self.seq.saturating_add(1);
        match serde_json::from_slice::<Link>(bytes) {
            Err(_) => {
                self.find(self.lines, Damage::Unreadable);
                self.seq = expected;
                self.prev.clear();
            }
            Ok(link) => {
                if link.seq > expected {
                    self.find(self.lines, Damage::Removed(link.seq - expected));
                } else if link.seq < expected {
                    self.find(self.lines, Damage::Reordered);
                } else if link.prev != self.hash {
                    // The first line has no predecessor that could have been changed.
                    self.find(self.lines.saturating_sub(1).max(1), Damage::Edited);
                }
                self.seq = link.seq;
                self.prev = link.prev;
            }
        }
        self.hash = Digest::of(bytes).to_string();
    }

    /// Compares the end with the head.
    fn end(&mut self, head: Option<Head>) {
        match head {
            None if self.lines == 0 => {}
            None => self.find(self.lines, Damage::NoHead),
            Some(head) if head.count > self.seq => {
                self.find(self.lines + 1, Damage::Cut(head.count - self.seq));
            }
            Some(head) if head.count == self.seq => {
                if head.last != self.hash {
                    self.find(self.lines.max(1), Damage::Edited);
                }
            }
            // A program that ended between the line and the head leaves one more.
            Some(head) if head.count.checked_add(1) == Some(self.seq) && head.last == self.prev => {
            }
            Some(_) => self.find(self.lines, Damage::Added),
        }
    }
}

#[cfg(test)]
#[path = "verify_tests.rs"]
mod tests;
