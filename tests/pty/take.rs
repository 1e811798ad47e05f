//! Copying to the terminal's clipboard, and saving to files.

use crate::driver::Terminal;
use crate::scripted;
use crate::start::Start;
use serde_json::json;

/// A mark of byte order, both kinds of line ends, a sequence that would act, no end.
const ODD: &str = "\u{feff}one\r\ntwo\u{1b}[2J\nthree";

/// The same in base64.
const ODD_BASE64: &str = "77u/b25lDQp0d28bWzJKCnRocmVl";

/// Every byte, in base64: 00 to ff. Its end needs no padding after three of them.
fn every_byte() -> (Vec<u8>, String) {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bytes: Vec<u8> = (0..=255).cycle().take(256 * 3).collect();
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0_usize, |bits, byte| bits << 8 | usize::from(*byte));
        text.extend([18, 12, 6, 0].map(|by| char::from(LETTERS[bits >> by & 63])));
    }
    (bytes, text)
}

/// The program on a server with one text, read; and one blob after it.
fn reading(start: Start, contents: serde_json::Value) -> Terminal {
    let listed = json!({ "resources": [{ "uri": "x://here/odd.txt", "name": "odd" }] });
    let init = json!({
        "protocolVersion": "2025-11-25", "capabilities": { "resources": {} },
        "serverInfo": { "name": "scripted", "version": "1" }
    });
    let folder = start.folder().join("server");
    std::fs::create_dir(&folder).unwrap();
    let answers = [
        ("initialize", init),
        ("resources/list", listed),
        ("resources/templates/list", json!({ "resourceTemplates": [] })),
        ("resources/read", json!({ "contents": [contents] })),
        ("error", json!({ "code": -32601, "message": "no such method" })),
    ];
    let server = scripted::server(&folder, &answers, "");
    let mut terminal = start.servers(&json!({ "scripted": server })).start();
    terminal.wait_for("1 of 1");
    terminal.keys("Enter");
    terminal.wait_for("— end, read in");
    terminal
}

#[test]
fn a_copy_is_one_sequence_of_the_bytes_that_were_sent() {
    let plain = format!("\x1b]52;c;{ODD_BASE64}\x1b\\");
    let wrapped = format!("\x1bPtmux;\x1b\x1b]52;c;{ODD_BASE64}\x1b\x1b\\\x1b\\");
    for (start, sequence, told) in [
        (Start::new(&[]), plain.clone(), "clipboard (OSC 52), 21 bytes"),
        (Start::new(&[]).variable("TMUX", "/tmp/t,1,0"), wrapped, "21 bytes, if tmux lets it"),
    ] {
        let start = start.size(140, 30);
        let text = json!({ "uri": "x://here/odd.txt", "mimeType": "text/plain", "text": ODD });
        let mut terminal = reading(start, text);
        terminal.keys("y");
        terminal.wait_for(told);
        assert!(terminal.seen().wrote(sequence.as_bytes()), "{sequence:?}");
        terminal.keys("q");
        assert_eq!(terminal.wait_exit(), 0);
        terminal.assert_given_back();
    }
}

#[test]
fn a_text_is_saved_byte_for_byte_and_over_nothing_unasked() {
    let start = Start::new(&[]).file("odd.txt", "mine");
    let folder = start.folder();
    let file = |name: &str| std::fs::read(folder.join(name));
    let text = json!({ "uri": "x://here/odd.txt", "mimeType": "text/plain", "text": ODD });
    let mut terminal = reading(start, text);
    terminal.keys("s");
    terminal.wait_for("Save the text as");
    terminal.wait_for("odd.txt");
    terminal.keys("Enter");
    terminal.wait_for("A file of that name is there");
    assert_eq!(file("odd.txt").unwrap(), b"mine");
    terminal.keys("Ctrl-u");
    terminal.type_text("../odd.txt");
    terminal.keys("Enter");
    terminal.wait_for("would leave this folder");
    terminal.keys("Ctrl-u");
    terminal.type_text("new.txt");
    terminal.keys("Enter");
    terminal.wait_for("saved to new.txt, 21 bytes");
    assert_eq!(file("new.txt").unwrap(), ODD.as_bytes());
    terminal.keys("s Enter");
    terminal.wait_for("A file of that name is there");
    terminal.keys("Ctrl-e");
    terminal.wait_for("saved to odd.txt");
    assert_eq!(file("odd.txt").unwrap(), ODD.as_bytes());
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn bytes_are_saved_as_they_are() {
    let (bytes, blob) = every_byte();
    let start = Start::new(&[]);
    let file = start.folder().join("odd.bin");
    let mut terminal = reading(start, json!({ "uri": "x://here/odd.bin", "blob": blob }));
    terminal.wait_for("s saves it to a file.");
    terminal.keys("s Enter");
    terminal.wait_for("saved to odd.bin");
    assert!(std::fs::read(file).unwrap() == bytes);
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
}
