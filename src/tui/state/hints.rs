//! Which keys the bar offers: only what does something where the keys are, by the live keymap.

use super::form::Form;
use super::preview::{Outcome, Showing};
use super::{Kind, Overlay, State, Tab};
use crate::domain::Link;
use crate::tui::keymap::{Context, key_for};
use crate::tui::msg::{Action, FieldAction, PaneAction, Step};

/// Something the bar offers: the actions of one or several keys, and their word.
type Offer = (&'static [Action], &'static str);

const OPEN: &[Action] = &[Action::Pane(PaneAction::Open)];
const BACK: &[Action] = &[Action::Back];
const DETAILS: &[Action] = &[Action::Pane(PaneAction::Details)];
const OUTPUT: &[Action] = &[Action::Pane(PaneAction::Noise)];
const TRAFFIC: &[Action] = &[Action::Pane(PaneAction::Traffic)];
const COPY: &[Action] = &[Action::Pane(PaneAction::Copy)];
const WATCH: &[Action] = &[Action::Pane(PaneAction::Watch)];
const SAVE: &[Action] = &[Action::Pane(PaneAction::Save)];
const EMPTY: &[Action] = &[Action::Field(FieldAction::SendEmpty)];
const FILL_IN: &[Action] = &[Action::Pane(PaneAction::FillIn)];
const JSON: &[Action] = &[Action::Field(FieldAction::Json)];
const ACCEPT: &[Action] = &[Action::Field(FieldAction::Accept)];
const ROWS: &[Action] = &[Action::Move(Step::Up), Action::Move(Step::Down)];
const SCROLL: &[Action] = &[
    Action::Move(Step::Up),
    Action::Move(Step::Down),
    Action::Move(Step::PageUp),
    Action::Move(Step::PageDown),
];
const LISTS: &[Action] = &[
    Action::Pane(PaneAction::Show(Tab::Resources)),
    Action::Pane(PaneAction::Show(Tab::Prompts)),
    Action::Pane(PaneAction::Show(Tab::Tools)),
];

impl State {
    /// Keys and their words for the bar, the most useful first; then those that are always there.
    pub fn hints(&self) -> [Vec<(String, &'static str)>; 2] {
        let context = self.context();
        let (offers, always): (Vec<Offer>, &[Offer]) = match context {
            Context::Servers => {
                ([(OPEN, "list")].into_iter().chain(self.server_offers()).collect(), ALWAYS)
            }
            Context::List => (self.list_offers(), ALWAYS),
            Context::Preview => (self.preview_offers(), ALWAYS),
            Context::Filter => (vec![(ACCEPT, "keep"), (BACK, "clear"), (ROWS, "select")], &[]),
            Context::Form => (self.form_offers(), &[]),
            Context::Json => (self.json_offers(), &[]),
            Context::Save => {
                let replaces = self.save.as_ref().is_some_and(|save| save.exists);
                let first: Offer = if replaces { (EMPTY, "replace") } else { (ACCEPT, "save") };
                (vec![first, (BACK, "cancel")], &[])
            }
            Context::Palette => (vec![(ACCEPT, "run"), (ROWS, "select"), (BACK, "close")], &[]),
            Context::Page => (vec![(BACK, "close"), (SCROLL, "scroll")], &[]),
            Context::Links => (vec![(ACCEPT, "read"), (ROWS, "select"), (BACK, "close")], &[]),
            Context::Call => (self.asking_offers(), &[]),
            Context::Confirm => (vec![(ACCEPT, "yes"), (BACK, "no")], &[]),
            Context::Quit => (vec![(&[Action::Quit], "quit"), (BACK, "stay")], &[]),
        };
        let mut offers = offers;
        if matches!(context, Context::Servers | Context::List | Context::Preview) {
            offers.push((&[Action::Palette], "actions"));
        }
        let named = |(actions, word): &Offer| {
            let keys: Vec<_> = actions.iter().filter_map(|a| key_for(context, *a)).collect();
            let arrows = actions.first() == ROWS.first();
            let keys = if arrows {
                keys.join(" ").replacen("↑ ↓", "↑↓", 1)
            } else {
                keys.join(" ")
            };
            (keys, *word)
        };
        [offers.iter().map(named).collect(), always.iter().map(named).collect()]
    }

    fn asking_offers(&self) -> Vec<Offer> {
        let asking = self.confirm.as_ref().and_then(|confirm| confirm.asking.as_ref());
        if asking.is_some_and(|asking| asking.seen.is_none()) && !self.sees_all() {
            return vec![(ROWS, "scroll to the end of it first"), (BACK, "no")];
        }
        let mut offers: Vec<Offer> = vec![(ACCEPT, "call it"), (BACK, "no")];
        if asking.is_some_and(|asking| asking.can_skip) {
            offers.push((&[Action::Field(FieldAction::Always)], "call it, ask no more"));
        }
        offers.push((ROWS, "scroll"));
        offers
    }

    fn server_offers(&self) -> Vec<Offer> {
        let one = self.scope().and_then(|id| self.view.server(&id));
        let links = match &one {
            Some(server) => std::slice::from_ref(*server),
            None => self.view.servers.as_slice(),
        };
        let up = links.iter().any(|s| matches!(s.link, Link::Up(_)));
        let startable = links.iter().any(|s| match s.link {
            Link::Down { .. } => true,
            Link::Idle => one.is_some() || !self.servers.is_off(s),
            Link::Up(_) | Link::Connecting => false,
        });
        let connecting = links.iter().any(|s| matches!(s.link, Link::Connecting));
        let mut offers: Vec<Offer> = Vec::new();
        let mut offer = |wanted: bool, actions: &'static [Action], word| {
            if wanted {
                offers.push((actions, word));
            }
        };
        offer(startable, &[Action::Pane(PaneAction::Connect)], "connect");
        let again = links.iter().any(|s| s.again.is_some());
        let stoppable = one.is_some() && (up || connecting || again);
        offer(stoppable, &[Action::Pane(PaneAction::Disconnect)], "disconnect");
        offer(up, &[Action::Pane(PaneAction::Refresh)], "refresh");
        offer(one.is_some(), OUTPUT, "output");
        offer(one.is_some(), TRAFFIC, "messages");
        offers
    }

