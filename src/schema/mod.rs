//! JSON Schemas of servers: what a form asks for, whether values agree with them, how they read.
//!
//! A schema comes from a server and is not trusted: nothing it names is ever fetched, and what it
//! can cost is bounded.

mod arguments;
mod check;
mod complaint;
mod fields;
mod number;
mod pairs;
mod reference;
mod shape;
mod tree;
mod value;
mod weigh;
mod words;

pub use arguments::arguments;
pub use check::{Checker, Disagreement};
pub use fields::{Choice, Field, FieldKind, fields, why_not_whole};
pub use pairs::pairs;
pub use tree::{TreeRow, tree};
