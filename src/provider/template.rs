//! A canned answer: for trying things out, for demonstrations and for tests.

use super::{BoxFuture, ProviderAnswer, ProviderError, SamplingProvider, Usage};
use crate::domain::{ApprovedRequest, Content, Model, Role, SamplingRequest, SamplingResponse};

/// The longest answer that is made, in bytes: 4 MiB.
pub const MAX_ANSWER_BYTES: usize = 4 << 20;

/// Answers with a text in which placeholders are replaced:
///
/// | placeholder | replaced by |
/// |---|---|
/// | `{{last_user_text}}` | the text blocks of the last message of the user, one a line |
/// | `{{system_prompt}}` | the system prompt, or nothing |
/// | `{{model}}` | the name of the model |
/// | `{{max_tokens}}` | the most tokens that were asked for |
///
/// Anything else stays as it is written. What is put in is not looked at again, so that a server
/// cannot place placeholders of its own. No model runs, and the usage is zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateProvider {
    template: String,
}

impl TemplateProvider {
    /// Answers with this text.
    pub fn new(template: impl Into<String>) -> Self {
        Self { template: template.into() }
    }

    fn render(&self, request: &SamplingRequest, model: &Model) -> Result<String, ProviderError> {
        let mut answer = String::new();
        let mut put = |text: &str| {
            if answer.len().saturating_add(text.len()) > MAX_ANSWER_BYTES {
                return Err(ProviderError::failed("the canned answer is too long"));
            }
            answer.push_str(text);
            Ok(())
        };
        let mut rest = self.template.as_str();
        while let Some((before, after)) = rest.split_once("{{") {
            put(before)?;
            let found = after
                .split_once("}}")
                .and_then(|(name, after)| Some((value(name.trim(), request, model)?, after)));
            match found {
                Some((value, after)) => {
                    put(&value)?;
                    rest = after;
                }
                None => {
                    put("{{")?;
                    rest = after;
                }
            }
        }
        put(rest)?;
        Ok(answer)
    }
}

impl SamplingProvider for TemplateProvider {
    fn sample<'a>(
        &'a self,
        request: &'a ApprovedRequest,
        model: &'a Model,
    ) -> BoxFuture<'a, Result<ProviderAnswer, ProviderError>> {
        Box::pin(async move {
            let answer = self.render(&request.request, model)?;
            Ok(ProviderAnswer {
                response: SamplingResponse::text(model.name.as_str(), answer),
                usage: Some(Usage::default()),
            })
        })
    }
}

fn value(name: &str, request: &SamplingRequest, model: &Model) -> Option<String> {
    Some(match name {
        "last_user_text" => last_user_text(request),
        "system_prompt" => request.system_prompt.as_ref().map_or("", |text| text.raw()).to_owned(),
        "model" => model.name.clone(),
        "max_tokens" => request.max_tokens.to_string(),
        _ => return None,
    })
}

fn last_user_text(request: &SamplingRequest) -> String {
    let last = request.messages.iter().rev().find(|message| message.role == Role::User);
    let texts: Vec<&str> =
        last.iter()
            .flat_map(|message| &message.content)
            .filter_map(|block| {
                if let Content::Text { text, .. } = block { Some(text.raw()) } else { None }
            })
            .collect();
    texts.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::tests::approved;
    use serde_json::json;

    async fn answer(template: &str, params: serde_json::Value) -> Result<String, ProviderError> {
        let request = approved(params);
        let answer = TemplateProvider::new(template).sample(&request, &request.model).await?;
        assert_eq!(answer.usage, Some(Usage::default()));
        assert_eq!(answer.response.model.raw(), "canned");
        let value = answer.response.to_value();
        Ok(value["content"]["text"].as_str().unwrap().to_owned())
    }

    #[tokio::test]
    async fn placeholders_are_replaced_once() {
        let params = json!({"maxTokens": 9, "systemPrompt": "be {{model}}", "messages": [
            {"role": "user", "content": {"type": "text", "text": "first"}},
            {"role": "user", "content": [
                {"type": "text", "text": "a"},
                {"type": "image", "data": "AAAA", "mimeType": "image/png"},
                {"type": "text", "text": "{{max_tokens}}"}]},
            {"role": "assistant", "content": {"type": "text", "text": "last"}}]});
        for (template, expected) in [
            ("plain", "plain"),
            ("<{{last_user_text}}>", "<a\n{{max_tokens}}>"),
            ("{{system_prompt}}", "be {{model}}"),
            ("{{ model }}/{{max_tokens}}", "canned/9"),
            ("{{server}} {{ {{model}}", "{{server}} {{ canned"),
            ("{{model", "{{model"),
            ("{{{model}}}", "{{{model}}}"),
            ("", ""),
        ] {
            assert_eq!(answer(template, params.clone()).await.unwrap(), expected, "{template}");
        }
    }

    #[tokio::test]
    async fn nothing_to_put_in_is_nothing() {
        let params = json!({"maxTokens": 1, "messages": []});
        assert_eq!(answer("[{{last_user_text}}{{system_prompt}}]", params).await.unwrap(), "[]");
    }

    #[tokio::test]
    async fn an_answer_has_a_bound() {
        let text = "x".repeat(MAX_ANSWER_BYTES / 4);
        let params = json!({"maxTokens": 1, "systemPrompt": text, "messages": []});
        let four = "{{system_prompt}}".repeat(4);
        assert_eq!(answer(&four, params.clone()).await.unwrap().len(), MAX_ANSWER_BYTES);
        assert!(answer(&(four + "x"), params).await.is_err());
    }
}
