//! Headless commands: the same work as the screen, without one.
//!
//! Standard output carries data only, standard error messages only. Plain output goes through
//! `content::reveal`; JSON is escaped by `cli::json`; bytes as a server sent them leave only by
//! `read --raw` and `-o`.
//!
//! A closed standard output (`vestibule resources | head -1`) is no failure: the reader has what
//! it wanted, so the command stops quietly with exit code 0.

mod args;

mod blocks;
mod call;
mod complete;
mod connect;
mod demo;
mod given;
mod json;
mod list;
mod notes;
mod outcome;
mod output;
mod prompt;
mod prompts;
mod read;
mod resources;
mod servers;
mod signals;
mod strays;
mod table;
mod templates;
mod tools;
mod waits;
mod watch;
mod whole;

#[cfg(test)]
mod readme;
#[cfg(test)]
mod samples;

pub use args::{Arguments, Command, Common, EraArgument, Listed};
pub use call::Call;
pub use connect::{Sources, no_screen, nothing_configured, sources};
pub use demo::{Demo, DemoName, serve_demo};
pub use given::{Complete, Given, Prompt};
pub use notes::Reporter;
pub use output::Options;
pub use read::Read;
pub use signals::{INTERRUPT, Signals, signal_code};
pub use watch::Watch;
pub use whole::Whole;

use crate::{
    content::{export, reveal_text},
    domain::{Fault, FaultKind, Prompt as PromptItem, Resource, ResourceTemplate, Surface, Tool},
    registry::{Proposals, Reading, Registry, Rendering, Track},
};
use outcome::{Settled, Stop, down, in_time, settled, with_servers_off};
use std::io::{self, Write};

/// Prints what the command line's reader has to say, help or error, and gives the exit code. An
/// error repeats what was typed, which may come from anywhere, so it is printed without colours
/// and revealed.
pub fn refuse(error: &clap::Error) -> u8 {
    let printed = if error.use_stderr() {
        let text = error.render().to_string();
        writeln!(io::stderr(), "{}", reveal_text(text.trim_end()).plain())
    } else {
        error.print()
    };
    match printed {
        Ok(()) => u8::try_from(error.exit_code()).unwrap_or(2),
        Err(_) => 1,
    }
}