    fn list_offers(&self) -> Vec<Offer> {
        let mut offers: Vec<Offer> = Vec::new();
        let selected = self.catalogue.current().selected.as_ref();
        match selected.map(|key| key.kind) {
            Some(Kind::Resource) => offers.push((OPEN, "open")),
            Some(Kind::Prompt | Kind::Template) => offers.extend(self.filling_offers()),
            Some(Kind::Tool) => {
                let kept = selected.and_then(|key| self.preview.opened(key)).is_some();
                offers.push((OPEN, if kept { "answer" } else { "call" }));
                if kept {
                    offers.push((FILL_IN, "form"));
                }
            }
            Some(Kind::Malformed(..)) => {
                offers.push((&[Action::Pane(PaneAction::Right)], "details"));
            }
            // Where nothing is listed, the keys of the server are what helps.
            Some(Kind::Server) | None if self.scope().is_some() => {
                offers.extend(self.server_offers());
            }
            Some(Kind::Server) | None => {}
        }
        offers.push((&[Action::Pane(PaneAction::Filter)], "filter"));
        offers.push((LISTS, "lists"));
        let kind = selected.map(|key| key.kind);
        if matches!(kind, Some(Kind::Resource | Kind::Prompt | Kind::Template | Kind::Tool)) {
            offers.push(self.details_offer().unwrap_or((DETAILS, "details")));
        }
        offers.extend(self.watch_offer());
        offers.push((&[Action::Pane(PaneAction::Next)], "pane"));
        offers
    }

    /// To watch a resource, or to let it go.
    fn watch_offer(&self) -> Option<Offer> {
        let key = self.preview.subject.as_ref()?;
        let word = if self.is_watched(key) { "let go" } else { "watch" };
        self.why_not_watched(Some(key)).is_none().then_some((WATCH, word))
    }

    /// What can be done with a prompt or template: run, fill in, or both.
    fn filling_offers(&self) -> Vec<Offer> {
        let Some(key) = &self.preview.subject else { return Vec::new() };
        let Some(form) = self.form_of(key) else {
            return match key.kind {
                Kind::Prompt => vec![(OPEN, "run")],
                Kind::Template if Form::of_template(key.clone()).is_ok() => vec![(OPEN, "read")],
                // What cannot be filled in says why in its details.
                Kind::Server
                | Kind::Resource
                | Kind::Template
                | Kind::Tool
                | Kind::Malformed(..) => Vec::new(),
            };
        };
        let must = form.key.kind == Kind::Template || form.fields.iter().any(|f| f.required);
        if must { vec![(OPEN, "form")] } else { vec![(OPEN, "run"), (FILL_IN, "form")] }
    }

    fn json_offers(&self) -> Vec<Offer> {
        let mut offers: Vec<Offer> = vec![(ACCEPT, "call")];
        let tool = self.form.as_ref().and_then(|form| form.tool());
        if tool.is_some_and(|tool| tool.refused) {
            offers.push((&[Action::Field(FieldAction::Unchecked)], "send all the same"));
        }
        offers.extend([(JSON, "fields"), (BACK, "close")]);
        offers
    }

