//! The modern road: a server asks inside its answer, and the call is made again with what it
//! asked for (spec 2026-07-28, basic/patterns/mrtr).

use super::{answer::RawResult, connection::Connection, track::Track};
use crate::{
    domain::{Era, Fault, FaultKind, Origin, SamplingRequest},
    sampling::SamplingError,
};
use futures_util::future::try_join_all;
use serde_json::{Map, Value};
use std::time::Duration;

/// How long is waited before a round in which the server asked for nothing but another try.
const PAUSE: Duration = Duration::from_millis(50);

/// What stands in an `input_required` result.
struct Round {
    asks: Map<String, Value>,
    state: Option<Value>,
}

/// Calls, driving rounds until the server is done. `what` says in words which call this is.
pub(super) async fn call(
    connection: &Connection,
    method: &'static str,
    params: Map<String, Value>,
    what: &str,
    track: &Track,
) -> Result<RawResult, Fault> {
    let limits = &connection.target.limits;
    let fault = |kind, text: String| Fault::new(kind, text).of(&connection.target.spec.id);
    let mut sent = params.clone();
    for round in 0..=limits.rounds {
        let raw = connection.tracked(method, sent, limits.request, track).await?;
        let Some(asked) = input_required(&raw, connection.facts.era) else { return Ok(raw) };
        if asked.asks.is_empty() && asked.state.is_none() {
            let text = format!("the server asked for input for {what} but did not say for which");
            return Err(fault(FaultKind::Protocol, text));
        }
        if round == limits.rounds {
            let text = format!("{what} was given up after {} rounds of questions", limits.rounds);
            return Err(fault(FaultKind::Limit, text).hint("limits.rounds in settings.toml"));
        }
        track.tell(|state| state.round = round + 1);
        if asked.asks.is_empty() {
            tokio::time::sleep(PAUSE).await;
        }
        let answers =
            asked.asks.iter().map(|(key, ask)| answer(connection, what, round + 1, key, ask));
        // The first refusal ends the round: its siblings are dropped, which withdraws them.
        let answers = try_join_all(answers).await?;
        sent = params.clone();
        if !answers.is_empty() {
            sent.insert("inputResponses".into(), Value::Object(answers.into_iter().collect()));
        }
        if let Some(state) = asked.state {
            sent.insert("requestState".into(), state);
        }
    }
    Err(fault(FaultKind::Limit, format!("{what} was given up")))
}

/// What the server asks for, if this is not yet the answer. A missing `resultType` counts as
/// complete, as it is in older versions.
fn input_required(raw: &RawResult, era: Era) -> Option<Round> {
    if era == Era::Legacy {
        return None;
    }
    // A search through the text is cheap even where parsing is not.
    memchr::memmem::find(raw.json.as_str().as_bytes(), b"input_required")?;
    let Ok(Value::Object(mut result)) = raw.read(|json| serde_json::from_str(json)) else {
        return None;
    };
    if result.get("resultType").and_then(Value::as_str) != Some("input_required") {
        return None;
    }
    let asks = match result.remove("inputRequests") {
        Some(Value::Object(asks)) => asks,
        _ => Map::new(),
    };
    Some(Round { asks, state: result.remove("requestState").filter(|s| !s.is_null()) })
}

async fn answer(
    connection: &Connection,
    what: &str,
    round: u32,
    key: &str,
    ask: &Value,
) -> Result<(String, Value), Fault> {
    let server = &connection.target.spec.id;
    let method = ask.get("method").and_then(Value::as_str).unwrap_or_default();
    let service = match (method, connection.target.gate.service()) {
        ("sampling/createMessage", Some(service)) => service,
        _ => {
            connection.tap.logs.breach("the server asked for something that was never offered");
            let text =
                format!("{what} ended: the server asked for something that was never offered");
            return Err(Fault::new(FaultKind::Protocol, text).of(server).because(method));
        }
    };
    let params = ask.get("params").cloned().unwrap_or_default();
    let request: SamplingRequest = serde_json::from_value(params).map_err(|error| {
        let text = format!("{what} ended: the server's sampling request is not valid");
        Fault::new(FaultKind::Protocol, text).of(server).because(error.to_string())
    })?;
    let origin = Origin {
        server: server.clone(),
        era: Era::Modern,
        call: Some(what.to_owned()),
        round: Some(round),
        key: Some(key.into()),
    };
    let _asking = connection.begin_asking();
    let answered = tokio::select! {
        answered = service.sample(request, origin) => answered,
        () = connection.tap.gone.cancelled() => return Err(connection.closed(what).await),
    };
    match answered {
        Ok(disclosure) => Ok((key.to_owned(), disclosure.into_value())),
        Err(error) => Err(declined(connection, what, &error)),
    }
}

/// A refusal is not sent: the call is not made again, and ends here.
fn declined(connection: &Connection, what: &str, error: &SamplingError) -> Fault {
    let text = format!("{what} ended: {}", error.message());
    Fault::new(FaultKind::Declined, text).of(&connection.target.spec.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw_result(json: &str) -> RawResult {
        RawResult { json: json.to_owned().into(), replaced: false }
    }

    #[test]
    fn only_a_modern_answer_that_says_so_is_a_round() {
        let raw = r#"{"resultType":"input_required","requestState":"\u0000é {\"a\": 1}=="}"#;
        let round = input_required(&raw_result(raw), Era::Modern).expect("a round");
        assert_eq!(round.state, Some(Value::from("\0é {\"a\": 1}==")));
        assert!(input_required(&raw_result(raw), Era::Legacy).is_none());
        for complete in [
            r#"{"contents":[]}"#,
            r#"{"text":"input_required"}"#,
            r#"{"resultType":"complete","x":"input_required"}"#,
        ] {
            assert!(input_required(&raw_result(complete), Era::Modern).is_none());
        }
    }
}
