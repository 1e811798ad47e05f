//! Writing the record.

use super::Record;
use super::time::rfc3339;
use crate::domain::Digest;
use serde::{Deserialize, Serialize};
use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::SystemTime,
};

/// The longest line, in bytes, its end included: 64 KiB. A longer record is refused.
pub const MAX_LINE_BYTES: usize = 64 * 1024;

/// What the first line names as the one before it.
pub(super) const BEGINNING: &str =
    "0000000000000000000000000000000000000000000000000000000000000000";

/// What a line names as the one before it when that is not known: no hash, so that the break
/// stays visible for ever.
const UNKNOWN: &str = "unknown";

/// Where records go.
///
/// The caller appends before it acts, and does not act when that fails.
pub trait AuditSink: Send + Sync {
    /// Adds a record.
    ///
    /// It may wait for the disk and for another program that is writing, for a moment: not for
    /// an executor's thread that must not block.
    ///
    /// # Errors
    /// When it could not be written; then nothing counts as recorded.
    fn append(&self, record: &Record) -> io::Result<()>;
}

/// The record on disk: `audit.jsonl` and `audit.head` in one folder.
///
/// Holds nothing but the folder's name. Every record is written under a lock on the file and
/// continues what the file then ends with, so that several programs share one chain. "Written"
/// means that the system took the bytes; a power cut may still lose them.
#[derive(Debug, Clone)]
pub struct Journal {
    folder: PathBuf,
}

/// `audit.head`: how many lines there are, and the hash of the last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Head {
    pub(super) count: u64,
    pub(super) last: String,
}

/// What every line says about its place.
#[derive(Deserialize)]
pub(super) struct Link {
    pub(super) seq: u64,
    pub(super) prev: String,
}

pub(super) fn log_file(folder: &Path) -> PathBuf {
    folder.join("audit.jsonl")
}

fn head_file(folder: &Path) -> PathBuf {
    folder.join("audit.head")
}

