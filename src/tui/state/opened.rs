//! What was read or rendered, as a page.

use super::sent::{Block, Body, Sent};
use super::words::{duration, fault};
use super::{Line, Page};
use crate::content::{self, Document};
use crate::domain::{
    Content, EmbeddedBody, Fault, Message, ResourceBody, ResourceContents, UntrustedText,
};
use crate::registry::{Called, Reading, Rendering};
use crate::tui::theme::Role;
use serde_json::Value;
use std::sync::Arc;

/// How many bytes are shown of something that is no text.
const HEX_BYTES: usize = 128;

/// The most bytes of a picture or sound in a prompt that are decoded to be looked at.
const MEDIA_LIMIT: usize = 64 << 20;

/// A resource that was read: its blocks one after another, each under a heading.
pub fn reading(reading: Reading) -> Page {
    let mut page = Page::default();
    let many = reading.contents.len() > 1;
    if reading.contents.is_empty() {
        page.say(Role::Dim, "the server sent no blocks");
    }
    let count = reading.contents.len();
    let mut blocks = Vec::with_capacity(count);
    for (n, block) in reading.contents.into_iter().enumerate() {
        if n > 0 {
            page.gap();
        }
        let part = page.next_part();
        heading(&mut page, &block, many.then_some((n + 1, count)), &reading.uri);
        let (uri, mime_type) = (block.uri.clone(), block.mime_type.clone());
        let body = body(&mut page, block);
        blocks.push(Block { part, uri, mime_type, body });
    }
    page.keep(Sent::Resource(blocks));
    page.gap();
    page.say(Role::Dim, format!("— end, read in {} —", duration(reading.took, true)));
    page
}

fn heading(
    page: &mut Page,
    block: &ResourceContents,
    number: Option<(usize, usize)>,
    asked: &UntrustedText,
) {
    let mut line = Line::default();
    if let Some((n, count)) = number {
        line.say(Role::Label, format!("block {n} of {count}  "));
    }
    let mut hidden = line.show(Role::Label, block.uri.as_ref().unwrap_or(asked));
    if let Some(mime) = &block.mime_type {
        line.say(Role::Plain, "  ");
        hidden += line.show(Role::Dim, mime);
    }
    page.push_counted(line, hidden);
    for note in &block.notes {
        page.say(Role::Warn, format!("! {}", note.text()));
    }
    page.gap();
}

/// What is in a block; given back as it was sent.
fn body(page: &mut Page, block: ResourceContents) -> Body {
    let text = |page: &mut Page, text: UntrustedText| {
        let document = Arc::new(Document::new(text));
        page.document(document.clone());
        Body::Text(document)
    };
    match block.body {
        ResourceBody::Text(empty) if empty.is_empty() => {
            page.say(Role::Dim, "(empty text)");
            Body::words("")
        }
        ResourceBody::Text(sent) => text(page, sent),
        ResourceBody::Blob(bytes) => {
            placeholder(page, block.mime_type.as_ref(), bytes.len());
            page.say(Role::Dim, "s saves it to a file.");
            page.gap();
            hex(page, &bytes);
            Body::Bytes(bytes)
        }
        ResourceBody::Unsupported { why, raw } => {
            page.say(Role::Bad, format!("✗ this block could not be read: {why}"));
            text(page, raw)
        }
    }
}

fn placeholder(page: &mut Page, mime: Option<&UntrustedText>, bytes: usize) {
    let kind = match mime.and_then(|m| m.raw().split('/').next()) {
        Some("image") => "image",
        Some("audio") => "audio",
        Some("video") => "video",
        Some(_) | None => "binary",
    };
    page.say(Role::Plain, content::placeholder_text(kind, mime, bytes));
}

fn hex(page: &mut Page, bytes: &[u8]) {
    page.hex(bytes.get(..HEX_BYTES).unwrap_or(bytes));
    let more = bytes.len().saturating_sub(HEX_BYTES);
    if more > 0 {
        page.say(Role::Dim, format!("… and {more} bytes more"));
    }
}

