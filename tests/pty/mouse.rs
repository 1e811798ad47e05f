//! The mouse is the terminal's, unless it is wanted.

use crate::demo::settled;
use crate::start::Start;
use crate::stream::{Piece, pieces};

/// The modes of the mouse that were switched, in order.
fn switched(raw: &[u8]) -> Vec<String> {
    let mouse = ["?1000", "?1002", "?1003", "?1006", "?1015"];
    let pieces = pieces(raw);
    let modes = pieces.iter().filter_map(|piece| match piece {
        Piece::Csi(mode, last @ ('h' | 'l')) if mouse.contains(mode) => {
            Some(format!("{mode}{last}"))
        }
        Piece::Text(_) | Piece::Csi(..) | Piece::Other(..) => None,
    });
    modes.collect()
}

#[test]
fn the_mouse_is_taken_by_a_setting_and_given_back_at_the_end() {
    let settings = "[screen]\nmouse = true\n";
    let mut terminal = settled(Start::demo().file("vestibule/settings.toml", settings));
    // A click on the third row of the list, and one on a server.
    terminal.send(b"\x1b[<0;10;10M\x1b[<0;10;10m");
    terminal.wait_until("another row", |seen| !seen.shows("1 of 16") && seen.shows(" of 16"));
    terminal.send(b"\x1b[<0;10;3M\x1b[<0;10;3m");
    terminal.wait_for("▸ ● library");
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
    assert_eq!(switched(&terminal.raw()), ["?1000h", "?1006h", "?1006l", "?1000l"]);
}

#[test]
fn the_mouse_is_left_alone_until_its_key_is_pressed() {
    let mut terminal = settled(Start::demo());
    assert_eq!(switched(&terminal.raw()), [""; 0]);
    terminal.keys("m");
    terminal.wait_for("the mouse is taken");
    assert_eq!(switched(&terminal.raw()), ["?1000h", "?1006h"]);
    terminal.keys("m");
    terminal.wait_for("the mouse is left to the terminal");
    assert_eq!(switched(&terminal.raw()), ["?1000h", "?1006h", "?1006l", "?1000l"]);
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn the_release_of_a_key_is_no_key() {
    let mut terminal = settled(Start::demo());
    // As terminals send it that tell releases: of q, of j, and then j itself.
    terminal.send(b"\x1b[113;1:3u\x1b[106;1:3u");
    terminal.keys("j");
    terminal.wait_for("▸ About this library");
    terminal.send(b"\x1b[106;1:2u");
    terminal.wait_for("3 of 16");
    terminal.keys("q");
    assert_eq!(terminal.wait_exit(), 0);
}
