//! Notices: a list, so that none is overwritten by the next.

use super::ItemKey;
use crate::domain::ServerId;
use crate::tui::msg::Moment;
use crate::tui::theme::Role;
use std::collections::VecDeque;
use std::time::Duration;

/// What a notice is about: when that has moved on, it is no longer news.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum About {
    /// Nothing that can change.
    Nothing,
    /// How a server stands.
    Server(ServerId),
    /// That lists were asked for: of one server, or of all that are up.
    Lists(Option<ServerId>),
    /// What was opened of an item.
    Item(ItemKey),
    /// How a watched item stands.
    Watch(ItemKey),
}

/// Something to tell, in safe words: ours, or revealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// When.
    pub at: Moment,
    /// How grave: `Bad`, `Warn` or `Plain`.
    pub role: Role,
    /// What.
    pub text: String,
    /// What it is about.
    about: About,
    /// Whether it still holds, and has not been seen in the list.
    current: bool,
}

/// All notices, bounded.
#[derive(Debug, Clone, Default)]
pub struct Notices {
    list: VecDeque<Notice>,
    dropped: usize,
}

impl Notices {
    /// How many are kept; of older ones only the number is.
    pub const KEPT: usize = 500;

    /// How long one is news: after that it stands in the list only.
    pub const NEWS: Duration = Duration::from_secs(30);

    /// Adds one that stays true.
    pub fn add(&mut self, at: Moment, role: Role, text: impl Into<String>) {
        self.add_about(at, role, text, About::Nothing);
    }

    /// Adds one about something. The same words again only renew the newest.
    pub fn add_about(&mut self, at: Moment, role: Role, text: impl Into<String>, about: About) {
        let text = text.into();
        if let Some(last) = self.list.back_mut().filter(|last| last.text == text) {
            (last.at, last.about, last.current) = (at, about, true);
            return;
        }
        self.list.push_back(Notice { at, role, text, about, current: true });
        if self.list.len() > Self::KEPT {
            self.list.pop_front();
            self.dropped += 1;
        }
    }

    /// What there was to tell about something is no longer news.
    pub fn outdate(&mut self, about: &About) {
        for notice in self.list.iter_mut().filter(|n| n.about == *about) {
            notice.current = false;
        }
    }

    /// The news of a moment, the newest first.
    fn news(&self, now: Moment) -> impl Iterator<Item = &Notice> {
        self.list.iter().rev().filter(move |n| n.current && now.since(n.at) < Self::NEWS)
    }

    /// The newest that is still news, and how many more are.
    pub fn newest(&self, now: Moment) -> Option<(&Notice, usize)> {
        let mut news = self.news(now);
        Some((news.next()?, news.count()))
    }

    /// When the next one stops being news.
    pub fn next_change(&self, now: Moment) -> Option<Moment> {
        self.news(now).map(|n| Moment(n.at.0 + Self::NEWS)).min()
    }

    /// The list has been opened.
    pub fn seen(&mut self) {
        for notice in &mut self.list {
            notice.current = false;
        }
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
