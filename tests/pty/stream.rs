//! What the program wrote, byte by byte, against the list of what it may write.

/// A piece of what was written.
#[derive(Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// A run of text.
    Text(&'a str),
    /// A control sequence: what stands between `ESC [` and its last byte, and that byte.
    Csi(&'a str, char),
    /// Any other control character, or an escape sequence of another kind, by its start.
    Other(char, &'a str),
}

/// Takes a stream apart.
#[track_caller]
pub fn pieces(raw: &[u8]) -> Vec<Piece<'_>> {
    let mut rest = std::str::from_utf8(raw).expect("what is written is UTF-8");
    let mut pieces = Vec::new();
    while !rest.is_empty() {
        let end = rest.find(char::is_control).unwrap_or(rest.len());
        let (text, behind) = rest.split_at(end);
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        rest = behind;
        let Some(control) = rest.chars().next() else { break };
        if let Some(csi) = rest.strip_prefix("\x1b[") {
            let end = csi.find(|c| ('@'..='~').contains(&c)).expect("a whole sequence");
            let (parameters, last) = csi.split_at(end);
            let (last, behind) = last.split_at(1);
            pieces.push(Piece::Csi(parameters, last.chars().next().unwrap()));
            rest = behind;
        } else {
            let (_, behind) = rest.split_at(control.len_utf8());
            pieces.push(Piece::Other(control, behind.get(..8).unwrap_or("")));
            rest = behind;
        }
    }
    pieces
}

/// Checks that a stream holds nothing but text and the sequences of our own drawing.
#[track_caller]
pub fn assert_ours_only(raw: &[u8]) {
    for piece in pieces(raw) {
        let ours = match &piece {
            Piece::Text(text) => !text.chars().any(is_hidden),
            // Cursor, colours, clearing.
            Piece::Csi(parameters, 'H' | 'm' | 'J' | 'K') => {
                parameters.chars().all(|c| c.is_ascii_digit() || c == ';')
            }
            Piece::Csi("?25" | "?1049" | "?2004", 'h' | 'l') => true,
            Piece::Csi(..) | Piece::Other(..) => false,
        };
        assert!(ours, "not ours: {piece:?}");
    }
}

/// Characters that take no room or turn others around; a terminal would not show them.
fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{80}'..='\u{9f}' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

/// Checks that the modes of the terminal were switched on once and off once, in reverse order,
/// that the cursor was shown at the end, and that no sequence came after.
#[track_caller]
pub fn assert_modes_paired(raw: &[u8]) {
    let mut switched = Vec::new();
    let mut cursor = 'h';
    for piece in pieces(raw) {
        match piece {
            Piece::Csi("?25", last) => cursor = last,
            Piece::Csi(mode, last @ ('h' | 'l')) => switched.push(format!("{mode}{last}")),
            Piece::Csi(..) if switched.len() == 4 => panic!("drawn after the end: {piece:?}"),
            Piece::Csi(..) | Piece::Text(_) | Piece::Other(..) => {}
        }
    }
    assert_eq!(switched, ["?1049h", "?2004h", "?2004l", "?1049l"]);
    assert_eq!(cursor, 'h', "the cursor stays hidden");
}
