//! The modern road: a server asks inside its answer, and the call is made again with what it
//! asked for (spec 2026-07-28, basic/patterns/mrtr).

use super::{
    answer::RawResult,
    connection::{Connection, request},
    mirrored::Mirrored,
    patience::Patience,
    roots,
    track::Track,
};
use crate::{
    domain::{Era, Fault, FaultKind, Origin, SamplingRequest},
    sampling::{SamplingError, SamplingService},
};
use futures_util::future::try_join_all;
use serde_json::{Map, Value};
use std::time::{Duration, Instant};

/// How long is waited before a round in which the server asked for nothing but another try.
const PAUSE: Duration = Duration::from_millis(50);

/// How much a server may ask for in one round.
const MAX_ASKS: usize = 64;

/// What stands in an `input_required` result.
#[derive(Debug, PartialEq)]
struct Round {
    asks: Map<String, Value>,
    /// Given back as it came.
    state: Option<String>,
}

/// A call within which a server may ask.
pub(super) struct Call<'a> {
    pub(super) method: &'static str,
    pub(super) params: Map<String, Value>,
    /// Which call this is, in words.
    pub(super) what: &'a str,
    /// What goes along in headers, where there are any.
    pub(super) mirrored: Mirrored,
}

/// Calls, driving rounds until the server is done.
pub(super) async fn call(
    connection: &Connection,
    call: Call<'_>,
    track: &Track,
) -> Result<RawResult, Fault> {
    let Call { method, params, what, mirrored } = call;
    let limits = &connection.target.limits;
    let fault = |kind, text: String| Fault::new(kind, text).of(&connection.target.spec.id);
    let mut patience = Patience { quiet: limits.request, whole: limits.call };
    let mut sent = params.clone();
    for round in 0..=limits.rounds {
        let began = Instant::now();
        let request = request(method, Value::Object(sent), mirrored.clone());
        let raw = connection.tracked(method, request, patience, track).await?;
        patience.whole = patience.whole.saturating_sub(began.elapsed());
        let asked = match kind(&raw, connection.facts.era) {
            Kind::Complete => return Ok(raw),
            Kind::Round(Ok(asked)) => asked,
            Kind::Round(Err(why)) => {
                let text = format!("the server asked for input for {what} in a way that {why}");
                return Err(fault(FaultKind::Protocol, text));
            }
            Kind::Unknown(kind) => {
                let text = format!("{what} was answered with a result of an unknown type");
                return Err(fault(FaultKind::Protocol, text).because(kind));
            }
        };
        if round == limits.rounds {
            let text = format!("{what} was given up after {} rounds of questions", limits.rounds);
            return Err(fault(FaultKind::Limit, text).hint("limits.rounds in settings.toml"));
        }
        track.tell(|state| state.round = round + 1);
        if asked.asks.is_empty() {
            tokio::time::sleep(PAUSE).await;
        }
        let answers = answers(connection, what, round + 1, &asked.asks, track).await?;
        sent = params.clone();
        if !answers.is_empty() {
            sent.insert("inputResponses".into(), Value::Object(answers));
        }
        if let Some(state) = asked.state {
            sent.insert("requestState".into(), state.into());
        }
    }
    Err(fault(FaultKind::Limit, format!("{what} was given up")))
}

/// What a result is.
#[derive(Debug, PartialEq)]
enum Kind {
    /// The answer.
    Complete,
    /// The server asks for something first; the error says what is wrong with it.
    Round(Result<Round, &'static str>),
    /// A word that the protocol does not know.
    Unknown(String),
}

/// What a result says that it is. One that says nothing is complete, as it is in older versions.
fn kind(raw: &RawResult, era: Era) -> Kind {
    if era == Era::Legacy || says_complete(raw.json.as_str().as_bytes()) {
        return Kind::Complete;
    }
    let Ok(Value::Object(result)) = raw.read(|json| serde_json::from_str(json)) else {
        return Kind::Complete;
    };
    match result.get("resultType") {
        None | Some(Value::Null) => Kind::Complete,
        Some(Value::String(kind)) if kind == "complete" => Kind::Complete,
        Some(Value::String(kind)) if kind == "input_required" => Kind::Round(round(result)),
        Some(Value::String(kind)) => Kind::Unknown(kind.clone()),
        Some(other) => Kind::Unknown(other.to_string()),
    }
}

/// Whether nothing in a result calls itself anything but complete: a search through the text is
/// cheap even where parsing is not.
fn says_complete(json: &[u8]) -> bool {
    const KEY: &[u8] = b"\"resultType\"";
    memchr::memmem::find_iter(json, KEY).all(|at| {
        let rest = json.get(at + KEY.len()..).unwrap_or_default().trim_ascii_start();
        let value = rest.strip_prefix(b":").map(<[u8]>::trim_ascii_start);
        value.is_some_and(|value| value.starts_with(b"\"complete\""))
    })
}

fn round(mut result: Map<String, Value>) -> Result<Round, &'static str> {
    let asks = match result.remove("inputRequests") {
        Some(Value::Object(asks)) => asks,
        None | Some(Value::Null) => Map::new(),
        Some(_) => return Err("cannot be read: its inputRequests are no object"),
    };
    let state = match result.remove("requestState") {
        Some(Value::String(state)) => Some(state),
        None | Some(Value::Null) => None,
        Some(_) => return Err("cannot be read: its requestState is no string"),
    };
    if asks.len() > MAX_ASKS {
        return Err("asks for more at once than is answered");
    }
    if asks.is_empty() && state.is_none() {
        return Err("does not say what for");
    }
    Ok(Round { asks, state })
}

