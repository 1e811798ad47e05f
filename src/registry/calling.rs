//! Calling a tool by its name.

use super::{
    Addressed, Registry, RegistryView, Row,
    address::{self, Meaning},
    tools,
};
use crate::{
    content::reveal_line,
    domain::{Fault, FaultKind, ListingState, ServerId, Surface, Tool, ToolResult, UntrustedText},
    schema::{self, Checker, Disagreement},
};
use serde_json::{Map, Value};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// How many disagreements a fault names.
const NAMED: usize = 8;

/// How many arguments a hint names.
const NAMES: usize = 20;

/// What one is called in faults.
const NOUN: &str = "tool";

/// Which tool is called, and with what.
#[derive(Debug, Clone, Copy)]
pub struct ToolCall<'a> {
    /// Its name, bare or qualified, or, with a server named, that server's own name.
    pub name: &'a str,
    /// What is sent, as it is.
    pub arguments: &'a Map<String, Value>,
    /// Whether to send it although it does not agree with the tool's input schema.
    pub unchecked: bool,
}

/// What a tool answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Called {
    /// Who was asked.
    pub server: ServerId,
    /// For which tool, under the server's own name.
    pub name: UntrustedText,
    /// The answer. A tool that says that it failed has answered too.
    pub result: ToolResult,
    /// How its structured content stands to the output schema that the server lists.
    pub agreement: Agreement,
    /// How long the server took.
    pub took: Duration,
}

/// How structured content stands to an output schema (spec `server/tools`, output schema).
#[derive(Debug, Clone, PartialEq)]
pub enum Agreement {
    /// The server lists no output schema, or the tool says that it failed.
    NotPromised,
    /// It agrees.
    Agrees,
    /// There is none, although the server lists a schema of it.
    Missing,
    /// It disagrees in these places.
    Disagrees(Vec<Disagreement>),
    /// Nothing can be checked against the output schema, and why.
    Unknown(UntrustedText),
}

impl Registry {
    /// Calls a tool. Arguments are checked against its input schema before anything is sent; a
    /// call is never made twice. Dropping the future cancels the call and tells the server.
    ///
    /// # Errors
    /// A [`Fault`] that says what went wrong, where and what to try.
    pub async fn call_tool(
        &self,
        call: ToolCall<'_>,
        server: Option<&str>,
    ) -> Result<Called, Fault> {
        let (meaning, tool) = self.meant(call.name, server).await?;
        let member = self.member_for(&meaning, Surface::Tools, NOUN, call.name)?;
        if let Some(tool) = tool.as_ref().filter(|_| !call.unchecked) {
            check(tool, call.arguments).await.map_err(|fault| fault.of(&meaning.server))?;
        }
        self.ask_yes(&meaning, Surface::Tools, NOUN)?;
        let began = Instant::now();
        let result = member.session.call_tool(&meaning.bare, call.arguments, &self.track).await?;
        let took = began.elapsed();
        let agreement = compare(tool, &result).await;
        let name = meaning.bare.into();
        Ok(Called { server: meaning.server, name, result, agreement, took })
    }

    /// A tool as its server lists it; `None` where it can be called without being listed.
    ///
    /// # Errors
    /// A [`Fault`] when nothing may be called by this name, or several tools have it.
    pub async fn find_tool(
        &self,
        name: &str,
        server: Option<&str>,
    ) -> Result<Option<Arc<Tool>>, Fault> {
        let (meaning, tool) = self.meant(name, server).await?;
        self.member_for(&meaning, Surface::Tools, NOUN, name)?;
        Ok(tool)
    }

