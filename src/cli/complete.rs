//! `vestibule complete NAME ARGUMENT[=VALUE] [KEY=VALUE…]`: what a server proposes for an argument.

use super::{Complete, Options, Reporter, blocks::write_line, json, outcome::Stop};
use crate::{
    domain::{Completable, Fault, FaultKind, Surface, UntrustedText},
    registry::{Proposals, Query, Registry},
};
use serde::Serialize;
use std::io::Write;

#[derive(Serialize)]
struct CompletionJson<'a> {
    values: &'a [UntrustedText],
    total: Option<u64>,
    has_more: bool,
}

/// Which lists have to be there to know what an address means.
pub(super) fn surface(complete: &Complete) -> Surface {
    if complete.name.contains('{') { Surface::Resources } else { Surface::Prompts }
}

/// Asks. What has no braces has no variables, so it is a prompt; what has braces is a template
/// unless a prompt is called like that.
pub(super) async fn ask(
    registry: &Registry,
    complete: &Complete,
    others: &[(String, String)],
    server: Option<&str>,
) -> Result<Proposals, Fault> {
    let address = complete.name.as_str();
    let braces = address.contains('{');
    let of = if !braces || registry.is_prompt(address, server).await {
        Completable::Prompt
    } else {
        Completable::Template
    };
    let (argument, value) = &complete.argument;
    registry.complete(Query { of, address, argument, value, others }, server).await
}

/// Writes the values, and a note when they are not all.
pub(super) fn present(
    proposals: &Proposals,
    options: &Options,
    out: &mut dyn Write,
    reporter: &mut Reporter<'_>,
) -> Result<(), Stop> {
    let completion = &proposals.completion;
    if options.json {
        let (total, has_more) = (completion.total, completion.has_more);
        let value = CompletionJson { values: &completion.values, total, has_more };
        json::write(out, &value, options.terminal)?;
    } else {
        completion.values.iter().try_for_each(|value| write_line(out, value.raw()))?;
    }
    out.flush()?;
    match completion.extent() {
        Some(extent) => reporter.remark(&proposals.server, FaultKind::Limit, extent),
        None if completion.values.is_empty() && !options.json => {
            reporter.remark(&proposals.server, FaultKind::NotFound, "it proposes nothing");
        }
        None => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Completion, ServerId};

    fn run(completion: Completion, json: bool) -> (String, String) {
        let proposals = Proposals { server: ServerId::sanitized("s"), completion };
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let options = Options { json, ..Options::default() };
        present(&proposals, &options, &mut out, &mut Reporter::new(&mut err, false)).expect("ok");
        (String::from_utf8(out).expect("UTF-8"), String::from_utf8(err).expect("UTF-8"))
    }

    #[test]
    fn one_value_a_line_and_how_many_there_are() {
        let values = vec!["a b".into(), "two\nlines\u{1b}[2J".into(), "".into()];
        let some = Completion { values, total: Some(250), has_more: true, left_out: 0 };
        let (out, err) = run(some.clone(), false);
        assert_eq!(out.lines().count(), 3, "{out}");
        assert!(out.starts_with("a b\n") && !out.contains('\u{1b}'), "{out}");
        assert_eq!(err, "vestibule: s: 3 of 250\n");
        let (out, _) = run(some, true);
        let value: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(value["values"][1], "two\nlines\u{1b}[2J");
        assert_eq!((&value["total"], &value["has_more"]), (&250.into(), &true.into()));
    }

    #[test]
    fn nothing_is_said_once_and_is_an_empty_list_for_programs() {
        let (out, err) = run(Completion::default(), false);
        assert_eq!((out.as_str(), err.as_str()), ("", "vestibule: s: it proposes nothing\n"));
        let (out, err) = run(Completion::default(), true);
        let expected = "{\"values\":[],\"total\":null,\"has_more\":false}\n";
        assert_eq!((out.as_str(), err.as_str()), (expected, ""));
    }
}
