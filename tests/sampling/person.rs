//! A person at the doors, played by a test.

use std::sync::{Arc, Mutex};
use tokio::sync::{mpsc, oneshot};
use vestibule::{
    domain::{Decision, SamplingRequest, SamplingResponse},
    provider::BoxFuture,
    sampling::{RequestReview, ResponseReview, SamplingApprover},
};

/// What lies before the person, and the way to decide on it.
pub(crate) enum Door {
    /// Door one.
    Request(Box<RequestReview>, oneshot::Sender<Decision<SamplingRequest>>),
    /// Door two.
    Response(Box<ResponseReview>, oneshot::Sender<Decision<SamplingResponse>>),
}

/// The test's side.
pub(crate) struct Person {
    doors: mpsc::Receiver<Door>,
    knock: mpsc::Sender<Door>,
    withdrawn: Arc<Mutex<mpsc::Receiver<()>>>,
    withdraw: mpsc::Sender<()>,
}

impl Default for Person {
    fn default() -> Self {
        let (knock, doors) = mpsc::channel(8);
        let (withdraw, withdrawn) = mpsc::channel(2048);
        Self { doors, knock, withdrawn: Arc::new(Mutex::new(withdrawn)), withdraw }
    }
}

impl Person {
    /// The approver that asks this person.
    pub(crate) fn approver(&self) -> Asking {
        Asking { knock: self.knock.clone(), withdraw: self.withdraw.clone() }
    }

    /// Waits for a request at door one.
    pub(crate) async fn request(
        &mut self,
    ) -> (RequestReview, oneshot::Sender<Decision<SamplingRequest>>) {
        match self.doors.recv().await {
            Some(Door::Request(review, decide)) => (*review, decide),
            _ => panic!("a request should be at door one"),
        }
    }

    /// Waits for an answer at door two.
    pub(crate) async fn response(
        &mut self,
    ) -> (ResponseReview, oneshot::Sender<Decision<SamplingResponse>>) {
        match self.doors.recv().await {
            Some(Door::Response(review, decide)) => (*review, decide),
            _ => panic!("an answer should be at door two"),
        }
    }

    /// Waits until a review was withdrawn.
    pub(crate) async fn withdrawal(&self) {
        let withdrawn = self.withdrawn.clone();
        let waiting = tokio::task::spawn_blocking(move || {
            withdrawn.lock().unwrap().blocking_recv().expect("a withdrawal");
        });
        waiting.await.expect("joined");
    }

    /// Whether nobody is at a door.
    pub(crate) fn is_alone(&mut self) -> bool {
        self.doors.try_recv().is_err()
    }
}

/// The approver that asks a test.
pub(crate) struct Asking {
    knock: mpsc::Sender<Door>,
    withdraw: mpsc::Sender<()>,
}

/// Tells when a review is dropped before it was decided.
struct Watch<'a>(Option<&'a mpsc::Sender<()>>);

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        if let Some(withdraw) = self.0 {
            withdraw.try_send(()).expect("room for a withdrawal");
        }
    }
}

impl Asking {
    async fn ask<T>(&self, door: Door, decided: oneshot::Receiver<Decision<T>>) -> Decision<T> {
        let mut watch = Watch(Some(&self.withdraw));
        self.knock.send(door).await.expect("a person");
        let decision = decided.await.unwrap_or(Decision::Deny { reason: None });
        watch.0 = None;
        decision
    }
}

impl SamplingApprover for Asking {
    fn review_request<'a>(
        &'a self,
        review: &'a RequestReview,
    ) -> BoxFuture<'a, Decision<SamplingRequest>> {
        let (decide, decided) = oneshot::channel();
        Box::pin(self.ask(Door::Request(Box::new(review.clone()), decide), decided))
    }

    fn review_response<'a>(
        &'a self,
        review: &'a ResponseReview,
    ) -> BoxFuture<'a, Decision<SamplingResponse>> {
        let (decide, decided) = oneshot::channel();
        Box::pin(self.ask(Door::Response(Box::new(review.clone()), decide), decided))
    }
}
