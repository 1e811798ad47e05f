//! Roots: the folders and files that a server is told it may work in. They are told to no server
//! whose entry names none.

use super::ConfigError;
use super::entry::{Surroundings, whole_path};
use super::error::escaped;
use super::fields::{Fields, Notes, kind};
use super::file_uri::file_uri;
use crate::domain::Root;
use jsonc_parser::ast::Value;
use std::path::{Component, Path, PathBuf};

/// Reads the roots of an entry. One that makes no sense is left out and said: the others, and the
/// server, can do without it.
pub(super) fn read_roots(
    value: Option<&Value<'_>>,
    around: &Surroundings<'_>,
    notes: &mut Notes,
) -> Vec<Root> {
    let Some(value) = value else { return Vec::new() };
    let Some(list) = value.as_array() else {
        notes.add(&format!("`roots` should be a list, it is {}, and is not used", kind(value)));
        return Vec::new();
    };
    let mut roots: Vec<Root> = Vec::new();
    for (n, element) in list.elements.iter().enumerate() {
        let place = format!("roots[{n}]");
        match read_root(element, &place, around, notes) {
            Ok(root) if roots.iter().any(|known| known.uri == root.uri) => {
                notes.add(&format!("`{place}` is there already and is not used"));
            }
            Ok(root) => roots.push(root),
            Err(why) => notes.add(&format!("`{place}` is not used: {why}")),
        }
    }
    roots
}

fn read_root(
    value: &Value<'_>,
    place: &str,
    around: &Surroundings<'_>,
    notes: &mut Notes,
) -> Result<Root, String> {
    if let Some(text) = value.as_string_lit() {
        let text = around.variables.expand(place, &text.value)?;
        return Ok(Root { uri: address(&text, around)?, name: None });
    }
    let object = value
        .as_object()
        .ok_or_else(|| format!("it should be a path or a file: URI, it is {}", kind(value)))?;
    let mut fields = Fields::of(object, &format!("{place}."), notes);
    let (uri, path) = (fields.take("uri"), fields.take("path"));
    let where_to = match (uri, path) {
        (Some(value), None) | (None, Some(value)) => value,
        (Some(_), Some(_)) => return Err("it has both `uri` and `path`".into()),
        (None, None) => return Err("it has neither `uri` nor `path`".into()),
    };
    let text = |value: &Value<'_>, key: &str| match value.as_string_lit() {
        Some(text) => around.variables.expand(&format!("{place}.{key}"), &text.value),
        None => Err(format!("its `{key}` should be a string, it is {}", kind(value))),
    };
    let uri = address(&text(where_to, if uri.is_some() { "uri" } else { "path" })?, around)?;
    let name = fields.take("name").map(|name| text(name, "name")).transpose()?;
    for (key, _) in fields.0 {
        notes.add(&format!("unknown key `{place}.{}`", escaped(key)));
    }
    Ok(Root { uri, name })
}

/// A path or a `file:` URI as a URI.
fn address(text: &str, around: &Surroundings<'_>) -> Result<String, String> {
    if text.trim().is_empty() {
        return Err("it is empty".into());
    }
    if text.contains('\0') {
        return Err("it holds a zero character".into());
    }
    if text.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:")) {
        return checked(text);
    }
    if text.contains("://") {
        return Err("the protocol knows roots of files only: a path or a file: URI".into());
    }
    Ok(file_uri(&straight(whole_path(text, around)?)))
}

/// A URI that stands in the entry already; sent as it is.
fn checked(uri: &str) -> Result<String, String> {
    if !uri.get(5..).is_some_and(|rest| rest.starts_with("//")) {
        return Err("a file: URI begins with file://".into());
    }
    let fits = |c: char| c.is_ascii_graphic() && !"\"<>\\^`{|}#?".contains(c);
    if let Some(bad) = uri.chars().find(|c| !fits(*c)) {
        let bad = escaped(&bad.to_string());
        return Err(format!("`{bad}` must be encoded in a URI; or write the path itself"));
    }
    let is_encoded = |(at, _): (usize, &str)| {
        let pair = uri.as_bytes().get(at + 1..at + 3);
        pair.is_some_and(|pair| pair.iter().all(u8::is_ascii_hexdigit))
    };
    if !uri.match_indices('%').all(is_encoded) {
        return Err("a `%` must be written %25 in a URI; or write the path itself".into());
    }
    Ok(uri.to_owned())
}

