//! The answer to `resources/read`: blocks, checked, with what is odd about them.

mod in_place;

use super::{answer::RawResult, unescape::unescape, wire::Object};
use crate::{
    content::{Base64Error, MediaType, decode, disagreement},
    domain::{ContentNote, ResourceBody, ResourceContents, UntrustedText},
};
use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Map, Value, json, value::RawValue};
use std::borrow::Cow;

/// Why an answer to a read is of no use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// Not what the protocol describes, in our words.
    Protocol(String),
    /// Larger than `limits.resource_bytes`.
    TooLarge {
        /// How large.
        size: usize,
    },
}

#[derive(Deserialize)]
struct Answer<T> {
    contents: Vec<T>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireBlock<'a> {
    #[serde(default)]
    uri: Option<UntrustedText>,
    #[serde(default)]
    mime_type: Option<UntrustedText>,
    // Raw: see `unescape`.
    #[serde(default, borrow)]
    text: Option<&'a RawValue>,
    #[serde(default, borrow)]
    blob: Option<Blob<'a>>,
}

/// Base64, borrowed where it holds no escape, since it may be as long as the line. A type of its
/// own, because within an `Option` a `Cow` by itself is always a copy.
#[derive(Deserialize)]
#[serde(transparent)]
struct Blob<'a>(#[serde(borrow)] Cow<'a, str>);

/// Reads the answer. `uri` is what was asked for; `bound` is the largest decoded size of one block.
pub(super) fn read(
    raw: RawResult,
    uri: &str,
    bound: usize,
) -> Result<Vec<ResourceContents>, Unreadable> {
    let RawResult { json, replaced } = raw;
    let json = match in_place::read(json, uri, bound) {
        Ok(block) => return Ok(vec![block]),
        Err(json) => json,
    };
    let mut blocks = RawResult { json, replaced }.read(|json| read_blocks(json, uri, bound))?;
    if replaced {
        note_replaced(&mut blocks);
    }
    Ok(blocks)
}

fn read_blocks(raw: &str, uri: &str, bound: usize) -> Result<Vec<ResourceContents>, Unreadable> {
    if let Ok(Object(answer)) = serde_json::from_str::<Object<Answer<Object<WireBlock<'_>>>>>(raw) {
        let mut blocks = Vec::with_capacity(answer.contents.len());
        for Object(block) in answer.contents {
            accept(block, uri, bound, &mut blocks)?;
        }
        return Ok(blocks);
    }
    one_by_one(raw, uri, bound)
}

fn one_by_one(raw: &str, uri: &str, bound: usize) -> Result<Vec<ResourceContents>, Unreadable> {
    let no_list =
        || Unreadable::Protocol("the answer should be an object with a list of contents".into());
    let Object(answer) =
        serde_json::from_str::<Object<Answer<&RawValue>>>(raw).map_err(|_| no_list())?;
    let mut blocks = Vec::with_capacity(answer.contents.len());
    for item in answer.contents {
        match serde_json::from_str::<Object<WireBlock<'_>>>(item.get()) {
            Ok(Object(block)) => accept(block, uri, bound, &mut blocks)?,
            Err(error) if error.is_syntax() => {
                // An escape that is no character, as of half an emoji.
                blocks.push(unsupported(&format!("the block cannot be read: {error}"), item.get()));
            }
            Err(_) => {
                blocks.push(unsupported("a member of the block is of the wrong kind", item.get()));
            }
        }
    }
    Ok(blocks)
}

fn unsupported(why: &str, raw: &str) -> ResourceContents {
    let named = serde_json::from_str::<Value>(raw).ok();
    let uri = named.as_ref().and_then(|v| v.get("uri")).and_then(Value::as_str);
    ResourceContents {
        uri: uri.map(Into::into),
        mime_type: None,
        body: ResourceBody::Unsupported { why: why.into(), raw: raw.into() },
        notes: Vec::new(),
    }
}

