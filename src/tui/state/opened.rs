//! What was read or rendered, as a page.

use super::blocks::{self, hex, placeholder};
use super::sent::{Block, Body, Sent};
use super::words::{duration, fault};
use super::{Line, Page};
use crate::content::Document;
use crate::domain::{Fault, Message, ResourceBody, ResourceContents, UntrustedText};
use crate::registry::{Reading, Rendering};
use crate::tui::theme::Role;
use std::sync::Arc;

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
            blocks::block(&mut page, block.clone(), None);
        }
    }
    page.gap();
    page.say(Role::Dim, format!("— end, rendered in {} —", duration(rendering.took, true)));
    page
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
