//! Where a list goes on, found without reading the page: the next one can then be asked for
//! while this one is read.
//!
//! A guess and no more. It is looked for among the simple members before and after the items,
//! which is where servers write it; whoever reads the page has the last word.

/// A JSON string, number or word between two members, without the white space around it.
type Raw<'a> = &'a str;

/// The cursor that a page names, if it is found at once: in well-formed JSON it is the one that
/// reading the page gives, unless the member stands a second time behind the items' first member
/// that is no simple value.
pub(super) fn guess(page: &str) -> Option<String> {
    let raw = at_the_end(page).or_else(|| at_the_start(page))?;
    let cursor: String = serde_json::from_str(raw).ok()?;
    (!cursor.is_empty()).then_some(cursor)
}

const KEY: &str = "\"nextCursor\"";

/// Walks over the simple members at the start of an object.
fn at_the_start(page: &str) -> Option<Raw<'_>> {
    let mut rest = page.trim_ascii_start().strip_prefix('{')?;
    let mut found = None;
    loop {
        let (key, after) = first_string(rest.trim_ascii_start())?;
        let value = after.trim_ascii_start().strip_prefix(':')?.trim_ascii_start();
        let Some((value, after)) = first_simple(value) else { return found };
        if key == KEY {
            found = Some(value);
        }
        match after.trim_ascii_start().strip_prefix(',') {
            Some(more) => rest = more,
            None => return found,
        }
    }
}

/// Walks over the simple members at the end of an object, backwards.
fn at_the_end(page: &str) -> Option<Raw<'_>> {
    let mut rest = page.trim_ascii_end().strip_suffix('}')?;
    loop {
        let (before, value) = last_simple(rest.trim_ascii_end())?;
        let before = before.trim_ascii_end().strip_suffix(':')?;
        let (before, key) = last_string(before.trim_ascii_end())?;
        if key == KEY {
            return Some(value);
        }
        rest = before.trim_ascii_end().strip_suffix(',')?;
    }
}

fn first_simple(text: &str) -> Option<(Raw<'_>, &str)> {
    match text.as_bytes().first()? {
        b'"' => first_string(text),
        b'{' | b'[' => None,
        _ => text.split_at_checked(text.find(|c: char| !is_of_word(c))?),
    }
}

fn last_simple(text: &str) -> Option<(&str, Raw<'_>)> {
    match text.as_bytes().last()? {
        b'"' => last_string(text),
        b'}' | b']' => None,
        _ => {
            let word = text.trim_end_matches(is_of_word);
            text.split_at_checked(word.len())
        }
    }
}

/// Whether a character can stand in a number, or in `true`, `false` and `null`.
fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')
}

/// The string that a text begins with, and what follows it.
fn first_string(text: &str) -> Option<(Raw<'_>, &str)> {
    let inside = text.strip_prefix('"')?;
    let mut quotes = memchr::memchr_iter(b'"', inside.as_bytes());
    let end = quotes.find(|at| !is_escaped(inside, *at))?;
    text.split_at_checked(end + 2)
}

/// The string that a text ends with, and what stands before it. No quote inside a string is
/// without a backslash, and no string begins behind one.
fn last_string(text: &str) -> Option<(&str, Raw<'_>)> {
    let inside = text.strip_suffix('"')?;
    let mut quotes = memchr::memrchr_iter(b'"', inside.as_bytes());
    let start = quotes.find(|at| !is_escaped(inside, *at))?;
    text.split_at_checked(start)
}

/// Whether an odd number of backslashes stands before a place.
fn is_escaped(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    (before.len() - before.trim_end_matches('\\').len()) % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    fn found(page: &str) -> Option<String> {
        serde_json::from_str::<Value>(page).expect("JSON");
        guess(page)
    }

    #[test]
    fn it_is_found_before_and_behind_the_items() {
        for page in [
            r#"{"resources":[{"nextCursor":"no"}],"nextCursor":"yes"}"#,
            r#"{"nextCursor":"yes","resources":[{"nextCursor":"no"}]}"#,
            " { \"nextCursor\" : \"yes\" , \"resources\" : [ ] } \n",
            r#"{"a":1.5e+3,"b":null,"c":"\"nextCursor\":\"no\"","nextCursor":"yes","resources":[]}"#,
            r#"{"resources":[],"nextCursor":"yes","resultType":"complete","ttlMs":0,"x":false}"#,
            r#"{"nextCursor":"yes"}"#,
        ] {
            assert_eq!(found(page).as_deref(), Some("yes"), "{page}");
        }
    }

    #[test]
    fn nothing_is_found_where_there_is_none_or_it_is_no_cursor() {
        for page in [
            "{}",
            "[]",
            "null",
            r#""nextCursor""#,
            r#"{"resources":[]}"#,
            r#"{"resources":[{"nextCursor":"no"}]}"#,
            r#"{"_meta":{"nextCursor":"no"},"resources":[],"_meta2":{"nextCursor":"no"}}"#,
            r#"{"x":"\",\"nextCursor\":\"no","resources":[],"y":",\"nextCursor\":\"no"}"#,
            r#"{"nextCursor":null,"resources":[]}"#,
            r#"{"resources":[],"nextCursor":""}"#,
            r#"{"resources":[],"nextCursor":5}"#,
        ] {
            assert_eq!(found(page), None, "{page}");
        }
        for broken in ["", "{", "}", "\"}", r#"nextCursor":"a"}"#, r#"{"nextCursor":"#] {
            assert_eq!(guess(broken), None, "{broken}");
        }
    }

    proptest! {
        #[test]
        fn what_is_found_is_what_stands_there(
            before in proptest::collection::vec(".{0,6}", 0..3),
            cursor in r#"[a"\\}{\]:,é ]{1,8}"#,
            after in proptest::collection::vec(r#"[a"\\}{\]:,]{0,6}"#, 0..3),
            first in any::<bool>(),
        ) {
            let mut page = Map::new();
            for (n, text) in before.iter().enumerate() {
                page.insert(format!("{n}\"\\"), json!(text));
            }
            if first {
                page.insert("nextCursor".into(), json!(cursor));
            }
            page.insert("items".into(), json!([{"nextCursor": "no"}]));
            if !first {
                page.insert("nextCursor".into(), json!(cursor));
            }
            for (n, text) in after.iter().enumerate() {
                page.insert(format!("{text}{n}"), json!(text));
            }
            let page = Value::Object(page);
            for written in [page.to_string(), serde_json::to_string_pretty(&page).expect("JSON")] {
                prop_assert_eq!(guess(&written), Some(cursor.clone()));
            }
        }
    }
}
