//! One row of the table: a fault, what it is, and what it must show.

use crate::expect::{
    CallExpected, LinkExpected, ListExpected, ReadExpected, Times, fault, fresh, not_offered,
};
use std::{ops::RangeInclusive, time::Duration};
use vestibule::{
    config::Limits,
    domain::{Era, EraChoice, FaultKind},
};

/// How the server of a row is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// As a child process.
    Child,
    /// Over the pipe of embedded servers.
    InProcess,
    /// Over HTTP on loopback, with a server of its own kind.
    Http,
}

/// A row. What is not said is what a well-behaved server shows.
#[derive(Clone)]
pub(crate) struct Row {
    /// The trial's name.
    pub(crate) name: &'static str,
    /// What is wrong with the server, in words.
    pub(crate) what: &'static str,
    /// The server's fault; the trial's name unless one fault is tried in several ways.
    pub(crate) serve: &'static str,
    pub(crate) arg: Option<&'static str>,
    pub(crate) era: EraChoice,
    pub(crate) limits: Limits,
    pub(crate) link: LinkExpected,
    /// Resources, templates, prompts, tools.
    pub(crate) lists: [ListExpected; 4],
    pub(crate) reads: Vec<(String, ReadExpected)>,
    /// How the link must stand at the end, where it differs.
    pub(crate) link_after: Option<LinkExpected>,
    pub(crate) connects: u32,
    pub(crate) stray: Times,
    pub(crate) breaches: Times,
    /// Words that must come to stand on standard error.
    pub(crate) stderr: Vec<&'static str>,
    /// Within which time it must be connected and listed, each read be over, and it be closed.
    pub(crate) settled_within: Duration,
    pub(crate) read_within: Duration,
    /// The roles and kinds of content of prompt `q`.
    pub(crate) prompt: Option<&'static [(&'static str, &'static str)]>,
    /// What calls of tool `t` must give, one after the other.
    pub(crate) calls: Vec<CallExpected>,
    /// Whether the same is tried over the in-process pipe.
    pub(crate) in_process: bool,
    /// For a row over HTTP: how often methods, `GET` and `DELETE` may come.
    pub(crate) counts: Option<Vec<(&'static str, RangeInclusive<usize>)>>,
    /// Whether the lists come to be what is expected only after they were listed once.
    pub(crate) changes: bool,
    /// For a row over HTTP: reads wait until something has come so often.
    pub(crate) after: Option<(&'static str, usize)>,
    /// For a row over HTTP: another address than the server's.
    pub(crate) address: Option<&'static str>,
}

/// Patience where nothing is meant to run out of it, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// A row of a server that is opened with `initialize` and is otherwise in order.
pub(crate) fn legacy(name: &'static str, what: &'static str) -> Row {
    Row {
        name,
        what,
        serve: name,
        arg: None,
        era: EraChoice::Auto,
        limits: Limits { connect: PATIENCE, request: PATIENCE, rounds: 4, ..Limits::default() },
        link: LinkExpected::Up { era: Era::Legacy, version: "2025-11-25" },
        lists: [fresh(3), fresh(1), fresh(3), fresh(3)],
        reads: Vec::new(),
        link_after: None,
        connects: 1,
        stray: Times::Exactly(0),
        breaches: Times::Exactly(0),
        stderr: Vec::new(),
        settled_within: PATIENCE,
        read_within: PATIENCE,
        prompt: None,
        calls: Vec::new(),
        in_process: false,
        counts: None,
        changes: false,
        after: None,
        address: None,
    }
}

/// A row of a server that is opened with `server/discover` and is otherwise in order.
pub(crate) fn modern(name: &'static str, what: &'static str) -> Row {
    let mut row = legacy(name, what);
    row.link = LinkExpected::Up { era: Era::Modern, version: "2026-07-28" };
    row
}

/// A row of a server that is never reached.
pub(crate) fn unreached(
    name: &'static str,
    what: &'static str,
    kind: FaultKind,
    words: &'static str,
) -> Row {
    let mut row = legacy(name, what);
    row.link = LinkExpected::Down(fault(kind, words));
    row.connects = 0;
    row.all_lists(not_offered())
}

impl Row {
    pub(crate) fn serve(mut self, fault: &'static str) -> Self {
        self.serve = fault;
        self
    }

    pub(crate) fn era(mut self, era: EraChoice) -> Self {
        self.era = era;
        self
    }

    pub(crate) fn version(mut self, version: &'static str) -> Self {
        self.link = LinkExpected::Up { era: Era::Legacy, version };
        self
    }

    pub(crate) fn limit(mut self, set: impl FnOnce(&mut Limits)) -> Self {
        set(&mut self.limits);
        self
    }

    /// A handshake that runs out of time must do so in this one, and soon after.
    pub(crate) fn connect(mut self, milliseconds: u64) -> Self {
        self.limits.connect = Duration::from_millis(milliseconds);
        // The process is then ended, which takes up to twice the grace, and once more.
        self.settled_within = self.limits.connect + Duration::from_millis(2500);
        self
    }

    /// A request that runs out of time must do so in this one, and soon after.
    pub(crate) fn request(mut self, milliseconds: u64) -> Self {
        self.limits.request = Duration::from_millis(milliseconds);
        self.read_within = self.limits.request + Duration::from_millis(2500);
        self
    }

    pub(crate) fn settled_within(mut self, seconds: u64) -> Self {
        self.settled_within = Duration::from_secs(seconds);
        self
    }

    pub(crate) fn read_within(mut self, seconds: u64) -> Self {
        self.read_within = Duration::from_secs(seconds);
        self
    }

    pub(crate) fn resources(mut self, list: ListExpected) -> Self {
        self.lists[0] = list;
        self
    }

    pub(crate) fn templates(mut self, list: ListExpected) -> Self {
        self.lists[1] = list;
        self
    }

    pub(crate) fn prompts(mut self, list: ListExpected) -> Self {
        self.lists[2] = list;
        self
    }

    pub(crate) fn tools(mut self, list: ListExpected) -> Self {
        self.lists[3] = list;
        self
    }

    pub(crate) fn all_lists(mut self, list: ListExpected) -> Self {
        self.lists = std::array::from_fn(|_| list.clone());
        self
    }

    /// A read, in the order in which they are said. Without any, one is made that must be
    /// answered with `hello`.
    pub(crate) fn read(mut self, uri: impl Into<String>, expected: ReadExpected) -> Self {
        self.reads.push((uri.into(), expected));
        self
    }

    pub(crate) fn reads_text(self, text: &'static str) -> Self {
        self.read("mem://r0", ReadExpected::Text(text))
    }

    pub(crate) fn read_fails(self, kind: FaultKind, words: &'static str) -> Self {
        self.read("mem://r0", ReadExpected::Fails(fault(kind, words)))
    }

    /// The server goes away during the reads.
    pub(crate) fn ends(mut self, connects: u32, kind: FaultKind, words: &'static str) -> Self {
        self.link_after = Some(LinkExpected::Down(fault(kind, words)));
        self.connects = connects;
        self
    }

    /// The connection is made again during the reads.
    pub(crate) fn connects(mut self, times: u32) -> Self {
        self.connects = times;
        self
    }

    pub(crate) fn stray(mut self, times: Times) -> Self {
        self.stray = times;
        self
    }

    pub(crate) fn breaches(mut self, times: Times) -> Self {
        self.breaches = times;
        self
    }

    pub(crate) fn stderr(mut self, words: &'static str) -> Self {
        self.stderr.push(words);
        self
    }

    pub(crate) fn prompt(mut self, messages: &'static [(&'static str, &'static str)]) -> Self {
        self.prompt = Some(messages);
        self
    }

    /// A call, in the order in which they are said. None is made where none is said.
    pub(crate) fn call(mut self, expected: CallExpected) -> Self {
        self.calls.push(expected);
        self
    }

    pub(crate) fn calls_text(self, text: &'static str) -> Self {
        self.call(CallExpected::Blocks(vec![text]))
    }

    pub(crate) fn call_fails(self, kind: FaultKind, words: &'static str) -> Self {
        self.call(CallExpected::Fails(fault(kind, words)))
    }

    /// It is reached over HTTP.
    pub(crate) fn http(mut self) -> Self {
        self.counts.get_or_insert_default();
        self
    }

    /// How often something may come over HTTP.
    pub(crate) fn count(mut self, what: &'static str, times: RangeInclusive<usize>) -> Self {
        self.counts.get_or_insert_default().push((what, times));
        self
    }

    /// The lists change once they are there, to what is expected.
    pub(crate) fn changes(mut self) -> Self {
        self.changes = true;
        self
    }

    /// Reads wait until something has come so often over HTTP.
    pub(crate) fn after(mut self, what: &'static str, times: usize) -> Self {
        self.after = Some((what, times));
        self
    }

    /// Another address is asked than the one at which the server listens.
    pub(crate) fn address(mut self, address: &'static str) -> Self {
        self.address = Some(address);
        self
    }

    /// What the fault befalls.
    pub(crate) fn befalls(mut self, method: &'static str) -> Self {
        self.arg = Some(method);
        self
    }

    /// The same must hold over the in-process pipe.
    pub(crate) fn also_in_process(mut self) -> Self {
        self.in_process = true;
        self
    }
}
