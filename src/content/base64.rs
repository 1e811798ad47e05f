//! Base64 as MCP uses it: exact sizes without decoding, and decoding with a limit.
//!
//! Strict: the standard alphabet of RFC 4648 section 4, padded, without white space, and with the
//! unused bits of the last symbol zero. MCP's schema says `format: byte`, and what is shown and
//! approved here is sent on as it is, to receivers that are strict too. A server that sends the
//! URL-safe alphabet or line breaks is told where.

use base64::{
    alphabet,
    engine::{
        DecodePaddingMode, Engine as _,
        general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD},
    },
};
use bytes::Bytes;
use std::ops::Range;

/// How many characters are decoded at once where the bytes take the place of the text; whole
/// groups of four.
const STEP: usize = 8 * 1024;

/// For what stands before the last step, where no padding may be.
const INNER: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::RequireNone),
);

/// Why a text could not be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Base64Error {
    /// Not base64, or not the strict form of it.
    #[error("not base64: unexpected character or end at byte {offset}")]
    NotBase64 {
        /// Byte offset of the first character that does not belong there; the length of the text
        /// where characters or padding are missing at its end.
        offset: usize,
    },
    /// More than the limit, which is why it was not decoded.
    #[error("{size} bytes decoded, more than the limit of {limit}")]
    TooLarge {
        /// The decoded size in bytes.
        size: usize,
        /// The limit in bytes.
        limit: usize,
    },
}

/// The size in bytes that `text` has when decoded, without decoding it. Checks the whole text:
/// it succeeds exactly where [`decode`] with enough room does.
///
/// # Errors
/// [`Base64Error::NotBase64`].
pub fn decoded_size(text: &str) -> Result<usize, Base64Error> {
    let body = without_padding(text).as_bytes();
    if let Some(offset) = body.iter().position(|byte| symbol(*byte).is_none()) {
        return Err(Base64Error::NotBase64 { offset });
    }
    let size = size_by_length(text).ok_or(Base64Error::NotBase64 { offset: text.len() })?;
    let unused = match text.len() - body.len() {
        1 => 0b11,
        2 => 0b1111,
        _ => 0,
    };
    match body.last().and_then(|byte| symbol(*byte)) {
        Some(last) if last & unused != 0 => {
            Err(Base64Error::NotBase64 { offset: body.len().saturating_sub(1) })
        }
        _ => Ok(size),
    }
}

/// Decodes `text`, if that takes no more than `limit` bytes. The limit is checked first, before
/// anything is allocated.
///
/// # Errors
/// Both of [`Base64Error`].
pub fn decode(text: &str, limit: usize) -> Result<Vec<u8>, Base64Error> {
    match size_by_length(text) {
        Some(size) if size > limit => return Err(Base64Error::TooLarge { size, limit }),
        _ => {}
    }
    STANDARD.decode(text).map_err(|_| {
        // Both errors of ours in one place, so that the offsets agree.
        decoded_size(text).err().unwrap_or(Base64Error::NotBase64 { offset: text.len() })
    })
}

/// Decodes what stands at `place` within a text, in the memory of that text: where it is long, a
/// second buffer would cost more than the decoding.
///
/// # Errors
/// The text, as it was, when that is not base64 or not within it.
pub fn decode_in_place(text: String, place: Range<usize>) -> Result<Bytes, String> {
    if text.get(place.clone()).is_none() {
        return Err(text);
    }
    let mut bytes = text.into_bytes();
    let mut step = [0; STEP];
    let (mut read, mut written) = (place.start, place.start);
    while read < place.end {
        let next = place.end.min(read + STEP);
        let engine = if next == place.end { &STANDARD } else { &INNER };
        let decoded = match (bytes.get(read..next), step.get_mut(..next - read)) {
            (Some(from), Some(step)) => {
                step.copy_from_slice(from);
                bytes.get_mut(written..next).and_then(|room| engine.decode_slice(step, room).ok())
            }
            _ => None,
        };
        let Some(size) = decoded else {
            // The one form that these bytes can have had: anything else was refused.
            let before = encode(bytes.get(place.start..written).unwrap_or_default());
            let lost = before.bytes().chain(step);
            bytes.iter_mut().take(next).skip(place.start).zip(lost).for_each(|(to, b)| *to = b);
            return Err(String::from_utf8(bytes)
                .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()));
        };
        written += size;
        read = next;
    }
    bytes.truncate(written);
    bytes.shrink_to_fit();
    Ok(Bytes::from(bytes).slice(place.start..written))
}

