//! The one table of keys. The help page, the hints in the bar and the README's table are made
//! from it.

mod bindings;

pub use bindings::BINDINGS;

use super::msg::Action;
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
    /// The arguments of a tool as JSON.
    Json,
    /// The field for the name of a file.
    Save,
    /// The list of all actions.
    Palette,
    /// A page over everything: help or notices.
    Page,
    /// The choice of a link.
    Links,
    /// The question before something that wants a yes.
    Confirm,
    /// The question before a call of a tool.
    Call,
    /// The question whether to leave although something runs.
    Quit,
}

impl Context {
    /// Every context, in the order of the help page.
    pub const ALL: [Self; 13] = [
        Self::Servers,
        Self::List,
        Self::Preview,
        Self::Filter,
        Self::Form,
        Self::Json,
        Self::Save,
        Self::Palette,
        Self::Page,
        Self::Links,
        Self::Confirm,
        Self::Call,
        Self::Quit,
    ];

    /// Whether letters are typed into a field here.
    pub fn is_text(self) -> bool {
        matches!(self, Self::Filter | Self::Form | Self::Json | Self::Save | Self::Palette)
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

/// Under which heading a key stands on the help page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Group {
    /// In every pane.
    Everywhere,
    /// What is done with servers.
    Servers,
    /// What is done in the list.
    List,
    /// What is done with one item.
    Content,
    /// The field for the filter.
    Filter,
    /// The form of a prompt.
    Form,
    /// The field for the name of a file.
    Save,
    /// The list of all actions.
    Palette,
    /// The pages over everything.
    Page,
    /// The questions.
    Question,
}

impl Group {
    /// All, in the order of the help page.
    pub const ALL: [Self; 10] = [
        Self::Everywhere,
        Self::Servers,
        Self::List,
        Self::Content,
        Self::Filter,
        Self::Form,
        Self::Save,
        Self::Palette,
        Self::Page,
        Self::Question,
    ];

    /// Its heading.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Everywhere => "Everywhere",
            Self::Servers => "Servers",
            Self::List => "List",
            Self::Content => "Content and details",
            Self::Filter => "Filter",
            Self::Form => "Form",
            Self::Save => "Name of a file",
            Self::Palette => "Actions",
            Self::Page => "Help and notices",
            Self::Question => "Question",
        }
    }
}

/// One line of the table.
#[derive(Debug, Clone, Copy)]
pub struct Binding {
    /// Its heading on the help page.
    pub group: Group,
    /// The keys that do it; none for what only the list of actions offers.
    pub keys: &'static [Key],
    /// What they do.
    pub action: Action,
    /// Where they do it.
    pub contexts: &'static [Context],
    /// What that is, for the help page.
    pub what: &'static str,
}

/// What a key means in a context.
pub fn action(context: Context, key: Key) -> Option<Action> {
    BINDINGS
        .iter()
        .find(|b| b.contexts.contains(&context) && b.keys.contains(&key))
        .map(|b| b.action)
}

/// The first key that does something in a context, by its name for a person.
pub fn key_for(context: Context, action: Action) -> Option<String> {
    let binding = BINDINGS.iter().find(|b| b.contexts.contains(&context) && b.action == action)?;
    binding.keys.first().map(|key| key.name())
}

fn with_keys() -> impl Iterator<Item = &'static Binding> {
    BINDINGS.iter().filter(|binding| !binding.keys.is_empty())
}

/// All keys and what they do, by heading, for the help page and the README. Lines of a heading
/// that do the same are one.
pub fn table() -> Vec<(Group, Vec<(String, &'static str)>)> {
    Group::ALL
        .into_iter()
        .map(|group| {
            let mut rows: Vec<(Vec<String>, &'static str)> = Vec::new();
            for binding in with_keys().filter(|b| b.group == group) {
                let names = binding.keys.iter().map(|key| key.name());
                match rows.iter_mut().find(|(_, what)| *what == binding.what) {
                    Some((keys, _)) => {
                        let new: Vec<_> = names.filter(|name| !keys.contains(name)).collect();
                        keys.extend(new);
                    }
                    None => rows.push((names.collect(), binding.what)),
                }
            }
            (group, rows.into_iter().map(|(keys, what)| (keys.join(" "), what)).collect())
        })
        .collect()
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
    fn the_table_names_each_thing_once_under_its_heading() {
        for (group, rows) in table() {
            assert!(!rows.is_empty(), "{group:?}");
            let mut whats: Vec<_> = rows.iter().map(|(_, what)| what).collect();
            whats.sort_unstable();
            whats.dedup();
            assert_eq!(whats.len(), rows.len(), "{group:?}");
        }
        let everywhere = table().into_iter().next().map(|(_, rows)| rows).unwrap_or_default();
        assert!(everywhere.contains(&("↑ k".into(), "one row up")), "{everywhere:?}");
        assert!(everywhere.contains(&("q Ctrl-C".into(), "quit")), "{everywhere:?}");
    }
}
