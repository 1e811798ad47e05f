//! The question before a call of a tool: what it shows, when it takes a yes, and the calls that
//! are no longer asked about.

use super::confirm::{Confirm, Wanted};
use super::item::{ItemKey, Kind};
use super::page::{Page, Place};
use super::{Line, State, details};
use crate::domain::{Surface, Tool, UntrustedText};
use crate::tui::msg::Moment;
use crate::tui::theme::Role;
use serde_json::{Map, Value};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// How long a question must have been on the screen before it takes a yes: a key that was meant
/// for what lay there before is none.
pub const GUARD: Duration = Duration::from_millis(300);

/// The most columns of a name or title: what will be sent is what has to be seen.
const NAME: usize = 120;

/// What there is to see before a call.
#[derive(Debug, Clone)]
pub struct Asking {
    /// The tool, as it is listed; `None` when it is not.
    pub tool: Option<Arc<Tool>>,
    /// All that is known of the call, and exactly what will be sent.
    pub page: Page,
    /// Where its window begins.
    pub place: Place,
    /// Since when all of it has been on screen, and no key was refused.
    pub seen: Option<Moment>,
    /// Whether later calls of the tool may go without a question.
    pub can_skip: bool,
}

impl Asking {
    /// Whether a yes counts by now.
    pub fn takes_yes(&self, now: Moment) -> bool {
        self.seen.is_some_and(|seen| now.since(seen) >= GUARD)
    }
}

/// What is remembered of calls until the program ends.
#[derive(Debug, Clone, Default)]
pub struct Calls {
    /// Tools that are called without a question, as they were when that was said.
    unasked: Vec<(ItemKey, Arc<Tool>)>,
    /// What was last sent to a tool, the newest last.
    made: VecDeque<(ItemKey, Wanted)>,
}

impl Calls {
    /// Of how many tools it is remembered what was sent.
    const KEPT: usize = 64;

    /// Whether a tool is called without a question. A tool that has changed since is not.
    pub fn is_unasked(&self, key: &ItemKey, tool: &Tool) -> bool {
        self.unasked.iter().any(|(of, was)| of == key && **was == *tool)
    }

    /// Asks no more.
    pub fn skip(&mut self, key: ItemKey, tool: Arc<Tool>) {
        self.ask_again(&key);
        self.unasked.push((key, tool));
    }

    /// Asks again. Gives whether that changes anything.
    pub fn ask_again(&mut self, key: &ItemKey) -> bool {
        let before = self.unasked.len();
        self.unasked.retain(|(of, _)| of != key);
        self.unasked.len() < before
    }

    /// Takes note of what is sent.
    pub fn made(&mut self, key: ItemKey, wanted: Wanted) {
        self.made.retain(|(of, _)| *of != key);
        self.made.push_back((key, wanted));
        if self.made.len() > Self::KEPT {
            self.made.pop_front();
        }
    }

    /// What was last sent to a tool.
    pub fn last(&self, key: &ItemKey) -> Option<&Wanted> {
        self.made.iter().find(|(of, _)| of == key).map(|(_, wanted)| wanted)
    }
}

impl State {
    /// The question before something; with all there is to see where it is a call of a tool.
    pub fn question(&self, key: ItemKey, wanted: Wanted) -> Confirm {
        let asking = match &wanted {
            Wanted::Call { arguments, unchecked } => Some(self.asking(&key, arguments, *unchecked)),
            Wanted::Read | Wanted::Render(_) | Wanted::Fill { .. } => None,
        };
        Confirm { key, wanted, asking }
    }

    fn asking(&self, key: &ItemKey, arguments: &Map<String, Value>, unchecked: bool) -> Asking {
        let row = details::row(&self.view.catalogue.tools, key);
        let tool = row.map(|row| row.item.clone());
        let can_skip = tool.as_deref().is_some_and(|tool| self.can_skip(key, tool));
        let page = page(key, tool.as_deref(), arguments, unchecked);
        Asking { tool, page, place: Place::default(), seen: None, can_skip }
    }

    /// Whether calls of a tool may go without a question, once a person said so: its server says
    /// that it changes nothing, and the user's permissions want no yes.
    pub fn can_skip(&self, key: &ItemKey, tool: &Tool) -> bool {
        let reads = tool.annotations.as_ref().and_then(|hints| hints.read_only) == Some(true);
        let server = self.view.server(&key.server);
        let asks = |name: &str| server.is_none_or(|s| s.needs_confirmation(Surface::Tools, name));
        reads && key.kind == Kind::Tool && !asks(key.name.raw())
    }

    /// Whether a tool is called without a question by now.
    pub fn is_unasked(&self, key: &ItemKey) -> bool {
        details::row(&self.view.catalogue.tools, key).is_some_and(|row| {
            self.calls.is_unasked(key, &row.item) && self.can_skip(key, &row.item)
        })
    }
}

/// The beginning of a name.
fn named(page: &mut Page, label: &str, text: &UntrustedText) {
    let mut line = Line::of(Role::Label, format!("{label:<12} "));
    line.indent = 13;
    line.show_start(Role::Plain, text, NAME);
    page.push(line);
}

fn page(
    key: &ItemKey,
    tool: Option<&Tool>,
    arguments: &Map<String, Value>,
    unchecked: bool,
) -> Page {
    let mut page = Page::default();
    page.field("server", key.server.as_str());
    named(&mut page, "tool", &key.name);
    match tool {
        Some(tool) => {
            if let Some(title) = &tool.title {
                named(&mut page, "title", title);
            }
            details::tool::claims(&mut page, tool);
        }
        None => page.say(Role::Warn, "! no longer listed by its server"),
    }
    if unchecked {
        page.say(Role::Warn, "! sent although it does not agree with the tool's schema");
    }
    page.gap();
    if arguments.is_empty() {
        page.say(Role::Label, "it will be sent no arguments: {}");
        return page;
    }
    let heading = page.next_part();
    page.say(Role::Label, "exactly this will be sent");
    let before = page.hidden();
    page.json(&Value::Object(arguments.clone()));
    let hidden = page.hidden() - before;
    if hidden > 0 {
        let count = super::words::count(hidden, "hidden character");
        let mut line = Line::of(Role::Label, "exactly this will be sent, with ");
        line.say(Role::Mark, format!("⟨{count}⟩"));
        page.replace_line(heading, line);
    }
    page
}
