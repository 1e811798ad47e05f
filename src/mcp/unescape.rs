//! The value of a JSON string, taken out of its raw form in one copy.
//!
//! The JSON library builds a string with escapes in a buffer of its own and copies it out of
//! there; for a text of tens of megabytes that is one copy too many.

/// The value of a raw JSON string, which must already be known to be one (as a `RawValue` is), and
/// whether something in it had to be replaced: half of a surrogate pair, which no text can hold,
/// becomes U+FFFD. `None` when this is no string.
pub(super) fn unescape(raw: &str) -> Option<(String, bool)> {
    let mut rest = raw.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::with_capacity(rest.len());
    let mut replaced = false;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        let (plain, escape) = rest.split_at_checked(at)?;
        text.push_str(plain);
        let mut chars = escape.chars();
        chars.next();
        let c = match chars.next()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => {
                let (c, after) = unicode(chars.as_str())?;
                replaced |= c.is_none();
                text.push(c.unwrap_or(char::REPLACEMENT_CHARACTER));
                rest = after;
                continue;
            }
            same @ ('"' | '\\' | '/') => same,
            _ => return None,
        };
        text.push(c);
        rest = chars.as_str();
    }
    text.push_str(rest);
    Some((text, replaced))
}

/// Reads what follows `\u`: four digits, and the other half of the pair if this is the first. No
/// character where a half stands alone.
fn unicode(after: &str) -> Option<(Option<char>, &str)> {
    let (digits, rest) = after.split_at_checked(4)?;
    let unit = u32::from_str_radix(digits, 16).ok()?;
    if let Some(c) = char::from_u32(unit) {
        return Some((Some(c), rest));
    }
    let pair = (0xd800..0xdc00).contains(&unit).then(|| {
        let (digits, rest) = rest.strip_prefix("\\u")?.split_at_checked(4)?;
        let low = u32::from_str_radix(digits, 16).ok().filter(|u| (0xdc00..0xe000).contains(u))?;
        let c = char::from_u32(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00))?;
        Some((Some(c), rest))
    });
    pair.flatten().or(Some((None, rest)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_reads_what_the_library_reads(text in ".{0,40}") {
            let raw = serde_json::to_string(&text).expect("JSON");
            prop_assert_eq!(unescape(&raw), Some((text.clone(), false)));
            let escaped: String = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
            prop_assert_eq!(unescape(&format!("\"{escaped}\"")), Some((text, false)));
        }
    }

    #[test]
    fn every_escape_is_read_and_half_a_pair_is_replaced() {
        let read = |raw| unescape(raw).expect("a string");
        let all = "\"\\/\u{8}\u{c}\n\r\t";
        assert_eq!(read(r#""\"\\\/\b\f\n\r\t""#), (all.to_owned(), false));
        for half in [r#""\ud800""#, r#""\udc00""#] {
            assert_eq!(read(half), ("\u{fffd}".to_owned(), true));
        }
        assert_eq!(read(r#""\ud800\u0041""#), ("\u{fffd}A".to_owned(), true));
        for bad in ["5", "null", r#""\q""#, r#""\u12"#] {
            assert_eq!(unescape(bad), None);
        }
    }
}
