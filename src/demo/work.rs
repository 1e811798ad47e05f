//! A tool at work.

use super::collection::{Arguments, Block, Call, ToolRow};
use super::convert;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, InputRequest,
    InputRequiredResult, ProgressNotificationParam, RequestNoParam,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use std::time::Duration;

/// How long one step of a tool takes.
pub(super) const STEP: Duration = Duration::from_millis(250);

/// Under which name the roots are asked for.
const ROOTS: &str = "roots";

/// Answers a call.
///
/// # Errors
/// Internal error (-32603) when it was cancelled; nobody reads that.
pub(super) async fn call(
    row: &ToolRow,
    request: CallToolRequestParams,
    context: RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let arguments = Arguments(request.arguments.as_ref());
    let text = |text: String| vec![ContentBlock::text(text)];
    let answer = match &row.call {
        Call::Text(make) => make(&arguments).map(text),
        Call::Blocks(make) => make(&arguments).map(blocks),
        Call::Structured(make) => match make(&arguments) {
            Ok(value) => return Ok(CallToolResult::structured(value).into()),
            Err(why) => Err(why),
        },
        Call::Steps { count, step, done } => match count(&arguments) {
            Ok(count) => {
                steps(count, *step, &context).await?;
                Ok(text(done(count)))
            }
            Err(why) => Err(why),
        },
        Call::Roots(make) => match roots(&request, &context) {
            Ok(roots) => Ok(text(make(&roots))),
            Err(Missing::Asked(ask)) => return Ok((*ask).into()),
            Err(Missing::Never) => Err("The client shares no folders with its servers.".into()),
        },
    };
    Ok(match answer {
        Ok(blocks) => CallToolResult::success(blocks),
        Err(why) => CallToolResult::error(text(why)),
    }
    .into())
}

fn blocks(blocks: Vec<Block>) -> Vec<ContentBlock> {
    blocks.into_iter().map(convert::block).collect()
}

/// Goes through the steps, and tells of each whoever wants to know. Ends as soon as it is
/// cancelled.
async fn steps(
    count: u64,
    step: fn(u64) -> String,
    context: &RequestContext<RoleServer>,
) -> Result<(), ErrorData> {
    let token = context.meta.get_progress_token();
    for n in 1..=count {
        tokio::select! {
            () = context.ct.cancelled() => {
                return Err(ErrorData::internal_error("cancelled", None));
            }
            () = tokio::time::sleep(STEP) => {}
        }
        let Some(token) = token.clone() else { continue };
        #[expect(clippy::cast_precision_loss, reason = "a few hundred at most")]
        let (done, total) = (n as f64, count as f64);
        let mut progress = ProgressNotificationParam::new(token, done);
        progress.total = Some(total);
        progress.message = Some(step(n));
        // A client that has gone cancels the call as well.
        let _ = context.peer.notify_progress(progress).await;
    }
    Ok(())
}

/// Why there are no roots.
enum Missing {
    /// They are being asked for.
    Asked(Box<InputRequiredResult>),
    /// The client has none to give.
    Never,
}

/// The client's roots, from its answer of this round.
fn roots(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<Vec<String>, Missing> {
    let answers = request.input_responses.as_ref();
    if let Some(answer) = answers.and_then(|answers| answers.get(ROOTS)) {
        let roots = answer.get("roots").and_then(|roots| roots.as_array());
        let uri = |root: &serde_json::Value| root.get("uri")?.as_str().map(str::to_owned);
        return Ok(roots.into_iter().flatten().filter_map(uri).collect());
    }
    // A kind that the client did not declare may not be asked for.
    let shares = context.meta.client_capabilities().is_some_and(|can| can.roots.is_some());
    if !shares {
        return Err(Missing::Never);
    }
    let ask = InputRequest::ListRoots(RequestNoParam::default());
    let asks = [(ROOTS.to_owned(), ask)].into_iter().collect();
    let state = Some(format!("{}: asked once", request.name));
    Err(Missing::Asked(Box::new(InputRequiredResult::new(Some(asks), state))))
}
