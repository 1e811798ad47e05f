//! Which names a list of patterns lets through.

/// Whether a list of patterns allows a name (a URI, a prompt's or a tool's name).
///
/// A pattern is literal text with `*` for any run of characters, none included; a `!` in front
/// turns it into a prohibition. `None` allows everything and an empty list nothing. Otherwise a
/// name is forbidden when any prohibition matches, whatever the order, and allowed when any other
/// pattern matches or when the list holds prohibitions only.
///
/// Takes time in proportion to the length of the name and of each pattern, however many `*` there
/// are: a hostile name cannot make it slow.
pub fn allows(patterns: Option<&[String]>, name: &str) -> bool {
    verdict(patterns, name) != Verdict::Forbidden
}

/// Why a list of patterns allows a name, or that it does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict<'a> {
    /// There is no list: everything is allowed.
    Unlisted,
    /// This pattern allows it.
    By(&'a str),
    /// The list holds prohibitions only, and none matches.
    NotForbidden,
    /// It is not allowed.
    Forbidden,
}

/// The same as [`allows`], with the reason.
pub fn verdict<'a>(patterns: Option<&'a [String]>, name: &str) -> Verdict<'a> {
    let Some(patterns) = patterns else { return Verdict::Unlisted };
    let mut positive = false;
    let mut by = None;
    for pattern in patterns {
        if let Some(forbidden) = pattern.strip_prefix('!') {
            if matches(forbidden, name) {
                return Verdict::Forbidden;
            }
        } else {
            positive = true;
            by = by.or_else(|| matches(pattern, name).then_some(pattern.as_str()));
        }
    }
    match by {
        Some(pattern) => Verdict::By(pattern),
        None if positive || patterns.is_empty() => Verdict::Forbidden,
        None => Verdict::NotForbidden,
    }
}

/// Whether a pattern matches the whole name.
///
/// What stands before the first `*` must begin the name, what stands after the last must end what
/// is left, and each part between is looked for once, leftmost first; that is enough, because a
/// later place for it could only leave less room for the rest.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == name };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    let Some(mut left) = name.strip_prefix(first).and_then(|left| left.strip_suffix(last)) else {
        return false;
    };
    for part in middle.split('*').filter(|part| !part.is_empty()) {
        let Some((_, after)) = left.split_once(part) else { return false };
        left = after;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    fn list(patterns: &[&str]) -> Vec<String> {
        patterns.iter().map(|&p| p.to_owned()).collect()
    }

    #[test]
    fn a_pattern_matches_the_whole_name() {
        for (pattern, name, expected) in [
            ("a", "a", true),
            ("a", "ab", false),
            ("a", "A", false),
            ("", "", true),
            ("", "a", false),
            ("*", "", true),
            ("*", "anything\n", true),
            ("**", "", true),
            ("a*", "a", true),
            ("a*", "ba", false),
            ("*a", "ba", true),
            ("*a", "ab", false),
            ("a*a", "a", false),
            ("a*a", "aa", true),
            ("ab*ba", "aba", false),
            ("*b*", "abc", true),
            ("*b*b*", "abc", false),
            ("*ab*ab", "abab", true),
            ("*ab*ab", "ab", false),
            ("note://*/x", "note://1/2/x", true),
            ("note://*", "file://note://", false),
            ("a.c", "abc", false),
            ("[a]?", "[a]?", true),
            ("é*é", "é漢é", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern:?} on {name:?}");
        }
    }

    #[test]
    fn prohibitions_win_wherever_they_stand() {
        assert!(allows(None, "x"));
        assert!(!allows(Some(&[]), "x"));
        for order in [["*", "!secret*"], ["!secret*", "*"]] {
            let patterns = list(&order);
            assert!(allows(Some(&patterns), "open"));
            assert!(!allows(Some(&patterns), "secret-1"));
        }
        let only_prohibitions = list(&["!a", "!b*"]);
        assert!(allows(Some(&only_prohibitions), "c"));
        assert!(!allows(Some(&only_prohibitions), "bc"));
        let positive = list(&["a", "b"]);
        assert!(allows(Some(&positive), "b") && !allows(Some(&positive), "c"));
        assert!(!allows(Some(&list(&["!*"])), "x"));
    }

    #[test]
    fn the_reason_is_the_first_pattern_that_lets_it_through() {
        let patterns = list(&["a*", "*b", "!secret*"]);
        assert_eq!(verdict(Some(&patterns), "ab"), Verdict::By("a*"));
        assert_eq!(verdict(Some(&patterns), "xb"), Verdict::By("*b"));
        assert_eq!(verdict(Some(&patterns), "secret-b"), Verdict::Forbidden);
        assert_eq!(verdict(Some(&list(&["!x"])), "a"), Verdict::NotForbidden);
        assert_eq!(
            (verdict(None, "a"), verdict(Some(&[]), "a")),
            (Verdict::Unlisted, Verdict::Forbidden)
        );
    }

    /// The same by trying everything.
    fn naive(pattern: &[char], name: &[char]) -> bool {
        match (pattern.split_first(), name.split_first()) {
            (None, _) => name.is_empty(),
            (Some(('*', rest)), None) => naive(rest, name),
            (Some(('*', rest)), Some((_, after))) => naive(rest, name) || naive(pattern, after),
            (Some(_), None) => false,
            (Some((p, rest)), Some((n, after))) => p == n && naive(rest, after),
        }
    }

    proptest::proptest! {
        #[test]
        fn it_agrees_with_trying_everything(pattern in "[ab*]{0,8}", name in "[ab]{0,10}") {
            let chars = |text: &str| text.chars().collect::<Vec<_>>();
            assert_eq!(matches(&pattern, &name), naive(&chars(&pattern), &chars(&name)));
        }
    }

    #[test]
    fn many_stars_do_not_make_it_slow() {
        let pattern = format!("{}b", "a*".repeat(5_000));
        let name = "a".repeat(200_000);
        let begin = Instant::now();
        assert!(!matches(&pattern, &name));
        assert!(!matches(&format!("{}b*", "*a".repeat(5_000)), &name));
        assert!(begin.elapsed() < Duration::from_secs(5));
    }
}
