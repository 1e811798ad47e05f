//! What a server says about itself, read tolerantly.
//!
//! The SDK gets a clean result of its own kind; what the server really said is kept here.

use super::answer::paired;
use crate::domain::{Capabilities, UntrustedText};
use rmcp::model::{ErrorCode, ErrorData, ServerResult};
use serde_json::{Map, Value, json};

/// Versions that are opened with `initialize`, oldest first.
pub(super) const LEGACY_VERSIONS: [&str; 4] =
    ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
/// The version that is opened with `server/discover`.
pub(super) const MODERN_VERSION: &str = "2026-07-28";

const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// Which opening was sent last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opening {
    /// `initialize`
    Initialize,
    /// `server/discover`
    Discover,
}

/// What the server said when it was greeted.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Handshake {
    /// Which opening it answered.
    pub(super) opening: Opening,
    /// The version it chose; may be one that nobody knows.
    pub(super) version: UntrustedText,
    /// Its name for itself.
    pub(super) name: Option<UntrustedText>,
    /// Its version of itself.
    pub(super) release: Option<UntrustedText>,
    /// Its instructions.
    pub(super) instructions: Option<UntrustedText>,
    /// What it offers.
    pub(super) capabilities: Capabilities,
    /// What was wrong with its answer and could be lived with.
    pub(super) breaches: Vec<&'static str>,
}

fn text(map: &Map<String, Value>, key: &str) -> Option<UntrustedText> {
    map.get(key).and_then(Value::as_str).map(Into::into)
}

/// Reads the answer to `initialize`: what it says, and what the SDK gets to see of it.
pub(super) fn initialize(raw: &str) -> Result<(Handshake, ServerResult), String> {
    let map = object(raw).ok_or("initialize was answered with no object")?;
    let version =
        text(&map, "protocolVersion").ok_or("the answer to initialize names no protocolVersion")?;
    let mut breaches = Vec::new();
    let info = map.get("serverInfo").and_then(Value::as_object);
    if info.is_none() {
        breaches.push("the answer to initialize has no serverInfo");
    }
    let handshake = Handshake {
        opening: Opening::Initialize,
        name: info.and_then(|i| text(i, "name")),
        release: info.and_then(|i| text(i, "version")),
        instructions: text(&map, "instructions"),
        capabilities: capabilities(&map, &mut breaches),
        breaches,
        version: version.clone(),
    };
    // The SDK takes any version and treats a later one as modern, so it gets a known one;
    // whether the version is acceptable is decided by the lifecycle.
    let known = LEGACY_VERSIONS.contains(&version.raw());
    let shown = if known { version.raw() } else { "2025-11-25" };
    let clean = json!({
        "protocolVersion": shown, "capabilities": {}, "serverInfo": {"name": "", "version": ""},
    });
    let result = serde_json::from_value(clean).map_err(|e| e.to_string())?;
    Ok((handshake, ServerResult::InitializeResult(result)))
}

