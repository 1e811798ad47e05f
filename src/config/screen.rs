//! How the user wants the screen to be.

use serde::Deserialize;

/// The table `[screen]` of `settings.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ScreenSettings {
    /// The colours. Default `terminal`.
    pub theme: ThemeName,
    /// Whether the mouse is taken from the terminal from the start: the wheel scrolls and a click
    /// selects, but the terminal no longer selects text without a key held. Default no.
    pub mouse: bool,
}

/// The colours of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ThemeName {
    /// The terminal's own.
    #[default]
    Terminal,
    /// Light text on a dark ground.
    Dark,
    /// Dark text on a light ground.
    Light,
    /// None at all.
    None,
}
