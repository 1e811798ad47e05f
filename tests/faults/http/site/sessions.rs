//! Sessions of the legacy era.

use super::Faulty;
use crate::http_server::{Out, Request};
use std::io;

/// All that a session's name may hold.
const ODD: &str = "!\"#$%&'()*+,-./0:;<=>?@[\\]^_`{|}~";

/// The session that an answer to `initialize` gives, if any.
pub(super) fn give(site: &Faulty) -> Option<String> {
    if site.is("stateless") {
        return None;
    }
    let mut state = site.state();
    state.sessions += 1;
    let odd = if site.is("session_odd") { ODD } else { "" };
    Some(format!("s{}{odd}", state.sessions))
}

/// Refuses a request for its session. Says whether it did.
pub(super) async fn expired(
    site: &Faulty,
    request: &Request,
    method: &str,
    out: &mut Out,
) -> io::Result<bool> {
    let first = request.header("mcp-session-id") == Some("s1");
    let status = match site.fault.as_str() {
        "expire" | "expire_410" | "expire_400" if first && site.befalls == method => {
            if site.is("expire_410") {
                410
            } else if site.is("expire_400") {
                400
            } else {
                404
            }
        }
        "expire_again" if site.befalls == method => 404,
        "expire_always" => 404,
        _ => return Ok(false),
    };
    out.whole(status, &[("Content-Type", "text/plain")], b"Session not found").await?;
    Ok(true)
}

/// The end of a session.
pub(super) async fn delete(site: &Faulty, _request: &Request, out: &mut Out) -> io::Result<()> {
    match site.fault.as_str() {
        "delete_405" => out.whole(405, &[("Allow", "POST")], b"").await,
        "delete_404" => out.whole(404, &[], b"").await,
        "delete_500" => out.whole(500, &[], b"").await,
        "delete_hangs" => {
            out.gone().await;
            Ok(())
        }
        _ if site.is_modern() => {
            site.say("VIOLATION DELETE in the modern era");
            out.whole(405, &[], b"").await
        }
        _ => out.whole(200, &[], b"").await,
    }
}
