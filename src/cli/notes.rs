//! What goes to standard error: notes, and the errors that decide the exit code.

use super::json;
use crate::{
    content,
    domain::{Fault, FaultKind, ServerId, UntrustedText},
};
use serde::Serialize;
use std::io::Write;

/// Writes messages, one after the other. A standard error that cannot be written to is no reason
/// to fail: nobody is there to be told.
pub struct Reporter<'a> {
    err: &'a mut dyn Write,
    json: bool,
}

/// The fields of a message under `--json`.
#[derive(Serialize)]
pub(super) struct Fields<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<&'a ServerId>,
    code: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
    #[serde(skip_serializing_if = "<[UntrustedText]>::is_empty")]
    cause: &'a [UntrustedText],
}

impl<'a> From<&'a Fault> for Fields<'a> {
    fn from(fault: &'a Fault) -> Self {
        Self {
            server: fault.who.as_ref(),
            code: fault.kind.code(),
            message: &fault.what,
            hint: fault.hint.as_deref(),
            cause: &fault.cause,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Message<'a> {
    Note(Fields<'a>),
    Error(Fields<'a>),
}

impl<'a> Reporter<'a> {
    /// Messages for a person, or one JSON object a line.
    pub fn new(err: &'a mut dyn Write, json: bool) -> Self {
        Self { err, json }
    }

    /// Something to know; the command does not fail for it.
    pub fn note(&mut self, note: &Fault) {
        self.message(Message::Note(note.into()), note);
    }

    /// How what is under way goes; for a person only.
    pub(super) fn progress(&mut self, news: &str) {
        if !self.json {
            let _ = self.err.write_all(ours(format!("vestibule: {news}\n")).as_bytes());
            let _ = self.err.flush();
        }
    }

    /// Something that failed.
    pub fn error(&mut self, fault: &Fault) {
        self.message(Message::Error(fault.into()), fault);
    }

    /// Something that is less than it should be: a failure only under `--strict`.
    pub(super) fn lapse(&mut self, lapse: &Fault, strict: bool) {
        if strict { self.error(lapse) } else { self.note(lapse) }
    }

    /// A note about one server, in our words.
    pub fn remark(&mut self, server: &ServerId, kind: FaultKind, what: impl Into<String>) {
        self.note(&Fault::new(kind, what).of(server));
    }

    fn message(&mut self, message: Message<'_>, fault: &Fault) {
        let _ = if self.json {
            json::write(self.err, &message, false)
        } else {
            self.err.write_all(plain(fault).as_bytes())
        };
        let _ = self.err.flush();
    }
}

/// `vestibule: SERVER: what (hint)`, and each cause on indented lines of its own, revealed.
fn plain(fault: &Fault) -> String {
    let mut text = ours(format!("vestibule: {fault}\n"));
    for cause in &fault.cause {
        for line in content::plain_text(cause).lines() {
            text.push_str("  ");
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

/// Our own words. Should something hidden have come into them all the same, it is shown; words
/// that hold marks already are not marked a second time.
pub(super) fn ours(text: String) -> String {
    if content::reveal_text(&text).counts.hidden() > 0 {
        content::plain_text(&text.into())
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn fault() -> Fault {
        Fault::new(FaultKind::Unreachable, "could not be started")
            .of(&ServerId::sanitized("git"))
            .because("no such file")
            .because("two\nlines \u{1b}[2J")
            .hint("is it in PATH?")
    }

    fn reported(json: bool) -> String {
        let mut err = Vec::new();
        let mut reporter = Reporter::new(&mut err, json);
        reporter.error(&fault());
        reporter.remark(&ServerId::sanitized("a"), FaultKind::Limit, "cut");
        String::from_utf8(err).expect("UTF-8")
    }

    #[test]
    fn a_person_reads_who_what_and_what_to_try_with_causes_below() {
        let text = reported(false);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "vestibule: git: could not be started (is it in PATH?)");
        assert_eq!(lines[1..3], ["  no such file", "  two"]);
        assert!(lines[3].starts_with("  lines "), "{text}");
        assert_eq!(lines[4], "vestibule: a: cut");
        assert!(!text.contains('\u{1b}'), "{text}");
    }

    #[test]
    fn a_program_reads_one_object_a_line() {
        let text = reported(true);
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(
            lines,
            [
                json!({"error": {"server": "git", "code": "unreachable",
                    "message": "could not be started", "hint": "is it in PATH?",
                    "cause": ["no such file", "two\nlines \u{1b}[2J"]}}),
                json!({"note": {"server": "a", "code": "limit", "message": "cut"}}),
            ]
        );
        assert!(!text.contains('\u{1b}'), "{text}");
    }
}
