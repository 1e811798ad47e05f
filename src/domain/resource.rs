//! Resources: context that the application controls (spec `server/resources`).

use super::UntrustedText;
use bytes::Bytes;

/// Hints of a server about an item (spec `Annotations`). Advice, never authority.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Annotations {
    /// For whom the item is meant: `user`, `assistant`, or whatever the server wrote.
    pub audience: Vec<UntrustedText>,
    /// 0 (optional) to 1 (required); kept as sent.
    pub priority: Option<f64>,
    /// ISO 8601, as sent.
    pub last_modified: Option<UntrustedText>,
}

/// Whether a URI begins with a scheme (RFC 3986, section 3.1).
pub fn is_absolute_uri(uri: &str) -> bool {
    let Some((scheme, _)) = uri.split_once(':') else { return false };
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
}

/// One entry of `resources/list`.
#[derive(Debug, Clone, PartialEq)]
pub struct Resource {
    /// The URI, byte for byte as the server wrote it.
    pub uri: UntrustedText,
    /// Name for programs.
    pub name: UntrustedText,
    /// Name for people, where the server gives one.
    pub title: Option<UntrustedText>,
    /// What it is.
    pub description: Option<UntrustedText>,
    /// Media type as the server claims it.
    pub mime_type: Option<UntrustedText>,
    /// Size in bytes before encoding, as the server claims it.
    pub size: Option<u64>,
    /// Hints.
    pub annotations: Option<Annotations>,
}

/// One entry of `resources/templates/list`: a family of resources (RFC 6570).
#[derive(Debug, Clone, PartialEq)]
pub struct ResourceTemplate {
    /// The template, byte for byte as the server wrote it.
    pub uri_template: UntrustedText,
    /// Name for programs.
    pub name: UntrustedText,
    /// Name for people.
    pub title: Option<UntrustedText>,
    /// What it is.
    pub description: Option<UntrustedText>,
    /// Media type of everything that the template yields.
    pub mime_type: Option<UntrustedText>,
    /// Hints.
    pub annotations: Option<Annotations>,
}

/// One block of the answer to `resources/read`.
#[derive(Debug, Clone, PartialEq)]
pub struct ResourceContents {
    /// The URI the server gave this block, if it gave one.
    pub uri: Option<UntrustedText>,
    /// Media type as the server claims it.
    pub mime_type: Option<UntrustedText>,
    /// What is in it.
    pub body: ResourceBody,
    /// What is odd about it. Nothing odd is dropped in silence.
    pub notes: Vec<ContentNote>,
}

/// What a block of a resource holds.
#[derive(Debug, Clone, PartialEq)]
pub enum ResourceBody {
    /// Text, verbatim.
    Text(UntrustedText),
    /// Bytes, decoded from base64.
    Blob(Bytes),
    /// Neither could be made of it: the reason, and the JSON as sent.
    Unsupported {
        /// What was wrong, in our words.
        why: String,
        /// The block as the server sent it.
        raw: UntrustedText,
    },
}

/// Something about a block of a resource that a person should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContentNote {
    /// The block carries no URI of its own.
    NoUri,
    /// Its URI is neither the one asked for nor below it.
    ForeignUri,
    /// The server sent text and a blob in one block; this is one of the two.
    TextAndBlob,
    /// Its media type cannot be one.
    BadMediaType,
    /// The claimed media type and the bytes disagree; what the bytes look like.
    LooksLike(&'static str),
    /// Something that is no Unicode stood in the text and was replaced: bytes that are no UTF-8, or
    /// half of a surrogate pair.
    InvalidUnicode,
}

impl ContentNote {
    /// The note in words for a person.
    pub fn text(&self) -> String {
        match self {
            Self::NoUri => "the server gave this block no URI".into(),
            Self::ForeignUri => "this block's URI is not the one asked for, nor below it".into(),
            Self::TextAndBlob => "the server sent text and a blob in one block".into(),
            Self::BadMediaType => "the media type is malformed".into(),
            Self::LooksLike(kind) => {
                format!("the bytes look like {kind}, not like the media type given")
            }
            Self::InvalidUnicode => {
                "the server's text was not valid Unicode; what was not is shown as \u{FFFD}".into()
            }
        }
    }
}
