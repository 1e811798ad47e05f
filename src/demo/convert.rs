//! Rows of a collection as the protocol's types.

use super::collection::{
    Block, Body, Effect, Line, PromptRow, ResourceRow, Speaker, TemplateRow, ToolRow,
};
use super::live;
use base64::{Engine, prelude::BASE64_STANDARD};
use rmcp::ErrorData;
use rmcp::model::{
    ContentBlock, JsonObject, Prompt, PromptArgument, PromptMessage, Resource, ResourceContents,
    ResourceTemplate, Role, Tool, ToolAnnotations,
};
use std::sync::Arc;

/// A row of `resources/list`.
pub(super) fn resource(row: &ResourceRow) -> Resource {
    Resource::new(row.uri, row.name)
        .with_description(row.description)
        .with_mime_type(row.mime_type)
        .with_size(row.body.size())
}

/// A row of `resources/templates/list`.
pub(super) fn template(row: &TemplateRow) -> ResourceTemplate {
    ResourceTemplate::new(row.uri_template, row.name)
        .with_description(row.description)
        .with_mime_type(row.mime_type)
}

/// What reading a listed resource gives.
pub(super) fn contents(row: &ResourceRow) -> ResourceContents {
    let contents = match row.body {
        Body::Text(text) => ResourceContents::text(text, row.uri),
        Body::Bytes(bytes) => ResourceContents::blob(BASE64_STANDARD.encode(bytes), row.uri),
        Body::Made { write, .. } => ResourceContents::text(write(), row.uri),
        Body::Live { after, .. } => ResourceContents::text(after(live::steps()), row.uri),
    };
    contents.with_mime_type(row.mime_type)
}

/// What reading `uri` gives, when it belongs to the template.
pub(super) fn expanded_contents(row: &TemplateRow, uri: &str) -> Option<ResourceContents> {
    let text = (row.read)(uri)?;
    Some(ResourceContents::text(text, uri).with_mime_type(row.mime_type))
}

/// A row of `prompts/list`. A prompt that takes nothing has no `arguments` member at all.
pub(super) fn prompt(row: &PromptRow) -> Prompt {
    let arguments: Vec<PromptArgument> = row
        .arguments
        .iter()
        .map(|argument| {
            PromptArgument::new(argument.name)
                .with_description(argument.description)
                .with_required(argument.required)
        })
        .collect();
    let arguments = Some(arguments).filter(|arguments| !arguments.is_empty());
    Prompt::new(row.name, Some(row.description), arguments).with_title(row.title)
}

/// A message of a rendered prompt.
pub(super) fn message(line: Line) -> PromptMessage {
    let role = match line.speaker {
        Speaker::User => Role::User,
        Speaker::Assistant => Role::Assistant,
    };
    PromptMessage::new(role, block(line.block))
}

/// A block of a prompt or of a tool's answer.
pub(super) fn block(block: Block) -> ContentBlock {
    match block {
        Block::Text(text) => ContentBlock::text(text),
        Block::Image { bytes, mime_type } => {
            ContentBlock::image(BASE64_STANDARD.encode(bytes), mime_type)
        }
        Block::Resource { uri, mime_type, text } => {
            ContentBlock::resource(ResourceContents::text(text, uri).with_mime_type(mime_type))
        }
        Block::Link { uri, name } => ContentBlock::resource_link(Resource::new(uri, name)),
    }
}

/// A row of `tools/list`.
///
/// # Errors
/// Internal error (-32603) when a schema of the row is not a JSON object; the tests see to it
/// that none is.
pub(super) fn tool(row: &ToolRow) -> Result<Tool, ErrorData> {
    let parsed = |text: &str| -> Result<JsonObject, ErrorData> {
        serde_json::from_str(text).map_err(|error| {
            ErrorData::internal_error(format!("schema of {}: {error}", row.name), None)
        })
    };
    let schema = parsed(row.input_schema)?;
    let hints = ToolAnnotations::new().open_world(false);
    let hints = match row.effect {
        Effect::Reads => hints.read_only(true),
        Effect::Changes => hints.read_only(false).destructive(false),
        Effect::Destroys => hints.read_only(false).destructive(true),
    };
    let mut tool =
        Tool::new(row.name, row.description, schema).with_title(row.title).with_annotations(hints);
    tool.output_schema = row.output_schema.map(parsed).transpose()?.map(Arc::new);
    Ok(tool)
}
