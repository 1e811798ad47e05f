//! The preview: the details of what is selected, or what was opened of it.
//!
//! What is on screen always belongs to the item named in the title. Moving the selection shows
//! the details of the new item; a read that is under way goes on and lands with its own item,
//! where Enter shows it. The last few openings are kept.

use super::Focus;
use super::item::{ItemKey, RowRef};
use super::page::{Page, Place};
use super::traffic::Traffic;
use super::watches::Upkeep;
use crate::domain::{CallId, CallState, ServerId};
use crate::registry::RegistryView;
use crate::tui::msg::Moment;
use std::collections::VecDeque;
use std::sync::Arc;

/// What of an item is on screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Showing {
    /// What its list says of it.
    #[default]
    Details,
    /// What was read, rendered, or what came instead.
    Content,
    /// What its server said beside the protocol.
    Noise,
    /// The messages to and from its server.
    Traffic,
}

/// How an opening went.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// Asked, not answered yet.
    Running {
        /// The call.
        call: CallId,
        /// When it was made.
        since: Moment,
        /// How it goes, as far as its server has told.
        state: CallState,
    },
    /// Answered.
    Done(Page),
    /// Refused, and why.
    Failed(Page),
}

/// An item that was opened.
#[derive(Debug, Clone)]
pub struct Opened {
    /// Which item.
    pub key: ItemKey,
    /// How it went.
    pub outcome: Outcome,
    /// Where its window begins.
    pub place: Place,
    /// How it keeps up with what its server tells of it.
    pub upkeep: Upkeep,
}

/// The preview.
#[derive(Debug, Clone, Default)]
pub struct Preview {
    /// The item; `None` for all servers, or when nothing is listed.
    pub subject: Option<ItemKey>,
    /// What of it is on screen.
    pub showing: Showing,
    /// Its details.
    pub details: Page,
    /// Where their window begins.
    pub details_place: Place,
    /// What a server said beside the protocol, once asked for.
    pub noise: Option<(ServerId, Page)>,
    /// The same as it was sent.
    pub noise_text: Option<Arc<str>>,
    /// Where that window begins.
    pub noise_place: Place,
    /// How much had been said when it was asked for.
    pub noise_counts: u64,
    /// The messages to and from a server, once asked for.
    pub traffic: Option<Traffic>,
    /// Which pane had the keys, and what of the item was on screen, when one of these two was
    /// asked for.
    pub log_from: (Focus, Showing),
    opened: VecDeque<Opened>,
}

impl Preview {
    /// How many openings are kept.
    pub const KEPT: usize = 8;
    /// How much text of them is kept, in bytes; the newest is kept whatever its size.
    pub const KEPT_BYTES: usize = 64 << 20;

    /// What was opened of an item.
    pub fn opened(&self, key: &ItemKey) -> Option<&Opened> {
        self.opened.iter().find(|o| o.key == *key)
    }

    /// What was opened of the item on screen.
    pub fn current(&self) -> Option<&Opened> {
        self.opened(self.subject.as_ref()?)
    }

    /// Starts an opening; an earlier one of the same item gives way. Gives the call that it
    /// replaces, if that one still runs.
    pub fn start(&mut self, key: ItemKey, call: CallId, since: Moment) -> Option<CallId> {
        let before = self.take(&key);
        self.opened.push_back(Opened {
            key,
            outcome: Outcome::Running { call, since, state: CallState::default() },
            place: Place::default(),
            upkeep: Upkeep::default(),
        });
        before
    }

    /// Takes an opening away. Gives its call, if that one still runs.
    pub fn take(&mut self, key: &ItemKey) -> Option<CallId> {
        let place = self.opened.iter().position(|o| o.key == *key)?;
        let opened = self.opened.remove(place)?;
        match opened.outcome {
            Outcome::Running { call, .. } => Some(call),
            Outcome::Done(_) | Outcome::Failed(_) => opened.upkeep.call,
        }
    }

    /// Puts an answer where its call belongs. Gives its item, or `None` for a call that nobody
    /// waits for any more.
    pub fn finish(&mut self, call: CallId, outcome: Outcome) -> Option<ItemKey> {
        let is_it = |o: &Opened| matches!(o.outcome, Outcome::Running { call: c, .. } if c == call);
        let place = self.opened.iter().position(is_it)?;
        let mut opened = self.opened.remove(place)?;
        if matches!(outcome, Outcome::Done(_)) {
            opened.upkeep.kept = opened.upkeep.asked;
        }
        opened.outcome = outcome;
        let key = opened.key.clone();
        self.opened.push_back(opened);
        self.forget();
        Some(key)
    }

    /// How what was opened of an item keeps up.
    pub fn upkeep_mut(&mut self, key: &ItemKey) -> Option<&mut Upkeep> {
        self.opened.iter_mut().find(|o| o.key == *key).map(|o| &mut o.upkeep)
    }

