//! What a tool answered, as a page.

use super::blocks;
use super::sent::{Answer, Block, Body, Sent};
use super::words::duration;
use super::{Line, Page};
use crate::content;
use crate::domain::{Content, EmbeddedBody, UntrustedText};
use crate::registry::{Agreement, Called};
use crate::schema::Disagreement;
use crate::tui::theme::Role;
use serde_json::Value;
use std::sync::Arc;

/// A tool's answer: how it went, its blocks one after another, its structured content.
pub fn page(called: Called) -> Page {
    let mut page = Page::default();
    let took = duration(called.took, true);
    let result = called.result;
    if result.is_error {
        page.say(Role::Bad, format!("✗ the tool says that it failed, after {took}"));
    } else {
        page.say(Role::Good, format!("✓ the tool answered in {took}"));
    }
    let count = result.content.len();
    let mut links = Vec::new();
    let mut media = Vec::new();
    for (n, block) in result.content.iter().enumerate() {
        page.gap();
        let part = page.next_part();
        if count > 1 {
            page.say(Role::Label, format!("block {} of {count}", n + 1));
        }
        if result.repeats(block) {
            page.say(Role::Dim, "(as text the same as the structured content below)");
            continue;
        }
        if let Some(uri) = target(block) {
            links.push(uri.clone());
        }
        let number = target(block).map(|_| links.len());
        blocks::block(&mut page, block.clone(), number);
        media.extend(bytes(block, part));
    }
    if count == 0 && result.structured.is_none() {
        page.gap();
        page.say(Role::Dim, "the server sent no blocks");
    }
    structured(&mut page, result.structured.as_ref(), &called.agreement);
    page.gap();
    page.say(Role::Dim, "— end —");
    page.keep(Sent::Tool(Arc::new(Answer { result, links, media })));
    page
}

/// What is structured, and whether it is as the tool's output schema says.
fn structured(page: &mut Page, value: Option<&Value>, agreement: &Agreement) {
    if value.is_some() || *agreement != Agreement::NotPromised {
        page.gap();
        page.say(Role::Label, "structured content");
    }
    match agreement {
        Agreement::NotPromised => {}
        Agreement::Agrees => page.say(Role::Good, "✓ agrees with the tool's output schema"),
        Agreement::Missing => {
            page.say(Role::Warn, "! the tool has an output schema but sent no structured content");
        }
        Agreement::Disagrees(found) => found.iter().for_each(|one| disagreement(page, one)),
        Agreement::Unknown(why) => {
            let mut line =
                Line::of(Role::Warn, "! nothing can be held against the output schema: ");
            let hidden = line.show(Role::Warn, why);
            line.indent = 2;
            page.push_counted(line, hidden);
        }
    }
    if let Some(value) = value {
        page.json(value);
    }
}

fn disagreement(page: &mut Page, one: &Disagreement) {
    let mut line = Line::of(Role::Warn, "! ");
    let mut hidden = 0;
    if !one.at.is_empty() {
        line.say(Role::Warn, "at ");
        hidden += line.show(Role::Warn, &one.at);
        line.say(Role::Warn, ": ");
    }
    hidden += line.show(Role::Warn, &one.what);
    line.indent = 2;
    page.push_counted(line, hidden);
}

/// The URI that can be followed from a block.
fn target(block: &Content) -> Option<&UntrustedText> {
    match block {
        Content::Link { uri, .. } | Content::Resource { uri, .. } => Some(uri),
        Content::Text { .. }
        | Content::Image { .. }
        | Content::Audio { .. }
        | Content::ToolUse { .. }
        | Content::ToolResult { .. }
        | Content::Unsupported { .. } => None,
    }
}

/// The bytes of a block that is no text.
fn bytes(block: &Content, part: usize) -> Option<Block> {
    let (data, mime_type, uri) = match block {
        Content::Image { data, mime_type, .. } | Content::Audio { data, mime_type, .. } => {
            (data, Some(mime_type), None)
        }
        Content::Resource { uri, mime_type, body: EmbeddedBody::Blob(data), .. } => {
            (data, mime_type.as_ref(), Some(uri))
        }
        Content::Text { .. }
        | Content::Resource { .. }
        | Content::Link { .. }
        | Content::ToolUse { .. }
        | Content::ToolResult { .. }
        | Content::Unsupported { .. } => return None,
    };
    let bytes = content::decode(data.raw(), blocks::MEDIA_LIMIT).ok()?;
    let body = Body::Bytes(bytes.into());
    Some(Block { part, uri: uri.cloned(), mime_type: mime_type.cloned(), body })
}
