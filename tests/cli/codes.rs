//! What a command ends with.

use crate::run::{Ended, Home};

fn code(words: &[&str]) -> Option<i32> {
    let ended = Home::new().run(words);
    if ended.code != Some(0) {
        assert!(ended.err.starts_with("vestibule: ") || ended.err.starts_with("error: "));
    }
    ended.code
}

#[test]
fn everything_that_works_ends_with_0() {
    for words in [
        &["--help"][..],
        &["help"],
        &["help", "read"],
        &["--version"],
        &["servers", "--demo"],
        &["read", "library://about", "--demo"],
        &["prompt", "explain_seeing", "--demo"],
        &["tools", "--demo", "--server", "library"],
    ] {
        assert_eq!(code(words), Some(0), "{words:?}");
    }
}

#[test]
fn what_cannot_be_understood_ends_with_2() {
    for words in [
        &["resources"][..],
        &[],
        &["--demo"],
        &["nonsense"],
        &["read", "--demo"],
        &["resources", "--demo", "--timeout", "0"],
        &["resources", "--demo", "--era", "ancient"],
        &["resources", "--config", "no-such-file.json"],
        &["prompt", "library.greet", "name", "--demo"],
        &["prompt", "library.greet", "name=a", "name=b", "--demo"],
        &["read", "a:b", "--"],
    ] {
        assert_eq!(code(words), Some(2), "{words:?}");
    }
}

#[test]
fn servers_that_cannot_be_reached_end_with_4() {
    for command in ["no-such-program-anywhere", "false"] {
        for words in [&["resources"][..], &["servers"], &["read", "a:b"], &["prompt", "x"]] {
            let line: Vec<&str> = words.iter().copied().chain(["--", command]).collect();
            assert_eq!(code(&line), Some(4), "{line:?}");
        }
    }
}

#[test]
fn names_that_mean_nothing_or_several_things_end_with_5() {
    for words in [
        &["read", "no:such", "--demo"][..],
        &["read", "demo://welcome", "--demo"],
        &["prompt", "no-such", "--demo"],
        &["prompt", "greet", "--demo"],
        &["resources", "--demo", "--server", "nobody"],
        &["read", "library://about", "--demo", "--server", "nobody"],
    ] {
        assert_eq!(code(words), Some(5), "{words:?}");
    }
}

#[test]
fn an_error_of_the_server_ends_with_6() {
    let words = ["read", "library://books/99", "--demo", "--server", "library"];
    assert_eq!(code(&words), Some(6));
    let words = ["read", "observatory:x:y", "--demo", "--server", "observatory"];
    assert_eq!(code(&words), Some(6));
}

#[test]
fn checks_of_ours_end_with_7() {
    for words in [
        &["prompt", "recommend_book", "--demo"][..],
        &["prompt", "recommend_book", "mood=", "--demo"],
        &["prompt", "recommend_book", "mood=x", "other=y", "--demo"],
    ] {
        assert_eq!(code(words), Some(7), "{words:?}");
    }
    let home = Home::new();
    home.write("home/settings.toml", "[limits]\nresource_bytes = 1000\n");
    let ended = home.run(&["read", "library://catalogue/full.txt", "--demo"]);
    assert_eq!((ended.code, ended.out.len()), (Some(7), 0), "{}", ended.err);
    assert!(ended.err.contains("limits.resource_bytes"), "{}", ended.err);
}

#[test]
fn one_failing_server_of_several_fails_only_a_strict_command() {
    let home = Home::new();
    let line = |more: &[&'static str]| -> Ended {
        let words: Vec<&str> = ["resources", "--demo"].iter().chain(more).copied().collect();
        home.run(&[&words[..], &["--", "no-such-program-anywhere"]].concat())
    };
    let (lax, strict) = (line(&[]), line(&["--strict"]));
    assert_eq!((lax.code, strict.code), (Some(0), Some(4)));
    assert!(lax.out == strict.out && lax.text().lines().count() == 14);
    assert_eq!(lax.err, strict.err);
    assert!(lax.err.contains("no-such-program-anywhere"), "{}", lax.err);
}

#[test]
fn an_era_that_a_server_does_not_speak_ends_the_conversation() {
    let home = Home::new();
    let forced = |era| home.run(&["servers", "--demo", "--json", "--era", era]).json();
    let links = |rows: serde_json::Value| [rows[0]["link"].clone(), rows[1]["link"].clone()];
    assert_eq!(links(forced("legacy")), ["up", "down"]);
    assert_eq!(links(forced("modern")), ["down", "up"]);
    assert_eq!(links(forced("auto")), ["up", "up"]);
}

#[test]
fn a_list_that_is_cut_is_told_and_ends_with_0() {
    let home = Home::new();
    home.write("home/settings.toml", "[limits]\nmax_pages = 1\n");
    let ended = home.run(&["resources", "--demo"]);
    assert_eq!(ended.code, Some(0));
    assert!(ended.err.contains("library: its list of resources is not whole"), "{}", ended.err);
    // The two together that were cut; a strict command fails for it, with the same rows.
    let strict = home.run(&["resources", "--demo", "--strict"]);
    assert_eq!((strict.code, strict.out == ended.out), (Some(7), true), "{}", strict.err);
    assert_eq!(home.run(&["servers", "--demo", "--strict"]).code, Some(7));
}

#[test]
fn a_server_that_is_off_is_named_with_the_way_to_start_it() {
    let home = Home::new();
    let entry = r#"{"mcpServers": {"remote": {"command": "no-such-program", "enabled": false}}}"#;
    home.write("off.json", entry);
    let line = ["--demo", "--config", "off.json"];
    for words in [&["read", "remote:x:y"][..], &["prompt", "remote.greet"]] {
        let ended = home.run(&[words, &line].concat());
        assert_eq!((ended.code, ended.out.len()), (Some(5), 0), "{words:?}");
        let text = "the server `remote` is off (`--server remote` starts it for this command)";
        assert!(ended.err.contains(text), "{}", ended.err);
    }
    let rows = home.run(&[&["servers"][..], &line].concat());
    assert!(rows.text().starts_with("remote       stdio       off\n"), "{}", rows.text());
    assert_eq!(rows.code, Some(0));
    // Named, it is started.
    let named = home.run(&[&["servers", "--server", "remote"][..], &line].concat());
    assert_eq!(named.code, Some(4));
}

#[test]
fn help_of_a_command_shows_examples() {
    let home = Home::new();
    for command in ["read", "watch", "prompt", "call", "complete"] {
        for words in [&["help", command][..], &[command, "--help"]] {
            let ended = home.run(words);
            let example = format!("\n  vestibule {command} ");
            assert!(ended.text().contains(&example), "{words:?}: {}", ended.text());
        }
    }
}
