//! JSON given on the command line, in a file or through standard input.

use crate::{
    content::reveal_line,
    domain::{Fault, FaultKind},
    schema,
};
use serde_json::{Map, Value};
use std::{
    fs::File,
    io::{self, Read},
};

/// The longest JSON that is read from a file or standard input, in bytes.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// Reads an object: what is written, or after `@` the name of a file, or after it `-` for standard
/// input.
///
/// # Errors
/// A usage fault that says where it stands and what is wrong there.
pub(super) async fn object(text: &str) -> Result<Map<String, Value>, Fault> {
    let Some(name) = text.strip_prefix('@').map(str::to_owned) else {
        return parse(text, "`--args`");
    };
    let place = match name.as_str() {
        "-" => "standard input".to_owned(),
        name => format!("the file `{}`", reveal_line(name).plain()),
    };
    // A pipe may stay silent for as long as it likes: a thread that nobody joins waits for it.
    let (done, read) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || done.send(bytes(&name)));
    let usage = |what: String| Fault::new(FaultKind::Usage, what);
    let bytes = match read.await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(why)) => {
            return Err(usage(format!("{place} cannot be read")).because(why.to_string()));
        }
        Err(_) => return Err(usage(format!("{place} cannot be read"))),
    };
    if bytes.len() as u64 > MAX_BYTES {
        return Err(usage(format!("{place} is longer than {MAX_BYTES} bytes")));
    }
    let text = String::from_utf8(bytes).map_err(|why| {
        let at = why.utf8_error().valid_up_to();
        usage(format!("{place} is not UTF-8, from byte {at} on"))
    })?;
    parse(text.strip_prefix('\u{feff}').unwrap_or(&text), &place)
}

fn bytes(name: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let source: Box<dyn Read> =
        if name == "-" { Box::new(io::stdin()) } else { Box::new(File::open(name)?) };
    source.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn parse(text: &str, place: &str) -> Result<Map<String, Value>, Fault> {
    let usage = |what: String| Fault::new(FaultKind::Usage, what);
    match schema::exact(text) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(_) => Err(usage(format!("{place} should be a JSON object, such as {{\"key\": 1}}"))),
        Err(why) => Err(usage(format!("{place} is no JSON that can be sent: {why}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_no_object_is_refused_with_its_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).expect("written");
            format!("@{}", path.display())
        };
        let good = file("good", b"\xef\xbb\xbf{\"a\": 1}\n");
        assert_eq!(object(&good).await.expect("an object").len(), 1);
        assert_eq!(object("{}").await, Ok(Map::new()));
        for (text, what) in [
            ("[1]".to_owned(), "should be a JSON object"),
            ("{\"a\":\n1,}".to_owned(), "line 2 column 3"),
            ("{\"a\": 123456789012345678901}".to_owned(), "character 7"),
            ("@/no/such/file".to_owned(), "`/no/such/file` cannot be read"),
            (file("bad", b"{\"a\": \"\xff\"}"), "not UTF-8, from byte 7 on"),
            (file("long", &vec![b' '; 16 * 1024 * 1024 + 1]), "longer than 16777216 bytes"),
        ] {
            let fault = object(&text).await.expect_err("refused");
            assert_eq!(fault.kind, FaultKind::Usage);
            assert!(fault.what.contains(what), "{fault}");
        }
    }
}
