//! The one table of keys. The help page, the hints in the bar and the README's table are made
//! from it.

use super::msg::{Action, FieldAction, PaneAction, Step};
use super::state::{Overlay, Tab};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Who has the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Context {
    /// The pane of servers.
    Servers,
    /// The pane of resources, prompts and tools.
    List,
    /// The pane that shows one item.
    Preview,
    /// The field for the filter.
    Filter,
    /// The form of a prompt.
    Form,
    /// A page over everything: help or notices.
    Page,
    /// The question whether to leave although something runs.
    Quit,
}

impl Context {
    /// Every context, in the order of the help page.
    pub const ALL: [Self; 7] = [
        Self::Servers,
        Self::List,
        Self::Preview,
        Self::Filter,
        Self::Form,
        Self::Page,
        Self::Quit,
    ];

    /// Whether letters are typed into a field here.
    pub fn is_text(self) -> bool {
        matches!(self, Self::Filter | Self::Form)
    }
}

/// One key, with its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key(pub KeyCode, pub KeyModifiers);

impl Key {
    const fn char(c: char) -> Self {
        Self(KeyCode::Char(c), KeyModifiers::NONE)
    }
    const fn ctrl(c: char) -> Self {
        Self(KeyCode::Char(c), KeyModifiers::CONTROL)
    }
    const fn plain(code: KeyCode) -> Self {
        Self(code, KeyModifiers::NONE)
    }

    /// The key of an event, with the shift taken out where the key itself already says it.
    pub fn of(event: &KeyEvent) -> Self {
        let said = matches!(event.code, KeyCode::Char(_) | KeyCode::BackTab);
        let shift = if said { KeyModifiers::SHIFT } else { KeyModifiers::NONE };
        Self(event.code, event.modifiers.difference(shift))
    }

    /// Its name for a person: `Ctrl-D`, `PgUp`, `j`.
    #[expect(clippy::wildcard_enum_match_arm, reason = "another crate's enum of many keys")]
    pub fn name(self) -> String {
        let base = match self.0 {
            KeyCode::Char(' ') => "Space".into(),
            KeyCode::Char(c) if self.1.contains(KeyModifiers::CONTROL) => {
                c.to_ascii_uppercase().to_string()
            }
            KeyCode::Char(c) => c.to_string(),
            KeyCode::Up => "↑".into(),
            KeyCode::Down => "↓".into(),
            KeyCode::Left => "←".into(),
            KeyCode::Right => "→".into(),
            KeyCode::PageUp => "PgUp".into(),
            KeyCode::PageDown => "PgDn".into(),
            KeyCode::BackTab => "Shift-Tab".into(),
            other => other.to_string(),
        };
        if self.1.contains(KeyModifiers::CONTROL) { format!("Ctrl-{base}") } else { base }
    }
}

/// One line of the table.
#[derive(Debug, Clone, Copy)]
pub struct Binding {
    /// The keys that do it.
    pub keys: &'static [Key],
    /// What they do.
    pub action: Action,
    /// Where they do it.
    pub contexts: &'static [Context],
    /// What that is, for the help page.
    pub what: &'static str,
    /// What that is, in a word or two for the bar; empty where the bar need not say it.
    pub hint: &'static str,
}

use Context::{Filter, Form, List, Page, Preview, Quit, Servers};

const PANES: &[Context] = &[Servers, List, Preview];
const LISTS: &[Context] = &[Servers, List];
const MOVING: &[Context] = &[Servers, List, Preview, Page];
const ARROWS: &[Context] = &[Servers, List, Preview, Page, Filter];

const fn bind(
    keys: &'static [Key],
    action: Action,
    contexts: &'static [Context],
    what: &'static str,
    hint: &'static str,
) -> Binding {
    Binding { keys, action, contexts, what, hint }
}

