//! What a character is where it stands: the decisions that need its neighbours.
//!
//! Every look backwards stays within the current unmarked stretch and within a few characters, so
//! that no text makes it slow, and a mark never serves as the base of what follows it.

use super::emoji::is_pictographic;
use super::kind::MarkKind;
use super::scan::Mode;
use super::table::{self, Class};

/// Combining marks that a base may carry; more of them climb over other lines.
const STACK: usize = 10;

/// Emoji that ZWJ may join to one; the longest in use join four.
const JOINED: usize = 8;

/// The subdivision flags that fonts draw, as tag letters (emoji-sequences, RGI).
const FLAGS: [&str; 3] = [
    "\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];

/// What becomes of the next bytes of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// So many bytes stay.
    Keep(usize),
    /// So many bytes are one mark.
    Mark(usize, MarkKind),
}

/// Decides on the first character of `rest`.
///
/// `run` is the unmarked stretch before it. At most `tag_run` tag letters go into one mark.
pub(super) fn judge(run: &str, rest: &str, mode: Mode, tag_run: usize) -> Verdict {
    let mut following = rest.chars();
    let Some(c) = following.next() else { return Verdict::Keep(rest.len()) };
    let next = following.next();
    let size = c.len_utf8();
    let keep_if = |real: bool, kind: MarkKind| {
        if real { Verdict::Keep(size) } else { Verdict::Mark(size, kind) }
    };
    match table::classify(c) {
        Class::Plain => Verdict::Keep(size),
        Class::Mark(kind) => Verdict::Mark(size, kind),
        Class::LineOrTab => keep_if(mode == Mode::Text, MarkKind::Layout),
        Class::CarriageReturn => {
            let kind = if next == Some('\n') { MarkKind::Layout } else { MarkKind::Control };
            Verdict::Mark(size, kind)
        }
        Class::Combining => keep_if(has_room(run), MarkKind::Combining),
        Class::JamoVowel => keep_if(takes_vowel(run) && has_room(run), MarkKind::Combining),
        Class::JamoFinal => keep_if(takes_final(run) && has_room(run), MarkKind::Combining),
        Class::VariationSelector => keep_if(selects(run, c, next), MarkKind::VariationSelector),
        Class::Joiner => keep_if(joins(run, c, next), MarkKind::ZeroWidth),
        Class::TagLetter => judge_tags(run, rest, tag_run),
        Class::OpenBracket => {
            let after = rest.get(size..).unwrap_or_default();
            let like_a_mark = after.starts_with("U+") || after.starts_with("TAG:");
            keep_if(!like_a_mark, MarkKind::Literal)
        }
    }
}

fn judge_tags(run: &str, rest: &str, tag_run: usize) -> Verdict {
    if run.ends_with('\u{1f3f4}')
        && let Some(flag) = FLAGS.iter().find(|flag| rest.starts_with(**flag))
    {
        return Verdict::Keep(flag.len());
    }
    let letters = rest
        .chars()
        .take(tag_run.max(1))
        .take_while(|c| table::classify(*c) == Class::TagLetter)
        .map(char::len_utf8)
        .sum();
    Verdict::Mark(letters, MarkKind::Tag)
}

/// Whether there is a base, and not yet too much on it.
fn has_room(run: &str) -> bool {
    let mut stacked = 0;
    for before in run.chars().rev() {
        if !table::stacks(before) {
            return !matches!(before, '\n' | '\t');
        }
        stacked += 1;
        if stacked >= STACK {
            return false;
        }
    }
    false
}

/// UAX #29 rules GB6 and GB7: a vowel attaches to an initial consonant, a vowel, or a syllable
/// without a final.
fn takes_vowel(run: &str) -> bool {
    run.chars().next_back().is_some_and(|before| match u32::from(before) {
        0x1100..=0x115e | 0xa960..=0xa97c | 0x1161..=0x11a7 | 0xd7b0..=0xd7c6 => true,
        syllable @ 0xac00..=0xd7a3 => (syllable - 0xac00).is_multiple_of(28),
        _ => false,
    })
}

/// UAX #29 rules GB7 and GB8: a final consonant attaches to a vowel, a final, or a syllable.
fn takes_final(run: &str) -> bool {
    run.chars().next_back().is_some_and(
        |before| matches!(u32::from(before), 0x1161..=0x11ff | 0xac00..=0xd7a3 | 0xd7b0..=0xd7fb),
    )
}

/// Whether a variation selector selects a form of the character before it.
fn selects(run: &str, selector: char, next: Option<char>) -> bool {
    let Some(base) = run.chars().next_back() else { return false };
    if next.is_some_and(table::is_variation_selector) {
        return false;
    }
    match u32::from(selector) {
        0xfe0e | 0xfe0f if matches!(base, '0'..='9' | '#' | '*') => next == Some('\u{20e3}'),
        0xfe0e | 0xfe0f => is_pictographic(base) || table::is_symbol(base),
        0xfe00..=0xfe02 | 0xe0100..=0xe01ef => table::is_han(base),
        0x180b..=0x180d | 0x180f => table::is_mongolian_letter(base),
        _ => false,
    }
}

/// Whether ZWJ or ZWNJ stands where writing needs it.
fn joins(run: &str, joiner: char, next: Option<char>) -> bool {
    let Some(before) = run.chars().next_back() else { return false };
    if table::is_virama(before) {
        // Two joiners in a row mean nothing.
        return !matches!(next, Some('\u{200c}' | '\u{200d}'));
    }
    let Some(next) = next else { return false };
    if table::is_joining_script(before) && table::is_joining_script(next) {
        return true;
    }
    joiner == '\u{200d}' && is_pictographic(next) && ends_as_emoji(run)
}

/// Whether the stretch ends with an emoji that can take one more.
fn ends_as_emoji(run: &str) -> bool {
    let mut joiners = 0;
    let mut in_front = run.chars().rev().peekable();
    loop {
        in_front.next_if(|c| matches!(c, '\u{fe0e}' | '\u{fe0f}'));
        in_front.next_if(|c| table::is_skin_tone(*c));
        if !in_front.next().is_some_and(is_pictographic) {
            // Behind the first joiner the chain was found to be sound when it was read.
            return joiners > 0;
        }
        if in_front.next_if_eq(&'\u{200d}').is_none() {
            return true;
        }
        joiners += 1;
        if joiners + 1 >= JOINED {
            return false;
        }
    }
}
