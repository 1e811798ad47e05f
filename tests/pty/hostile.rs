//! Texts that try to act on the terminal.

use crate::demo::settled;
use crate::driver::Terminal;
use crate::scripted;
use crate::start::Start;
use crate::stream;
use serde_json::{Value, json};

#[test]
fn nothing_but_our_own_sequences_reaches_the_terminal() {
    let mut terminal = settled(Start::demo().size(180, 40));
    // Its name and its description, before it is opened.
    terminal.wait_for("margin-⟨U");
    terminal.keys("/ m a r g i n Enter");
    terminal.wait_for("Pencilled in a returned book, ␛[31mnothing␛[0m");
    terminal.keys("Enter");
    terminal.wait_for("— end, read in");
    for mark in ["bookplate⟨U+202E⟩gnp.exe", "␛]0;Property of the", "foxes␇", "␛[2J␛[H done."]
    {
        terminal.wait_for(mark);
    }
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
    stream::assert_ours_only(&terminal.raw());
    terminal.assert_given_back();
}

/// Clears the screen, changes the title, turns the text around, and hides two letters.
const NASTY: &str = "A\u{1b}[2J\u{1b}]0;t\u{7}\u{202e}\u{e0068}\u{e0069}";

/// The same with its marks.
const MARKED: &str = "A␛[2J␛]0;t␇⟨U+202E⟩⟨TAG:hi⟩";

/// The same in JSON, which has its own way of writing control characters.
const IN_JSON: &str = r"A\u001b[2J\u001b]0;t\u0007⟨U+202E⟩⟨TAG:hi⟩";

/// A text of a server, told apart by its first word.
fn nasty(word: &str) -> String {
    format!("{word}{NASTY}")
}

/// A server all of whose words are nasty.
fn answers() -> Vec<(&'static str, Value)> {
    let described = |word: &str| {
        json!({
            "name": nasty(&format!("{word}-name")), "title": nasty(&format!("{word}-title")),
            "description": nasty(&format!("{word}-description")),
        })
    };
    let with = |word: &str, more: Value| {
        let mut all = described(word);
        let object = all.as_object_mut().unwrap();
        object.extend(more.as_object().unwrap().clone());
        all
    };
    let resource = |word: &str| {
        with(
            word,
            json!({
                "uri": nasty(&format!("evil://{word}/")), "mimeType": nasty("text/type"),
            }),
        )
    };
    let schema = json!({
        "type": "object", "description": nasty("schema"),
        "properties": { nasty("property"): { "type": "string", "default": nasty("default") } },
    });
    let argument = with("argument", json!({ "required": true }));
    vec![
        (
            "initialize",
            json!({
                "protocolVersion": "2025-11-25",
                "capabilities": { "resources": {}, "prompts": {}, "tools": {} },
                "serverInfo": { "name": nasty("server-name"), "version": nasty("release") },
                "instructions": nasty("instructions"),
            }),
        ),
        (
            "resources/list",
            json!({ "resources": [
            resource("first"), resource("refused"), { "uri": 7, "name": nasty("malformed") },
        ] }),
        ),
        (
            "resources/read",
            json!({ "contents": [
            { "uri": nasty("evil://first/"), "mimeType": nasty("text/type"), "text": nasty("text") },
        ] }),
        ),
        (
            "resources/templates/list",
            json!({ "resourceTemplates": [
            with("template", json!({ "uriTemplate": nasty("evil://{x}/") })),
        ] }),
        ),
        (
            "prompts/list",
            json!({ "prompts": [with("prompt", json!({ "arguments": [argument] }))] }),
        ),
        (
            "prompts/get",
            json!({
                "description": nasty("rendered"),
                "messages": [
                    { "role": "user", "content": { "type": "text", "text": nasty("message") } },
                    { "role": "user", "content": { "type": nasty("kind"), "x": nasty("unknown") } },
                    { "role": "user", "content": {
                        "type": "image", "mimeType": nasty("image/type"), "data": nasty("data"),
                    } },
                ],
            }),
        ),
        (
            "tools/list",
            json!({ "tools": [with("tool", json!({
            "inputSchema": schema, "annotations": { "title": nasty("hint") },
        }))] }),
        ),
        ("error", json!({ "code": -32601, "message": nasty("error"), "data": nasty("more") })),
    ]
}

