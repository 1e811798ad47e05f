//! Arguments of a prompt, checked before anything is sent.

use crate::{
    content::reveal_line,
    domain::{Fault, FaultKind, Prompt},
};
use std::collections::HashSet;

/// Checks arguments against what the prompt says it takes: none twice, none unknown, no required
/// one missing or empty. An explicit empty is sent for an optional one.
pub(super) fn check(prompt: &Prompt, arguments: &[(String, String)]) -> Result<(), Fault> {
    let invalid = |what: String| Err(Fault::new(FaultKind::Validation, what).hint(takes(prompt)));
    if let Some(name) = given_twice(arguments) {
        return invalid(format!("the argument `{}` is given twice", shown(name)));
    }
    for (name, _) in arguments {
        if !prompt.arguments.iter().any(|a| a.name.raw() == name) {
            return invalid(format!("the prompt takes no argument `{}`", shown(name)));
        }
    }
    for required in prompt.arguments.iter().filter(|a| a.required) {
        let name = required.name.raw();
        match arguments.iter().find(|(given, _)| given == name) {
            None => return invalid(format!("the argument `{}` is required", shown(name))),
            Some((_, value)) if value.is_empty() => {
                return invalid(format!(
                    "the argument `{}` is required and may not be empty",
                    shown(name)
                ));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// The first name that has more than one value: which is meant would be a guess.
pub(super) fn given_twice(values: &[(String, String)]) -> Option<&str> {
    let mut given = HashSet::new();
    values.iter().map(|(name, _)| name.as_str()).find(|name| !given.insert(*name))
}

/// The arguments that a prompt takes.
pub(super) fn names_of(prompt: &Prompt) -> Vec<String> {
    prompt.arguments.iter().map(|argument| argument.name.raw().to_owned()).collect()
}

/// A name fit to stand in a sentence of ours.
pub(super) fn shown(name: &str) -> String {
    reveal_line(name).plain()
}

fn takes(prompt: &Prompt) -> String {
    if prompt.arguments.is_empty() {
        return "it takes no arguments".into();
    }
    let names: Vec<String> = prompt
        .arguments
        .iter()
        .map(|a| {
            let name = shown(a.name.raw());
            if a.required { name } else { format!("[{name}]") }
        })
        .collect();
    format!("it takes: {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::PromptArgument;

    #[test]
    fn absent_and_empty_differ() {
        let argument = |name: &str, required| PromptArgument {
            name: name.into(),
            title: None,
            description: None,
            required,
        };
        let prompt = Prompt {
            name: "p".into(),
            title: None,
            description: None,
            arguments: vec![argument("need", true), argument("may", false)],
        };
        let check = |given: &[(&str, &str)]| {
            let given: Vec<_> =
                given.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
            super::check(&prompt, &given).map_err(|f| f.what)
        };
        assert_eq!(check(&[("need", "x")]), Ok(()));
        assert_eq!(check(&[("need", "--x y\n"), ("may", "")]), Ok(()));
        for (bad, why) in [
            (vec![], "the argument `need` is required"),
            (vec![("need", "")], "the argument `need` is required and may not be empty"),
            (vec![("need", "x"), ("other", "y")], "the prompt takes no argument `other`"),
            (vec![("need", "x"), ("need", "y")], "the argument `need` is given twice"),
        ] {
            assert_eq!(check(&bad).as_ref().map_err(String::as_str), Err(why));
        }
    }
}
