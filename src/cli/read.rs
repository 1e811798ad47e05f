//! `vestibule read URI`: one resource, as text, as JSON, or as the bytes it is.

use super::{
    Common, Given, Options, Reporter,
    blocks::{Blocks, write_block, write_line},
    json,
    outcome::Stop,
};
use crate::{
    content::{self, export},
    domain::{ContentNote, Fault, FaultKind, ResourceBody, ResourceContents, UntrustedText},
    registry::{Reading, Registry},
};
use clap::Args;
use std::{
    io::Write,
    path::{Path, PathBuf},
};

pub(super) const READ_EXAMPLES: &str = "\
Examples:
  vestibule read library://about --demo
  vestibule read library:demo://welcome --demo              one that several servers list
  vestibule read library://books/1 --server library --demo  one that no server lists
  vestibule read 'library://books/{id}' id=1 --demo         the same, from its template
  vestibule read library://pictures/bookplate.png --demo -o bookplate.png
  vestibule read library://desk/overdue.py --demo --raw | less";

/// `read URI`, `read TEMPLATE KEY=VALUE…`
#[derive(Debug, Clone, PartialEq, Args)]
pub struct Read {
    /// Its URI or its template, or SERVER: and one of them
    #[arg(value_name = "URI")]
    pub uri: String,
    /// The values of a template's variables.
    #[command(flatten)]
    pub given: Given,
    /// Write the bytes as they are
    #[arg(long)]
    pub raw: bool,
    /// Write the bytes into a new file (implies --raw); - is standard output
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Let -o replace a file
    #[arg(long, requires = "output")]
    pub force: bool,
    /// Say yes where your permissions want one
    #[arg(long)]
    pub yes: bool,
    /// Options after the command's name.
    #[command(flatten)]
    pub common: Common,
}

impl Read {
    /// Whether bytes are asked for instead of a presentation.
    pub fn wants_bytes(&self) -> bool {
        self.raw || self.output.is_some()
    }

    /// The file that the bytes go to; none for `-o -`, which is standard output.
    pub fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| *path != Path::new("-"))
    }
}

/// Reads a resource, or what a template stands for: with values always, and without any when the
/// address is one that servers list as a template.
pub(super) async fn read(
    registry: &Registry,
    address: &str,
    values: &[(String, String)],
    server: Option<&str>,
) -> Result<Reading, Fault> {
    let has_braces = address.contains('{');
    if !values.is_empty() || (has_braces && registry.is_template(address, server).await) {
        return registry.read_template(address, values, server).await;
    }
    registry.read_resource(address, server).await
}

/// Writes what was read, after the checks that the command line asks for.
pub(super) fn present(
    read: &Read,
    reading: &Reading,
    options: &Options,
    out: &mut dyn Write,
    reporter: &mut Reporter<'_>,
) -> Result<(), Stop> {
    foreign(reading, options)?;
    remarks(reading, reporter);
    if read.wants_bytes() {
        return raw(read, reading, options, out);
    }
    if options.json {
        json::write(out, &Blocks(&reading.contents), options.terminal)?;
    } else {
        plain(&reading.contents, out)?;
    }
    if reading.contents.is_empty() {
        reporter.note(&empty(reading));
    }
    Ok(())
}

fn empty(reading: &Reading) -> Fault {
    Fault::new(FaultKind::Protocol, "the server returned no contents").of(&reading.server)
}

/// Refuses blocks that belong to another URI than the one asked for, unless that is allowed.
fn foreign(reading: &Reading, options: &Options) -> Result<(), Fault> {
    if options.lenient {
        return Ok(());
    }
    let foreign = reading.contents.iter().find(|b| b.notes.contains(&ContentNote::ForeignUri));
    let Some(block) = foreign else { return Ok(()) };
    let fault = Fault::new(FaultKind::Validation, "the server answered with another resource")
        .of(&reading.server)
        .hint("`--lenient` accepts it");
    Err(fault.because(block.uri.as_ref().map_or("", UntrustedText::raw)))
}

/// One note for each thing that is odd about a block.
fn remarks(reading: &Reading, reporter: &mut Reporter<'_>) {
    let several = reading.contents.len() > 1;
    for (n, block) in reading.contents.iter().enumerate() {
        let place = if several { format!("block {}: ", n + 1) } else { String::new() };
        for note in &block.notes {
            let what = format!("{place}{}", note.text());
            reporter.remark(&reading.server, FaultKind::Protocol, what);
        }
        if let ResourceBody::Unsupported { why, .. } = &block.body {
            let what = format!("{place}shown as its JSON: {why}");
            reporter.remark(&reading.server, FaultKind::Protocol, what);
        }
    }
}

