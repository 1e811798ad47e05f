//! The program in a terminal: how soon it is there, and what it costs while nothing happens.

use crate::figure::{Figure, median};
use crossterm::{
    event, execute,
    terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode},
};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use ratatui::{Terminal, backend::CrosstermBackend, widgets::Paragraph};
use std::{
    io::{Read, Write, stdout},
    path::Path,
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    time::{Duration, Instant},
};

/// How often each is started.
const STARTS: usize = 15;
/// What stands at the bottom of both first frames.
const FOOT: &[u8] = b"quit";
/// How long nothing happens.
const IDLE: Duration = Duration::from_secs(10);
/// How long anything else may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// A program that draws one frame and ends with the first key.
pub(crate) fn bare() {
    enable_raw_mode().expect("raw mode");
    execute!(stdout(), EnterAlternateScreen).expect("a screen");
    let mut terminal = Terminal::new(CrosstermBackend::new(stdout())).expect("a terminal");
    let draw = |frame: &mut ratatui::Frame<'_>| {
        let (area, line) = (frame.area(), "a line of the screen\n");
        let text = line.repeat(usize::from(area.height) - 1) + "quit";
        frame.render_widget(Paragraph::new(text), area);
    };
    terminal.draw(draw).expect("a frame");
    event::read().expect("a key");
    execute!(stdout(), LeaveAlternateScreen).expect("the screen before");
    disable_raw_mode().expect("the mode before");
}

/// A program in a terminal of its own.
struct Running {
    child: Box<dyn Child + Send + Sync>,
    output: Receiver<Vec<u8>>,
    writer: Box<dyn Write + Send>,
    _master: Box<dyn MasterPty + Send>,
}

impl Running {
    fn start(program: &Path, arguments: &[&str], home: &Path) -> Self {
        let size = PtySize { rows: 50, cols: 200, ..PtySize::default() };
        let pair = native_pty_system().openpty(size).expect("a terminal");
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let writer = pair.master.take_writer().expect("a writer");
        let (send, output) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 1 << 16];
            while let Ok(size @ 1..) = reader.read(&mut buffer) {
                if send.send(buffer[..size].to_vec()).is_err() {
                    return;
                }
            }
        });
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.env("VESTIBULE_HOME", home);
        command.env("TERM", "xterm-256color");
        let child = pair.slave.spawn_command(command).expect("a program");
        Self { child, output, writer, _master: pair.master }
    }

    /// Waits until something has been written.
    fn wait_for(&self, text: &[u8]) {
        let mut written = Vec::new();
        while !written.windows(text.len()).any(|window| window == text) {
            written.extend(self.output.recv_timeout(PATIENCE).expect("more output"));
        }
    }

    fn wait_quiet(&self, quiet: Duration) {
        while self.output.recv_timeout(quiet) != Err(RecvTimeoutError::Timeout) {}
    }

    fn end(mut self) {
        self.writer.write_all(b"q").expect("a key");
        self.child.wait().expect("an end");
    }
}

pub(crate) fn start() -> Vec<Figure> {
    let home = tempfile::tempdir().expect("a folder");
    let me = std::env::current_exe().expect("a path");
    let time = |program: &Path, arguments: &[&str]| {
        let began = Instant::now();
        let running = Running::start(program, arguments, home.path());
        running.wait_for(FOOT);
        let took = began.elapsed().as_secs_f64();
        running.end();
        took
    };
    let (mut ours, mut bare) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        ours.push(time(Path::new(env!("CARGO_BIN_EXE_vestibule")), &["--demo"]));
        bare.push(time(&me, &["bare"]));
    }
    vec![Figure::ratio("wall", median(ours), median(bare), 2.0)]
}

pub(crate) fn idle() -> Vec<Figure> {
    let home = tempfile::tempdir().expect("a folder");
    let program = Path::new(env!("CARGO_BIN_EXE_vestibule"));
    let running = Running::start(program, &["--demo"], home.path());
    running.wait_for(FOOT);
    running.wait_quiet(Duration::from_secs(2));
    let pid = running.child.process_id().expect("a process");
    let (cpu, woken) = spent(pid);
    running.wait_quiet(IDLE);
    let (cpu_after, woken_after) = spent(pid);
    running.end();
    let figure = |kind, value| Figure { kind, value, most: 0.0, made_of: String::new() };
    vec![figure("wake-ups", woken_after - woken), figure("CPU, s", cpu_after - cpu)]
}

/// CPU seconds of a process, and how often its threads gave up or lost the processor.
fn spent(pid: u32) -> (f64, f64) {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).expect("its threads");
    let (mut cpu, mut switches) = (0.0, 0.0);
    for thread in threads {
        let folder = thread.expect("a thread").path();
        let file = |name| std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        let nanoseconds = file("schedstat").split_whitespace().next().map(str::to_owned);
        cpu += nanoseconds.map_or(0.0, |n| n.parse().unwrap_or(0.0)) / 1e9;
        let status = file("status");
        let counts = status.lines().filter(|line| line.contains("ctxt_switches"));
        let counts = counts.filter_map(|line| line.split_whitespace().last()?.parse::<f64>().ok());
        switches += counts.sum::<f64>();
    }
    (cpu, switches)
}
