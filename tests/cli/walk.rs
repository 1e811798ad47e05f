//! The README's walk through the demo, run as it is written there.

use crate::run::{Home, finish};
use std::{
    path::Path,
    process::{Command, Stdio},
};

const README: &str = include_str!("../../README.md");

/// The lines of the walk that are commands of this program, without a screen and without anything
/// that would have to be fetched first.
fn walk() -> Vec<&'static str> {
    let section = README.split("\n## Five minutes").nth(1).expect("the walk");
    let section = section.split("\n## ").next().expect("its text");
    let lines = section.lines().filter(|line| line.starts_with("vestibule "));
    lines
        .filter(|line| !["; ? shows", "-- npx", "--url"].iter().any(|word| line.contains(word)))
        .collect()
}

/// The exit code that the comment behind a command promises; 0 when it promises none.
fn promised(line: &str) -> i32 {
    let number = line.split_once("exit code ").map(|(_, rest)| rest);
    let digits = number.and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next());
    digits.map_or(0, |digits| digits.parse().expect("a number"))
}

#[test]
fn every_command_of_the_walk_does_what_is_said() {
    let home = Home::new();
    let program = Path::new(env!("CARGO_BIN_EXE_vestibule")).parent().expect("a folder");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = [program.to_owned()].into_iter().chain(std::env::split_paths(&path));
    let path = std::env::join_paths(paths).expect("a PATH");
    let walk = walk();
    assert!(walk.len() >= 9, "{walk:?}");
    let mut surprises = Vec::new();
    for line in walk {
        let mut command = Command::new("sh");
        command
            .args(["-c", line])
            .current_dir(home.path(""))
            .env("PATH", &path)
            .env("VESTIBULE_HOME", home.path("home"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let ended = finish(&mut command);
        if ended.code != Some(promised(line)) {
            surprises.push(format!("{line}\n  {:?} {}", ended.code, ended.err));
        }
    }
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
    assert!(home.path("bookplate.png").exists(), "the picture was saved");
}
