//! Exactly what would leave, as bytes, and its digest.

use crate::domain::{Digest, Model, SamplingRequest, SamplingResponse};
use serde_json::Value;

/// An answer in the form in which it leaves.
#[derive(Debug, Clone, PartialEq)]
pub struct Disclosure {
    value: Value,
    bytes: Vec<u8>,
    digest: Digest,
}

impl Disclosure {
    /// The form of an answer.
    pub fn of(response: &SamplingResponse) -> Self {
        let value = response.to_value();
        // Display of a JSON value cannot fail, and is what a transport writes.
        let bytes = value.to_string().into_bytes();
        let digest = Digest::of(&bytes);
        Self { value, bytes, digest }
    }

    /// The bytes, as they will stand in the server's line as `result`.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Over the bytes.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// For the transport, which writes it as it is.
    pub fn into_value(self) -> Value {
        self.value
    }
}

/// The digest that an approval at door one must name: over request, model and endpoint.
pub fn request_digest(request: &SamplingRequest, model: &Model) -> Digest {
    let request = serde_json::to_value(request).unwrap_or(Value::Null);
    let whole = serde_json::json!({
        "request": request, "model": model.name, "endpoint": model.endpoint,
    });
    Digest::of(whole.to_string().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_changes_with_every_part_that_was_approved() {
        let request: SamplingRequest =
            serde_json::from_value(serde_json::json!({"messages": [], "maxTokens": 1}))
                .expect("a request");
        let model =
            |name: &str, endpoint: &str| Model { name: name.into(), endpoint: endpoint.into() };
        let base = request_digest(&request, &model("m", "e"));
        assert_eq!(base, request_digest(&request.clone(), &model("m", "e")));
        assert_ne!(base, request_digest(&request, &model("n", "e")));
        assert_ne!(base, request_digest(&request, &model("m", "f")));
        let edited = SamplingRequest { max_tokens: 2, ..request };
        assert_ne!(base, request_digest(&edited, &model("m", "e")));
    }

    #[test]
    fn what_is_digested_is_what_a_transport_writes() {
        let disclosure = Disclosure::of(&SamplingResponse::text("m", "é \u{202e} \"x\""));
        let written = serde_json::to_vec(&disclosure.clone().into_value()).expect("JSON");
        assert_eq!(written, disclosure.bytes());
        assert_eq!(Digest::of(&written), disclosure.digest());
    }
}
