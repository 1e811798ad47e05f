//! Calling a tool by its name.

use super::{Addressed, Registry, Row, address, tools};
use crate::{
    domain::{Fault, FaultKind, ServerId, Surface, ToolResult, UntrustedText},
    schema::Disagreement,
};
use serde_json::{Map, Value};
use std::time::{Duration, Instant};

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
    /// Where its structured content disagrees with the output schema that the server lists.
    pub disagreements: Vec<Disagreement>,
    /// How long the server took.
    pub took: Duration,
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
        let view = self.listed_for(Surface::Tools, call.name, server, tools).await;
        let (noun, rows) = ("tool", tools(&view));
        let meaning = address::resolve(&view, rows, call.name, server, noun)?;
        let member = self.member_for(&meaning, Surface::Tools, noun, call.name)?;
        let listed = |row: &&Row<_>| {
            row.server == meaning.server && Addressed::bare(&*row.item).raw() == meaning.bare
        };
        let listed = rows.iter().find(listed);
        if !call.unchecked && listed.is_some_and(|row| row.item.needs_task) {
            let what = "this tool is called as a task only, which vestibule does not do";
            let fault = Fault::new(FaultKind::Validation, what).of(&meaning.server);
            return Err(fault
                .because(meaning.bare.as_str())
                .hint("`--unchecked` calls it all the same"));
        }
        self.ask_yes(&meaning, Surface::Tools, noun)?;
        let began = Instant::now();
        let result = member.session.call_tool(&meaning.bare, call.arguments, &self.track).await?;
        let name = meaning.bare.into();
        Ok(Called {
            server: meaning.server,
            name,
            result,
            disagreements: Vec::new(),
            took: began.elapsed(),
        })
    }
}
