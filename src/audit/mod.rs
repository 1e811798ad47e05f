//! A record of what was decided and what left, that shows when it was changed afterwards.
//!
//! `audit.jsonl` holds one JSON object a line. Each names the SHA-256 of the line before it, and
//! `audit.head` holds how many there are and the hash of the last. Whoever can write both files
//! can forge them: what [`verify()`] finds is an accident, a careless edit or a cut, and it claims
//! no more than that.

mod journal;
mod record;
mod time;
mod verify;

pub use journal::{AuditSink, Journal, MAX_LINE_BYTES, MemoryJournal};
pub use record::{AuditSurface, Event, Record};
pub use verify::{Damage, Finding, Verdict, lines, verify};
