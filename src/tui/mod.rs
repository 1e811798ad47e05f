//! The full screen: state, update, view, and the loop around them.
//!
//! `update` turns a message into a changed state and effects as data; `view` turns the state into
//! cells. Both are pure, and time is a value. `run` waits, drains, updates and draws once a
//! batch; `effect` is the only file that calls the registry.

pub mod clipboard;
mod effect;
pub mod keymap;
mod made_up_panic;
pub mod msg;
mod run;
pub mod state;
mod terminal;
pub mod theme;
mod update;
pub mod view;

pub use effect::Effect;
pub use msg::{Action, Moment, Msg};
pub use run::{Exit, Options, RunError, run};
pub use state::State;
pub use theme::Theme;
pub use update::update;
