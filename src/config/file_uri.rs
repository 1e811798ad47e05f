//! Paths as `file:` URIs (RFC 8089), on every platform.

use std::path::Path;

/// How a platform writes paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    /// `/tmp/x`
    Unix,
    /// `C:\x`, `\\server\share`
    Windows,
}

/// The URI of a whole path of this machine.
pub(super) fn file_uri(path: &Path) -> String {
    let style = if cfg!(windows) { Style::Windows } else { Style::Unix };
    uri(path.as_os_str().as_encoded_bytes(), style)
}

fn uri(path: &[u8], style: Style) -> String {
    if style == Style::Unix {
        return format!("file://{}", encoded(path));
    }
    let slashes: Vec<u8> = path.iter().map(|b| if *b == b'\\' { b'/' } else { *b }).collect();
    // Verbatim paths (`\\?\C:\x`, `\\?\UNC\server\share`) mean the same without their beginning.
    let (share, rest) = match slashes.as_slice() {
        [b'/', b'/', b'?', b'/', b'U' | b'u', b'N' | b'n', b'C' | b'c', b'/', rest @ ..] => {
            (true, rest)
        }
        [b'/', b'/', b'?', b'/', rest @ ..] => (false, rest),
        [b'/', b'/', rest @ ..] => (true, rest),
        all => (false, all),
    };
    let rest = encoded(rest);
    if share {
        return format!("file://{rest}");
    }
    format!("file:///{}", rest.trim_start_matches('/'))
}

/// A path with everything encoded that cannot stand in that of a URI (RFC 3986, section 3.3).
fn encoded(path: &[u8]) -> String {
    let mut text = String::with_capacity(path.len());
    for byte in path {
        let plain = byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/".contains(byte);
        if plain {
            text.push(char::from(*byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a reader of the URI gets back.
    fn decoded(uri: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut rest = uri.strip_prefix("file://").expect("a file").bytes();
        while let Some(byte) = rest.next() {
            let digits = |rest: &mut std::str::Bytes<'_>| {
                let pair = [rest.next().expect("a digit"), rest.next().expect("a digit")];
                u8::from_str_radix(std::str::from_utf8(&pair).expect("digits"), 16).expect("hex")
            };
            bytes.push(if byte == b'%' { digits(&mut rest) } else { byte });
        }
        bytes
    }

    #[test]
    fn every_path_becomes_a_uri_that_gives_it_back() {
        for (path, expected) in [
            ("/tmp/a b", "file:///tmp/a%20b"),
            ("/tmp/a#b", "file:///tmp/a%23b"),
            ("/tmp/a?b", "file:///tmp/a%3Fb"),
            ("/tmp/50%", "file:///tmp/50%25"),
            ("/tmp/ü", "file:///tmp/%C3%BC"),
            ("/tmp/a\\b", "file:///tmp/a%5Cb"),
            ("/tmp/[x]{y}|\"<>^`\u{1b}", "file:///tmp/%5Bx%5D%7By%7D%7C%22%3C%3E%5E%60%1B"),
            ("/", "file:///"),
        ] {
            let uri = uri(path.as_bytes(), Style::Unix);
            assert_eq!(uri, expected);
            assert_eq!(decoded(&uri), path.as_bytes());
        }
        let no_text = b"/tmp/\xff\xfe";
        assert_eq!(decoded(&uri(no_text, Style::Unix)), no_text);
    }

    #[test]
    fn drives_and_shares_are_written_as_windows_means_them() {
        for (path, expected) in [
            (r"C:\My Dir", "file:///C:/My%20Dir"),
            (r"C:\", "file:///C:/"),
            (r"c:\a#b\50%", "file:///c:/a%23b/50%25"),
            (r"\\srv\share", "file://srv/share"),
            (r"\\srv\share\a b", "file://srv/share/a%20b"),
            (r"\\?\C:\x", "file:///C:/x"),
            (r"\\?\UNC\srv\share\x", "file://srv/share/x"),
        ] {
            assert_eq!(uri(path.as_bytes(), Style::Windows), expected);
        }
    }
}
