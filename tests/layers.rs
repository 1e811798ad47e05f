//! Imports run down only. This test reads the sources under `src/` and fails on an import that
//! runs up or sideways, on a ring, and on an outside crate on a floor that may not use it.

// A source that this test cannot follow should stop it, loudly.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::wildcard_enum_match_arm)]

#[path = "support/imports.rs"]
mod imports;

use imports::{Reference, Token, references, tokens, without_tests};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The rooms and their floors. Two rooms on one floor never import each other.
const ROOMS: [(&str, u8); 12] = [
    ("tui", 5),
    ("cli", 5),
    ("registry", 4),
    ("mcp", 3),
    ("demo", 3),
    ("sampling", 2),
    ("provider", 1),
    ("content", 1),
    ("config", 1),
    ("schema", 1),
    ("audit", 1),
    ("domain", 0),
];

/// Where an outside crate may appear.
enum Where {
    /// On every floor.
    Everywhere,
    /// From floor 1 up, and in `main.rs`.
    AboveDomain,
    /// In these rooms; `main` is `main.rs`.
    Only(&'static [&'static str]),
}

/// Every dependency of `Cargo.toml`, and where it may appear.
const CRATES: [(&str, Where); 31] = [
    ("ratatui", Where::Only(&["tui"])),
    ("crossterm", Where::Only(&["tui"])),
    ("nucleo_matcher", Where::Only(&["tui"])),
    ("clap", Where::Only(&["cli", "main"])),
    ("rmcp", Where::Only(&["mcp", "demo"])),
    ("process_wrap", Where::Only(&["mcp"])),
    // HTTP: one room asks, the other serves the demo.
    ("reqwest", Where::Only(&["mcp"])),
    ("rustls", Where::Only(&["mcp"])),
    ("hyper", Where::Only(&["mcp", "demo"])),
    ("hyper_util", Where::Only(&["demo"])),
    // A hash of names.
    ("foldhash", Where::Only(&["registry"])),
    // URI templates.
    ("iri_string", Where::Only(&["content"])),
    ("unicode_width", Where::Only(&["content"])),
    ("unicode_segmentation", Where::Only(&["content"])),
    ("unicode_general_category", Where::Only(&["content"])),
    // A search in bytes: lines of the wire, lines of a text.
    ("memchr", Where::Only(&["content", "mcp"])),
    ("base64", Where::Only(&["content", "demo"])),
    ("jsonschema", Where::Only(&["schema"])),
    ("jsonc_parser", Where::Only(&["config"])),
    ("directories", Where::Only(&["config"])),
    // The keys of the screen are a file of the screen.
    ("toml", Where::Only(&["config", "tui"])),
    // Process groups, the terminal's modes and its width.
    ("rustix", Where::Only(&["mcp", "tui", "cli"])),
    ("tokio", Where::AboveDomain),
    ("tokio_util", Where::AboveDomain),
    ("futures_util", Where::AboveDomain),
    ("serde", Where::Everywhere),
    ("serde_json", Where::Everywhere),
    ("thiserror", Where::Everywhere),
    ("bytes", Where::Everywhere),
    ("secrecy", Where::Everywhere),
    ("sha2", Where::Everywhere),
];

fn floor(room: &str) -> Option<u8> {
    ROOMS.iter().find(|(name, _)| *name == room).map(|(_, floor)| *floor)
}

/// A source: its path below `src/`, with `/`, and its text.
type Source = (String, String);

/// What was found.
#[derive(Default)]
struct Findings {
    violations: Vec<String>,
    /// Who imports whom, rooms only.
    edges: BTreeSet<(String, String)>,
}

/// The module path of a file: `cli/list/tests.rs` is `cli, list, tests`.
fn module(path: &str) -> Vec<String> {
    let mut parts: Vec<String> =
        path.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if parts.last().is_some_and(|last| last == "mod") {
        parts.pop();
    }
    parts
}

/// Modules that have a file of their own and exist for tests only.
fn test_modules(sources: &[Source]) -> Vec<Vec<String>> {
    let of = |(path, text): &Source| {
        let module = module(path);
        let (_, names) = without_tests(&tokens(text));
        names.into_iter().map(move |name| [module.clone(), vec![name]].concat())
    };
    sources.iter().flat_map(of).collect()
}

