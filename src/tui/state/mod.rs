//! Everything the screen knows. Plain data; changed by `update`, drawn by `view`.

pub mod asking;
mod authority;
mod blocks;
pub mod called;
pub mod catalogue;
pub mod confirm;
pub mod details;
pub mod field;
pub mod filter;
pub mod form;
pub mod hints;
pub mod item;
pub mod layout;
pub mod line;
pub mod links;
pub mod notices;
pub mod offers;
pub mod opened;
pub mod page;
pub mod palette;
pub mod parked;
pub mod preview;
pub mod save;
pub mod search;
pub mod sent;
pub mod servers;
pub mod text_area;
pub mod traffic;
pub mod watches;
pub mod words;

pub use field::TextField;
pub use item::{ItemKey, Kind, Tab};
pub use line::Line;
pub use page::{Page, Place};

use super::keymap::Context;
use super::msg::Moment;
use crate::domain::{CallId, ServerId};
use crate::registry::RegistryView;
use std::sync::Arc;

/// The panes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Focus {
    /// Servers.
    Servers,
    /// Resources, prompts, tools.
    #[default]
    List,
    /// One item.
    Preview,
}

/// A page over everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Overlay {
    /// All keys.
    Help,
    /// All notices.
    Notices,
}

/// Everything the screen knows.
#[derive(Debug, Clone)]
pub struct State {
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// The time of the latest message.
    pub now: Moment,
    /// The latest snapshot of the registry.
    pub view: Arc<RegistryView>,
    /// Which pane has the keys, when nothing lies over it.
    pub focus: Focus,
    /// The pane of servers.
    pub servers: servers::Servers,
    /// The list pane.
    pub catalogue: catalogue::Catalogue,
    /// The preview.
    pub preview: preview::Preview,
    /// The form of a prompt, template or tool, while one is open; it lies over the preview.
    pub form: Option<form::Form>,
    /// Every action by its name, while that is open.
    pub palette: Option<palette::Palette>,
    /// What the form's server proposes for the field that has the keys.
    pub offers: offers::Offers,
    /// The field for the name of a file, while something is being saved.
    pub save: Option<save::Save>,
    /// Whether the preview has the full width while it has the keys.
    pub full: bool,
    /// What was typed into forms, in case they are opened again.
    pub parked: parked::Parked,
    /// What is to be done once a person says yes.
    pub confirm: Option<confirm::Confirm>,
    /// The links of an answer, while one of them is being chosen.
    pub choosing: Option<links::Links>,
    /// The items whose links were followed, the last one last.
    pub steps: Vec<ItemKey>,
    /// What is remembered of calls.
    pub calls: asking::Calls,
    /// A page over everything, and its first row.
    pub overlay: Option<(Overlay, Place)>,
    /// Whether it is being asked if the program shall end although something runs.
    pub asking_to_quit: bool,
    /// Whether the mouse is taken from the terminal.
    pub mouse: bool,
    /// What is remembered of watched resources.
    pub watches: watches::Watches,
    /// What there was to tell.
    pub notices: notices::Notices,
    next_call: u64,
}

impl State {
    /// The screen before anything has happened.
    pub fn new(size: (u16, u16)) -> Self {
        let mut state = Self {
            size,
            now: Moment::default(),
            view: Arc::default(),
            focus: Focus::default(),
            servers: servers::Servers::default(),
            catalogue: catalogue::Catalogue::default(),
            preview: preview::Preview::default(),
            form: None,
            palette: None,
            offers: offers::Offers::default(),
            save: None,
            full: false,
            parked: parked::Parked::default(),
            confirm: None,
            choosing: None,
            steps: Vec::new(),
            calls: asking::Calls::default(),
            overlay: None,
            asking_to_quit: false,
            mouse: false,
            watches: watches::Watches::default(),
            notices: notices::Notices::default(),
            next_call: 1,
        };
        state.preview.details = details::page(&state.view, None, state.now, &state.servers);
        state
    }

    /// Who has the keys: what lies on top.
    pub fn context(&self) -> Context {
        if self.asking_to_quit {
            Context::Quit
        } else if let Some(confirm) = &self.confirm {
            if confirm.asking.is_some() { Context::Call } else { Context::Confirm }
        } else if self.choosing.is_some() {
            Context::Links
        } else if self.overlay.is_some() {
            Context::Page
        } else if self.palette.is_some() {
            Context::Palette
        } else if self.save.is_some() {
            Context::Save
        } else if let Some(form) = &self.form {
            if form.json().is_some() { Context::Json } else { Context::Form }
        } else if self.catalogue.typing || self.filters_messages() {
            Context::Filter
        } else {
            match self.focus {
                Focus::Servers => Context::Servers,
                Focus::List => Context::List,
                Focus::Preview => Context::Preview,
            }
        }
    }

    /// Whether the filter over a server's messages has the keys.
    pub fn filters_messages(&self) -> bool {
        self.focus == Focus::Preview && self.preview.messages().is_some_and(|t| t.typing)
    }

    /// The field of the filter that has the keys.
    pub fn filter_mut(&mut self) -> &mut field::TextField {
        let typed = self.filters_messages();
        match &mut self.preview.traffic {
            Some(traffic) if typed => &mut traffic.filter,
            Some(_) | None => &mut self.catalogue.filter,
        }
    }

    /// The one server that the screen is about: the selected one, or the only one there is.
    /// `None` while it is about several.
    pub fn scope(&self) -> Option<ServerId> {
        let only = || match self.view.servers.as_slice() {
            [one] => Some(one.id.clone()),
            _ => None,
        };
        self.servers.selected.clone().or_else(only)
    }

    /// The server that `r`, `c`, `x` and `e` mean: the selected item's, or the one that the
    /// screen is about.
    pub fn server(&self) -> Option<ServerId> {
        let of_item = || self.preview.subject.as_ref().map(|key| key.server.clone());
        match self.focus {
            Focus::Servers => self.scope(),
            Focus::List | Focus::Preview => of_item().or_else(|| self.scope()),
        }
    }

    /// A new id for a call.
    pub fn mint(&mut self) -> CallId {
        let id = CallId(self.next_call);
        self.next_call += 1;
        id
    }

    /// The page of the overlay.
    pub fn overlay_page(&self) -> Option<Page> {
        self.overlay.map(|(overlay, _)| match overlay {
            Overlay::Help => words::help(self.overlay_room().0),
            Overlay::Notices => words::notices(self),
        })
    }

    /// When something on screen changes although nothing happens: the seconds of a connection,
    /// the tenths of a call, a notice that is no longer news.
    pub fn next_change(&self) -> Option<Moment> {
        let after = |since: Moment, step: u128| {
            let steps = self.now.since(since).as_millis() / step + 1;
            let millis = u64::try_from(steps * step).unwrap_or(u64::MAX);
            Moment(since.0 + std::time::Duration::from_millis(millis))
        };
        let call = self.preview.current().and_then(|o| match o.outcome {
            preview::Outcome::Running { since, .. } => Some(after(since, 100)),
            preview::Outcome::Done(_) | preview::Outcome::Failed(_) => None,
        });
        let call = call.filter(|_| self.preview.showing == preview::Showing::Content);
        let links = self.servers.connecting.values().map(|since| after(*since, 1000));
        let quiet = self.notices.next_change(self.now);
        links.chain(call).chain(quiet).chain(self.offers.due).min()
    }
}
