//! One thing that happened.

use crate::domain::{Digest, Era, FailureKind, ReviewId, ServerId, Stage, Surface};
use serde::Serialize;
use serde_json::{Map, Value};

/// On which surface something happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AuditSurface {
    /// Resources and their templates.
    Resources,
    /// Prompts.
    Prompts,
    /// Tools.
    Tools,
    /// A server's request for a model call.
    Sampling,
}

impl From<Surface> for AuditSurface {
    fn from(surface: Surface) -> Self {
        match surface {
            Surface::Resources => Self::Resources,
            Surface::Prompts => Self::Prompts,
            Surface::Tools => Self::Tools,
        }
    }
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A request came before the first door.
    Received,
    /// A request was approved at the first door; the model may now be called.
    Approved,
    /// A person, or a rule of theirs, said no at a door.
    Denied,
    /// The asker, the connection or the end of the program took it back.
    Withdrawn,
    /// It ended in an error; `failure` says which.
    Failed,
    /// Turned away before anybody saw it; several within a second are one record with a `count`.
    Refused,
    /// The model used more than was reserved.
    Overshoot,
    /// An answer is about to leave; `digest` is of the very bytes.
    Disclosing,
    /// It left.
    Delivered,
    /// It could not be handed over.
    Undelivered,
    /// A standing rule of the person was made, used up or taken back.
    Rule,
    /// A resource was read.
    Read,
    /// A prompt was rendered.
    Rendered,
    /// A tool was called.
    Called,
}

/// One record: who, where and what, never the content itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// On which surface.
    pub surface: AuditSurface,
    /// With which server.
    pub server: ServerId,
    /// In which era; `None` where the conversation had not begun.
    pub era: Option<Era>,
    /// By which way: [`Transport::label`](crate::domain::Transport::label).
    pub transport: &'static str,
    /// Which review, where there is one.
    pub review: Option<ReviewId>,
    /// How far it had come, where it ended on the way.
    pub stage: Option<Stage>,
    /// What happened.
    pub event: Event,
    /// Why it ended, where it ended badly.
    pub failure: Option<FailureKind>,
    /// Of exactly what was approved or left.
    pub digest: Option<Digest>,
    /// How many like it this record stands for, where more than one.
    pub count: Option<u64>,
    /// What else matters: the model, the URI, token counts. No content, no secrets.
    pub detail: Map<String, Value>,
}

impl Record {
    /// A record with nothing that is optional.
    pub fn new(
        surface: AuditSurface,
        server: &ServerId,
        transport: &'static str,
        event: Event,
    ) -> Self {
        Self {
            surface,
            server: server.clone(),
            era: None,
            transport,
            review: None,
            stage: None,
            event,
            failure: None,
            digest: None,
            count: None,
            detail: Map::new(),
        }
    }

    /// Says in which era.
    #[must_use]
    pub fn era(mut self, era: Era) -> Self {
        self.era = Some(era);
        self
    }

    /// Ties it to a review.
    #[must_use]
    pub fn review(mut self, review: ReviewId) -> Self {
        self.review = Some(review);
        self
    }

    /// Says how far it had come.
    #[must_use]
    pub fn stage(mut self, stage: Stage) -> Self {
        self.stage = Some(stage);
        self
    }

    /// Says why it ended.
    #[must_use]
    pub fn failure(mut self, failure: FailureKind) -> Self {
        self.failure = Some(failure);
        self
    }

    /// Names the bytes.
    #[must_use]
    pub fn digest(mut self, digest: Digest) -> Self {
        self.digest = Some(digest);
        self
    }

    /// Adds a detail.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.detail.insert(key.to_owned(), value.into());
        self
    }

    /// The record as its line, without the line's end.
    ///
    /// Everything beyond printable ASCII is written as a JSON escape: a server may have chosen
    /// the URI, and the file is looked at with whatever tool is at hand.
    pub(super) fn line(&self, seq: u64, time: &str, prev: &str) -> serde_json::Result<String> {
        let stored = Stored {
            seq,
            time,
            surface: self.surface,
            server: &self.server,
            era: self.era.map(Era::label),
            transport: self.transport,
            review: self.review,
            stage: self.stage,
            event: self.event,
            failure: self.failure,
            digest: self.digest.map(|digest| digest.to_string()),
            count: self.count,
            detail: &self.detail,
            prev,
        };
        Ok(ascii(&serde_json::to_string(&stored)?))
    }
}

#[derive(Serialize)]
struct Stored<'a> {
    seq: u64,
    time: &'a str,
    surface: AuditSurface,
    server: &'a ServerId,
    era: Option<&'static str>,
    transport: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    review: Option<ReviewId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stage: Option<Stage>,
    event: Event,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<FailureKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    detail: &'a Map<String, Value>,
    prev: &'a str,
}

/// JSON with only printable ASCII in it. Other characters occur in its strings alone, where
/// `\uXXXX` means the same.
fn ascii(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if matches!(c, ' '..='~') {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_line_holds_what_is_there_in_a_fixed_order() {
        let server = ServerId::new("git").unwrap();
        let record = Record::new(AuditSurface::Sampling, &server, "stdio", Event::Denied)
            .era(Era::Legacy)
            .review(ReviewId(7))
            .stage(Stage::RequestReview)
            .failure(FailureKind::Rejected)
            .digest(Digest::of(b"x"))
            .with("model", "m");
        let line = record.line(3, "T", "P").unwrap();
        let digest = Digest::of(b"x");
        assert_eq!(
            line,
            format!(
                "{{\"seq\":3,\"time\":\"T\",\"surface\":\"sampling\",\"server\":\"git\",\
                 \"era\":\"legacy\",\"transport\":\"stdio\",\"review\":7,\
                 \"stage\":\"request_review\",\"event\":\"denied\",\"failure\":\"rejected\",\
                 \"digest\":\"{digest}\",\"detail\":{{\"model\":\"m\"}},\"prev\":\"P\"}}"
            )
        );
        let bare = Record::new(Surface::Tools.into(), &server, "http", Event::Called);
        let value: Value = serde_json::from_str(&bare.line(1, "T", "").unwrap()).unwrap();
        assert_eq!(
            value,
            json!({"seq": 1, "time": "T", "surface": "tools", "server": "git", "era": null,
                   "transport": "http", "event": "called", "prev": ""})
        );
    }

    #[test]
    fn a_line_is_printable_and_means_the_same() {
        let uri = "a://\x1b[2J\u{9b}\u{202e}\u{2028}漢😀\n\u{7f}";
        let server = ServerId::new("größe").unwrap();
        let record =
            Record::new(AuditSurface::Resources, &server, "stdio", Event::Read).with("uri", uri);
        let line = record.line(1, "T", "").unwrap();
        assert!(line.bytes().all(|b| (0x20..0x7f).contains(&b)), "{line}");
        let value: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(value["detail"]["uri"], uri);
        assert_eq!(value["server"], "größe");
    }
}
