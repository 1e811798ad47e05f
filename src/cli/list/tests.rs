use super::*;
use crate::{
    cli::samples::{connecting, down, presented, resource, up, up_with, view},
    domain::{Malformed, Resource, Truncation},
    registry::RegistryView,
};
use serde_json::{Value, json};

fn list(view: &RegistryView, options: &Options) -> (String, String, u8) {
    presented(view, |settled, out, reporter| present::<Resource>(settled, options, out, reporter))
}

fn with(server: ServerView, change: impl FnOnce(&mut Listing<Arc<Resource>>)) -> ServerView {
    let mut lists = (*server.lists).clone();
    change(Arc::make_mut(&mut lists.resources));
    ServerView { lists: Arc::new(lists), ..server }
}

fn described(uri: &str, description: &str) -> Resource {
    Resource {
        description: Some(description.into()),
        mime_type: Some("text/plain".into()),
        ..resource(uri)
    }
}

#[test]
fn plain_rows_are_columns_in_which_nothing_acts_on_a_terminal() {
    let items = vec![described("demo://a", "one\nmore"), described("demo://\u{1b}]0;t\u{7}", "")];
    let (out, err, code) = list(&view(vec![up_with("a", items)]), &Options::default());
    assert!(out.starts_with("demo://a"), "{out}");
    assert!(out.lines().next().is_some_and(|l| l.ends_with("text/plain  one …")), "{out}");
    assert!(!out.chars().any(|c| c.is_control() && c != '\n'), "{out:?}");
    assert_eq!((err.as_str(), code), ("", 0));
}

#[test]
fn json_rows_have_the_five_fields_and_null_where_nothing_was_said() {
    let items = vec![described("demo://a", "one\nmore"), resource("demo://b")];
    let options = Options { json: true, ..Options::default() };
    let (out, _, _) = list(&view(vec![up_with("s", items)]), &options);
    let rows: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(
        rows,
        json!([
            {"uri": "demo://a", "server": "s", "name": "name", "description": "one\nmore",
             "mime_type": "text/plain"},
            {"uri": "demo://b", "server": "s", "name": "name", "description": null,
             "mime_type": null},
        ])
    );
    assert_eq!(out.lines().count(), 1);
}

#[test]
fn one_failing_server_is_reported_and_the_others_are_listed() {
    let view = view(vec![down("bad"), up_with("good", vec![resource("a:b")])]);
    let (out, err, code) = list(&view, &Options::default());
    assert_eq!((out.lines().count(), code), (1, 0));
    assert_eq!(err, "vestibule: bad: could not be reached\n");
    let strict = Options { strict: true, ..Options::default() };
    assert_eq!(list(&view, &strict).2, 4);
}

#[test]
fn a_failed_list_is_a_failure_and_never_an_empty_success() {
    let fault = Fault::new(FaultKind::ServerError, "answered with an error");
    let failed = with(up("a"), |l| l.state = ListingState::Failed(fault));
    let (out, err, code) = list(&view(vec![failed]), &Options::default());
    assert_eq!((out.as_str(), code), ("", 6));
    assert_eq!(err, "vestibule: a: answered with an error\n");
}

#[test]
fn cut_partial_and_malformed_lists_are_printed_with_a_note_each() {
    let odd = with(up_with("a", vec![resource("a:b")]), |l| {
        l.truncated = Some(Truncation::Pages(2));
        l.state = ListingState::Partial(Fault::new(FaultKind::Protocol, "page 3 is no list"));
        l.malformed = (0..12)
            .map(|n| Malformed {
                why: "uri should be a string".into(),
                label: Some(format!("n{n}").into()),
                raw: "{}".into(),
            })
            .collect();
    });
    let view = view(vec![odd]);
    let (out, err, code) = list(&view, &Options::default());
    assert_eq!((out.lines().count(), code), (1, 0));
    for part in [
        "its resources are not all of them: page 3 is no list",
        "its list of resources is not whole: cut after 2 pages",
        "12 of its resources could not be read\n  n0: uri should be a string\n",
        "  and 2 more\n",
    ] {
        assert!(err.contains(part), "{part} is missing in {err}");
    }
    let strict = Options { strict: true, ..Options::default() };
    assert_eq!(list(&view, &strict).2, 7);
}

#[test]
fn a_strict_command_fails_for_each_thing_that_makes_a_list_less_than_whole() {
    let strict = Options { strict: true, ..Options::default() };
    let malformed =
        Malformed { why: "uri should be a string".into(), label: None, raw: "{}".into() };
    let stale = ListingState::Stale(Fault::new(FaultKind::Closed, "went away"));
    let partial = ListingState::Partial(Fault::new(FaultKind::ServerError, "page 3 failed"));
    type Change<'a> = &'a dyn Fn(&mut Listing<Arc<Resource>>);
    let cases: [(Change<'_>, u8); 4] = [
        (&|l| l.truncated = Some(Truncation::Items(2)), 7),
        (&|l| l.malformed = vec![malformed.clone()], 7),
        (&|l| l.state = stale.clone(), 4),
        (&|l| l.state = partial.clone(), 6),
    ];
    for (change, code) in cases {
        let view = view(vec![with(up_with("a", vec![resource("a:b")]), change), up("b")]);
        let (out, err, lax) = list(&view, &Options::default());
        let (same, error, found) = list(&view, &strict);
        assert_eq!((lax, found), (0, code), "{error}");
        assert_eq!((out, err), (same, error));
    }
    assert_eq!(list(&view(vec![up_with("a", vec![resource("a:b")])]), &strict).2, 0);
}

#[test]
fn what_is_there_when_time_runs_out_is_printed() {
    let view = view(vec![up_with("a", vec![resource("a:b")]), connecting("slow")]);
    let (out, err, code) = list(&view, &Options::default());
    assert_eq!((out.lines().count(), code), (1, 4));
    assert!(err.contains("slow: gave no resources in time"), "{err}");
}

#[test]
fn a_server_named_restricts_and_an_unknown_one_is_not_found() {
    let view = view(vec![up_with("a", vec![resource("x:a")]), up_with("b", vec![resource("x:b")])]);
    let named = |name: &str| Options { server: Some(name.into()), ..Options::default() };
    assert!(list(&view, &named("b")).0.starts_with("x:b"));
    assert_eq!(list(&view, &named("b")).0.lines().count(), 1);
    let (out, _, code) = list(&view, &named("c"));
    assert_eq!((out.as_str(), code), ("", 5));
}

#[test]
fn nothing_listed_is_said_in_words_and_in_json_an_empty_array() {
    let view = view(vec![up("a")]);
    let (out, err, code) = list(&view, &Options::default());
    assert_eq!((out.as_str(), code), ("", 0));
    assert_eq!(err, "vestibule: there are no resources\n");
    assert_eq!(list(&view, &Options { json: true, ..Options::default() }).0, "[]\n");
}

#[test]
fn copies_are_counted() {
    let mut view = view(vec![up_with("a", vec![resource("x:a")])]);
    let mut catalogue = (*view.catalogue).clone();
    Arc::make_mut(&mut catalogue.resources)[0].copies = 3;
    view.catalogue = Arc::new(catalogue);
    let (_, err, code) = list(&view, &Options::default());
    assert_eq!(
        (err.as_str(), code),
        ("vestibule: a: 1 of its resources are listed more than once\n", 0)
    );
}
