//! Pasted text is text, whatever it holds.

use crate::demo::settled;
use crate::start::Start;

#[test]
fn a_paste_into_the_filter_is_one_line_and_no_key() {
    let mut terminal = settled(Start::demo());
    terminal.keys("/");
    terminal.paste("red\rfox\nin\r\nden");
    terminal.wait_for("/ red fox in den");
    terminal.wait_for("3 line breaks became spaces");
    terminal.type_text("!");
    terminal.wait_for("/ red fox in den!");
    terminal.keys("Ctrl-u");
    terminal.wait_gone("red fox");
    // An end of the paste within the paste: terminals should not let it through. What follows
    // it is typed, then, and typed into the field.
    terminal.paste("quick\x1b[201~q");
    terminal.wait_for("/ quickq");
    terminal.keys("Esc");
    terminal.wait_for("1 of 16");
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn a_paste_into_a_form_does_not_send_it() {
    let mut terminal = settled(Start::demo());
    terminal.keys("2 j Enter");
    terminal.wait_for("field 1 of 2");
    terminal.paste("rainy\r\rand\r\nslow\n");
    terminal.wait_for("▸ rainy  and slow");
    terminal.paste("more\x1b[201~q");
    terminal.wait_for("moreq");
    terminal.wait_for("field 1 of 2");
    terminal.keys("Esc q");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn a_paste_of_a_megabyte_is_cut_and_told() {
    let mut terminal = settled(Start::demo());
    terminal.keys("/");
    terminal.paste(&"jq\r?\n ".repeat(180_000));
    terminal.wait_for("it was cut after 65536");
    terminal.keys("Esc");
    terminal.wait_for("1 of 16");
    terminal.keys("j");
    terminal.wait_for("▸ About this library");
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn a_paste_where_no_text_is_typed_does_nothing() {
    let mut terminal = settled(Start::demo());
    terminal.paste("jj\r?q");
    terminal.wait_for("a paste was ignored: no field has the keys");
    terminal.wait_for("▸ Welcome");
    assert!(!terminal.has_ended());
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
    terminal.assert_given_back();
}
