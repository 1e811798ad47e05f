//! Servers that ask for a model call: the one inside its answer, the other by a request of its own.

use crate::{
    installed::{close, id, spec, text},
    yes::Yes,
};
use std::sync::Arc;
use vestibule::{
    domain::{Era, EraChoice, Model, ServerSpec},
    provider::ClosureProvider,
    registry::Registry,
    sampling::{DenyAll, SamplingApprover, SamplingPolicy, SamplingService},
};

/// A registry over one server called `python`, whose questions are all approved.
pub(crate) fn open_all_yes(spec: ServerSpec) -> Registry {
    open_with(Arc::new(Yes::default()), spec)
}

fn open(approver: Arc<dyn SamplingApprover>, era: EraChoice) -> Registry {
    open_with(approver, spec("python", era))
}

fn open_with(approver: Arc<dyn SamplingApprover>, spec: ServerSpec) -> Registry {
    let provider = ClosureProvider::new(|_, _| async { Ok("forty-two".to_owned()) });
    let model = Model { name: "closure".into(), endpoint: "this test".into() };
    let policy = SamplingPolicy::default();
    let service = SamplingService::new(approver, Arc::new(provider), model, policy);
    Registry::builder()
        .server(spec)
        .with_sampling(&id("python"), Arc::new(service))
        .open()
        .expect("one server")
}

#[tokio::test]
async fn an_approved_answer_reaches_the_server_in_both_eras() {
    for (choice, era, expected) in [
        (EraChoice::Auto, Era::Modern, "forty-two (s/=+1)"),
        (EraChoice::Legacy, Era::Legacy, "forty-two"),
    ] {
        let approver = Arc::new(Yes::default());
        let registry = open(approver.clone(), choice);
        let reading = registry.read_resource("py:ask", None).await.expect("a reading");
        assert_eq!(text(&reading), expected);
        let asked = approver.askers();
        let call = (era == Era::Modern).then(|| "read py:ask".to_owned());
        assert_eq!(asked, [(era, call)]);
        close(registry).await;
    }
}

#[tokio::test]
async fn a_no_ends_the_read_and_nothing_else_in_both_eras() {
    for choice in [EraChoice::Auto, EraChoice::Legacy] {
        let registry = open(Arc::new(DenyAll), choice);
        let fault = registry.read_resource("py:ask", None).await.expect_err("declined");
        assert!(matches!(fault.kind.code(), "declined" | "server_error"), "{fault:?}");
        assert!(registry.read_resource("py:item/1", None).await.is_ok());
        close(registry).await;
    }
}
