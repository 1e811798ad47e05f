//! How a call goes: beside its item, and in the place of its answer.

use crate::domain::{CallState, Progress};
use crate::tui::state::preview::Outcome;
use crate::tui::state::{Kind, Line, State, words};
use crate::tui::theme::Role;

/// The most columns of a name in a sentence.
const NAME: usize = 300;

/// The most columns of a bar.
const BAR: usize = 40;

/// The rows in the place of the answer that has not come.
pub(super) fn rows(state: &State, width: usize) -> Vec<Line> {
    let Some(opened) = state.preview.current() else { return Vec::new() };
    let Outcome::Running { since, state: call, .. } = &opened.outcome else { return Vec::new() };
    let verb = match opened.key.kind {
        Kind::Tool => "calling ",
        Kind::Prompt => "rendering ",
        Kind::Resource | Kind::Template | Kind::Server | Kind::Malformed(..) => "reading ",
    };
    let mut line = Line::of(Role::Warn, verb);
    line.show_start(Role::Plain, &opened.key.name, NAME);
    let elapsed = words::duration(state.now.since(*since), true);
    line.say(Role::Warn, format!(" … {elapsed}, Esc stops"));
    let mut rows = line.rows(width);
    rows.extend(told(call, width));
    rows
}

/// What its server has told of a call.
fn told(call: &CallState, width: usize) -> Vec<Line> {
    let mut rows = Vec::new();
    if let Some(progress) = &call.progress {
        rows.push(Line::default());
        rows.push(bar(progress, width));
        if let Some(message) = &progress.message {
            let mut line = Line::default();
            line.show_start(Role::Plain, message, width);
            rows.push(line.fit(width));
        }
    }
    if call.round > 0 {
        rows.push(Line::of(Role::Plain, format!("round {} of questions", call.round)));
    }
    if call.is_asking {
        rows.push(Line::of(Role::Warn, "it waits for you"));
    }
    rows
}

fn bar(progress: &Progress, width: usize) -> Line {
    let Some(part) = progress.part() else {
        return Line::of(Role::Warn, format!("{} so far", number(progress.done)));
    };
    let cells = BAR.min(width.saturating_sub(24)).max(1);
    let full = share(part, cells);
    let mut line = Line::of(Role::Good, "█".repeat(full));
    line.say(Role::Dim, "░".repeat(cells.saturating_sub(full)));
    let total = progress.total.map(number).unwrap_or_default();
    line.say(Role::Plain, format!(" {} % ", percent(part)));
    line.say(Role::Dim, format!(" {} of {total}", number(progress.done)));
    line.fit(width)
}

/// A part of so many, never all of them before the end.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 1")]
fn share(part: f64, of: usize) -> usize {
    let of = u32::try_from(of).unwrap_or(u32::MAX);
    (part * f64::from(of)).floor() as usize
}

fn percent(part: f64) -> usize {
    share(part, 100)
}

/// A number as a person writes it: without a fraction where it has none.
fn number(number: f64) -> String {
    if number.abs() < 1e15 { format!("{number}") } else { format!("{number:e}") }
}

/// The mark of a row whose item is being called or read.
pub(super) fn mark(call: &CallState) -> Line {
    let part = call.progress.as_ref().and_then(Progress::part);
    let text = match part {
        _ if call.is_asking => "… asks".into(),
        Some(part) => format!("… {} %", percent(part)),
        None => "…".into(),
    };
    Line::of(Role::Warn, text)
}