/// Waits until texts with these first words are on the screen, with all of their marks.
#[track_caller]
fn wait_marked(terminal: &Terminal, words: &[&str]) {
    for word in words {
        terminal.wait_for(&format!("{word}{MARKED}"));
    }
}

#[track_caller]
fn wait_marked_in_json(terminal: &Terminal, words: &[&str]) {
    for word in words {
        terminal.wait_for(&format!("{word}{IN_JSON}"));
    }
}

#[test]
fn no_word_of_a_hostile_server_reaches_the_terminal_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let stderr = format!("{}\n{}\r\n", nasty("stderr"), nasty("more"));
    let servers = json!({ "evil": scripted::server(folder.path(), &answers(), &stderr) });
    let mut terminal = Start::new(&[]).servers(&servers).size(220, 50).start();
    terminal.wait_for("● evil");
    wait_marked(&terminal, &["first-name", "first-title", "evil://first/", "text/type"]);
    wait_marked(&terminal, &["first-description"]);
    terminal.keys("Enter");
    terminal.wait_for("— end, read in");
    wait_marked(&terminal, &["text"]);
    terminal.keys("d");
    wait_marked(&terminal, &["first-title"]);
    terminal.keys("Esc j");
    wait_marked(&terminal, &["refused-title"]);
    terminal.keys("Enter");
    wait_marked(&terminal, &["error"]);
    terminal.keys("Esc j");
    wait_marked(&terminal, &["template-title", "evil://{x}/", "template-description"]);
    terminal.keys("j");
    terminal.wait_for("could not be read: uri");
    wait_marked(&terminal, &["malformed"]);
    wait_marked_in_json(&terminal, &["malformed"]);

    terminal.keys("2");
    wait_marked(&terminal, &["prompt-title", "prompt-description", "argument-name"]);
    wait_marked(&terminal, &["argument-title", "argument-description"]);
    terminal.keys("Enter");
    terminal.wait_for("field 1 of 1");
    wait_marked(&terminal, &["argument-name", "argument-description"]);
    terminal.paste(NASTY);
    terminal.keys("Enter");
    terminal.wait_for("message 1 of 3");
    wait_marked(&terminal, &["rendered", "message", "kind", "image/type"]);
    wait_marked_in_json(&terminal, &["kind", "unknown"]);

    terminal.keys("3");
    wait_marked(&terminal, &["tool-title", "tool-description", "hint"]);
    wait_marked_in_json(&terminal, &["schema", "property", "default"]);

    terminal.keys("h h g j");
    wait_marked(&terminal, &["server-name", "release", "instructions"]);
    terminal.keys("e");
    wait_marked(&terminal, &["stderr", "more"]);
    terminal.keys("n");
    terminal.wait_for("ago");
    terminal.keys("Esc q");
    assert_eq!(terminal.wait_exit(), 0);
    stream::assert_ours_only(&terminal.raw());
    terminal.assert_given_back();
}

#[test]
fn what_is_typed_and_pasted_reaches_the_terminal_no_other_way() {
    let mut terminal = settled(Start::demo());
    terminal.keys("/");
    terminal.paste("a\u{202e}b\u{200b}c\u{9b}31md\u{7}e\u{e0041}f");
    terminal.wait_for("a⟨U+202E⟩b");
    terminal.keys("Ctrl-c");
    assert_eq!(terminal.wait_exit(), 0);
    stream::assert_ours_only(&terminal.raw());
}

#[test]
fn the_check_finds_what_it_is_for() {
    let foreign: [&str; 8] = [
        "\x1b]0;title\x07",
        "\x1bPq",
        "\x1b_x\x1b\\",
        "\x07",
        "\u{9b}31m",
        "\x1b[?1000h",
        "\x1b[5n",
        "a\u{202e}b",
    ];
    for text in foreign {
        let found = std::panic::catch_unwind(|| stream::assert_ours_only(text.as_bytes()));
        assert!(found.is_err(), "{text:?} passes");
    }
    stream::assert_ours_only("\x1b[?25l\x1b[2;3H\x1b[38;5;1mtext\x1b[0m".as_bytes());
}
