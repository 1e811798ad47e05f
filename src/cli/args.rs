//! The command line: what may be written there, and what it means.
//!
//! Everything after the first bare `--` is one server's command, whatever stands in front of it;
//! that part is split off before the parser sees it, so `vestibule read URI -- npx server` and
//! `vestibule -- npx server --demo` mean what they look like.

use super::call::{CALL_EXAMPLES, Call};
use super::read::{READ_EXAMPLES, Read};
use super::watch::{WATCH_EXAMPLES, Watch};
use super::{
    demo::{self, Demo},
    given::{COMPLETE_EXAMPLES, Complete, PROMPT_EXAMPLES, Prompt},
};
use crate::domain::EraChoice;
use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use std::{ffi::OsString, path::PathBuf, time::Duration};

/// The longest `--timeout`, in seconds: one day. Longer waits are a slip of the keyboard.
const MAX_TIMEOUT_SECONDS: f64 = 86_400.0;

/// Explore many MCP servers from one terminal.
///
/// Without a command the screen opens. With one, the answer goes to standard output and
/// everything else to standard error.
#[derive(Debug, Clone, PartialEq, Parser)]
#[command(
    name = "vestibule",
    version,
    override_usage = "vestibule [OPTIONS] [COMMAND] [-- SERVER_COMMAND [ARGS]...]",
    after_help = AFTER_HELP
)]
pub struct Arguments {
    /// What holds for every command; filled from both sides of the command's name.
    #[command(flatten)]
    pub common: Common,
    /// What to do; nothing opens the screen.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The ad-hoc server after `--`: a program and its arguments. Never through a shell.
    #[arg(skip)]
    pub server_command: Option<Vec<String>>,
}

const AFTER_HELP: &str = "\
Everything after `--` is the command of one server, started without a shell.
`--`, --url, --config and --demo replace your own servers.json; several of them add up.
Exit codes: 0 ok, 1 unexpected, 2 usage, 3 sign-in needed, 4 unreachable or too late,
5 no such name, 6 the server answered with an error, 7 a limit or check of ours.";

/// Options that may stand before or after the command's name.
#[derive(Debug, Clone, Default, PartialEq, Args)]
pub struct Common {
    /// Take the servers of this file; may be given several times
    #[arg(long, value_name = "FILE", help_heading = "Servers")]
    pub config: Vec<PathBuf>,
    /// Take the two servers that are built in
    #[arg(long, help_heading = "Servers")]
    pub demo: bool,
    /// Take the server at this HTTP address; may be given several times
    #[arg(long, value_name = "URL", help_heading = "Servers")]
    pub url: Vec<String>,
    /// Send this header to the servers of --url; ${NAME} takes a variable of the environment
    #[arg(long = "header", value_name = "NAME: VALUE", help_heading = "Servers")]
    pub headers: Vec<String>,
    /// Tell the servers that they may work in this folder; may be given several times
    #[arg(long = "root", value_name = "FOLDER", help_heading = "Servers")]
    pub roots: Vec<String>,
    /// Only this server; a read or prompt is then addressed to it
    #[arg(long, value_name = "NAME", help_heading = "Servers")]
    pub server: Option<String>,
    /// Which protocol era to speak with all servers
    #[arg(long, value_name = "ERA", help_heading = "Servers")]
    pub era: Option<EraArgument>,
    /// Give up after this long; what is there by then is printed
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Servers")]
    pub timeout: Option<Duration>,
    /// Print JSON, and notes as JSON lines
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Fail when any server fails or gives less than all
    #[arg(long, help_heading = "Output")]
    pub strict: bool,
    /// Accept blocks whose URI is not the one asked for
    #[arg(long, help_heading = "Output")]
    pub lenient: bool,
    /// Use no colours
    #[arg(long, help_heading = "Output")]
    pub no_color: bool,
}

/// What `--era` takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EraArgument {
    /// Ask for the modern era, fall back once
    Auto,
    /// Handshake with `initialize`
    Legacy,
    /// Handshake with `server/discover`
    Modern,
}

impl From<EraArgument> for EraChoice {
    fn from(era: EraArgument) -> Self {
        match era {
            EraArgument::Auto => Self::Auto,
            EraArgument::Legacy => Self::Legacy,
            EraArgument::Modern => Self::Modern,
        }
    }
}

