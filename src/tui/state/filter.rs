//! The filter of a list: words that must all be found, fuzzily, in name, title, address or server.

use super::item::RowInfo;
use nucleo_matcher::pattern::{Atom, AtomKind, CaseMatching, Normalization};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// A query made ready, with the matcher's working memory.
pub struct Search {
    atoms: Vec<Atom>,
    matcher: Matcher,
    buffer: Vec<char>,
}

impl Search {
    /// Makes a query ready. Words are separated by white space; a capital letter asks for case.
    pub fn new(query: &str) -> Self {
        let atoms = query
            .split_whitespace()
            .map(|word| {
                Atom::new(word, CaseMatching::Smart, Normalization::Smart, AtomKind::Fuzzy, false)
            })
            .collect();
        Self { atoms, matcher: Matcher::new(Config::DEFAULT), buffer: Vec::new() }
    }

    /// How well a row matches; `None` when a word is found nowhere in it.
    pub fn score(&mut self, row: &RowInfo<'_>) -> Option<u32> {
        let name = row.name.map(|t| t.raw());
        let address = row.address.map(|t| t.raw()).filter(|a| Some(*a) != name);
        self.score_fields([name, row.title.map(|t| t.raw()), address, Some(row.server.as_str())])
    }

    /// The same of anything that has some texts.
    pub fn score_fields<const N: usize>(&mut self, fields: [Option<&str>; N]) -> Option<u32> {
        let mut total = 0;
        for atom in &self.atoms {
            let mut best = None;
            for field in fields.into_iter().flatten() {
                let haystack = Utf32Str::new(field, &mut self.buffer);
                best = best.max(atom.score(haystack, &mut self.matcher));
            }
            total += u32::from(best?);
        }
        Some(total)
    }

    /// Which characters of a text the words are found at, for marking them; sorted.
    pub fn positions(&mut self, text: &str) -> Vec<u32> {
        let mut found = Vec::new();
        for atom in &self.atoms {
            let haystack = Utf32Str::new(text, &mut self.buffer);
            // A word that is not found leaves nothing behind.
            let before = found.len();
            if atom.indices(haystack, &mut self.matcher, &mut found).is_none() {
                found.truncate(before);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
