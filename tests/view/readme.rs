//! The README's key table is the live keymap.

use vestibule::tui::keymap;

const BEGIN: &str = "<!-- keys -->\n";
const END: &str = "<!-- /keys -->";

fn table() -> String {
    let mut rows = String::from("| key | where | what it does |\n|---|---|---|\n");
    for (group, lines) in keymap::table() {
        for (keys, what) in lines {
            let keys: Vec<String> = keys.split(' ').map(|key| format!("`{key}`")).collect();
            let place = group.heading().to_lowercase();
            rows.push_str(&format!("| {} | {place} | {what} |\n", keys.join(" ")));
        }
    }
    rows
}

#[test]
fn the_key_table_is_the_keymap() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let readme = std::fs::read_to_string(path).unwrap();
    let (before, rest) = readme.split_once(BEGIN).expect("the mark before the keys");
    let (written, after) = rest.split_once(END).expect("the mark after the keys");
    let table = table();
    // As with snapshots: written anew on request, and then looked at.
    if std::env::var("INSTA_UPDATE").as_deref() == Ok("always") {
        std::fs::write(path, format!("{before}{BEGIN}{table}{END}{after}")).unwrap();
    } else {
        assert_eq!(written, table, "run this test once with INSTA_UPDATE=always");
    }
}
