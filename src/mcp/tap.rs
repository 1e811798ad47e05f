//! What is seen of a server beside its answers, shared between its transport and its session.

use super::{
    handshake::{Handshake, Opening},
    mask::Mask,
    news::News,
    progress::Progresses,
    ring::LineRing,
    traffic::{Direction, Traffic},
};
use crate::{
    config::Limits,
    domain::{Fault, UntrustedText},
};
use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU8, AtomicU64, Ordering},
    },
};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// Counts of what a server said beside the protocol. The lines themselves are read on demand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Noise {
    /// Lines on its standard error.
    pub stderr_lines: u64,
    /// Lines on its standard output that are no protocol messages.
    pub stray_lines: u64,
    /// Breaches of the protocol that were survived.
    pub breaches: u64,
    /// Messages in both directions.
    pub messages: u64,
}

/// How many failures of requests may wait to be taken.
const MAX_FAILURES: usize = 1024;

/// What stands before a breach of the protocol among the stray lines.
const BREACH: &str = "[protocol] ";

/// Of this a server may send many a second.
const PROGRESS: &str = "notifications/progress";

/// What a server said in this session, over all its connections.
#[derive(Debug)]
pub(super) struct Logs {
    pub(super) mask: Arc<Mask>,
    pub(super) stderr: LineRing,
    pub(super) stray: LineRing,
    pub(super) traffic: Traffic,
    breaches: AtomicU64,
    stray_lines: AtomicU64,
    /// Told whenever a count grew.
    pub(super) stirred: Arc<Notify>,
}

impl Logs {
    pub(super) fn new(limits: &Limits, mask: Mask) -> Self {
        let mask = Arc::new(mask);
        Self {
            stderr: LineRing::new(limits.stderr_bytes),
            stray: LineRing::new(limits.stderr_bytes),
            traffic: Traffic::new(limits.traffic_bytes, mask.clone()),
            mask,
            breaches: AtomicU64::new(0),
            stray_lines: AtomicU64::new(0),
            stirred: Arc::new(Notify::new()),
        }
    }

    /// Keeps a line that is no protocol message.
    pub(super) fn stray(&self, line: &[u8]) {
        self.stray_lines.fetch_add(1, Ordering::Relaxed);
        self.stray.push(&self.mask.line(line));
        self.stirred.notify_one();
    }

    /// Keeps a line of standard error.
    pub(super) fn stderr_line(&self, line: &[u8]) {
        self.stderr.push(&self.mask.line(line));
        self.stirred.notify_one();
    }

    /// Keeps a breach of the protocol, in our words, among the stray lines.
    pub(super) fn breach(&self, what: &str) {
        self.stray.push(format!("{BREACH}{what}").as_bytes());
        self.count_breach();
    }

    /// Counts a breach of the protocol of which there are too many for a line each.
    fn count_breach(&self) {
        self.breaches.fetch_add(1, Ordering::Relaxed);
        self.stirred.notify_one();
    }

    pub(super) fn noise(&self) -> Noise {
        Noise {
            stderr_lines: self.stderr.total(),
            stray_lines: self.stray_lines.load(Ordering::Relaxed),
            breaches: self.breaches.load(Ordering::Relaxed),
            messages: self.traffic.total(),
        }
    }
}

/// A list that a server says has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum ListKind {
    /// Resources and templates.
    Resources = 1,
    /// Prompts.
    Prompts = 2,
    /// Tools.
    Tools = 4,
}

/// What one connection tells its session without being asked.
#[derive(Debug)]
pub(super) struct Tap {
    pub(super) logs: Arc<Logs>,
    /// Cancelled the moment the stream ends.
    pub(super) gone: CancellationToken,
    changed_lists: AtomicU8,
    /// Told when a list changed.
    pub(super) changed: Notify,
    /// What it tells of watched resources.
    pub(super) news: News,
    /// What it tells of how far it has come.
    pub(super) progress: Progresses,
    handshake: Mutex<Option<Handshake>>,
    /// What was wrong with the last answer to an opening; `None` when it was an error of the
    /// server's own.
    refusal: Mutex<Option<Fault>>,
    /// Why requests got no answer, until whoever made them takes it.
    failures: Mutex<BTreeMap<usize, Fault>>,
    /// The HTTP status with which the last opening was refused, and whether an error of MCP's own
    /// came with it.
    status: Mutex<Option<(u16, bool)>>,
    /// How the way to the server broke, where there is no process that could tell.
    ending: Mutex<Option<Fault>>,
    /// How many lines of standard error and of stray output there were before.
    marks: (u64, u64),
}

impl Tap {
    pub(super) fn new(logs: Arc<Logs>) -> Self {
        Self {
            marks: (logs.stderr.total(), logs.stray.total()),
            logs,
            gone: CancellationToken::new(),
            changed_lists: AtomicU8::new(0),
            changed: Notify::new(),
            news: News::default(),
            progress: Progresses::default(),
            handshake: Mutex::new(None),
            refusal: Mutex::new(None),
            failures: Mutex::default(),
            status: Mutex::new(None),
            ending: Mutex::new(None),
        }
    }

    /// Records a message in the traffic.
    pub(super) fn traffic(&self, direction: Direction, message: &[u8]) {
        self.logs.traffic.record(direction, message);
        self.logs.stirred.notify_one();
    }

