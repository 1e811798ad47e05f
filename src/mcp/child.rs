//! A server as a child process that leaves nothing behind.
//!
//! The SDK's own child handling cannot end a server that has stopped reading, and leaves
//! grandchildren; so the process group is ours.

use super::{
    line_reader::{Line, LineReader},
    ring::MAX_LINE,
    tap::Logs,
};
use crate::{
    content::reveal_line,
    domain::{Fault, FaultKind},
};
use process_wrap::tokio::{ChildWrapper, CommandWrap};
use secrecy::{ExposeSecret, SecretString};
use std::{
    path::Path,
    process::{ExitStatus, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::{
    process::{ChildStdin, ChildStdout, Command},
    sync::watch,
    task::JoinHandle,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// How long a server may take after each step of asking it to end: end of input, TERM, KILL.
pub(super) const GRACE: Duration = Duration::from_millis(400);

/// A running server process. Dropping it ends the process in the background, on the session's own
/// tasks; [`stop`](Self::stop) waits for it.
#[derive(Debug)]
pub(super) struct ChildProcess {
    exit: watch::Receiver<Option<ExitStatus>>,
    /// Whether standard error was read to its end.
    drained: watch::Receiver<bool>,
    stop: CancellationToken,
    keeper: Option<JoinHandle<()>>,
    started: Instant,
}

/// What starting gives: the process and both ends of the conversation.
pub(super) struct Started {
    pub(super) child: ChildProcess,
    pub(super) input: ChildStdin,
    pub(super) output: ChildStdout,
}

/// Starts a program, without a shell, in a session of its own.
pub(super) fn start(
    command: &str,
    args: &[String],
    env: &[(String, SecretString)],
    cwd: Option<&Path>,
    logs: Arc<Logs>,
    tasks: &TaskTracker,
) -> Result<Started, Fault> {
    let unreachable = |what: String| Fault::new(FaultKind::Unreachable, what);
    if let Some(folder) = cwd.filter(|folder| !folder.is_dir()) {
        return Err(unreachable(format!("its folder {} does not exist", printable(folder)))
            .hint("check `cwd` in the server's entry"));
    }
    let mut builder = Command::new(command);
    builder.args(args).envs(env.iter().map(|(name, value)| (name, value.expose_secret())));
    builder.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    if let Some(folder) = cwd {
        builder.current_dir(folder);
    }
    let mut builder = CommandWrap::from(builder);
    // A session of its own is a process group of its own, too; and one without a terminal: what a
    // server wrote to ours by its name would pass by everything that is done about its text.
    #[cfg(unix)]
    builder.wrap(process_wrap::tokio::ProcessSession);
    let mut child = builder.spawn().map_err(|error| not_started(command, &error))?.into_inner();
    let (Some(input), Some(output), Some(errors)) =
        (child.stdin().take(), child.stdout().take(), child.stderr().take())
    else {
        return Err(Fault::new(FaultKind::Unexpected, "the process has no pipes"));
    };
    widen(&output);
    let (told, exit) = watch::channel(None);
    let stop = CancellationToken::new();
    let (at_end, drained) = watch::channel(false);
    let draining = drain(errors, logs, stop.clone());
    tasks.spawn(async move {
        draining.await;
        at_end.send_replace(true);
    });
    let keeper = tasks.spawn(keep(child, told, stop.clone()));
    let child = ChildProcess { exit, drained, stop, keeper: Some(keeper), started: Instant::now() };
    Ok(Started { child, input, output })
}

/// Makes room for a whole page of a list in the pipe, so that neither side waits for the other
/// every 64 KiB. A system that does not allow it only costs time.
#[cfg(target_os = "linux")]
fn widen(output: &ChildStdout) {
    const ROOM: usize = 1 << 20;
    let _ = rustix::pipe::fcntl_setpipe_size(output, ROOM);
}

#[cfg(not(target_os = "linux"))]
fn widen(_output: &ChildStdout) {}

fn printable(path: &Path) -> String {
    reveal_line(&path.display().to_string()).plain()
}

fn not_started(command: &str, error: &std::io::Error) -> Fault {
    let shown = reveal_line(command).plain();
    let fault = Fault::new(FaultKind::Unreachable, format!("`{shown}` could not be started"));
    let is_path = command.contains(std::path::is_separator);
    if error.kind() == std::io::ErrorKind::NotFound && is_path {
        return fault.because(error.to_string()).hint("nothing is there: check the path");
    }
    if error.kind() == std::io::ErrorKind::NotFound {
        return fault
            .because(searched())
            .hint("no such program: install it, or give its full path");
    }
    let fault = fault.because(error.to_string());
    if error.kind() == std::io::ErrorKind::PermissionDenied {
        return fault.hint("the file is not executable: chmod +x, or run it by its interpreter");
    }
    fault
}

/// Where a program was looked for: the beginning of PATH.
fn searched() -> String {
    const SHOWN: usize = 4;
    let path = std::env::var("PATH").unwrap_or_default();
    let folders: Vec<&str> = path.split(':').collect();
    let shown = folders.iter().take(SHOWN).copied().collect::<Vec<_>>().join(":");
    match folders.len().saturating_sub(SHOWN) {
        0 => format!("PATH is {shown}"),
        more => format!("PATH is {shown} and {more} more"),
    }
}

impl ChildProcess {
    /// How the process ended, in words, waiting at most `patience` for it to have ended, and as
    /// long again for its last words to be read.
    pub(super) async fn ending(&self, patience: Duration) -> String {
        let mut exit = self.exit.clone();
        // The guard of what was waited for must not live on.
        let ended = tokio::time::timeout(patience, exit.wait_for(Option::is_some)).await;
        let status = ended.ok().and_then(|status| *status.ok()?);
        let after = self.started.elapsed().as_secs_f32();
        if status.is_some() {
            let mut drained = self.drained.clone();
            // Another process may hold the pipe open.
            let _ = tokio::time::timeout(patience, drained.wait_for(|end| *end)).await;
        }
        match status {
            Some(status) => format!("the process ended after {after:.1} s: {}", describe(status)),
            None => format!("the process still runs after {after:.1} s"),
        }
    }

    /// How the process ended, in words, if it has: its output may be open all the same, held by
    /// another process that it started.
    pub(super) fn ended(&self) -> Option<String> {
        let status = *self.exit.borrow();
        status.map(|status| format!("the process has ended: {}", describe(status)))
    }

    /// Ends the process and its group: end of input was given by closing the pipe; then TERM,
    /// then KILL, [`GRACE`] apart. Returns when nothing of it is left.
    pub(super) async fn stop(mut self) {
        self.stop.cancel();
        if let Some(keeper) = self.keeper.take() {
            // The keeper cannot fail: it only waits and signals.
            let _ = keeper.await;
        }
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

fn describe(status: ExitStatus) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            return format!("killed by signal {signal}");
        }
    }
    match status.code() {
        Some(0) => "exit code 0 (it ended by itself)".into(),
        Some(code) => format!("exit code {code}"),
        None => "no exit code".into(),
    }
}

/// Owns the process until it ended; when told to stop, sees to it that it does.
async fn keep(
    mut child: Box<dyn ChildWrapper>,
    told: watch::Sender<Option<ExitStatus>>,
    stop: CancellationToken,
) {
    let group = Group::of(&*child);
    let ended = tokio::select! {
        status = child.wait() => status.ok(),
        () = stop.cancelled() => None,
    };
    if ended.is_some() {
        told.send_replace(ended);
        stop.cancelled().await;
    }
    if ended.is_none()
        && let Ok(Ok(status)) = tokio::time::timeout(GRACE, child.wait()).await
    {
        told.send_replace(Some(status));
    }
    // Whether or not the leader has ended, others of its group may live.
    group.terminate();
    if told.borrow().is_none()
        && let Ok(Ok(status)) = tokio::time::timeout(GRACE, child.wait()).await
    {
        told.send_replace(Some(status));
    }
    group.wait_gone(GRACE).await;
    group.kill();
    if told.borrow().is_none() {
        let status = child.wait().await.ok();
        told.send_replace(status);
    }
    // What was killed takes a moment to go.
    group.wait_gone(GRACE).await;
}

/// The process group of a server.
struct Group {
    #[cfg(unix)]
    id: Option<rustix::process::Pid>,
}

#[cfg(unix)]
impl Group {
    fn of(child: &dyn ChildWrapper) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        Self { id: id.and_then(rustix::process::Pid::from_raw) }
    }

    fn signal(&self, signal: rustix::process::Signal) {
        if let Some(id) = self.id {
            // Fails when nobody is left, which is what is wanted.
            let _ = rustix::process::kill_process_group(id, signal);
        }
    }

    fn terminate(&self) {
        self.signal(rustix::process::Signal::TERM);
    }

    fn kill(&self) {
        self.signal(rustix::process::Signal::KILL);
    }

    /// Waits until nobody of the group is left; the system has no event for this, so it is asked
    /// a few times, and only while a server is being stopped.
    async fn wait_gone(&self, patience: Duration) {
        const STEP: Duration = Duration::from_millis(20);
        let deadline = Instant::now() + patience;
        while let Some(id) = self.id
            && rustix::process::test_kill_process_group(id).is_ok()
            && Instant::now() < deadline
        {
            tokio::time::sleep(STEP).await;
        }
    }
}

#[cfg(not(unix))]
impl Group {
    fn of(_child: &dyn ChildWrapper) -> Self {
        Self {}
    }
    fn terminate(&self) {}
    fn kill(&self) {}
    async fn wait_gone(&self, _patience: Duration) {}
}

/// Reads standard error from the first moment, so that a chatty server never blocks. Ends with the
/// pipe, or some time after the process was told to stop: a grandchild outside the group may hold
/// the pipe open for ever.
async fn drain(errors: tokio::process::ChildStderr, logs: Arc<Logs>, stop: CancellationToken) {
    let mut lines = LineReader::new(errors, MAX_LINE);
    let reading = async {
        while let Ok(Some(Line::Whole(bytes) | Line::TooLong(bytes))) = lines.next().await {
            logs.stderr_line(bytes.strip_suffix(b"\r").unwrap_or(&bytes));
        }
    };
    let patience = async {
        stop.cancelled().await;
        tokio::time::sleep(GRACE * 3).await;
    };
    tokio::select! {
        () = reading => {}
        () = patience => {}
    }
}
