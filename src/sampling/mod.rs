//! The two doors: nothing reaches a model and nothing goes back to a server until it was approved.
//!
//! [`SamplingService::sample`] is the whole journey as one linear function. It knows no screen and
//! no transport; dropping its future is withdrawal, and there is no other way to cancel.

mod approver;
mod disclosure;
mod error;
mod gate;
mod policy;
mod service;
mod validate;

pub use approver::{DenyAll, RequestReview, ResponseReview, SamplingApprover};
pub use disclosure::{Disclosure, request_digest};
pub use error::SamplingError;
pub use gate::Gate;
pub use policy::SamplingPolicy;
pub use service::SamplingService;
