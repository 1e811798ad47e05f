//! Media types, what stands for content that is not text, and what bytes look like.

use super::reveal::plain_line;
use crate::domain::UntrustedText;
use serde::Serialize;
use std::fmt::Write as _;

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

/// What bytes look like by their first bytes, as a media type; `None` where they look like
/// nothing known. Text is never recognised.
pub fn sniff(bytes: &[u8]) -> Option<&'static str> {
    let container = |name: &[u8]| {
        bytes.starts_with(b"RIFF") && bytes.get(8..).is_some_and(|rest| rest.starts_with(name))
    };
    Some(match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => "image/png",
        [0xff, 0xd8, 0xff, ..] => "image/jpeg",
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => "image/gif",
        _ if container(b"WEBP") => "image/webp",
        _ if container(b"WAVE") => "audio/wav",
        [b'%', b'P', b'D', b'F', b'-', ..] => "application/pdf",
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => "application/zip",
        [0x1f, 0x8b, 8, ..] => "application/gzip",
        [b'O', b'g', b'g', b'S', ..] => "audio/ogg",
        [b'I', b'D', b'3', 2..=4, ..] => "audio/mpeg",
        // MPEG audio frame: eleven bits of sync, layer III.
        [0xff, 0xfb | 0xfa | 0xf3 | 0xf2, third, ..] if *third >> 4 != 0xf => "audio/mpeg",
        _ => return None,
    })
}

/// What bytes look like, where that is not what their media type claims. `None` where they agree
/// or where nothing can be said.
pub fn disagreement(claimed: &MediaType, bytes: &[u8]) -> Option<&'static str> {
    let seen = sniff(bytes)?;
    let (kind, subtype) = claimed.essence().split_once('/')?;
    let agrees = claimed.essence() == seen
        || claimed.essence() == "application/octet-stream"
        || match seen {
            "image/jpeg" => matches!(claimed.essence(), "image/jpg" | "image/pjpeg"),
            "image/png" => matches!(claimed.essence(), "image/apng" | "image/x-png"),
            "audio/wav" => {
                matches!(claimed.essence(), "audio/x-wav" | "audio/wave" | "audio/vnd.wave")
            }
            "audio/mpeg" => {
                matches!(claimed.essence(), "audio/mp3" | "audio/x-mp3" | "audio/mpeg3")
            }
            "audio/ogg" => {
                matches!(subtype, "ogg" | "opus" | "vorbis" | "flac" | "speex" | "x-ogg")
            }
            "application/pdf" => subtype == "x-pdf" || subtype == "illustrator",
            "application/gzip" => {
                matches!(subtype, "x-gzip" | "x-gtar" | "x-tgz" | "tar+gzip" | "x-compressed-tar")
                    || subtype.ends_with("+gzip")
            }
            // Office documents, books, packages and archives are zip files under other names.
            "application/zip" => kind == "application" && !claimed.is_text() && subtype != "pdf",
            _ => false,
        };
    (!agrees).then_some(seen)
}

/// A size for people: `512 bytes`, `33.2 KiB`, `1.5 GiB`.
pub fn human_size(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    match bytes {
        1 => return "1 byte".into(),
        0..1024 => return format!("{bytes} bytes"),
        _ => {}
    }
    let mut tenths = u128::from(bytes) * 10;
    let mut unit = "bytes";
    for name in UNITS {
        // Rounded to the nearest tenth, and 1024.0 never shown: it is 1.0 of the next unit.
        if (tenths + 512) / 1024 < 10_240 {
            tenths = (tenths + 512) / 1024;
            unit = name;
            break;
        }
        tenths /= 1024;
    }
    format!("{}.{} {unit}", tenths / 10, tenths % 10)
}

/// Bytes in one row of a hex preview.
const HEX_ROW: usize = 16;

/// The first bytes as rows of `offset  hex  |ASCII|`, at most `max_rows` of 16 bytes each.
pub fn hex_preview(bytes: &[u8], max_rows: usize) -> Vec<String> {
    hex_rows(bytes, HEX_ROW, max_rows)
}

