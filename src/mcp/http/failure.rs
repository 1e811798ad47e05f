//! What HTTP says when it does not work, as faults for people.

use crate::domain::{Fault, FaultKind, UntrustedText};
use reqwest::{StatusCode, Url, header::HeaderMap};
use std::{error::Error, io};

/// How much of a body is kept that is no answer, in bytes.
pub(super) const BODY_HEAD: usize = 600;

/// Why a message got no answer.
#[derive(Debug)]
pub(super) struct Failure {
    /// Why.
    pub(super) fault: Fault,
    /// Whether no other message would get one either: the session is over.
    pub(super) is_end: bool,
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self { fault, is_end: false }
    }
}

/// The server could not be reached, or the way to it broke, or what came is no HTTP.
pub(super) fn broken(error: &reqwest::Error) -> Failure {
    if error.is_connect() {
        let place = error.url().map(|url| format!(" at {}", place(url))).unwrap_or_default();
        let what = format!("the server could not be reached{place}");
        let fault = because(Fault::new(FaultKind::Unreachable, what), error)
            .hint("check its address, and that the server runs and listens there");
        return Failure { fault, is_end: true };
    }
    if chain(error).any(is_no_http) {
        let fault = Fault::new(FaultKind::Protocol, "what came back is no HTTP that can be read");
        return because(fault, error)
            .hint("check the address; a server that speaks TLS wants https://")
            .into();
    }
    let what = "the connection broke before the answer was whole";
    because(Fault::new(FaultKind::Closed, what), error).into()
}

