//! Notices: a list, so that none is overwritten by the next.

use crate::tui::msg::Moment;
use crate::tui::theme::Role;
use std::collections::VecDeque;

/// Something to tell, in safe words: ours, or revealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// When.
    pub at: Moment,
    /// How grave: `Bad`, `Warn` or `Plain`.
    pub role: Role,
    /// What.
    pub text: String,
}

/// All notices, bounded.
#[derive(Debug, Clone, Default)]
pub struct Notices {
    list: VecDeque<Notice>,
    unseen: usize,
    dropped: usize,
}

impl Notices {
    /// How many are kept; of older ones only the number is.
    pub const KEPT: usize = 500;

    /// Adds one.
    pub fn add(&mut self, at: Moment, role: Role, text: impl Into<String>) {
        self.list.push_back(Notice { at, role, text: text.into() });
        self.unseen += 1;
        if self.list.len() > Self::KEPT {
            self.list.pop_front();
            self.dropped += 1;
        }
    }

    /// The newest that has not been seen in the list, and how many more there are.
    pub fn newest(&self) -> Option<(&Notice, usize)> {
        let more = self.unseen.checked_sub(1)?;
        Some((self.list.back()?, more))
    }

    /// The list has been opened.
    pub fn seen(&mut self) {
        self.unseen = 0;
    }

    /// All that are kept, the newest first.
    pub fn iter(&self) -> impl Iterator<Item = &Notice> {
        self.list.iter().rev()
    }

    /// How many are no longer kept.
    pub fn dropped(&self) -> usize {
        self.dropped
    }
}
