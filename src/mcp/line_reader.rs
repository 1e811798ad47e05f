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
    /// Before this the buffer was taken.
    start: usize,
    /// From there up to here it is known to hold no line end.
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
            start: 0,
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
            self.compact();
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
            if std::mem::take(&mut self.skipping) {
                self.consume(at + 1);
                continue;
            }
            let length = at - self.start;
            if length > self.bound {
                let head = self.head();
                self.consume(at + 1);
                return Some(Line::TooLong(head));
            }
            self.usual = (length + CHUNK).min(MOST_ROOM);
            return Some(Line::Whole(self.cut(at)));
        }
    }

    /// Takes the line that ends before `at`, and its end. A long one that makes up most of the
    /// buffer takes the buffer with it, so that it is not copied; the rest of it is short then.
    fn cut(&mut self, at: usize) -> Vec<u8> {
        let rest = self.buffer.len() - at - 1;
        if self.start == 0 && at >= CHUNK && rest <= at {
            let rest = self.buffer.split_off(at + 1);
            let mut line = std::mem::replace(&mut self.buffer, rest);
            line.pop();
            self.searched = 0;
            return line;
        }
        let line = self.buffer.get(self.start..at).unwrap_or_default().to_vec();
        self.consume(at + 1);
        line
    }

    /// Marks everything before `to` as taken. It is moved out of the way before the next read.
    fn consume(&mut self, to: usize) {
        self.start = to;
        self.searched = to;
        if to == self.buffer.len() {
            self.compact();
        }
    }

    fn compact(&mut self) {
        self.buffer.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
    }

    /// The first bytes of the line that is being read.
    fn head(&self) -> Vec<u8> {
        let end = (self.start + HEAD).min(self.buffer.len());
        self.buffer.get(self.start..end).unwrap_or_default().to_vec()
    }

    fn check_length(&mut self) -> Option<Line> {
        if self.skipping {
            self.consume(self.buffer.len());
            return None;
        }
        if self.buffer.len() - self.start <= self.bound {
            return None;
        }
        self.skipping = true;
        let head = self.head();
        // Its room is given back: the line may have been as long as the bound.
        self.buffer = Vec::new();
        self.start = 0;
        self.searched = 0;
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
    async fn many_lines_at_once_are_cut_from_one_buffer() {
        let (mut near, far) = tokio::io::duplex(1 << 20);
        let text: String = (0..5000).map(|n| format!("line {n}\n")).collect();
        near.write_all(text.as_bytes()).await.expect("written");
        near.write_all(&[b'x'; CHUNK * 3]).await.expect("written");
        near.write_all(b"\nlast\n").await.expect("written");
        drop(near);
        let mut reader = LineReader::new(far, 1 << 20);
        for n in 0..5000 {
            let line = reader.next().await.expect("a stream");
            assert_eq!(line, Some(Line::Whole(format!("line {n}").into_bytes())));
        }
        let long = reader.next().await.expect("a stream");
        assert!(matches!(long, Some(Line::Whole(line)) if line == [b'x'; CHUNK * 3]));
        assert_eq!(reader.next().await.expect("a stream"), Some(Line::Whole(b"last".to_vec())));
        assert_eq!(reader.next().await.expect("a stream"), None);
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
