//! The only error a person reads.

use super::{ServerId, UntrustedText};
use std::fmt;

/// What went wrong, where, why, and what to try.
///
/// `what` and `hint` are our words and safe to print. `cause` is what the server or the system
/// said, and goes through `content::reveal` like everything else from outside.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
pub struct Fault {
    /// What did not work, in our words.
    pub what: String,
    /// Which server, where it was one.
    pub who: Option<ServerId>,
    /// What the other side said, oldest first: messages, exit status, last lines of stderr.
    pub cause: Vec<UntrustedText>,
    /// What to try, in our words.
    pub hint: Option<String>,
    /// Its class; decides the exit code and the page of the failure guide.
    pub kind: FaultKind,
    /// The JSON-RPC code, where the server answered with an error of its own.
    pub rpc_code: Option<i32>,
}

/// Classes of faults. Each has one exit code (see the README) and one stable name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// Something that should not happen.
    Unexpected,
    /// The command line or a settings file cannot be understood.
    Usage,
    /// The server wants a sign-in (401, 403).
    Authorization,
    /// The server cannot be started, reached or understood.
    Unreachable,
    /// It did not answer in time.
    Timeout,
    /// The server went away.
    Closed,
    /// No such name, or none that this session may see: the two look the same.
    NotFound,
    /// The name means several things.
    Ambiguous,
    /// The server answered with an error of its own.
    ServerError,
    /// The server answered with something the protocol does not allow.
    Protocol,
    /// A limit of ours.
    Limit,
    /// A check of ours before anything was sent.
    Validation,
    /// A person, or a rule of theirs, said no.
    Declined,
    /// The user stopped it.
    Cancelled,
}

impl FaultKind {
    /// A stable name for programs: used in JSON notes.
    pub fn code(self) -> &'static str {
        match self {
            Self::Unexpected => "unexpected",
            Self::Usage => "usage",
            Self::Authorization => "authorization",
            Self::Unreachable => "unreachable",
            Self::Timeout => "timeout",
            Self::Closed => "closed",
            Self::NotFound => "not_found",
            Self::Ambiguous => "ambiguous",
            Self::ServerError => "server_error",
            Self::Protocol => "protocol",
            Self::Limit => "limit",
            Self::Validation => "validation",
            Self::Declined => "declined",
            Self::Cancelled => "cancelled",
        }
    }

    /// The exit code of a command that ends with this fault (documented in the README).
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Unexpected => 1,
            Self::Usage => 2,
            Self::Authorization => 3,
            Self::Unreachable | Self::Timeout | Self::Closed => 4,
            Self::NotFound | Self::Ambiguous => 5,
            Self::ServerError => 6,
            Self::Protocol | Self::Limit | Self::Validation | Self::Declined => 7,
            Self::Cancelled => 130,
        }
    }

    /// Whether the connection itself turned out dead, so that a safe request may be tried again.
    pub fn is_connection(self) -> bool {
        matches!(self, Self::Closed)
    }
}

impl Fault {
    /// A fault with nothing but its class and what did not work.
    pub fn new(kind: FaultKind, what: impl Into<String>) -> Self {
        Self { what: what.into(), who: None, cause: Vec::new(), hint: None, kind, rpc_code: None }
    }

    /// Names the server.
    #[must_use]
    pub fn of(mut self, server: &ServerId) -> Self {
        self.who = Some(server.clone());
        self
    }

    /// Adds what the other side said.
    #[must_use]
    pub fn because(mut self, cause: impl Into<UntrustedText>) -> Self {
        self.cause.push(cause.into());
        self
    }

    /// Says what to try.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Fault {
    /// Our words only: the causes are untrusted and are left to `content::reveal`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(who) = &self.who {
            write!(f, "{who}: ")?;
        }
        f.write_str(&self.what)?;
        if let Some(hint) = &self.hint {
            write!(f, " ({hint})")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fault[{}] {self} {:?}", self.kind.code(), self.cause)
    }
}
