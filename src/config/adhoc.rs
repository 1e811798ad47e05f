//! Servers that come from the command line instead of a file.

use super::ConfigError;
use super::address;
use crate::domain::{ServerId, ServerSpec, Transport};
use secrecy::SecretString;

/// Where such an entry says it comes from.
const SOURCE: &str = "the command line";

/// Programs that run something else: the server is named after what they run.
const RUNNERS: [&str; 22] = [
    "npx", "bunx", "pnpx", "uvx", "pipx", "uv", "npm", "pnpm", "yarn", "bun", "node", "deno",
    "tsx", "python", "python3", "pypy3", "ruby", "perl", "php", "java", "sh", "bash",
];

/// Words between a runner and what it runs.
const RUNNER_WORDS: [&str; 5] = ["run", "exec", "dlx", "x", "tool"];

/// Flags of runners that take the next argument.
const FLAGS_WITH_VALUE: [&str; 12] = [
    "--from",
    "--with",
    "--python",
    "--package",
    "-p",
    "--directory",
    "--project",
    "--env-file",
    "-r",
    "--require",
    "--import",
    "--index-url",
];

/// Endings of scripts and programs that a name can do without.
const ENDINGS: [&str; 12] =
    [".exe", ".cmd", ".bat", ".py", ".js", ".mjs", ".cjs", ".ts", ".jar", ".sh", ".rb", ".php"];

/// A server from a command and its arguments, as they follow `--`.
///
/// It is named after the command's file, or after what a well-known runner is told to run:
/// `npx -y @modelcontextprotocol/server-everything` is `server-everything`.
///
/// # Errors
/// [`ConfigError::Argument`] when there is no command, or a zero character in it.
pub fn from_command(argv: &[String]) -> Result<ServerSpec, ConfigError> {
    let Some((command, args)) = argv.split_first() else {
        return Err(ConfigError::argument("there is no command after --"));
    };
    if command.trim().is_empty() {
        return Err(ConfigError::argument("the command after -- is empty"));
    }
    if argv.iter().any(|arg| arg.contains('\0')) {
        return Err(ConfigError::argument("the command holds a zero character"));
    }
    let mut spec = ServerSpec::stdio(&name_of(command, args), command.as_str(), args.to_vec());
    SOURCE.clone_into(&mut spec.source);
    Ok(spec)
}

/// A server from an address, named after its host.
///
/// # Errors
/// [`ConfigError::Argument`] when it is not an `http` or `https` address with a host. The text of
/// the error does not hold the address.
pub fn from_url(
    url: &str,
    headers: Vec<(String, SecretString)>,
) -> Result<ServerSpec, ConfigError> {
    let address = address::check(url).map_err(|why| {
        ConfigError::argument(format!("{why}; an address looks like https://example.org/mcp"))
    })?;
    let id = ServerId::sanitized(address.host);
    let mut spec = ServerSpec::new(id, Transport::Http { url: url.to_owned(), headers });
    SOURCE.clone_into(&mut spec.source);
    Ok(spec)
}

/// A header from `Name: value`.
///
/// # Errors
/// [`ConfigError::Argument`] when it is not of that form. The text of the error does not hold the
/// value.
pub fn parse_header(text: &str) -> Result<(String, SecretString), ConfigError> {
    match text.split_once(':') {
        Some((name, value))
            if address::is_header_name(name.trim()) && address::is_header_value(value) =>
        {
            Ok((name.trim().to_owned(), SecretString::from(value.trim())))
        }
        Some(_) | None => Err(ConfigError::argument("a header looks like \"Name: value\"")),
    }
}

fn name_of(command: &str, args: &[String]) -> String {
    let program = stem(command);
    let version = |c: char| c.is_ascii_digit() || c == '.';
    let is_runner = RUNNERS.contains(&program)
        || (program.starts_with("python") && RUNNERS.contains(&program.trim_end_matches(version)));
    match target(args).filter(|_| is_runner) {
        Some(target) => stem(target).to_owned(),
        None => program.to_owned(),
    }
}

