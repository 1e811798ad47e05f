//! Roles and their styles.
//!
//! Only the terminal's own default and its sixteen colours are used, so every scheme the user has
//! chosen stays legible. Nothing is told by colour alone: marks, words and modifiers say it too.

use ratatui::style::{Color, Modifier, Style};

/// What a piece of text on the screen is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Ordinary text, in the terminal's own colours.
    Plain,
    /// The name of a field, or a heading.
    Label,
    /// Of less interest.
    Dim,
    /// A hidden character made visible.
    Mark,
    /// All is well.
    Good,
    /// Under way, or worth a look.
    Warn,
    /// Something failed.
    Bad,
    /// The row that is selected, in the pane that has the keys.
    Selected,
    /// The row that is selected, in another pane.
    SelectedElsewhere,
    /// Letters that match the filter.
    Match,
    /// A key that can be pressed.
    Key,
    /// The frame of a pane.
    Frame,
    /// The frame of the pane that has the keys.
    FrameFocused,
}

impl Role {
    /// The role of a row in a list: selected or not, in the pane that has the keys or not.
    pub fn of_row(selected: bool, focused: bool) -> Self {
        match (selected, focused) {
            (true, true) => Self::Selected,
            (true, false) => Self::SelectedElsewhere,
            (false, _) => Self::Plain,
        }
    }
}

/// Styles for all roles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    colours: bool,
}

impl Theme {
    /// With colours, or with modifiers only (`NO_COLOR`).
    pub fn new(colours: bool) -> Self {
        Self { colours }
    }

    /// The style of a role, to be patched over what is there.
    pub fn style(self, role: Role) -> Style {
        let plain = Style::new();
        let (colour, modifiers) = match role {
            Role::Plain | Role::Frame => (None, Modifier::empty()),
            Role::Label => (None, Modifier::BOLD),
            Role::Dim => (None, Modifier::DIM),
            Role::Mark => (Some(Color::Magenta), Modifier::BOLD),
            Role::Good => (Some(Color::Green), Modifier::empty()),
            Role::Warn => (Some(Color::Yellow), Modifier::empty()),
            Role::Bad => (Some(Color::Red), Modifier::BOLD),
            Role::Selected => (None, Modifier::REVERSED),
            Role::SelectedElsewhere => (None, Modifier::BOLD),
            Role::Match => (None, Modifier::BOLD.union(Modifier::UNDERLINED)),
            Role::Key | Role::FrameFocused => (Some(Color::Cyan), Modifier::BOLD),
        };
        let style = plain.add_modifier(modifiers);
        match colour {
            Some(colour) if self.colours => style.fg(colour),
            Some(_) | None => style,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_colours_no_role_has_one_and_marks_still_stand_out() {
        let theme = Theme::new(false);
        for role in [Role::Mark, Role::Bad, Role::Key, Role::FrameFocused] {
            let style = theme.style(role);
            assert_eq!((style.fg, style.bg), (None, None), "{role:?}");
            assert_ne!(style.add_modifier, Modifier::empty(), "{role:?}");
        }
    }
}
