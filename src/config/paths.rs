//! Where this program's files are.

use super::ConfigError;
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

/// The environment variable that puts every file of this program below one folder:
/// `settings.toml` and `servers.json` directly in it, the rest in `data/` and `cache/`.
/// An empty value counts as absent.
pub const HOME_VARIABLE: &str = "VESTIBULE_HOME";

/// The folders of this program. A value, not a global: whoever needs it is given it.
///
/// | | Linux | macOS | Windows |
/// |---|---|---|---|
/// | settings, servers | `~/.config/vestibule` | `~/Library/Application Support/vestibule` | `%APPDATA%\vestibule\config` |
/// | audit | `~/.local/share/vestibule` | the same | `%LOCALAPPDATA%\vestibule\data` |
/// | what may be deleted | `~/.cache/vestibule` | `~/Library/Caches/vestibule` | `%LOCALAPPDATA%\vestibule\cache` |
///
/// Linux follows the XDG base directory variables. Nothing is created here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    config: PathBuf,
    data: PathBuf,
    cache: PathBuf,
}

impl Paths {
    /// The folders as [`HOME_VARIABLE`] or the platform has them.
    ///
    /// # Errors
    /// [`ConfigError::NoHome`] when neither says where they are.
    pub fn find() -> Result<Self, ConfigError> {
        Self::find_with(std::env::var_os(HOME_VARIABLE))
    }

    fn find_with(home: Option<OsString>) -> Result<Self, ConfigError> {
        if let Some(home) = home.filter(|home| !home.is_empty()) {
            return Ok(Self::under(&home));
        }
        let found =
            directories::ProjectDirs::from("", "", "vestibule").ok_or(ConfigError::NoHome)?;
        Ok(Self {
            config: found.config_dir().to_owned(),
            data: found.data_local_dir().to_owned(),
            cache: found.cache_dir().to_owned(),
        })
    }

    /// All of them below one folder. A relative one is taken from the current folder, now.
    pub fn under(folder: impl AsRef<Path>) -> Self {
        let folder = folder.as_ref();
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        Self { data: folder.join("data"), cache: folder.join("cache"), config: folder }
    }

    /// The folder of `settings.toml`, `servers.json` and `keys.toml`.
    pub fn config_folder(&self) -> &Path {
        &self.config
    }

    /// The settings.
    pub fn settings_file(&self) -> PathBuf {
        self.config.join("settings.toml")
    }

    /// The user's own servers.
    pub fn servers_file(&self) -> PathBuf {
        self.config.join("servers.json")
    }

    /// The user's own keys.
    pub fn keys_file(&self) -> PathBuf {
        self.config.join("keys.toml")
    }

    /// Where the audit is kept (`audit.jsonl`, `audit.head`).
    pub fn audit_folder(&self) -> &Path {
        &self.data
    }

    /// What may be deleted at any time: which era a server spoke last.
    pub fn cache_folder(&self) -> &Path {
        &self.cache
    }
}

/// The user's home folder, for `~` in a `cwd`.
pub(super) fn home_folder() -> Option<PathBuf> {
    directories::BaseDirs::new().map(|dirs| dirs.home_dir().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_puts_all_of_them_below_one_folder() {
        let root = tempfile::tempdir().unwrap();
        let paths = Paths::find_with(Some(root.path().into())).unwrap();
        assert_eq!(paths, Paths::under(root.path()));
        for path in [
            paths.settings_file(),
            paths.servers_file(),
            paths.keys_file(),
            paths.config_folder().to_owned(),
            paths.audit_folder().to_owned(),
            paths.cache_folder().to_owned(),
        ] {
            assert!(path.starts_with(root.path()), "{path:?}");
        }
        assert!(paths.servers_file().ends_with("servers.json"));
        assert!(!paths.audit_folder().exists(), "nothing is created");
    }

    #[test]
    fn a_relative_folder_is_made_absolute_and_an_empty_one_ignored() {
        assert!(Paths::under("here").settings_file().is_absolute());
        let by_platform = Paths::find_with(None);
        assert_eq!(Paths::find_with(Some(OsString::new())).ok(), by_platform.ok());
    }
}
