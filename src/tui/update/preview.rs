//! The preview: opening items, their answers, scrolling.

use super::servers::tell;
use super::{confirm, form, watch};
use crate::domain::{CallId, Fault, Link, ServerId, UntrustedText};
use crate::tui::effect::Effect;
use crate::tui::msg::Step;
use crate::tui::state::confirm::Wanted;
use crate::tui::state::notices::About;
use crate::tui::state::preview::{Outcome, Showing};
use crate::tui::state::{Focus, ItemKey, Kind, Page, Place, State, opened as pages, words};
use crate::tui::theme::Role;

/// How many calls may run at once.
const AT_ONCE: usize = 8;

/// Scrolls what is on screen.
pub(super) fn step(state: &mut State, step: Step) -> Vec<Effect> {
    let room = state.room(Focus::Preview);
    let place = state.preview.place();
    match state.preview.page().map(|page| scroll(page, place, room, step)) {
        Some(to) => state.preview.go(to),
        None => super::traffic::step(state, step),
    }
    follow_noise(state)
}

/// Where a key moves a window of a page.
pub(super) fn scroll(
    page: &Page,
    place: Place,
    (width, height): (usize, usize),
    step: Step,
) -> Place {
    match step {
        Step::Home => Place::default(),
        Step::End => page.last_window(width, height),
        Step::Up | Step::Down | Step::PageUp | Step::PageDown | Step::HalfUp | Step::HalfDown => {
            let by = super::catalogue::distance(step, height);
            let rows = by.unsigned_abs();
            if by < 0 {
                page.back(place, width, rows)
            } else {
                page.forward(place, width, height, rows)
            }
        }
    }
}

/// Opens what is on screen: shows what was opened before, else asks; asks again when that
/// has the keys already.
pub(super) fn open(state: &mut State) -> Vec<Effect> {
    let Some(key) = state.preview.subject.clone() else {
        tell(state, "nothing is selected that could be opened");
        return Vec::new();
    };
    let kept = state.preview.opened(&key).map(|o| matches!(o.outcome, Outcome::Failed(_)));
    let looked_at = state.preview.showing == Showing::Content && state.focus == Focus::Preview;
    match key.kind {
        Kind::Resource => match kept {
            Some(failed) if !looked_at && !failed && !waits(state, &key) => show_content(state),
            _ if is_running(state, &key) => show_content(state),
            Some(_) | None => {
                return confirm::start(state, key, Wanted::Read);
            }
        },
        Kind::Prompt | Kind::Template => {
            return form::enter(state, key, kept == Some(false) && !looked_at);
        }
        Kind::Server => tell(state, "nothing is selected that could be opened"),
        Kind::Tool if is_running(state, &key) => show_content(state),
        Kind::Tool if kept.is_some() && !looked_at => show_content(state),
        Kind::Malformed(..) if state.focus == Focus::List => {
            state.focus = Focus::Preview;
        }
        Kind::Tool => return super::asking::begin(state, key),
        Kind::Malformed(..) => tell(state, "what could not be read cannot be opened"),
    }
    Vec::new()
}

/// Whether an item has changed since it was read, and is not read again without a yes.
fn waits(state: &State, key: &ItemKey) -> bool {
    let asked = state.preview.opened(key).and_then(|opened| opened.upkeep.asked);
    let changed = state.told(key).is_some_and(|told| {
        told.generation > 0 && asked.is_none_or(|asked| asked.generation != told.generation)
    });
    changed && state.wants_yes(key, &Wanted::Read)
}

/// Whether something of an item is under way.
pub(super) fn is_running(state: &State, key: &ItemKey) -> bool {
    state.preview.running().any(|(k, _, _)| k == key)
}

/// Shows what was opened of the item on screen.
pub(super) fn show_content(state: &mut State) {
    if let Some(key) = state.preview.subject.clone() {
        state.notices.outdate(&About::Item(key));
    }
    state.preview.showing = Showing::Content;
    state.focus = Focus::Preview;
}

/// Starts a call of an item, and shows that.
pub(super) fn start(
    state: &mut State,
    key: ItemKey,
    make: impl FnOnce(CallId) -> Effect,
) -> Vec<Effect> {
    if state.preview.running().count() >= AT_ONCE {
        let text = format!("{AT_ONCE} calls are running; wait for one, or stop it with Esc");
        state.notices.add(state.now, Role::Warn, text);
        return Vec::new();
    }
    if let Some(form) = state.form.take() {
        state.parked = Some(form);
    }
    let call = state.mint();
    let told = state.told(&key);
    let replaced = state.preview.start(key.clone(), call, state.now);
    if let Some(upkeep) = state.preview.upkeep_mut(&key) {
        upkeep.asked = told;
    }
    show_content(state);
    replaced.map(Effect::Cancel).into_iter().chain([make(call)]).collect()
}

/// Stops the call on screen. `None` when none runs there.
pub(super) fn stop(state: &mut State) -> Option<Vec<Effect>> {
    if state.preview.showing != Showing::Content {
        return None;
    }
    let key = state.preview.subject.clone()?;
    if !is_running(state, &key) {
        return None;
    }
    let call = state.preview.take(&key)?;
    state.preview.showing = Showing::Details;
    let text = format!("stopped: {}", named(&key));
    state.notices.add_about(state.now, Role::Plain, text, About::Item(key));
    Some(vec![Effect::Cancel(call)])
}

