//! Wires the floors: command line, settings, servers, registry, then the screen or one command,
//! then everything closed, then the exit code.

use std::{
    io::{self, BufWriter, IsTerminal as _},
    panic::{AssertUnwindSafe, catch_unwind},
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::runtime::{Builder, Runtime};
use vestibule::{
    cli::{self, Arguments, Command, Reporter, Signals, Sources},
    config::{Paths, Settings, ThemeName},
    demo::{self, DemoServer},
    domain::{Fault, FaultKind, ServerId, ServerSpec, Transport},
    registry::{Registry, RegistryBuilder},
    tui,
};

/// How long a command may take to notice a signal. It notices at once unless it is stuck writing
/// to a pipe that nobody reads.
const SIGNAL_GRACE: Duration = Duration::from_secs(5);

/// How long tasks that nobody waits for may delay the end.
const SHUTDOWN: Duration = Duration::from_secs(1);

/// Where the embedded servers' entries come from.
const DEMO_SOURCE: &str = "the embedded demo";

/// Buffer of standard output, in bytes.
const OUTPUT_BYTES: usize = 64 * 1024;

fn main() -> ExitCode {
    let arguments = match Arguments::read(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(error) => {
            return ExitCode::from(cli::refuse(&error));
        }
    };
    let json = arguments.common.json;
    ExitCode::from(start(&arguments).unwrap_or_else(|fault| report(&fault, json)))
}

/// Reports what ended the program before a command could, and gives its exit code.
fn report(fault: &Fault, json: bool) -> u8 {
    Reporter::new(&mut io::stderr(), json).error(fault);
    fault.kind.exit_code()
}

fn start(arguments: &Arguments) -> Result<u8, Fault> {
    if let Some(Command::Demo(demo)) = &arguments.command {
        let runtime = runtime()?;
        let code = runtime.block_on(cli::serve_demo(*demo, &mut io::stderr()));
        runtime.shutdown_timeout(SHUTDOWN);
        return code;
    }
    let terminal = io::stdout().is_terminal();
    if arguments.command.is_none() && !terminal {
        return Err(cli::no_screen());
    }
    let paths = Paths::find();
    let settings = match &paths {
        Ok(paths) => Settings::load(&paths.settings_file()).map_err(|error| error.fault())?,
        // Without a home there are no settings; that matters only to who needs the own servers.
        Err(_) => Settings::default(),
    };
    let own = || vestibule::config::load_servers(&paths?.servers_file());
    let sources = cli::sources(arguments, own, demo_specs())?;
    let runtime = runtime()?;
    let code = match &arguments.command {
        Some(command) => headless(&runtime, command, arguments, &settings, sources, terminal),
        None => screen(&runtime, arguments, &settings, sources),
    };
    runtime.shutdown_timeout(SHUTDOWN);
    code
}

fn runtime() -> Result<Runtime, Fault> {
    let workers = std::thread::available_parallelism().map_or(2, usize::from).clamp(2, 4);
    Builder::new_multi_thread()
        .worker_threads(workers)
        .enable_all()
        .build()
        .map_err(|error| unexpected("the program could not start its threads", &error))
}

fn unexpected(what: &str, error: &io::Error) -> Fault {
    Fault::new(FaultKind::Unexpected, what).because(error.to_string())
}

/// One command without a screen.
fn headless(
    runtime: &Runtime,
    command: &Command,
    arguments: &Arguments,
    settings: &Settings,
    sources: Sources,
    terminal: bool,
) -> Result<u8, Fault> {
    let options = cli::Options::new(&arguments.common, terminal);
    let mut err = io::stderr();
    for notice in &sources.notices {
        Reporter::new(&mut err, options.json).note(notice);
    }
    if sources.servers.is_empty() {
        return Err(cli::nothing_configured());
    }
    let run = async {
        let listen = || Signals::listen().map_err(|e| unexpected("signals are not available", &e));
        let (mut signals, watched) = (listen()?, listen()?);
        let builder = builder(sources.servers, settings);
        // Watching goes on after a loss; every other command ends with it.
        let watches = matches!(command, Command::Watch(_));
        let registry = if watches { builder.reconnecting() } else { builder }.open()?;
        let told = Arc::new(AtomicBool::new(false));
        tokio::spawn(end_when_stuck(watched, registry.clone(), options.clone(), told.clone()));
        let mut out = BufWriter::with_capacity(OUTPUT_BYTES, io::stdout().lock());
        let code = guarded(async {
            tokio::select! {
                biased;
                signal = signals.next() => {
                    told.store(true, Ordering::Relaxed);
                    cli::stopped(&registry, signal, &options, &mut io::stderr())
                }
                code = Box::pin(cli::run(command, &registry, &options, &mut out, &mut err)) => code,
            }
        })
        .await;
        registry.close().await;
        // What a signal left in the buffer is half an answer; it is not worth waiting for.
        let _ = out.into_parts();
        code
    };
    runtime.block_on(run)
}

/// Ends the process when a signal came and the command did not react, because it is stuck in a
/// write to a pipe that nobody reads. `told` is set when the command has said by itself what ended it.
async fn end_when_stuck(
    mut signals: Signals,
    registry: Registry,
    options: cli::Options,
    told: Arc<AtomicBool>,
) {
    let signal = signals.next().await;
    tokio::time::sleep(SIGNAL_GRACE).await;
    if !told.load(Ordering::Relaxed) {
        let registry = registry.clone();
        let tell = move || cli::stopped(&registry, signal, &options, &mut io::stderr());
        // Standard error may be the very pipe that nobody reads.
        let _ = tokio::time::timeout(SHUTDOWN, tokio::task::spawn_blocking(tell)).await;
    }
    registry.close().await;
    std::process::exit(i32::from(cli::signal_code(signal)));
}

/// Turns a panic into a fault, so that the servers are still closed. The panic hook has already
/// said where it was.
async fn guarded<T>(work: impl Future<Output = T>) -> Result<T, Fault> {
    let mut work = std::pin::pin!(work);
    std::future::poll_fn(|context| {
        match catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context))) {
            Ok(poll) => poll.map(Ok),
            Err(_) => std::task::Poll::Ready(Err(Fault::new(
                FaultKind::Unexpected,
                "a fault of this program ended it",
            ))),
        }
    })
    .await
}

