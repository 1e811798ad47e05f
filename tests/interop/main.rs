//! Real servers of other people, as `.ci/run` installs them: through the library and through the
//! program. `VESTIBULE_INTEROP` names the folder that they are installed in.

// A failed expectation stops a test, loudly; the lints' own exception knows only `#[test]`.
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::wildcard_enum_match_arm)]

mod asking;
mod everything;
mod http;
mod installed;
mod python;
mod reference;
mod tools;
#[path = "../support/wire.rs"]
mod wire;
#[path = "../support/yes.rs"]
mod yes;
