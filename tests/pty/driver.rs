//! Starts the program in a pseudo-terminal, types into it, and looks at what a terminal would
//! show.

use crate::keys::key;
use crate::processes::running_with;
use crate::start::Start;
use crate::stream;
use portable_pty::{ExitStatus, MasterPty, PtySize, native_pty_system};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use rustix::termios::{InputModes, LocalModes, OutputModes, SpecialCodeIndex};
use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::os::unix::fs::OpenOptionsExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long anything may take on the slowest machine. Only a failing test waits this long.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// How soon to look again at what the system tells only who asks.
const LOOK_AGAIN: Duration = Duration::from_millis(2);

/// What has come out of the program so far.
pub struct Seen {
    parser: vt100::Parser,
    raw: Vec<u8>,
}

impl Seen {
    /// The screen as text, one line for each row.
    pub fn text(&self) -> String {
        self.parser.screen().contents()
    }

    /// Whether a text is on the screen, in one row.
    pub fn shows(&self, text: &str) -> bool {
        self.text().contains(text)
    }

    /// The first row that holds a text.
    pub fn row(&self, text: &str) -> Option<String> {
        self.text().lines().find(|row| row.contains(text)).map(str::to_owned)
    }

    /// Whether these bytes were written, in one piece.
    pub fn wrote(&self, bytes: &[u8]) -> bool {
        self.raw.windows(bytes.len()).any(|window| window == bytes)
    }

    /// The terminal's own state.
    pub fn screen(&self) -> &vt100::Screen {
        self.parser.screen()
    }
}

struct Shared {
    seen: Mutex<Seen>,
    news: Condvar,
    stop: AtomicBool,
    /// Whether it does not read.
    held: AtomicBool,
}

/// The modes of a terminal's line discipline that programs change.
type Modes = (InputModes, OutputModes, LocalModes);

/// A terminal with the program in it.
pub struct Terminal {
    shared: Arc<Shared>,
    master: Option<Box<dyn MasterPty + Send>>,
    writer: Option<Box<dyn Write + Send>>,
    /// The program's end, to look at its modes.
    slave: File,
    reader: Option<JoinHandle<()>>,
    pid: Pid,
    exit: Receiver<ExitStatus>,
    ended: Option<ExitStatus>,
    before: Modes,
    /// The user's home, as long as the terminal is there.
    _home: TempDir,
}

impl Terminal {
    /// Opens a terminal and starts the program in it.
    pub fn open(start: Start) -> Self {
        let (columns, rows) = start.size;
        let pair = native_pty_system().openpty(size(columns, rows)).unwrap();
        let mut options = File::options();
        options.read(true).write(true).custom_flags(OFlags::NOCTTY.bits().try_into().unwrap());
        let slave = options.open(pair.master.tty_name().unwrap()).unwrap();
        let before = modes(&slave);
        let mut child = pair.slave.spawn_command(start.command()).unwrap();
        drop(pair.slave);
        let pid = Pid::from_raw(child.process_id().unwrap().try_into().unwrap()).unwrap();
        let (told, exit) = channel();
        std::thread::spawn(move || told.send(child.wait().unwrap()));
        let (wide, high) = start.shown;
        let parser = vt100::Parser::new(or(rows, high), or(columns, wide), 0);
        let shared = Arc::new(Shared {
            seen: Mutex::new(Seen { parser, raw: Vec::new() }),
            news: Condvar::new(),
            stop: AtomicBool::new(false),
            held: AtomicBool::new(false),
        });
        let reader = std::thread::spawn({
            let (shared, reader) = (shared.clone(), pair.master.try_clone_reader().unwrap());
            move || read(&shared, reader)
        });
        Self {
            shared,
            writer: Some(pair.master.take_writer().unwrap()),
            master: Some(pair.master),
            slave,
            reader: Some(reader),
            pid,
            exit,
            ended: None,
            before,
            _home: start.home,
        }
    }

    /// The process that was started: the program, or the shell.
    pub fn pid(&self) -> Pid {
        self.pid
    }

    /// The leader of the job that has the terminal.
    pub fn job(&self) -> Pid {
        let leader = self.master.as_ref().unwrap().process_group_leader();
        Pid::from_raw(leader.unwrap()).unwrap()
    }

