//! Roles and their styles.
//!
//! By default only the terminal's own default and its sixteen colours are used, so every scheme the
//! user has chosen stays legible. Nothing is told by colour alone: marks, words and modifiers say
//! it too.

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// The terminal's own colours, with a few of its sixteen for emphasis.
    #[default]
    Terminal,
    /// Light text on a dark ground of our own.
    Dark,
    /// Dark text on a light ground of our own.
    Light,
    /// No colours, modifiers only.
    None,
}

/// The colours of a theme.
struct Colours {
    /// Text and ground, where they are not the terminal's.
    own: Option<(Color, Color)>,
    dim: Option<Color>,
    mark: Color,
    good: Color,
    warn: Color,
    bad: Color,
    key: Color,
}

/// Colours of the terminal, whatever they are.
const TERMINAL: Colours = Colours {
    own: None,
    dim: None,
    mark: Color::Magenta,
    good: Color::Green,
    warn: Color::Yellow,
    bad: Color::Red,
    key: Color::Cyan,
};

/// Fixed colours out of the 240 that terminals agree on.
const DARK: Colours = Colours {
    own: Some((Color::Indexed(252), Color::Indexed(234))),
    dim: Some(Color::Indexed(247)),
    mark: Color::Indexed(213),
    good: Color::Indexed(114),
    warn: Color::Indexed(221),
    bad: Color::Indexed(210),
    key: Color::Indexed(80),
};

/// The same, on a light ground.
const LIGHT: Colours = Colours {
    own: Some((Color::Indexed(235), Color::Indexed(255))),
    dim: Some(Color::Indexed(241)),
    mark: Color::Indexed(127),
    good: Color::Indexed(22),
    warn: Color::Indexed(94),
    bad: Color::Indexed(124),
    key: Color::Indexed(24),
};

impl Theme {
    /// All themes.
    pub const ALL: [Self; 4] = [Self::Terminal, Self::Dark, Self::Light, Self::None];

    /// The terminal's colours, or none (`NO_COLOR`).
    pub fn new(colours: bool) -> Self {
        if colours { Self::Terminal } else { Self::None }
    }

    fn colours(self) -> Option<&'static Colours> {
        match self {
            Self::Terminal => Some(&TERMINAL),
            Self::Dark => Some(&DARK),
            Self::Light => Some(&LIGHT),
            Self::None => None,
        }
    }

    /// The style of the whole screen, under everything.
    pub fn base(self) -> Style {
        match self.colours().and_then(|colours| colours.own) {
            Some((text, ground)) => Style::new().fg(text).bg(ground),
            None => Style::new(),
        }
    }

    /// The style of a role, to be patched over what is there.
    pub fn style(self, role: Role) -> Style {
        let colours = self.colours();
        let (colour, modifiers) = match role {
            Role::Plain | Role::Frame => (None, Modifier::empty()),
            Role::Label | Role::SelectedElsewhere => (None, Modifier::BOLD),
            Role::Dim => match colours.and_then(|colours| colours.dim) {
                // How dim a terminal makes a colour of ours is unknown.
                Some(dim) => (Some(dim), Modifier::empty()),
                None => (None, Modifier::DIM),
            },
            Role::Mark => (colours.map(|c| c.mark), Modifier::BOLD),
            Role::Good => (colours.map(|c| c.good), Modifier::empty()),
            Role::Warn => (colours.map(|c| c.warn), Modifier::empty()),
            Role::Bad => (colours.map(|c| c.bad), Modifier::BOLD),
            Role::Selected => (None, Modifier::REVERSED),
            Role::Match => (None, Modifier::BOLD.union(Modifier::UNDERLINED)),
            Role::Key | Role::FrameFocused => (colours.map(|c| c.key), Modifier::BOLD),
        };
        let style = Style::new().add_modifier(modifiers);
        colour.map_or(style, |colour| style.fg(colour))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROLES: [Role; 13] = [
        Role::Plain,
        Role::Label,
        Role::Dim,
        Role::Mark,
        Role::Good,
        Role::Warn,
        Role::Bad,
        Role::Selected,
        Role::SelectedElsewhere,
        Role::Match,
        Role::Key,
        Role::Frame,
        Role::FrameFocused,
    ];

    #[test]
    fn without_colours_no_role_has_one_and_marks_still_stand_out() {
        for role in ROLES {
            let style = Theme::None.style(role);
            assert_eq!((style.fg, style.bg), (None, None), "{role:?}");
        }
        for role in [Role::Mark, Role::Bad, Role::Key, Role::FrameFocused] {
            assert_ne!(Theme::None.style(role).add_modifier, Modifier::empty(), "{role:?}");
        }
        assert_eq!(Theme::None.base(), Style::new());
    }

    #[test]
    fn the_terminals_own_theme_has_no_ground_and_no_colour_of_a_ground() {
        assert_eq!(Theme::Terminal.base(), Style::new());
        for role in ROLES {
            let style = Theme::Terminal.style(role);
            assert_eq!(style.bg, None, "{role:?}");
            // Black or white would vanish on one of the two grounds; so would the greys.
            let named = [Color::Magenta, Color::Green, Color::Yellow, Color::Red, Color::Cyan];
            assert!(style.fg.is_none_or(|fg| named.contains(&fg)), "{role:?}: {style:?}");
        }
    }

    /// The brightness of a fixed colour, from 0 to 1, as contrast is reckoned with.
    fn brightness(colour: Color) -> f64 {
        let Color::Indexed(n @ 16..) = colour else { panic!("{colour:?} is not fixed") };
        let level = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
        let rgb = match n {
            232.. => [8 + 10 * (n - 232); 3],
            _ => [level((n - 16) / 36), level((n - 16) / 6 % 6), level((n - 16) % 6)],
        };
        let linear = rgb.map(|value| {
            let value = f64::from(value) / 255.0;
            if value <= 0.03928 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    #[test]
    fn every_role_can_be_read_on_a_ground_of_our_own() {
        for theme in [Theme::Dark, Theme::Light] {
            let ground = brightness(theme.base().bg.expect("a ground"));
            for role in ROLES {
                let style = theme.base().patch(theme.style(role));
                let text = brightness(style.fg.expect("a colour"));
                let contrast = (text.max(ground) + 0.05) / (text.min(ground) + 0.05);
                assert!(contrast >= 4.5, "{role:?} in {theme:?}: {contrast:.1}");
            }
        }
    }
}
