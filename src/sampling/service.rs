//! The journey of one request, from a server to a model and back.

use super::{
    Disclosure, RequestReview, ResponseReview, SamplingApprover, SamplingError, SamplingPolicy,
    disclosure::request_digest, validate,
};
use crate::{
    domain::{
        ApprovedRequest, Decision, FailureKind, Model, Origin, ReviewId, SamplingRequest,
        SamplingResponse, Stage,
    },
    provider::SamplingProvider,
};
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

/// Carries sampling requests through both doors.
pub struct SamplingService {
    approver: Arc<dyn SamplingApprover>,
    provider: Arc<dyn SamplingProvider>,
    model: Model,
    policy: SamplingPolicy,
    next_review: AtomicU64,
}

impl SamplingService {
    /// Puts a service together from who decides, who answers and what is allowed.
    pub fn new(
        approver: Arc<dyn SamplingApprover>,
        provider: Arc<dyn SamplingProvider>,
        model: Model,
        policy: SamplingPolicy,
    ) -> Self {
        Self { approver, provider, model, policy, next_review: AtomicU64::new(1) }
    }

    /// Carries one request through: validate, door one, validate again, model, validate, door two,
    /// validate again, disclose. Dropping the future withdraws the request.
    ///
    /// # Errors
    /// [`SamplingError`] with the kind and the stage; it never carries content.
    pub async fn sample(
        &self,
        request: SamplingRequest,
        origin: Origin,
    ) -> Result<Disclosure, SamplingError> {
        let journey = self.journey(request, origin);
        tokio::time::timeout(self.policy.whole, journey).await.unwrap_or_else(|_| {
            Err(SamplingError::new(FailureKind::DeadlineExceeded, Stage::Lifecycle))
        })
    }

    async fn journey(
        &self,
        request: SamplingRequest,
        origin: Origin,
    ) -> Result<Disclosure, SamplingError> {
        validate::request(&request, &self.policy)?;
        let id = ReviewId(self.next_review.fetch_add(1, Ordering::Relaxed));
        let approved = self.door_one(id, request, &origin).await?;
        let answer = self.ask_model(&approved).await?;
        validate::response(&answer, &self.policy)?;
        self.door_two(id, answer, origin).await
    }

    async fn door_one(
        &self,
        id: ReviewId,
        request: SamplingRequest,
        origin: &Origin,
    ) -> Result<ApprovedRequest, SamplingError> {
        let digest = request_digest(&request, &self.model);
        let model = self.model.clone();
        let review = RequestReview { id, origin: origin.clone(), request, model, digest };
        let (value, named) = match self.approver.review_request(&review).await {
            Decision::Approve { value, digest } => (value, digest),
            Decision::Deny { .. } => {
                return Err(SamplingError::new(FailureKind::Rejected, Stage::RequestReview));
            }
        };
        validate::request(&value, &self.policy)?;
        if request_digest(&value, &self.model) != named {
            return Err(not_what_was_seen(Stage::RequestReview));
        }
        Ok(ApprovedRequest { request: value, model: review.model, digest: named })
    }

    async fn ask_model(
        &self,
        request: &ApprovedRequest,
    ) -> Result<SamplingResponse, SamplingError> {
        let call = self.provider.sample(request, &self.model);
        match tokio::time::timeout(self.policy.model, call).await {
            Ok(Ok(answer)) => Ok(answer.response),
            Ok(Err(_)) => Err(SamplingError::new(FailureKind::Execution, Stage::ModelExecution)),
            Err(_) => Err(SamplingError::new(FailureKind::DeadlineExceeded, Stage::ModelExecution)),
        }
    }

    async fn door_two(
        &self,
        id: ReviewId,
        response: SamplingResponse,
        origin: Origin,
    ) -> Result<Disclosure, SamplingError> {
        let disclosure = Disclosure::of(&response);
        let review = ResponseReview { id, origin, response, disclosure };
        let (value, named) = match self.approver.review_response(&review).await {
            Decision::Approve { value, digest } => (value, digest),
            Decision::Deny { .. } => {
                return Err(SamplingError::new(FailureKind::Rejected, Stage::ResponseReview));
            }
        };
        validate::response(&value, &self.policy)?;
        let disclosure = Disclosure::of(&value);
        if disclosure.digest() != named {
            return Err(not_what_was_seen(Stage::ResponseReview));
        }
        Ok(disclosure)
    }
}

fn not_what_was_seen(stage: Stage) -> SamplingError {
    SamplingError::new(FailureKind::Rejected, stage).detail("the approval was for something else")
}
