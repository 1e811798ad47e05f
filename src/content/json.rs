//! JSON indented as text, without reading it: what was sent twice, cut off or misspelt stays so.

/// The deepest level that is moved in further than the one above it.
const DEEPEST: usize = 40;

/// Breaks a JSON text into lines, two columns for each level. Nothing but white space between its
/// tokens is changed; a text that ends in the middle is indented as far as it goes.
pub fn indent_json(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    let mut depth = 0_usize;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' => {
                out.push(c);
                string(&mut rest, &mut out);
            }
            '{' | '[' => {
                out.push(c);
                skip_space(&mut rest);
                let close = if c == '{' { '}' } else { ']' };
                if rest.next_if_eq(&close).is_some() {
                    out.push(close);
                } else {
                    depth += 1;
                    new_line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                new_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            ' ' | '\t' | '\r' | '\n' => {}
            c => out.push(c),
        }
    }
    out
}

/// Copies the rest of a string, its closing quote included.
fn string(rest: &mut impl Iterator<Item = char>, out: &mut String) {
    let mut escaped = false;
    for c in rest {
        out.push(c);
        if c == '"' && !escaped {
            return;
        }
        escaped = c == '\\' && !escaped;
    }
}

fn skip_space(rest: &mut std::iter::Peekable<impl Iterator<Item = char>>) {
    while rest.next_if(|c| matches!(c, ' ' | '\t' | '\r' | '\n')).is_some() {}
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth.min(DEEPEST)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tokens_stay_as_they_were_sent() {
        let text = r#"{"a":[1.0,10000000000000000001,{}],"a":"x: \"{,}\"\u202e\\", "b":[ ]}"#;
        let expected = "{\n  \"a\": [\n    1.0,\n    10000000000000000001,\n    {}\n  ],\n  \
             \"a\": \"x: \\\"{,}\\\"\\u202e\\\\\",\n  \"b\": []\n}";
        assert_eq!(indent_json(text), expected);
    }

    #[test]
    fn a_text_that_was_cut_is_shown_as_far_as_it_goes() {
        assert_eq!(
            indent_json(r#"{"result":{"text":"half of"#),
            "{\n  \"result\": {\n    \"text\": \"half of"
        );
        assert_eq!(indent_json(""), "");
        assert_eq!(indent_json("]]no json"), "\n]\n]nojson");
    }

    #[test]
    fn a_deep_text_does_not_grow_beyond_measure() {
        let text = "[".repeat(16 * 1024);
        assert!(indent_json(&text).len() < text.len() * (2 * DEEPEST + 3));
    }

    proptest! {
        #[test]
        fn what_is_json_means_the_same(text in r#"[\[\]{}:," a1\\]{0,30}"#) {
            if let Ok(value) = serde_json::from_str::<serde_json::Value>(&text) {
                prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&indent_json(&text)).ok(), Some(value));
            }
        }
    }
}