    /// Keeps what the server said when it was greeted.
    pub(super) fn greet(&self, handshake: Handshake) {
        for breach in &handshake.breaches {
            self.logs.breach(breach);
        }
        *self.handshake.lock().unwrap_or_else(PoisonError::into_inner) = Some(handshake);
    }

    /// The answer to an opening cannot be used, or there is none, and why.
    pub(super) fn refuse(&self, why: Fault) {
        *self.refusal.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
    }

    /// The server answered an opening with an error of its own.
    pub(super) fn accept_refusal(&self) {
        *self.refusal.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Why the last answer to an opening could not be used, unless that was the server's own error.
    pub(super) fn refusal(&self) -> Option<Fault> {
        self.refusal.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// An opening was refused by HTTP.
    pub(super) fn note_status(&self, status: u16, worded: bool) {
        *self.status.lock().unwrap_or_else(PoisonError::into_inner) = Some((status, worded));
    }

    /// The HTTP status with which the last opening was refused, and whether an error of MCP's own
    /// came with it.
    pub(super) fn status(&self) -> Option<(u16, bool)> {
        *self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps why a request got no answer. Gives the number under which it is taken out again.
    pub(super) fn keep_failure(&self, fault: Fault) -> usize {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        let number = failures.last_key_value().map_or(0, |(last, _)| last.wrapping_add(1));
        failures.insert(number, fault);
        // Those of calls that were given up are never taken.
        while failures.len() > MAX_FAILURES {
            failures.pop_first();
        }
        number
    }

    /// Why a request got no answer.
    pub(super) fn take_failure(&self, number: usize) -> Option<Fault> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner).remove(&number)
    }

    /// The way to the server broke.
    pub(super) fn end(&self, why: Fault) {
        self.ending.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(why);
        self.gone.cancel();
    }

    /// How the way to the server broke, if that is known here.
    pub(super) fn ending(&self) -> Option<Fault> {
        self.ending.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What the server said when it was greeted.
    pub(super) fn handshake(&self) -> Option<Handshake> {
        self.handshake.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes note of a notification, in the order in which they came.
    pub(super) fn notification(&self, method: &str, params: Option<&str>) {
        let noted = match method {
            "notifications/resources/updated" => self.news.updated(params, self.is_modern()),
            PROGRESS => self.progress.told(params),
            "notifications/subscriptions/acknowledged" => self.news.acknowledged(params),
            _ => Ok(()),
        };
        match noted {
            Ok(()) => {}
            Err(_) if method == PROGRESS && !self.progress.is_worded() => self.logs.count_breach(),
            Err(breach) => self.logs.breach(&breach),
        }
        let kind = match method {
            "notifications/resources/list_changed" => ListKind::Resources,
            "notifications/prompts/list_changed" => ListKind::Prompts,
            "notifications/tools/list_changed" => ListKind::Tools,
            _ => return,
        };
        self.changed_lists.fetch_or(kind as u8, Ordering::AcqRel);
        self.changed.notify_one();
    }

    /// A request of ours was answered, or given up.
    pub(super) fn closed(&self, id: i64) {
        self.news.closed(id);
        self.progress.closed(id);
    }

    fn is_modern(&self) -> bool {
        let handshake = self.handshake.lock().unwrap_or_else(PoisonError::into_inner);
        handshake.as_ref().is_some_and(|said| said.opening == Opening::Discover)
    }

    /// Takes all lists for changed.
    pub(super) fn all_changed(&self) {
        let all = ListKind::Resources as u8 | ListKind::Prompts as u8 | ListKind::Tools as u8;
        self.changed_lists.fetch_or(all, Ordering::AcqRel);
        self.changed.notify_one();
    }

    /// Whether lists changed since this was last asked, and which.
    pub(super) fn take_changed(&self) -> impl Fn(ListKind) -> bool + use<> {
        let bits = self.changed_lists.swap(0, Ordering::AcqRel);
        move |kind| bits & kind as u8 != 0
    }

    /// The last lines that the server wrote on this connection beside the protocol: to standard
    /// error, then to standard output.
    pub(super) fn last_words(&self) -> Vec<UntrustedText> {
        self.words_since(self.marks)
    }

    /// How much was written so far: what comes after it belongs to what begins now.
    pub(super) fn mark(&self) -> (u64, u64) {
        (self.logs.stderr.total(), self.logs.stray.total())
    }

    /// The last lines of those that were written after a mark.
    pub(super) fn words_since(&self, (stderr, stray): (u64, u64)) -> Vec<UntrustedText> {
        const LINES: usize = 6;
        // Lines that only point at another one are of no use without it.
        let says =
            |line: &UntrustedText| !line.raw().trim_matches([' ', '^', '~', '\t']).is_empty();
        let said = self.logs.stderr.tail(stderr, LINES).into_iter().filter(says);
        let strayed = self.logs.stray.tail(stray, LINES).into_iter().filter(says);
        said.map(|line| ("stderr", line))
            .chain(strayed.map(|line| ("stdout", line)))
            // Breaches stand among the stray lines, in our words.
            .map(|(from, line)| match line.raw().strip_prefix(BREACH) {
                Some(breach) => breach.into(),
                None => format!("{from}: {}", line.raw()).into(),
            })
            .collect()
    }
}
