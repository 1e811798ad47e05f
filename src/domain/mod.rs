//! Plain data, no I/O: the nouns every floor shares.
//!
//! Nothing here knows a transport, a screen or a clock. Whatever a server wrote is an
//! [`UntrustedText`], which has no way onto a screen of its own.

mod call;
mod completion;
mod fault;
mod ids;
mod listing;
mod message;
mod prompt;
mod resource;
mod root;
mod sampling;
mod server;
mod subscription;
mod text;
mod tool;

pub use call::{CallState, Progress};
pub use completion::{Completable, Completion};
pub use fault::{Fault, FaultKind};
pub use ids::{CallId, ReviewId, ServerId, ServerIdError};
pub use listing::{Listing, ListingState, Malformed, Truncation};
pub use message::{Content, EmbeddedBody, Extra, Message, Role};
pub use prompt::{Prompt, PromptArgument, RenderedPrompt};
pub use resource::{
    Annotations, ContentNote, Resource, ResourceBody, ResourceContents, ResourceTemplate,
    is_absolute_uri,
};
pub use root::Root;
pub use sampling::{
    ApprovedRequest, Decision, Digest, FailureKind, IncludeContext, Model, ModelHint,
    ModelPreferences, Origin, SamplingRequest, SamplingResponse, SamplingTool, Stage, ToolChoice,
};
pub use server::{
    Capabilities, Confirm, Era, EraChoice, HttpKind, Link, Permissions, ServerFacts, ServerSpec,
    Surface, Transport,
};
pub use subscription::{Subscription, SubscriptionState};
pub use text::UntrustedText;
pub use tool::{Tool, ToolAnnotations, ToolResult};
