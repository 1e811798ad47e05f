//! Blocks of content on a page, whatever they came in.

use super::{Line, Page};
use crate::content;
use crate::domain::{Content, EmbeddedBody, UntrustedText};
use crate::tui::theme::Role;
use serde_json::Value;

/// How many bytes are shown of something that is no text.
const HEX_BYTES: usize = 128;

/// The most bytes of a picture or sound that are decoded to be looked at.
pub(super) const MEDIA_LIMIT: usize = 64 << 20;

/// What stands for something that is no text.
pub(super) fn placeholder(page: &mut Page, mime: Option<&UntrustedText>, bytes: usize) {
    let kind = match mime.and_then(|m| m.raw().split('/').next()) {
        Some("image") => "image",
        Some("audio") => "audio",
        Some("video") => "video",
        Some(_) | None => "binary",
    };
    page.say(Role::Plain, content::placeholder_text(kind, mime, bytes));
}

/// The first bytes of something that is no text.
pub(super) fn hex(page: &mut Page, bytes: &[u8]) {
    page.hex(bytes.get(..HEX_BYTES).unwrap_or(bytes));
    let more = bytes.len().saturating_sub(HEX_BYTES);
    if more > 0 {
        page.say(Role::Dim, format!("… and {more} bytes more"));
    }
}

/// One block of a prompt or of a tool's answer; `link` is its number among what can be followed.
pub(super) fn block(page: &mut Page, block: Content, link: Option<usize>) {
    match block {
        Content::Text { text, .. } => page.text(text),
        Content::Image { data, mime_type, .. } | Content::Audio { data, mime_type, .. } => {
            media(page, &mime_type, &data);
        }
        Content::Resource { uri, mime_type, body, .. } => {
            let mut line = numbered(link, "embedded resource  ");
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
            let mut line = numbered(link, "link  ");
            let mut hidden = line.show(Role::Plain, &name);
            line.say(Role::Plain, "  ");
            hidden += line.show(Role::Plain, &uri);
            page.push_counted(line, hidden);
        }
        other @ (Content::ToolUse { .. } | Content::ToolResult { .. }) => {
            page.say(Role::Warn, "! a block that has no place here, as sent:");
            page.json(&other.to_value());
        }
        Content::Unsupported { kind, raw } => unsupported(page, &kind, &raw),
    }
}

/// The words before something that can be followed, with its number.
fn numbered(link: Option<usize>, what: &str) -> Line {
    let mut line = Line::default();
    if let Some(n) = link {
        line.say(Role::Key, format!("[{n}] "));
    }
    line.say(Role::Label, what);
    line
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
