//! Servers that come from the command line instead of a file.

use super::ConfigError;
use super::address;
use super::variables::{Variables, of_environment};
use crate::domain::{HttpKind, ServerId, ServerSpec, Transport};
use secrecy::SecretString;

/// Where such an entry says it comes from.
const SOURCE: &str = "the command line";

/// Programs that only stand in front of a command: the server is named after that command.
const WRAPPERS: [&str; 10] =
    ["env", "nohup", "sudo", "doas", "nice", "ionice", "setsid", "time", "timeout", "stdbuf"];

/// Flags of wrappers that take the next argument.
const WRAPPER_FLAGS_WITH_VALUE: [&str; 8] = ["-u", "-g", "-n", "-c", "-C", "-k", "-s", "-i"];

/// Shells. What follows their `-c` is text and no name.
const SHELLS: [&str; 8] = ["sh", "bash", "zsh", "dash", "ash", "ksh", "fish", "busybox"];

/// Flags of interpreters after which program text stands, which is no name either.
const TEXT_FLAGS: [&str; 4] = ["-c", "-e", "--eval", "-E"];

/// Interpreters that take program text as an argument.
const INTERPRETERS: [&str; 10] =
    ["node", "bun", "deno", "tsx", "python", "python3", "pypy3", "ruby", "perl", "php"];

/// Programs that run something else: the server is named after what they run.
const RUNNERS: [&str; 20] = [
    "npx", "bunx", "pnpx", "uvx", "pipx", "uv", "npm", "pnpm", "yarn", "bun", "node", "deno",
    "tsx", "python", "python3", "pypy3", "ruby", "perl", "php", "java",
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
/// `npx -y @modelcontextprotocol/server-everything` is `server-everything`. Program text is never
/// a name: `sh -c '…'` is `sh`.
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

/// A server from an address, named after its host, and its port where it names one.
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
    // Several servers on one machine differ in their ports.
    let id = match address.port {
        Some(port) => ServerId::sanitized(&format!("{}-{port}", address.host)),
        None => ServerId::sanitized(address.host),
    };
    let kind = HttpKind::Streamable;
    let mut spec = ServerSpec::new(id, Transport::Http { url: url.to_owned(), headers, kind });
    SOURCE.clone_into(&mut spec.source);
    Ok(spec)
}

/// A header from `Name: value`, in which `${NAME}` stands for a variable of the environment: what
/// stands in a command line can be read by others on the same machine.
///
/// # Errors
/// [`ConfigError::Argument`] when it is not of that form, or a variable is not set. The text of the
/// error does not hold the value.
pub fn parse_header(text: &str) -> Result<(String, SecretString), ConfigError> {
    let variables = Variables::new(&of_environment);
    let text = variables.expand("--header", text).map_err(ConfigError::argument)?;
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
    if WRAPPERS.contains(&program) {
        return match wrapped(program, args) {
            Some((command, args)) => name_of(command, args),
            None => program.to_owned(),
        };
    }
    let version = |c: char| c.is_ascii_digit() || c == '.';
    // `python3.12` is Python.
    let plain =
        if program.starts_with("python") { program.trim_end_matches(version) } else { program };
    let is_shell = SHELLS.contains(&program);
    let runs_text = (is_shell && args.iter().any(|arg| is_command_flag(arg)))
        || (INTERPRETERS.contains(&plain)
            && args.iter().any(|arg| TEXT_FLAGS.contains(&arg.as_str())));
    let is_runner = is_shell || RUNNERS.contains(&plain);
    match target(args).filter(|_| is_runner && !runs_text) {
        Some(target) => stem(target).to_owned(),
        None => program.to_owned(),
    }
}

/// `-c`, also among other letters: `-lc`.
fn is_command_flag(arg: &str) -> bool {
    arg.strip_prefix('-').is_some_and(|flags| {
        flags.ends_with('c') && flags.chars().all(|flag| flag.is_ascii_alphabetic())
    })
}

/// The command behind a wrapper: after its flags, and after the assignments of `env` or the time
/// of `timeout`.
fn wrapped<'a>(wrapper: &str, args: &'a [String]) -> Option<(&'a str, &'a [String])> {
    let mut time_is_due = wrapper == "timeout";
    let mut rest = args;
    while let Some((arg, after)) = rest.split_first() {
        rest = after;
        if WRAPPER_FLAGS_WITH_VALUE.contains(&arg.as_str()) && !(wrapper == "env" && arg == "-i") {
            rest = after.split_first().map_or(after, |(_, after)| after);
        } else if arg.starts_with('-') || arg.contains('=') || arg.is_empty() {
            // A flag or an assignment.
        } else if time_is_due {
            time_is_due = false;
        } else {
            return Some((arg, rest));
        }
    }
    None
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
            ("/", "/"),
            ("a:b", "a-b"),
        ] {
            let spec = from_command(&argv(line)).unwrap();
            assert_eq!(spec.id.as_str(), name, "{line}");
        }
    }

    #[test]
    fn program_text_is_no_name_and_wrappers_are_looked_through() {
        for (line, name) in [
            ("sh -c exec|./server|--flag", "sh"),
            ("bash -lc node|x.js", "bash"),
            ("/bin/zsh -ec x/y", "zsh"),
            ("sh ./run-server.sh -c", "sh"),
            ("bash ./run-server.sh", "run-server"),
            ("python3.12 -c import|x", "python3.12"),
            ("node -e require('x/y')", "node"),
            ("env A=1 B=x/y npx -y some-server", "some-server"),
            ("env -i sh -c a/b", "sh"),
            ("env -u HOME uvx mcp-git", "mcp-git"),
            ("nohup sudo -u me node dist/index.js", "index"),
            ("timeout -k 5 60 sh -c a/b", "sh"),
            ("nice -n 5 ./my-server", "my-server"),
            ("env", "env"),
            ("env A=1", "env"),
        ] {
            let spec = from_command(&argv(line)).unwrap();
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
        assert_eq!(spec.id.as_str(), "example.org-8");
        let Transport::Http { url, headers, .. } = spec.transport else { panic!() };
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
