//! How the program is started.

use crate::driver::Terminal;
use portable_pty::CommandBuilder;
use std::path::PathBuf;
use tempfile::TempDir;

/// The line that the shell printed before the program was started.
pub const BEFORE: &str = "a line from before";

/// How a program is to be started.
pub struct Start {
    pub(super) home: TempDir,
    pub(super) size: (u16, u16),
    /// What the terminal can show, when it does not tell its size.
    pub(super) shown: (u16, u16),
    arguments: Vec<String>,
    variables: Vec<(String, String)>,
    script: Option<String>,
    control: bool,
}

impl Start {
    /// With these arguments, in a terminal of 100 columns and 30 rows.
    pub fn new(arguments: &[&str]) -> Self {
        Self {
            home: tempfile::tempdir().unwrap(),
            size: (100, 30),
            shown: (80, 24),
            arguments: arguments.iter().map(|a| (*a).to_owned()).collect(),
            variables: Vec::new(),
            script: None,
            control: true,
        }
    }

    /// On the built-in servers.
    pub fn demo() -> Self {
        Self::new(&["--demo"])
    }

    /// With a file of servers, in the format of `mcpServers`.
    pub fn servers(mut self, servers: &serde_json::Value) -> Self {
        let file = self.home.path().join("given.json");
        let text = serde_json::json!({ "mcpServers": servers }).to_string();
        std::fs::write(&file, text).unwrap();
        self.arguments.extend(["--config".into(), file.display().to_string()]);
        self
    }

    /// In a terminal of this many columns and rows.
    pub fn size(mut self, columns: u16, rows: u16) -> Self {
        self.size = (columns, rows);
        self
    }

    /// In a terminal of this many columns and rows that says it has none.
    pub fn untold_size(mut self, columns: u16, rows: u16) -> Self {
        self.shown = (columns, rows);
        self.size(0, 0)
    }

    /// With a file in the folder where it is started.
    pub fn file(self, name: &str, text: &str) -> Self {
        let file = self.home.path().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
        self
    }

    /// The folder where it is started. The program's own files are in another.
    pub fn folder(&self) -> PathBuf {
        self.home.path().to_owned()
    }

    /// With one more variable.
    pub fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// From a shell that runs this script, in which `"$0" "$@"` is the program.
    pub fn shell(mut self, script: &str) -> Self {
        self.script = Some(script.into());
        self
    }

    /// From a shell that has printed [`BEFORE`] and prints `code=N` at the end.
    pub fn under_a_shell(self) -> Self {
        self.shell(&format!("echo '{BEFORE}'; \"$0\" \"$@\"; echo \"code=$?\""))
    }

    /// Where the terminal is not the one that controls the program: closing it is told to nobody.
    pub fn without_control(mut self) -> Self {
        self.control = false;
        self
    }

    pub(super) fn command(&self) -> CommandBuilder {
        let program = env!("CARGO_BIN_EXE_vestibule");
        let mut command = match &self.script {
            Some(script) => {
                let mut shell = CommandBuilder::new("sh");
                shell.args(["-c", script.as_str(), program]);
                shell
            }
            None => CommandBuilder::new(program),
        };
        command.args(&self.arguments);
        command.cwd(self.home.path());
        command.set_controlling_tty(self.control);
        command.env_clear();
        command.env("PATH", std::env::var("PATH").unwrap_or_default());
        command.env("HOME", self.home.path());
        command.env("VESTIBULE_HOME", self.home.path().join("vestibule"));
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        for (name, value) in &self.variables {
            command.env(name, value);
        }
        command
    }

    /// Starts it.
    pub fn start(self) -> Terminal {
        Terminal::open(self)
    }
}
