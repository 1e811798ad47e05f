//! Reads the pencil mark on a spine, such as `C-042`.

/// A shelf letter and a place on that shelf, counted from one.
#[derive(Debug, PartialEq, Eq)]
pub struct ShelfMark {
    pub shelf: char,
    pub place: u16,
}

/// `None` when the pencil has faded.
pub fn read_mark(spine: &str) -> Option<ShelfMark> {
    let (shelf, place) = spine.trim().split_once('-')?;
    let mut letters = shelf.chars();
    let shelf = letters.next().filter(char::is_ascii_uppercase)?;
    if letters.next().is_some() {
        return None;
    }
    let place = place.parse().ok().filter(|place| *place > 0)?;
    Some(ShelfMark { shelf, place })
}
