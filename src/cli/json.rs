//! JSON on standard output and standard error.
//!
//! The JSON grammar asks only for U+0000 to U+001F to be escaped. Written like that, a server's
//! text could still drive a terminal (C1 controls) or hide (bidi overrides, zero width
//! characters, tag characters). What plain output shows as a mark is written as `\u` escapes here:
//! the value that a reader of JSON gets is the same, the bytes on the screen are harmless.

use crate::content::{MarkKind, pieces_text};
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

impl<F: Formatter> Formatter for Harmless<F> {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        w: &mut W,
        text: &str,
    ) -> io::Result<()> {
        for piece in pieces_text(text) {
            let readable = matches!(piece.mark, None | Some(MarkKind::Literal));
            if readable {
                w.write_all(piece.source.as_bytes())?;
            } else {
                piece.source.encode_utf16().try_for_each(|unit| write!(w, "\\u{unit:04x}"))?;
            }
        }
        Ok(())
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
        let text = "a\u{1b}[2J\u{9b}2J\u{7f}\u{202e}\u{200b}\u{e0041}\u{feff}a\u{fe00}\u{fe01}\u{2800}\u{e000}ö漢👍🏽\n\"";
        for pretty in [false, true] {
            let line = written(&json!({ (text): [text, 1, null] }), pretty);
            assert_eq!(crate::content::count_text(&line).hidden(), 0, "{line}");
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
