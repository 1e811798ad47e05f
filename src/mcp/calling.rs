//! Calling a tool of one server.

use super::{
    Session, called,
    mirrored::mirrored,
    requests::PARSE_APART,
    rounds::{self, Call},
    track::Track,
};
use crate::content::reveal_line;
use crate::domain::{Fault, FaultKind, ToolResult};
use serde_json::{Map, Value};

impl Session {
    /// Calls a tool by the server's own name. Arguments are sent as they are. Never done twice by
    /// itself. Dropping the future cancels the call and tells the server.
    ///
    /// # Errors
    /// A [`Fault`]. A tool that says that it failed is no fault but a result.
    pub async fn call_tool(
        &self,
        name: &str,
        arguments: &Map<String, Value>,
        track: &Track,
    ) -> Result<ToolResult, Fault> {
        let connection = &*self.connection().await?;
        if !connection.facts.capabilities.tools {
            return Err(self.fault(FaultKind::NotFound, "the server offers no tools"));
        }
        let params = Map::from_iter([
            ("name".to_owned(), Value::from(name)),
            ("arguments".to_owned(), Value::Object(arguments.clone())),
        ]);
        let what = format!("tool {}", reveal_line(name).plain());
        let listed = self.state().borrow().tools.clone();
        let tool = listed.items.iter().find(|tool| tool.name.raw() == name);
        let mirrored = tool.map(|tool| mirrored(&tool.input_schema, arguments)).unwrap_or_default();
        let call = Call { method: "tools/call", params, what: &what, mirrored };
        let raw = rounds::call(connection, call, track).await?;
        let (size, bound) = (raw.json.as_str().len(), connection.target.limits.result_bytes);
        if size > bound {
            let what = format!("the answer has {size} bytes, more than the limit of {bound}");
            return Err(self
                .fault(FaultKind::Limit, what)
                .hint("raise limits.result_bytes in settings.toml"));
        }
        let answered = raw
            .read_apart(PARSE_APART, called::read)
            .await?
            .map_err(|why| self.fault(FaultKind::Protocol, why))?;
        if let Some(breach) = answered.breach {
            connection.tap.logs.breach(breach);
        }
        Ok(answered.result)
    }
}