/// Host and port of an address: the rest of it may hold a secret.
fn place(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port_or_known_default() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

/// What lies behind an error, from the outside in.
fn chain(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(error.source(), |error: &&(dyn Error + 'static)| (*error).source())
}

/// Whether bytes came, and were not those of an answer.
fn is_no_http(error: &(dyn Error + 'static)) -> bool {
    let head = error.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_parse);
    let body = error.downcast_ref::<io::Error>().map(io::Error::kind);
    head || matches!(body, Some(io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData))
}

/// Adds what lies behind an error. The address is left out: it may hold a secret.
fn because(mut fault: Fault, error: &reqwest::Error) -> Fault {
    let mut last = String::new();
    for error in chain(error) {
        let said = error.to_string();
        // Wrappers repeat what they wrap.
        if error.source().is_none() || !(said.starts_with("client error (") || last.contains(&said))
        {
            fault.cause.push(UntrustedText::from(said.clone()));
        }
        last = said;
    }
    fault
}

/// The server answered with a status that is no success. `had_session` says whether the request
/// named a session.
pub(super) fn of_status(
    status: StatusCode,
    headers: &HeaderMap,
    body: &[u8],
    had_session: bool,
) -> Failure {
    let header = |name: &str| {
        let value = headers.get(name)?;
        Some(UntrustedText::from(String::from_utf8_lossy(value.as_bytes()).into_owned()))
    };
    let fault = worded(status, had_session);
    let told = match status.as_u16() {
        401 | 403 => header("www-authenticate"),
        300..=399 => header("location"),
        429 | 503 => {
            header("retry-after").map(|after| format!("Retry-After: {}", after.raw()).into())
        }
        _ => None,
    };
    let mut fault = told.into_iter().fold(fault, Fault::because);
    if status != StatusCode::UNAUTHORIZED {
        fault.cause.extend(head(body));
    }
    let is_end = fault.kind == FaultKind::Closed;
    Failure { fault, is_end }
}

fn worded(status: StatusCode, had_session: bool) -> Fault {
    let name = format!("HTTP {}", status.as_str());
    let reason = status.canonical_reason().map(|r| format!(" {r}")).unwrap_or_default();
    match status.as_u16() {
        401 => Fault::new(FaultKind::Authorization, format!("the server wants a sign-in ({name})"))
            .hint(
                "give it a token: --header 'Authorization: Bearer …', or `headers` in its entry; \
                 if there is one, it is not accepted",
            ),
        403 => Fault::new(FaultKind::Authorization, format!("the server forbids this ({name})"))
            .hint("the token in its headers may be missing, or may not allow it"),
        404 | 410 if had_session => {
            Fault::new(FaultKind::Closed, format!("the server has ended the session ({name})"))
        }
        404 | 410 => Fault::new(
            FaultKind::Unreachable,
            format!("nothing is served at this address ({name})"),
        )
        .hint("check the path: many servers listen at /mcp"),
        405 | 406 | 415 => {
            let what = format!("the address does not take MCP messages ({name}{reason})");
            Fault::new(FaultKind::Unreachable, what)
                .hint("check the path: many servers listen at /mcp")
        }
        429 => {
            let what = format!("the server is asked too often ({name})");
            Fault::new(FaultKind::ServerError, what).hint("wait a while, then try again")
        }
        300..=399 => {
            let what =
                format!("the server sends to another address, which is not followed ({name})");
            Fault::new(FaultKind::Unreachable, what)
                .hint("put the other address into its entry, if you trust it with its headers")
        }
        500..=599 => {
            let what = format!("the server failed ({name}{reason})");
            Fault::new(FaultKind::ServerError, what).hint("look into the server's own log")
        }
        _ => Fault::new(FaultKind::ServerError, format!("the server refused ({name}{reason})")),
    }
}

/// The answer is of a kind that no message has.
pub(super) fn of_type(kind: &str, body: &[u8]) -> Fault {
    let kind = if kind.is_empty() { "no media type" } else { kind };
    let fault = Fault::new(FaultKind::Protocol, "the answer is no MCP message")
        .because(format!("its media type: {kind}"))
        .hint("check the address: a web page, or something before the server, may have answered");
    head(body).into_iter().fold(fault, Fault::because)
}

/// The beginning of a body as one text, if there is any.
pub(super) fn head(body: &[u8]) -> Option<UntrustedText> {
    let body = body.trim_ascii();
    if body.is_empty() {
        return None;
    }
    let cut = body.get(..BODY_HEAD);
    let text = String::from_utf8_lossy(cut.unwrap_or(body)).into_owned();
    Some(
        if cut.is_some_and(|cut| cut.len() < body.len()) { format!("{text} …") } else { text }
            .into(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_has_a_class_and_says_what_to_try() {
        for (status, had_session, kind) in [
            (401, false, FaultKind::Authorization),
            (403, true, FaultKind::Authorization),
            (404, false, FaultKind::Unreachable),
            (404, true, FaultKind::Closed),
            (410, true, FaultKind::Closed),
            (405, false, FaultKind::Unreachable),
            (307, false, FaultKind::Unreachable),
            (429, false, FaultKind::ServerError),
            (500, true, FaultKind::ServerError),
            (418, false, FaultKind::ServerError),
        ] {
            let status = StatusCode::from_u16(status).expect("a status");
            let Failure { fault, is_end } = of_status(status, &HeaderMap::new(), b"", had_session);
            assert_eq!(is_end, kind == FaultKind::Closed);
            assert_eq!(fault.kind, kind, "{status}");
            assert!(fault.what.contains(status.as_str()), "{fault}");
        }
    }

    #[test]
    fn what_the_server_says_comes_with_it_and_is_bounded() {
        let mut headers = HeaderMap::new();
        headers.insert("retry-after", "7".parse().expect("a value"));
        let body = "x".repeat(10 * BODY_HEAD);
        let status = StatusCode::TOO_MANY_REQUESTS;
        let Failure { fault, .. } = of_status(status, &headers, body.as_bytes(), false);
        assert_eq!(fault.cause.first().map(UntrustedText::raw), Some("Retry-After: 7"));
        assert!(fault.cause.iter().all(|cause| cause.raw().len() <= BODY_HEAD + 8));
    }
}