    /// The items of which it is known how far their servers' word of them had come.
    pub fn followed(&self) -> impl Iterator<Item = &ItemKey> {
        self.opened.iter().filter(|o| o.upkeep.asked.is_some()).map(|o| &o.key)
    }

    /// The item that a call reads again.
    pub fn kept_up_by(&self, call: CallId) -> Option<&ItemKey> {
        self.opened.iter().find(|o| o.upkeep.call == Some(call)).map(|o| &o.key)
    }

    /// Puts what was read again in the place of what is kept of an item. Its window, which has
    /// room for so much, begins where it did as far as there is as much.
    pub fn replace(&mut self, key: &ItemKey, page: Page, (width, height): (usize, usize)) {
        if let Some(opened) = self.opened.iter_mut().find(|o| o.key == *key) {
            if opened.place != Place::default() {
                // The start of the row that this byte is in now.
                let within =
                    Place { offset: opened.place.offset.saturating_add(1), ..opened.place };
                let row = page.back(within, width, 1);
                opened.place = row.min(page.last_window(width, height));
            }
            opened.outcome = Outcome::Done(page);
        }
        self.forget();
    }

    /// The calls that run.
    pub fn running(&self) -> impl Iterator<Item = (&ItemKey, CallId, Moment)> {
        self.opened.iter().filter_map(|o| match o.outcome {
            Outcome::Running { call, since, .. } => Some((&o.key, call, since)),
            Outcome::Done(_) | Outcome::Failed(_) => None,
        })
    }

    /// How the call of a row's item goes, while one runs.
    pub fn running_at(&self, row: RowRef, view: &RegistryView) -> Option<&CallState> {
        self.opened.iter().find_map(|o| match &o.outcome {
            Outcome::Running { state, .. } if row.is(view, &o.key) => Some(state),
            Outcome::Running { .. } | Outcome::Done(_) | Outcome::Failed(_) => None,
        })
    }

    /// Takes note of how a call goes; one that has ended is not touched.
    pub fn goes(&mut self, call: CallId, news: CallState) {
        for opened in &mut self.opened {
            match &mut opened.outcome {
                Outcome::Running { call: of, state, .. } if *of == call => *state = news.clone(),
                Outcome::Running { .. } | Outcome::Done(_) | Outcome::Failed(_) => {}
            }
        }
    }

    /// The page on screen.
    pub fn page(&self) -> Option<&Page> {
        match self.showing {
            Showing::Details => Some(&self.details),
            Showing::Noise => self.noise.as_ref().map(|(_, page)| page),
            Showing::Traffic => Some(&self.traffic.as_ref()?.opened.as_ref()?.1),
            Showing::Content => match &self.current()?.outcome {
                Outcome::Running { .. } => None,
                Outcome::Done(page) | Outcome::Failed(page) => Some(page),
            },
        }
    }

    /// The list of messages, while that is on screen or a message of it.
    pub fn messages(&self) -> Option<&Traffic> {
        self.traffic.as_ref().filter(|_| self.showing == Showing::Traffic)
    }

    /// Where the window on that page begins.
    pub fn place(&self) -> Place {
        match self.showing {
            Showing::Details => self.details_place,
            Showing::Noise => self.noise_place,
            Showing::Traffic => {
                let opened = self.traffic.as_ref().and_then(|t| t.opened.as_ref());
                opened.map(|(_, _, place)| *place).unwrap_or_default()
            }
            Showing::Content => self.current().map(|o| o.place).unwrap_or_default(),
        }
    }

    /// Moves the window.
    pub fn go(&mut self, to: Place) {
        match self.showing {
            Showing::Details => self.details_place = to,
            Showing::Noise => self.noise_place = to,
            Showing::Traffic => {
                if let Some((_, _, place)) = self.traffic.as_mut().and_then(|t| t.opened.as_mut()) {
                    *place = to;
                }
            }
            Showing::Content => {
                let subject = self.subject.as_ref();
                if let Some(o) = self.opened.iter_mut().find(|o| Some(&o.key) == subject) {
                    o.place = to;
                }
            }
        }
    }

    /// Lets the oldest finished openings go until the bounds are kept.
    fn forget(&mut self) {
        let bytes = |o: &Opened| match &o.outcome {
            Outcome::Running { .. } => None,
            Outcome::Done(page) | Outcome::Failed(page) => Some(page.bytes()),
        };
        loop {
            let finished: Vec<usize> = self.opened.iter().filter_map(bytes).collect();
            let sum: usize = finished.iter().sum();
            let over = finished.len() > Self::KEPT || sum > Self::KEPT_BYTES;
            let oldest = self.opened.iter().position(|o| bytes(o).is_some());
            match oldest {
                Some(place) if over && finished.len() > 1 => drop(self.opened.remove(place)),
                Some(_) | None => return,
            }
        }
    }
}