fn accept(
    block: WireBlock<'_>,
    asked: &str,
    bound: usize,
    blocks: &mut Vec<ResourceContents>,
) -> Result<(), Unreadable> {
    let notes = notes(&block, asked);
    if block.text.is_none() && block.blob.is_none() {
        blocks.push(block.with(unsupported_body(&block, "neither text nor blob", &[]), notes));
        return Ok(());
    }
    if let Some(text) = block.text {
        blocks.push(text_block(&block, text, bound, notes.clone())?);
    }
    if let Some(blob) = &block.blob {
        blocks.push(blob_block(&block, &blob.0, bound, notes)?);
    }
    Ok(())
}

/// What is odd about a block before one looks into it.
fn notes(block: &WireBlock<'_>, asked: &str) -> Vec<ContentNote> {
    let mut notes = Vec::new();
    match &block.uri {
        None => notes.push(ContentNote::NoUri),
        Some(uri) if !is_at_or_below(uri.raw(), asked) => notes.push(ContentNote::ForeignUri),
        Some(_) => {}
    }
    if block.mime_type.is_some() && block.media().is_none() {
        notes.push(ContentNote::BadMediaType);
    }
    if block.text.is_some() && block.blob.is_some() {
        notes.push(ContentNote::TextAndBlob);
    }
    notes
}

fn text_block(
    block: &WireBlock<'_>,
    raw: &RawValue,
    bound: usize,
    mut notes: Vec<ContentNote>,
) -> Result<ResourceContents, Unreadable> {
    let Some((text, replaced)) = unescape(raw.get()) else {
        let value = serde_json::from_str(raw.get()).unwrap_or_default();
        let body = unsupported_body(block, "text should be a string", &[("text", value)]);
        return Ok(block.with(body, notes));
    };
    if text.len() > bound {
        return Err(Unreadable::TooLarge { size: text.len() });
    }
    if replaced {
        notes.push(ContentNote::InvalidUnicode);
    }
    Ok(block.with(ResourceBody::Text(text.into()), notes))
}

fn blob_block(
    block: &WireBlock<'_>,
    blob: &str,
    bound: usize,
    notes: Vec<ContentNote>,
) -> Result<ResourceContents, Unreadable> {
    let bytes = match decode(blob, bound) {
        Ok(bytes) => bytes,
        Err(Base64Error::TooLarge { size, .. }) => return Err(Unreadable::TooLarge { size }),
        Err(error @ Base64Error::NotBase64 { .. }) => {
            let body = unsupported_body(block, &error.to_string(), &[("blob", blob.into())]);
            return Ok(block.with(body, notes));
        }
    };
    Ok(block.with_bytes(Bytes::from(bytes), notes))
}

/// What cannot be used, with the JSON of the block as far as it was understood.
fn unsupported_body(block: &WireBlock<'_>, why: &str, more: &[(&str, Value)]) -> ResourceBody {
    let mut raw = Map::new();
    raw.insert("uri".into(), json!(block.uri));
    raw.insert("mimeType".into(), json!(block.mime_type));
    raw.extend(more.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    let raw = Value::Object(raw).to_string().into();
    ResourceBody::Unsupported { why: why.to_owned(), raw }
}

impl WireBlock<'_> {
    fn media(&self) -> Option<MediaType> {
        self.mime_type.as_ref().and_then(|mime| MediaType::parse(mime.raw()))
    }

    fn with(&self, body: ResourceBody, notes: Vec<ContentNote>) -> ResourceContents {
        let (uri, mime_type) = (self.uri.clone(), self.mime_type.clone());
        ResourceContents { uri, mime_type, body, notes }
    }

    fn with_bytes(&self, bytes: Bytes, mut notes: Vec<ContentNote>) -> ResourceContents {
        if let Some(seen) = self.media().and_then(|claimed| disagreement(&claimed, &bytes)) {
            notes.push(ContentNote::LooksLike(seen));
        }
        self.with(ResourceBody::Blob(bytes), notes)
    }
}

/// Marks the texts that hold a replacement, when the line they came in held bytes that are no
/// UTF-8.
fn note_replaced(blocks: &mut [ResourceContents]) {
    for block in blocks {
        if matches!(&block.body, ResourceBody::Text(text) if text.raw().contains('\u{FFFD}')) {
            block.notes.push(ContentNote::InvalidUnicode);
        }
    }
}

