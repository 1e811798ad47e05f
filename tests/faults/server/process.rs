//! What the server does as a process.

use super::conversation::Server;
use serde_json::{Value, json};
use std::{
    process::{Command, ExitCode, Stdio},
    time::Duration,
};

const FOR_EVER: Duration = Duration::from_secs(120);

/// This program again, as another server.
fn again(fault: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program has a path"));
    command.args(["serve", fault]);
    command
}

/// What happens before anything is served; a code ends the process.
pub(crate) fn before_serving(fault: &str) -> Option<ExitCode> {
    match fault {
        "sleeper" => std::thread::sleep(FOR_EVER),
        "stubborn" => ignore_terminate(),
        "stubborn_sleeper" => {
            ignore_terminate();
            std::thread::sleep(FOR_EVER);
        }
        // Holds on to the output, so that its end is never seen.
        "grandchild" | "orphan_pipe" => start(again("sleeper").stdin(Stdio::null())),
        "stubborn_grandchild" => {
            start(again("stubborn_sleeper").stdin(Stdio::null()).stdout(Stdio::null()));
        }
        // Ends at once; what it started serves on.
        "launcher" => {
            start(&mut again("ignore_eof"));
            return Some(ExitCode::SUCCESS);
        }
        "wrapper" => {
            let status = again("ignore_eof").status();
            return Some(status.map_or(ExitCode::FAILURE, |_| ExitCode::SUCCESS));
        }
        _ => {}
    }
    None
}

fn start(command: &mut Command) {
    let child = command.spawn().expect("a grandchild starts");
    eprintln!("PID {}", child.id());
    // Not waited for: it is left behind on purpose.
    std::mem::forget(child);
}

/// The standard library has no signals; the test's own runtime does.
fn ignore_terminate() {
    #[cfg(unix)]
    {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime for one signal");
        let _inside = runtime.enter();
        let signal = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate());
        std::mem::forget(signal.expect("the signal can be taken"));
        drop(_inside);
        std::mem::forget(runtime);
    }
}

/// What happens when the client has closed the input.
pub(crate) fn after_input(fault: &str) -> ExitCode {
    if ["stubborn", "ignore_eof", "exit_clean", "close_input", "call_exit_clean"].contains(&fault) {
        std::thread::sleep(FOR_EVER);
    }
    ExitCode::SUCCESS
}

/// Reads in whose middle the process does something. Says whether it answered, or never will.
pub(crate) fn read(server: &Server, id: &Value, uri: &str) -> bool {
    match server.fault.as_str() {
        "exit_mid" => std::process::exit(3),
        "crash" => std::process::abort(),
        "orphan_pipe" => std::process::exit(5),
        "exit_clean" => close_output(),
        "env" => {
            let folder = std::env::current_dir().unwrap_or_default();
            let one = |name: &str| std::env::var(name).unwrap_or_else(|_| "unset".into());
            let seen = json!({
                "cwd": folder, "given": one("FAULTS_GIVEN"), "home": one("HOME"),
                "cargo": one("CARGO_MANIFEST_DIR"), "empty": one("FAULTS_EMPTY"),
            });
            server.text(id, uri, &seen.to_string());
        }
        _ => return false,
    }
    true
}

/// Reads nothing any more, and says so to whoever writes.
pub(crate) fn close_input() {
    #[cfg(unix)]
    {
        let nothing = std::fs::File::open("/dev/null").expect("/dev/null");
        rustix::stdio::dup2_stdin(&nothing).expect("the input can be replaced");
    }
}

/// Writes nothing any more.
pub(crate) fn close_output() {
    #[cfg(unix)]
    {
        let nowhere = std::fs::File::options().write(true).open("/dev/null").expect("/dev/null");
        rustix::stdio::dup2_stdout(&nowhere).expect("the output can be replaced");
    }
    #[cfg(not(unix))]
    std::process::exit(0);
}
