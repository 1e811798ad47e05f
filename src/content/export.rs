//! What is taken away: bytes into files, names for these, prompts and answers of tools as text.

mod file;
mod name;
mod prompt;

pub use file::{Refusal, check, within, write};
pub use name::safe_name;
pub use prompt::{prompt_json, prompt_text, tool_text};
