//! What the dialogs, the palette and the pages over everything can do.

use super::super::{
    Binding,
    Context::{Call, Confirm, Links, Page, Palette, Quit, Save},
    Group, Key,
};
use super::{bind, field, plain};
use crate::tui::msg::{Action, FieldAction};
use crossterm::event::KeyCode;

/// The rest of the table.
pub(super) const DIALOGS: &[Binding] = &[
    field(
        Group::Save,
        &[plain(KeyCode::Enter)],
        FieldAction::Accept,
        &[Save],
        "write the file, unless one of that name is there",
    ),
    field(
        Group::Save,
        &[Key::ctrl('e')],
        FieldAction::SendEmpty,
        &[Save],
        "replace the file of that name",
    ),
    field(Group::Save, &[Key::ctrl('u')], FieldAction::Clear, &[Save], "empty the field"),
    bind(Group::Save, &[plain(KeyCode::Esc)], Action::Back, &[Save], "save nothing"),
    field(
        Group::Palette,
        &[plain(KeyCode::Enter)],
        FieldAction::Accept,
        &[Palette],
        "run it where it belongs",
    ),
    field(Group::Palette, &[Key::ctrl('u')], FieldAction::Clear, &[Palette], "empty the field"),
    bind(Group::Palette, &[plain(KeyCode::Esc)], Action::Back, &[Palette], "run nothing"),
    bind(
        Group::Page,
        &[plain(KeyCode::Esc), Key::char('q')],
        Action::Back,
        &[Page],
        "close this page",
    ),
    field(
        Group::Question,
        &[plain(KeyCode::Enter), Key::char('y')],
        FieldAction::Accept,
        &[Confirm],
        "yes: read it, run it",
    ),
    bind(
        Group::Question,
        &[plain(KeyCode::Esc), Key::char('n')],
        Action::Back,
        &[Confirm],
        "no: nothing is sent",
    ),
    field(
        Group::Question,
        &[Key::char('y')],
        FieldAction::Accept,
        &[Call],
        "yes: call the tool; Enter, which may be held, is none",
    ),
    field(
        Group::Question,
        &[Key::char('a')],
        FieldAction::Always,
        &[Call],
        "yes, and until exit no question before this tool, where it claims to change nothing",
    ),
    bind(
        Group::Question,
        &[plain(KeyCode::Esc), Key::char('n')],
        Action::Back,
        &[Call],
        "no: nothing is sent",
    ),
    field(
        Group::Question,
        &[plain(KeyCode::Enter)],
        FieldAction::Accept,
        &[Links],
        "read the resource of the selected link",
    ),
    bind(Group::Question, &[plain(KeyCode::Esc)], Action::Back, &[Links], "follow no link"),
    bind(
        Group::Question,
        &[Key::char('q'), Key::ctrl('c')],
        Action::Quit,
        &[Quit],
        "quit all the same",
    ),
    bind(Group::Question, &[plain(KeyCode::Esc)], Action::Back, &[Quit], "stay"),
];
