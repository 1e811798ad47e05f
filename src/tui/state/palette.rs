//! Every action by its name: what it is called, its keys, and whether it can run now.

use super::field::TextField;
use super::filter::Search;
use crate::tui::keymap::{self, Binding, Context, Group};
use crate::tui::msg::{Action, PaneAction};

/// The palette, while it is open.
#[derive(Debug, Clone)]
pub struct Palette {
    /// The field for words of the wanted action.
    pub input: TextField,
    /// Which row is selected.
    pub cursor: usize,
    /// The pane that had the keys.
    pub from: Context,
    /// What matches, the best first; what cannot run now after what can.
    pub rows: Vec<Choice>,
}

/// An action that can be chosen.
#[derive(Debug, Clone)]
pub struct Choice {
    /// The heading that it stands under in the help.
    pub group: Group,
    /// What it does, as in the help.
    pub what: &'static str,
    /// Its keys, by their names; empty when it has none.
    pub keys: String,
    /// The action.
    pub action: Action,
    /// Where it is at home, or where the keys are if that is one of its homes.
    pub context: Context,
    /// Why it cannot run now.
    pub why_not: Option<String>,
}

impl Palette {
    /// An empty one, opened from a pane.
    pub fn new(from: Context) -> Self {
        Self { input: TextField::default(), cursor: 0, from, rows: Vec::new() }
    }

    /// Takes over what can be chosen, and shows what of it matches.
    pub fn fill(&mut self, all: Vec<Choice>) {
        let query = self.input.text().trim();
        let mut search = Search::new(query);
        let score = |choice: &Choice, search: &mut Search| {
            let heading = choice.group.heading();
            search.score_fields([Some(choice.what), Some(choice.keys.as_str()), Some(heading)])
        };
        let mut scored: Vec<(u32, Choice)> = all
            .into_iter()
            .filter_map(|choice| Some((score(&choice, &mut search)?, choice)))
            .collect();
        // Stable: equals stay in the order of the help.
        scored.sort_by_key(|(score, choice)| (choice.why_not.is_some(), std::cmp::Reverse(*score)));
        self.rows = scored.into_iter().map(|(_, choice)| choice).collect();
        self.cursor = self.cursor.min(self.rows.len().saturating_sub(1));
    }

    /// The selected row.
    pub fn chosen(&self) -> Option<&Choice> {
        self.rows.get(self.cursor)
    }

    /// Moves the selection.
    pub fn step(&mut self, by: isize) {
        let last = self.rows.len().saturating_sub(1);
        self.cursor = self.cursor.saturating_add_signed(by).min(last);
    }
}

/// All actions of the panes, those that do not only move first, with whether they can run.
pub fn choices(from: Context, why_not: impl Fn(Context, Action) -> Option<String>) -> Vec<Choice> {
    let mut choices: Vec<Choice> = Vec::new();
    let panes = [from, Context::List, Context::Preview, Context::Servers];
    let home = |binding: &Binding| panes.into_iter().find(|pane| binding.contexts.contains(pane));
    for binding in keymap::BINDINGS {
        let Some(context) = home(binding) else { continue };
        if binding.action == Action::Palette {
            continue;
        }
        let keys: Vec<String> = binding.keys.iter().map(|key| key.name()).collect();
        let same = |c: &&mut Choice| c.group == binding.group && c.what == binding.what;
        match choices.iter_mut().find(same) {
            Some(before) => before.keys.push_str(&format!(" {}", keys.join(" "))),
            None => choices.push(Choice {
                group: binding.group,
                what: binding.what,
                keys: keys.join(" "),
                action: binding.action,
                context,
                why_not: why_not(context, binding.action),
            }),
        }
    }
    choices.sort_by_key(|choice| only_moves(choice.action));
    choices
}

/// Whether an action is nothing to look up by its name.
fn only_moves(action: Action) -> bool {
    match action {
        Action::Move(_) | Action::Back => true,
        Action::Pane(action) => matches!(
            action,
            PaneAction::Left | PaneAction::Right | PaneAction::Next | PaneAction::Previous
        ),
        Action::Overlay(_) | Action::Field(_) | Action::Palette | Action::Stop | Action::Quit => {
            false
        }
    }
}
