//! The settings file.

use super::error::escaped;
use super::servers::read_bounded;
use super::{ConfigError, Limits, Place, SamplingSettings, ScreenSettings};
use serde::Deserialize;
use std::path::Path;

/// Every setting with its unit and default, each line commented out: what a new `settings.toml`
/// holds and what the reference shows.
pub const DEFAULT_SETTINGS: &str = include_str!("../../assets/settings.toml");

/// What `settings.toml` says. Whatever it does not say has its default.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Bounds on reading and listing.
    pub limits: Limits,
    /// How the screen is.
    pub screen: ScreenSettings,
    /// Bounds on sampling.
    pub sampling: SamplingSettings,
}

impl Settings {
    /// Reads the file; one that is not there means the defaults.
    ///
    /// # Errors
    /// [`ConfigError`] when the file is there and cannot be read, or says something that is not
    /// understood: an unknown key is an error, so that a misspelt limit is not silently absent.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        match read_bounded(path) {
            Ok(text) => Self::read(&text, path),
            Err(error) if error.is_missing() => Ok(Self::default()),
            Err(error) => Err(error),
        }
    }

    /// Reads settings from text; `source` is named in errors.
    ///
    /// # Errors
    /// [`ConfigError::Syntax`] with the line at fault.
    pub fn read(text: &str, source: &Path) -> Result<Self, ConfigError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        toml::from_str(text).map_err(|error: toml::de::Error| ConfigError::Syntax {
            place: Place::at(source, text, error.span().map_or(0, |span| span.start)),
            message: escaped(error.message()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{collections::BTreeSet, fs};

    fn uncommented() -> String {
        DEFAULT_SETTINGS
            .lines()
            .filter(|line| !line.starts_with("# ") && *line != "#")
            .map(|line| line.strip_prefix('#').unwrap_or(line))
            .fold(String::new(), |text, line| text + line + "\n")
    }

    /// The names that a table accepts, as its own error lists them.
    fn accepted(table: &str) -> BTreeSet<String> {
        let text = format!("[{table}]\nnothing_of_this_name = 1");
        let error = toml::from_str::<Settings>(&text).unwrap_err();
        error.message().split('`').skip(3).step_by(2).map(str::to_owned).collect()
    }

    #[test]
    fn the_commented_file_changes_nothing() {
        let settings = Settings::read(DEFAULT_SETTINGS, Path::new("settings.toml")).unwrap();
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn the_commented_file_shows_every_setting_with_its_default() {
        let text = uncommented();
        assert_eq!(Settings::read(&text, Path::new("s")).unwrap(), Settings::default());
        let tables: toml::Table = toml::from_str(&text).unwrap();
        for (name, at_least) in [("limits", 6), ("screen", 2), ("sampling", 6)] {
            let shown: BTreeSet<String> =
                tables.get(name).and_then(|t| t.as_table()).unwrap().keys().cloned().collect();
            assert!(shown.len() >= at_least);
            assert_eq!(shown, accepted(name), "{name}");
        }
    }

    #[test]
    fn an_absent_file_means_the_defaults_and_a_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let absent = folder.path().join("settings.toml");
        assert_eq!(Settings::load(&absent).unwrap(), Settings::default());
        assert!(matches!(Settings::load(folder.path()), Err(ConfigError::Read { .. })));
        fs::write(&absent, "\u{feff}[limits]\r\nrounds = 2\r\n").unwrap();
        assert_eq!(Settings::load(&absent).unwrap().limits.rounds, 2);
        fs::write(&absent, [0x61, 0xff]).unwrap();
        assert!(matches!(Settings::load(&absent), Err(ConfigError::NotUtf8 { offset: 1, .. })));
    }

    #[test]
    fn an_error_names_file_line_and_what_is_wrong() {
        for (text, line, part) in [
            ("[limits]\n\nrounds = 0", 3, "from 1 to 1000"),
            ("[limits]\nroundz = 1", 2, "`roundz`"),
            ("[limit]\nrounds = 1", 1, "`limit`"),
            ("a = \n", 1, ""),
            ("[sampling]\ncontext = \"all\"", 2, "`reject`"),
            ("[screen]\nmouse = false\ntheme = \"solarized\"", 3, "`light`"),
            ("[screen]\nmouse = 1", 2, "boolean"),
        ] {
            let error = Settings::read(text, Path::new("here/settings.toml")).unwrap_err();
            let shown = error.to_string();
            assert!(shown.starts_with(&format!("here/settings.toml, line {line}, ")), "{shown}");
            assert!(shown.contains(part), "{shown}");
            let faulty = text.lines().nth(line - 1).unwrap().trim();
            assert!(shown.contains(faulty), "{shown}");
        }
    }
}
