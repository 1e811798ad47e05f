//! The messages to and from one server: a list that grows at its end, a filter over it, and one
//! message opened.

use super::Line;
use super::field::TextField;
use super::page::{Page, Place};
use super::words::clock;
use crate::content::{human_size, indent_json};
use crate::domain::{ServerId, UntrustedText};
use crate::registry::{Direction, TrafficEntry};
use crate::tui::theme::Role;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::SystemTime;

pub use head::{Head, What};

mod head;

/// The most requests whose answers are waited for, to name the answers after them.
const WAITING: usize = 1024;

/// One message, made ready to be listed.
#[derive(Debug, Clone)]
pub struct Message {
    /// Its number in the session, from 1.
    pub number: u64,
    /// When it was written or read.
    pub time: SystemTime,
    /// Which way it went.
    pub direction: Direction,
    /// How long it was, in bytes.
    pub length: usize,
    /// How many bytes of it are kept.
    pub kept: usize,
    /// What it is.
    pub head: Head,
    /// Its text, or the head of it.
    pub text: UntrustedText,
    /// The same in lower case, for the filter.
    folded: String,
}

impl Message {
    /// Reads an entry. Takes time in proportion to its size: not for the screen's own thread.
    pub fn new(entry: TrafficEntry) -> Self {
        let text = match String::from_utf8(entry.bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        };
        Self {
            number: entry.number,
            time: entry.time,
            direction: entry.direction,
            length: entry.length,
            kept: text.len(),
            head: Head::of(&text),
            folded: text.to_lowercase(),
            text: text.into(),
        }
    }

    /// `→` to the server, `←` from it.
    pub fn arrow(&self) -> &'static str {
        match self.direction {
            Direction::Sent => "→",
            Direction::Received => "←",
        }
    }

    /// Whether only its head was kept.
    pub fn is_cut(&self) -> bool {
        self.kept < self.length
    }
}

/// The messages of one server, as far as they are kept.
#[derive(Debug, Clone)]
pub struct Traffic {
    /// Whose they are.
    pub server: ServerId,
    /// The filter's field: a text that a message holds, in any case.
    pub filter: TextField,
    /// Whether that has the keys.
    pub typing: bool,
    /// One message that was opened, by its number, and where its window begins.
    pub opened: Option<(u64, Page, Place)>,
    /// Whether the first answer has come.
    pub loaded: bool,
    /// Whether more was asked for, and whether there was news since.
    asked: bool,
    behind: bool,
    messages: Vec<Arc<Message>>,
    /// Places in `messages` that match the filter, in order.
    visible: Vec<usize>,
    /// The number of the selected message; `None` follows the newest.
    selected: Option<u64>,
    /// Methods of requests that have no answer yet, by direction and id.
    waiting: HashMap<(bool, String), UntrustedText>,
    /// What answers are to, by the number of the message.
    answers: HashMap<u64, UntrustedText>,
}

impl Traffic {
    /// Nothing of a server's messages yet.
    pub fn of(server: ServerId) -> Self {
        Self {
            server,
            filter: TextField::default(),
            typing: false,
            opened: None,
            loaded: false,
            asked: false,
            behind: false,
            messages: Vec::new(),
            visible: Vec::new(),
            selected: None,
            waiting: HashMap::new(),
            answers: HashMap::new(),
        }
    }

    /// After which number more is to be asked for; `None` while an answer is on its way.
    pub fn ask(&mut self) -> Option<u64> {
        self.behind = self.asked;
        (!std::mem::replace(&mut self.asked, true)).then(|| self.newest())
    }

    /// The number of the newest message that is known.
    pub fn newest(&self) -> u64 {
        self.messages.last().map_or(0, |m| m.number)
    }

    /// Takes an answer: what came after a number, and the oldest that is still kept. Gives whether
    /// there was more news meanwhile.
    pub fn extend(&mut self, after: u64, oldest: Option<u64>, new: Vec<Arc<Message>>) -> bool {
        self.asked = false;
        self.loaded = true;
        if after == self.newest() {
            for message in &new {
                self.pair(message);
            }
            self.messages.extend(new);
            let gone = self.messages.partition_point(|m| oldest.is_none_or(|o| m.number < o));
            for message in self.messages.drain(..gone) {
                self.answers.remove(&message.number);
            }
            self.refilter();
        }
        std::mem::take(&mut self.behind)
    }

    /// Remembers a request, or finds the one that a message answers.
    fn pair(&mut self, message: &Message) {
        let Some(id) = &message.head.id else { return };
        let sent = message.direction == Direction::Sent;
        match (&message.head.method, message.head.what) {
            (Some(method), _) => {
                if self.waiting.len() >= WAITING {
                    self.waiting.clear();
                }
                self.waiting.insert((sent, id.raw().to_owned()), method.clone());
            }
            (None, _) => {
                if let Some(method) = self.waiting.remove(&(!sent, id.raw().to_owned())) {
                    self.answers.insert(message.number, method);
                }
            }
        }
    }