/// One thing that a server asks for.
enum Ask<'a> {
    /// Where it may work.
    Roots,
    /// A model call.
    Sampling(&'a SamplingService, Box<SamplingRequest>),
}

/// Answers all that was asked in a round. Nothing is asked of a person when a part of it can only
/// be refused.
async fn answers(
    connection: &Connection,
    what: &str,
    round: u32,
    asks: &Map<String, Value>,
    track: &Track,
) -> Result<Map<String, Value>, Fault> {
    let read = |(key, ask): (&String, &Value)| {
        self::ask(connection, what, ask).map(|ask| (key.clone(), ask))
    };
    let asks: Vec<(String, Ask<'_>)> = asks.iter().map(read).collect::<Result<_, _>>()?;
    let _asking =
        asks.iter().any(|(_, ask)| matches!(ask, Ask::Sampling(..))).then(|| track.begin_asking());
    let answers = asks.into_iter().map(|(key, ask)| async move {
        let value = match ask {
            Ask::Roots => roots::answer(&connection.target.spec.roots),
            Ask::Sampling(service, request) => {
                let origin = Origin {
                    server: connection.target.spec.id.clone(),
                    era: Era::Modern,
                    call: Some(what.to_owned()),
                    round: Some(round),
                    key: Some(key.as_str().into()),
                };
                sample(connection, what, service, *request, origin).await?
            }
        };
        Ok::<_, Fault>((key, value))
    });
    // The first refusal ends the round: its siblings are dropped, which withdraws them.
    Ok(try_join_all(answers).await?.into_iter().collect())
}

/// What an ask is, if it is of a kind that this server was offered.
fn ask<'a>(connection: &'a Connection, what: &str, ask: &Value) -> Result<Ask<'a>, Fault> {
    let spec = &connection.target.spec;
    let method = ask.get("method").and_then(Value::as_str).unwrap_or_default();
    match (method, connection.target.gate.service()) {
        (roots::METHOD, _) if !spec.roots.is_empty() => Ok(Ask::Roots),
        ("sampling/createMessage", Some(service)) => {
            let params = ask.get("params").cloned().unwrap_or_default();
            let request = serde_json::from_value(params).map_err(|error| {
                let text = format!("{what} ended: the server's sampling request is not valid");
                Fault::new(FaultKind::Protocol, text).of(&spec.id).because(error.to_string())
            })?;
            Ok(Ask::Sampling(service, request))
        }
        _ => {
            connection.tap.logs.breach("the server asked for something that was never offered");
            let text =
                format!("{what} ended: the server asked for something that was never offered");
            let fault = Fault::new(FaultKind::Protocol, text).of(&spec.id).because(method);
            Err(match method {
                roots::METHOD => fault.hint("`roots` in its entry, or --root, offers it folders"),
                _ => fault,
            })
        }
    }
}

async fn sample(
    connection: &Connection,
    what: &str,
    service: &SamplingService,
    request: SamplingRequest,
    origin: Origin,
) -> Result<Value, Fault> {
    let answered = tokio::select! {
        answered = service.sample(request, origin) => answered,
        () = connection.tap.gone.cancelled() => return Err(connection.closed(what).await),
    };
    answered
        .map(|disclosure| disclosure.into_value())
        .map_err(|error| declined(connection, what, &error))
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
        let state = Some("\0é {\"a\": 1}==".to_owned());
        let round = Kind::Round(Ok(Round { asks: Map::new(), state }));
        assert_eq!(kind(&raw_result(raw), Era::Modern), round);
        assert_eq!(kind(&raw_result(raw), Era::Legacy), Kind::Complete);
        for complete in [
            r#"{"contents":[]}"#,
            r#"{"text":"input_required"}"#,
            r#"{"resultType":"complete","x":"input_required"}"#,
            r#"{"resultType":null}"#,
            r#"{"resultType":"complete","x":{"resultType":"input_required"}}"#,
        ] {
            assert_eq!(kind(&raw_result(complete), Era::Modern), Kind::Complete, "{complete}");
        }
        for unknown in [r#"{"resultType":"later"}"#, r#"{"resultType" : 7}"#] {
            assert!(matches!(kind(&raw_result(unknown), Era::Modern), Kind::Unknown(_)));
        }
    }

    #[test]
    fn what_is_asked_for_has_to_make_sense() {
        for bad in [
            r#"{"resultType":"input_required"}"#,
            r#"{"resultType":"input_required","inputRequests":{}}"#,
            r#"{"resultType":"input_required","inputRequests":[1],"requestState":"x"}"#,
            r#"{"resultType":"input_required","requestState":{"a":1}}"#,
        ] {
            assert!(matches!(kind(&raw_result(bad), Era::Modern), Kind::Round(Err(_))), "{bad}");
        }
    }
}
