//! `${NAME}` in an entry: variables of the environment.
//!
//! `${NAME}` and `${env:NAME}` stand for a variable, `${NAME:-text}` for a text where there is none
//! or it is empty. Everything is expanded once: what a value holds is never looked at again. `$NAME`
//! stays as it is. An entry that counts on a variable that is not set is held back, since a server
//! that is sent `Bearer ${TOKEN}` answers with a refusal that misleads.

use secrecy::{ExposeSecret as _, SecretString};
use std::cell::RefCell;

use super::error::escaped;

/// What variables stand for, and which of them an entry used.
pub(super) struct Variables<'a> {
    lookup: &'a dyn Fn(&str) -> Option<String>,
    used: RefCell<Vec<(String, SecretString)>>,
}

impl<'a> Variables<'a> {
    pub(super) fn new(lookup: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Self { lookup, used: RefCell::default() }
    }

    /// Those that were used since this was last asked, so that what is shown of the entry can name
    /// them instead of their values.
    pub(super) fn take_used(&self) -> Vec<(String, SecretString)> {
        self.used.take()
    }

    /// Puts values in place. The error names the variable and the place, never a value.
    pub(super) fn expand(&self, place: &str, text: &str) -> Result<String, String> {
        let mut expanded = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            let Some((inside, behind)) = after.split_once('}') else {
                return Err(format!("a `${{` is never closed (in `{place}`)"));
            };
            if inside.contains("${") {
                return Err(format!("a variable stands within a variable (in `{place}`)"));
            }
            expanded.push_str(before);
            expanded.push_str(&self.value(place, inside)?);
            rest = behind;
        }
        expanded.push_str(rest);
        Ok(expanded)
    }

    fn value(&self, place: &str, inside: &str) -> Result<String, String> {
        let (name, default) = match inside.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (inside, None),
        };
        let name = name.strip_prefix("env:").unwrap_or(name);
        let shown = escaped(name);
        if !is_name(name) {
            return Err(format!(
                "`${{{shown}}}` is no variable that is known here (used in `{place}`)"
            ));
        }
        match ((self.lookup)(name), default) {
            (Some(value), Some(default)) if value.is_empty() => Ok(default.to_owned()),
            (Some(value), _) => {
                if value.contains('\0') {
                    return Err(format!("variable {shown} holds a zero character"));
                }
                self.used.borrow_mut().push((name.to_owned(), SecretString::from(value.as_str())));
                Ok(value)
            }
            (None, Some(default)) => Ok(default.to_owned()),
            (None, None) => Err(format!("variable {shown} is not set (used in `{place}`)")),
        }
    }
}

/// The environment of this program.
pub(super) fn of_environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Whether a text can be the name of a variable, as POSIX has it.
fn is_name(name: &str) -> bool {
    let first = name.bytes().next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_');
    first && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// The shortest value that is replaced; what is shorter stands in every other word.
pub(super) const SHORTEST: usize = 3;

/// A text with the values of variables replaced by their names, longest value first.
pub(super) fn named(text: &str, variables: &[(String, SecretString)]) -> String {
    let mut by_length: Vec<_> =
        variables.iter().filter(|(_, v)| v.expose_secret().len() >= SHORTEST).collect();
    by_length.sort_by_key(|(_, value)| std::cmp::Reverse(value.expose_secret().len()));
    by_length.iter().fold(text.to_owned(), |text, (name, value)| {
        text.replace(value.expose_secret(), &format!("${{{name}}}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lookup(name: &str) -> Option<String> {
        match name {
            "TOKEN" => Some("s3cret".into()),
            "NESTED" => Some("${TOKEN}".into()),
            "EMPTY" => Some(String::new()),
            _ => None,
        }
    }

    #[test]
    fn variables_are_put_in_place_once() {
        let variables = Variables::new(&lookup);
        for (text, expected) in [
            ("Bearer ${TOKEN}", "Bearer s3cret"),
            ("${env:TOKEN}${TOKEN}", "s3crets3cret"),
            ("${NESTED}", "${TOKEN}"),
            ("${MISSING:-d}", "d"),
            ("${EMPTY:-d}${EMPTY}", "d"),
            ("$TOKEN $1.00 {} $", "$TOKEN $1.00 {} $"),
        ] {
            assert_eq!(variables.expand("x", text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_not_set_is_named_with_its_place() {
        let variables = Variables::new(&lookup);
        let why = variables.expand("headers.Authorization", "${MISSING}").expect_err("not set");
        assert_eq!(why, "variable MISSING is not set (used in `headers.Authorization`)");
        for text in [
            "${input:x}",
            "${workspaceFolder}/${a b}",
            "${}",
            "Bearer ${TOKEN",
            "${MISSING:-${TOKEN}}",
            "${TOKEN:-${MISSING}}",
        ] {
            assert!(variables.expand("x", text).is_err(), "{text}");
        }
    }

    #[test]
    fn values_are_shown_as_their_names() {
        let variables = Variables::new(&lookup);
        let url = variables.expand("url", "http://h/${TOKEN}/x").expect("set");
        assert_eq!(named(&url, &variables.take_used()), "http://h/${TOKEN}/x");
        assert!(variables.take_used().is_empty());
    }
}