    /// The method that a message calls or answers.
    pub fn method<'a>(&'a self, message: &'a Message) -> Option<&'a UntrustedText> {
        message.head.method.as_ref().or_else(|| self.answers.get(&message.number))
    }

    /// Applies what stands in the filter's field.
    pub fn refilter(&mut self) {
        let wanted = self.filter.text().to_lowercase();
        let fits = |m: &Message| {
            let answers = self.answers.get(&m.number).map(|t| t.raw().to_lowercase());
            m.folded.contains(&wanted) || answers.is_some_and(|method| method.contains(&wanted))
        };
        let fitting =
            self.messages.iter().enumerate().filter(|(_, m)| wanted.is_empty() || fits(m));
        self.visible = fitting.map(|(place, _)| place).collect();
    }

    /// How many messages match the filter, and how many there are.
    pub fn counts(&self) -> (usize, usize) {
        (self.visible.len(), self.messages.len())
    }

    /// A row of the list.
    pub fn row(&self, row: usize) -> Option<&Arc<Message>> {
        self.messages.get(*self.visible.get(row)?)
    }

    /// The row of the selection: the last one while it follows, else that of the message or, when
    /// that is gone, of the next one.
    pub fn cursor(&self) -> usize {
        let last = self.visible.len().saturating_sub(1);
        let Some(number) = self.selected else { return last };
        let at_or_after =
            |place: &usize| self.messages.get(*place).is_none_or(|m| m.number < number);
        self.visible.partition_point(at_or_after).min(last)
    }

    /// Whether the newest is selected as it comes.
    pub fn follows(&self) -> bool {
        self.selected.is_none()
    }

    /// Moves the selection; at the end of the list it follows what comes.
    pub fn step(&mut self, by: isize) {
        let last = self.visible.len().saturating_sub(1);
        let to = self.cursor().saturating_add_signed(by).min(last);
        self.selected = if to == last { None } else { self.row(to).map(|m| m.number) };
    }

    /// The message that is selected.
    pub fn selected(&self) -> Option<&Arc<Message>> {
        self.row(self.cursor())
    }

    /// The message that is opened, else the one that is selected.
    pub fn current(&self) -> Option<&Arc<Message>> {
        match &self.opened {
            Some((number, _, _)) => self.messages.iter().find(|m| m.number == *number),
            None => self.selected(),
        }
    }

    /// Opens the selected message.
    pub fn open(&mut self) {
        let Some(message) = self.selected().cloned() else { return };
        // What is read stays where it is.
        self.selected = Some(message.number);
        let page = page(&message, self.method(&message));
        self.opened = Some((message.number, page, Place::default()));
    }
}

/// One message as a page.
fn page(message: &Message, method: Option<&UntrustedText>) -> Page {
    let mut page = Page::default();
    let mut line = Line::of(Role::Label, format!("{} ", message.arrow()));
    let hidden = title(&mut line, message, method);
    page.push_counted(line, hidden);
    let way = match message.direction {
        Direction::Sent => "sent",
        Direction::Received => "received",
    };
    let size = human_size(u64::try_from(message.length).unwrap_or(u64::MAX));
    let time = clock(message.time);
    page.say(Role::Dim, format!("{way} at {time} UTC, {size}, message {}", message.number));
    if message.is_cut() {
        let (kept, length) = (message.kept, message.length);
        page.say(
            Role::Warn,
            format!("! cut: only the first {kept} of its {length} bytes are kept"),
        );
    }
    page.gap();
    if message.head.what == What::Other {
        page.text(message.text.clone());
    } else {
        page.text(indent_json(message.text.raw()).into());
    }
    page
}

/// What a message is, for a row or a heading. Gives the number of hidden characters.
pub fn title(line: &mut Line, message: &Message, method: Option<&UntrustedText>) -> usize {
    let mut hidden = 0;
    // What tells it from others of its kind stands first: a narrow row is cut behind.
    if let Some(id) = &message.head.id {
        line.say(Role::Dim, "#");
        hidden += line.show(Role::Dim, id);
        line.say(Role::Plain, " ");
    }
    let (role, word) = match message.head.what {
        What::Request | What::Notification => (Role::Plain, ""),
        What::Result => (Role::Good, "result"),
        What::Error => (Role::Bad, "error"),
        What::Batch => (Role::Plain, "a batch of messages"),
        What::Other => (Role::Warn, "no JSON-RPC message"),
    };
    line.say(role, word);
    if let Some(method) = method {
        line.say(Role::Plain, if word.is_empty() { "" } else { " of " });
        hidden += line.show(Role::Plain, method);
    }
    hidden
}
