//! Holds the README to what the program does.

use super::Arguments;
use crate::{
    config::{Limits, ScreenSettings, Settings, ThemeName, read_servers},
    domain::FaultKind,
};
use clap::CommandFactory as _;
use std::path::Path;

const README: &str = include_str!("../../README.md");

/// The rows of the tables of a section, each as its cells.
fn rows(heading: &str) -> Vec<Vec<&'static str>> {
    let section = README.split("\n## ").find(|part| part.starts_with(heading)).expect("a section");
    let rows = section.lines().filter(|line| line.starts_with("| ") && !line.starts_with("|--"));
    rows.map(|line| line.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

#[test]
fn every_command_and_option_is_in_the_readme_and_no_other() {
    let parser = Arguments::command();
    let mut known: Vec<String> = Vec::new();
    for command in std::iter::once(&parser).chain(parser.get_subcommands()) {
        if command.get_name() != parser.get_name() {
            known.push(command.get_name().to_owned());
        }
        let options = command.get_arguments().filter_map(clap::Arg::get_long);
        known.extend(options.map(|name| format!("--{name}")));
    }
    let described: Vec<&str> = rows("Commands").iter().map(|row| row[0]).collect();
    let words = |cell: &str| -> Vec<String> {
        let word = |c: char| !c.is_alphanumeric() && c != '-';
        cell.split(word).filter(|w| !w.is_empty()).map(str::to_owned).collect()
    };
    for name in &known {
        let found = described.iter().any(|cell| words(cell).contains(name));
        assert!(found || name == "--help" || name == "--version", "{name} is not in the README");
    }
    for option in described.iter().flat_map(|cell| words(cell)).filter(|w| w.starts_with("--")) {
        assert!(known.contains(&option), "the README describes {option}, which is none");
    }
}

#[test]
fn exit_codes_are_those_of_the_readme() {
    let rows = rows("Exit codes");
    for kind in [
        FaultKind::Unexpected,
        FaultKind::Usage,
        FaultKind::Authorization,
        FaultKind::Unreachable,
        FaultKind::Timeout,
        FaultKind::Closed,
        FaultKind::NotFound,
        FaultKind::Ambiguous,
        FaultKind::ServerError,
        FaultKind::Protocol,
        FaultKind::Limit,
        FaultKind::Validation,
        FaultKind::Declined,
        FaultKind::Cancelled,
    ] {
        let name = format!("`{}`", kind.code());
        let row = rows.iter().find(|row| row[2].contains(&name)).expect("a row");
        let codes: Vec<&str> = row[0].split(", ").collect();
        assert!(codes.contains(&kind.exit_code().to_string().as_str()), "{name}: {row:?}");
    }
}

#[test]
fn the_example_of_servers_is_read_without_a_remark() {
    let example = README.split("```json\n").nth(1).and_then(|rest| rest.split("```").next());
    let file = read_servers(example.expect("an example"), Path::new("/x/servers.json"));
    let file = file.expect("an example that can be read");
    let names: Vec<&str> = file.servers.iter().map(|spec| spec.id.as_str()).collect();
    assert_eq!(names, ["git", "notes", "remote"]);
    assert!(file.skipped.is_empty() && file.notes.is_empty(), "{file:?}");
}

#[test]
fn settings_of_the_screen_are_those_of_the_readme() {
    let rows = rows("Screen");
    let lines = rows.iter().skip(1).map(|row| format!("{} = {}\n", row[0], row[1]));
    let text = format!("[screen]\n{}", lines.collect::<String>()).replace('`', "");
    let settings = Settings::read(&text, Path::new("settings.toml")).expect("the defaults");
    assert_eq!(settings.screen, ScreenSettings::default());
    for name in ["terminal", "dark", "light", "none"] {
        assert!(rows[1][2].contains(&format!("`\"{name}\"`")), "{name}");
        let text = format!("[screen]\ntheme = \"{name}\"");
        let known = Settings::read(&text, Path::new("settings.toml")).expect("a theme");
        assert_eq!(known.screen.theme == ThemeName::default(), name == "terminal");
    }
}

#[test]
fn limits_are_those_of_the_readme() {
    let limits = Limits::default();
    let found: Vec<(String, String)> = rows("Limits")
        .iter()
        .skip(1)
        .map(|row| (row[0].trim_matches('`').to_owned(), row[1].to_owned()))
        .collect();
    let expected = [
        ("line_bytes", limits.line_bytes as u64),
        ("resource_bytes", limits.resource_bytes as u64),
        ("max_pages", limits.max_pages as u64),
        ("max_items", limits.max_items as u64),
        ("prompt_messages", limits.prompt_messages as u64),
        ("prompt_bytes", limits.prompt_bytes as u64),
        ("result_bytes", limits.result_bytes as u64),
        ("connect_seconds", limits.connect.as_secs()),
        ("request_seconds", limits.request.as_secs()),
        ("call_seconds", limits.call.as_secs()),
        ("rounds", u64::from(limits.rounds)),
        ("traffic_bytes", limits.traffic_bytes as u64),
        ("stderr_bytes", limits.stderr_bytes as u64),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_string()));
    assert_eq!(found, expected);
}
