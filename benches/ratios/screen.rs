//! The screen without a terminal: state and cells.

use crate::{
    figure::Figure,
    measure::{cpu_seconds, medians, medians_of},
    rows,
};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use nucleo_matcher::{
    Config, Matcher, Utf32Str,
    pattern::{Atom, AtomKind, CaseMatching, Normalization},
};
use ratatui::{buffer::Buffer, layout::Rect};
use std::{
    hint::black_box,
    time::{Duration, Instant},
};
use vestibule::{
    domain::{ResourceBody, ResourceContents, ServerId},
    registry::{Reading, RegistryView},
    tui::{
        Effect, Moment, Msg, State, Theme,
        state::{opened, search::Found},
        update, view,
    },
};

const SIZE: (u16, u16) = (200, 50);
/// What is typed, letter by letter.
const QUERIES: [&str; 4] = ["record", "arch 77", "shared folder", "zzz"];
/// How many rows are searched for each letter of the queries, over all the times they are typed.
const SEARCHED: usize = 300_000;
/// How many frames are drawn for one figure.
const FRAMES: usize = 500;

/// A screen, and what it takes to draw it.
pub(crate) struct Screen {
    pub(crate) state: State,
    theme: Theme,
    buffer: Buffer,
    began: Instant,
}

impl Screen {
    fn new() -> Self {
        Self::of(SIZE)
    }

    /// A screen with so many columns and rows.
    pub(crate) fn of(size: (u16, u16)) -> Self {
        let area = Rect::new(0, 0, size.0, size.1);
        Self {
            state: State::new(size),
            theme: Theme::new(true),
            buffer: Buffer::empty(area),
            began: Instant::now(),
        }
    }

    pub(crate) fn send(&mut self, msg: Msg) -> Vec<Effect> {
        update(&mut self.state, Moment(self.began.elapsed()), msg)
    }

    pub(crate) fn key(&mut self, code: KeyCode) -> Vec<Effect> {
        self.send(Msg::Key(KeyEvent::new(code, KeyModifiers::NONE)))
    }

    /// Types a letter into the search and sees it through to the end. Gives the time to the first
    /// frame with results, or to the first one at all where there are none; `later` takes those
    /// of the frames after it.
    fn search_for(&mut self, letter: char, later: &mut Vec<Duration>) -> Duration {
        let clock = Instant::now();
        let effects = self.key(KeyCode::Char(letter));
        self.draw();
        let mut first = clock.elapsed();
        let mut found_some = self.state.catalogue.current().matching > 0;
        let jobs = effects
            .into_iter()
            .filter_map(|effect| if let Effect::Search(job) = effect { Some(job) } else { None });
        for job in jobs {
            let report = |found: Found| {
                let (before, some) = (Instant::now(), found.matching > 0);
                self.send(Msg::Found(found));
                self.draw();
                later.push(before.elapsed());
                if some && !found_some {
                    (first, found_some) = (clock.elapsed(), true);
                }
            };
            job.run(|| true, report);
        }
        first
    }

    pub(crate) fn draw(&mut self) {
        self.buffer.reset();
        let area = self.buffer.area;
        black_box(view::draw(&self.state, &self.theme, area, &mut self.buffer));
    }
}

pub(crate) fn search_many() -> Vec<Figure> {
    searched(3, "search-many")
}

pub(crate) fn search_most() -> Vec<Figure> {
    searched(1, "search-most")
}

fn searched(runs: usize, case: &str) -> Vec<Figure> {
    let figures = medians_of(runs, case);
    let &[_, _, first, later, complete, scan] = figures.as_slice() else { panic!("six figures") };
    let frame = |value: f64, made_of: &str| Figure {
        kind: "p99, ms",
        value: value * 1e3,
        most: 16.0,
        made_of: made_of.into(),
    };
    vec![
        frame(first, "from a key to the first frame with results"),
        frame(later, "for a frame with more of them"),
        Figure::ratio("complete", complete, scan, 1.2),
    ]
}