/// For a person: one block as it is, several each under a line that names it.
fn plain(contents: &[ResourceContents], out: &mut dyn Write) -> Result<(), Stop> {
    let several = contents.len() > 1;
    for block in contents {
        if several {
            let uri = block.uri.as_ref().map_or("no URI", UntrustedText::raw);
            let mime = block.mime_type.as_ref().map_or("no media type", UntrustedText::raw);
            write_line(out, &format!("== {uri} ({mime})"))?;
        }
        write_block(out, block)?;
    }
    Ok(())
}

/// The bytes of the only block, to a new file or to standard output.
fn raw(read: &Read, reading: &Reading, options: &Options, out: &mut dyn Write) -> Result<(), Stop> {
    let bytes = only_block(reading)?;
    if let Some(path) = read.file() {
        export::write(path, bytes, read.force).map_err(file_refused)?;
        return Ok(());
    }
    if options.terminal && !is_clean(bytes) {
        let what = "these bytes could drive the terminal and are not written to it";
        return Err(Fault::new(FaultKind::Usage, what)
            .hint("use `-o FILE`, or a pipe; without `--raw` hidden characters are shown as marks")
            .into());
    }
    Ok(out.write_all(bytes)?)
}

/// Why a file could not be written, and what to try at a command line.
pub(super) fn file_refused(refusal: export::Refusal) -> Fault {
    let export::Refusal { exists, fault } = refusal;
    if exists { fault.hint("`--force` replaces it") } else { fault }
}

fn only_block(reading: &Reading) -> Result<&[u8], Fault> {
    match reading.contents.as_slice() {
        [one] => match &one.body {
            ResourceBody::Text(text) => Ok(text.raw().as_bytes()),
            ResourceBody::Blob(bytes) => Ok(bytes),
            ResourceBody::Unsupported { why, .. } => {
                let what = format!("there are no bytes to write: {why}");
                Err(Fault::new(FaultKind::Protocol, what).of(&reading.server))
            }
        },
        [] => Err(empty(reading)),
        several => {
            let what = format!("the answer has {} blocks; `--raw` writes one", several.len());
            Err(Fault::new(FaultKind::Usage, what)
                .of(&reading.server)
                .hint("without `--raw` all are shown; `--json` gives them as a list"))
        }
    }
}

