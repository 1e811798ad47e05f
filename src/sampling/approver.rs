//! Who decides at the doors.

use super::Disclosure;
use crate::{
    domain::{Decision, Digest, Model, Origin, ReviewId, SamplingRequest, SamplingResponse},
    provider::BoxFuture,
};

/// What lies before the first door.
#[derive(Debug, Clone, PartialEq)]
pub struct RequestReview {
    /// Our own name for this request.
    pub id: ReviewId,
    /// Who asks, and why.
    pub origin: Origin,
    /// What is asked.
    pub request: SamplingRequest,
    /// The model that would answer.
    pub model: Model,
    /// Over request, model and endpoint: what an approval must name.
    pub digest: Digest,
}

/// What lies before the second door.
#[derive(Debug, Clone, PartialEq)]
pub struct ResponseReview {
    /// Our own name for this request.
    pub id: ReviewId,
    /// Who asks, and why.
    pub origin: Origin,
    /// The answer.
    pub response: SamplingResponse,
    /// Exactly what would leave.
    pub disclosure: Disclosure,
}

/// Decides at both doors. An approval names the digest of what was looked at; one that names
/// another digest is refused by the service.
pub trait SamplingApprover: Send + Sync {
    /// Door one: may this reach a model? The approved value may be an edited request, whose digest
    /// (see [`request_digest`](super::request_digest)) the approval then carries.
    fn review_request<'a>(
        &'a self,
        review: &'a RequestReview,
    ) -> BoxFuture<'a, Decision<SamplingRequest>>;

    /// Door two: may this leave? The approved value may be an edited answer, whose digest
    /// ([`Disclosure::digest`]) the approval then carries.
    fn review_response<'a>(
        &'a self,
        review: &'a ResponseReview,
    ) -> BoxFuture<'a, Decision<SamplingResponse>>;
}

/// Says no to everything.
#[derive(Debug, Clone, Copy, Default)]
pub struct DenyAll;

impl SamplingApprover for DenyAll {
    fn review_request<'a>(
        &'a self,
        _review: &'a RequestReview,
    ) -> BoxFuture<'a, Decision<SamplingRequest>> {
        Box::pin(std::future::ready(Decision::Deny { reason: None }))
    }

    fn review_response<'a>(
        &'a self,
        _review: &'a ResponseReview,
    ) -> BoxFuture<'a, Decision<SamplingResponse>> {
        Box::pin(std::future::ready(Decision::Deny { reason: None }))
    }
}
