//! What a character is, by itself. Sources: the Unicode Character Database (general category from
//! `unicode-general-category`, `Default_Ignorable_Code_Point` from DerivedCoreProperties by hand,
//! `Extended_Pictographic` from emoji-data by hand) and ECMA-48 for C1.

use super::kind::MarkKind;
use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_width::UnicodeWidthChar;

/// What to do with a character, as far as the character alone decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Stays as it is, wherever it stands.
    Plain,
    /// Is a mark, wherever it stands.
    Mark(MarkKind),
    /// `\r`: depends on the newline after it.
    CarriageReturn,
    /// `\n` or `\t`: depends on the place.
    LineOrTab,
    /// Stays on a base, up to a limit.
    Combining,
    /// Hangul medial vowel: takes no cell; stays after an initial consonant or a vowel.
    JamoVowel,
    /// Hangul final consonant: takes no cell; stays after a vowel or a final consonant.
    JamoFinal,
    /// Stays where it selects something.
    VariationSelector,
    /// ZWJ or ZWNJ: stays where it joins or parts something.
    Joiner,
    /// U+E0020..U+E007E: stays in a flag only.
    TagLetter,
    /// `⟨`: stays where it does not look like the start of a mark.
    OpenBracket,
}

/// Whether an ASCII byte stays in every place.
pub(super) const fn is_clean_ascii(byte: u8) -> bool {
    byte >= 0x20 && byte < 0x7f
}

/// Whether a byte beyond ASCII continues a UTF-8 sequence, or leads only to characters that stay
/// in every place: Latin (U+00C0..U+02FF), most of Cyrillic and Greek small letters, Han
/// (U+4000..U+9FFF), most of Hangul. In valid UTF-8, bytes that all pass are characters that all
/// stay. A test holds it to [`classify`].
pub(super) const fn is_clean_byte(byte: u8) -> bool {
    matches!(byte, 0x80..=0xbf | 0xc3..=0xcb | 0xcf..=0xd1 | 0xd3 | 0xe4..=0xe9 | 0xeb..=0xec)
}

/// Common characters that stay in every place: the quick way out for ordinary text. A test holds
/// it to [`classify`].
pub(super) fn is_surely_plain(c: char) -> bool {
    matches!(u32::from(c),
        0x20..=0x7e
        | 0xa0..=0xac | 0xae..=0x2ff
        | 0x391..=0x3a1 | 0x3a3..=0x482 | 0x48a..=0x52f
        | 0x5d0..=0x5ea | 0x620..=0x64a | 0x660..=0x66f | 0x671..=0x6d5
        | 0x904..=0x939 | 0xe01..=0xe30
        | 0x1e00..=0x1eff
        | 0x2010..=0x2027 | 0x2030..=0x205e
        | 0x2190..=0x23ff | 0x2500..=0x27e7
        | 0x3001..=0x3029 | 0x3041..=0x3096 | 0x309b..=0x30ff
        | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xac00..=0xd7a3
        | 0xff01..=0xff9f
        | 0x1f300..=0x1f3fa | 0x1f400..=0x1f64f | 0x1f680..=0x1f6c5)
}

/// What a character is.
pub(super) fn classify(c: char) -> Class {
    use MarkKind::{
        Bidi, Control, Escape, Filler, Literal, Replacement, Separator, Tag, ZeroWidth,
    };
    match u32::from(c) {
        0x0a | 0x09 => Class::LineOrTab,
        0x0d => Class::CarriageReturn,
        0x1b | 0x90 | 0x98 | 0x9b..=0x9f => Class::Mark(Escape),
        0..=0x1f | 0x7f..=0x9f => Class::Mark(Control),
        0x61c | 0x200e | 0x200f | 0x202a..=0x202e | 0x2066..=0x2069 => Class::Mark(Bidi),
        0x200c | 0x200d => Class::Joiner,
        0x180b..=0x180d | 0x180f | 0xfe00..=0xfe0f | 0xe0100..=0xe01ef => Class::VariationSelector,
        0xe0020..=0xe007e => Class::TagLetter,
        0xe0001 | 0xe007f => Class::Mark(Tag),
        0x115f | 0x1160 | 0x3164 | 0xffa0 | 0x2800 | 0xfffc => Class::Mark(Filler),
        0x1680 | 0x2000..=0x2008 | 0x200a | 0x205f => Class::Mark(Filler),
        0x1d159 | 0x13441 | 0x13442 => Class::Mark(Filler),
        0xad | 0x34f | 0x17b4 | 0x17b5 | 0x180e | 0x200b | 0x2060..=0x206f | 0xfeff => {
            Class::Mark(ZeroWidth)
        }
        0xfff0..=0xfffb | 0x1bca0..=0x1bca3 | 0x1d173..=0x1d17a | 0xe0000..=0xe0fff => {
            Class::Mark(ZeroWidth)
        }
        0x2028 | 0x2029 => Class::Mark(Separator),
        0x2400..=0x241f | 0x2421 => Class::Mark(Literal),
        0x27e8 => Class::OpenBracket,
        0xfffd => Class::Mark(Replacement),
        0x1161..=0x11a7 | 0xd7b0..=0xd7c6 => Class::JamoVowel,
        0x11a8..=0x11ff | 0xd7cb..=0xd7fb => Class::JamoFinal,
        _ => by_category(c),
    }
}

