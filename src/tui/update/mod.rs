//! What a message changes, and what is to be done about it. Pure: no I/O, no clock.

mod asking;
mod catalogue;
mod confirm;
mod filter;
mod form;
mod json;
mod links;
mod mouse;
mod offers;
mod palette;
mod paste;
mod preview;
mod save;
mod servers;
mod take;
mod traffic;
mod watch;

use super::effect::Effect;
use super::keymap::{self, Context, Key};
use super::msg::{Action, FieldAction, Moment, Msg, PaneAction};
use super::state::{Focus, ItemKey, Overlay, Page, Place, State, details, preview::Showing};
use super::theme::Role;
use crossterm::event::{KeyEvent, KeyEventKind};

/// Changes the state by one message. Gives what is to be done outside of it.
pub fn update(state: &mut State, now: Moment, msg: Msg) -> Vec<Effect> {
    state.now = now;
    let mut effects = match msg {
        Msg::Drawn => {
            asking::drawn(state);
            return state.next_change().map(Effect::WakeAt).into_iter().collect();
        }
        Msg::Key(key) => self::key(state, &key),
        Msg::Mouse(event) => mouse::event(state, &event),
        Msg::Paste(text) => paste::text(state, &text),
        Msg::Resize(width, height) => {
            if width > 0 && height > 0 {
                state.size = (width, height);
                preview::refit(state);
            }
            Vec::new()
        }
        Msg::View(view) => servers::new_view(state, view),
        Msg::Opened { call, result } => preview::opened(state, call, result),
        Msg::Completed { call, result } => {
            offers::answered(state, call, result);
            Vec::new()
        }
        Msg::Progress { call, state: news } => {
            state.preview.goes(call, news);
            Vec::new()
        }
        Msg::Watched { call, result } => {
            watch::answered(state, call, result);
            Vec::new()
        }
        Msg::Copied { what, length, road } => {
            take::copied(state, &what, length, road);
            Vec::new()
        }
        Msg::Saved { call, result } => {
            save::done(state, call, result);
            Vec::new()
        }
        Msg::Checked { tool, arguments, found } => form::checked(state, &tool, arguments, found),
        Msg::Found(found) => {
            state.catalogue.found(&state.view, found);
            Vec::new()
        }
        Msg::Traffic { server, after, oldest, messages } => {
            traffic::came(state, &server, after, oldest, messages)
        }
        Msg::Noise { server, stderr, stray } => preview::noise(state, &server, &stderr, &stray),
        Msg::Wake => {
            let is_server = |k: &ItemKey| k.kind == super::state::Kind::Server;
            if state.preview.subject.as_ref().is_some_and(is_server) {
                renew_details(state);
            }
            Vec::new()
        }
    };
    effects.extend(settle(state));
    effects.extend(offers::follow(state));
    effects.extend(watch::follow(state));
    effects
}

/// Brings what depends on other state up to date.
fn settle(state: &mut State) -> Option<Effect> {
    if state.focus != Focus::Preview {
        state.full = false;
    }
    let server = state.scope();
    let search = state.catalogue.settle(&state.view, server.as_ref()).map(Effect::Search);
    palette::refresh(state);
    if state.form.is_some() || state.confirm.is_some() {
        return search;
    }
    let subject = subject(state, state.focus);
    if subject != state.preview.subject {
        state.preview.subject = subject;
        state.preview.showing = Showing::Details;
        state.preview.details_place = Place::default();
        renew_details(state);
    }
    search
}

/// What the preview is about while a pane has the keys.
fn subject(state: &State, focus: Focus) -> Option<ItemKey> {
    let server = || state.scope().as_ref().map(ItemKey::server);
    match focus {
        Focus::Preview => state.preview.subject.clone(),
        Focus::Servers => server(),
        // Where a server lists nothing, how it stands is the next best.
        Focus::List => state.catalogue.current().selected.clone().or_else(server),
    }
}

