//! `KEY=VALUE` on the command line: what a prompt, a template or a completion is given.

use super::Common;
use crate::{
    content::reveal_line,
    domain::{Fault, FaultKind},
};
use clap::Args;

pub(super) const PROMPT_EXAMPLES: &str = "\
Examples:
  vestibule prompt recommend_book mood=rainy pages=200 --demo
  vestibule prompt library.greet name=\"Ada Lovelace\" --demo   one that several servers have
  vestibule prompt library.greet name= --demo                 an explicit empty
  vestibule prompt NAME --arg --odd-key=VALUE -- npx server   a key that begins with a dash";

pub(super) const COMPLETE_EXAMPLES: &str = "\
Examples:
  vestibule complete recommend_book mood --demo             all that there are
  vestibule complete recommend_book mood=re --demo          those that begin like this
  vestibule complete 'library://books/{id}' id --demo       a variable of a template
  vestibule complete recommend_book pages mood=rainy --demo with another one filled in";

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

/// `prompt NAME [KEY=VALUE…]`
#[derive(Debug, Clone, PartialEq, Args)]
pub struct Prompt {
    /// Its name, or SERVER.NAME
    #[arg(value_name = "NAME")]
    pub name: String,
    /// What it takes.
    #[command(flatten)]
    pub given: Given,
    /// Say yes where your permissions want one
    #[arg(long)]
    pub yes: bool,
    /// Options after the command's name.
    #[command(flatten)]
    pub common: Common,
}

/// `complete NAME ARGUMENT[=VALUE] [KEY=VALUE…]`
#[derive(Debug, Clone, PartialEq, Args)]
pub struct Complete {
    /// A prompt's name or a template, or SERVER. or SERVER: and one of them
    #[arg(value_name = "NAME")]
    pub name: String,
    /// The argument to complete, and what is written there so far
    #[arg(value_name = "ARGUMENT[=VALUE]", value_parser = begun)]
    pub argument: (String, String),
    /// What is filled in elsewhere.
    #[command(flatten)]
    pub given: Given,
    /// Options after the command's name.
    #[command(flatten)]
    pub common: Common,
}

fn begun(text: &str) -> Result<(String, String), String> {
    match text.split_once('=').unwrap_or((text, "")) {
        ("", _) => Err("the argument's name is missing".into()),
        (name, value) => Ok((name.to_owned(), value.to_owned())),
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
    fn a_completion_has_a_name_what_is_written_and_the_rest() {
        for (word, expected) in [("a", ("a", "")), ("a=", ("a", "")), ("a=b=c", ("a", "b=c"))] {
            let line = ["complete", "n", word, "x=1"];
            let Some(Command::Complete(complete)) = read(&line).expect("a line").command else {
                panic!("no completion")
            };
            assert_eq!((complete.argument.0.as_str(), complete.argument.1.as_str()), expected);
            assert_eq!(complete.given.pairs(), Ok(vec![("x".to_owned(), "1".to_owned())]));
        }
        assert!(read(&["complete", "n", "=b"]).is_err() && read(&["complete", "n"]).is_err());
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