fn by_category(c: char) -> Class {
    let category = get_general_category(c);
    if matches!(category, GeneralCategory::PrivateUse) {
        Class::Mark(MarkKind::PrivateUse)
    } else if matches!(category, GeneralCategory::Unassigned | GeneralCategory::Surrogate) {
        Class::Mark(MarkKind::Unassigned)
    } else if is_mark_category(category) {
        Class::Combining
    } else if is_invisible_format(c, category) || c.width().unwrap_or(0) == 0 {
        Class::Mark(MarkKind::ZeroWidth)
    } else {
        Class::Plain
    }
}

fn is_mark_category(category: GeneralCategory) -> bool {
    matches!(
        category,
        GeneralCategory::NonspacingMark
            | GeneralCategory::SpacingMark
            | GeneralCategory::EnclosingMark
    )
}

/// Format characters but those that have a shape of their own (Arabic and Kaithi number signs).
fn is_invisible_format(c: char, category: GeneralCategory) -> bool {
    matches!(category, GeneralCategory::Format)
        && !matches!(
            u32::from(c),
            0x600..=0x605 | 0x6dd | 0x70f | 0x890 | 0x891 | 0x8e2 | 0x110bd | 0x110cd
        )
}

/// Whether a character adds to the stack on a base rather than standing by itself.
pub(super) fn stacks(c: char) -> bool {
    matches!(classify(c), Class::Combining | Class::JamoVowel | Class::JamoFinal)
}

/// Whether a character is a variation selector.
pub(super) fn is_variation_selector(c: char) -> bool {
    classify(c) == Class::VariationSelector
}

/// Letters and signs of Han script that take ideographic variation selectors.
pub(super) fn is_han(c: char) -> bool {
    matches!(
        u32::from(c),
        0x3005 | 0x3007 | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x323af
    )
}

/// Mongolian letters, which take the free variation selectors.
pub(super) fn is_mongolian_letter(c: char) -> bool {
    matches!(u32::from(c), 0x1820..=0x1878 | 0x1880..=0x18aa)
}

/// Symbols other than emoji that have a text and an emoji style.
pub(super) fn is_symbol(c: char) -> bool {
    matches!(u32::from(c), 0x2190..=0x2bff)
        && matches!(
            get_general_category(c),
            GeneralCategory::OtherSymbol | GeneralCategory::MathSymbol
        )
}

/// Scripts whose letters join, or form conjuncts, and use ZWJ and ZWNJ for it.
pub(super) fn is_joining_script(c: char) -> bool {
    let joining = matches!(u32::from(c),
        // Arabic, Syriac, N'Ko, Mandaic
        0x620..=0x74f | 0x750..=0x77f | 0x7ca..=0x7fa | 0x840..=0x85b | 0x860..=0x89f
        | 0x8a0..=0x8ff
        // the Indic scripts from Devanagari to Sinhala
        | 0x900..=0xdff
        // Tibetan, Myanmar, Khmer, Mongolian
        | 0xf00..=0xfff | 0x1000..=0x109f | 0x1780..=0x17d3 | 0x1820..=0x18aa
        // Balinese, Sundanese, Batak, Lepcha; Devanagari extended, Javanese, Meetei Mayek
        | 0x1b00..=0x1bff | 0x1c00..=0x1c4f | 0xa8e0..=0xa8ff | 0xa980..=0xa9df
        | 0xaae0..=0xaaff | 0xabc0..=0xabff | 0x11000..=0x1174f);
    joining
        && matches!(
            get_general_category(c),
            GeneralCategory::OtherLetter
                | GeneralCategory::ModifierLetter
                | GeneralCategory::NonspacingMark
                | GeneralCategory::SpacingMark
        )
}

/// Signs that silence the inherent vowel (canonical combining class 9) of the Indic scripts:
/// after them a joiner chooses the shape even at the end of a word.
pub(super) fn is_virama(c: char) -> bool {
    matches!(
        u32::from(c),
        0x94d
            | 0x9cd
            | 0xa4d
            | 0xacd
            | 0xb4d
            | 0xbcd
            | 0xc4d
            | 0xccd
            | 0xd3b
            | 0xd3c
            | 0xd4d
            | 0xdca
    )
}

/// Skin tone modifiers (UTS #51).
pub(super) fn is_skin_tone(c: char) -> bool {
    matches!(u32::from(c), 0x1f3fb..=0x1f3ff)
}
