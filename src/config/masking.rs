//! How a server's entry is shown to its owner: everything but the secrets.

use super::address;
use super::error::{escaped, shown_path};
use super::variables::named;
use crate::domain::{ServerSpec, Transport};
use std::ffi::OsString;

/// What stands in place of a secret, whatever its length.
const MASK: &str = "••••";

/// Parts of a name that say that its value is a secret.
const SECRET_WORDS: [&str; 8] =
    ["key", "token", "secret", "passw", "pwd", "auth", "credential", "bearer"];

/// Beginnings of well-known kinds of tokens, which are masked wherever they stand.
const TOKEN_BEGINNINGS: [&str; 9] =
    ["sk-", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "xox", "AKIA", "eyJ"];

/// A server's entry, fit to look at. Every text in it is escaped and its secrets are masked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Description {
    /// `in-process`, `stdio` or `http`.
    pub transport: &'static str,
    /// The program of a stdio server.
    pub command: Option<String>,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its folder.
    pub cwd: Option<String>,
    /// Its added variables, `NAME=••••`.
    pub env: Vec<String>,
    /// The address of an HTTP server.
    pub url: Option<String>,
    /// Its headers, `Name: ••••`.
    pub headers: Vec<String>,
    /// Where the entry was read.
    pub source: String,
}

/// Describes a server's entry without its secrets.
///
/// Masked are: values of variables and headers, user-info and query values and the fragment of
/// addresses, arguments that follow or belong to a flag whose name speaks of a key, token, secret
/// or password, and texts that begin like well-known tokens. A secret in a plain argument that
/// nothing gives away is not recognised: it belongs into `env`.
pub fn describe(spec: &ServerSpec) -> Description {
    let mut shown = Description {
        transport: spec.transport.label(),
        source: escaped(&spec.source),
        ..Description::default()
    };
    let named = |text: &str| named(text, &spec.variables);
    match &spec.transport {
        Transport::InProcess => {}
        Transport::Stdio { command, args, env, cwd } => {
            shown.command = Some(escaped(&mask_text(&named(command))));
            let args: Vec<String> = args.iter().map(|arg| named(arg)).collect();
            shown.args = mask_args(&args);
            shown.cwd = cwd.as_deref().map(|cwd| named(&shown_path(cwd)));
            shown.env = env.iter().map(|(name, _)| format!("{}={MASK}", escaped(name))).collect();
        }
        Transport::Http { url, headers, .. } => {
            shown.url = Some(mask_url(&named(url)));
            shown.headers =
                headers.iter().map(|(name, _)| format!("{}: {MASK}", escaped(name))).collect();
        }
    }
    shown
}

/// A text in which the values of the variables that an entry used are their names again.
pub fn with_names(text: &str, spec: &ServerSpec) -> String {
    named(text, &spec.variables)
}

/// Variables with their values masked, sorted by name: for the environment that a stdio server
/// inherits (`std::env::vars_os()`).
pub fn mask_environment(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Vec<String> {
    let mut shown: Vec<String> = variables
        .into_iter()
        .map(|(name, _)| format!("{}={MASK}", escaped(&name.to_string_lossy())))
        .collect();
    shown.sort_unstable();
    shown
}

/// An address with user-info, query values and fragment masked, escaped.
pub fn mask_url(url: &str) -> String {
    let Some((scheme, user_info, host)) = address::split(url) else { return escaped(url) };
    let authority = user_info.map_or(0, |user| user.len() + 1) + host.len();
    let rest = url.get(scheme.len() + authority..).unwrap_or_default();
    let (rest, fragment) = match rest.split_once('#') {
        Some((rest, _)) => (rest, true),
        None => (rest, false),
    };
    let (path, query) = match rest.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (rest, None),
    };
    let mut shown = escaped(scheme);
    if user_info.is_some() {
        shown.push_str(MASK);
        shown.push('@');
    }
    shown.push_str(&escaped(host));
    shown.push_str(&escaped(path));
    if let Some(query) = query {
        let pairs: Vec<String> = query.split('&').map(mask_query_pair).collect();
        shown.push('?');
        shown.push_str(&pairs.join("&"));
    }
    if fragment {
        shown.push('#');
        shown.push_str(MASK);
    }
    shown
}

fn mask_query_pair(pair: &str) -> String {
    match pair.split_once('=') {
        Some((name, _)) => format!("{}={MASK}", escaped(name)),
        None if pair.is_empty() => String::new(),
        None => MASK.to_owned(),
    }
}

fn mask_args(args: &[String]) -> Vec<String> {
    let mut shown = Vec::with_capacity(args.len());
    let mut after_secret_flag = false;
    for arg in args {
        let flag = arg.starts_with('-');
        let names_secret = flag && !arg.contains('=') && carries_secret(arg);
        shown.push(if after_secret_flag && !names_secret {
            MASK.to_owned()
        } else {
            escaped(&mask_text(arg))
        });
        after_secret_flag = names_secret;
    }
    shown
}

/// Whether the value that follows a flag is masked. Headers and user names of `curl`'s kind count.
fn carries_secret(flag: &str) -> bool {
    names_secret(flag) || matches!(flag, "-H" | "--header" | "-u" | "--user")
}

pub(super) fn names_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    SECRET_WORDS.iter().any(|word| name.contains(word))
}