/// Reads `audit.head`; `None` when it is not there or not readable as one.
pub(super) fn read_head(folder: &Path) -> io::Result<Option<Head>> {
    match fs::read(head_file(folder)) {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

impl Journal {
    /// Opens the record in a folder, which is made if it is not there. On Unix the folder is made
    /// for its owner only (0700), and so are the files (0600).
    ///
    /// # Errors
    /// When folder or files cannot be made or written.
    pub fn open(folder: impl Into<PathBuf>) -> io::Result<Self> {
        let journal = Self { folder: folder.into() };
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&journal.folder)?;
        let log = journal.locked_log()?;
        // From here on a log without a head means that somebody removed it.
        if log.metadata()?.len() == 0 && read_head(&journal.folder)?.is_none() {
            journal.write_head(&Head { count: 0, last: BEGINNING.into() })?;
        }
        Ok(journal)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Opens the log anew, so that a file that was moved away is not written to in secret, and
    /// locks it until it is dropped.
    fn locked_log(&self) -> io::Result<File> {
        // Not opened for appending: on Windows that would not allow to cut a torn line.
        let mut options = private();
        options.read(true).write(true).create(true).truncate(false);
        let log = options.open(log_file(&self.folder))?;
        log.lock()?;
        Ok(log)
    }

    fn write_head(&self, head: &Head) -> io::Result<()> {
        let new = self.folder.join("audit.head.new");
        let mut file = private().write(true).create(true).truncate(true).open(&new)?;
        file.write_all(serde_json::to_string(head)?.as_bytes())?;
        drop(file);
        fs::rename(new, head_file(&self.folder))
    }
}

impl AuditSink for Journal {
    fn append(&self, record: &Record) -> io::Result<()> {
        let mut log = self.locked_log()?;
        let tail = read_tail(&mut log)?;
        let (count, last) = position(tail, read_head(&self.folder)?);
        let seq = count + 1;
        let line = record.line(seq, &rfc3339(SystemTime::now()), &last)?;
        if line.len() >= MAX_LINE_BYTES {
            let message = format!("the record has {} bytes, too many for a line", line.len());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let before = log.seek(SeekFrom::End(0))?;
        let head = Head { count: seq, last: Digest::of(line.as_bytes()).to_string() };
        let written =
            log.write_all(format!("{line}\n").as_bytes()).and_then(|()| self.write_head(&head));
        if written.is_err() {
            // The caller will not act, so that the line must not stay. Where even this fails, the
            // first error is the one to report.
            let _ = log.set_len(before);
        }
        written
    }
}

/// How the log ends.
enum Tail {
    Empty,
    Line {
        link: Link,
        hash: String,
    },
    /// The last line is not one of ours.
    Unreadable,
}

/// Reads the last whole line. A part of a line behind it was never written in our sense of the
/// word, and is removed.
fn read_tail(log: &mut File) -> io::Result<Tail> {
    let length = log.metadata()?.len();
    let begin = length.saturating_sub(2 * MAX_LINE_BYTES as u64);
    log.seek(SeekFrom::Start(begin))?;
    let mut bytes = Vec::new();
    log.take(length - begin).read_to_end(&mut bytes)?;
    let Some(end) = bytes.iter().rposition(|&b| b == b'\n') else {
        if begin > 0 {
            return Ok(Tail::Unreadable);
        }
        log.set_len(0)?;
        return Ok(Tail::Empty);
    };
    if end + 1 < bytes.len() {
        log.set_len(begin + end as u64 + 1)?;
    }
    let whole = bytes.get(..end).unwrap_or_default();
    let line = whole.rsplit(|&b| b == b'\n').next().unwrap_or_default();
    Ok(match serde_json::from_slice(line) {
        Ok(link) => Tail::Line { link, hash: Digest::of(line).to_string() },
        Err(_) => Tail::Unreadable,
    })
}

/// How many lines there are, and the hash that the next one names.
///
/// Where log and head disagree, something was changed. What comes next then names what the head
/// remembers: the break stays in the chain, and writing on does not hide it.
fn position(tail: Tail, head: Option<Head>) -> (u64, String) {
    match (tail, head) {
        (Tail::Empty, None) => (0, BEGINNING.into()),
        (Tail::Empty | Tail::Unreadable, Some(head)) => (head.count, head.last),
        (Tail::Unreadable, None) => (0, UNKNOWN.into()),
        (Tail::Line { link, .. }, None) => (link.seq, UNKNOWN.into()),
        (Tail::Line { link, hash }, Some(head)) => {
            let as_remembered = link.seq == head.count && hash == head.last;
            // A program that ended between the line and the head.
            let one_more = head.count.checked_add(1) == Some(link.seq) && link.prev == head.last;
            if as_remembered || one_more {
                (link.seq, hash)
            } else {
                (link.seq.max(head.count), head.last)
            }
        }
    }
}

/// Options for a file that only its owner may read.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Records in memory: for tests, and for library users who keep them elsewhere.
#[derive(Debug, Default)]
pub struct MemoryJournal {
    records: Mutex<Vec<Record>>,
    broken: std::sync::atomic::AtomicBool,
}

impl MemoryJournal {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes every further append fail, or work again: to see what is then refused.
    pub fn set_broken(&self, broken: bool) {
        self.broken.store(broken, std::sync::atomic::Ordering::SeqCst);
    }

    /// What was appended so far.
    pub fn records(&self) -> Vec<Record> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl AuditSink for MemoryJournal {
    fn append(&self, record: &Record) -> io::Result<()> {
        if self.broken.load(std::sync::atomic::Ordering::SeqCst) {
            return Err(io::Error::other("the journal was set to fail"));
        }
        self.records.lock().unwrap_or_else(PoisonError::into_inner).push(record.clone());
        Ok(())
    }
}
