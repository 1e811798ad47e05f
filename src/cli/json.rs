//! JSON on standard output and standard error.
//!
//! The JSON grammar asks only for U+0000 to U+001F to be escaped. Written like that, a server's
//! text could still drive a terminal (C1 controls) or hide (bidi overrides, zero width
//! characters, tag characters). All of these are written as `\u` escapes here: the value that a
//! reader of JSON gets is the same, the bytes on the screen are harmless.

use serde::{Serialize, Serializer as _};
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};
use std::io::{self, Write};

/// Writes one value and a line break: over several indented lines for a person at a terminal,
/// else on one line. Never coloured.
///
/// # Errors
/// Those of the writer.
pub(super) fn write(out: &mut dyn Write, value: &impl Serialize, pretty: bool) -> io::Result<()> {
    if pretty {
        value.serialize(&mut serializer(&mut *out, PrettyFormatter::new()))?;
    } else {
        value.serialize(&mut serializer(&mut *out, CompactFormatter))?;
    }
    out.write_all(b"\n")
}

/// Writes an array one item at a time, so that a long list is never held a second time.
///
/// # Errors
/// Those of the writer.
pub(super) fn write_rows<T: Serialize>(
    out: &mut dyn Write,
    rows: impl IntoIterator<Item = T>,
    pretty: bool,
) -> io::Result<()> {
    if pretty {
        serializer(&mut *out, PrettyFormatter::new()).collect_seq(rows)?;
    } else {
        serializer(&mut *out, CompactFormatter).collect_seq(rows)?;
    }
    out.write_all(b"\n")
}

fn serializer<W: Write, F: Formatter>(out: W, inner: F) -> serde_json::Serializer<W, Harmless<F>> {
    serde_json::Serializer::with_formatter(out, Harmless(inner))
}

/// A formatter that escapes what could act on a terminal or hide from a reader.
struct Harmless<F>(F);

/// Whether a character is written as an escape although JSON would allow it bare.
fn is_escaped(c: char) -> bool {
    matches!(c,
        '\u{7f}'..='\u{9f}' // DEL and the C1 controls
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' // zero width, direction marks
        | '\u{2028}'..='\u{202e}' // separators, embeddings, overrides
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}') // tags, variation selectors supplement
}

impl<F: Formatter> Formatter for Harmless<F> {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        w: &mut W,
        text: &str,
    ) -> io::Result<()> {
        let mut rest = text;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| is_escaped(*c)) {
            let (clean, tail) = rest.split_at_checked(at).unwrap_or((rest, ""));
            w.write_all(clean.as_bytes())?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(w, "\\u{unit:04x}")?;
            }
            rest = tail.split_at_checked(c.len_utf8()).map_or("", |(_, rest)| rest);
        }
        w.write_all(rest.as_bytes())
    }

    fn begin_array<W: ?Sized + Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.0.begin_array(w)
    }
    fn end_array<W: ?Sized + Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.0.end_array(w)
    }
    fn begin_array_value<W: ?Sized + Write>(&mut self, w: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(w, first)
    }
    fn end_array_value<W: ?Sized + Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.0.end_array_value(w)
    }
    fn begin_object<W: ?Sized + Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.0.begin_object(w)
    }
    fn end_object<W: ?Sized + Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.0.end_object(w)
    }
    fn begin_object_key<W: ?Sized + Write>(&mut self, w: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(w, first)
    }
    fn begin_object_value<W: ?Sized + Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.0.begin_object_value(w)
    }
    fn end_object_value<W: ?Sized + Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.0.end_object_value(w)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn written(value: &Value, pretty: bool) -> String {
        let mut out = Vec::new();
        write(&mut out, value, pretty).expect("written");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn what_acts_or_hides_is_escaped_and_the_value_stays_the_same() {
        let text = "a\u{1b}[2J\u{9b}2J\u{7f}\u{202e}\u{200b}\u{e0041}\u{feff}ö漢👍🏽\n\"";
        for pretty in [false, true] {
            let line = written(&json!({ (text): [text, 1, null] }), pretty);
            let acts = |c: char| (c.is_control() && c != '\n') || is_escaped(c);
            assert!(!line.chars().any(acts), "{line}");
            assert!(line.contains("\\udb40\\udc41") && line.contains("ö漢👍🏽"), "{line}");
            let back: Value = serde_json::from_str(&line).expect("JSON");
            assert_eq!(back, json!({ (text): [text, 1, null] }));
        }
    }

    #[test]
    fn one_line_in_a_pipe_and_several_at_a_terminal() {
        assert_eq!(written(&json!({"a": [1, {}]}), false), "{\"a\":[1,{}]}\n");
        assert_eq!(written(&json!({"a": [1]}), true), "{\n  \"a\": [\n    1\n  ]\n}\n");
    }

    #[test]
    fn rows_are_an_array_and_no_rows_an_empty_one() {
        let mut out = Vec::new();
        write_rows(&mut out, (0..3).map(|n| json!({ "n": n })), false).expect("written");
        write_rows(&mut out, Vec::<Value>::new(), true).expect("written");
        assert_eq!(out, b"[{\"n\":0},{\"n\":1},{\"n\":2}]\n[]\n");
    }

    #[test]
    fn a_closed_pipe_stays_recognisable() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let error = write(&mut Closed, &json!("x"), false).expect_err("closed");
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}
