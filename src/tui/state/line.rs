//! One line of text whose pieces have roles, and its rows at a given width.

use crate::content::{Piece, Revealed, cell_width, fit_line, reveal_line};
use crate::domain::UntrustedText;
use crate::tui::theme::Role;
use ratatui::style::Style;

/// A run of text in one role. The text is safe: our own words, or revealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The text.
    pub text: String,
    /// What it is.
    pub role: Role,
}

/// One line, before it is fitted to a width.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// The runs, in order.
    pub spans: Vec<Span>,
    /// Columns by which rows after the first are moved in.
    pub indent: usize,
    /// Whether it is cut instead of folded: what only makes sense in one row.
    pub whole: bool,
}

/// The clusters of a revealed text, as the screen's buffer will divide it.
fn clusters(text: &str) -> impl Iterator<Item = &str> {
    let divided = ratatui::text::Span::raw(text);
    // The buffer leaves control characters out. A revealed text has none; one of our own that
    // has is divided by characters, so that nothing after them is lost.
    let lengths: Vec<usize> = if text.contains(char::is_control) {
        text.chars().map(char::len_utf8).collect()
    } else {
        divided.styled_graphemes(Style::new()).map(|cluster| cluster.symbol.len()).collect()
    };
    lengths.into_iter().scan(text, |rest, length| {
        let (cluster, after) = rest.split_at_checked(length)?;
        *rest = after;
        Some(cluster)
    })
}

impl Line {
    /// A line of our own words.
    pub fn of(role: Role, text: impl Into<String>) -> Self {
        let mut line = Self::default();
        line.say(role, text);
        line
    }

    /// Adds our own words.
    pub fn say(&mut self, role: Role, text: impl Into<String>) {
        let text = text.into();
        if !text.is_empty() {
            self.spans.push(Span { text, role });
        }
    }

    /// Adds what somebody else wrote, on one line, hidden characters marked. Gives the number of
    /// hidden characters.
    pub fn show(&mut self, role: Role, text: &UntrustedText) -> usize {
        let revealed = reveal_line(text.raw());
        let hidden = revealed.counts.hidden();
        self.push_revealed(role, &revealed);
        hidden
    }

    /// Adds the start of what somebody else wrote, at most so many columns of it. Looks no
    /// further, so that a name of a megabyte costs no more than its row.
    pub fn show_start(&mut self, role: Role, text: &UntrustedText, columns: usize) {
        self.push_pieces(role, &fit_line(text.raw(), columns).pieces);
    }

    /// Adds what somebody else wrote, cut in its middle to so many columns: what has the same
    /// beginning mostly differs at its end. Looks at the ends only.
    pub fn show_middle(&mut self, role: Role, text: &UntrustedText, columns: usize) {
        let whole = fit_line(text.raw(), columns);
        let behind = columns.saturating_sub(1) / 2;
        if !whole.cut || behind < 4 {
            self.push_pieces(role, &whole.pieces);
            return;
        }
        self.push_pieces(role, &fit_line(text.raw(), columns - behind).pieces);
        let raw = text.raw();
        let from = raw.ceil_char_boundary(raw.len().saturating_sub(behind * 16));
        let mut end = Self::default();
        end.push_revealed(role, &reveal_line(raw.get(from..).unwrap_or_default()));
        let skipped = end.width().saturating_sub(behind);
        self.spans.extend(end.skip_whole_marks(skipped).spans);
    }

    /// Adds revealed text.
    pub fn push_revealed(&mut self, role: Role, revealed: &Revealed<'_>) {
        self.push_pieces(role, &revealed.pieces);
    }

    fn push_pieces(&mut self, role: Role, pieces: &[Piece<'_>]) {
        for piece in pieces {
            let role = if piece.mark.is_some() { Role::Mark } else { role };
            self.say(role, piece.text.as_ref());
        }
    }

    /// The columns it takes in all.
    pub fn width(&self) -> usize {
        self.spans.iter().map(|s| cell_width(&s.text)).sum()
    }

    /// Its text without roles.
    pub fn text(&self) -> String {
        self.spans.iter().map(|s| s.text.as_str()).collect()
    }

    /// Cuts it to a number of columns, on the edge of a cluster, with `…` where something went.
    #[must_use]
    pub fn fit(self, width: usize) -> Self {
        if self.width() <= width {
            return self;
        }
        let room = width.saturating_sub(1);
        let mut out = Self { spans: Vec::new(), indent: self.indent, whole: self.whole };
        let mut used = 0;
        let mut last = Role::Plain;
        'line: for span in self.spans {
            last = span.role;
            let mut kept = String::new();
            for cluster in clusters(&span.text) {
                let w = cell_width(cluster);
                if used + w > room {
                    out.say(last, kept);
                    break 'line;
                }
                used += w;
                kept.push_str(cluster);
            }
            out.say(last, kept);
        }
        if width > 0 {
            out.say(last, "…");
        }
        out
    }

    /// Leaves out columns from the left, on the edge of a cluster.
    #[must_use]
    pub fn skip(self, columns: usize) -> Self {
        let mut gone = 0;
        let mut out = Self::default();
        for span in self.spans {
            let rest: String = clusters(&span.text)
                .skip_while(|cluster| {
                    let skip = gone < columns;
                    gone += if skip { cell_width(cluster) } else { 0 };
                    skip
                })
                .collect();
            out.say(span.role, rest);
        }
        out
    }