/// Reads the answer to `server/discover`. An answer that offers no version this program can open
/// that way is turned into an error, which lets the conversation go on with `initialize`.
pub(super) fn discover(raw: &str) -> Result<(Handshake, ServerResult), String> {
    let map = object(raw).ok_or("server/discover was answered with no object")?;
    let offered: Vec<&str> = map
        .get("supportedVersions")
        .and_then(Value::as_array)
        .map(|versions| versions.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    if !offered.contains(&MODERN_VERSION) {
        let why = if offered.is_empty() {
            "the answer to server/discover names no versions"
        } else {
            "the answer to server/discover offers only versions that are opened with initialize"
        };
        return Err(why.to_owned());
    }
    let mut breaches = Vec::new();
    if map.get("resultType").and_then(Value::as_str) != Some("complete") {
        breaches.push("the answer to server/discover has no resultType \"complete\"");
    }
    let meta = map.get("_meta").and_then(Value::as_object);
    let info = meta.and_then(|m| m.get(SERVER_INFO)).and_then(Value::as_object);
    let handshake = Handshake {
        opening: Opening::Discover,
        version: MODERN_VERSION.into(),
        name: info.and_then(|i| text(i, "name")),
        release: info.and_then(|i| text(i, "version")),
        instructions: text(&map, "instructions"),
        capabilities: capabilities(&map, &mut breaches),
        breaches,
    };
    let clean = json!({
        "resultType": "complete", "supportedVersions": [MODERN_VERSION], "capabilities": {},
        "ttlMs": 0, "cacheScope": "private",
    });
    let result = serde_json::from_value(clean).map_err(|e| e.to_string())?;
    Ok((handshake, ServerResult::DiscoverResult(result)))
}

/// Reads the error of an answer, whatever its shape, into the SDK's.
pub(super) fn error(raw: &str) -> ErrorData {
    let value = serde_json::from_str(raw).ok();
    let mended = || serde_json::from_str(&paired(raw)?).ok();
    let value: Value = value.or_else(mended).unwrap_or(Value::Null);
    let code = value.get("code").and_then(Value::as_i64).and_then(|c| i32::try_from(c).ok());
    let message = value.get("message").and_then(Value::as_str).unwrap_or(raw).to_owned();
    ErrorData::new(ErrorCode(code.unwrap_or(-32603)), message, value.get("data").cloned())
}

fn object(raw: &str) -> Option<Map<String, Value>> {
    serde_json::from_str(raw).ok()
}

fn capabilities(map: &Map<String, Value>, breaches: &mut Vec<&'static str>) -> Capabilities {
    let Some(offered) = map.get("capabilities").and_then(Value::as_object) else {
        breaches.push("the server's answer has no capabilities");
        return Capabilities::default();
    };
    let mut offers = |key: &str| match offered.get(key) {
        None | Some(Value::Null) => false,
        Some(Value::Object(_)) => true,
        Some(_) => {
            breaches.push("a capability of the server is not an object, and counts as not offered");
            false
        }
    };
    let resources = offers("resources");
    let says = |key: &str, member: &str| {
        let value = offered.get(key).and_then(|capability| capability.get(member));
        value.and_then(Value::as_bool).unwrap_or(false)
    };
    Capabilities {
        resources,
        resource_subscriptions: says("resources", "subscribe"),
        resource_changes: says("resources", "listChanged"),
        prompts: offers("prompts"),
        prompt_changes: says("prompts", "listChanged"),
        tools: offers("tools"),
        tool_changes: says("tools", "listChanged"),
        completions: offers("completions"),
        logging: offers("logging"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_capabilities_count_as_none_and_are_said() {
        let raw = r#"{"protocolVersion":"2025-06-18","capabilities":{"resources":null,"tools":true,"logging":[],"prompts":{}},"serverInfo":{"name":"x","version":"1"}}"#;
        let (handshake, _) = initialize(raw).expect("a handshake");
        assert_eq!(
            handshake.capabilities,
            Capabilities { prompts: true, ..Capabilities::default() }
        );
        assert_eq!(handshake.breaches.len(), 2);
    }

    #[test]
    fn a_bare_answer_is_enough_and_a_missing_version_is_not() {
        let (handshake, _) =
            initialize(r#"{"protocolVersion":"1999-01-01"}"#).expect("a handshake");
        assert_eq!(handshake.version.raw(), "1999-01-01");
        assert_eq!(handshake.breaches.len(), 2);
        assert!(initialize("{}").is_err() && initialize("[]").is_err());
    }

    #[test]
    fn a_discovery_is_complete_without_cache_hints_and_useless_without_the_version() {
        let ok = r#"{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}"#;
        assert!(discover(ok).is_ok_and(|(h, _)| h.capabilities.tools));
        for bad in ["{}", r#"{"supportedVersions":["2025-11-25"]}"#, "null", "[]"] {
            assert!(discover(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_error_of_any_shape_is_read() {
        for (raw, code, message) in [
            (r#"{"code":-32000}"#, -32000, r#"{"code":-32000}"#),
            (r#"{"code":"E","message":"m"}"#, -32603, "m"),
            (r#""just text""#, -32603, r#""just text""#),
            (r#"{"code":99999999999,"message":"m"}"#, -32603, "m"),
        ] {
            let error = error(raw);
            assert_eq!((error.code.0, error.message.as_ref()), (code, message));
        }
    }
}