/// What a runner runs: its first argument that is neither a flag, nor a flag's value, nor a word
/// of its own.
fn target(args: &[String]) -> Option<&str> {
    let mut args = args.iter().map(String::as_str);
    let mut word_allowed = true;
    while let Some(arg) = args.next() {
        if FLAGS_WITH_VALUE.contains(&arg) {
            args.next();
        } else if word_allowed && RUNNER_WORDS.contains(&arg) {
            word_allowed = false;
        } else if !arg.starts_with('-') && !arg.is_empty() {
            return Some(arg);
        }
    }
    None
}

/// The last part of a path or package name, without ending, version or extras.
fn stem(text: &str) -> &str {
    let last = text.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or(text);
    let end = |c: char| matches!(c, '@' | '=' | '[' | '<' | '>');
    let name = last.split(end).next().filter(|name| !name.is_empty()).unwrap_or(last);
    let short = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending));
    short.filter(|name| !name.is_empty()).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use secrecy::ExposeSecret as _;

    fn argv(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_server_is_named_after_what_is_run() {
        for (line, name) in [
            ("npx -y @modelcontextprotocol/server-everything", "server-everything"),
            ("npx -y @scope/tool@1.2.3 stdio", "tool"),
            ("npx.cmd thing@latest", "thing"),
            ("uvx mcp-server-git", "mcp-server-git"),
            ("uvx --from git+https://h/x mcp-git==1.0", "mcp-git"),
            ("uv --directory /srv run server.py", "server"),
            ("python3 path/server.py", "server"),
            ("/usr/bin/python3.12 -m mcp_time", "mcp_time"),
            ("node C:\\work\\dist\\index.mjs", "index"),
            ("python3", "python3"),
            ("npx -y", "npx"),
            ("./bin/My.Server.exe --x", "My.Server"),
            ("demo run", "demo"),
            ("/", "-"),
            ("a:b", "a-b"),
        ] {
            let spec = from_command(&argv(line)).unwrap();
            let name = if line == "/" { "/" } else { name };
            assert_eq!(spec.id.as_str(), name, "{line}");
        }
    }

    #[test]
    fn the_command_is_kept_as_it_is() {
        let line: Vec<String> = ["sh", "-c", "echo 'a b' ${HOME}", ""].map(str::to_owned).into();
        let spec = from_command(&line).unwrap();
        let Transport::Stdio { command, args, env, cwd } = spec.transport else { panic!() };
        assert_eq!((command.as_str(), args.as_slice()), ("sh", &line[1..]));
        assert!(env.is_empty() && cwd.is_none() && spec.enabled);
        for bad in [vec![], vec![" ".to_owned()], vec!["a\0".to_owned()]] {
            assert!(from_command(&bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn an_address_names_its_host_and_errors_hold_no_secret() {
        let headers = vec![parse_header("Authorization:  Bearer x:y ").unwrap()];
        let spec = from_url("https://u:p@example.org:8/mcp", headers).unwrap();
        assert_eq!(spec.id.as_str(), "example.org");
        let Transport::Http { url, headers } = spec.transport else { panic!() };
        assert_eq!(url, "https://u:p@example.org:8/mcp");
        assert_eq!(headers[0].0, "Authorization");
        assert_eq!(headers[0].1.expose_secret(), "Bearer x:y");
        for bad in ["ftp://u:CANARY@h", "CANARY"] {
            assert!(!from_url(bad, Vec::new()).unwrap_err().to_string().contains("CANARY"));
        }
        for bad in ["CANARY", "a b: CANARY", ": CANARY", "A: CANARY\r\nB: x"] {
            assert!(!parse_header(bad).unwrap_err().to_string().contains("CANARY"), "{bad:?}");
        }
    }
}