/// The headless commands.
#[derive(Debug, Clone, PartialEq, Subcommand)]
pub enum Command {
    /// List the servers and how they were reached
    Servers(Listed),
    /// List the resources of all servers
    Resources(Listed),
    /// List the resource templates of all servers
    Templates(Listed),
    /// List the prompts of all servers
    Prompts(Listed),
    /// List the tools of all servers
    Tools(Listed),
    /// Read one resource
    #[command(after_help = READ_EXAMPLES)]
    Read(Read),
    /// Read one resource, and again whenever it changes
    #[command(after_help = WATCH_EXAMPLES)]
    Watch(Watch),
    /// Render one prompt
    #[command(after_help = PROMPT_EXAMPLES)]
    Prompt(Prompt),
    /// Call one tool
    #[command(after_help = CALL_EXAMPLES)]
    Call(Call),
    /// Ask what could stand in an argument of a prompt or template
    #[command(after_help = COMPLETE_EXAMPLES)]
    Complete(Complete),
    /// Be one of the built-in servers, for any client
    #[command(after_help = demo::EXAMPLES)]
    Demo(Demo),
}

/// A command that lists; it takes nothing of its own.
#[derive(Debug, Clone, Default, PartialEq, Args)]
pub struct Listed {
    /// Options after the command's name.
    #[command(flatten)]
    pub common: Common,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let wrong = || format!("write seconds, more than 0 and at most {MAX_TIMEOUT_SECONDS}");
    let number: f64 = text.parse().map_err(|_| wrong())?;
    if !(number > 0.0 && number <= MAX_TIMEOUT_SECONDS) {
        return Err(wrong());
    }
    Duration::try_from_secs_f64(number).map_err(|_| wrong())
}

impl Arguments {
    /// Reads a whole command line, the program's name first.
    ///
    /// # Errors
    /// [`clap::Error`] with its own text and exit code; `--help` and `--version` are two of them.
    pub fn read(line: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let mut ours = Vec::new();
        let mut line = line.into_iter();
        let mut dashes = false;
        for word in line.by_ref() {
            if word == "--" {
                dashes = true;
                break;
            }
            ours.push(word);
        }
        let mut parser = Self::command();
        let matches = parser.try_get_matches_from_mut(ours)?;
        let mut arguments =
            Self::from_arg_matches(&matches).map_err(|error| error.format(&mut parser))?;
        let refuse = |mut parser: clap::Command, what: &str| {
            parser.error(clap::error::ErrorKind::ValueValidation, what)
        };
        if dashes {
            match line.map(OsString::into_string).collect::<Result<Vec<_>, _>>() {
                Ok(words) if words.first().is_some_and(|program| !program.is_empty()) => {
                    arguments.server_command = Some(words);
                }
                Ok(_) => {
                    return Err(refuse(parser, "after `--` the command of a server is missing"));
                }
                Err(_) => return Err(refuse(parser, "the command after `--` is not valid UTF-8")),
            }
        }
        arguments.join_sides().map_err(|what| refuse(parser, &what))?;
        Ok(arguments)
    }

    /// Brings the options after the command's name together with those before it.
    fn join_sides(&mut self) -> Result<(), String> {
        let after = match &mut self.command {
            None => {
                let common = &self.common;
                let given = [
                    ("--json", common.json),
                    ("--strict", common.strict),
                    ("--lenient", common.lenient),
                    ("--timeout", common.timeout.is_some()),
                ];
                return match given.iter().find(|(_, given)| *given) {
                    Some((name, _)) => Err(format!("`{name}` needs a command; see `--help`")),
                    None => Ok(()),
                };
            }
            Some(
                Command::Servers(listed)
                | Command::Resources(listed)
                | Command::Templates(listed)
                | Command::Prompts(listed)
                | Command::Tools(listed),
            ) => std::mem::take(&mut listed.common),
            Some(Command::Read(read)) => std::mem::take(&mut read.common),
            Some(Command::Watch(watch)) => std::mem::take(&mut watch.common),
            Some(Command::Prompt(prompt)) => std::mem::take(&mut prompt.common),
            Some(Command::Call(call)) => std::mem::take(&mut call.common),
            Some(Command::Complete(complete)) => std::mem::take(&mut complete.common),
            Some(Command::Demo(_)) => return self.serves_alone(),
        };
        self.common.join(after)
    }

    /// A server of its own asks no others, so nothing that is about them can be meant.
    fn serves_alone(&self) -> Result<(), String> {
        let plain = Common { no_color: self.common.no_color, ..Common::default() };
        if self.common == plain && self.server_command.is_none() {
            return Ok(());
        }
        Err("`demo` is a server itself; options about servers and output have no use".into())
    }

    /// Whether the command line itself says where servers come from, so that the user's own
    /// `servers.json` stays closed.
    pub fn names_servers(&self) -> bool {
        self.common.demo
            || !self.common.config.is_empty()
            || !self.common.url.is_empty()
            || self.server_command.is_some()
    }
}

