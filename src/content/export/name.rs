//! Names for files, made of what servers call their things.

use super::super::media::MediaType;

/// The longest name, in characters; with the longest of them it still fits a file system.
const LONGEST: usize = 60;

/// The longest ending that is kept when a name is cut.
const LONGEST_ENDING: usize = 12;

/// Names that some systems keep for devices.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// Endings for names that have none, by media type.
const ENDINGS: [(&str, &str); 12] = [
    ("text/plain", "txt"),
    ("text/markdown", "md"),
    ("text/html", "html"),
    ("text/csv", "csv"),
    ("application/json", "json"),
    ("application/xml", "xml"),
    ("application/pdf", "pdf"),
    ("image/png", "png"),
    ("image/jpeg", "jpg"),
    ("image/gif", "gif"),
    ("image/svg+xml", "svg"),
    ("audio/wav", "wav"),
];

/// A name for a file of what stands under a URI or a name: its last part, without anything that a
/// path, a shell or a terminal could take for something else. Never empty, never hidden, never
/// with a separator, and bounded.
pub fn safe_name(address: &str, mime_type: Option<&str>) -> String {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let parts = path.rsplit(['/', '\\', ':']).map(cleaned);
    let name = parts.into_iter().find(|part| !part.is_empty()).unwrap_or_else(|| "resource".into());
    let name = bounded(&name);
    let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let device = DEVICES.iter().any(|device| {
        let number = stem.strip_prefix(device);
        number.is_some_and(|n| n.len() <= 1 && n.chars().all(|c| c.is_ascii_digit()))
    });
    let name = if device { format!("file-{name}") } else { name };
    let mime = mime_type.and_then(MediaType::parse);
    let ending = mime.and_then(|mime| ENDINGS.iter().find(|(kind, _)| *kind == mime.essence()));
    match ending {
        Some((_, ending)) if !name.contains('.') => format!("{name}.{ending}"),
        Some(_) | None => name,
    }
}

fn cleaned(part: &str) -> String {
    let kept = |c: char| if c.is_alphanumeric() || "._-+@,=".contains(c) { c } else { '_' };
    let name: String = part.chars().take(4 * LONGEST).map(kept).collect();
    let name = name.trim_start_matches(['.', '-', '_']).trim_end_matches(['.', '_']);
    name.to_owned()
}

/// Cut in its middle, so that its ending stays.
fn bounded(name: &str) -> String {
    let length = name.chars().count();
    if length <= LONGEST {
        return name.to_owned();
    }
    let ending: String = match name.rsplit_once('.') {
        Some((_, ending)) if ending.chars().count() <= LONGEST_ENDING => format!(".{ending}"),
        Some(_) | None => String::new(),
    };
    let room = LONGEST - ending.chars().count();
    name.chars().take(room).chain(ending.chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_last_part_names_the_file() {
        for (address, mime, expected) in [
            ("library://rooms/reading", Some("text/plain"), "reading.txt"),
            ("library://pictures/bookplate.png", Some("image/png"), "bookplate.png"),
            ("file:///a/b/", None, "b"),
            ("db://rows?table=x/y#z", None, "rows"),
            ("a:b", None, "b"),
            ("greet", None, "greet"),
            ("x://a/..", None, "a"),
            ("x://h/../../etc/.passwd", None, "passwd"),
            ("x://h/-rf", None, "rf"),
            ("x://h/a b\u{202e}c\u{1b}[2J", None, "a_b_c__2J"),
            ("x://h/..%2f..%2fetc", None, "2f.._2fetc"),
            ("x://h/漢字", Some("application/json; charset=utf-8"), "漢字.json"),
            ("x://h/con.txt", None, "file-con.txt"),
            ("x://h/COM1", None, "file-COM1"),
            ("x://h/common", None, "common"),
            ("://", None, "resource"),
            ("", Some("nonsense"), "resource"),
        ] {
            assert_eq!(safe_name(address, mime), expected, "{address}");
        }
        let long = safe_name(&format!("x://h/{}.jpeg", "n".repeat(500)), None);
        assert!(long.ends_with("n") || long.ends_with(".jpeg"), "{long}");
        assert!(long.chars().count() <= LONGEST);
    }

    proptest! {
        #[test]
        fn no_name_is_anything_but_a_name(address in any::<String>()) {
            let name = safe_name(&address, Some("text/plain"));
            prop_assert!(!name.is_empty() && name.chars().count() <= LONGEST + 10);
            prop_assert!(!name.starts_with(['.', '-']));
            let bad = |c: char| c.is_control() || "/\\:\u{202e}\u{200b}".contains(c);
            prop_assert!(!name.contains(bad), "{:?}", name);
        }
    }
}
