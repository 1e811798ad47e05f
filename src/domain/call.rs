//! How a call goes while it runs.

use super::UntrustedText;

/// What a server said last about how far it has come (spec `basic/utilities/progress`).
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// How much is done; finite, and it only grows.
    pub done: f64,
    /// How much there is in all, where the server knows; finite.
    pub total: Option<f64>,
    /// What it is doing.
    pub message: Option<UntrustedText>,
}

impl Progress {
    /// What part is done, from 0 to 1; `None` where the whole is not known.
    pub fn part(&self) -> Option<f64> {
        let total = self.total.filter(|total| *total > 0.0)?;
        Some((self.done / total).clamp(0.0, 1.0))
    }
}

/// How a call that runs stands.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CallState {
    /// What the server said last about its progress.
    pub progress: Option<Progress>,
    /// How often it said something about it.
    pub updates: u64,
    /// How many rounds of questions it has come to; 0 while it was only called.
    pub round: u32,
    /// Whether it waits for a person here.
    pub is_asking: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_known_only_of_a_whole() {
        let part = |done, total| Progress { done, total, message: None }.part();
        assert_eq!(part(1.0, Some(4.0)), Some(0.25));
        assert_eq!(part(9.0, Some(4.0)), Some(1.0));
        assert_eq!((part(1.0, None), part(1.0, Some(0.0))), (None, None));
    }
}
