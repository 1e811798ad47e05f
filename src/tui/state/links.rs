//! Links of an answer: which can be followed, and the way back.

use super::State;
use super::item::{ItemKey, Kind};
use super::preview::{Outcome, Showing};
use super::sent::Sent;
use crate::domain::UntrustedText;

/// The links of an answer, while one of them is being chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Links {
    /// The item whose answer has them.
    pub of: ItemKey,
    /// Their URIs.
    pub uris: Vec<UntrustedText>,
    /// Which is selected.
    pub cursor: usize,
}

/// How many steps back are remembered.
pub const STEPS: usize = 32;

impl State {
    /// The links of the answer on screen.
    pub fn links(&self) -> Option<Links> {
        let opened = self.preview.current()?;
        match (self.preview.showing, &opened.outcome) {
            (Showing::Content, Outcome::Done(page)) => match page.sent()? {
                Sent::Tool(answer) if !answer.links.is_empty() => {
                    Some(Links { of: opened.key.clone(), uris: answer.links.clone(), cursor: 0 })
                }
                Sent::Tool(_) | Sent::Resource(_) | Sent::Prompt(_) => None,
            },
            _ => None,
        }
    }
}

impl Links {
    /// The resource of the same server that is selected.
    pub fn chosen(&self) -> Option<ItemKey> {
        let name = self.uris.get(self.cursor)?.clone();
        Some(ItemKey { server: self.of.server.clone(), kind: Kind::Resource, name })
    }
}
