//! Why a stretch of text is a mark, and how often each reason occurred.

use super::scan::Found;

/// Why something is shown as a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MarkKind {
    /// C0 or C1 control, or DEL, other than those that start or end a sequence.
    Control,
    /// ESC, or a C1 control that starts or ends an escape sequence (CSI, OSC, DCS, APC, …).
    Escape,
    /// Bidirectional control: reorders what is read (UAX #9).
    Bidi,
    /// Takes no cell: zero-width spaces and joiners out of place, and other ignorable characters.
    ZeroWidth,
    /// Tag character: ASCII that people do not see and models read.
    Tag,
    /// Variation selector where it selects nothing, or one of a run.
    VariationSelector,
    /// Combining character without a base, or beyond the tenth on one base.
    Combining,
    /// Looks like a blank or like nothing: Hangul fillers, blank braille, unusual spaces.
    Filler,
    /// U+2028 or U+2029: breaks lines in some programs and not in others.
    Separator,
    /// Private use: no two fonts show the same.
    PrivateUse,
    /// Unassigned code point or noncharacter.
    Unassigned,
    /// U+FFFD: usually a byte that was no UTF-8. Shown as itself.
    Replacement,
    /// A tab or line break where there is no room for one, or the `\r` of `\r\n`.
    Layout,
    /// A character of the source that could be taken for one of our marks.
    Literal,
}

impl MarkKind {
    /// Every kind, in the order of its declaration, which is the order of summaries.
    pub const ALL: [Self; 14] = [
        Self::Control,
        Self::Escape,
        Self::Bidi,
        Self::ZeroWidth,
        Self::Tag,
        Self::VariationSelector,
        Self::Combining,
        Self::Filler,
        Self::Separator,
        Self::PrivateUse,
        Self::Unassigned,
        Self::Replacement,
        Self::Layout,
        Self::Literal,
    ];

    /// A short name for one such character.
    pub fn label(self) -> &'static str {
        match self {
            Self::Control => "control",
            Self::Escape => "escape",
            Self::Bidi => "bidi",
            Self::ZeroWidth => "zero-width",
            Self::Tag => "tag character",
            Self::VariationSelector => "variation selector",
            Self::Combining => "stray combining mark",
            Self::Filler => "blank filler",
            Self::Separator => "line separator",
            Self::PrivateUse => "private use",
            Self::Unassigned => "unassigned",
            Self::Replacement => "replacement",
            Self::Layout => "line break or tab",
            Self::Literal => "literal mark",
        }
    }

    /// The same for several.
    pub fn label_many(self) -> &'static str {
        match self {
            Self::Control => "controls",
            Self::Escape => "escapes",
            Self::Tag => "tag characters",
            Self::VariationSelector => "variation selectors",
            Self::Combining => "stray combining marks",
            Self::Filler => "blank fillers",
            Self::Separator => "line separators",
            Self::Replacement => "replacements",
            Self::Layout => "line breaks or tabs",
            Self::Literal => "literal marks",
            Self::Bidi | Self::ZeroWidth | Self::PrivateUse | Self::Unassigned => self.label(),
        }
    }

    /// Whether a person should be warned of it. Not for what is only layout, what is visible
    /// anyway, and what merely looks like a mark.
    pub fn is_hidden(self) -> bool {
        !matches!(self, Self::Replacement | Self::Layout | Self::Literal)
    }
}

/// How many characters of a text are shown as marks, by kind. Counts characters of the source:
/// a run of sixteen tag characters is one mark and counts sixteen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts([usize; MarkKind::ALL.len()]);

impl Counts {
    pub(super) fn note(&mut self, found: &Found<'_>) {
        let Some(kind) = found.kind else { return };
        if let Some(place) = self.0.get_mut(kind as usize) {
            *place += found.source.chars().count();
        }
    }

    /// How many of one kind.
    pub fn of(&self, kind: MarkKind) -> usize {
        self.0.get(kind as usize).copied().unwrap_or_default()
    }

    /// How many marked characters of any kind.
    pub fn total(&self) -> usize {
        self.0.iter().sum()
    }

    /// How many that a person should be warned of ([`MarkKind::is_hidden`]).
    pub fn hidden(&self) -> usize {
        MarkKind::ALL.iter().filter(|kind| kind.is_hidden()).map(|kind| self.of(*kind)).sum()
    }

    /// Adds the counts of another text.
    pub fn add(&mut self, other: &Self) {
        for (place, more) in self.0.iter_mut().zip(other.0) {
            *place += more;
        }
    }

    /// A warning such as `3 hidden: 1 bidi, 2 tag characters`, or `None` where nothing is hidden.
    pub fn summary(&self) -> Option<String> {
        let hidden = self.hidden();
        if hidden == 0 {
            return None;
        }
        let parts: Vec<String> = MarkKind::ALL
            .iter()
            .filter(|kind| kind.is_hidden())
            .filter_map(|kind| match self.of(*kind) {
                0 => None,
                1 => Some(format!("1 {}", kind.label())),
                many => Some(format!("{many} {}", kind.label_many())),
            })
            .collect();
        Some(format!("{hidden} hidden: {}", parts.join(", ")))
    }
}