/// Writes the details of the item on screen anew.
fn renew_details(state: &mut State) {
    let subject = state.preview.subject.as_ref();
    let mut page = Page::default();
    if subject.is_some_and(|key| state.is_unasked(key)) {
        page.say(Role::Warn, "! called without a question until exit; A asks again");
        page.gap();
    }
    details::add(&mut page, &state.view, subject, state.now, &state.servers);
    state.preview.details = page;
}

fn key(state: &mut State, event: &KeyEvent) -> Vec<Effect> {
    if event.kind == KeyEventKind::Release {
        return Vec::new();
    }
    let context = state.context();
    state.catalogue.touch();
    match keymap::action(context, Key::of(event)) {
        // A key that is held begins nothing anew.
        Some(
            Action::Pane(PaneAction::Open | PaneAction::Again | PaneAction::Follow)
            | Action::Field(FieldAction::Accept | FieldAction::Always | FieldAction::Unchecked),
        ) if event.kind == KeyEventKind::Repeat => Vec::new(),
        Some(action) => act(state, context, action),
        None if context == Context::Filter => {
            state.filter_mut().key(event);
            filter::changed(state);
            Vec::new()
        }
        None if let (Context::Palette, Some(palette)) = (context, &mut state.palette) => {
            palette.input.key(event);
            palette.cursor = 0;
            Vec::new()
        }
        None if let (Context::Save, Some(save)) = (context, &mut state.save) => {
            let before = save.input.text().to_owned();
            save.input.key(event);
            if save.input.text() != before {
                save.renamed();
            }
            Vec::new()
        }
        None if context == Context::Form => form::typed(state, event),
        None if context == Context::Json => {
            json::typed(state, event);
            Vec::new()
        }
        None => Vec::new(),
    }
}

fn act(state: &mut State, context: Context, action: Action) -> Vec<Effect> {
    if action == Action::Stop {
        return vec![Effect::Stop];
    }
    match context {
        Context::Quit => match action {
            Action::Quit => return vec![Effect::Quit],
            Action::Back => state.asking_to_quit = false,
            Action::Move(_)
            | Action::Pane(_)
            | Action::Overlay(_)
            | Action::Field(_)
            | Action::Palette
            | Action::Stop => {}
        },
        Context::Confirm => return confirm::keys(state, action),
        Context::Call => return asking::keys(state, action),
        Context::Links => return links::keys(state, action),
        Context::Page => return page(state, action),
        Context::Json => return json::keys(state, action),
        Context::Form => match action {
            Action::Field(action) => return form::act(state, action),
            Action::Back => form::back(state),
            Action::Quit => return quit(state),
            Action::Move(_)
            | Action::Pane(_)
            | Action::Overlay(_)
            | Action::Palette
            | Action::Stop => {}
        },
        Context::Palette => return palette::keys(state, action),
        Context::Save => match action {
            Action::Field(action) => return save::act(state, action),
            Action::Back => save::close(state),
            Action::Quit => return quit(state),
            Action::Move(_)
            | Action::Pane(_)
            | Action::Overlay(_)
            | Action::Palette
            | Action::Stop => {}
        },
        Context::Filter => return filter::keys(state, action),
        Context::Servers | Context::List | Context::Preview => match action {
            Action::Move(step) => match state.focus {
                Focus::Servers => servers::step(state, step),
                Focus::List => catalogue::step(state, step),
                Focus::Preview => return preview::step(state, step),
            },
            Action::Pane(action) => return pane(state, action),
            Action::Overlay(overlay) => open_overlay(state, overlay),
            Action::Palette => palette::open(state),
            Action::Back => return back(state),
            Action::Quit => return quit(state),
            Action::Stop => return vec![Effect::Stop],
            Action::Field(_) => {}
        },
    }
    Vec::new()
}