/// Types queries: the times of the slowest frames but one in a hundred, the CPU time of all keys
/// to complete results, and that of a bare scan of all rows at each of them.
pub(crate) fn search(total: usize) -> Vec<f64> {
    let view = rows::view(total);
    let mut screen = Screen::new();
    screen.send(Msg::View(view.clone()));
    screen.draw();
    let (mut first, mut later) = (Vec::new(), vec![Duration::ZERO]);
    let (mut complete, mut scanned) = (0.0, 0.0);
    for query in QUERIES.iter().cycle().take(QUERIES.len() * (SEARCHED / total).max(1)) {
        screen.key(KeyCode::Char('/'));
        screen.draw();
        for (n, letter) in query.char_indices() {
            let cpu = cpu_seconds();
            first.push(screen.search_for(letter, &mut later));
            complete += cpu_seconds() - cpu;
            let typed = query.get(..n + letter.len_utf8()).expect("an edge of a letter");
            let cpu = cpu_seconds();
            scan(&view, typed);
            scanned += cpu_seconds() - cpu;
        }
        screen.key(KeyCode::Esc);
        screen.key(KeyCode::Esc);
        screen.draw();
    }
    let seconds = |times| percentile(times).as_secs_f64();
    vec![complete, seconds(first), seconds(later), complete, scanned]
}

/// The longest of all but one in a hundred.
fn percentile(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[(times.len() * 99).div_ceil(100) - 1]
}

/// What the matching costs by itself: each word in name and address of each row.
fn scan(view: &RegistryView, query: &str) {
    let word =
        |word| Atom::new(word, CaseMatching::Smart, Normalization::Smart, AtomKind::Fuzzy, false);
    let atoms: Vec<Atom> = query.split_whitespace().map(word).collect();
    let (mut matcher, mut buffer) = (Matcher::new(Config::DEFAULT), Vec::new());
    let mut found = Vec::new();
    for (n, row) in view.catalogue.resources.iter().enumerate() {
        let fields = [row.item.name.raw(), row.item.uri.raw(), row.server.as_str()];
        let mut total = Some(0);
        for atom in &atoms {
            let mut best = None;
            for field in fields {
                best = best.max(atom.score(Utf32Str::new(field, &mut buffer), &mut matcher));
            }
            total = total.zip(best).map(|(total, best)| total + u32::from(best));
        }
        found.extend(total.map(|score| (score, n)));
    }
    black_box(found);
}

pub(crate) fn draw() -> Vec<Figure> {
    let (ours, baseline) = (medians("draw-text"), medians("draw-empty"));
    vec![Figure::ratio("CPU", ours[0], baseline[0], 3.0)]
}

fn frames(screen: &mut Screen) -> Vec<f64> {
    screen.draw();
    let began = cpu_seconds();
    for _ in 0..FRAMES {
        screen.draw();
    }
    vec![(cpu_seconds() - began) / FRAMES as f64]
}

pub(crate) fn draw_empty() -> Vec<f64> {
    frames(&mut Screen::new())
}

pub(crate) fn draw_text() -> Vec<f64> {
    let mut screen = Screen::new();
    screen.send(Msg::View(rows::view(10)));
    let effects = screen.key(KeyCode::Enter);
    let Some(Effect::Read { call, .. }) = effects.first() else { panic!("a read: {effects:?}") };
    let line = "The quick brown fox jumps over the lazy dog, and runs along the hedge.\n";
    let text = line.repeat((1 << 20) / line.len());
    let body = ResourceBody::Text(text.into());
    let block = ResourceContents { uri: None, mime_type: None, body, notes: Vec::new() };
    let reading = Reading {
        server: ServerId::new("server-0").expect("a name"),
        uri: "test://big".into(),
        contents: vec![block],
        took: Duration::ZERO,
    };
    screen.send(Msg::Opened { call: *call, result: Ok(opened::reading(reading)) });
    screen.key(KeyCode::PageDown);
    frames(&mut screen)
}