/// An item and its server, for a sentence.
pub(super) fn named(key: &ItemKey) -> String {
    format!("{} of {}", words::short(&key.name), key.server)
}

/// An answer: it lands with its own item, or nowhere.
pub(super) fn opened(state: &mut State, call: CallId, result: Result<Page, Fault>) -> Vec<Effect> {
    if state.preview.kept_up_by(call).is_some() {
        watch::read_again(state, call, result);
        return Vec::new();
    }
    let (outcome, fault) = match result {
        Ok(page) => (Outcome::Done(page), None),
        Err(fault) => (Outcome::Failed(pages::failed(&fault)), Some(fault)),
    };
    let Some(key) = state.preview.finish(call, outcome) else { return Vec::new() };
    let on_screen =
        state.preview.subject.as_ref() == Some(&key) && state.preview.showing == Showing::Content;
    if !on_screen {
        let (role, text) = match fault {
            None => (Role::Plain, format!("ready: {}; Enter on it shows it", named(&key))),
            Some(f) => (Role::Bad, format!("{}: {}", named(&key), words::fault_line(&f))),
        };
        state.notices.add_about(state.now, role, text, About::Item(key));
    }
    Vec::new()
}

/// Between details and what was opened.
pub(super) fn toggle_details(state: &mut State) {
    state.preview.showing = match state.preview.showing {
        Showing::Details if state.preview.current().is_some() => Showing::Content,
        Showing::Details if state.focus != Focus::Preview => {
            state.focus = Focus::Preview;
            return;
        }
        Showing::Details => {
            return tell(state, "these are the details; nothing of it has been opened");
        }
        Showing::Content | Showing::Noise | Showing::Traffic => Showing::Details,
    };
}

/// The preview over the full width, and back.
pub(super) fn toggle_full(state: &mut State) {
    let was = state.focus;
    state.focus = Focus::Preview;
    if state.can_be_fuller() {
        state.full = !state.full;
        refit(state);
    } else if was == Focus::Preview {
        tell(state, "it has the full width already");
    }
}

/// Keeps the window inside of its page when its room has changed.
pub(super) fn refit(state: &mut State) {
    let on_screen = state.areas().is_some_and(|areas| areas.preview.is_some());
    let (width, height) = state.room(Focus::Preview);
    let place = state.preview.place();
    if on_screen
        && place != Place::default()
        && let Some(last) = state.preview.page().map(|page| page.last_window(width, height))
    {
        state.preview.go(place.min(last));
    }
}

/// Asks for what the server said beside the protocol, and shows it.
pub(super) fn show_noise(state: &mut State) -> Vec<Effect> {
    let Some(server) = state.server() else {
        tell(state, "select a server first: e shows the output of one");
        return Vec::new();
    };
    show_log(state, Showing::Noise);
    state.preview.noise = Some((server.clone(), Page::default()));
    (state.preview.noise_text, state.preview.noise_place) = (None, Place::default());
    state.preview.noise_counts = noise_counts(state, &server);
    vec![Effect::Noise(server)]
}

/// Shows a page on what a server says, and remembers what was shown before the first of them.
pub(super) fn show_log(state: &mut State, showing: Showing) {
    if !matches!(state.preview.showing, Showing::Noise | Showing::Traffic) {
        state.preview.log_from = (state.focus, state.preview.showing);
    }
    state.preview.showing = showing;
    state.focus = Focus::Preview;
}

/// How much a server has said beside the protocol, by the latest snapshot.
fn noise_counts(state: &State, server: &ServerId) -> u64 {
    let noise = state.view.server(server).map(|s| s.noise).unwrap_or_default();
    noise.stderr_lines + noise.stray_lines + noise.breaches
}

/// Asks for what a server has said since, while the window is at the end of its output. Further
/// up, what is read stays where it is.
pub(super) fn follow_noise(state: &mut State) -> Vec<Effect> {
    let Some((server, page)) = &state.preview.noise else { return Vec::new() };
    let (width, height) = state.room(Focus::Preview);
    let is_at_end = state.preview.noise_place >= page.last_window(width, height);
    let counts = noise_counts(state, server);
    let is_news = counts != state.preview.noise_counts;
    if state.preview.showing != Showing::Noise || !is_at_end || !is_news {
        return Vec::new();
    }
    let server = server.clone();
    state.preview.noise_counts = counts;
    vec![Effect::Noise(server)]
}

/// What a server said beside the protocol has come.
pub(super) fn noise(
    state: &mut State,
    server: &ServerId,
    stderr: &[UntrustedText],
    stray: &[UntrustedText],
) -> Vec<Effect> {
    let down = state.view.server(server).and_then(|s| match &s.link {
        Link::Down { why } => Some(why),
        Link::Idle | Link::Connecting | Link::Up(_) => None,
    });
    let (width, height) = state.room(Focus::Preview);
    if let Some((wanted, page)) = &mut state.preview.noise
        && wanted == server
    {
        *page = pages::noise(down, stderr, stray);
        let lines = stderr.iter().chain(stray).flat_map(|line| [line.raw(), "\n"]);
        state.preview.noise_text = Some(lines.collect::<String>().into());
        // What it said last is what is looked for.
        state.preview.noise_place = page.last_window(width, height);
    }
    Vec::new()
}
