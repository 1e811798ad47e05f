//! What servers send, made fit to look at.
//!
//! - [`reveal`]: untrusted text into text with visible marks. The only way from a server's string
//!   to a screen, a log or plain output.
//! - [`mod@fit`]: a revealed one-liner cut to a number of terminal cells.
//! - [`document`]: a text resource ready to page through; huge texts stay cheap.
//! - [`layout`]: one line of a document into rows of a given width, only where it is looked at.
//! - [`media`]: media types, and placeholders for what is not text.
//! - [`sniff`](mod@sniff): what bytes look like, and whether they are what they claim to be.
//! - [`hex`]: sizes for people, and bytes in rows.
//! - [`base64`]: exact decoded sizes, bounded decoding.
//! - [`template`]: URI templates: their variables, and the URIs that values make of them.
//! - [`export`]: bytes into files, whole or not at all; names for these; prompts as text.
//! - [`json`]: JSON indented as it was sent.
//! - [`cells`]: how many terminal cells a text takes.
//!
//! Nothing here but [`export`] does input or output, and nothing else here can fail on any input
//! other than by a typed error.

pub mod base64;
pub mod cells;
pub mod document;
pub mod export;
pub mod fit;
pub mod hex;
pub mod json;
pub mod layout;
pub mod media;
pub mod reveal;
pub mod sniff;
pub mod template;

pub use self::base64::{Base64Error, decode, decode_in_place, decoded_size, encode};
pub use self::cells::{cell_width, next_cluster, next_word, previous_cluster, previous_word};
pub use self::document::Document;
pub use self::fit::{Fitted, fit, fit_line};
pub use self::hex::{hex_preview, hex_rows, human_size};
pub use self::json::indent_json;
pub use self::layout::{Row, wrap};
pub use self::media::{MediaType, Placeholder, placeholder_text};
pub use self::reveal::{
    Counts, MarkKind, Piece, Revealed, count_line, count_text, decode_tags, pieces_line,
    pieces_text, plain_line, plain_text, restore, reveal_line, reveal_text,
};
pub use self::sniff::{disagreement, sniff};
pub use self::template::{TemplateError, UriTemplate};
