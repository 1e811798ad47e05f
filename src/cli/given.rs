//! `KEY=VALUE` on the command line: what a prompt, a template or a completion is given.

use crate::{
    content::reveal_line,
    domain::{Fault, FaultKind},
};
use clap::Args;

/// Pairs of keys and values.
#[derive(Debug, Clone, Default, PartialEq, Args)]
pub struct Given {
    /// Arguments; the value is everything after the first =, KEY= is an explicit empty
    #[arg(value_name = "KEY=VALUE", value_parser = key_value)]
    pub arguments: Vec<(String, String)>,
    /// One more argument; here the key may begin with a dash
    #[arg(
        long = "arg",
        value_name = "KEY=VALUE",
        value_parser = key_value,
        allow_hyphen_values = true
    )]
    pub more: Vec<(String, String)>,
}

impl Given {
    /// All arguments in the order written, those of `--arg` last.
    ///
    /// # Errors
    /// A usage fault when a key is given twice: which one is meant would be a guess.
    pub fn pairs(&self) -> Result<Vec<(String, String)>, Fault> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        for (key, value) in self.arguments.iter().chain(&self.more) {
            if pairs.iter().any(|(known, _)| known == key) {
                let key = reveal_line(key).plain();
                let what = format!("the argument `{key}` is given twice");
                return Err(Fault::new(FaultKind::Usage, what));
            }
            pairs.push((key.clone(), value.clone()));
        }
        Ok(pairs)
    }
}

fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some(("", _)) => Err("the key in front of `=` is missing".into()),
        Some((key, value)) => Ok((key.to_owned(), value.to_owned())),
        None => Err("write `KEY=VALUE`, or `KEY=` for an explicit empty".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Arguments, Command, Prompt};
    use crate::domain::FaultKind;

    fn read(line: &[&str]) -> Result<Arguments, clap::Error> {
        Arguments::read(std::iter::once("vestibule").chain(line.iter().copied()).map(Into::into))
    }

    fn prompt(line: &[&str]) -> Prompt {
        match read(line).expect("a command line").command {
            Some(Command::Prompt(prompt)) => prompt,
            other => panic!("no prompt: {other:?}"),
        }
    }

    #[test]
    fn argument_values_are_taken_exactly() {
        let values = [
            "with spaces",
            "\"quoted\" and 'so'",
            "two\nlines",
            "--foo",
            "a=b=c",
            "",
            " ",
            "-o",
            "größe 漢字",
            "$HOME `x` \\",
        ];
        for value in values {
            let word = format!("text={value}");
            let expected = vec![("text".to_owned(), value.to_owned())];
            assert_eq!(prompt(&["prompt", "n", &word]).given.pairs(), Ok(expected.clone()));
            assert_eq!(prompt(&["prompt", "n", "--arg", &word]).given.pairs(), Ok(expected));
        }
        let dashed = prompt(&["prompt", "n", "--arg", "--key=v", "--json"]);
        assert_eq!(dashed.given.pairs(), Ok(vec![("--key".to_owned(), "v".to_owned())]));
    }

    #[test]
    fn arguments_without_a_key_and_keys_given_twice_are_refused() {
        for word in ["=v", "novalue"] {
            assert_eq!(read(&["prompt", "n", word]).expect_err("refused").exit_code(), 2);
        }
        let fault =
            prompt(&["prompt", "n", "a=1", "--arg", "a=1"]).given.pairs().expect_err("twice");
        assert_eq!(fault.kind, FaultKind::Usage);
        assert!(fault.what.contains("`a`"), "{fault}");
    }

    #[test]
    fn a_template_is_given_its_values_the_same_way() {
        let line = ["read", "x:{a}{?b}", "a=1=2", "--arg", "-b=", "--json"];
        let Some(Command::Read(read)) = read(&line).expect("a line").command else {
            panic!("no read")
        };
        let pairs = [("a", "1=2"), ("-b", "")].map(|(k, v)| (k.to_owned(), v.to_owned()));
        assert_eq!(read.given.pairs(), Ok(pairs.to_vec()));
    }
}
