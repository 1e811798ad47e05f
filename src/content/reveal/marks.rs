//! How marks are written, and how they are undone.

use super::kind::MarkKind;
use std::borrow::Cow;
use std::fmt::Write as _;

/// The control pictures for U+0000..U+001F, three bytes each.
const PICTURES: &str = "␀␁␂␃␄␅␆␇␈␉␊␋␌␍␎␏␐␑␒␓␔␕␖␗␘␙␚␛␜␝␞␟";
const PICTURE_BYTES: usize = 3;
const PICTURE_BASE: u32 = 0x2400;
const DELETE_PICTURE: &str = "␡";
const OPEN: char = '⟨';
const CLOSE: char = '⟩';
const TAG_BASE: u32 = 0xe0000;

/// The mark for a stretch of source that a scanner found.
pub(super) fn mark_text(source: &str, kind: MarkKind) -> Cow<'_, str> {
    if kind == MarkKind::Replacement {
        return Cow::Borrowed(source);
    }
    if let Some(picture) = source.chars().next().and_then(picture) {
        return Cow::Borrowed(picture);
    }
    let mut text = String::new();
    push_mark(&mut text, source, kind);
    Cow::Owned(text)
}

/// Appends the mark for a stretch of source.
pub(super) fn push_mark(out: &mut String, source: &str, kind: MarkKind) {
    if kind == MarkKind::Replacement {
        out.push_str(source);
        return;
    }
    let Some(first) = source.chars().next() else { return };
    if let Some(picture) = picture(first) {
        out.push_str(picture);
    } else if tag_letter(first).is_some() {
        out.push(OPEN);
        out.push_str("TAG:");
        out.extend(source.chars().filter_map(tag_letter));
        out.push(CLOSE);
    } else {
        // Writing to a string cannot fail.
        let _ = write!(out, "{OPEN}U+{:04X}{CLOSE}", u32::from(first));
    }
}

fn picture(c: char) -> Option<&'static str> {
    match c {
        '\0'..='\u{1f}' => {
            let at = usize::try_from(u32::from(c)).ok()? * PICTURE_BYTES;
            PICTURES.get(at..at + PICTURE_BYTES)
        }
        '\u{7f}' => Some(DELETE_PICTURE),
        _ => None,
    }
}

/// The printable ASCII character that a tag character stands for.
fn tag_letter(c: char) -> Option<char> {
    let ascii = u32::from(c).checked_sub(TAG_BASE)?;
    (0x20..=0x7e).contains(&ascii).then(|| char::from_u32(ascii)).flatten()
}

/// The ASCII that is hidden in the tag characters (U+E0020..U+E007E) of a text, and nothing else
/// of it. For showing on request what a model would read.
pub fn decode_tags(text: &str) -> String {
    text.chars().filter_map(tag_letter).collect()
}

/// Undoes the marks: for every `x`, `restore(&reveal_text(x).plain()) == x`, and the same for
/// one-liners. What is no mark stays.
///
/// The result is raw again: not for a terminal.
pub fn restore(marked: &str) -> String {
    let mut out = String::with_capacity(marked.len());
    let mut rest = marked;
    while let Some((before, from)) =
        rest.find(may_start_a_mark).and_then(|at| rest.split_at_checked(at))
    {
        out.push_str(before);
        let mut chars = from.chars();
        let Some(first) = chars.next() else { break };
        let after = chars.as_str();
        rest = undo_picture(first)
            .map(|c| {
                out.push(c);
                after
            })
            .or_else(|| undo_code_point(after, &mut out))
            .or_else(|| undo_tags(after, &mut out))
            .unwrap_or_else(|| {
                out.push(first);
                after
            });
    }
    out.push_str(rest);
    out
}

fn may_start_a_mark(c: char) -> bool {
    matches!(c, OPEN | '␀'..='␟' | '␡')
}

fn undo_picture(c: char) -> Option<char> {
    match c {
        '␀'..='␟' => char::from_u32(u32::from(c) - PICTURE_BASE),
        '␡' => Some('\u{7f}'),
        _ => None,
    }
}

/// `U+202E⟩`, what follows an opening bracket. Gives what is behind it.
fn undo_code_point<'a>(after: &'a str, out: &mut String) -> Option<&'a str> {
    let digits = after.strip_prefix("U+")?;
    let count =
        digits.bytes().take(7).take_while(|b| matches!(b, b'0'..=b'9' | b'A'..=b'F')).count();
    let (hex, behind) = digits.split_at_checked(count)?;
    let behind = behind.strip_prefix(CLOSE)?;
    if !(4..=6).contains(&count) {
        return None;
    }
    out.push(char::from_u32(u32::from_str_radix(hex, 16).ok()?)?);
    Some(behind)
}

/// `TAG:letters⟩`, what follows an opening bracket. Gives what is behind it.
fn undo_tags<'a>(after: &'a str, out: &mut String) -> Option<&'a str> {
    let letters = after.strip_prefix("TAG:")?;
    let count = letters.bytes().take_while(|b| (0x20..=0x7e).contains(b)).count();
    let (letters, behind) = letters.split_at_checked(count)?;
    let behind = behind.strip_prefix(CLOSE)?;
    if letters.is_empty() {
        return None;
    }
    out.extend(letters.chars().filter_map(|c| char::from_u32(u32::from(c) + TAG_BASE)));
    Some(behind)
}
