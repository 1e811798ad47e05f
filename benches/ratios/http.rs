//! The same server over HTTP, by hand: one thread for each connection.

use crate::server::respond;
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    process::{Child, Command, Stdio},
};

/// The server as a child process, which ends with this.
pub(crate) struct Served {
    child: Child,
    pub(crate) url: String,
}

impl Served {
    /// `way` is `json` or `events`.
    pub(crate) fn start(way: &str, kind: &str) -> Self {
        let me = std::env::current_exe().expect("a path");
        let mut command = Command::new(me);
        command.args(["serve-http", way, kind]).stdout(Stdio::piped());
        let mut child = command.spawn().expect("a server");
        let mut url = String::new();
        let mut told = BufReader::new(child.stdout.take().expect("its output"));
        told.read_line(&mut url).expect("an address");
        Self { child, url: url.trim().to_owned() }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.child.kill().expect("an end");
        self.child.wait().expect("an end");
    }
}

/// Serves until it is killed; says where first.
pub(crate) fn serve(way: &str, kind: &str) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    println!("http://{}/mcp", listener.local_addr().expect("an address"));
    for stream in listener.incoming() {
        let (stream, way, kind) = (stream.expect("a connection"), way.to_owned(), kind.to_owned());
        std::thread::spawn(move || connection(&stream, way == "events", &kind));
    }
}

/// Answers requests until the connection is closed.
fn connection(stream: &TcpStream, events: bool, kind: &str) {
    stream.set_nodelay(true).expect("no delay");
    let (mut reader, mut writer) = (BufReader::new(stream), stream);
    while let Some((is_post, body)) = request(&mut reader) {
        let answer = is_post.then(|| respond(kind, &body));
        let written = match answer {
            None => write!(writer, "HTTP/1.1 405 No\r\ncontent-length: 0\r\n\r\n"),
            Some(None) => write!(writer, "HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n"),
            Some(Some(answer)) if events => stream_of_one(&mut writer, &answer),
            Some(Some(answer)) => {
                let length = answer.len();
                let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
                write!(writer, "{head}content-length: {length}\r\n\r\n{answer}")
            }
        };
        if written.is_err() {
            return;
        }
    }
}

/// An answer as the only event of a stream, in chunks, each written at once as servers do.
fn stream_of_one(writer: &mut impl Write, answer: &str) -> std::io::Result<()> {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n";
    write!(writer, "{head}transfer-encoding: chunked\r\n\r\n")?;
    let event = format!("event: message\ndata: {answer}\n\n");
    for chunk in event.as_bytes().chunks(64 * 1024) {
        let mut whole = format!("{:x}\r\n", chunk.len()).into_bytes();
        whole.extend_from_slice(chunk);
        whole.extend_from_slice(b"\r\n");
        writer.write_all(&whole)?;
    }
    writer.write_all(b"0\r\n\r\n")
}

/// Whether the next request is a POST, and its body.
fn request(reader: &mut BufReader<&TcpStream>) -> Option<(bool, Vec<u8>)> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|size| *size > 0)?;
    let is_post = line.starts_with("POST ");
    let mut length = 0;
    loop {
        line.clear();
        reader.read_line(&mut line).ok().filter(|size| *size > 0)?;
        let header = line.trim().to_ascii_lowercase();
        if header.is_empty() {
            break;
        }
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((is_post, body))
}
