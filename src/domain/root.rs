//! Roots: where a server may work, as the user says (spec `client/roots`).

/// One folder or file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// Its address, a `file:` URI (RFC 8089).
    pub uri: String,
    /// Its name for people.
    pub name: Option<String>,
}