/// The table.
pub const BINDINGS: &[Binding] = &[
    bind(
        &[Key::plain(KeyCode::Enter)],
        Action::Pane(PaneAction::Open),
        PANES,
        "open: read a resource, fill in or run a prompt; on a server: its list",
        "open",
    ),
    bind(&[Key::char('/')], Action::Pane(PaneAction::Filter), LISTS, "filter the list", "filter"),
    bind(
        &[Key::char('d')],
        Action::Pane(PaneAction::Details),
        PANES,
        "between content and details",
        "details",
    ),
    bind(
        &[Key::plain(KeyCode::Tab)],
        Action::Pane(PaneAction::Next),
        PANES,
        "to the next pane",
        "pane",
    ),
    bind(
        &[Key::plain(KeyCode::BackTab)],
        Action::Pane(PaneAction::Previous),
        PANES,
        "to the pane before",
        "",
    ),
    bind(
        &[Key::char('1')],
        Action::Pane(PaneAction::Show(Tab::Resources)),
        PANES,
        "list resources and templates",
        "",
    ),
    bind(
        &[Key::char('2')],
        Action::Pane(PaneAction::Show(Tab::Prompts)),
        PANES,
        "list prompts",
        "",
    ),
    bind(&[Key::char('3')], Action::Pane(PaneAction::Show(Tab::Tools)), PANES, "list tools", ""),
    bind(
        &[Key::char('?'), Key::plain(KeyCode::F(1))],
        Action::Overlay(Overlay::Help),
        &[Servers, List, Preview, Page],
        "all keys; again: close",
        "keys",
    ),
    bind(&[Key::char('q'), Key::ctrl('c')], Action::Quit, PANES, "quit", "quit"),
    bind(
        &[Key::plain(KeyCode::Esc)],
        Action::Back,
        PANES,
        "one step back: stop a read, clear the filter, leave the pane; never quits",
        "",
    ),
    bind(&[Key::plain(KeyCode::Up)], Action::Move(Step::Up), ARROWS, "one row up", ""),
    bind(&[Key::char('k')], Action::Move(Step::Up), MOVING, "one row up", ""),
    bind(&[Key::plain(KeyCode::Down)], Action::Move(Step::Down), ARROWS, "one row down", ""),
    bind(&[Key::char('j')], Action::Move(Step::Down), MOVING, "one row down", ""),
    bind(
        &[Key::plain(KeyCode::PageUp), Key::ctrl('b')],
        Action::Move(Step::PageUp),
        MOVING,
        "one page up",
        "",
    ),
    bind(
        &[Key::plain(KeyCode::PageDown), Key::ctrl('f')],
        Action::Move(Step::PageDown),
        MOVING,
        "one page down",
        "",
    ),
    bind(&[Key::ctrl('u')], Action::Move(Step::HalfUp), MOVING, "half a page up", ""),
    bind(&[Key::ctrl('d')], Action::Move(Step::HalfDown), MOVING, "half a page down", ""),
    bind(
        &[Key::plain(KeyCode::Home), Key::char('g')],
        Action::Move(Step::Home),
        MOVING,
        "to the beginning",
        "",
    ),
    bind(
        &[Key::plain(KeyCode::End), Key::char('G')],
        Action::Move(Step::End),
        MOVING,
        "to the end",
        "",
    ),
    bind(
        &[Key::plain(KeyCode::Left), Key::char('h')],
        Action::Pane(PaneAction::Left),
        PANES,
        "to the pane on the left",
        "",
    ),
    bind(
        &[Key::plain(KeyCode::Right), Key::char('l')],
        Action::Pane(PaneAction::Right),
        PANES,
        "to the pane on the right",
        "",
    ),
    bind(
        &[Key::char('r')],
        Action::Pane(PaneAction::Refresh),
        PANES,
        "list everything of this server again",
        "",
    ),
    bind(&[Key::char('c')], Action::Pane(PaneAction::Connect), PANES, "connect this server", ""),
    bind(
        &[Key::char('x')],
        Action::Pane(PaneAction::Disconnect),
        PANES,
        "disconnect this server",
        "",
    ),
    bind(
        &[Key::char('e')],
        Action::Pane(PaneAction::Noise),
        PANES,
        "this server's standard error and stray output",
        "",
    ),
    bind(
        &[Key::char('n')],
        Action::Overlay(Overlay::Notices),
        &[Servers, List, Preview, Page],
        "all notices; again: close",
        "",
    ),
    bind(
        &[Key::plain(KeyCode::Enter)],
        Action::Field(FieldAction::Accept),
        &[Filter],
        "keep the filter and go to the list",
        "keep",
    ),
    bind(&[Key::plain(KeyCode::Esc)], Action::Back, &[Filter], "clear the filter", "clear"),
    bind(
        &[Key::plain(KeyCode::Enter), Key::plain(KeyCode::F(5))],
        Action::Field(FieldAction::Accept),
        &[Form],
        "run the prompt",
        "run",
    ),
    bind(
        &[Key::plain(KeyCode::Tab), Key::plain(KeyCode::Down)],
        Action::Field(FieldAction::Next),
        &[Form],
        "to the next field",
        "next",
    ),
    bind(
        &[Key::plain(KeyCode::BackTab), Key::plain(KeyCode::Up)],
        Action::Field(FieldAction::Previous),
        &[Form],
        "to the field before",
        "",
    ),
    bind(
        &[Key::ctrl('e')],
        Action::Field(FieldAction::SendEmpty),
        &[Form],
        "send this optional field empty, or leave it out",
        "send empty",
    ),
    bind(
        &[Key::ctrl('u')],
        Action::Field(FieldAction::Clear),
        &[Form, Filter],
        "empty the field",
        "",
    ),
    bind(&[Key::plain(KeyCode::Esc)], Action::Back, &[Form], "close the form", "close"),
    bind(&[Key::ctrl('c')], Action::Quit, &[Form, Filter, Page], "quit", ""),
    bind(
        &[Key::plain(KeyCode::Esc), Key::char('q')],
        Action::Back,
        &[Page],
        "close this page",
        "close",
    ),
    bind(&[Key::char('q'), Key::ctrl('c')], Action::Quit, &[Quit], "quit all the same", "quit"),
    bind(&[Key::plain(KeyCode::Esc)], Action::Back, &[Quit], "stay", "stay"),
];

