//! A function of a library user as the model.

use super::{BoxFuture, ProviderAnswer, ProviderError, SamplingProvider};
use crate::domain::{ApprovedRequest, Message, Model, ModelPreferences, SamplingResponse};
use std::{fmt, sync::Arc};

type Answer = Result<String, String>;
type Call =
    dyn Fn(Vec<Message>, Option<ModelPreferences>) -> BoxFuture<'static, Answer> + Send + Sync;

/// Asks a function for the text of the answer; an `Err` is shown to the person as what the model
/// said. The usage is not known, so that all that was reserved counts.
pub struct ClosureProvider {
    call: Box<Call>,
}

impl ClosureProvider {
    /// From an asynchronous function, which runs within the call and is dropped with it.
    pub fn new<F, Fut>(function: F) -> Self
    where
        F: Fn(Vec<Message>, Option<ModelPreferences>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Answer> + Send + 'static,
    {
        Self {
            call: Box::new(move |messages, preferences| Box::pin(function(messages, preferences))),
        }
    }

    /// From an ordinary function, which may block: it runs on a thread of tokio's blocking pool.
    /// It cannot be stopped once it runs; dropping the call lets go of its result.
    pub fn blocking<F>(function: F) -> Self
    where
        F: Fn(Vec<Message>, Option<ModelPreferences>) -> Answer + Send + Sync + 'static,
    {
        let function = Arc::new(function);
        Self::new(move |messages, preferences| {
            let function = Arc::clone(&function);
            async move {
                tokio::task::spawn_blocking(move || function(messages, preferences))
                    .await
                    .unwrap_or_else(|_| Err("the function panicked".into()))
            }
        })
    }
}

impl fmt::Debug for ClosureProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClosureProvider").finish_non_exhaustive()
    }
}

impl SamplingProvider for ClosureProvider {
    fn sample<'a>(
        &'a self,
        request: &'a ApprovedRequest,
        model: &'a Model,
    ) -> BoxFuture<'a, Result<ProviderAnswer, ProviderError>> {
        let request = &request.request;
        let call = (self.call)(request.messages.clone(), request.model_preferences.clone());
        Box::pin(async move {
            let text = call.await.map_err(ProviderError::failed)?;
            let response = SamplingResponse::text(model.name.as_str(), text);
            Ok(ProviderAnswer { response, usage: None })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::tests::approved;
    use serde_json::json;
    use std::sync::atomic::{AtomicBool, Ordering};

    fn request() -> ApprovedRequest {
        approved(json!({"maxTokens": 1, "modelPreferences": {"hints": [{"name": "big"}]},
            "messages": [{"role": "user", "content": {"type": "text", "text": "hi"}}]}))
    }

    async fn text(provider: &ClosureProvider) -> Result<String, ProviderError> {
        let request = request();
        let answer = provider.sample(&request, &request.model).await?;
        assert_eq!(answer.usage, None);
        let value = answer.response.to_value();
        Ok(value["content"]["text"].as_str().unwrap().to_owned())
    }

    #[tokio::test]
    async fn either_kind_of_function_sees_messages_and_preferences() {
        fn reply(messages: &[Message], preferences: Option<ModelPreferences>) -> Answer {
            let hint = preferences.and_then(|p| p.hints?.pop()?.name).ok_or("no hint")?;
            Ok(format!("{} messages, {}", messages.len(), hint.raw()))
        }
        let asynchronous = ClosureProvider::new(|m, p| async move {
            tokio::task::yield_now().await;
            reply(&m, p)
        });
        let blocking = ClosureProvider::blocking(|m, p| reply(&m, p));
        for provider in [asynchronous, blocking] {
            assert_eq!(text(&provider).await.unwrap(), "1 messages, big");
        }
    }

    #[tokio::test]
    async fn an_error_and_a_panic_are_failed_calls() {
        let failing = ClosureProvider::new(|_, _| async { Err("no".into()) });
        assert_eq!(text(&failing).await, Err(ProviderError::failed("no")));
        let panicking = ClosureProvider::blocking(|_, _| panic!("on purpose"));
        assert!(matches!(text(&panicking).await, Err(ProviderError::Failed { .. })));
    }

    #[tokio::test]
    async fn dropping_the_call_drops_what_runs_in_it() {
        struct Guard(Arc<AtomicBool>);
        impl Drop for Guard {
            fn drop(&mut self) {
                self.0.store(true, Ordering::SeqCst);
            }
        }
        let dropped = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&dropped);
        let provider = ClosureProvider::new(move |_, _| {
            let guard = Guard(Arc::clone(&seen));
            async move {
                let _guard = guard;
                std::future::pending().await
            }
        });
        let request = request();
        let mut call = provider.sample(&request, &request.model);
        assert!(futures_util::poll!(&mut call).is_pending());
        assert!(!dropped.load(Ordering::SeqCst));
        drop(call);
        assert!(dropped.load(Ordering::SeqCst));
    }
}