fn pane(state: &mut State, action: PaneAction) -> Vec<Effect> {
    match action {
        PaneAction::Left => {
            state.focus = match state.focus {
                Focus::Servers | Focus::List => Focus::Servers,
                Focus::Preview => Focus::List,
            };
        }
        PaneAction::Right => {
            state.focus = match state.focus {
                Focus::Servers => Focus::List,
                Focus::List | Focus::Preview => Focus::Preview,
            };
        }
        PaneAction::Next => {
            state.focus = match state.focus {
                Focus::Servers => Focus::List,
                Focus::List => Focus::Preview,
                Focus::Preview => Focus::Servers,
            };
        }
        PaneAction::Previous => {
            state.focus = match state.focus {
                Focus::Servers => Focus::Preview,
                Focus::List => Focus::Servers,
                Focus::Preview => Focus::List,
            };
        }
        PaneAction::Show(tab) => catalogue::show(state, tab),
        PaneAction::Filter => filter::start(state),
        PaneAction::Open => match state.focus {
            Focus::Servers => state.focus = Focus::List,
            Focus::Preview if state.preview.showing == Showing::Traffic => traffic::open(state),
            Focus::List | Focus::Preview => return preview::open(state),
        },
        PaneAction::FillIn => return form::fill_in(state),
        PaneAction::Refresh => return servers::refresh(state),
        PaneAction::Connect => return servers::connect(state),
        PaneAction::Disconnect => return servers::disconnect(state),
        PaneAction::Restart => return servers::restart(state),
        PaneAction::Noise => return preview::show_noise(state),
        PaneAction::Traffic => return traffic::show(state),
        PaneAction::Copy => return take::copy(state),
        PaneAction::CopyQualified => return take::copy_more(state),
        PaneAction::CopyJson => return take::copy_json(state),
        PaneAction::CopyBase64 => return take::copy_base64(state),
        PaneAction::Save => return take::save(state),
        PaneAction::Again => return asking::again(state),
        PaneAction::AskAgain => return asking::ask_again(state),
        PaneAction::Follow => return links::follow(state),
        PaneAction::Return => return links::back(state),
        PaneAction::Watch => return watch::toggle(state),
        PaneAction::Details => preview::toggle_details(state),
        PaneAction::Full => preview::toggle_full(state),
        PaneAction::Mouse => return mouse::toggle(state),
    }
    Vec::new()
}

/// One step back: a read, another view of the item, the pane, the filter. Never out.
fn back(state: &mut State) -> Vec<Effect> {
    if let Some(effects) = preview::stop(state) {
        return effects;
    }
    if state.focus == Focus::Preview && state.preview.messages().is_some() && traffic::back(state) {
        return Vec::new();
    }
    match state.focus {
        Focus::Preview if state.full => preview::toggle_full(state),
        Focus::Preview if matches!(state.preview.showing, Showing::Noise | Showing::Traffic) => {
            (state.focus, state.preview.showing) = state.preview.log_from;
        }
        Focus::Preview => {
            let of_server = |k: &ItemKey| k.kind == super::state::Kind::Server;
            let to_servers = state.preview.subject.as_ref().is_some_and(of_server);
            state.focus = if to_servers { Focus::Servers } else { Focus::List };
        }
        Focus::List if state.catalogue.is_filtered() => state.catalogue.clear_filter(),
        Focus::List => state.focus = Focus::Servers,
        Focus::Servers => servers::tell(state, "q quits"),
    }
    Vec::new()
}

fn quit(state: &mut State) -> Vec<Effect> {
    if state.preview.running().next().is_some() {
        state.asking_to_quit = true;
        return Vec::new();
    }
    vec![Effect::Quit]
}

fn open_overlay(state: &mut State, overlay: Overlay) {
    if overlay == Overlay::Notices {
        state.notices.seen();
    }
    state.overlay = Some((overlay, Place::default()));
}

/// Keys of a page over everything.
fn page(state: &mut State, action: Action) -> Vec<Effect> {
    match action {
        Action::Quit => return quit(state),
        Action::Back => state.overlay = None,
        Action::Overlay(wanted) => match state.overlay {
            Some((shown, _)) if shown == wanted => state.overlay = None,
            Some(_) | None => open_overlay(state, wanted),
        },
        Action::Move(step) => {
            let room = state.overlay_room();
            if let (Some(page), Some((_, place))) = (state.overlay_page(), &mut state.overlay) {
                *place = preview::scroll(&page, *place, room, step);
            }
        }
        Action::Pane(_) | Action::Field(_) | Action::Palette | Action::Stop => {}
    }
    Vec::new()
}
