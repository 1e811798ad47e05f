//! Filling in templates, completing arguments, and saying yes.

use crate::run::{Home, quiet};
use serde_json::json;

const READINGS: &str = "observatory://readings/{station}/{day}";

#[test]
fn a_template_is_filled_in_and_what_it_lacks_is_refused() {
    let day = ["station=summit", "day=2026-07-01"];
    let filled = quiet(&["read", READINGS, day[0], day[1], "--demo"]);
    let written = "observatory://readings/summit/2026-07-01";
    let plain = quiet(&["read", written, "--server", "observatory", "--demo"]);
    assert!(!filled.out.is_empty() && filled.out == plain.out);
    let home = Home::new();
    for (words, code, what) in [
        (&["read", READINGS, "planet=Mars"][..], 7, "no variable `planet`"),
        (&["read", READINGS, "day=1", "--arg", "day=2"], 2, "`day` is given twice"),
        (&["read", "no://{such}", "such=1"], 5, "no template is listed"),
        // Nothing filled in: the server is asked for what is left.
        (&["read", READINGS], 6, "-32602"),
    ] {
        let ended = home.run(&[words, &["--demo"]].concat());
        assert_eq!((ended.code, ended.out.len()), (Some(code), 0), "{words:?}: {}", ended.err);
        assert!(ended.err.contains(what), "{words:?}: {}", ended.err);
    }
}

#[test]
fn a_completion_is_one_value_a_line_and_says_when_there_are_more() {
    let pages = quiet(&["complete", "recommend_book", "pages", "mood=restless", "--demo"]);
    assert_eq!(pages.text(), "40\n90\n");
    let home = Home::new();
    let days = home.run(&["complete", READINGS, "day", "--demo", "--json"]);
    assert_eq!(days.code, Some(0));
    let value = days.json();
    assert_eq!((&value["total"], &value["has_more"]), (&json!(30), &json!(true)));
    assert!(days.err.contains("10 of 30"), "{}", days.err);
    for (words, code, what) in [
        (["complete", "recommend_book", "planet"], 7, "no argument `planet`"),
        (["complete", "no_such", "x"], 5, "no prompt is listed"),
        (["complete", "greet", "name"], 5, "several servers list this prompt"),
    ] {
        let ended = home.run(&[&words[..], &["--demo"]].concat());
        assert_eq!(ended.code, Some(code), "{words:?}: {}", ended.err);
        assert!(ended.err.contains(what), "{words:?}: {}", ended.err);
    }
}

#[test]
fn what_wants_a_yes_gets_it_with_an_option() {
    let home = Home::new();
    let entry = json!({"mcpServers": {"town": {
        "command": env!("CARGO_BIN_EXE_vestibule"), "args": ["demo", "--stdio"],
        "permissions": {"confirm": {"resources": ["library://notes/*"], "prompts": ["greet"]}},
    }}});
    home.write("town.json", &entry.to_string());
    for words in [&["read", "library://notes/margin"][..], &["prompt", "greet"]] {
        let words = [words, &["--config", "town.json"]].concat();
        let ended = home.run(&words);
        assert_eq!((ended.code, ended.out.len()), (Some(7), 0), "{words:?}: {}", ended.err);
        assert!(ended.err.contains("`--yes` says yes"), "{}", ended.err);
        let yes = home.run(&[&words[..], &["--yes"]].concat());
        assert_eq!((yes.code, yes.err.as_str()), (Some(0), ""), "{words:?}");
        assert!(!yes.out.is_empty());
    }
    let rows = home.run(&["prompts", "--config", "town.json", "--json"]).json();
    assert_eq!((&rows[0]["name"], &rows[0]["confirm"]), (&json!("greet"), &json!(true)));
    assert!(rows[1].get("confirm").is_none());
}

#[test]
fn a_watched_resource_is_printed_again_when_it_changes() {
    let watched = quiet(&["watch", "library://notices/today", "--count", "2", "--demo"]);
    let text = watched.text();
    let boards: Vec<&str> = text.split("\n\nNOTICE BOARD").collect();
    assert_eq!(boards.len(), 2, "{text}");
    let cat = |board: &str| board.lines().rfind(|line| line.contains("cat")).map(str::to_owned);
    assert!(cat(boards[0]).is_some() && cat(boards[0]) != cat(boards[1]), "{text}");
    let line = ["watch", "observatory://conditions/now.json", "--count=2", "--demo", "--json"];
    assert_eq!(quiet(&line).text().lines().count(), 2);
    let home = Home::new();
    for (words, code, what) in [
        (&["watch", "library://no/such", "--server", "library"][..], 6, "-32002"),
        (&["watch", "library://no/such", "--server", "observatory"], 6, "does not watch"),
        (&["watch", "no:such"], 5, "no resource is listed"),
        (&["watch", "no:such", "--count", "0"], 2, "--count"),
    ] {
        let ended = home.run(&[words, &["--demo"]].concat());
        assert_eq!((ended.code, ended.out.len()), (Some(code), 0), "{words:?}: {}", ended.err);
        assert!(ended.err.contains(what), "{words:?}: {}", ended.err);
    }
}