fn check(sources: &[Source]) -> Findings {
    let mut findings = Findings::default();
    let for_tests = test_modules(sources);
    for (path, text) in sources {
        let module = module(path);
        if for_tests.iter().any(|prefix| module.starts_with(prefix)) {
            continue;
        }
        let (kept, _) = without_tests(&tokens(text));
        hidden(path, &kept, &mut findings);
        let Some(room) = module.first().filter(|room| *room != "lib") else { continue };
        for reference in references(&kept) {
            judge(path, room, &module, &reference, &mut findings);
        }
    }
    for ring in rings(&findings.edges) {
        findings.violations.push(format!("a ring: {}", ring.join(" -> ")));
    }
    findings
}

/// Ways to bring in code that this test would not see.
fn hidden(path: &str, tokens: &[Token], findings: &mut Findings) {
    for pair in tokens.windows(3) {
        let words =
            pair.iter().map(|token| format!("{:?}", token.what)).collect::<Vec<_>>().join(" ");
        let way = if words.starts_with("Mark('[') Word(\"path\")") {
            "#[path]"
        } else if words.starts_with("Word(\"include\") Mark('!')") {
            "include!"
        } else if path == "lib.rs" && words.starts_with("Word(\"use\")") {
            "a re-export in lib.rs"
        } else {
            continue;
        };
        findings.violations.push(format!("{path}:{}: {way} hides what is imported", pair[0].line));
    }
}

/// Finds out which room or crate a path means, and whether this room may use it.
fn judge(
    path: &str,
    room: &str,
    module: &[String],
    reference: &Reference,
    findings: &mut Findings,
) {
    let place = format!("{path}:{}", reference.line);
    let mut segments: Vec<&str> = reference.path.iter().map(String::as_str).collect();
    if segments.last() == Some(&"self") {
        segments.pop();
    }
    let relative = segments.iter().take_while(|s| ["self", "super"].contains(s)).count();
    let supers = segments[..relative].iter().filter(|s| **s == "super").count();
    let rest = &segments[relative..];
    let target = match segments.first() {
        None => return,
        Some(&("crate" | "vestibule")) => segments.get(1).copied(),
        Some(&("self" | "super")) if supers < module.len() + reference.depth => return,
        Some(&("self" | "super")) => rest.first().copied(),
        Some(name) => {
            outside(&place, room, name, findings);
            return;
        }
    };
    let Some(target) = target.filter(|target| *target != "*") else {
        findings
            .violations
            .push(format!("{place}: the whole crate under one name hides what is imported"));
        return;
    };
    if target == room {
        return;
    }
    let Some(to) = floor(target) else {
        findings.violations.push(format!("{place}: there is no room `{target}`"));
        return;
    };
    if room == "main" {
        return;
    }
    findings.edges.insert((room.to_owned(), target.to_owned()));
    let Some(from) = floor(room) else {
        findings.violations.push(format!("{place}: the room `{room}` has no floor"));
        return;
    };
    if to >= from {
        let way = if to > from { "up" } else { "sideways" };
        let text = format!("{place}: {room} (floor {from}) imports {way}: {target} (floor {to})");
        findings.violations.push(text);
    }
}

fn outside(place: &str, room: &str, name: &str, findings: &mut Findings) {
    let Some((_, allowed)) = CRATES.iter().find(|(known, _)| *known == name) else { return };
    let may = match allowed {
        Where::Everywhere => true,
        Where::AboveDomain => room != "domain",
        Where::Only(rooms) => rooms.contains(&room),
    };
    if !may {
        findings.violations.push(format!("{place}: {room} may not use the crate {name}"));
    }
}

/// The rings among rooms, each once, beginning with its first room in the alphabet.
fn rings(edges: &BTreeSet<(String, String)>) -> Vec<Vec<String>> {
    fn walk(edges: &BTreeSet<(String, String)>, way: &[String], found: &mut Vec<Vec<String>>) {
        let (Some(first), Some(last)) = (way.first(), way.last()) else { return };
        for (_, to) in edges.iter().filter(|(from, _)| from == last) {
            let longer = [way, std::slice::from_ref(to)].concat();
            if to == first {
                found.push(longer);
            } else if to > first && !way.contains(to) {
                walk(edges, &longer, found);
            }
        }
    }
    let mut found = Vec::new();
    let rooms: BTreeSet<&String> = edges.iter().map(|(from, _)| from).collect();
    for room in rooms {
        walk(edges, std::slice::from_ref(room), &mut found);
    }
    found
}

