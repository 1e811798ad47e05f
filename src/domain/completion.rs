//! Completion: what a server proposes for one argument (spec `server/utilities/completion`).

use super::UntrustedText;

/// What an argument belongs to. One word in the protocol's `ref`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Completable {
    /// A prompt.
    Prompt,
    /// A resource template.
    Template,
}

/// What a server proposes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Completion {
    /// The values, in the server's order.
    pub values: Vec<UntrustedText>,
    /// How many there are in all, where the server says so.
    pub total: Option<u64>,
    /// Whether there are more than these.
    pub has_more: bool,
    /// How many the server sent that are not among them: more than are taken, or no texts.
    pub left_out: usize,
}

impl Completion {
    /// How much of all this is, in words, when it is less than all: `3 of 250`.
    pub fn extent(&self) -> Option<String> {
        let shown = self.values.len();
        match self.total {
            Some(total) if total > shown as u64 => Some(format!("{shown} of {total}")),
            Some(_) | None if self.has_more || self.left_out > 0 => {
                Some(format!("{shown}, and there are more"))
            }
            Some(_) | None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn less_than_all_says_how_much_it_is() {
        let some = |total, has_more, left_out| Completion {
            values: vec!["a".into(), "b".into()],
            total,
            has_more,
            left_out,
        };
        assert_eq!(some(None, false, 0).extent(), None);
        assert_eq!(some(Some(2), false, 0).extent(), None);
        assert_eq!(some(Some(250), true, 0).extent().as_deref(), Some("2 of 250"));
        assert_eq!(some(None, true, 0).extent().as_deref(), Some("2, and there are more"));
        assert_eq!(some(Some(2), false, 1).extent().as_deref(), Some("2, and there are more"));
    }
}