/// The first bytes as rows of `offset  hex  |ASCII|`, at most `max_rows` of `per_row` bytes each
/// (at least one). Sixteen bytes take 78 columns, eight take 44, four take 28; a gap stands after
/// the eighth.
pub fn hex_rows(bytes: &[u8], per_row: usize, max_rows: usize) -> Vec<String> {
    let per_row = per_row.max(1);
    let wide = per_row > HEX_ROW / 2;
    let space = if wide { "  " } else { " " };
    let cells = per_row.saturating_mul(3).saturating_add((per_row - 1) / (HEX_ROW / 2));
    let rows = bytes.chunks(per_row).take(max_rows).enumerate();
    rows.map(|(index, chunk)| {
        let mut hex = String::new();
        for (column, byte) in chunk.iter().enumerate() {
            let gap = if column > 0 && column % (HEX_ROW / 2) == 0 { " " } else { "" };
            // Writing to a string cannot fail.
            let _ = write!(hex, "{gap}{byte:02x} ");
        }
        let shown: String = chunk
            .iter()
            .map(|byte| if matches!(byte, 0x20..=0x7e) { char::from(*byte) } else { '.' })
            .collect();
        format!("{:08x}{space}{hex:<cells$} |{shown}|", index * per_row)
    })
    .collect()
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

    #[test]
    fn bytes_that_are_not_what_they_claim_are_named() {
        let claim = |claimed: &str, bytes: &[u8]| {
            disagreement(&MediaType::parse(claimed).expect("a media type"), bytes)
        };
        let png = b"\x89PNG\r\n\x1a\n rest";
        assert_eq!(claim("image/png", png), None);
        assert_eq!(claim("image/jpeg", png), Some("image/png"));
        assert_eq!(claim("text/plain", png), Some("image/png"));
        assert_eq!(claim("application/octet-stream", png), None);
        assert_eq!(claim("image/jpg", b"\xff\xd8\xff\xe0"), None);
        assert_eq!(claim("audio/x-wav", b"RIFF....WAVEfmt "), None);
        assert_eq!(claim("image/webp", b"RIFF....WAVEfmt "), Some("audio/wav"));
        assert_eq!(claim("application/epub+zip", b"PK\x03\x04"), None);
        assert_eq!(claim("image/png", b"PK\x03\x04"), Some("application/zip"));
        assert_eq!(claim("image/png", b"no signature"), None);
    }

    #[test]
    fn signatures_are_known_and_short_input_is_safe() {
        for (bytes, seen) in [
            (&b"GIF89a"[..], Some("image/gif")),
            (b"RIFF1234WEBPVP8 ", Some("image/webp")),
            (b"%PDF-1.7", Some("application/pdf")),
            (b"\x1f\x8b\x08\x00", Some("application/gzip")),
            (b"OggS\0", Some("audio/ogg")),
            (b"ID3\x04\0", Some("audio/mpeg")),
            (b"\xff\xfb\x90\x44", Some("audio/mpeg")),
            (b"RIFF", None),
            (b"{\"a\":1}", None),
            (b"\xff\xfe\x41\x00", None),
            (b"", None),
        ] {
            assert_eq!(sniff(bytes), seen, "{bytes:?}");
        }
    }

    #[test]
    fn sizes_read_well() {
        for (bytes, text) in [
            (0, "0 bytes"),
            (1, "1 byte"),
            (1023, "1023 bytes"),
            (1024, "1.0 KiB"),
            (34_012, "33.2 KiB"),
            (1_048_575, "1.0 MiB"),
            (1_610_612_736, "1.5 GiB"),
            (u64::MAX, "16.0 EiB"),
        ] {
            assert_eq!(human_size(bytes), text);
        }
    }

    #[test]
    fn a_hex_preview_shows_the_first_rows() {
        let bytes: Vec<u8> = (0..40).map(|i| i + 0x1a).collect();
        let rows = hex_preview(&bytes, 2);
        assert_eq!(
            rows,
            [
                "00000000  1a 1b 1c 1d 1e 1f 20 21  22 23 24 25 26 27 28 29  |...... !\"#$%&'()|",
                "00000010  2a 2b 2c 2d 2e 2f 30 31  32 33 34 35 36 37 38 39  |*+,-./0123456789|",
            ]
        );
        assert_eq!(
            hex_rows(&bytes, 8, 2),
            [
                "00000000 1a 1b 1c 1d 1e 1f 20 21  |...... !|",
                "00000008 22 23 24 25 26 27 28 29  |\"#$%&'()|",
            ]
        );
        assert_eq!(hex_rows(&bytes, 0, 1).len(), 1);
        assert_eq!(hex_preview(&bytes, 9).len(), 3);
        assert!(hex_preview(b"\x7f", 1)[0].ends_with("|.|"));
        assert!(hex_preview(b"", 5).is_empty());
    }
}