fn read_sources(root: &Path) -> Vec<Source> {
    fn walk(folder: &Path, root: &Path, found: &mut Vec<Source>) {
        let entries = fs::read_dir(folder).expect("a folder of sources");
        let mut paths: Vec<PathBuf> =
            entries.map(|entry| entry.expect("an entry").path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                walk(&path, root, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let below = path.strip_prefix(root).expect("below src");
                let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
                found.push((parts.join("/"), fs::read_to_string(&path).expect("a source")));
            }
        }
    }
    let mut found = Vec::new();
    walk(root, root, &mut found);
    found
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn imports_run_down_only_and_crates_stay_on_their_floors() {
    let sources = read_sources(&root().join("src"));
    let findings = check(&sources);
    assert!(findings.violations.is_empty(), "\n{}\n", findings.violations.join("\n"));
    // Proof that something was seen at all.
    for (from, to) in [("cli", "registry"), ("cli", "content"), ("registry", "domain")] {
        assert!(findings.edges.contains(&(from.to_owned(), to.to_owned())), "{from} -> {to}");
    }
}

#[test]
fn every_room_has_a_floor_and_every_floor_its_rooms() {
    let found: BTreeSet<String> = fs::read_dir(root().join("src"))
        .expect("src")
        .map(|entry| module(&entry.expect("an entry").file_name().to_string_lossy()).concat())
        .filter(|name| !["lib", "main"].contains(&name.as_str()))
        .collect();
    let known: BTreeSet<String> = ROOMS.iter().map(|(room, _)| (*room).to_owned()).collect();
    assert_eq!(found, known);
}

#[test]
fn every_dependency_has_a_place() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("Cargo.toml");
    let manifest: toml::Table = toml::from_str(&manifest).expect("TOML");
    let mut found = BTreeSet::new();
    let mut collect = |table: Option<&toml::Value>| {
        let table = table.and_then(toml::Value::as_table);
        found.extend(table.into_iter().flat_map(|t| t.keys()).map(|name| name.replace('-', "_")));
    };
    collect(manifest.get("dependencies"));
    let targets = manifest.get("target").and_then(toml::Value::as_table);
    for target in targets.into_iter().flat_map(|targets| targets.values()) {
        collect(target.get("dependencies"));
    }
    let known: BTreeSet<String> = CRATES.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(found, known, "the left side is Cargo.toml, the right side the table of this test");
}

/// The violations of small sources, each line with the file's name cut off.
fn violations(sources: &[(&str, &str)]) -> Vec<String> {
    let own = |(path, text): &(&str, &str)| ((*path).to_owned(), (*text).to_owned());
    check(&sources.iter().map(own).collect::<Vec<_>>()).violations
}

#[test]
fn the_checker_finds_imports_that_run_up_or_sideways_in_every_spelling() {
    for (path, text, expected) in [
        ("content/mod.rs", "use crate::registry::X;", "imports up: registry"),
        ("content/mod.rs", "pub(crate) use crate::{domain, mcp::{self, a::B}};", "up: mcp"),
        ("content/mod.rs", "use {std::io, crate::tui as t};", "up: tui"),
        ("content/mod.rs", "fn f() { crate::sampling::go() }", "up: sampling"),
        ("content/mod.rs", "fn f<T: crate::cli::X>(t: &'static T) {}", "up: cli"),
        ("content/a/b.rs", "use super::super::super::registry::X;", "up: registry"),
        ("content/a.rs", "fn f() { super::super::mcp::go() }", "up: mcp"),
        ("content/a.rs", "mod x { use super::super::super::mcp::Y; }", "up: mcp"),
        ("content.rs", "use super::config;", "sideways: config"),
        ("tui/mod.rs", "use crate::cli;", "sideways: cli"),
        ("mcp/mod.rs", "use crate::demo::servers;", "sideways: demo"),
        ("domain/mod.rs", "use vestibule::content::x;", "up: content"),
        ("domain/mod.rs", "macro_rules! m { () => { $crate::config::x() } }", "up: config"),
        ("domain/mod.rs", "use r#crate::config;", "up: config"),
    ] {
        let found = violations(&[(path, text)]);
        assert!(found.iter().any(|line| line.contains(expected)), "{text}: {found:?}");
    }
}

#[test]
fn the_checker_finds_crates_on_a_foreign_floor() {
    for (path, text, name) in [
        ("cli/a.rs", "use ratatui::Frame;", "ratatui"),
        ("cli/a.rs", "use crossterm;", "crossterm"),
        ("registry/a.rs", "fn f() -> ::rmcp::Error {}", "rmcp"),
        ("mcp/a.rs", "use {std::io, base64 as b};", "base64"),
        ("domain/a.rs", "#[tokio::main] async fn f() {}", "tokio"),
        ("tui/a.rs", "#[derive(clap::Parser)] struct A;", "clap"),
        ("content/a.rs", "extern crate toml;", "toml"),
        ("main.rs", "fn f() { rmcp::x() }", "rmcp"),
        ("tui/a.rs", "pub use unicode_width::{UnicodeWidthStr};", "unicode_width"),
    ] {
        let found = violations(&[(path, text)]);
        let expected = format!("may not use the crate {name}");
        assert!(found.iter().any(|line| line.ends_with(&expected)), "{text}: {found:?}");
    }
}

