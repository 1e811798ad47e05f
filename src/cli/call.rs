//! `vestibule call TOOL KEY=VALUE…`: calls a tool, once, and prints what it answers.

use super::{
    Common, Given, Options, Reporter,
    blocks::{BlockList, write_message_block},
    json,
    outcome::Stop,
    written,
};
use crate::{
    domain::{Content, Fault, FaultKind, UntrustedText},
    registry::{Agreement, Called, Registry, ToolCall},
    schema::{self, Disagreement},
};
use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};
use std::io::Write;

/// How many disagreements are named; the rest is counted.
const NAMED: usize = 10;

pub(super) const CALL_EXAMPLES: &str = "\
Examples:
  vestibule call search_catalogue query=tide --demo
  vestibule call library.search_catalogue --args '{\"query\": \"tide\"}' --demo
  vestibule call TOOL --args @arguments.json -- npx server     from a file
  vestibule call TOOL --args @- < arguments.json -- npx server from standard input
  vestibule call TOOL count=many --unchecked -- npx server     although its schema forbids it

A tool can change things. What is written here is sent at once.";

/// `call TOOL [KEY=VALUE…]`
#[derive(Debug, Clone, PartialEq, Args)]
pub struct Call {
    /// Its name, or SERVER.NAME
    #[arg(value_name = "TOOL")]
    pub name: String,
    /// What it takes.
    #[command(flatten)]
    pub given: Given,
    /// All arguments as one JSON object; @FILE reads it from a file, @- from standard input
    #[arg(long, value_name = "JSON", conflicts_with_all = ["arguments", "more"])]
    pub args: Option<String>,
    /// Send the arguments although they do not agree with the tool's schema
    #[arg(long)]
    pub unchecked: bool,
    /// Say yes where your permissions want one
    #[arg(long)]
    pub yes: bool,
    /// Options after the command's name.
    #[command(flatten)]
    pub common: Common,
}

/// Arguments as they stand on the command line.
pub(super) enum Sent {
    /// Pairs, which the tool's schema makes into values.
    Pairs(Vec<(String, String)>),
    /// The whole of them.
    Whole(Map<String, Value>),
}

impl Call {
    /// What is to be sent, as far as it is known without the tool.
    ///
    /// # Errors
    /// A usage fault.
    pub(super) async fn sent(&self) -> Result<Sent, Fault> {
        match &self.args {
            Some(args) => written::object(args).await.map(Sent::Whole),
            None => self.given.pairs().map(Sent::Pairs),
        }
    }
}

/// Calls the tool.
pub(super) async fn call(
    registry: &Registry,
    call: &Call,
    sent: &Sent,
    server: Option<&str>,
) -> Result<Called, Fault> {
    let name = call.name.as_str();
    let arguments = match sent {
        Sent::Whole(arguments) => arguments.clone(),
        Sent::Pairs(pairs) if pairs.is_empty() => Map::new(),
        Sent::Pairs(pairs) => {
            let tool = registry.find_tool(name, server).await?;
            let nothing = Map::new();
            let known = tool.as_ref().map_or(&nothing, |tool| &tool.input_schema);
            schema::pairs(known, pairs).map_err(|wrong| {
                let what = "the arguments are not what the tool takes";
                because(Fault::new(FaultKind::Validation, what), &wrong)
                    .hint("`--args JSON` with `--unchecked` sends anything")
            })?
        }
    };
    let unchecked = call.unchecked;
    registry.call_tool(ToolCall { name, arguments: &arguments, unchecked }, server).await
}

fn because(fault: Fault, found: &[Disagreement]) -> Fault {
    let line = |found: &Disagreement| -> UntrustedText {
        match found.at.raw() {
            "" => found.what.clone(),
            at => format!("{at}: {}", found.what.raw()).into(),
        }
    };
    let fault = found.iter().take(NAMED).fold(fault, |fault, found| fault.because(line(found)));
    let rest = found.len().saturating_sub(NAMED);
    if rest > 0 { fault.because(format!("and {rest} more")) } else { fault }
}

/// An answer under `--json`.
#[derive(Serialize)]
struct CalledJson<'a> {
    content: BlockList<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    structured: Option<&'a Value>,
    is_error: bool,
}

