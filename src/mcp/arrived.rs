//! A message that came, before anything is made of it.

use super::{
    envelope::{self, Frame, Outcome, WireId},
    tap::Tap,
    traffic::Direction,
};

/// How much of a line that is no message is kept, in bytes.
const STRAY_HEAD: usize = 2000;

/// A message as it came, read as far as JSON-RPC goes.
pub(super) struct Arrived {
    pub(super) frames: Vec<Frame>,
    /// Its first bytes, in case it is no message.
    pub(super) head: Vec<u8>,
    /// Whether bytes of it were no UTF-8.
    pub(super) replaced: bool,
}

impl Arrived {
    /// Reads a message and records it in the traffic. An empty one is none.
    pub(super) fn read(bytes: Vec<u8>, tap: &Tap) -> Option<Self> {
        if bytes.trim_ascii().is_empty() {
            return None;
        }
        tap.traffic(Direction::Received, &bytes);
        let mut replaced = false;
        let line = String::from_utf8(bytes).unwrap_or_else(|error| {
            replaced = true;
            tap.logs.breach("a line was not valid UTF-8; what was not is shown as \u{FFFD}");
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        });
        // One of no use is kept, so its head is put aside before it is taken apart.
        let head = line.as_bytes().get(..STRAY_HEAD).unwrap_or(line.as_bytes()).to_vec();
        Some(Self { frames: envelope::read(line), head, replaced })
    }

    /// An error answer to a request, which came outside of a message of its own.
    pub(super) fn error(id: i64, raw: String) -> Self {
        let outcome = Outcome::Error(raw);
        let frames = vec![Frame::Answer { id: Some(WireId::Number(id)), outcome }];
        Self { frames, head: Vec::new(), replaced: false }
    }

    /// The same, which came in answer to one request: an answer without id can only be its own.
    pub(super) fn for_request(mut self, ours: i64, tap: &Tap) -> Self {
        for frame in &mut self.frames {
            if let Frame::Answer { id: id @ None, .. } = frame {
                tap.logs.breach("an answer without id; taken for the one that was waiting");
                *id = Some(WireId::Number(ours));
            }
        }
        self
    }

    /// Whether it answers a request of ours.
    pub(super) fn answers(&self, ours: i64) -> bool {
        self.frames.iter().any(|frame| match frame {
            Frame::Answer { id: Some(id), .. } => id.ours() == Some(ours),
            Frame::Answer { id: None, .. }
            | Frame::Request { .. }
            | Frame::Notification { .. }
            | Frame::Stray { .. } => false,
        })
    }

    /// Whether it is no message, and yet names a request of ours: an answer that broke.
    pub(super) fn breaks(&self, ours: i64) -> bool {
        let stray = self.frames.iter().all(|frame| matches!(frame, Frame::Stray { .. }));
        stray && envelope::id_in_head(&self.head) == Some(ours)
    }
}
