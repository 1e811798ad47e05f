//! Blocks of content in their short forms: text whole, bytes as what they are and how many.

use crate::{
    content,
    domain::{Content, EmbeddedBody, ResourceBody, ResourceContents, UntrustedText},
};
use serde::{Serialize, Serializer, ser::SerializeSeq as _};
use serde_json::Value;
use std::io::{self, Write};

/// The longest stretch of text that is revealed at once, in bytes: a huge text is never held a
/// second time.
const STRETCH: usize = 64 * 1024;

/// One block of a resource under `--json`: a string, `{mime, size}`, or the JSON as sent.
pub(super) struct Block<'a>(pub &'a ResourceContents);

/// Several blocks: the one itself, else a list.
pub(super) struct Blocks<'a>(pub &'a [ResourceContents]);

/// One block of a message under `--json`.
struct MessageBlock<'a>(&'a Content);

/// The blocks of a message: the one itself, else a list.
pub(super) struct MessageBlocks<'a>(pub &'a [Content]);

/// The blocks of a message, always as a list.
pub(super) struct MessageList<'a>(pub &'a [Content]);

/// Bytes, shown as what they are and how many.
#[derive(Serialize)]
struct Binary<'a> {
    mime: Option<&'a UntrustedText>,
    /// Bytes after decoding; `null` when the base64 is faulty.
    size: Option<usize>,
}

/// A pointer to a resource.
#[derive(Serialize)]
struct Link<'a> {
    link: &'a UntrustedText,
    name: &'a UntrustedText,
}

impl Serialize for Block<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0.body {
            ResourceBody::Text(text) => serializer.serialize_str(text.raw()),
            ResourceBody::Blob(bytes) => {
                Binary { mime: self.0.mime_type.as_ref(), size: Some(bytes.len()) }
                    .serialize(serializer)
            }
            // Read into a value first, so that escapes are written by our rules.
            ResourceBody::Unsupported { raw, .. } => match serde_json::from_str::<Value>(raw.raw())
            {
                Ok(value) => value.serialize(serializer),
                Err(_) => serializer.serialize_str(raw.raw()),
            },
        }
    }
}

impl Serialize for Blocks<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            [one] => Block(one).serialize(serializer),
            many => {
                let mut list = serializer.serialize_seq(Some(many.len()))?;
                for block in many {
                    list.serialize_element(&Block(block))?;
                }
                list.end()
            }
        }
    }
}

impl Serialize for MessageBlock<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Content::Text { text, .. } => serializer.serialize_str(text.raw()),
            Content::Image { data, mime_type, .. } => {
                serializer.serialize_str(&placeholder("image", Some(mime_type), data))
            }
            Content::Audio { data, mime_type, .. } => {
                serializer.serialize_str(&placeholder("audio", Some(mime_type), data))
            }
            Content::Resource { body: EmbeddedBody::Text(text), .. } => {
                serializer.serialize_str(text.raw())
            }
            Content::Resource { body: EmbeddedBody::Blob(data), mime_type, .. } => {
                Binary { mime: mime_type.as_ref(), size: size(data) }.serialize(serializer)
            }
            Content::Link { uri, name, .. } => Link { link: uri, name }.serialize(serializer),
            Content::ToolUse { .. } | Content::ToolResult { .. } => {
                self.0.to_value().serialize(serializer)
            }
            Content::Unsupported { raw, .. } => raw.serialize(serializer),
        }
    }
}

impl Serialize for MessageBlocks<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            [one] => MessageBlock(one).serialize(serializer),
            many => MessageList(many).serialize(serializer),
        }
    }
}

impl Serialize for MessageList<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(MessageBlock))
    }
}

/// `[image: image/png, 34012 bytes]`, revealed.
fn placeholder(kind: &str, mime_type: Option<&UntrustedText>, data: &UntrustedText) -> String {
    match size(data) {
        Some(size) => content::placeholder_text(kind, mime_type, size),
        None => {
            let mime = mime_type.map_or_else(|| "unknown type".to_owned(), content::plain_line);
            format!("[{kind}: {mime}, faulty base64]")
        }
    }
}

fn size(base64: &UntrustedText) -> Option<usize> {
    content::decoded_size(base64.raw()).ok()
}

/// Writes one block of a resource for a person.
///
/// # Errors
/// Those of the writer.
pub(super) fn write_block(out: &mut dyn Write, block: &ResourceContents) -> io::Result<()> {
    match &block.body {
        ResourceBody::Text(text) => write_text(out, text.raw()),
        ResourceBody::Blob(bytes) => {
            let mime = block.mime_type.as_ref();
            writeln!(out, "{}", content::placeholder_text("blob", mime, bytes.len()))
        }
        ResourceBody::Unsupported { raw, .. } => write_text(out, raw.raw()),
    }
}

/// Writes one block of a message for a person.
///
/// # Errors
/// Those of the writer.
pub(super) fn write_message_block(out: &mut dyn Write, block: &Content) -> io::Result<()> {
    match block {
        Content::Text { text, .. } => write_text(out, text.raw()),
        Content::Image { data, mime_type, .. } => {
            writeln!(out, "{}", placeholder("image", Some(mime_type), data))
        }
        Content::Audio { data, mime_type, .. } => {
            writeln!(out, "{}", placeholder("audio", Some(mime_type), data))
        }
        Content::Resource { uri, body, mime_type, .. } => {
            write_line(out, &format!("[resource: {}]", uri.raw()))?;
            match body {
                EmbeddedBody::Text(text) => write_text(out, text.raw()),
                EmbeddedBody::Blob(data) => {
                    writeln!(out, "{}", placeholder("blob", mime_type.as_ref(), data))
                }
            }
        }
        Content::Link { uri, name, .. } => {
            write_line(out, &format!("[link: {}, {}]", uri.raw(), name.raw()))
        }
        Content::ToolUse { .. } | Content::ToolResult { .. } | Content::Unsupported { .. } => {
            write_text(out, &block.to_value().to_string())
        }
    }
}

