//! A person who says yes at both doors.

use std::sync::{Mutex, PoisonError};
use vestibule::{
    domain::{Decision, Era, SamplingRequest, SamplingResponse},
    provider::BoxFuture,
    sampling::{RequestReview, ResponseReview, SamplingApprover},
};

/// Says yes to everything, and keeps who asked.
#[derive(Default)]
pub(crate) struct Yes(Mutex<Vec<(Era, Option<String>)>>);

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

impl Yes {
    /// Who asked, and within which call.
    #[allow(dead_code, reason = "not every test wants to know")]
    pub(crate) fn askers(&self) -> Vec<(Era, Option<String>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