/// Bytes as base64.
pub fn encode(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// The decoded size, if the text is base64 at all.
fn size_by_length(text: &str) -> Option<usize> {
    let padding = text.len() - without_padding(text).len();
    text.len().is_multiple_of(4).then(|| (text.len() / 4 * 3).saturating_sub(padding))
}

/// The text without one or two `=` at its end.
fn without_padding(text: &str) -> &str {
    let body = text.strip_suffix('=').unwrap_or(text);
    body.strip_suffix('=').unwrap_or(body)
}

/// The six bits that a character stands for.
fn symbol(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sha2::{Digest, Sha256};

    #[test]
    fn every_byte_comes_back() {
        let bytes: Vec<u8> = (0..4096).flat_map(|_| 0..=255_u8).collect();
        let text = STANDARD.encode(&bytes);
        assert_eq!(decoded_size(&text), Ok(bytes.len()));
        let back = decode(&text, bytes.len()).expect("base64");
        assert_eq!(Sha256::digest(&back), Sha256::digest(&bytes));
        assert_eq!(
            decode(&text, bytes.len() - 1),
            Err(Base64Error::TooLarge { size: bytes.len(), limit: bytes.len() - 1 })
        );
    }

    #[test]
    fn what_is_wrong_is_named_by_its_place() {
        for (text, offset) in [
            ("AA-A", 2),
            ("AA_A", 2),
            ("AAAA\nAAAA", 4),
            ("AAA", 3),
            ("A", 1),
            ("AA", 2),
            ("AAA=AAAA", 3),
            ("A===", 1),
            ("====", 0),
            ("=", 1),
            ("AB==", 1),
            ("AAB=", 2),
            ("AAé=", 2),
        ] {
            let error = Err(Base64Error::NotBase64 { offset });
            assert_eq!(decoded_size(text), error, "{text:?}");
            assert_eq!(decode(text, 100), error.map(|_: usize| vec![]), "{text:?}");
        }
        assert_eq!(decoded_size(""), Ok(0));
        assert_eq!(decode("", 0), Ok(vec![]));
    }

    #[test]
    fn in_place_is_the_same_and_what_is_wrong_comes_back_as_it_was() {
        for length in [0, 4, STEP - 4, STEP, STEP + 4, 3 * STEP, 3 * STEP + 8] {
            let good: String = ('A'..='Z').cycle().take(length).collect();
            let padded =
                good.get(..length.saturating_sub(4)).unwrap_or_default().to_owned() + "AA==";
            let mut texts =
                vec![padded.clone(), padded.clone() + "AAAA", padded + "A", good.clone()];
            for at in (0..length).step_by(1021) {
                let mut bad = good.clone();
                bad.replace_range(at..=at, ["é", "=", "\\"][at % 3]);
                texts.push(bad);
            }
            for text in texts {
                let line = format!("é\"{text}\"tail");
                let decoded = decode_in_place(line.clone(), 3..3 + text.len());
                match decode(&text, usize::MAX) {
                    Ok(bytes) => assert!(decoded == Ok(Bytes::from(bytes))),
                    Err(_) => assert!(decoded == Err(line)),
                }
            }
        }
        let short = "AAAA".to_owned();
        assert_eq!(decode_in_place(short.clone(), 2..8), Err(short));
    }

    proptest! {
        #[test]
        fn size_and_decoding_agree(text in "[A-D/+=é]{0,12}") {
            match decoded_size(&text) {
                Ok(size) => prop_assert_eq!(decode(&text, size).map(|b| b.len()), Ok(size)),
                Err(error) => prop_assert_eq!(decode(&text, usize::MAX), Err(error)),
            }
        }

        #[test]
        fn bytes_come_back(bytes in any::<Vec<u8>>()) {
            let text = STANDARD.encode(&bytes);
            prop_assert_eq!(decoded_size(&text), Ok(bytes.len()));
            prop_assert_eq!(decode(&text, bytes.len()), Ok(bytes));
        }
    }
}
