//! Keys as bytes.

/// What a terminal sends for a key.
pub fn key(name: &str) -> Vec<u8> {
    let sent = match name {
        "Enter" => "\r",
        "Esc" => "\x1b",
        "Tab" => "\t",
        "BackTab" => "\x1b[Z",
        "Backspace" => "\x7f",
        "Up" => "\x1b[A",
        "Down" => "\x1b[B",
        "Right" => "\x1b[C",
        "Left" => "\x1b[D",
        "End" => "\x1b[F",
        "Home" => "\x1b[H",
        "Space" => " ",
        other => match other.strip_prefix("Ctrl-") {
            Some(letter) => return vec![letter.as_bytes()[0] & 0x1f],
            None => other,
        },
    };
    sent.as_bytes().to_vec()
}