/// What a key means in a context.
pub fn action(context: Context, key: Key) -> Option<Action> {
    BINDINGS
        .iter()
        .find(|b| b.contexts.contains(&context) && b.keys.contains(&key))
        .map(|b| b.action)
}

/// Keys and their words for the bar, the most useful first.
pub fn hints(context: Context) -> impl Iterator<Item = (String, &'static str)> {
    BINDINGS
        .iter()
        .filter(move |b| !b.hint.is_empty() && b.contexts.contains(&context))
        .filter_map(|b| Some((b.keys.first()?.name(), b.hint)))
}

/// The names of the keys of one line, for a table.
fn names(binding: &Binding) -> String {
    binding.keys.iter().map(|k| k.name()).collect::<Vec<_>>().join(" ")
}

/// All keys and what they do, for the help page and the README. Lines that differ only in where
/// they hold are one.
pub fn table() -> Vec<(String, String)> {
    let mut rows: Vec<(String, String)> = Vec::new();
    for binding in BINDINGS {
        let what = match binding.contexts {
            [Filter] => format!("filter: {}", binding.what),
            [Form] => format!("form: {}", binding.what),
            [Form, Filter] => format!("field: {}", binding.what),
            [Page] => format!("help, notices: {}", binding.what),
            [Quit] => format!("question: {}", binding.what),
            [Form, Filter, Page] => continue,
            _ => binding.what.to_owned(),
        };
        match rows.iter_mut().find(|(_, w)| *w == what) {
            Some((keys, _)) => {
                keys.push(' ');
                keys.push_str(&names(binding));
            }
            None => rows.push((names(binding), what)),
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn no_key_means_two_things_in_one_place() {
        let mut seen = HashMap::new();
        for binding in BINDINGS {
            for context in binding.contexts {
                for key in binding.keys {
                    let before = seen.insert((*context, *key), binding.what);
                    assert_eq!(before, None, "{} in {context:?}", key.name());
                }
            }
        }
    }

    #[test]
    fn every_context_has_a_way_back_and_a_way_out() {
        for context in Context::ALL {
            let back = action(context, Key::plain(KeyCode::Esc));
            assert_eq!(back, Some(Action::Back), "{context:?}");
            assert_eq!(action(context, Key::ctrl('c')), Some(Action::Quit), "{context:?}");
        }
    }

    #[test]
    fn no_letter_is_a_command_where_text_is_typed() {
        for context in Context::ALL.into_iter().filter(|c| c.is_text()) {
            for c in (' '..='~').chain(['ä', '漢']) {
                assert_eq!(action(context, Key::char(c)), None, "{c:?} in {context:?}");
            }
        }
    }

    #[test]
    fn the_table_names_each_thing_once() {
        let table = table();
        let mut whats: Vec<_> = table.iter().map(|(_, what)| what).collect();
        whats.sort_unstable();
        whats.dedup();
        assert_eq!(whats.len(), table.len());
        assert!(table.iter().any(|(k, w)| k == "↑ k" && w == "one row up"), "{table:?}");
    }
}
