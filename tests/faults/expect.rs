//! What a row expects, as data, and how it is compared. Every difference is collected, so that one
//! run says all of them.

use vestibule::{
    domain::{
        ContentNote, Era, Fault, FaultKind, Link, Listing, ListingState, ResourceBody, Truncation,
        UntrustedText,
    },
    registry::{Called, Reading},
};

/// How the link to a server must stand.
#[derive(Clone)]
pub(crate) enum LinkExpected {
    Up { era: Era, version: &'static str },
    Down(FaultExpected),
}

/// A fault, and words that must stand in it or in its causes.
#[derive(Clone)]
pub(crate) struct FaultExpected {
    pub(crate) kind: FaultKind,
    pub(crate) words: &'static str,
}

pub(crate) fn fault(kind: FaultKind, words: &'static str) -> FaultExpected {
    FaultExpected { kind, words }
}

/// How the last load of a list must have gone.
#[derive(Clone)]
pub(crate) enum StateExpected {
    NotOffered,
    Fresh,
    Partial(FaultExpected),
    Failed(FaultExpected),
}

/// What a list must hold.
#[derive(Clone)]
pub(crate) struct ListExpected {
    pub(crate) count: usize,
    pub(crate) malformed: Vec<&'static str>,
    pub(crate) state: StateExpected,
    pub(crate) truncated: Option<Truncation>,
}

impl ListExpected {
    fn new(count: usize, state: StateExpected) -> Self {
        Self { count, malformed: Vec::new(), state, truncated: None }
    }

