//! A server as the user configured it, and as it turned out to be.

use super::{Fault, Root, ServerId, UntrustedText};
use secrecy::SecretString;
use std::{path::PathBuf, time::Duration};

/// How to reach one server, and what this session may do there.
#[derive(Debug, Clone)]
pub struct ServerSpec {
    /// The user's name for it.
    pub id: ServerId,
    /// The way to it.
    pub transport: Transport,
    /// Which protocol era to speak.
    pub era: EraChoice,
    /// Where the entry was read: a file, the command line, the embedded demo.
    pub source: String,
    /// Whether it is started with the program; a switched-off server is listed, not started.
    pub enabled: bool,
    /// Time for start and handshake; `None` takes the setting `limits.connect_seconds`.
    pub connect_timeout: Option<Duration>,
    /// What this session may see and do there.
    pub permissions: Permissions,
    /// Where it is told that it may work. Without any it is told that there are none to ask for.
    pub roots: Vec<Root>,
    /// Variables of the environment that the entry used, with their values: where the entry is
    /// shown, their names stand in place of the values.
    pub variables: Vec<(String, SecretString)>,
}

/// The way to a server.
#[derive(Debug, Clone)]
pub enum Transport {
    /// Inside this process; whoever builds the registry hands the server over.
    InProcess,
    /// A child process that speaks on its standard input and output.
    Stdio {
        /// The program, looked up in PATH; never through a shell.
        command: String,
        /// Its arguments, as they are.
        args: Vec<String>,
        /// Variables added to the inherited environment, in order. Values are secrets.
        env: Vec<(String, SecretString)>,
        /// Its folder; `None` inherits ours.
        cwd: Option<PathBuf>,
    },
    /// Streamable HTTP, or the older HTTP+SSE.
    Http {
        /// Its address.
        url: String,
        /// Headers on every request. Values are secrets.
        headers: Vec<(String, SecretString)>,
        /// Which of the two it speaks.
        kind: HttpKind,
    },
}

/// The two ways of speaking MCP over HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum HttpKind {
    /// Streamable HTTP (since 2025-03-26); where that is refused, HTTP+SSE.
    #[default]
    Streamable,
    /// HTTP+SSE only (2024-11-05).
    Sse,
}

impl Transport {
    /// A short name for a column: `in-process`, `stdio`, `http`.
    pub fn label(&self) -> &'static str {
        match self {
            Self::InProcess => "in-process",
            Self::Stdio { .. } => "stdio",
            Self::Http { .. } => "http",
        }
    }
}

/// The two ways of opening a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Era {
    /// `initialize`: versions 2024-11-05 to 2025-11-25. Servers may send requests.
    Legacy,
    /// `server/discover`: version 2026-07-28. Servers ask inside their answers.
    Modern,
}

impl Era {
    /// `legacy` or `modern`.
    pub fn label(self) -> &'static str {
        match self {
            Self::Legacy => "legacy",
            Self::Modern => "modern",
        }
    }
}

/// Which era the user wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum EraChoice {
    /// Ask with `server/discover`, fall back to `initialize` once.
    #[default]
    Auto,
    /// `initialize` only.
    Legacy,
    /// `server/discover` only.
    Modern,
}

/// What stands between us and a server right now.
#[derive(Debug, Clone, PartialEq)]
pub enum Link {
    /// Not started: switched off, or disconnected by the user.
    Idle,
    /// Starting or shaking hands.
    Connecting,
    /// Ready.
    Up(ServerFacts),
    /// Lost or never reached, and why.
    Down {
        /// Why.
        why: Fault,
    },
}

impl Link {
    /// `idle`, `connecting`, `up`, `down`.
    pub fn label(&self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Connecting => "connecting",
            Self::Up(_) => "up",
            Self::Down { .. } => "down",
        }
    }
}

/// What a server said about itself when it was reached.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerFacts {
    /// The era in which we speak with it.
    pub era: Era,
    /// Why that era: «server/discover answered», «fell back after …».
    pub era_reason: String,
    /// The protocol version agreed on; one of the known ones.
    pub version: String,
    /// Its name for itself.
    pub name: Option<UntrustedText>,
    /// Its version of itself.
    pub release: Option<UntrustedText>,
    /// Its instructions for a model. Shown, never followed by itself.
    pub instructions: Option<UntrustedText>,
    /// What it offers.
    pub capabilities: Capabilities,
}

