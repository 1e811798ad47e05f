//! `vestibule call TOOL KEY=VALUE…`: one tool, called once; its answer goes to the output.

use super::{
    Common, Given, Options, Reporter,
    blocks::{MessageList, write_line, write_message_block},
    json,
    outcome::{Outcome, Stop},
    whole::Whole,
};
use crate::{
    domain::{Fault, FaultKind, ToolResult},
    registry::{Agreement, Called, Registry, ToolCall},
    schema::{self, Disagreement},
};
use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};
use std::io::Write;

pub(super) const CALL_EXAMPLES: &str = "\
Examples:
  vestibule call search_catalogue query=tide --demo
  vestibule call library.search_catalogue --args '{\"query\": \"tide\"}' --demo
  vestibule call TOOL --args @arguments.json -- npx server   arguments from a file
  vestibule call TOOL --args @- -- npx server                from standard input
  vestibule call TOOL n=many --unchecked -- npx server       what the tool does with it";

/// `call TOOL [KEY=VALUE…]`, `call TOOL --args JSON`
#[derive(Debug, Clone, PartialEq, Args)]
pub struct Call {
    /// Its name, or SERVER.NAME
    #[arg(value_name = "TOOL")]
    pub name: String,
    /// What it takes; the tool's input schema says how a value is read.
    #[command(flatten)]
    pub given: Given,
    /// All arguments as one JSON object, or @FILE, or @- for standard input
    #[arg(
        long = "args",
        value_name = "JSON",
        value_parser = Whole::parse,
        allow_hyphen_values = true,
        conflicts_with_all = ["arguments", "more"]
    )]
    pub whole: Option<Whole>,
    /// Send arguments although the tool's input schema forbids them
    #[arg(long)]
    pub unchecked: bool,
    /// Say yes where your permissions want one
    #[arg(long)]
    pub yes: bool,
    /// Options after the command's name.
    #[command(flatten)]
    pub common: Common,
}

/// What a call is given, as far as that is known without the tool.
pub(super) enum Arguments {
    /// All of it.
    Whole(Map<String, Value>),
    /// Texts, which the tool's input schema makes values.
    Pairs(Vec<(String, String)>),
}

/// Reads what the command line gives.
pub(super) async fn given(call: &Call) -> Result<Arguments, Fault> {
    match &call.whole {
        Some(source) => source.read().await.map(Arguments::Whole),
        None => call.given.pairs().map(Arguments::Pairs),
    }
}

/// Calls the tool, once.
pub(super) async fn call(
    registry: &Registry,
    call: &Call,
    given: Arguments,
    server: Option<&str>,
) -> Result<Called, Fault> {
    let (name, unchecked) = (call.name.as_str(), call.unchecked);
    let arguments = match given {
        Arguments::Whole(arguments) => arguments,
        Arguments::Pairs(pairs) => typed(registry, call, &pairs, server).await?,
    };
    registry.call_tool(ToolCall { name, arguments: &arguments, unchecked }, server).await
}

/// Makes texts the values that the tool's input schema wants.
async fn typed(
    registry: &Registry,
    call: &Call,
    pairs: &[(String, String)],
    server: Option<&str>,
) -> Result<Map<String, Value>, Fault> {
    let tool = registry.find_tool(&call.name, server).await?;
    let unknown = Map::new();
    let schema = tool.as_ref().map_or(&unknown, |tool| &tool.input_schema);
    if call.unchecked {
        // What cannot be read as the schema wants it is sent as the text that it is.
        let read = |pair: &(String, String)| match schema::pairs(schema, std::slice::from_ref(pair))
        {
            Ok(read) => read,
            Err(_) => Map::from_iter([(pair.0.clone(), pair.1.as_str().into())]),
        };
        return Ok(pairs.iter().flat_map(read).collect());
    }
    schema::pairs(schema, pairs).map_err(|wrong| {
        let what = "the arguments cannot be read as the tool's input schema wants them";
        let fault = Fault::new(FaultKind::Validation, what);
        let fault = wrong.iter().map(Disagreement::line).fold(fault, Fault::because);
        fault.hint("`--unchecked` sends it as text, and `--args JSON` with it anything")
    })
}

/// An answer under `--json`.
#[derive(Serialize)]
struct CalledJson<'a> {
    content: MessageList<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    structured: Option<&'a Value>,
    is_error: bool,
}

/// Writes the answer, with notes on what is odd about it, and gives the exit code.
pub(super) fn present(
    called: &Called,
    mut outcome: Outcome,
    options: &Options,
    out: &mut dyn Write,
    reporter: &mut Reporter<'_>,
) -> Result<u8, Stop> {
    let result = &called.result;
    if options.json {
        let content = MessageList(&result.content);
        let structured = result.structured.as_ref();
        let value = CalledJson { content, structured, is_error: result.is_error };
        json::write(out, &value, options.terminal)?;
    } else {
        plain(result, options, out)?;
    }
    out.flush()?;
    if result.content.is_empty() && result.structured.is_none() {
        reporter.remark(&called.server, FaultKind::Protocol, "the tool answered with nothing");
    }
    if let Some(lapse) = disagreement(&called.agreement) {
        let lapse = lapse.of(&called.server);
        reporter.lapse(&lapse, options.strict);
        outcome.lapses.push(lapse);
    }
    if result.is_error {
        let what = "the tool says that it failed";
        let fault = Fault::new(FaultKind::ServerError, what).of(&called.server);
        reporter.error(&fault);
        return Ok(fault.kind.exit_code());
    }
    Ok(outcome.code(options.strict))
}

/// For a person: the blocks as they come, then what is structured, unless a block says the same.
fn plain(result: &ToolResult, options: &Options, out: &mut dyn Write) -> Result<(), Stop> {
    for block in &result.content {
        write_message_block(out, block)?;
    }
    let Some(structured) = &result.structured else { return Ok(()) };
    if result.content.iter().any(|block| result.repeats(block)) {
        return Ok(());
    }
    if !result.content.is_empty() {
        write_line(out, "== structured content")?;
    }
    Ok(json::write(out, structured, options.terminal)?)
}

/// What is to be said where an answer is not what the server's output schema promises.
fn disagreement(agreement: &Agreement) -> Option<Fault> {
    let fault = |what: &str| Some(Fault::new(FaultKind::Protocol, what));
    match agreement {
        Agreement::NotPromised | Agreement::Agrees => None,
        Agreement::Missing => fault("the tool promises structured content and sent none"),
        Agreement::Disagrees(found) => {
            let fault = fault("the structured content does not agree with the output schema")?;
            Some(found.iter().map(Disagreement::line).fold(fault, Fault::because))
        }
        Agreement::Unknown(why) => {
            let fault = fault("the structured content cannot be checked: its schema is no good")?;
            Some(fault.because(why.clone()))
        }
    }
}

#[cfg(test)]
mod tests;