#[test]
fn the_checker_lets_pass_what_is_allowed() {
    for (path, text) in [
        (
            "tui/mod.rs",
            "use crate::{domain::X, registry::{self, *}}; use toml::Table; use super::tui;",
        ),
        ("registry/mod.rs", "use self::super::domain::X; use super::registry::a; use tokio::sync;"),
        ("content/a/b.rs", "use super::super::c; use super::d::*; mod x { use super::super::c; }"),
        ("mcp/a.rs", "// use crate::tui;\n/* crate::tui::x /* */ clap::y */ fn f() {}"),
        ("mcp/a.rs", r##"const A: &str = "crate::tui::x"; const B: &str = r#""crate::tui"#;"##),
        (
            "mcp/a.rs",
            "const C: char = '\"'; fn f<'a>(a: &'a str) {} const D: char = '\\''; // crate::tui::x",
        ),
        ("mcp/a.rs", "#[cfg(test)] mod tests { use crate::tui::x; fn f() { clap::x() } }"),
        (
            "mcp/a.rs",
            "#[cfg(test)]\n#[allow(dead_code)]\npub(crate) fn f(a: [u8; 3]) { crate::tui::x() }",
        ),
        ("mcp/a.rs", "#[cfg(test)] use crate::{demo::x, tui}; fn f() {}"),
        ("main.rs", "use vestibule::{cli, tui, domain::X}; fn f() { clap::x(); tokio::y() }"),
        ("cli/a.rs", "fn f(bytes: &[u8]) -> impl Iterator<Item = u8> + use<'_> { bytes::x() }"),
    ] {
        assert_eq!(violations(&[(path, text)]), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_file_of_tests_is_left_out_only_where_it_is_declared_as_one() {
    let test_file = ("mcp/a/tests.rs", "use crate::tui::x;");
    assert_eq!(violations(&[("mcp/a.rs", "#[cfg(test)] mod tests;"), test_file]).len(), 0);
    assert_eq!(violations(&[("mcp/a.rs", "#[cfg(not(test))] mod tests;"), test_file]).len(), 1);
    assert_eq!(violations(&[("mcp/a.rs", "mod tests;"), test_file]).len(), 1);
    let after = "#[cfg(test)] mod tests { fn f() {} } use crate::tui::x;";
    assert_eq!(violations(&[("mcp/a.rs", after)]).len(), 1);
}

#[test]
fn what_would_hide_an_import_is_found() {
    for (path, text) in [
        ("mcp/a.rs", "use crate::*;"),
        ("mcp/a.rs", "use crate as root;"),
        ("mcp/a.rs", "use crate::{self as root};"),
        ("mcp/a.rs", "use super::super::*;"),
        ("mcp/a.rs", "#[path = \"../tui/x.rs\"] mod x;"),
        ("mcp/a.rs", "include!(\"x.rs\");"),
        ("lib.rs", "pub mod tui; pub use tui::x;"),
        ("mcp/a.rs", "use crate::nowhere::x;"),
        ("attic/a.rs", "use crate::domain::x;"),
    ] {
        assert_eq!(violations(&[(path, text)]).len(), 1, "{text}");
    }
}

#[test]
fn rings_are_found_once() {
    let found = violations(&[
        ("sampling/a.rs", "use crate::config::x;"),
        ("config/a.rs", "use crate::audit::x;"),
        ("audit/a.rs", "use crate::sampling::x;"),
    ]);
    let rings: Vec<&String> = found.iter().filter(|line| line.starts_with("a ring")).collect();
    assert_eq!(rings, ["a ring: audit -> sampling -> config -> audit"]);
}

#[test]
fn lines_are_counted_through_comments_and_strings() {
    let text =
        "/* \n */ const A: &str = \"\n\\\"\n\"; const B: &str = r\"\n\";\nuse crate::tui::x;";
    let found = violations(&[("mcp/a.rs", text)]);
    assert!(
        found.iter().all(|line| line.starts_with("mcp/a.rs:6:")) && found.len() == 1,
        "{found:?}"
    );
}
