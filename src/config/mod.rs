//! What the user wrote down: settings, servers, permissions, and where the files are.
//!
//! Files are untrusted in form, not in intent: a bad entry is skipped with its reason and the
//! good ones load; a file that cannot be understood at all is a [`ConfigError`] with the line
//! that is at fault. Nothing read here is started, expanded or fetched.

mod address;
mod adhoc;
mod entry;
mod error;
mod fields;
mod file_uri;
mod limits;
mod masking;
mod openness;
mod paths;
mod permissions;
mod roots;
mod sampling;
mod screen;
mod servers;
mod settings;
mod values;
mod variables;

pub use adhoc::{from_command, from_url, parse_header};
pub use error::{ConfigError, Place};
pub use limits::Limits;
pub use masking::{Description, describe, mask_environment, mask_url, with_names};
pub use paths::{HOME_VARIABLE, Paths};
pub use permissions::{Verdict, allows, verdict};
pub use roots::root_from;
pub use sampling::{ContextRule, SamplingSettings};
pub use screen::{ScreenSettings, ThemeName};
pub use servers::{MAX_FILE_BYTES, ServersFile, Skipped, load_servers, merge, read_servers};
pub use settings::{DEFAULT_SETTINGS, Settings};