    pub(crate) fn malformed(mut self, why: &[&'static str]) -> Self {
        self.malformed = why.to_vec();
        self
    }

    pub(crate) fn truncated(mut self, why: Truncation) -> Self {
        self.truncated = Some(why);
        self
    }
}

pub(crate) fn fresh(count: usize) -> ListExpected {
    ListExpected::new(count, StateExpected::Fresh)
}

pub(crate) fn not_offered() -> ListExpected {
    ListExpected::new(0, StateExpected::NotOffered)
}

pub(crate) fn failed(kind: FaultKind, words: &'static str) -> ListExpected {
    ListExpected::new(0, StateExpected::Failed(fault(kind, words)))
}

pub(crate) fn partial(count: usize, kind: FaultKind, words: &'static str) -> ListExpected {
    ListExpected::new(count, StateExpected::Partial(fault(kind, words)))
}

/// What a read must give.
#[derive(Clone)]
pub(crate) enum ReadExpected {
    /// One block of exactly this text, with nothing odd about it.
    Text(&'static str),
    /// These blocks, each with its notes.
    Blocks(Vec<(BodyExpected, Vec<ContentNote>)>),
    Fails(FaultExpected),
    /// Fails because the server is going, in whichever way that shows first.
    Lost,
}

#[derive(Clone)]
pub(crate) enum BodyExpected {
    Text(&'static str),
    Blob(&'static [u8]),
    /// Words that must stand in the reason.
    Unsupported(&'static str),
}

/// What a call must give.
#[derive(Clone)]
pub(crate) enum CallExpected {
    /// Blocks in which these words stand, and no failure of the tool's own.
    Blocks(Vec<&'static str>),
    Fails(FaultExpected),
}

/// How often something must have happened.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Times {
    Exactly(u64),
    AtLeast(u64),
}

impl Times {
    pub(crate) fn meets(self, seen: u64) -> bool {
        match self {
            Self::Exactly(n) => seen == n,
            Self::AtLeast(n) => seen >= n,
        }
    }
}

/// Collects differences.
#[derive(Default)]
pub(crate) struct Differences(pub(crate) Vec<String>);

impl Differences {
    pub(crate) fn add(&mut self, what: impl Into<String>) {
        self.0.push(what.into());
    }

    pub(crate) fn require(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.add(what());
        }
    }

    pub(crate) fn fault(&mut self, what: &str, seen: &Fault, expected: &FaultExpected) {
        let words: Vec<&str> = std::iter::once(seen.what.as_str())
            .chain(seen.cause.iter().map(UntrustedText::raw))
            .chain(seen.hint.as_deref())
            .collect();
        self.require(
            seen.kind == expected.kind && words.iter().any(|text| text.contains(expected.words)),
            || format!("{what}: expected {:?} «{}», saw {seen:?}", expected.kind, expected.words),
        );
        self.require(seen.who.is_some(), || format!("{what}: the fault names no server: {seen:?}"));
    }

    pub(crate) fn link(&mut self, seen: &Link, expected: &LinkExpected) {
        match (expected, seen) {
            (LinkExpected::Up { era, version }, Link::Up(facts)) => {
                self.require(facts.era == *era && facts.version == *version, || {
                    format!("link: expected {era:?} {version}, saw {facts:?}")
                });
            }
            (LinkExpected::Down(fault), Link::Down { why }) => self.fault("link", why, fault),
            (_, seen) => self.add(format!("link: saw {seen:?}")),
        }
    }

    pub(crate) fn list<T>(&mut self, what: &str, seen: &Listing<T>, expected: &ListExpected) {
        self.require(seen.items.len() == expected.count, || {
            format!("{what}: expected {} items, saw {}", expected.count, seen.items.len())
        });
        let whys: Vec<&str> = seen.malformed.iter().map(|item| item.why.as_str()).collect();
        let alike = whys.len() == expected.malformed.len()
            && whys.iter().zip(&expected.malformed).all(|(why, words)| why.contains(words));
        self.require(alike, || {
            format!("{what}: expected malformed {:?}, saw {whys:?}", expected.malformed)
        });
        self.require(seen.truncated == expected.truncated, || {
            format!("{what}: expected cut {:?}, saw {:?}", expected.truncated, seen.truncated)
        });
        match (&expected.state, &seen.state) {
            (StateExpected::NotOffered, ListingState::NotOffered)
            | (StateExpected::Fresh, ListingState::Fresh) => {}
            (StateExpected::Partial(expected), ListingState::Partial(fault))
            | (StateExpected::Failed(expected), ListingState::Failed(fault)) => {
                self.fault(what, fault, expected);
            }
            (_, seen) => self.add(format!("{what}: unexpected state {seen:?}")),
        }
    }

    pub(crate) fn read(
        &mut self,
        uri: &str,
        seen: &Result<Reading, Fault>,
        expected: &ReadExpected,
    ) {
        let what = format!("read {}", uri.get(..60).unwrap_or(uri));
        match (expected, seen) {
            (ReadExpected::Text(text), Ok(reading)) => {
                self.blocks(&what, reading, &[(BodyExpected::Text(text), Vec::new())]);
            }
            (ReadExpected::Blocks(blocks), Ok(reading)) => self.blocks(&what, reading, blocks),
            (ReadExpected::Fails(fault), Err(seen)) => self.fault(&what, seen, fault),
            (ReadExpected::Lost, Err(seen))
                if matches!(seen.kind, FaultKind::Closed | FaultKind::Unreachable) => {}
            (_, seen) => self.add(format!("{what}: saw {seen:?}")),
        }
    }

    pub(crate) fn call(&mut self, seen: &Result<Called, Fault>, expected: &CallExpected) {
        match (expected, seen) {
            (CallExpected::Blocks(words), Ok(called)) => {
                let result = &called.result;
                let blocks: Vec<_> = result.content.iter().map(|b| format!("{b:?}")).collect();
                let alike = !result.is_error
                    && blocks.len() == words.len()
                    && blocks.iter().zip(words).all(|(block, words)| block.contains(words));
                self.require(alike, || format!("call: expected {words:?}, saw {result:?}"));
            }
            (CallExpected::Fails(fault), Err(seen)) => self.fault("call", seen, fault),
            (_, seen) => self.add(format!("call: saw {seen:?}")),
        }
    }

    fn blocks(
        &mut self,
        what: &str,
        reading: &Reading,
        expected: &[(BodyExpected, Vec<ContentNote>)],
    ) {
        let alike = reading.contents.len() == expected.len()
            && reading.contents.iter().zip(expected).all(|(seen, (body, notes))| {
                seen.notes == *notes
                    && match (body, &seen.body) {
                        (BodyExpected::Text(text), ResourceBody::Text(seen)) => seen.raw() == *text,
                        (BodyExpected::Blob(bytes), ResourceBody::Blob(seen)) => seen == bytes,
                        (
                            BodyExpected::Unsupported(words),
                            ResourceBody::Unsupported { why, .. },
                        ) => why.contains(words),
                        _ => false,
                    }
            });
        self.require(alike, || {
            let text = format!("{:?}", reading.contents);
            format!("{what}: saw {}", text.get(..600).unwrap_or(&text))
        });
    }
}
