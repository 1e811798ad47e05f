//! One address and how it is asked.

use super::headers::is_ours;
use crate::domain::{Fault, FaultKind};
use reqwest::{
    Client, RequestBuilder, Url,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue},
    redirect,
};
use secrecy::{ExposeSecret, SecretString};
use std::{sync::Once, time::Duration};

/// How long a connection may take to be made, in the network's sense.
const CONNECT: Duration = Duration::from_secs(15);
/// How many redirects are followed for one message, all on the same origin.
const REDIRECTS: usize = 5;

/// What we take for an answer to a message.
const ANSWERS: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");
/// What we take where only a stream will do.
pub(super) const STREAM: HeaderValue = HeaderValue::from_static("text/event-stream");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// The address of a server, and the client that asks there.
pub(super) struct Endpoint {
    client: Client,
    url: Url,
}

impl Endpoint {
    /// # Errors
    /// A [`Fault`] when the address or a header cannot stand, or no client can be made.
    pub(super) fn new(url: &str, headers: &[(String, SecretString)]) -> Result<Self, Fault> {
        let url = Url::parse(url).map_err(|error| {
            Fault::new(FaultKind::Usage, "the address cannot be used").because(error.to_string())
        })?;
        let headers = entry_headers(headers)?;
        let has_user = !url.username().is_empty() || url.password().is_some();
        if has_user && headers.contains_key(AUTHORIZATION) {
            let what = "there is a user in the address and an `Authorization` in the headers";
            return Err(Fault::new(FaultKind::Usage, what).hint("only one can be sent: keep one"));
        }
        let client = client(&url, headers).map_err(|error| {
            Fault::new(FaultKind::Unexpected, "no HTTP client could be made")
                .because(error.without_url().to_string())
        })?;
        Ok(Self { client, url })
    }

    /// The address.
    pub(super) fn url(&self) -> &Url {
        &self.url
    }

    /// A message out.
    pub(super) fn post(&self, url: &Url, headers: HeaderMap, body: Vec<u8>) -> RequestBuilder {
        let post = self.client.post(url.clone()).headers(headers);
        post.header(ACCEPT, ANSWERS).header(CONTENT_TYPE, JSON).body(body)
    }

    /// A stream of events.
    pub(super) fn stream(&self, headers: HeaderMap) -> RequestBuilder {
        self.client.get(self.url.clone()).headers(headers).header(ACCEPT, STREAM)
    }

    /// The end of a session.
    pub(super) fn delete(&self, headers: HeaderMap) -> RequestBuilder {
        self.client.delete(self.url.clone()).headers(headers)
    }
}

/// The headers of an entry.
fn entry_headers(headers: &[(String, SecretString)]) -> Result<HeaderMap, Fault> {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let wrong =
            |why: &str| Err(Fault::new(FaultKind::Usage, format!("the header `{name}` {why}")));
        let Ok(name) = HeaderName::from_bytes(name.as_bytes()) else {
            return wrong("has no name that HTTP knows");
        };
        if is_ours(&name) {
            return wrong("is set by the transport itself; take it out of the entry");
        }
        let Ok(mut value) = HeaderValue::from_str(value.expose_secret()) else {
            return wrong("has a value that HTTP cannot carry");
        };
        value.set_sensitive(true);
        map.append(name, value);
    }
    Ok(map)
}

fn client(url: &Url, headers: HeaderMap) -> Result<Client, reqwest::Error> {
    // The first one counts; a program that uses this library may have chosen its own.
    static PROVIDER: Once = Once::new();
    PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
    let mut builder = Client::builder()
        .user_agent(concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION")))
        .default_headers(headers)
        .connect_timeout(CONNECT)
        .redirect(redirect::Policy::custom(follow));
    if url.scheme() == "http" {
        // Reading the system's certificates takes time that nothing here would use.
        builder = builder.tls_certs_only([]);
    }
    if is_loopback(url) {
        // What runs on this machine is not behind a proxy.
        builder = builder.no_proxy();
    }
    builder.build()
}

/// A message moves only where its method and body stay (307, 308), and only within the origin that
/// the user named: its headers hold secrets.
fn follow(attempt: redirect::Attempt<'_>) -> redirect::Action {
    let keeps = matches!(attempt.status().as_u16(), 307 | 308);
    let same = attempt.previous().first().is_some_and(|first| is_same_origin(first, attempt.url()));
    if keeps && same && attempt.previous().len() <= REDIRECTS {
        attempt.follow()
    } else {
        attempt.stop()
    }
}

/// Whether two addresses lead to the same server: RFC 6454.
pub(super) fn is_same_origin(one: &Url, other: &Url) -> bool {
    let origin = |url: &Url| {
        (url.scheme().to_owned(), url.host_str().map(str::to_owned), url.port_or_known_default())
    };
    origin(one) == origin(other)
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    let ip = address.parse::<std::net::IpAddr>();
    host == "localhost" || ip.is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_the_transport_cannot_be_set_by_an_entry() {
        let headers = |name: &str, value: &str| {
            entry_headers(&[(name.to_owned(), SecretString::from(value.to_owned()))])
        };
        assert!(headers("Authorization", "Bearer x").is_ok());
        for name in ["Accept", "mcp-session-id", "Host", "Mcp-Method", "a b"] {
            assert!(headers(name, "x").is_err(), "{name}");
        }
        let fault = headers("X-Token", "s3cret\n").expect_err("not a value");
        assert!(!format!("{fault:?}").contains("s3cret"));
    }

    #[test]
    fn a_user_in_the_address_does_not_replace_a_header() {
        let headers = [("authorization".to_owned(), SecretString::from("Bearer x"))];
        assert!(Endpoint::new("http://u:p@127.0.0.1/", &headers).is_err());
        assert!(Endpoint::new("http://u:p@127.0.0.1/", &[]).is_ok());
        assert!(Endpoint::new("http://127.0.0.1/", &headers).is_ok());
    }

    #[test]
    fn an_origin_is_scheme_host_and_port() {
        let same = |one: &str, other: &str| {
            is_same_origin(&Url::parse(one).expect("one"), &Url::parse(other).expect("other"))
        };
        assert!(same("http://h/a", "http://h:80/b?c"));
        for other in ["https://h/a", "http://h:81/a", "http://i/a"] {
            assert!(!same("http://h/a", other), "{other}");
        }
    }
}