    /// What a name means, and the tool if it is listed.
    async fn meant(
        &self,
        name: &str,
        server: Option<&str>,
    ) -> Result<(Meaning, Option<Arc<Tool>>), Fault> {
        let view = self.listed_for(Surface::Tools, name, server, tools).await;
        let rows = tools(&view);
        let meaning = address::resolve(&view, rows, name, server, NOUN)?;
        let is_it = |row: &&Row<Tool>| {
            row.server == meaning.server && Addressed::bare(&*row.item).raw() == meaning.bare
        };
        let tool = rows.iter().find(is_it).map(|row| row.item.clone());
        // Never listed, by a server whose list is whole: the server has to be named.
        if tool.is_none() && server.is_none() && lists_all(&view, &meaning.server) {
            return Err(address::not_found(NOUN, name));
        }
        Ok((meaning, tool))
    }
}

fn lists_all(view: &RegistryView, server: &ServerId) -> bool {
    view.server(server).is_some_and(|s| s.lists.tools.state == ListingState::Fresh)
}

/// Refuses arguments that a tool's input schema forbids. A schema that nothing can be checked
/// against forbids nothing: what comes of it is the server's to say.
async fn check(tool: &Arc<Tool>, arguments: &Map<String, Value>) -> Result<(), Fault> {
    let names = schema::fields(&tool.input_schema).into_iter().take(NAMES).map(|field| {
        let name = reveal_line(field.name.raw()).plain();
        if field.required { name } else { format!("[{name}]") }
    });
    let names = names.collect::<Vec<_>>().join(", ");
    let unchecked = match names.is_empty() {
        true => "`--unchecked` sends it all the same".to_owned(),
        false => format!("it takes: {names}; `--unchecked` sends it all the same"),
    };
    if tool.needs_task {
        let what = "this tool is called as a task only, which vestibule does not do";
        let fault = Fault::new(FaultKind::Validation, what).because(tool.name.clone());
        return Err(fault.hint(unchecked));
    }
    let (tool, arguments) = (tool.clone(), Value::Object(arguments.clone()));
    // What cannot be checked is not forbidden.
    let check = move || Checker::new(&tool.input_schema)?.check(&arguments);
    let found = apart(check).await.and_then(Result::ok).unwrap_or_default();
    if found.is_empty() {
        return Ok(());
    }
    let what = match found.len() {
        1 => "the arguments do not agree with the tool's input schema".to_owned(),
        n => format!("the arguments do not agree with the tool's input schema in {n} places"),
    };
    let fault = Fault::new(FaultKind::Validation, what);
    let named = found.iter().take(NAMED).fold(fault, |fault, found| fault.because(found.line()));
    Err(named.hint(unchecked))
}

/// How a result stands to the output schema.
async fn compare(tool: Option<Arc<Tool>>, result: &ToolResult) -> Agreement {
    let promised = tool.filter(|tool| tool.output_schema.is_some() && !result.is_error);
    let Some(tool) = promised else { return Agreement::NotPromised };
    let Some(structured) = result.structured.clone() else { return Agreement::Missing };
    let check = move || {
        let schema = tool.output_schema.as_ref();
        schema.map(|schema| Checker::new(schema)?.check(&structured)).transpose()
    };
    match apart(check).await {
        Some(Ok(None)) => Agreement::NotPromised,
        Some(Ok(Some(found))) if found.is_empty() => Agreement::Agrees,
        Some(Ok(Some(found))) => Agreement::Disagrees(found),
        Some(Err(why)) => Agreement::Unknown(why),
        // The answer is there, whatever becomes of a look at it.
        None => Agreement::Unknown("the check failed".into()),
    }
}

/// Schemas and values come from a server and may be large: they are looked at on a thread of
/// their own, so that the runtime's stay free. `None` when that failed.
async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    tokio::task::spawn_blocking(work).await.ok()
}

impl Called {
    /// Where the structured content disagrees with the output schema.
    pub fn disagreements(&self) -> &[Disagreement] {
        match &self.agreement {
            Agreement::Disagrees(found) => found,
            Agreement::NotPromised
            | Agreement::Agrees
            | Agreement::Missing
            | Agreement::Unknown(_) => &[],
        }
    }
}
