//! Media types, and what stands for content that is not text.

use super::reveal::plain_line;
use crate::domain::UntrustedText;
use serde::Serialize;

/// A media type (RFC 9110 section 8.3.1, RFC 6838 section 4.2), in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaType {
    essence: String,
    parameters: Vec<(String, String)>,
}

impl MediaType {
    /// Longest text that is read as a media type, in bytes: two names of 127 (RFC 6838) and room
    /// for parameters.
    pub const LONGEST: usize = 1024;

    /// Reads `type/subtype` with parameters, in any case. `None` for what cannot be one.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() > Self::LONGEST {
            return None;
        }
        let text = text.trim_matches(is_space);
        let (essence, parameters) = text.split_once(';').unwrap_or((text, ""));
        let essence = essence.trim_end_matches(is_space);
        let (kind, subtype) = essence.split_once('/')?;
        if !is_restricted_name(kind) || !is_restricted_name(subtype) {
            return None;
        }
        let parameters = read_parameters(parameters)?;
        Some(Self { essence: essence.to_ascii_lowercase(), parameters })
    }

    /// `type/subtype`.
    pub fn essence(&self) -> &str {
        &self.essence
    }

    /// The value of a parameter, by its name in lower case: `charset`.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Whether content of this type is read as text.
    pub fn is_text(&self) -> bool {
        let (kind, subtype) = self.essence.split_once('/').unwrap_or_default();
        kind == "text"
            || ["+json", "+xml", "+yaml"].iter().any(|suffix| subtype.ends_with(suffix))
            || (kind == "application"
                && matches!(
                    subtype,
                    "json"
                        | "json5"
                        | "jsonl"
                        | "x-ndjson"
                        | "ndjson"
                        | "xml"
                        | "yaml"
                        | "x-yaml"
                        | "toml"
                        | "javascript"
                        | "ecmascript"
                        | "typescript"
                        | "graphql"
                        | "sql"
                        | "x-sh"
                        | "x-www-form-urlencoded"
                ))
    }
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t')
}

/// RFC 6838 `restricted-name`: at most 127 characters, a letter or digit first.
fn is_restricted_name(name: &str) -> bool {
    name.len() <= 127
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&b))
}

/// RFC 9110 `token`.
fn is_token(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
}

/// Reads what follows the first `;`. Empty parameters are allowed (RFC 9110 section 5.6.6).
fn read_parameters(text: &str) -> Option<Vec<(String, String)>> {
    let mut parameters = Vec::new();
    let mut rest = text.trim_start_matches(is_space);
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix(';') {
            rest = after.trim_start_matches(is_space);
            continue;
        }
        let (name, after) = rest.split_once('=')?;
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => read_quoted(quoted)?,
            None => {
                let (value, _) = after.split_once([';', ' ', '\t']).unwrap_or((after, ""));
                is_token(value)
                    .then(|| (value.to_owned(), after.get(value.len()..).unwrap_or("")))?
            }
        };
        if !is_token(name) {
            return None;
        }
        parameters.push((name.to_ascii_lowercase(), value));
        rest = after.trim_start_matches(is_space);
        if !rest.is_empty() && !rest.starts_with(';') {
            return None;
        }
    }
    Some(parameters)
}

/// Reads a quoted string behind its first quote: its value, and what follows it.
fn read_quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let c = match c {
            '"' => return Some((value, chars.as_str())),
            '\\' => chars.next()?,
            _ => c,
        };
        if c.is_control() && c != '\t' {
            return None;
        }
        value.push(c);
    }
    None
}

/// What stands for content that is not text, in JSON: `{"mime": …, "size": …}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Placeholder {
    /// The media type as the server claims it; `null` where it claims none.
    pub mime: Option<UntrustedText>,
    /// Decoded size in bytes.
    pub size: usize,
}

/// What stands for content that is not text, for people: `[image: image/png, 34012 bytes]`.
/// `kind` is our word for it.
pub fn placeholder_text(kind: &str, mime: Option<&UntrustedText>, size: usize) -> String {
    let mime = mime.map_or_else(|| "unknown type".to_owned(), plain_line);
    let unit = if size == 1 { "byte" } else { "bytes" };
    format!("[{kind}: {mime}, {size} {unit}]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_types_are_read_in_any_case_with_parameters() {
        let read = MediaType::parse("Text/HTML; Charset=\"utf-8\" ;; q=1").expect("a media type");
        assert_eq!(read.essence(), "text/html");
        assert_eq!(read.parameter("charset"), Some("utf-8"));
        assert_eq!(read.parameter("q"), Some("1"));
        assert_eq!(read.parameter("x"), None);
        let quoted = MediaType::parse(r#"a/b;t="x\"; y=z";u=v"#).expect("a media type");
        assert_eq!(quoted.parameter("t"), Some("x\"; y=z"));
        assert_eq!(quoted.parameter("u"), Some("v"));
    }

    #[test]
    fn what_is_no_media_type_is_refused() {
        for text in [
            "",
            "text",
            "text/",
            "/plain",
            "text/plain/x",
            "te xt/plain",
            "text/plain; charset",
            "text/plain; charset=",
            "text/plain; charset=\"x",
            "text/plain, text/html",
            "tex\u{1b}t/a",
            "text/plain;a=b c=d",
            "text /plain",
            "é/x",
            "text/plain;a=\"\u{1b}\"",
            "*/*",
            ".a/b",
        ] {
            assert_eq!(MediaType::parse(text), None, "{text:?}");
        }
        assert_eq!(MediaType::parse(&format!("a/{}", "b".repeat(128))), None);
        assert_eq!(MediaType::parse(&format!("a/b;c={}", "d".repeat(2000))), None);
    }

    #[test]
    fn text_is_told_from_bytes() {
        let is_text = |text: &str| MediaType::parse(text).is_some_and(|m| m.is_text());
        for text in [
            "text/plain",
            "TEXT/x-rust",
            "application/json",
            "application/ld+json",
            "image/svg+xml",
        ] {
            assert!(is_text(text), "{text}");
        }
        for bytes in ["image/png", "application/octet-stream", "application/pdf", "audio/wav"] {
            assert!(!is_text(bytes), "{bytes}");
        }
    }

    #[test]
    fn placeholders_name_type_and_size_and_hide_nothing() {
        let png = UntrustedText::from("image/png");
        assert_eq!(placeholder_text("image", Some(&png), 34012), "[image: image/png, 34012 bytes]");
        let evil = UntrustedText::from("a\u{1b}[2J\n");
        assert_eq!(placeholder_text("audio", Some(&evil), 1), "[audio: a␛[2J␊, 1 byte]");
        assert_eq!(placeholder_text("blob", None, 0), "[blob: unknown type, 0 bytes]");
        let json = |p: &Placeholder| serde_json::to_string(p).expect("JSON");
        assert_eq!(
            json(&Placeholder { mime: Some(png), size: 7 }),
            r#"{"mime":"image/png","size":7}"#
        );
        assert_eq!(json(&Placeholder { mime: None, size: 0 }), r#"{"mime":null,"size":0}"#);
    }
}
