//! A text that tries to act on the terminal.

use crate::demo::settled;
use crate::start::Start;
use crate::stream;

#[test]
fn nothing_but_our_own_sequences_reaches_the_terminal() {
    let mut terminal = settled(Start::demo().size(180, 40));
    // Its name and its description, before it is opened.
    terminal.wait_for("margin-⟨U");
    terminal.keys("/ m a r g i n Enter");
    terminal.wait_for("Pencilled in a returned book, ␛[31mnothing␛[0m");
    terminal.keys("Enter");
    terminal.wait_for("— end, read in");
    for mark in ["bookplate⟨U+202E⟩gnp.exe", "␛]0;Property of the foxes␇", "␛[2J␛[H done."]
    {
        terminal.wait_for(mark);
    }
    terminal.keys("q");
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