/// Whether a block's URI is the one asked for, or below it: that URI plus `/`, `?` or `#`.
pub(super) fn is_at_or_below(uri: &str, asked: &str) -> bool {
    uri.strip_prefix(asked).is_some_and(|rest| {
        rest.is_empty() || rest.starts_with(['/', '?', '#']) || (asked.ends_with('/'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(raw: &str) -> Vec<ResourceContents> {
        read_blocks(raw, "a://x", 1000).expect("blocks")
    }

    #[test]
    fn a_blob_without_a_type_and_a_text_stand_side_by_side() {
        let read = blocks(
            r#"{"contents":[{"uri":"a://x","blob":"/wD+"},{"uri":"a://x#2","text":"hello"}]}"#,
        );
        let bodies: Vec<_> = read.iter().map(|b| &b.body).collect();
        assert_eq!(
            bodies,
            [
                &ResourceBody::Blob(Bytes::from_static(&[0xff, 0x00, 0xfe])),
                &ResourceBody::Text("hello".into())
            ]
        );
        assert!(read.iter().all(|b| b.notes.is_empty()), "{read:?}");
    }

    #[test]
    fn below_is_never_a_plain_prefix() {
        for (uri, below) in [
            ("a://x", true),
            ("a://x/y", true),
            ("a://x?q", true),
            ("a://x#f", true),
            ("a://xy", false),
            ("a://", false),
            ("b://x", false),
        ] {
            assert_eq!(is_at_or_below(uri, "a://x"), below, "{uri}");
        }
    }

    #[test]
    fn what_is_odd_is_noted_and_nothing_is_dropped() {
        let read = blocks(
            r#"{"contents":[{"uri":"a://other","text":"o"},{"text":"no uri"},{"uri":"a://x","text":"t","blob":"AAAA"},
            {"uri":"a://x"},{"uri":"a://x","blob":"not base64!"},{"uri":"a://x","text":5},
            {"uri":"a://x","mimeType":"image/gif","blob":"iVBORw0KGgo="},{"uri":"a://x","mimeType":"???","text":""}]}"#,
        );
        assert_eq!(read.len(), 9);
        let notes: Vec<_> = read.iter().map(|b| b.notes.as_slice()).collect();
        assert_eq!(notes.first(), Some(&[ContentNote::ForeignUri].as_slice()));
        assert_eq!(notes.get(1), Some(&[ContentNote::NoUri].as_slice()));
        assert_eq!(notes.get(2), Some(&[ContentNote::TextAndBlob].as_slice()));
        assert_eq!(notes.get(7), Some(&[ContentNote::LooksLike("image/png")].as_slice()));
        assert_eq!(notes.get(8), Some(&[ContentNote::BadMediaType].as_slice()));
        let odd = read.iter().filter(|b| matches!(b.body, ResourceBody::Unsupported { .. }));
        assert_eq!(odd.count(), 3);
    }

    #[test]
    fn the_size_bound_holds_on_both_sides_of_its_edge() {
        let text =
            |n: usize| format!(r#"{{"contents":[{{"uri":"a://x","text":"{}"}}]}}"#, "x".repeat(n));
        assert!(read_blocks(&text(1000), "a://x", 1000).is_ok());
        assert_eq!(
            read_blocks(&text(1001), "a://x", 1000),
            Err(Unreadable::TooLarge { size: 1001 })
        );
        let blob = |n: usize| {
            format!(r#"{{"contents":[{{"uri":"a://x","blob":"{}"}}]}}"#, "AAAA".repeat(n))
        };
        assert!(read_blocks(&blob(333), "a://x", 999).is_ok());
        assert_eq!(read_blocks(&blob(334), "a://x", 999), Err(Unreadable::TooLarge { size: 1002 }));
    }

    #[test]
    fn no_contents_is_empty_and_no_list_is_a_fault() {
        assert_eq!(blocks(r#"{"contents":[]}"#), []);
        for bad in ["null", "[]", "{}", r#"{"contents":{}}"#] {
            assert!(
                matches!(read_blocks(bad, "a://x", 1000), Err(Unreadable::Protocol(_))),
                "{bad}"
            );
        }
    }
}
