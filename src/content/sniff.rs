//! What bytes look like by their first bytes, and whether that is what they claim to be.

use super::media::MediaType;

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