/// Whether bytes are text in which nothing acts or hides.
fn is_clean(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| content::reveal_text(text).counts.hidden() == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ServerId;
    use bytes::Bytes;
    use std::{fs, path::PathBuf, time::Duration};

    fn block(body: ResourceBody, notes: Vec<ContentNote>) -> ResourceContents {
        let uri = Some("demo://x".into());
        ResourceContents { uri, mime_type: Some("text/plain".into()), body, notes }
    }

    fn text(text: &str) -> ResourceContents {
        block(ResourceBody::Text(text.into()), Vec::new())
    }

    fn blob(bytes: &'static [u8]) -> ResourceContents {
        block(ResourceBody::Blob(Bytes::from_static(bytes)), Vec::new())
    }

    fn read() -> Read {
        Read {
            uri: "demo://x".into(),
            given: Given::default(),
            raw: false,
            output: None,
            force: false,
            yes: false,
            common: Common::default(),
        }
    }

    /// Standard output, standard error, and the fault, if there is one.
    fn run(
        read: &Read,
        contents: Vec<ResourceContents>,
        options: &Options,
    ) -> (Vec<u8>, String, Option<Fault>) {
        let reading = Reading {
            server: ServerId::sanitized("s"),
            uri: "demo://x".into(),
            contents,
            took: Duration::ZERO,
        };
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut reporter = Reporter::new(&mut err, false);
        let fault = match present(read, &reading, options, &mut out, &mut reporter) {
            Ok(()) => None,
            Err(Stop::Fault(fault)) => Some(fault),
            Err(Stop::Output(error)) => panic!("{error}"),
        };
        (out, String::from_utf8(err).expect("UTF-8"), fault)
    }

    #[test]
    fn one_block_is_its_text_and_several_are_named() {
        let (out, err, fault) = run(&read(), vec![text("a\nb")], &Options::default());
        assert_eq!((out.as_slice(), err.as_str(), fault), (&b"a\nb\n"[..], "", None));
        let (out, _, _) = run(&read(), vec![text("a\n"), blob(b"123")], &Options::default());
        let expected =
            "== demo://x (text/plain)\na\n== demo://x (text/plain)\n[blob: text/plain, 3 bytes]\n";
        assert_eq!(String::from_utf8(out).expect("UTF-8"), expected);
    }

    #[test]
    fn plain_text_never_acts_on_a_terminal() {
        let (out, _, _) = run(&read(), vec![text("a\u{1b}[2J\u{9b}2J\n")], &Options::default());
        let out = String::from_utf8(out).expect("UTF-8");
        assert!(!out.chars().any(|c| c.is_control() && c != '\n'), "{out:?}");
    }

    #[test]
    fn no_contents_are_an_empty_list_and_a_note() {
        let json = Options { json: true, ..Options::default() };
        let (out, err, fault) = run(&read(), Vec::new(), &json);
        assert_eq!((out.as_slice(), fault), (&b"[]\n"[..], None));
        assert!(err.contains("no contents"), "{err}");
        let (out, err, _) = run(&read(), Vec::new(), &Options::default());
        assert!(out.is_empty() && err.contains("the server returned no contents"), "{err}");
    }

    #[test]
    fn a_foreign_block_is_refused_unless_that_is_allowed() {
        let contents = vec![block(ResourceBody::Text("x".into()), vec![ContentNote::ForeignUri])];
        let (out, _, fault) = run(&read(), contents.clone(), &Options::default());
        assert!(out.is_empty());
        assert_eq!(fault.map(|f| f.kind.exit_code()), Some(7));
        let lenient = Options { lenient: true, ..Options::default() };
        let (out, err, fault) = run(&read(), contents, &lenient);
        assert_eq!((out.as_slice(), fault), (&b"x\n"[..], None));
        assert_eq!(err.lines().count(), 1);
    }

    #[test]
    fn raw_bytes_are_written_as_they_are() {
        let raw = Read { raw: true, ..read() };
        let (out, err, fault) = run(&raw, vec![blob(b"\x00\xff\x1b[2J")], &Options::default());
        assert_eq!((out.as_slice(), err.as_str(), fault), (&b"\x00\xff\x1b[2J"[..], "", None));
        let (out, _, _) = run(&raw, vec![text("no line break")], &Options::default());
        assert_eq!(out, b"no line break");
        let dash = Read { output: Some("-".into()), ..read() };
        assert_eq!(run(&dash, vec![blob(b"\xff")], &Options::default()).0, b"\xff");
    }

    #[test]
    fn a_terminal_gets_only_bytes_that_are_clean_text() {
        let raw = Read { raw: true, ..read() };
        let terminal = Options { terminal: true, ..Options::default() };
        for dirty in [blob(b"\xff"), text("a\u{1b}[2J"), text("a\u{202e}b")] {
            let (out, _, fault) = run(&raw, vec![dirty], &terminal);
            assert!(out.is_empty());
            assert!(fault.and_then(|f| f.hint).is_some_and(|hint| hint.contains("-o")));
        }
        assert_eq!(run(&raw, vec![text("größe\n")], &terminal).0, "größe\n".as_bytes());
    }

    #[test]
    fn raw_needs_exactly_one_block() {
        let raw = Read { raw: true, ..read() };
        let (_, _, fault) = run(&raw, vec![text("a"), text("b")], &Options::default());
        let fault = fault.expect("refused");
        assert_eq!(fault.kind, FaultKind::Usage);
        assert!(fault.what.contains("2 blocks"), "{fault}");
        let (_, _, fault) = run(&raw, Vec::new(), &Options::default());
        assert_eq!(fault.map(|f| f.kind.exit_code()), Some(7));
    }

    #[test]
    fn a_file_is_made_once_and_standard_output_stays_empty() {
        let folder = tempfile::tempdir().expect("folder");
        let path: PathBuf = folder.path().join("out");
        let to_file = Read { output: Some(path.clone()), ..read() };
        let (out, err, fault) = run(&to_file, vec![blob(b"\x00\xff")], &Options::default());
        assert!(out.is_empty() && fault.is_none() && err.is_empty(), "{err}");
        assert_eq!(fs::read(&path).expect("read"), b"\x00\xff");
        let (_, _, fault) = run(&to_file, vec![blob(b"other")], &Options::default());
        assert_eq!(fault.map(|f| f.kind.exit_code()), Some(2));
        assert_eq!(fs::read(&path).expect("read"), b"\x00\xff");
    }
}
