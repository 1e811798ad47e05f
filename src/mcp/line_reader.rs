//! Lines of bytes out of a stream: bounded, in order, nothing lost when a read is abandoned.

use std::io;
use tokio::io::{AsyncRead, AsyncReadExt};

/// How much is asked for at once; a pipe gives no more than 64 KiB anyway.
const CHUNK: usize = 64 * 1024;
/// The most room that is made before a line is there.
const MOST_ROOM: usize = 1 << 20;
/// How much of a line that is too long is kept, to find out which answer it was.
const HEAD: usize = 4 * 1024;

/// What came.
#[derive(Debug, PartialEq)]
pub(super) enum Line {
    /// A line without its end; possibly the unterminated rest at the end of the stream.
    Whole(Vec<u8>),
    /// The line grew past the bound: its first bytes. Said as soon as it is known; the rest is
    /// read and dropped.
    TooLong(Vec<u8>),
}

/// Cuts a stream into lines.
#[derive(Debug)]
pub(super) struct LineReader<R> {
    stream: R,
    buffer: Vec<u8>,
    /// Up to here the buffer is known to hold no line end.
    searched: usize,
    /// Room for a line like the last one, so that a list of large pages does not grow its buffer
    /// anew for each.
    usual: usize,
    bound: usize,
    skipping: bool,
    ended: bool,
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    /// `bound` is the longest line in bytes.
    pub(super) fn new(stream: R, bound: usize) -> Self {
        Self {
            stream,
            buffer: Vec::new(),
            searched: 0,
            usual: CHUNK,
            bound,
            skipping: false,
            ended: false,
        }
    }

    /// The next line, or `None` at the end of the stream. Cancel-safe: what was read stays here.
    pub(super) async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            if let Some(line) = self.take_line() {
                return Ok(Some(line));
            }
            if self.ended {
                return Ok(None);
            }
            self.buffer.reserve(if self.buffer.is_empty() { self.usual } else { CHUNK });
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                self.ended = true;
                let rest = std::mem::take(&mut self.buffer);
                self.searched = 0;
                if !rest.is_empty() && !self.skipping {
                    return Ok(Some(Line::Whole(rest)));
                }
            }
        }
    }

    fn take_line(&mut self) -> Option<Line> {
        loop {
            let fresh = self.buffer.get(self.searched..)?;
            let Some(at) = memchr::memchr(b'\n', fresh).map(|at| at + self.searched) else {
                self.searched = self.buffer.len();
                return self.check_length();
            };
            let rest = self.buffer.split_off(at + 1);
            let mut line = std::mem::replace(&mut self.buffer, rest);
            self.searched = 0;
            if std::mem::take(&mut self.skipping) {
                continue;
            }
            line.pop();
            self.usual = (line.len() + CHUNK).min(MOST_ROOM);
            if line.len() > self.bound {
                line.truncate(HEAD);
                return Some(Line::TooLong(line));
            }
            return Some(Line::Whole(line));
        }
    }

    fn check_length(&mut self) -> Option<Line> {
        if self.skipping {
            self.buffer.clear();
            self.searched = 0;
            return None;
        }
        if self.buffer.len() <= self.bound {
            return None;
        }
        self.skipping = true;
        self.searched = 0;
        let mut head = std::mem::take(&mut self.buffer);
        head.truncate(HEAD);
        Some(Line::TooLong(head))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncWriteExt;

    async fn lines(chunks: &[&[u8]], bound: usize) -> Vec<Line> {
        let (mut near, far) = tokio::io::duplex(16);
        let chunks: Vec<Vec<u8>> = chunks.iter().map(|c| c.to_vec()).collect();
        let writer = tokio::spawn(async move {
            for chunk in chunks {
                near.write_all(&chunk).await.expect("written");
            }
        });
        let mut reader = LineReader::new(far, bound);
        let mut lines = Vec::new();
        while let Some(line) = reader.next().await.expect("a stream") {
            lines.push(line);
        }
        writer.await.expect("joined");
        lines
    }

    #[tokio::test]
    async fn lines_come_whole_however_they_were_cut() {
        let whole = |s: &str| Line::Whole(s.as_bytes().to_vec());
        assert_eq!(
            lines(&[b"a", b"b\nc\n\nd", "é".as_bytes(), b"\nrest"], 100).await,
            [whole("ab"), whole("c"), whole(""), whole("dé"), whole("rest")]
        );
    }

    #[tokio::test]
    async fn a_line_past_the_bound_is_named_once_and_skipped() {
        let long = vec![b'x'; 5000];
        let seen = lines(&[&long, &long, b"\nok\n"], 1000).await;
        assert!(
            matches!(seen.as_slice(), [Line::TooLong(_), Line::Whole(ok)] if ok == b"ok"),
            "{seen:?}"
        );
        let seen = lines(&[&[b'x'; 1000], b"\n", &[b'x'; 1001], b"\n"], 1000).await;
        assert!(matches!(seen.as_slice(), [Line::Whole(_), Line::TooLong(_)]), "{seen:?}");
        let seen = lines(&[&long], 1000).await;
        assert!(matches!(seen.as_slice(), [Line::TooLong(_)]), "{seen:?}");
    }
}