    fn form_offers(&self) -> Vec<Offer> {
        const CHOOSE: &[Action] =
            &[Action::Field(FieldAction::Choose(true)), Action::Field(FieldAction::Choose(false))];
        if self.offers.chosen.is_some() {
            return vec![(ACCEPT, "take"), (CHOOSE, "choose"), (BACK, "none")];
        }
        let word = match self.form.as_ref().map(|form| form.key.kind) {
            Some(Kind::Prompt) => "run",
            Some(Kind::Tool) => "call",
            _ => "read",
        };
        let mut offers: Vec<Offer> = vec![(ACCEPT, word)];
        let tool = self.form.as_ref().and_then(|form| form.tool());
        if tool.is_some_and(|tool| tool.refused) {
            offers.push((&[Action::Field(FieldAction::Unchecked)], "send all the same"));
        }
        if self.offers.completion().is_some_and(|completion| !completion.values.is_empty()) {
            offers.push((CHOOSE, "choose"));
        }
        offers.push((&[Action::Field(FieldAction::Next)], "next"));
        let asked = self.form.as_ref().and_then(|form| form.field()?.asked.as_ref());
        let blank = if asked.is_some_and(|asked| asked.nullable) { "empty, null" } else { "empty" };
        offers.push((EMPTY, blank));
        if asked.is_some_and(|asked| asked.default.is_some()) {
            offers.push((&[Action::Field(FieldAction::Default)], "default"));
        }
        if tool.is_some() {
            offers.push((JSON, "JSON"));
        }
        offers.push((BACK, "close"));
        offers
    }

    /// From content to details, and back where there is content.
    fn details_offer(&self) -> Option<Offer> {
        match self.preview.showing {
            Showing::Content => Some((DETAILS, "details")),
            Showing::Noise | Showing::Traffic => None,
            Showing::Details => self.preview.current().map(|_| (DETAILS, "content")),
        }
    }

    fn preview_offers(&self) -> Vec<Offer> {
        let preview = &self.preview;
        let outcome = preview.current().map(|opened| &opened.outcome);
        let mut offers: Vec<Offer> = Vec::new();
        if preview.showing == Showing::Content && matches!(outcome, Some(Outcome::Running { .. })) {
            offers.extend([(BACK, "stops"), (DETAILS, "details")]);
            return offers;
        }
        let filter = (&[Action::Pane(PaneAction::Filter)][..], "filter");
        match (preview.showing, preview.subject.as_ref().map(|key| key.kind)) {
            (Showing::Noise, _) => offers.push((TRAFFIC, "messages")),
            (Showing::Traffic, _) if preview.page().is_none() => {
                offers.extend([(OPEN, "open"), filter, (OUTPUT, "output")]);
            }
            (Showing::Details, Some(Kind::Resource)) => offers.push((OPEN, "open")),
            (Showing::Details, Some(Kind::Tool)) => offers.push((OPEN, "call")),
            (Showing::Details, Some(Kind::Prompt | Kind::Template)) => {
                offers.extend(self.filling_offers());
            }
            (Showing::Content, Some(_)) if matches!(outcome, Some(Outcome::Failed(_))) => {
                offers.push((OPEN, "again"));
            }
            _ => {}
        }
        offers.push((SCROLL, "scroll"));
        if preview.showing == Showing::Content && matches!(outcome, Some(Outcome::Done(_))) {
            offers.extend([(COPY, "copy"), (SAVE, "save")]);
        }
        offers.extend(self.answer_offers());
        offers.extend(self.details_offer());
        if matches!(preview.showing, Showing::Details | Showing::Content) {
            offers.extend(self.watch_offer());
        }
        if self.can_be_fuller() {
            offers.push((
                &[Action::Pane(PaneAction::Full)],
                if self.full { "panes" } else { "full" },
            ));
        }
        offers.push((BACK, "back"));
        offers
    }

    /// What can be done beside a tool's answer.
    fn answer_offers(&self) -> Vec<Offer> {
        let key = self.preview.subject.as_ref();
        let mut offers: Vec<Offer> = Vec::new();
        if self.links().is_some() {
            offers.push((&[Action::Pane(PaneAction::Follow)], "follow"));
        }
        if key.is_some_and(|key| self.calls.last(key).is_some()) {
            offers.push((&[Action::Pane(PaneAction::Again)], "again"));
        }
        if key.is_some_and(|key| self.is_unasked(key)) {
            offers.push((&[Action::Pane(PaneAction::AskAgain)], "ask again"));
        }
        if !self.steps.is_empty() && key.is_some_and(|key| key.kind == Kind::Resource) {
            offers.push((&[Action::Pane(PaneAction::Return)], "to the answer"));
        }
        offers
    }

    /// Whether the preview is, or could be, wider than it is beside other panes.
    pub fn can_be_fuller(&self) -> bool {
        self.full || self.areas().is_some_and(|a| a.preview != Some(a.body))
    }
}

const ALWAYS: &[Offer] = &[(&[Action::Overlay(Overlay::Help)], "keys"), (&[Action::Quit], "quit")];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::state::Focus;

    #[test]
    fn every_offer_has_its_keys_in_every_pane() {
        let mut state = State::new((80, 24));
        for focus in [Focus::Servers, Focus::List, Focus::Preview] {
            state.focus = focus;
            let [offers, always] = state.hints();
            assert!(!offers.is_empty() && always.len() == 2, "{focus:?}");
            for (keys, word) in offers.iter().chain(&always) {
                assert!(!keys.is_empty(), "{word} in {focus:?}");
            }
        }
    }
}