impl Common {
    fn join(&mut self, after: Self) -> Result<(), String> {
        let twice = |name: &str| format!("`{name}` is given before and after the command's name");
        self.config.extend(after.config);
        self.url.extend(after.url);
        self.headers.extend(after.headers);
        self.roots.extend(after.roots);
        self.demo |= after.demo;
        self.json |= after.json;
        self.strict |= after.strict;
        self.lenient |= after.lenient;
        self.no_color |= after.no_color;
        one(&mut self.server, after.server).map_err(|()| twice("--server"))?;
        one(&mut self.era, after.era).map_err(|()| twice("--era"))?;
        one(&mut self.timeout, after.timeout).map_err(|()| twice("--timeout"))
    }
}

fn one<T>(before: &mut Option<T>, after: Option<T>) -> Result<(), ()> {
    if before.is_some() && after.is_some() {
        return Err(());
    }
    *before = before.take().or(after);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn read(line: &[&str]) -> Result<Arguments, clap::Error> {
        Arguments::read(std::iter::once("vestibule").chain(line.iter().copied()).map(Into::into))
    }

    #[test]
    fn the_definition_holds_together() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn nothing_opens_the_screen_and_everything_after_dashes_is_the_server() {
        let nothing = read(&[]).expect("nothing");
        assert_eq!((nothing.command.clone(), nothing.names_servers()), (None, false));
        let adhoc = read(&["--", "npx", "server", "--demo", "--", "-x", ""]).expect("a server");
        let words = ["npx", "server", "--demo", "--", "-x", ""].map(str::to_owned).to_vec();
        assert_eq!(adhoc.server_command, Some(words));
        assert!(!adhoc.common.demo && adhoc.names_servers());
        let both = read(&["read", "demo://x", "--raw", "--", "npx", "server"]).expect("a read");
        assert!(matches!(both.command, Some(Command::Read(Read { raw: true, .. }))));
        assert_eq!(both.server_command.expect("a server").len(), 2);
    }

    #[test]
    fn dashes_without_a_command_are_refused() {
        for line in [&["--"][..], &["read", "x:y", "--"], &["--", ""]] {
            assert_eq!(read(line).expect_err("refused").exit_code(), 2, "{line:?}");
        }
    }

    #[test]
    fn options_count_on_both_sides_of_the_command() {
        let line = ["--config", "a", "--json", "resources", "--config", "b", "--timeout", "0.5"];
        let read = read(&line).expect("a command line");
        assert_eq!(read.common.config, [PathBuf::from("a"), PathBuf::from("b")]);
        assert!(read.common.json);
        assert_eq!(read.common.timeout, Some(Duration::from_millis(500)));
    }

    #[test]
    fn one_value_given_on_both_sides_is_refused_instead_of_chosen() {
        for option in ["--server", "--era", "--timeout"] {
            let value = if option == "--era" { "legacy" } else { "5" };
            assert!(read(&[option, value, "tools"]).is_ok());
            let error = read(&[option, value, "tools", option, value]).expect_err("refused");
            assert!(error.to_string().contains(option), "{error}");
        }
    }

    #[test]
    fn options_of_commands_need_one() {
        for line in [&["--json"][..], &["--strict"], &["--lenient"], &["--timeout", "1"]] {
            assert_eq!(read(line).expect_err("refused").exit_code(), 2, "{line:?}");
        }
        assert!(read(&["--demo", "--no-color", "--server", "x", "--era", "modern"]).is_ok());
    }

    #[test]
    fn timeouts_that_cannot_be_meant_are_refused() {
        for bad in ["0", "-1", "NaN", "inf", "1e9", "", "5s"] {
            assert!(read(&["tools", &format!("--timeout={bad}")]).is_err(), "{bad}");
        }
        assert!(read(&["tools", "--timeout=86400"]).is_ok());
        assert!(read(&["tools", "--timeout=86401"]).is_err());
    }

    #[test]
    fn a_file_name_implies_bytes_and_force_needs_one() {
        let Some(Command::Read(to_file)) = read(&["read", "a:b", "-o", "f"]).expect("ok").command
        else {
            panic!("no read")
        };
        assert!(!to_file.raw && to_file.wants_bytes());
        assert_eq!(to_file.file(), Some(Path::new("f")));
        let Some(Command::Read(out)) = read(&["read", "a:b", "-o", "-"]).expect("ok").command
        else {
            panic!("no read")
        };
        assert!(out.wants_bytes() && out.file().is_none());
        assert!(read(&["read", "a:b", "--force"]).is_err());
    }
}
