//! The table of keys itself.

mod dialogs;
mod forms;

use super::{
    Binding,
    Context::{
        self, Call, Confirm, Filter, Form, Json, Links, List, Page, Palette, Preview, Save, Servers,
    },
    Group, Key,
};
use crate::tui::msg::{Action, FieldAction, PaneAction, Step};
use crate::tui::state::{Overlay, Tab};
use crossterm::event::KeyCode;
use dialogs::DIALOGS;
use forms::FORMS;

const PANES: &[Context] = &[Servers, List, Preview];
const MOVING: &[Context] = &[Servers, List, Preview, Page, Links, Call];
const OVERLAYS: &[Context] = &[Servers, List, Preview, Page];
const PAGES: &[Context] = &[Servers, List, Preview, Page, Palette, Links, Call];
const ARROWS: &[Context] = &[Servers, List, Preview, Page, Filter, Palette, Links, Call];

const fn bind(
    group: Group,
    keys: &'static [Key],
    action: Action,
    contexts: &'static [Context],
    what: &'static str,
) -> Binding {
    Binding { group, keys, action, contexts, what }
}

const fn pane(
    group: Group,
    keys: &'static [Key],
    action: PaneAction,
    contexts: &'static [Context],
    what: &'static str,
) -> Binding {
    bind(group, keys, Action::Pane(action), contexts, what)
}

const fn field(
    group: Group,
    keys: &'static [Key],
    action: FieldAction,
    contexts: &'static [Context],
    what: &'static str,
) -> Binding {
    bind(group, keys, Action::Field(action), contexts, what)
}

const fn go(
    keys: &'static [Key],
    step: Step,
    contexts: &'static [Context],
    what: &'static str,
) -> Binding {
    bind(Group::Everywhere, keys, Action::Move(step), contexts, what)
}

const fn plain(code: KeyCode) -> Key {
    Key::plain(code)
}

/// The table.
#[expect(clippy::indexing_slicing, reason = "done while compiling: a wrong index does not build")]
pub const BINDINGS: &[Binding] = &{
    const PARTS: [&[Binding]; 3] = [PANES_AND_FILTER, FORMS, DIALOGS];
    let mut all = [PARTS[0][0]; PARTS[0].len() + PARTS[1].len() + PARTS[2].len()];
    let (mut n, mut part, mut at) = (0, 0, 0);
    while n < all.len() {
        if at == PARTS[part].len() {
            (part, at) = (part + 1, 0);
        }
        all[n] = PARTS[part][at];
        (n, at) = (n + 1, at + 1);
    }
    all
};

