//! `--args`: a tool's arguments as one JSON object, written there, in a file or at standard input.

use crate::{
    content::reveal_line,
    domain::{Fault, FaultKind},
    schema,
};
use serde_json::{Map, Value};
use std::{
    fs::File,
    io::{self, Read},
    path::PathBuf,
    thread,
};
use tokio::sync::oneshot;

/// How much of a file or of standard input is taken, in bytes.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// Where the arguments are.
#[derive(Debug, Clone, PartialEq)]
pub enum Whole {
    /// On the command line.
    Here(String),
    /// In a file.
    File(PathBuf),
    /// At standard input.
    Input,
}

impl Whole {
    /// What stands after `--args`.
    ///
    /// # Errors
    /// When the file's name is missing.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        match text.strip_prefix('@') {
            Some("") => Err("write a file's name after `@`, or `@-` for standard input".into()),
            Some("-") => Ok(Self::Input),
            Some(path) => Ok(Self::File(path.into())),
            None => Ok(Self::Here(text.to_owned())),
        }
    }

    /// The arguments.
    ///
    /// # Errors
    /// A usage fault that says where what is wrong.
    pub(super) async fn read(&self) -> Result<Map<String, Value>, Fault> {
        let text = match self {
            Self::Here(text) => Ok(text.clone()),
            Self::File(path) => {
                let path = path.clone();
                apart(move || File::open(path).map_or_else(|e| Err(e.to_string()), take)).await
            }
            Self::Input => apart(|| take(io::stdin())).await,
        };
        text.and_then(|text| schema::arguments(&text)).map_err(|why| self.fault(&why))
    }

    fn fault(&self, why: &str) -> Fault {
        let place = match self {
            Self::Here(_) => "`--args`".to_owned(),
            Self::File(path) => reveal_line(&path.to_string_lossy()).plain(),
            Self::Input => "standard input".to_owned(),
        };
        let why = reveal_line(why).plain();
        Fault::new(FaultKind::Usage, format!("{place}: {why}"))
    }
}

/// Does what may block on a thread of its own. It is left behind if nobody waits any more: what
/// reads a terminal cannot be stopped, and must not keep the program from its end.
async fn apart(
    work: impl FnOnce() -> Result<String, String> + Send + 'static,
) -> Result<String, String> {
    let (done, waiting) = oneshot::channel();
    thread::spawn(move || done.send(work()));
    waiting.await.unwrap_or_else(|_| Err("it could not be read".into()))
}

fn take(source: impl Read) -> Result<String, String> {
    let mut bytes = Vec::new();
    source.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("it is longer than {MAX_BYTES} bytes"));
    }
    String::from_utf8(bytes)
        .map_err(|e| format!("no UTF-8 from byte {} on", e.utf8_error().valid_up_to() + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_at_sign_names_a_file_or_standard_input() {
        assert_eq!(Whole::parse("{}"), Ok(Whole::Here("{}".into())));
        assert_eq!(Whole::parse("@a.json"), Ok(Whole::File("a.json".into())));
        assert_eq!(Whole::parse("@-"), Ok(Whole::Input));
        assert!(Whole::parse("@").is_err());
    }

    #[tokio::test]
    async fn a_file_is_read_or_refused_by_its_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.json");
        let source = Whole::File(path.clone());
        let missing = source.read().await.expect_err("missing");
        assert!(missing.kind == FaultKind::Usage && missing.what.contains("a.json"), "{missing}");
        for (bytes, why) in [
            (&b"{\"a\": \xff}"[..], "no UTF-8 from byte 7"),
            (b"[]", "a JSON object"),
            (b"{\"a\"\n 1}", "line 2 column 2"),
        ] {
            std::fs::write(&path, bytes).expect("written");
            let fault = source.read().await.expect_err("refused");
            assert_eq!(fault.kind, FaultKind::Usage);
            assert!(fault.what.contains("a.json: ") && fault.what.contains(why), "{fault}");
        }
        std::fs::write(&path, "{\"a\": null}\n").expect("written");
        assert_eq!(source.read().await.map(Value::Object), Ok(json!({"a": null})));
    }

    #[test]
    fn no_more_is_taken_than_the_limit() {
        assert_eq!(
            take(io::repeat(b' ').take(MAX_BYTES)).map(|text| text.len() as u64),
            Ok(MAX_BYTES)
        );
        assert!(take(io::repeat(b' ')).is_err());
    }
}
