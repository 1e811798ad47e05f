//! Templates: what is asked for once they are filled in, and what is never asked.

use crate::{
    calls::pairs,
    house::{House, Setup, Way},
};
use serde_json::{Value, json};
use vestibule::domain::{Fault, FaultKind, Permissions};

fn script(era: &str, templates: &[&str]) -> Value {
    let items: Vec<Value> =
        templates.iter().map(|t| json!({"uriTemplate": t, "name": "t"})).collect();
    json!({"era": era, "resources": [], "templates": items})
}

/// Fills in a template of a server that has nothing to read; says for which URI it was asked.
async fn asked(house: &House, template: &str, values: &[(&str, &str)]) -> Value {
    let before = house.received("one", "resources/read").await.len();
    let filled = house.registry.read_template(template, &pairs(values), None).await;
    assert_eq!(filled.expect_err("nothing there").kind, FaultKind::ServerError);
    // The look itself is a read too.
    house.received("one", "resources/read").await[before]["params"]["uri"].clone()
}

async fn refused(house: &House, template: &str, values: &[(&str, &str)]) -> Fault {
    let filled = house.registry.read_template(template, &pairs(values), None).await;
    filled.expect_err("refused")
}

pub(crate) async fn values_arrive_encoded_once(way: Way) {
    for era in ["legacy", "modern"] {
        let templates = ["res://events/{topic}", "res://raw/{+v}", "res://e{?topic,lang}"];
        let house = Setup::new(way).server("one", script(era, &templates)).open();
        for (template, values, expected) in [
            (templates[0], &[("topic", "a/b c%é!")][..], "res://events/a%2Fb%20c%25%C3%A9%21"),
            (templates[1], &[("v", "a%2Fb[1]")], "res://raw/a%2Fb[1]"),
            (templates[2], &[], "res://e"),
            (templates[2], &[("topic", "x")], "res://e?topic=x"),
            (templates[2], &[("lang", "")], "res://e?lang="),
        ] {
            assert_eq!(asked(&house, template, values).await, expected, "{template}");
            let qualified = format!("one:{template}");
            assert_eq!(asked(&house, &qualified, values).await, expected, "{qualified}");
        }
        house.close().await;
    }
}

pub(crate) async fn what_cannot_be_filled_in_is_not_sent(way: Way) {
    let broken = "res://{id";
    let house = Setup::new(way).server("one", script("legacy", &["res://{a}{?b}", broken])).open();
    for (template, values, what, hint) in [
        ("res://{a}{?b}", &[("c", "1")][..], "no variable `c`", Some("it takes: a, b")),
        ("res://{a}{?b}", &[("a", "1"), ("a", "2")], "`a` is given twice", Some("it takes: a, b")),
        (broken, &[("id", "1")], "a `{` is never closed, at byte 7", None),
    ] {
        let fault = refused(&house, template, values).await;
        assert_eq!(fault.kind, FaultKind::Validation, "{fault:?}");
        assert!(fault.what.contains(what), "{fault:?}");
        assert_eq!(fault.hint.as_deref(), hint);
        assert_eq!(fault.who.as_ref().map(|who| who.as_str()), Some("one"));
    }
    let rows = house.registry.list_templates().await;
    let problems: Vec<bool> = rows.iter().map(|row| row.problem.is_some()).collect();
    assert_eq!(problems, [false, true], "listed, with the reason");
    assert_eq!(house.received("one", "resources/read").await.len(), 1, "the look alone");
    house.close().await;
}

pub(crate) async fn a_forbidden_template_or_uri_looks_unknown(way: Way) {
    let patterns = ["res://*", "!res://secret/*"].map(str::to_owned).to_vec();
    let permissions = Permissions { resources: Some(patterns), ..Permissions::default() };
    let templates = ["res://{area}/{id}", "res://secret/{id}"];
    let house = Setup::new(way)
        .adjusted("one", script("legacy", &templates), |spec| spec.permissions(permissions))
        .server("two", script("legacy", &[]))
        .open();
    assert_eq!(house.registry.list_templates().await.len(), 1);
    let look = |fault: &Fault| (fault.kind, fault.what.clone(), fault.hint.clone());
    let unknown = refused(&house, "no:{such}", &[("such", "1")]).await;
    assert_eq!(unknown.kind, FaultKind::NotFound);
    for (template, values) in [
        (templates[1], &[("id", "1")][..]),
        // Allowed as a template, and not what comes of it.
        (templates[0], &[("area", "secret"), ("id", "1")]),
    ] {
        assert_eq!(look(&refused(&house, template, values).await), look(&unknown));
    }
    let sent = house.registry.traffic(&crate::house::id("one"));
    assert!(sent.iter().all(|e| !String::from_utf8_lossy(&e.bytes).contains("resources/read")));
    house.close().await;
}