/// What the panes and the filter can do.
const PANES_AND_FILTER: &[Binding] = &[
    pane(Group::Everywhere, &[plain(KeyCode::Tab)], PaneAction::Next, PANES, "to the next pane"),
    pane(
        Group::Everywhere,
        &[plain(KeyCode::BackTab)],
        PaneAction::Previous,
        PANES,
        "to the pane before",
    ),
    pane(
        Group::Everywhere,
        &[plain(KeyCode::Left), Key::char('h')],
        PaneAction::Left,
        PANES,
        "to the pane on the left",
    ),
    pane(
        Group::Everywhere,
        &[plain(KeyCode::Right), Key::char('l')],
        PaneAction::Right,
        PANES,
        "to the pane on the right",
    ),
    go(&[plain(KeyCode::Up)], Step::Up, ARROWS, "one row up"),
    go(&[Key::char('k')], Step::Up, MOVING, "one row up"),
    go(&[plain(KeyCode::Down)], Step::Down, ARROWS, "one row down"),
    go(&[Key::char('j')], Step::Down, MOVING, "one row down"),
    go(&[plain(KeyCode::PageUp), Key::ctrl('b')], Step::PageUp, PAGES, "one page up"),
    go(&[plain(KeyCode::PageDown), Key::ctrl('f')], Step::PageDown, PAGES, "one page down"),
    go(&[Key::ctrl('u')], Step::HalfUp, MOVING, "half a page up"),
    go(&[Key::ctrl('d')], Step::HalfDown, MOVING, "half a page down"),
    go(&[plain(KeyCode::Home), Key::char('g')], Step::Home, MOVING, "to the beginning"),
    go(&[plain(KeyCode::End), Key::char('G')], Step::End, MOVING, "to the end"),
    bind(
        Group::Everywhere,
        &[plain(KeyCode::Esc)],
        Action::Back,
        PANES,
        "one step back: stop a read, clear the filter; never quits",
    ),
    bind(
        Group::Everywhere,
        &[Key::char('?'), plain(KeyCode::F(1))],
        Action::Overlay(Overlay::Help),
        OVERLAYS,
        "this help; again: close",
    ),
    bind(
        Group::Everywhere,
        &[Key::char(':'), Key::ctrl('p')],
        Action::Palette,
        PANES,
        "every action by its name, also those without a key",
    ),
    bind(
        Group::Everywhere,
        &[Key::char('n')],
        Action::Overlay(Overlay::Notices),
        OVERLAYS,
        "all notices; again: close",
    ),
    bind(Group::Everywhere, &[Key::char('q'), Key::ctrl('c')], Action::Quit, PANES, "quit"),
    bind(
        Group::Everywhere,
        &[Key::ctrl('c')],
        Action::Quit,
        &[Form, Json, Filter, Save, Palette, Page, Links, Confirm, Call],
        "quit",
    ),
    bind(
        Group::Everywhere,
        &[Key::ctrl('z')],
        Action::Stop,
        &Context::ALL,
        "stop, and back to the shell; fg goes on",
    ),
    pane(
        Group::Everywhere,
        &[Key::char('m')],
        PaneAction::Mouse,
        PANES,
        "take the mouse from the terminal, or leave it",
    ),
    pane(Group::Servers, &[plain(KeyCode::Enter)], PaneAction::Open, &[Servers], "go to its list"),
    pane(
        Group::Servers,
        &[Key::char('c')],
        PaneAction::Connect,
        PANES,
        "connect it; with all selected: every one that is down",
    ),
    pane(
        Group::Servers,
        &[Key::char('x')],
        PaneAction::Disconnect,
        PANES,
        "disconnect it, or stop trying to",
    ),
    pane(Group::Servers, &[Key::char('R')], PaneAction::Restart, PANES, "end it and start it anew"),
    pane(
        Group::Servers,
        &[Key::char('r')],
        PaneAction::Refresh,
        PANES,
        "list everything of it again; with all: of every one that is up",
    ),
    pane(
        Group::Servers,
        &[Key::char('e')],
        PaneAction::Noise,
        PANES,
        "its output: standard error, and what was no protocol; follows at its end",
    ),
    pane(
        Group::Servers,
        &[Key::char('t')],
        PaneAction::Traffic,
        PANES,
        "the messages to and from it; Enter opens one",
    ),
    pane(
        Group::List,
        &[plain(KeyCode::Enter)],
        PaneAction::Open,
        &[List],
        "read a resource, run a prompt, call a tool, fill in what must be",
    ),
    pane(
        Group::List,
        &[Key::char('o')],
        PaneAction::FillIn,
        &[List, Preview],
        "fill in the form of a prompt, template or tool",
    ),
    pane(
        Group::List,
        &[Key::char('/')],
        PaneAction::Filter,
        PANES,
        "search everything: words, @server, #kind; or filter the messages",
    ),
    pane(
        Group::List,
        &[Key::char('1')],
        PaneAction::Show(Tab::Resources),
        PANES,
        "list resources and templates",
    ),
    pane(Group::List, &[Key::char('2')], PaneAction::Show(Tab::Prompts), PANES, "list prompts"),
    pane(Group::List, &[Key::char('3')], PaneAction::Show(Tab::Tools), PANES, "list tools"),
    pane(
        Group::Content,
        &[plain(KeyCode::Enter)],
        PaneAction::Open,
        &[Preview],
        "open it; when it is open: ask again",
    ),
    pane(
        Group::Content,
        &[Key::char('d')],
        PaneAction::Details,
        PANES,
        "between content and details",
    ),
    pane(
        Group::Content,
        &[Key::char('f')],
        PaneAction::Full,
        PANES,
        "over the full width, and back",
    ),
    pane(
        Group::Content,
        &[Key::char('y')],
        PaneAction::Copy,
        PANES,
        "copy what is shown; of details, the address",
    ),
    pane(
        Group::Content,
        &[Key::char('Y')],
        PaneAction::CopyQualified,
        PANES,
        "copy the address with its server; of a tool's answer, the whole of it",
    ),
    pane(
        Group::Content,
        &[Key::char('s')],
        PaneAction::Save,
        PANES,
        "save what is shown to a file",
    ),
    pane(
        Group::Content,
        &[Key::char('w')],
        PaneAction::Watch,
        &[List, Preview],
        "watch a resource: the server tells when it changes; again: let go",
    ),
    pane(
        Group::Content,
        &[Key::char('.')],
        PaneAction::Again,
        &[List, Preview],
        "call the tool again with what it was sent last",
    ),
    pane(
        Group::Content,
        &[Key::char('A')],
        PaneAction::AskAgain,
        &[List, Preview],
        "ask again before calls of a tool that are not asked about",
    ),
    pane(
        Group::Content,
        &[Key::char('u')],
        PaneAction::Follow,
        &[Preview],
        "follow a link of a tool's answer: read that resource of its server",
    ),
    pane(
        Group::Content,
        &[plain(KeyCode::Backspace), Key::char('b')],
        PaneAction::Return,
        &[Preview],
        "back to the answer whose link was followed",
    ),
    pane(
        Group::Content,
        &[],
        PaneAction::CopyJson,
        PANES,
        "copy what was opened as the protocol's JSON",
    ),
    pane(Group::Content, &[], PaneAction::CopyBase64, PANES, "copy bytes as base64"),
    field(
        Group::Filter,
        &[plain(KeyCode::Enter)],
        FieldAction::Accept,
        &[Filter],
        "keep what was found and go to the list",
    ),
    bind(Group::Filter, &[plain(KeyCode::Esc)], Action::Back, &[Filter], "clear the filter"),
    field(Group::Filter, &[Key::ctrl('u')], FieldAction::Clear, &[Filter], "empty the field"),
];