/// Runs one command against an open registry and gives the process's exit code.
///
/// `out` receives data only, `err` messages only; both are flushed. The registry is left open:
/// whoever opened it closes it. Dropping the future cancels what is under way.
pub async fn run(
    command: &Command,
    registry: &Registry,
    options: &Options,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let mut reporter = Reporter::new(err, options.json);
    let done = match dispatch(command, registry, options, out, &mut reporter).await {
        Ok(code) => out.flush().map(|()| code).map_err(Stop::from),
        Err(stop) => Err(stop),
    };
    strays::report(registry, &registry.view(), &mut reporter);
    match done {
        Ok(code) => code,
        Err(Stop::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(Stop::Output(error)) => {
            let what = "standard output could not be written";
            let fault = Fault::new(FaultKind::Unexpected, what).because(error.to_string());
            reporter.error(&fault);
            fault.kind.exit_code()
        }
        Err(Stop::Fault(fault)) => {
            reporter.error(&fault);
            fault.kind.exit_code()
        }
    }
}

async fn dispatch(
    command: &Command,
    registry: &Registry,
    options: &Options,
    out: &mut dyn Write,
    reporter: &mut Reporter<'_>,
) -> Result<u8, Stop> {
    match command {
        Command::Read(read) => {
            if let Some(path) = read.file() {
                export::check(path, read.force).map_err(read::file_refused)?;
            }
            let (uri, values) = (&read.uri, read.given.pairs()?);
            let registry = &said_yes(registry, read.yes);
            let reading = asked(registry, Surface::Resources, uri, options, reporter, {
                Box::pin(read::read(registry, uri, &values, options.server.as_deref()))
            });
            let reading: Result<Reading, Fault> = reading.await;
            let outcome = outcome::of_servers(&registry.view(), reading.as_ref().err(), reporter);
            read::present(read, &reading?, options, out, reporter)?;
            Ok(outcome.code(options.strict))
        }
        Command::Watch(watch) => {
            let (uri, server) = (&watch.uri, options.server.as_deref());
            let registry = &said_yes(registry, watch.yes);
            let reading = asked(registry, Surface::Resources, uri, options, reporter, {
                Box::pin(async {
                    registry.subscribe(uri, server).await?;
                    registry.read_resource(uri, server).await
                })
            });
            let reading: Result<Reading, Fault> = reading.await;
            let outcome = outcome::of_servers(&registry.view(), reading.as_ref().err(), reporter);
            watch::follow(registry, watch, reading?, options, out, reporter).await?;
            Ok(outcome.code(options.strict))
        }
        Command::Prompt(prompt) => {
            let (arguments, name) = (prompt.given.pairs()?, &prompt.name);
            let registry = &said_yes(registry, prompt.yes);
            let rendering = asked(registry, Surface::Prompts, name, options, reporter, {
                Box::pin(registry.get_prompt(name, &arguments, options.server.as_deref()))
            });
            let rendering: Result<Rendering, Fault> = rendering.await;
            let outcome = outcome::of_servers(&registry.view(), rendering.as_ref().err(), reporter);
            prompt::present(&rendering?, options, out, reporter)?;
            Ok(outcome.code(options.strict))
        }
        Command::Call(call) => call_one(registry, call, options, out, reporter).await,
        Command::Complete(complete) => {
            let (others, server) = (complete.given.pairs()?, options.server.as_deref());
            let surface = complete::surface(complete);
            let proposals = asked(registry, surface, &complete.name, options, reporter, {
                Box::pin(complete::ask(registry, complete, &others, server))
            });
            let proposals: Result<Proposals, Fault> = proposals.await;
            let outcome = outcome::of_servers(&registry.view(), proposals.as_ref().err(), reporter);
            complete::present(&proposals?, options, out, reporter)?;
            Ok(outcome.code(options.strict))
        }
        Command::Servers(_) => {
            let view = settled(registry, options.timeout, registry.settled());
            let view = waits::with_a_word(registry, None, reporter, view).await;
            servers::present(&view, options, out, reporter)
        }
        Command::Resources(_) => {
            let view = listed(registry, Surface::Resources, options, reporter).await;
            list::present::<Resource>(&view, options, out, reporter)
        }
        Command::Templates(_) => {
            let view = listed(registry, Surface::Resources, options, reporter).await;
            list::present::<ResourceTemplate>(&view, options, out, reporter)
        }
        Command::Prompts(_) => {
            let view = listed(registry, Surface::Prompts, options, reporter).await;
            list::present::<PromptItem>(&view, options, out, reporter)
        }
        Command::Tools(_) => {
            let view = listed(registry, Surface::Tools, options, reporter).await;
            list::present::<Tool>(&view, options, out, reporter)
        }
        // It is a server, not a question to some.
        Command::Demo(_) => Err(Fault::new(FaultKind::Usage, "`demo` needs no servers").into()),
    }
}

/// Calls one tool and writes what it answered.
async fn call_one(
    registry: &Registry,
    call: &Call,
    options: &Options,
    out: &mut dyn Write,
    reporter: &mut Reporter<'_>,
) -> Result<u8, Stop> {
    let given = call::given(call);
    let given = match options.timeout {
        Some(time) => tokio::time::timeout(time, given).await.map_err(|_| {
            let what = format!("the arguments did not come within {} s", time.as_secs_f64());
            Fault::new(FaultKind::Timeout, what).hint("`--args` reads to the end of its input")
        })?,
        None => given.await,
    };
    let (given, name) = (given?, &call.name);
    let (track, server) = (Track::default(), options.server.as_deref());
    let state = options.progress.then(|| track.subscribe());
    let registry = &said_yes(registry, call.yes).tracked(track);
    let called = Box::pin(call::call(registry, call, given, server));
    let called = in_time(options.timeout, called, Surface::Tools, || registry.view());
    let called =
        waits::with_progress(registry, Surface::Tools, name, state, reporter, called).await;
    let called = called.map_err(|fault| with_servers_off(fault, &registry.view(), name));
    let outcome = outcome::of_servers(&registry.view(), called.as_ref().err(), reporter);
    call::present(&called?, outcome, options, out, reporter)
}

/// The handle for a command that may have a yes with it.
fn said_yes(registry: &Registry, yes: bool) -> Registry {
    if yes { registry.confirmed() } else { registry.clone() }
}

/// Waits until a list is there from every server, or until time is up.
async fn listed(
    registry: &Registry,
    surface: Surface,
    options: &Options,
    reporter: &mut Reporter<'_>,
) -> Settled {
    let view = settled(registry, options.timeout, registry.listed(surface));
    waits::with_a_word(registry, Some(surface), reporter, view).await
}

/// Waits for the answer to an address, or until time is up.
async fn asked<T>(
    registry: &Registry,
    surface: Surface,
    address: &str,
    options: &Options,
    reporter: &mut Reporter<'_>,
    answer: impl Future<Output = Result<T, Fault>>,
) -> Result<T, Fault> {
    let answer = in_time(options.timeout, answer, surface, || registry.view());
    let answer = waits::with_a_word(registry, Some(surface), reporter, answer).await;
    answer.map_err(|fault| with_servers_off(fault, &registry.view(), address))
}

/// Reports that a signal ended a command, after the failures that were known by then, and gives
/// the process's exit code.
pub fn stopped(registry: &Registry, signal: i32, options: &Options, err: &mut dyn Write) -> u8 {
    let mut reporter = Reporter::new(err, options.json);
    for fault in registry.view().servers.iter().filter_map(|server| down(server)) {
        reporter.error(&fault);
    }
    reporter.error(&Fault::new(FaultKind::Cancelled, "stopped by a signal"));
    signal_code(signal)
}
