//! What is used only after a yes.

use crate::house::{Setup, Way, id};
use serde_json::json;
use vestibule::domain::{Confirm, FaultKind, Permissions, Surface};

pub(crate) async fn without_a_yes_nothing_is_sent(way: Way) {
    let patterns = |list: &[&str]| Some(list.iter().map(|p| (*p).to_owned()).collect());
    let confirm = Confirm {
        resources: patterns(&["a:secret*", "!a:secret/no"]),
        prompts: patterns(&["send_*"]),
        tools: patterns(&["*"]),
    };
    let permissions = Permissions { confirm, ..Permissions::default() };
    let script = json!({
        "resources": [{"uri": "a:1", "name": "r"}, {"uri": "a:secret", "name": "s"}],
        "templates": [{"uriTemplate": "a:{x}", "name": "t"}],
        "prompts": [{"name": "send_mail"}, {"name": "draft"}],
        "tools": [{"name": "t", "inputSchema": {"type": "object"}}],
        "contents": {"a:1": [{"uri": "a:1", "text": "one"}],
                     "a:secret": [{"uri": "a:secret", "text": "two"}]},
    });
    let house = Setup::new(way).adjusted("one", script, |s| s.permissions(permissions)).open();
    let registry = &house.registry;
    assert_eq!(house.text("a:1", None).await, "one");
    registry.get_prompt("draft", &[], None).await.expect("no yes is needed");

    let secret = [("x".to_owned(), "secret".to_owned())];
    let refused = [
        registry.read_resource("a:secret", None).await.expect_err("no yes"),
        registry.read_resource("one:a:secret", Some("one")).await.expect_err("no yes"),
        registry.read_template("a:{x}", &secret, None).await.expect_err("no yes"),
        registry.get_prompt("send_mail", &[], None).await.expect_err("no yes"),
    ];
    for fault in refused {
        assert_eq!((fault.kind, fault.who.as_ref()), (FaultKind::Declined, Some(&id("one"))));
        assert!(fault.hint.is_some_and(|hint| hint.contains("--yes")));
    }
    let sent = house.received("one", "resources/read").await;
    assert!(sent.iter().all(|m| m["params"]["uri"] != "a:secret"), "{sent:?}");
    assert_eq!(house.received("one", "prompts/get").await.len(), 1, "the draft");

    let yes = registry.confirmed();
    yes.read_resource("a:secret", None).await.expect("with a yes");
    yes.read_template("a:{x}", &secret, None).await.expect("with a yes");
    yes.get_prompt("send_mail", &[], None).await.expect("with a yes");
    registry.read_resource("a:secret", None).await.expect_err("one yes is not the next");

    let view = registry.view();
    let catalogue = &view.catalogue;
    let resources: Vec<bool> = catalogue.resources.iter().map(|r| r.needs_confirmation).collect();
    let prompts: Vec<bool> = catalogue.prompts.iter().map(|r| r.needs_confirmation).collect();
    assert_eq!((resources, prompts), (vec![false, true], vec![true, false]));
    assert!(!catalogue.templates[0].needs_confirmation && catalogue.tools[0].needs_confirmation);
    let needs = |name: &str| registry.needs_confirmation(&id("one"), Surface::Resources, name);
    assert!(needs("a:secret/yes") && !needs("a:secret/no") && !needs("a:1"));
    house.close().await;
}
