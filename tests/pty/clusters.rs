//! Characters on whose width terminals differ. The terminal of these tests adds up the widths of
//! their parts, which vestibule and others do not.

use crate::driver::{Seen, Terminal};
use crate::scripted;
use crate::start::Start;
use serde_json::{Value, json};

/// Emoji with variants, joined and coloured ones, a flag, letters with marks and without width.
const ODD: [&str; 10] = [
    "♻\u{fe0f}♻\u{fe0f}",
    "👨\u{200d}👩\u{200d}👧",
    "🇩🇪 and 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "👍🏽👍🏽👍🏽",
    "नमस्ते",
    "ｆｕｌｌ",
    "e\u{301}e\u{301}e\u{301}",
    "\u{200b}\u{200d}",
    "漢字か\u{3099}",
    "👩\u{200d}🚀👩\u{200d}🚀👩\u{200d}🚀👩\u{200d}🚀👩\u{200d}🚀👩\u{200d}🚀👩\u{200d}🚀👩\u{200d}🚀👩\u{200d}🚀👩\u{200d}🚀",
];

fn answers() -> Vec<(&'static str, Value)> {
    let marks = format!("a{}z", "\u{301}".repeat(40));
    let odd = ODD.iter().copied().chain([marks.as_str()]);
    let plain = (0..60).map(|n| format!("plain {n}")).collect::<Vec<_>>();
    let names = odd.chain(plain.iter().map(String::as_str)).enumerate();
    let resources = names.map(|(n, name)| json!({ "uri": format!("odd://{n}"), "name": name }));
    vec![
        (
            "initialize",
            json!({
                "protocolVersion": "2025-11-25",
                "capabilities": { "resources": {} },
                "serverInfo": { "name": "odd", "version": "1" },
            }),
        ),
        ("resources/list", json!({ "resources": resources.collect::<Vec<_>>() })),
        ("resources/templates/list", json!({ "resourceTemplates": [] })),
        ("error", json!({ "code": -32601, "message": "no such method" })),
    ]
}

/// Checks that the frames' corners and sides are where the sizes put them.
#[track_caller]
fn assert_framed(seen: &Seen, columns: u16, rows: u16) {
    let text = seen.text();
    let left = if columns < 120 { vec![0] } else { vec![0, (columns / 5).clamp(26, 36)] };
    for row in 0..rows - 2 {
        for column in left.iter().copied().chain([columns - 1]) {
            let cell = seen.screen().cell(row, column).expect("a cell").contents();
            assert!(
                ["│", "┃", "┌", "┐", "└", "┘", "┏", "┓", "┗", "┛"].contains(&cell),
                "{cell:?} at {column}, {row}\n{text}"
            );
        }
    }
}

/// Waits for the last row of the list or of the bar, and checks the frames.
#[track_caller]
fn check(terminal: &Terminal, selected: &str, (columns, rows): (u16, u16)) -> String {
    terminal.wait_until(selected, |seen| {
        seen.shows(selected)
            && seen.text().lines().next().is_some_and(|first| first.ends_with(['┐', '┓']))
    });
    terminal.wait_quiet(std::time::Duration::from_millis(100));
    let seen = terminal.seen();
    assert_framed(&seen, columns, rows);
    // Blanks that were written and cells that never were look the same.
    seen.text().lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

#[test]
fn frames_keep_their_columns_and_nothing_is_left_behind() {
    let folder = tempfile::tempdir().unwrap();
    let servers = json!({ "odd": scripted::server(folder.path(), &answers(), "") });
    for size in [(80, 24), (120, 40)] {
        let mut terminal = Start::new(&[]).servers(&servers).size(size.0, size.1).start();
        check(&terminal, "1 of 71", size);
        for row in 2..=ODD.len() + 1 {
            terminal.keys("j");
            check(&terminal, &format!("{row} of 71"), size);
        }
        terminal.keys("G");
        let scrolled = check(&terminal, "71 of 71", size);
        assert!(!scrolled.contains("👩"), "{scrolled}");
        // A new size draws everything anew.
        terminal.resize(size.0 + 10, size.1 + 3);
        check(&terminal, "71 of 71", (size.0 + 10, size.1 + 3));
        terminal.resize(size.0, size.1);
        assert_eq!(check(&terminal, "71 of 71", size), scrolled, "what is left behind");
        terminal.keys("g");
        check(&terminal, "1 of 71", size);
        terminal.keys("q");
        assert_eq!(terminal.wait_exit(), 0);
        terminal.assert_given_back();
    }
}