/// Writes the answer, with notes on what is odd about it, and gives the exit code.
pub(super) fn present(
    called: &Called,
    options: &Options,
    out: &mut dyn Write,
    reporter: &mut Reporter<'_>,
) -> Result<u8, Stop> {
    let result = &called.result;
    let structured = result.structured.as_ref();
    if options.json {
        let content = BlockList(&result.content);
        let value = CalledJson { content, structured, is_error: result.is_error };
        json::write(out, &value, options.terminal)?;
    } else {
        for block in &result.content {
            write_message_block(out, block)?;
        }
        if let Some(structured) = structured.filter(|value| !says(&result.content, value)) {
            if !result.content.is_empty() {
                out.write_all(b"\nstructured:\n")?;
            }
            json::write(out, structured, options.terminal)?;
        }
    }
    out.flush()?;
    let unknown = |block: &&Content| matches!(block, Content::Unsupported { .. });
    let unknown = result.content.iter().filter(unknown).count();
    if unknown > 0 {
        let what = format!("{unknown} blocks could not be understood and are shown as their JSON");
        reporter.remark(&called.server, FaultKind::Protocol, what);
    }
    if result.content.is_empty() && structured.is_none() {
        reporter.remark(&called.server, FaultKind::Protocol, "the tool answered with nothing");
    }
    if result.is_error {
        let what = "the tool says that it failed; what it printed says why";
        let fault = Fault::new(FaultKind::ServerError, what).of(&called.server);
        reporter.error(&fault);
        return Ok(fault.kind.exit_code());
    }
    match lapse(called) {
        Some(lapse) => {
            reporter.lapse(&lapse, options.strict);
            Ok(if options.strict { lapse.kind.exit_code() } else { 0 })
        }
        None => Ok(0),
    }
}

/// Whether a block is just the same JSON: many servers send it twice, for older clients.
fn says(content: &[Content], structured: &Value) -> bool {
    let same = |block: &Content| {
        let Content::Text { text, .. } = block else { return false };
        serde_json::from_str::<Value>(text.raw()).is_ok_and(|value| value == *structured)
    };
    content.iter().any(same)
}

/// What is wrong with the structured content, if something is.
fn lapse(called: &Called) -> Option<Fault> {
    let fault = |what: &str| Fault::new(FaultKind::Protocol, what).of(&called.server);
    match &called.agreement {
        Agreement::NotPromised | Agreement::Agrees => None,
        Agreement::Missing => {
            Some(fault("the tool has an output schema and sent no structured content"))
        }
        Agreement::Disagrees(found) => {
            let what = "the structured content does not agree with the tool's output schema";
            Some(because(fault(what), found))
        }
        Agreement::Unknown(why) => {
            let what = "the structured content could not be held against the tool's output schema";
            Some(fault(what).because(why.clone()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{ServerId, ToolResult};
    use serde_json::json;
    use std::time::Duration;

    fn called(content: Value, structured: Option<Value>, agreement: Agreement) -> Called {
        let blocks = content.as_array().expect("a list").iter().cloned();
        let content = blocks.map(Content::from_value).collect();
        let result = ToolResult { content, structured, is_error: false, extra: Map::new() };
        let (server, took) = (ServerId::sanitized("s"), Duration::ZERO);
        Called { server, name: "n".into(), result, agreement, took }
    }

    fn run(called: &Called, options: &Options) -> (String, String, u8) {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let code = present(called, options, &mut out, &mut Reporter::new(&mut err, false));
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (text(out), text(err), code.expect("written"))
    }

    #[test]
    fn structured_content_is_printed_unless_a_block_says_the_same() {
        let plain = Options::default();
        let twice = json!([{"type": "text", "text": "{ \"a\": 1 }"}]);
        let same = called(twice.clone(), Some(json!({"a": 1})), Agreement::NotPromised);
        assert_eq!(run(&same, &plain).0, "{ \"a\": 1 }\n");
        let more = called(twice, Some(json!({"a": 2})), Agreement::NotPromised);
        assert_eq!(run(&more, &plain).0, "{ \"a\": 1 }\n\nstructured:\n{\"a\":2}\n");
        let alone = called(json!([]), Some(json!("x\u{202e}")), Agreement::NotPromised);
        assert_eq!(run(&alone, &plain).0, "\"x\\u202e\"\n");
    }

    #[test]
    fn a_broken_promise_is_a_note_and_under_strict_a_failure() {
        let found = Disagreement { at: "/a".into(), what: "must be text".into() };
        for agreement in [Agreement::Missing, Agreement::Disagrees(vec![found])] {
            let odd = called(json!([{"type": "text", "text": "x"}]), None, agreement);
            let (lax, strict) =
                (Options::default(), Options { strict: true, ..Options::default() });
            assert_eq!((run(&odd, &lax).2, run(&odd, &strict).2), (0, 7));
            assert!(run(&odd, &lax).1.contains("output schema"));
        }
    }

    #[test]
    fn json_has_blocks_structured_content_and_whether_it_failed() {
        let mut failed =
            called(json!([{"type": "text", "text": "no\u{1b}"}]), None, Agreement::NotPromised);
        failed.result.is_error = true;
        let (out, err, code) = run(&failed, &Options { json: true, ..Options::default() });
        assert_eq!(out, "{\"content\":[\"no\\u001b\"],\"is_error\":true}\n");
        assert_eq!(code, 6);
        assert!(err.contains("says that it failed"), "{err}");
        let nothing = called(json!([]), None, Agreement::NotPromised);
        let (out, err, code) = run(&nothing, &Options::default());
        assert_eq!((out.as_str(), code), ("", 0));
        assert_eq!(err, "vestibule: s: the tool answered with nothing\n");
    }
}