/// Masks one text: `NAME=value`, `Name: value`, addresses, well-known tokens.
fn mask_text(text: &str) -> String {
    if let Some((name, value)) = text.split_once('=')
        && !name.contains("://")
    {
        let value = if names_secret(name) { MASK.to_owned() } else { mask_plain(value) };
        return format!("{name}={value}");
    }
    if let Some((name, _)) = text.split_once(':')
        && !text.contains("://")
        && names_secret(name)
    {
        return format!("{name}: {MASK}");
    }
    mask_plain(text)
}

/// Masks what gives itself away without a name: addresses, well-known tokens.
fn mask_plain(text: &str) -> String {
    if TOKEN_BEGINNINGS.iter().any(|beginning| text.starts_with(beginning)) {
        return MASK.to_owned();
    }
    if text.contains("://") { mask_url(text) } else { text.to_owned() }
}

/// Masks, in a line of a JSON or TOML file, the quoted values whose key names a secret and the
/// quoted texts that are addresses or well-known tokens. For lines shown in errors.
pub(super) fn mask_pairs(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    let mut key_is_secret = false;
    // Every second part stands between quotes; a value is what follows a key and a colon.
    for (i, part) in line.split('"').enumerate() {
        if i > 0 {
            shown.push('"');
        }
        if i % 2 == 0 {
            key_is_secret = key_is_secret && part.trim_start().starts_with([':', '=']);
            key_is_secret = key_is_secret || (part.contains('=') && names_secret(part));
            shown.push_str(part);
        } else if key_is_secret {
            shown.push_str(MASK);
            key_is_secret = false;
        } else {
            shown.push_str(&mask_text(part));
            key_is_secret = names_secret(part);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ServerId;

    fn spec(transport: Transport) -> ServerSpec {
        ServerSpec::new(ServerId::new("s").unwrap(), transport)
    }

    #[test]
    fn no_secret_of_a_stdio_entry_is_shown() {
        let canaries = [
            "--api-key=CANARY",
            "--token",
            "CANARY",
            "--password",
            "-CANARY",
            "GITHUB_TOKEN=CANARY",
            "Authorization: Bearer CANARY",
            "--header",
            "X-Other: CANARY",
            "postgres://me:CANARY@db/x?password=CANARY",
            "--url=https://u:CANARY@h/",
            "sk-CANARY",
            "--key",
            "--secret",
            "CANARY",
        ];
        let shown = describe(&spec(Transport::Stdio {
            command: "run\x1b".into(),
            args: canaries.iter().map(|&a| a.to_owned()).chain(["plain".into()]).collect(),
            env: vec![
                ("NAME".into(), "CANARY".to_owned().into()),
                ("E".into(), "".to_owned().into()),
            ],
            cwd: Some("/tmp/a\nb".into()),
        }));
        assert!(!format!("{shown:?}").contains("CANARY"), "{shown:#?}");
        assert_eq!(shown.env, ["NAME=••••", "E=••••"]);
        assert_eq!(shown.command.as_deref(), Some("run\\u{1b}"));
        assert_eq!(shown.cwd.as_deref(), Some("/tmp/a\\nb"));
        assert_eq!(shown.args.first().map(String::as_str), Some("--api-key=••••"));
        assert_eq!(shown.args.last().map(String::as_str), Some("plain"));
        assert!(shown.args.contains(&"postgres://••••@db/x?password=••••".to_owned()));
    }

    #[test]
    fn plain_arguments_are_shown_as_they_are() {
        let args: Vec<String> =
            ["-y", "@scope/server-git", "--port=80", "/a b", "https://h/p", "C:\\x"]
                .map(str::to_owned)
                .into();
        assert_eq!(mask_args(&args), args);
        let long = ["a=".repeat(500_000)];
        assert_eq!(mask_args(&long), long);
    }

    #[test]
    fn an_address_keeps_host_path_and_names() {
        for (url, shown) in [
            ("https://h:8/p", "https://h:8/p"),
            ("https://u:p@h/p?a=1&b&c=#f", "https://••••@h/p?a=••••&••••&c=••••#••••"),
            ("https://h?token=x", "https://h?token=••••"),
            ("https://u@x@h#", "https://••••@h#••••"),
            ("nothing", "nothing"),
        ] {
            assert_eq!(mask_url(url), shown);
        }
        let shown = describe(&spec(Transport::Http {
            url: "https://u:CANARY@h/".into(),
            headers: vec![("X-A".into(), "CANARY".to_owned().into())],
            kind: crate::domain::HttpKind::Streamable,
        }));
        assert_eq!(shown.headers, ["X-A: ••••"]);
        assert_eq!(shown.url.as_deref(), Some("https://••••@h/"));
    }

    #[test]
    fn a_line_of_a_file_is_shown_without_its_secrets() {
        for (line, shown) in [
            (r#""TOKEN": "abc", "x": "y" oops"#, r#""TOKEN": "••••", "x": "y" oops"#),
            (r#"api_key = "abc""#, r#"api_key = "••••""#),
            (r#""url": "http://u:p@h/""#, r#""url": "http://••••@h/""#),
            (r#""args": ["--token=abc"]"#, r#""args": ["--token=••••"]"#),
            (r#"{"token"}, "x""#, r#"{"token"}, "x""#),
        ] {
            assert_eq!(mask_pairs(line), shown);
        }
    }

    #[test]
    fn the_inherited_environment_is_names_only() {
        let variables = [("B".into(), "x".into()), ("A".into(), "y".into())];
        assert_eq!(mask_environment(variables), ["A=••••", "B=••••"]);
    }
}