/// Writes text for a person: revealed, with a line break at its end.
///
/// # Errors
/// Those of the writer.
fn write_text(out: &mut dyn Write, text: &str) -> io::Result<()> {
    for line in text.split_inclusive('\n') {
        let mut rest = line;
        while !rest.is_empty() {
            let (stretch, tail) = rest.split_at_checked(cut(rest)).unwrap_or((rest, ""));
            out.write_all(content::plain_text(&stretch.into()).as_bytes())?;
            rest = tail;
        }
    }
    if text.ends_with('\n') { Ok(()) } else { out.write_all(b"\n") }
}

/// Where a stretch ends: between two plain characters, so that nothing that is shown as one is
/// torn apart; anywhere in a text that has no such place.
fn cut(text: &str) -> usize {
    let end = text.floor_char_boundary(STRETCH);
    if end == text.len() {
        return end;
    }
    let plain = |pair: &[u8]| pair.iter().all(u8::is_ascii_alphanumeric);
    let places = text.as_bytes().get(..end).unwrap_or_default().windows(2);
    places.into_iter().rposition(plain).map_or(end, |n| n + 1)
}

/// Writes one line for a person, revealed.
///
/// # Errors
/// Those of the writer.
pub(super) fn write_line(out: &mut dyn Write, text: &str) -> io::Result<()> {
    writeln!(out, "{}", content::plain_line(&text.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use serde_json::json;

    fn block(body: ResourceBody) -> ResourceContents {
        let mime_type = Some("image/png".into());
        ResourceContents { uri: Some("a:b".into()), mime_type, body, notes: Vec::new() }
    }

    fn value(blocks: &[ResourceContents]) -> Value {
        serde_json::to_value(Blocks(blocks)).expect("JSON")
    }

    #[test]
    fn one_text_is_a_string_one_blob_its_kind_and_size_and_none_an_empty_list() {
        let text = block(ResourceBody::Text("a\n".into()));
        let blob = block(ResourceBody::Blob(Bytes::from_static(b"12345")));
        assert_eq!(value(std::slice::from_ref(&text)), json!("a\n"));
        let shape = json!({"mime": "image/png", "size": 5});
        assert_eq!(value(std::slice::from_ref(&blob)), shape);
        assert_eq!(value(&[text, blob]), json!(["a\n", shape]));
        assert_eq!(value(&[]), json!([]));
    }

    #[test]
    fn what_is_not_understood_is_its_own_json() {
        let unsupported =
            |raw: &str| block(ResourceBody::Unsupported { why: "neither".into(), raw: raw.into() });
        assert_eq!(value(&[unsupported(r#"{"uri":"a:b","x":1}"#)]), json!({"uri": "a:b", "x": 1}));
        assert_eq!(value(&[unsupported("{broken")]), json!("{broken"));
    }

    #[test]
    fn message_blocks_have_their_short_forms() {
        let blocks = [
            json!({"type": "text", "text": "hi"}),
            json!({"type": "image", "data": "AAAA", "mimeType": "image/png"}),
            json!({"type": "audio", "data": "AA==", "mimeType": "audio/wav"}),
            json!({"type": "resource_link", "uri": "a:b", "name": "n"}),
            json!({"type": "resource", "resource": {"uri": "a:b", "text": "t"}}),
            json!({"type": "resource", "resource": {"uri": "a:b", "blob": "AAA=", "mimeType": "x/y"}}),
            json!({"type": "image", "data": "A*", "mimeType": "image/png"}),
            json!({"type": "video", "data": 1}),
        ]
        .map(Content::from_value);
        assert_eq!(
            serde_json::to_value(MessageBlocks(&blocks)).expect("JSON"),
            json!([
                "hi",
                "[image: image/png, 3 bytes]",
                "[audio: audio/wav, 1 byte]",
                {"link": "a:b", "name": "n"},
                "t",
                {"mime": "x/y", "size": 2},
                "[image: image/png, faulty base64]",
                {"type": "video", "data": 1},
            ])
        );
        assert_eq!(serde_json::to_value(MessageBlocks(&blocks[..1])).expect("JSON"), json!("hi"));
        assert_eq!(serde_json::to_value(MessageBlocks(&[])).expect("JSON"), json!([]));
    }

    #[test]
    fn a_long_line_comes_out_as_if_it_were_revealed_at_once() {
        for pattern in ["é", "ab👨‍👩‍👧e\u{301}", "x\u{1b}[2J\u{202e}", "0\r"] {
            let text = pattern.repeat(3 * STRETCH / pattern.len() + 1);
            let mut out = Vec::new();
            write_text(&mut out, &text).expect("written");
            let expected = content::plain_text(&text.as_str().into());
            assert!(
                String::from_utf8(out).expect("UTF-8") == format!("{expected}\n"),
                "{pattern:?}"
            );
        }
    }

    #[test]
    fn lines_keep_their_ends() {
        for (text, expected) in [("", "\n"), ("a\n", "a\n"), ("a\n\nb", "a\n\nb\n")] {
            let mut out = Vec::new();
            write_text(&mut out, text).expect("written");
            assert_eq!(String::from_utf8(out).expect("UTF-8"), expected);
        }
    }
}
