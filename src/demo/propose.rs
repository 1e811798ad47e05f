//! What the embedded servers propose for an argument.

use super::collection::{Collection, Filled, Values};
use rmcp::{
    ErrorData,
    model::{CompleteRequestParams, CompletionInfo, Reference},
};
use serde_json::json;

/// How many values go out at once; the rest is counted.
const AT_ONCE: usize = 10;

/// The values that begin like what is written, whatever the case.
///
/// # Errors
/// Invalid params (-32602) for a prompt, template or argument that there is not.
pub(super) fn propose(
    collection: &Collection,
    request: &CompleteRequestParams,
) -> Result<CompletionInfo, ErrorData> {
    let name = request.argument.name.as_str();
    let values = match &request.r#ref {
        Reference::Prompt(prompt) => {
            let row = collection.prompts.iter().find(|row| row.name == prompt.name);
            let mut arguments = row.into_iter().flat_map(|row| row.arguments);
            arguments.find(|argument| argument.name == name).map(|argument| argument.values)
        }
        Reference::Resource(template) => {
            let row = collection.templates.iter().find(|row| row.uri_template == template.uri);
            let mut variables = row.into_iter().flat_map(|row| row.variables);
            variables.find(|(variable, _)| *variable == name).map(|(_, values)| *values)
        }
        _ => None,
    };
    let values: Values = values.ok_or_else(|| {
        ErrorData::invalid_params("Nothing of this name", Some(json!({ "name": name })))
    })?;
    let others = request.context.as_ref().and_then(|context| context.arguments.as_ref());
    let begun = request.argument.value.to_lowercase();
    let mut all = values(&Filled(others));
    all.retain(|value| value.to_lowercase().starts_with(&begun));
    let total = all.len();
    all.truncate(AT_ONCE);
    CompletionInfo::with_pagination(all, u32::try_from(total).ok(), total > AT_ONCE)
        .map_err(|why| ErrorData::internal_error(why, None))
}