/// What a server offers. Nothing is asked that it does not offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Capabilities {
    /// `resources/*`
    pub resources: bool,
    /// `resources/subscribe`
    pub resource_subscriptions: bool,
    /// Whether it tells when its resources change.
    pub resource_changes: bool,
    /// `prompts/*`
    pub prompts: bool,
    /// Whether it tells when its prompts change.
    pub prompt_changes: bool,
    /// `tools/*`
    pub tools: bool,
    /// Whether it tells when its tools change.
    pub tool_changes: bool,
    /// `completion/complete`
    pub completions: bool,
    /// `logging/setLevel`
    pub logging: bool,
}

/// The three surfaces. Separate in the screen, in permissions, in audit and in limits; none
/// grants another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Surface {
    /// Resources and their templates.
    Resources,
    /// Prompts.
    Prompts,
    /// Tools.
    Tools,
}

impl Surface {
    /// `resources`, `prompts`, `tools`.
    pub fn label(self) -> &'static str {
        match self {
            Self::Resources => "resources",
            Self::Prompts => "prompts",
            Self::Tools => "tools",
        }
    }
}

/// Patterns of what may be seen and used, per surface. `None` allows all, an empty list nothing.
///
/// A pattern is a literal with `*` for any run of characters; a `!` in front forbids.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Permissions {
    /// Over URIs and URI templates.
    pub resources: Option<Vec<String>>,
    /// Over prompt names.
    pub prompts: Option<Vec<String>>,
    /// Over tool names.
    pub tools: Option<Vec<String>>,
    /// What is used only after a person said yes to it.
    pub confirm: Confirm,
}

/// Patterns of what needs a person's yes each time, per surface, written like those of
/// [`Permissions`]. Without patterns nothing does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Confirm {
    /// Over URIs and URI templates.
    pub resources: Option<Vec<String>>,
    /// Over prompt names.
    pub prompts: Option<Vec<String>>,
    /// Over tool names.
    pub tools: Option<Vec<String>>,
}

impl Confirm {
    /// The patterns of one surface.
    pub fn of(&self, surface: Surface) -> Option<&[String]> {
        match surface {
            Surface::Resources => self.resources.as_deref(),
            Surface::Prompts => self.prompts.as_deref(),
            Surface::Tools => self.tools.as_deref(),
        }
    }
}

impl Permissions {
    /// The patterns of one surface.
    pub fn of(&self, surface: Surface) -> Option<&[String]> {
        match surface {
            Surface::Resources => self.resources.as_deref(),
            Surface::Prompts => self.prompts.as_deref(),
            Surface::Tools => self.tools.as_deref(),
        }
    }
}

impl ServerSpec {
    /// A server of this session, enabled, with everything allowed and nothing special.
    pub fn new(id: ServerId, transport: Transport) -> Self {
        Self {
            id,
            transport,
            era: EraChoice::Auto,
            source: "this session".into(),
            enabled: true,
            connect_timeout: None,
            permissions: Permissions::default(),
            roots: Vec::new(),
            variables: Vec::new(),
        }
    }

    /// A child process, named by the caller: `ServerSpec::stdio("git", "uvx", ["mcp-server-git"])`.
    /// A name that cannot stand is made one that can ([`ServerId::sanitized`]).
    pub fn stdio<A: Into<String>>(
        name: &str,
        command: impl Into<String>,
        args: impl IntoIterator<Item = A>,
    ) -> Self {
        Self::new(
            ServerId::sanitized(name),
            Transport::Stdio {
                command: command.into(),
                args: args.into_iter().map(Into::into).collect(),
                env: Vec::new(),
                cwd: None,
            },
        )
    }

    /// Chooses the era.
    #[must_use]
    pub fn era(mut self, era: EraChoice) -> Self {
        self.era = era;
        self
    }

    /// Chooses what may be seen and used.
    #[must_use]
    pub fn permissions(mut self, permissions: Permissions) -> Self {
        self.permissions = permissions;
        self
    }

    /// Chooses where it is told that it may work.
    #[must_use]
    pub fn roots(mut self, roots: impl IntoIterator<Item = Root>) -> Self {
        self.roots.extend(roots);
        self
    }

    /// Chooses the time for start and handshake.
    #[must_use]
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = Some(timeout);
        self
    }
}