/// A whole path without `.` and, as far as the disk tells what they mean, without `..`.
fn straight(path: PathBuf) -> PathBuf {
    let path = std::path::absolute(&path).unwrap_or(path);
    if !path.components().any(|part| part == Component::ParentDir) {
        return path;
    }
    path.canonicalize().unwrap_or(path)
}

/// A root from the command line: a path, from the folder that the program runs in, or a `file:`
/// URI.
///
/// # Errors
/// [`ConfigError::Argument`] when it is neither.
pub fn root_from(text: &str) -> Result<Root, ConfigError> {
    let here = std::env::current_dir().unwrap_or_default();
    let around = Surroundings::plain(&here);
    let wrong = |why: String| ConfigError::argument(format!("`--root {}`: {why}", escaped(text)));
    let uri = address(text, &around).map_err(wrong)?;
    let is_path = !text.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:"));
    if is_path && !whole_path(text, &around).map_err(wrong)?.exists() {
        return Err(wrong("there is no such folder or file".into()));
    }
    Ok(Root { uri, name: Path::new(text).file_name().map(|n| n.to_string_lossy().into_owned()) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::read_servers;

    fn read(roots: &str) -> (Vec<Root>, Vec<String>) {
        let text = format!(r#"{{"mcpServers": {{"s": {{"command": "x", "roots": {roots}}}}}}}"#);
        let file = read_servers(&text, Path::new("/conf/servers.json")).expect("a file");
        assert!(file.skipped.is_empty(), "{:?}", file.skipped);
        let roots = file.servers.into_iter().flat_map(|spec| spec.roots).collect();
        (roots, file.notes)
    }

    #[test]
    fn paths_and_addresses_become_roots() {
        let (roots, notes) = read(
            r#"["/tmp/a b", "below", "file:///x/50%25", {"path": "/srv", "name": "Server"},
               {"uri": "file:///y"}]"#,
        );
        let uris: Vec<&str> = roots.iter().map(|root| root.uri.as_str()).collect();
        assert_eq!(
            uris,
            [
                "file:///tmp/a%20b",
                "file:///conf/below",
                "file:///x/50%25",
                "file:///srv",
                "file:///y"
            ]
        );
        assert_eq!(roots.get(3).and_then(|root| root.name.as_deref()), Some("Server"));
        assert!(notes.is_empty(), "{notes:?}");
    }

    #[test]
    fn a_bad_root_is_said_with_its_place_and_takes_nothing_from_the_good_one() {
        let (roots, notes) = read(
            r#"["", {"uri": " "}, {"uri": "file:///g", "name": 7}, 5, "http://h/x",
               {"uri": "file:///a b"}, {"uri": "file:///50%"}, {"name": "n"}, "/good", "/good",
               "file:x", {"uri": 1}]"#,
        );
        assert_eq!(roots, [Root { uri: "file:///good".into(), name: None }]);
        assert_eq!(notes.len(), 11, "{notes:#?}");
        for (note, n) in notes.iter().zip([0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11]) {
            assert!(note.contains("/conf/servers.json: s: "), "{note}");
            assert!(note.contains(&format!("`roots[{n}]`")), "{note}");
        }
        for whole in ["\"x\"", "7", "{}"] {
            let (roots, notes) = read(whole);
            assert!(roots.is_empty());
            assert!(notes.iter().any(|n| n.contains("`roots` should be a list")), "{notes:?}");
        }
    }

    #[test]
    fn a_root_of_the_command_line_begins_in_this_folder() {
        let here = std::env::current_dir().expect("a folder");
        let root = root_from(".").expect("a root");
        assert_eq!(root.uri, file_uri(&here));
        assert!(root_from("").is_err() && root_from("ftp://x").is_err());
        assert!(root_from("there-is-no-such-folder").is_err());
    }
}
