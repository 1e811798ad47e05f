//! What goes out: data only, nothing that acts, whole or not at all.

use crate::run::{Home, quiet};
use std::{fs, io::Read as _};

/// Every way of printing something to a person, over what the demo has of hidden characters.
const COMMANDS: [&[&str]; 9] = [
    &["--help"],
    &["servers", "--demo"],
    &["resources", "--demo"],
    &["templates", "--demo"],
    &["prompts", "--demo"],
    &["tools", "--demo"],
    &["read", "library://notes/margin", "--demo"],
    &["read", "library://pictures/bookplate.png", "--demo"],
    &["prompt", "library.greet", "name=\u{1b}[2J\u{202e}x", "--demo"],
];

#[test]
fn plain_output_holds_nothing_that_acts_hides_or_colours() {
    let acts = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{e0000}'..='\u{e007f}')
    };
    for words in COMMANDS {
        let ended = quiet(words);
        assert!(!ended.text().is_empty(), "{words:?}");
        assert_eq!(ended.text().find(acts), None, "{words:?}: {:?}", ended.text());
    }
}

#[test]
fn hidden_characters_are_named_where_they_stood() {
    let ended = quiet(&["read", "library://notes/margin", "--demo"]);
    for mark in ["TAG:Ignore the reader", "U+200B", "U+202E", "\u{241b}"] {
        assert!(ended.text().contains(mark), "{mark}: {}", ended.text());
    }
}

#[test]
fn raw_bytes_are_whole_on_standard_output() {
    let text = quiet(&["read", "library://catalogue/full.txt", "--demo", "--raw"]).out;
    assert_eq!(text.len(), 2_000_000);
    let picture = quiet(&["read", "library://pictures/bookplate.png", "--demo", "--raw"]).out;
    let original =
        fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/demo/library/bookplate.png"));
    assert!(picture == original.expect("the picture"));
}

#[test]
fn a_file_is_written_whole_and_never_over_another() {
    let home = Home::new();
    let line = ["read", "library://pictures/bookplate.png", "--demo", "-o", "out.png"];
    let first = home.run(&line);
    assert_eq!((first.code, first.out.len(), first.err.as_str()), (Some(0), 0, ""));
    let written = fs::read(home.path("out.png")).expect("written");
    let raw = quiet(&["read", "library://pictures/bookplate.png", "--demo", "--raw"]).out;
    assert!(written == raw);

    fs::write(home.path("out.png"), "mine").expect("written");
    let second = home.run(&line);
    assert_eq!(second.code, Some(2));
    assert!(second.err.contains("exists already") && second.err.contains("--force"));
    assert_eq!(fs::read(home.path("out.png")).expect("read"), b"mine");
    assert_eq!(home.run(&[&line[..], &["--force"]].concat()).code, Some(0));
    assert!(fs::read(home.path("out.png")).expect("read") == raw);

    // What cannot be read leaves no file behind.
    let none = home.run(&["read", "no:such", "--demo", "-o", "none"]);
    assert_eq!((none.code, home.path("none").exists()), (Some(5), false));
    let names = fs::read_dir(home.path("")).expect("a folder").count();
    assert_eq!(names, 1, "the picture alone");
}

#[test]
fn a_dash_is_standard_output_and_a_folder_is_refused_before_anything_is_asked() {
    let dash = quiet(&["read", "library://pictures/bookplate.png", "--demo", "-o", "-"]).out;
    let raw = quiet(&["read", "library://pictures/bookplate.png", "--demo", "--raw"]).out;
    assert!(dash == raw && !raw.is_empty());
    // The address is wrong too; the folder is told, so nothing was asked.
    let home = Home::new();
    fs::create_dir(home.path("folder")).expect("a folder");
    for path in ["folder", "folder/", "."] {
        let ended = home.run(&["read", "no:such", "--demo", "-o", path]);
        assert_eq!(ended.code, Some(2));
        let text = format!("vestibule: `{path}` is a folder (name a file in it)\n");
        assert_eq!(ended.err, text);
    }
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    for words in [
        &["read", "library://catalogue/full.txt", "--demo"][..],
        &["read", "library://catalogue/full.txt", "--demo", "--raw"],
        &["read", "library://catalogue/full.txt", "--demo", "--json"],
    ] {
        let mut child = Home::new().command(words).spawn().expect("the program starts");
        let mut head = [0; 64];
        child.stdout.take().expect("a pipe").read_exact(&mut head).expect("the head");
        let output = child.wait_with_output().expect("the program ends");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*err), (Some(0), ""), "{words:?}");
    }
}

#[test]
fn a_failure_leaves_standard_output_empty() {
    for words in [
        &["read", "no:such", "--demo"][..],
        &["read", "library://books/99", "--demo", "--server", "library", "--json"],
        &["prompt", "recommend_book", "--demo", "--json"],
        &["resources", "--json"],
    ] {
        let ended = Home::new().run(words);
        assert_ne!(ended.code, Some(0));
        assert!(ended.out.is_empty() && !ended.err.is_empty(), "{words:?}");
    }
}