    /// The same, and a mark that would lose its beginning is left out: half of one is no mark.
    fn skip_whole_marks(mut self, columns: usize) -> Self {
        let mut gone = 0;
        while let Some(first) = self.spans.first() {
            let width = cell_width(&first.text);
            if first.role != Role::Mark && gone + width > columns || gone >= columns {
                break;
            }
            gone += width;
            self.spans.remove(0);
        }
        self.skip(columns.saturating_sub(gone))
    }

    /// Gives the characters at some positions the role of a match. Marks stay marks.
    #[must_use]
    pub fn matched(self, positions: &[u32]) -> Self {
        if positions.is_empty() {
            return self;
        }
        let mut out = Self { spans: Vec::new(), indent: self.indent, whole: self.whole };
        let mut at = 0_u32;
        for span in self.spans {
            for c in span.text.chars() {
                let hit = span.role != Role::Mark && positions.binary_search(&at).is_ok();
                let role = if hit { Role::Match } else { span.role };
                at = at.saturating_add(1);
                match out.spans.last_mut() {
                    Some(last) if last.role == role => last.text.push(c),
                    Some(_) | None => out.say(role, c),
                }
            }
        }
        out
    }

    /// Breaks it into rows of at most `width` columns: after a space where there is one, else
    /// between clusters. Always gives at least one row.
    pub fn rows(&self, width: usize) -> Vec<Self> {
        let width = width.max(1);
        if self.whole {
            return vec![self.clone().fit(width)];
        }
        let indent = if self.indent * 2 > width { 0 } else { self.indent };
        let mut fold = Fold { rows: Vec::new(), row: Vec::new(), used: 0, width, indent };
        for span in &self.spans {
            for cluster in clusters(&span.text) {
                fold.push(cluster, span.role);
            }
        }
        fold.finish()
    }
}

/// The state of folding a line.
struct Fold<'a> {
    rows: Vec<Line>,
    row: Vec<(&'a str, Role)>,
    used: usize,
    width: usize,
    indent: usize,
}

impl<'a> Fold<'a> {
    fn push(&mut self, cluster: &'a str, role: Role) {
        let w = cell_width(cluster);
        if self.used + w > self.width && !self.row.is_empty() {
            let at =
                self.row.iter().rposition(|(c, _)| *c == " ").map_or(self.row.len(), |i| i + 1);
            // A break far back would leave a ragged hole: break inside the word instead.
            let at = if at * 2 < self.row.len() { self.row.len() } else { at };
            let rest = self.row.split_off(at);
            self.end_row();
            self.used += rest.iter().map(|(c, _)| cell_width(c)).sum::<usize>();
            self.row = rest;
        }
        self.used += w;
        self.row.push((cluster, role));
    }

    fn end_row(&mut self) {
        let mut line = Line::default();
        if !self.rows.is_empty() {
            line.say(Role::Plain, " ".repeat(self.indent));
        }
        for (cluster, role) in self.row.drain(..) {
            match line.spans.last_mut() {
                Some(span) if span.role == role => span.text.push_str(cluster),
                Some(_) | None => line.say(role, cluster),
            }
        }
        self.rows.push(line);
        self.used = self.indent;
    }

    fn finish(mut self) -> Vec<Line> {
        if !self.row.is_empty() || self.rows.is_empty() {
            self.end_row();
        }
        self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_breaks_after_spaces_and_keeps_every_character() {
        let mut line = Line::of(Role::Label, "name  ");
        line.say(Role::Plain, "the quick brown fox 漢字漢字漢字 over");
        line.indent = 6;
        for width in 1..60 {
            let rows = line.rows(width);
            assert!(rows.iter().all(|r| r.width() <= width.max(2)), "{width}: {rows:?}");
            let joined: String = rows.iter().map(Line::text).collect();
            let bare = |s: &str| s.replace(' ', "");
            assert_eq!(bare(&joined), bare(&line.text()), "at {width}");
        }
        let texts: Vec<_> = line.rows(20).iter().map(Line::text).collect();
        assert_eq!(texts.first().map(String::as_str), Some("name  the quick "));
    }

    #[test]
    fn a_name_is_cut_in_its_middle_and_keeps_both_ends() {
        let shown = |text: &str, columns| {
            let mut line = Line::default();
            line.show_middle(Role::Plain, &text.into(), columns);
            assert!(line.width() <= columns, "{text:?} in {columns}");
            line.text()
        };
        assert_eq!(shown("file:///a/long/way/one.txt", 15), "file://…one.txt");
        assert_eq!(shown("file:///a/long/way/two.txt", 15), "file://…two.txt");
        assert_eq!(shown("short", 5), "short");
        assert_eq!(shown("漢字漢字漢字漢字", 10), "漢字…漢字");
        assert_eq!(shown("margin-\u{202e}of\u{202c} the notes", 16), "margin-⟨…e notes");
        assert_eq!(shown("margin notes of\u{202c} x", 16), "margin n… x");
        let huge = "ab漢".repeat(1_000_000);
        assert!(shown(&huge, 40).ends_with("ab漢"));
        for columns in 0..30 {
            shown("e\u{301}\u{202e}👨\u{200d}👩\u{200d}👧 and \u{1b}[2J behind", columns);
        }
    }

    #[test]
    fn a_line_is_cut_on_the_edge_of_a_cluster() {
        let line = Line::of(Role::Plain, "漢字漢字");
        assert_eq!(line.clone().fit(4).text(), "漢…");
        assert_eq!(line.clone().fit(0).text(), "");
        assert_eq!(line.clone().fit(8), line);
    }
}
