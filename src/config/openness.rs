//! Files that hold secrets and that others on the same machine can read.

use super::error::shown_path;
use super::masking::names_secret;
use super::variables::SHORTEST;
use crate::domain::{ServerSpec, Transport};
use secrecy::ExposeSecret as _;
use std::path::Path;

/// What to say of a file of servers that others can read although it holds secrets.
pub(super) fn note(path: &Path, servers: &[ServerSpec]) -> Option<String> {
    let told = servers.iter().any(holds_secret) && is_open_to_others(path);
    let shown = shown_path(path);
    told.then(|| {
        format!(
            "{shown}: it holds secrets, and others on this machine can read it; `chmod 600` closes \
             it, and ${{NAME}} takes a secret from the environment instead"
        )
    })
}

/// Whether an entry holds a secret in itself. What comes from the environment does not stand in
/// the file.
fn holds_secret(spec: &ServerSpec) -> bool {
    let pairs = match &spec.transport {
        Transport::InProcess => return false,
        Transport::Stdio { env, .. } => env,
        Transport::Http { headers, .. } => headers,
    };
    let of_environment = |value: &str| {
        let stands = |variable: &str| variable.len() >= SHORTEST && value.contains(variable);
        spec.variables.iter().any(|(_, variable)| stands(variable.expose_secret()))
    };
    pairs.iter().any(|(name, value)| {
        let value = value.expose_secret();
        names_secret(name) && !value.is_empty() && !of_environment(value)
    })
}

#[cfg(unix)]
fn is_open_to_others(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    const READABLE: u32 = 0o044;
    std::fs::metadata(path).is_ok_and(|file| file.permissions().mode() & READABLE != 0)
}

#[cfg(not(unix))]
fn is_open_to_others(_: &Path) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use crate::config::load_servers;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_file_with_secrets_that_others_can_read_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("servers.json");
        let notes = |entry: &str, mode: u32| {
            let text = format!(r#"{{"mcpServers": {{"a": {entry}}}}}"#);
            std::fs::write(&path, text).expect("written");
            let mode = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(&path, mode).expect("a mode");
            load_servers(&path).expect("servers").notes
        };
        let secret = r#"{"url": "http://h/", "headers": {"Authorization": "Bearer CANARY"}}"#;
        let told = notes(secret, 0o644);
        assert!(told.len() == 1 && told[0].contains("chmod 600"), "{told:?}");
        assert!(!told[0].contains("CANARY"));
        assert_eq!(notes(secret, 0o600), [""; 0]);
        let variable = r#"{"url": "http://h/", "headers": {"Authorization": "${PATH}"}}"#;
        assert_eq!(notes(variable, 0o644), [""; 0]);
        assert_eq!(notes(r#"{"command": "x", "env": {"PAGER": "cat"}}"#, 0o644), [""; 0]);
        assert_eq!(notes(r#"{"command": "x", "env": {"API_KEY": "k"}}"#, 0o640).len(), 1);
    }
}