/// The embedded servers as entries.
fn demo_specs() -> Vec<ServerSpec> {
    let spec = |server: &DemoServer| {
        let mut spec = ServerSpec::new(ServerId::sanitized(server.name), Transport::InProcess);
        spec.source = DEMO_SOURCE.into();
        spec
    };
    demo::servers().iter().map(spec).collect()
}

/// A registry over these servers; entries without a way of their own are the embedded servers.
fn builder(servers: Vec<ServerSpec>, settings: &Settings) -> RegistryBuilder {
    let mut builder = Registry::builder().limits(settings.limits.clone()).servers(servers);
    if let Ok(paths) = Paths::find() {
        builder = builder.cache_folder(paths.cache_folder());
    }
    for server in demo::servers() {
        builder =
            builder.hand_over(&ServerId::sanitized(server.name), Arc::new(move || server.open()));
    }
    builder
}

/// The screen.
fn screen(
    runtime: &Runtime,
    arguments: &Arguments,
    settings: &Settings,
    sources: Sources,
) -> Result<u8, Fault> {
    runtime.block_on(async {
        let registry = builder(sources.servers, settings).reconnecting().open()?;
        let options = tui::Options {
            notices: sources.notices,
            demo: sources.is_demo,
            theme: theme(settings, arguments.common.no_color || no_color_wanted()),
            mouse: settings.screen.mouse,
        };
        let ended = guarded(tui::run(registry.clone(), options)).await;
        registry.close().await;
        match ended? {
            Ok(tui::Exit::Quit) => Ok(0),
            Ok(tui::Exit::Signal(signal)) => Ok(cli::signal_code(signal)),
            // What a shell reports of a process whose terminal went away.
            Ok(tui::Exit::TerminalClosed) => Ok(cli::signal_code(1)),
            Err(tui::RunError::Background) => {
                let fault = Fault::new(FaultKind::Usage, tui::RunError::Background.to_string());
                Err(fault.hint("start it without `&`, or bring it to the foreground with `fg`"))
            }
            Err(error) => Err(Fault::new(FaultKind::Unexpected, error.to_string())),
        }
    })
}

/// The colours of the screen.
fn theme(settings: &Settings, no_color: bool) -> tui::Theme {
    match settings.screen.theme {
        _ if no_color => tui::Theme::None,
        ThemeName::Terminal => tui::Theme::Terminal,
        ThemeName::Dark => tui::Theme::Dark,
        ThemeName::Light => tui::Theme::Light,
        ThemeName::None => tui::Theme::None,
    }
}

/// Whether the environment asks for no colours: `NO_COLOR`, set to anything but nothing.
fn no_color_wanted() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}