    /// What has come out so far.
    pub fn seen(&self) -> MutexGuard<'_, Seen> {
        self.shared.seen.lock().unwrap()
    }

    /// All bytes so far.
    pub fn raw(&self) -> Vec<u8> {
        self.seen().raw.clone()
    }

    /// The screen as text.
    pub fn text(&self) -> String {
        self.seen().text()
    }

    /// Whether a text is on the screen now. A frame may have come in part: wait for what is to
    /// come, and ask this only of an ended program.
    pub fn shows(&self, text: &str) -> bool {
        self.seen().shows(text)
    }

    /// Waits until the screen is as wanted.
    #[track_caller]
    pub fn wait_until(&self, what: &str, wanted: impl Fn(&Seen) -> bool) {
        if !self.comes_within(PATIENCE, wanted) {
            panic!("never came: {what}\n{}", self.text());
        }
    }

    /// Waits until a text is on the screen.
    #[track_caller]
    pub fn wait_for(&self, text: &str) {
        self.wait_until(text, |seen| seen.shows(text));
    }

    /// Waits until a text is no longer on the screen.
    #[track_caller]
    pub fn wait_gone(&self, text: &str) {
        self.wait_until(&format!("a screen without {text}"), |seen| !seen.shows(text));
    }

    /// Waits at most this long until the screen is as wanted, and tells whether it was.
    pub fn comes_within(&self, time: Duration, wanted: impl Fn(&Seen) -> bool) -> bool {
        let (_seen, late) =
            self.shared.news.wait_timeout_while(self.seen(), time, |seen| !wanted(seen)).unwrap();
        !late.timed_out()
    }

    /// Waits until nothing has come out for this long.
    #[track_caller]
    pub fn wait_quiet(&self, time: Duration) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let length = self.seen().raw.len();
            if !self.comes_within(time, |seen| seen.raw.len() > length) {
                return;
            }
            assert!(Instant::now() < deadline, "never quiet\n{}", self.text());
        }
    }

    /// Sends bytes as the terminal would.
    pub fn send(&mut self, bytes: &[u8]) {
        let writer = self.writer.as_mut().unwrap();
        writer.write_all(bytes).unwrap();
        writer.flush().unwrap();
    }

    /// Presses keys, named and separated by spaces: `j Enter Ctrl-c`. Each is taken up by the
    /// program before the next is pressed, as with fingers; an Esc would else change the meaning
    /// of the key behind it.
    #[track_caller]
    pub fn keys(&mut self, names: &str) {
        for name in names.split_whitespace() {
            self.taken(&key(name));
        }
    }

    /// Types a text, in one go.
    pub fn type_text(&mut self, text: &str) {
        self.taken(text.as_bytes());
    }

    /// Pastes a text as a terminal with bracketed paste does.
    pub fn paste(&mut self, text: &str) {
        self.taken(format!("\x1b[200~{text}\x1b[201~").as_bytes());
    }

    /// Sends bytes, and waits until the program has read them all.
    #[track_caller]
    fn taken(&mut self, bytes: &[u8]) {
        self.send(bytes);
        let deadline = Instant::now() + PATIENCE;
        while self.is_unread() {
            assert!(Instant::now() < deadline, "keys are not read\n{}", self.text());
            self.comes_within(LOOK_AGAIN, |_| false);
        }
    }

    /// Whether something that was sent lies there unread. The kernel hands over what was sent in
    /// its own time; to ask like this makes it do so first, where to ask for a number does not.
    fn is_unread(&self) -> bool {
        let mut terminal = [PollFd::new(&self.slave, PollFlags::IN)];
        poll(&mut terminal, Some(&Timespec::default())).unwrap() > 0
    }

    /// Waits until this many processes hold a text in their command line.
    #[track_caller]
    pub fn wait_running(&self, text: &str, number: usize) {
        let deadline = Instant::now() + PATIENCE;
        while running_with(text).len() != number {
            assert!(Instant::now() < deadline, "{:?}\n{}", running_with(text), self.text());
            self.comes_within(LOOK_AGAIN, |_| false);
        }
    }

    /// Changes the size of the terminal.
    pub fn resize(&self, columns: u16, rows: u16) {
        self.seen().parser.set_size(or(rows, 24), or(columns, 80));
        self.master.as_ref().unwrap().resize(size(columns, rows)).unwrap();
    }

    /// Sends a signal to the process that was started.
    pub fn signal(&self, signal: Signal) {
        kill_process(self.pid, signal).unwrap();
    }

    /// Closes the terminal, as closing its window does.
    pub fn close(&mut self) {
        // The writer would press two keys when dropped, were there a character for "end of file".
        if let Ok(mut modes) = rustix::termios::tcgetattr(&self.slave) {
            modes.special_codes[SpecialCodeIndex::VEOF] = 0;
            let now = rustix::termios::OptionalActions::Now;
            rustix::termios::tcsetattr(&self.slave, now, &modes).unwrap();
        }
        self.writer = None;
        self.stop_reading();
        self.master = None;
    }

    /// Ends the reader once it has read all that was written before this.
    fn stop_reading(&mut self) {
        if let Some(reader) = self.reader.take() {
            self.shared.stop.store(true, Ordering::SeqCst);
            // It sits in a read; a byte lets it go.
            let _ = self.slave.write_all(b"\0");
            let _ = reader.join();
        }
    }

    /// Has the terminal read nothing more, as one that is stopped, or go on.
    pub fn hold(&self, held: bool) {
        self.shared.held.store(held, Ordering::SeqCst);
        self.shared.news.notify_all();
    }

    /// Waits for the end of the process that was started, and for all of its output.
    #[track_caller]
    pub fn wait_exit(&mut self) -> u32 {
        self.exit_within(PATIENCE)
    }

    /// The same, within a time.
    #[track_caller]
    pub fn exit_within(&mut self, time: Duration) -> u32 {
        let Ok(status) = self.exit.recv_timeout(time) else {
            panic!("still there after {time:?}\n{}", self.text());
        };
        assert_eq!(status.signal(), None, "killed by a signal");
        let code = status.exit_code();
        self.ended = Some(status);
        self.hold(false);
        self.stop_reading();
        code
    }

    /// Whether the process that was started has ended.
    pub fn has_ended(&mut self) -> bool {
        if self.ended.is_none() {
            self.ended = self.exit.try_recv().ok();
        }
        self.ended.is_some()
    }

    /// Checks that an ended program has given the terminal back as it was.
    #[track_caller]
    pub fn assert_given_back(&self) {
        assert!(self.ended.is_some(), "it still runs");
        assert_eq!(modes(&self.slave), self.before, "the modes of the line");
        stream::assert_modes_paired(&self.raw());
        let seen = self.seen();
        let screen = seen.screen();
        assert!(!screen.alternate_screen(), "the alternate screen was not left");
        assert!(!screen.hide_cursor(), "the cursor is hidden");
        assert!(!screen.bracketed_paste(), "bracketed paste is on");
    }

    /// Whether keys lie ready for who reads the terminal next, such as the user's shell.
    pub fn leaves_keys(&self) -> bool {
        // A terminal that hands out whole lines does not tell about the start of one.
        let mut modes = rustix::termios::tcgetattr(&self.slave).unwrap();
        modes.local_modes.remove(LocalModes::ICANON);
        let now = rustix::termios::OptionalActions::Now;
        rustix::termios::tcsetattr(&self.slave, now, &modes).unwrap();
        self.is_unread()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if !self.has_ended() {
            // It leads a group of its own.
            let _ = kill_process_group(self.pid, Signal::KILL);
        }
        if self.master.is_some() {
            self.close();
        }
    }
}

fn read(shared: &Shared, mut reader: Box<dyn Read + Send>) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(length @ 1..) = reader.read(&mut buffer) {
        let stop = shared.stop.load(Ordering::SeqCst);
        let new = &buffer[..length];
        // Ours may stand anywhere in what the program wrote at the same time.
        let end = new.iter().position(|byte| stop && *byte == 0);
        let new = &new[..end.unwrap_or(length)];
        let held = |_: &mut Seen| shared.held.load(Ordering::SeqCst);
        let mut seen = shared.news.wait_while(shared.seen.lock().unwrap(), held).unwrap();
        seen.parser.process(new);
        seen.raw.extend_from_slice(new);
        shared.news.notify_all();
        if end.is_some() {
            break;
        }
    }
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

/// A number of rows or columns, and this one when the terminal says it has none.
fn or(number: u16, unknown: u16) -> NonZeroU16 {
    NonZeroU16::new(number).or(NonZeroU16::new(unknown)).unwrap()
}

fn modes(terminal: &File) -> Modes {
    let modes = rustix::termios::tcgetattr(terminal).unwrap();
    (modes.input_modes, modes.output_modes, modes.local_modes)
}