/// A prompt that was rendered: every message with its role, every block of it.
pub fn rendering(rendering: Rendering) -> Page {
    let mut page = Page::default();
    if let Some(description) = &rendering.prompt.description {
        page.show_block(description);
        page.gap();
    }
    if rendering.prompt.messages.is_empty() {
        page.say(Role::Dim, "the server sent no messages");
    }
    let prompt = Arc::new(rendering.prompt);
    page.keep(Sent::Prompt(prompt.clone()));
    let count = prompt.messages.len();
    for (n, message) in prompt.messages.iter().enumerate() {
        if n > 0 {
            page.gap();
        }
        let mut line = Line::of(Role::Label, format!("message {} of {count}  ", n + 1));
        let Message { role, content, .. } = message;
        let hidden = line.show(Role::Key, &role.wire().to_owned().into());
        page.push_counted(line, hidden);
        for block in content {
            self::block(&mut page, block.clone());
        }
    }
    page.gap();
    page.say(Role::Dim, format!("— end, rendered in {} —", duration(rendering.took, true)));
    page
}

/// What a tool answered.
pub fn called(called: &Called) -> Page {
    let mut page = Page::default();
    for block in &called.result.content {
        self::block(&mut page, block.clone());
    }
    page
}

fn block(page: &mut Page, block: Content) {
    match block {
        Content::Text { text, .. } => page.text(text),
        Content::Image { data, mime_type, .. } | Content::Audio { data, mime_type, .. } => {
            media(page, &mime_type, &data);
        }
        Content::Resource { uri, mime_type, body, .. } => {
            let mut line = Line::of(Role::Label, "embedded resource  ");
            let mut hidden = line.show(Role::Plain, &uri);
            if let Some(mime) = &mime_type {
                line.say(Role::Plain, "  ");
                hidden += line.show(Role::Dim, mime);
            }
            page.push_counted(line, hidden);
            match body {
                EmbeddedBody::Text(text) => page.text(text),
                EmbeddedBody::Blob(data) => {
                    media(
                        page,
                        &mime_type.unwrap_or_else(|| "application/octet-stream".into()),
                        &data,
                    );
                }
            }
        }
        Content::Link { uri, name, .. } => {
            let mut line = Line::of(Role::Label, "link  ");
            let mut hidden = line.show(Role::Plain, &name);
            line.say(Role::Plain, "  ");
            hidden += line.show(Role::Plain, &uri);
            page.push_counted(line, hidden);
        }
        other @ (Content::ToolUse { .. } | Content::ToolResult { .. }) => {
            page.say(Role::Warn, "! a block that has no place in a prompt, as sent:");
            page.json(&other.to_value());
        }
        Content::Unsupported { kind, raw } => unsupported(page, &kind, &raw),
    }
}

fn media(page: &mut Page, mime: &UntrustedText, data: &UntrustedText) {
    match content::decode(data.raw(), MEDIA_LIMIT) {
        Ok(bytes) => {
            placeholder(page, Some(mime), bytes.len());
            hex(page, &bytes);
        }
        Err(why) => {
            page.show_line(Role::Plain, mime);
            page.say(Role::Bad, format!("✗ its data cannot be decoded: {why}"));
        }
    }
}

fn unsupported(page: &mut Page, kind: &UntrustedText, raw: &Value) {
    let mut line = Line::of(Role::Warn, "! a block that is not known here: ");
    let hidden = line.show(Role::Warn, kind);
    page.push_counted(line, hidden);
    page.json(raw);
}

/// What came instead.
pub fn failed(why: &Fault) -> Page {
    let mut page = Page::default();
    fault(&mut page, why);
    page.gap();
    page.say(Role::Dim, "Enter opens it again; d shows the details.");
    page
}

/// What a server said beside the protocol, and above it why it is down, if it is.
pub fn noise(why: Option<&Fault>, stderr: &[UntrustedText], stray: &[UntrustedText]) -> Page {
    let mut page = Page::default();
    if let Some(why) = why {
        fault(&mut page, why);
        page.gap();
    }
    if stderr.is_empty() && stray.is_empty() {
        page.say(Role::Dim, "It wrote nothing to standard error, and nothing that is no protocol.");
        return page;
    }
    for (label, lines) in [("standard error", stderr), ("stray output and breaches", stray)] {
        page.say(Role::Label, label);
        if lines.is_empty() {
            page.say(Role::Dim, "(nothing)");
        }
        for line in lines {
            page.show_line(Role::Plain, line);
        }
        page.gap();
    }
    page
}
