//! One large blob, decoded within the line it came in.
//!
//! It is found without reading all of its line as JSON: cut out, it leaves a short answer, which is
//! read as any other. That it was cut at the right place shows in where the reader finds it empty;
//! that it was a JSON string without escapes, in that it is base64.

use super::{Answer, ResourceContents, WireBlock, notes};
use crate::{
    content::decode_in_place,
    mcp::{envelope::Json, wire::Object},
};
use std::ops::Range;

/// From this many bytes on.
const LARGE: usize = 1 << 20;
/// How much may stand before it, and how much behind.
const AROUND: usize = 16 * 1024;

/// Reads an answer that is one such blob, or gives it back as it was.
pub(super) fn read(json: Json, uri: &str, bound: usize) -> Result<ResourceContents, Json> {
    let Some((place, around)) = cut(json.as_str()) else { return Err(json) };
    let Ok(Object(answer)) = serde_json::from_str::<Object<Answer<Object<WireBlock<'_>>>>>(&around)
    else {
        return Err(json);
    };
    let [Object(block)] = answer.contents.as_slice() else { return Err(json) };
    let found = block.blob.as_ref().map(|blob| (blob.0.as_ptr() as usize, blob.0.len()));
    let is_right = found == Some((around.as_ptr() as usize + place.start, 0));
    if !is_right || block.text.is_some() || place.len() / 4 * 3 > bound {
        return Err(json);
    }
    let Json { line, start } = json;
    let bytes = decode_in_place(line, start + place.start..start + place.end)
        .map_err(|line| Json { line, start })?;
    Ok(block.with_bytes(bytes, notes(block, uri)))
}

/// Where a large blob stands, and what stands around it.
fn cut(json: &str) -> Option<(Range<usize>, String)> {
    const NAME: &[u8] = b"\"blob\"";
    if json.len() < LARGE {
        return None;
    }
    let head = json.as_bytes().get(..AROUND)?;
    let name = memchr::memmem::find(head, NAME)? + NAME.len();
    let value = json.get(name..)?.trim_ascii_start().strip_prefix(':')?;
    let value = value.trim_ascii_start().strip_prefix('"')?;
    let start = json.len() - value.len();
    // Its end is looked for near the end of the answer alone: if it is another string that ends
    // there, the quotes between make this no base64.
    let near = json.len().checked_sub(AROUND)?;
    let end = near + memchr::memchr(b'"', json.as_bytes().get(near..)?)?;
    let behind = json.get(end..).filter(|_| end >= start + LARGE)?;
    // White space before it may be of any length.
    let before = json.get(..start).filter(|before| before.len() <= AROUND)?;
    Some((start..end, format!("{before}{behind}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{ContentNote, ResourceBody};

    /// Reads an answer behind the head of its line.
    fn read_line(json: &str, bound: usize) -> Result<ResourceContents, Json> {
        let line = format!("{{\"id\":1,\"result\":{json}");
        let start = line.len() - json.len();
        let kept = Json { line: line.clone(), start };
        read(Json { line, start }, "a://x", bound).inspect_err(|json| assert!(json == &kept))
    }

    #[test]
    fn a_large_blob_is_read_as_any_other() {
        let blob = "iVBORw0KGgoA".to_owned() + &"A".repeat(LARGE + 5 * 4) + "AA==";
        let size = blob.len() / 4 * 3 - 2;
        for json in [
            format!(r#"{{"contents":[{{"uri":"a://x","mimeType":"image/gif","blob":"{blob}"}}]}}"#),
            format!(
                r#"{{"contents" : [{{"blob" : "{blob}" ,"mimeType":"image/gif"}}],"_meta":{{}}}}"#
            ),
        ] {
            let apart = super::super::read_blocks(&json, "a://x", LARGE).expect("blocks");
            let read = read_line(&json, LARGE).expect("a block");
            assert!(apart == [read.clone()]);
            assert!(read.notes.contains(&ContentNote::LooksLike("image/png")));
            assert!(matches!(read.body, ResourceBody::Blob(bytes) if bytes.len() == size));
        }
    }

    #[test]
    fn everything_else_is_left_as_it_was() {
        let blob = "A".repeat(LARGE);
        let bound = LARGE / 4 * 3;
        let one = |block: &str| format!(r#"{{"contents":[{block}]}}"#);
        assert!(read_line(&one(&format!(r#"{{"blob":"{blob}"}}"#)), bound).is_ok());
        assert!(read_line(&one(&format!(r#"{{"blob":"{blob}"}}"#)), bound - 1).is_err());
        for block in [
            // Short, not base64, escaped.
            r#"{"blob":"AAAA"}"#.to_owned(),
            format!(r#"{{"blob":"{blob}A"}}"#),
            format!(r#"{{"blob":"{blob}\u0041AA="}}"#),
            format!("{{\"blob\":\"{blob}\n\"}}"),
            format!(r#"{{"blob":"{blob}\"AAA"}}"#),
            // Not this member, not alone, not JSON.
            format!(r#"{{"_meta":{{"blob":"{blob}"}},"blob":""}}"#),
            format!(r#"{{"\"blob":"{blob}"}}"#),
            format!(r#"{{"blob":"{blob}","text":"t"}}"#),
            format!(r#"{{"blob":"{blob}"}},{{"text":"t"}}"#),
            format!(r#"{{"blob":"{blob}","more":"{}"}}"#, "x".repeat(AROUND)),
            format!(r#"{{"blob":"{blob}",}}"#),
            format!(r#"{{"blob":"{blob}"#),
        ] {
            assert!(read_line(&one(&block), LARGE).is_err(), "{}", block.len());
        }
    }
}
