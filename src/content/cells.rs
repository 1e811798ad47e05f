//! How many terminal cells a text takes.
//!
//! Widths are those of whole grapheme clusters (UAX #29, UAX #11), as the terminal library counts
//! them, so that what is laid out here is never clipped there: it adds a cell for a half-width
//! voiced sound mark. Every cluster counts at least one cell: no text measures as nothing.

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};
use unicode_width::UnicodeWidthStr;

/// The cells of a revealed text, that is, one without control characters.
pub fn cell_width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.graphemes(true).map(cluster_width).sum() }
}

/// The cells of one grapheme cluster; at least one.
pub(super) fn cluster_width(cluster: &str) -> usize {
    if cluster.len() == 1 {
        return 1;
    }
    let sound_marks = cluster.chars().filter(|c| matches!(c, '\u{ff9e}' | '\u{ff9f}')).count();
    (cluster.width() + sound_marks).max(1)
}

/// The longest start of `text`, in whole clusters, that fits into `room` cells: its bytes and
/// its cells. Looks no further than that.
pub(super) fn take_cells(text: &str, room: usize) -> (usize, usize) {
    let plain = plain_start(text, room);
    let (mut bytes, mut cells) = (plain, plain);
    for cluster in text.get(plain..).unwrap_or_default().graphemes(true) {
        let width = cluster_width(cluster);
        if cells + width > room {
            break;
        }
        bytes += cluster.len();
        cells += width;
    }
    (bytes, cells)
}

/// The first edge of a cluster behind a place, in bytes; the end of the text where there is none.
pub fn next_cluster(text: &str, at: usize) -> usize {
    let mut cursor = GraphemeCursor::new(at.min(text.len()), text.len(), true);
    cursor.next_boundary(text, 0).ok().flatten().unwrap_or(text.len())
}

/// The last edge of a cluster before a place, in bytes; the beginning where there is none.
pub fn previous_cluster(text: &str, at: usize) -> usize {
    let mut cursor = GraphemeCursor::new(at.min(text.len()), text.len(), true);
    cursor.prev_boundary(text, 0).ok().flatten().unwrap_or(0)
}

/// The end of the word that ends next behind a place, in bytes.
pub fn next_word(text: &str, at: usize) -> usize {
    let after = text.get(at..).unwrap_or_default();
    let word = after.split_word_bound_indices().find(|(_, part)| !is_between_words(part));
    word.map_or(text.len(), |(start, part)| at + start + part.len())
}

/// The beginning of the word that begins last before a place, in bytes.
pub fn previous_word(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    let word = before.split_word_bound_indices().rev().find(|(_, part)| !is_between_words(part));
    word.map_or(0, |(start, _)| start)
}

fn is_between_words(part: &str) -> bool {
    part.chars().all(|c| c.is_whitespace() || c.is_ascii_punctuation())
}

/// How many characters at the start of a text, at most `room`, are a cell each by themselves:
/// printable ASCII, without the last one where a mark that joins it may follow.
fn plain_start(text: &str, room: usize) -> usize {
    let printable = |byte: &&u8| matches!(**byte, b' '..=b'~');
    let plain = text.as_bytes().iter().take(room.saturating_add(1)).take_while(printable).count();
    let sure = if plain == text.len() { plain } else { plain.saturating_sub(1) };
    sure.min(room)
}

/// A text cut to `room` cells, with `…` as the last of them where something is missing.
pub(super) fn squeeze(text: &str, room: usize) -> String {
    let (bytes, _) = take_cells(text, room);
    if bytes == text.len() || room == 0 {
        return text.get(..bytes).unwrap_or_default().to_owned();
    }
    let (bytes, _) = take_cells(text, room - 1);
    let mut cut = text.get(..bytes).unwrap_or_default().to_owned();
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_take_the_cells_a_terminal_gives_them() {
        for (text, cells) in [
            ("", 0),
            ("abc", 3),
            ("日本", 4),
            ("e\u{301}", 1),
            ("👨\u{200d}👩\u{200d}👧", 2),
            ("🇩🇪", 2),
            // One more than its shape: what the terminal library sets aside for it.
            ("ﾊﾞ", 3),
            ("⟨U+202E⟩", 8),
            ("␛[2J", 4),
        ] {
            assert_eq!(cell_width(text), cells, "{text}");
        }
    }

    #[test]
    fn what_is_taken_is_the_same_with_and_without_a_plain_start() {
        for text in ["abc", "abe\u{301}f", "ab日c", "a\u{301}", "e\u{301}", "ab\r\n", "", "日ab"]
        {
            for room in 0..7 {
                let (mut bytes, mut cells) = (0, 0);
                for cluster in text.graphemes(true) {
                    if cells + cluster_width(cluster) > room {
                        break;
                    }
                    bytes += cluster.len();
                    cells += cluster_width(cluster);
                }
                assert_eq!(take_cells(text, room), (bytes, cells), "{text:?} in {room}");
            }
        }
    }

    #[test]
    fn a_text_is_squeezed_without_splitting_a_cluster() {
        assert_eq!(squeeze("abc", 3), "abc");
        assert_eq!(squeeze("abcd", 3), "ab…");
        assert_eq!(squeeze("日本", 3), "日…");
        assert_eq!(squeeze("日本", 1), "…");
        assert_eq!(squeeze("abc", 0), "");
    }
}
