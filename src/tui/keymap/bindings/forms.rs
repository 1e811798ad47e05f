//! What the forms and the arguments as JSON can do.

use super::super::{
    Binding,
    Context::{Form, Json},
    Group, Key,
};
use super::{bind, field, plain};
use crate::tui::msg::{Action, FieldAction};
use crossterm::event::KeyCode;

/// The forms' part of the table.
pub(super) const FORMS: &[Binding] = &[
    field(
        Group::Form,
        &[plain(KeyCode::Enter), plain(KeyCode::F(5))],
        FieldAction::Accept,
        &[Form],
        "run the prompt, read the template, call the tool; take the chosen proposal",
    ),
    field(
        Group::Form,
        &[plain(KeyCode::F(5))],
        FieldAction::Accept,
        &[Json],
        "call the tool with what is written",
    ),
    field(
        Group::Form,
        &[plain(KeyCode::F(3))],
        FieldAction::Json,
        &[Form, Json],
        "the arguments of a tool as JSON, and back to its fields",
    ),
    field(
        Group::Form,
        &[plain(KeyCode::Tab), plain(KeyCode::Down)],
        FieldAction::Next,
        &[Form],
        "to the next field",
    ),
    field(
        Group::Form,
        &[plain(KeyCode::BackTab), plain(KeyCode::Up)],
        FieldAction::Previous,
        &[Form],
        "to the field before",
    ),
    field(
        Group::Form,
        &[Key::ctrl('n')],
        FieldAction::Choose(true),
        &[Form],
        "choose the next proposal or value",
    ),
    field(
        Group::Form,
        &[Key::ctrl('p')],
        FieldAction::Choose(false),
        &[Form],
        "choose the proposal before",
    ),
    field(
        Group::Form,
        &[Key::ctrl('e')],
        FieldAction::SendEmpty,
        &[Form],
        "send this field empty, as null where that can be, or leave it out",
    ),
    field(
        Group::Form,
        &[plain(KeyCode::F(4))],
        FieldAction::Default,
        &[Form],
        "fill in the default that the server names",
    ),
    field(
        Group::Form,
        &[Key::ctrl('t')],
        FieldAction::Unchecked,
        &[Form, Json],
        "send what was refused all the same, to test a server",
    ),
    field(Group::Form, &[Key::ctrl('u')], FieldAction::Clear, &[Form], "empty the field"),
    bind(
        Group::Form,
        &[plain(KeyCode::Esc)],
        Action::Back,
        &[Form, Json],
        "out of the proposals; close the form, what was typed is kept",
    ),
];
