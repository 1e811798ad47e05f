//! Servers that ask for a model call: the one inside its answer, the other by a request of its own.

use crate::installed::{close, id, spec, text};
use std::sync::{Arc, Mutex, PoisonError};
use vestibule::{
    domain::{Decision, Era, EraChoice, Model, SamplingRequest, SamplingResponse, ServerSpec},
    provider::{BoxFuture, ClosureProvider},
    registry::Registry,
    sampling::{
        DenyAll, RequestReview, ResponseReview, SamplingApprover, SamplingPolicy, SamplingService,
    },
};

/// Says yes to everything, and keeps who asked.
#[derive(Default)]
struct Yes(Mutex<Vec<(Era, Option<String>)>>);

impl SamplingApprover for Yes {
    fn review_request<'a>(
        &'a self,
        review: &'a RequestReview,
    ) -> BoxFuture<'a, Decision<SamplingRequest>> {
        let asker = (review.origin.era, review.origin.call.clone());
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(asker);
        let yes = Decision::Approve { value: review.request.clone(), digest: review.digest };
        Box::pin(std::future::ready(yes))
    }

    fn review_response<'a>(
        &'a self,
        review: &'a ResponseReview,
    ) -> BoxFuture<'a, Decision<SamplingResponse>> {
        let digest = review.disclosure.digest();
        let yes = Decision::Approve { value: review.response.clone(), digest };
        Box::pin(std::future::ready(yes))
    }
}

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
        let asked = approver.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
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
