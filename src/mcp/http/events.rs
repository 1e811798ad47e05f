//! Server-sent events, read as they come: WHATWG HTML, section 9.2.6, with a bound.

use std::{collections::VecDeque, time::Duration};

/// The longest name of a field that is looked at; all that mean something are shorter.
const NAME: usize = 8;
/// The most room that is made for an event before it is there, in bytes.
const ROOM: usize = 1 << 20;
/// The longest value of a field other than `data`, in bytes.
const VALUE: usize = 4 * 1024;

/// One event.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Event {
    /// Its kind; empty means `message`.
    pub(super) kind: String,
    /// Its data.
    pub(super) data: Vec<u8>,
}

/// More data in one event than is allowed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// Where in a line the reader is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In the name of a field, or before it.
    Name,
    /// Right behind the colon, where one space is left out.
    Colon(Field),
    /// In a value.
    Value(Field),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Data,
    Event,
    Id,
    Retry,
    /// A comment, or a field that means nothing.
    Other,
}

/// Reads a stream of events.
#[derive(Debug)]
pub(super) struct EventReader {
    bound: usize,
    place: Place,
    name: Vec<u8>,
    value: Vec<u8>,
    event: Event,
    /// Whether the event has data, which may be empty.
    has_data: bool,
    /// The length of the line so far. It is bounded too: one without an end brings nothing.
    line: usize,
    /// The last byte was a carriage return: a line feed right behind it belongs to it.
    after_return: bool,
    /// How many bytes of a byte order mark may still be left out.
    mark: usize,
    ready: VecDeque<Event>,
    last_id: Option<String>,
    retry: Option<Duration>,
}

/// What some tools write first into a text.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl EventReader {
    /// `bound` is the most data of one event in bytes; no line is longer either.
    pub(super) fn new(bound: usize) -> Self {
        Self {
            bound,
            place: Place::Name,
            name: Vec::new(),
            value: Vec::new(),
            event: Event::default(),
            has_data: false,
            line: 0,
            after_return: false,
            mark: BYTE_ORDER_MARK.len(),
            ready: VecDeque::new(),
            last_id: None,
            retry: None,
        }
    }

    /// Makes room at once for an event as long as the last one: growing step by step moves a long
    /// one several times.
    pub(super) fn expecting(mut self, length: usize) -> Self {
        self.event.data.reserve(length.min(self.bound).min(ROOM));
        self
    }

    /// The next whole event.
    pub(super) fn pop(&mut self) -> Option<Event> {
        self.ready.pop_front()
    }

    /// The id of the last event that had one: from there a stream can be resumed.
    pub(super) fn last_id(&self) -> Option<&str> {
        self.last_id.as_deref()
    }

    /// How long the server wants to be left alone before the stream is resumed.
    pub(super) fn retry(&self) -> Option<Duration> {
        self.retry
    }

    /// Takes bytes in, cut anywhere.
    ///
    /// # Errors
    /// [`TooLong`]; the stream cannot be read on.
    pub(super) fn feed(&mut self, mut bytes: &[u8]) -> Result<(), TooLong> {
        bytes = self.without_mark(bytes);
        while let Some(first) = bytes.first() {
            if std::mem::take(&mut self.after_return) && *first == b'\n' {
                bytes = bytes.get(1..).unwrap_or_default();
                continue;
            }
            let (part, end, rest) = match memchr::memchr2(b'\n', b'\r', bytes) {
                Some(at) => (bytes.get(..at), bytes.get(at), bytes.get(at + 1..)),
                None => (Some(bytes), None, None),
            };
            self.part_of_line(part.unwrap_or_default())?;
            if let Some(end) = end {
                self.after_return = *end == b'\r';
                self.end_line()?;
            }
            bytes = rest.unwrap_or_default();
        }
        Ok(())
    }

    fn without_mark<'a>(&mut self, mut bytes: &'a [u8]) -> &'a [u8] {
        while self.mark > 0 {
            let Some((first, rest)) = bytes.split_first() else { break };
            let at = BYTE_ORDER_MARK.len() - self.mark;
            if BYTE_ORDER_MARK.get(at) == Some(first) {
                self.mark -= 1;
                bytes = rest;
            } else {
                self.mark = 0;
            }
        }
        bytes
    }

    fn part_of_line(&mut self, mut part: &[u8]) -> Result<(), TooLong> {
        self.line += part.len();
        if self.line > self.bound.saturating_add(NAME + 2) {
            return Err(TooLong);
        }
        if self.place == Place::Name {
            let colon = memchr::memchr(b':', part);
            let name = part.get(..colon.unwrap_or(part.len())).unwrap_or_default();
            let room = (NAME + 1).saturating_sub(self.name.len());
            self.name.extend_from_slice(name.get(..room).unwrap_or(name));
            let Some(colon) = colon else { return Ok(()) };
            self.begin_value()?;
            part = part.get(colon + 1..).unwrap_or_default();
        }
        if let Place::Colon(field) = self.place {
            match part.split_first() {
                None => return Ok(()),
                Some((b' ', rest)) => part = rest,
                Some(_) => {}
            }
            self.place = Place::Value(field);
        }
        match self.place {
            Place::Value(Field::Data) => {
                if self.event.data.len() + part.len() > self.bound {
                    return Err(TooLong);
                }
                self.event.data.extend_from_slice(part);
            }
            Place::Value(Field::Other) | Place::Name | Place::Colon(_) => {}
            Place::Value(Field::Event | Field::Id | Field::Retry) => {
                let room = VALUE.saturating_sub(self.value.len());
                self.value.extend_from_slice(part.get(..room).unwrap_or(part));
            }
        }
        Ok(())
    }

    fn begin_value(&mut self) -> Result<(), TooLong> {
        let field = match self.name.as_slice() {
            b"data" => Field::Data,
            b"event" => Field::Event,
            b"id" => Field::Id,
            b"retry" => Field::Retry,
            _ => Field::Other,
        };
        if field == Field::Data {
            if self.has_data {
                // Lines without a value add up too.
                if self.event.data.len() >= self.bound {
                    return Err(TooLong);
                }
                self.event.data.push(b'\n');
            }
            self.has_data = true;
        }
        self.value.clear();
        self.place = Place::Colon(field);
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), TooLong> {
        self.line = 0;
        if self.place == Place::Name {
            if self.name.is_empty() {
                self.end_event();
                return Ok(());
            }
            // A name without a colon is a field with an empty value.
            self.begin_value()?;
        }
        if let Place::Colon(field) | Place::Value(field) = self.place {
            let value = String::from_utf8_lossy(&self.value);
            match field {
                Field::Event => self.event.kind = value.into_owned(),
                // An id with a zero character is ignored, as the standard says.
                Field::Id if !value.contains('\0') => self.last_id = Some(value.into_owned()),
                Field::Retry if value.bytes().all(|b| b.is_ascii_digit()) => {
                    self.retry = value.parse().ok().map(Duration::from_millis);
                }
                Field::Id | Field::Retry | Field::Data | Field::Other => {}
            }
        }
        self.name.clear();
        self.place = Place::Name;
        Ok(())
    }

    fn end_event(&mut self) {
        let event = std::mem::take(&mut self.event);
        // One without data is none, as the standard says; its id counts all the same.
        if std::mem::take(&mut self.has_data) {
            self.ready.push_back(event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(reader: &mut EventReader, bytes: &[u8]) -> Vec<(String, String)> {
        reader.feed(bytes).expect("short enough");
        let mut events = Vec::new();
        while let Some(event) = reader.pop() {
            events.push((event.kind, String::from_utf8(event.data).expect("text")));
        }
        events
    }

    fn one(data: &str) -> Vec<(String, String)> {
        vec![(String::new(), data.to_owned())]
    }

    #[test]
    fn the_same_message_in_every_form_cut_at_every_byte() {
        for stream in [
            "data: {\"é\":1}\n\n",
            "data:{\"é\":1}\r\n\r\n",
            "data: {\"é\":1}\r\r",
            ": hello\nunknown: x\nid: 7\nretry: 20\ndata: {\"é\":1}\n\n",
            "\u{feff}data: {\"é\":1}\n\n",
            "event: message\r\ndata: {\"é\":1}\r\n\r\n:\r\n",
            "data\nevent\n:\ndata:{\"é\":1}\n\n",
        ] {
            let bytes = stream.as_bytes();
            for cut in 0..=bytes.len() {
                let mut reader = EventReader::new(1000);
                let (head, tail) = bytes.split_at(cut);
                let mut events = read(&mut reader, head);
                events.extend(read(&mut reader, tail));
                let data: Vec<&str> = events.iter().map(|(_, data)| data.trim_start()).collect();
                assert_eq!(data, ["{\"é\":1}"], "{stream:?} cut at {cut}");
            }
            let mut reader = EventReader::new(1000);
            let events: Vec<_> = bytes.iter().flat_map(|b| read(&mut reader, &[*b])).collect();
            assert_eq!(events.len(), 1, "{stream:?} byte by byte");
        }
    }

    #[test]
    fn lines_of_data_are_joined_and_ids_are_kept() {
        let mut reader = EventReader::new(1000);
        assert_eq!(read(&mut reader, b"data: a\ndata:  b\ndata\n\n"), one("a\n b\n"));
        assert_eq!(read(&mut reader, b"event: endpoint\ndata: /m?x=1\n\n").len(), 1);
        assert_eq!(read(&mut reader, b"id: e1\nretry: 200\n\n"), []);
        assert_eq!(
            (reader.last_id(), reader.retry()),
            (Some("e1"), Some(Duration::from_millis(200)))
        );
        assert_eq!(read(&mut reader, b"id: bad\0\nretry: soon\nid\n\n"), []);
        assert_eq!(
            (reader.last_id(), reader.retry()),
            (Some(""), Some(Duration::from_millis(200)))
        );
    }

    #[test]
    fn what_is_not_ended_by_a_blank_line_is_no_event() {
        let mut reader = EventReader::new(1000);
        assert_eq!(read(&mut reader, b"data: {}\n"), []);
        assert_eq!(read(&mut reader, b"\n"), one("{}"));
    }

    #[test]
    fn the_bound_holds_for_data_and_nothing_else_fills_memory() {
        let mut reader = EventReader::new(10);
        assert_eq!(read(&mut reader, b"data: 0123456789\n\n"), one("0123456789"));
        assert_eq!(reader.feed(b"data: 01234567890"), Err(TooLong));
        for line in [&b"data:\n"[..], b"data\r\n"] {
            let mut reader = EventReader::new(10);
            let fed = (0..100).try_for_each(|_| reader.feed(line));
            assert_eq!((fed, reader.event.data.len()), (Err(TooLong), 10));
        }
        let mut reader = EventReader::new(100_000);
        for _ in 0..100 {
            reader.feed(&[b'x'; 1000]).expect("no data");
        }
        assert!(reader.name.len() <= NAME + 1);
        reader.feed(b"\nid: ").expect("no data");
        for _ in 0..100 {
            reader.feed(&[b'x'; 1000]).expect("no data");
        }
        assert!(reader.value.len() <= VALUE);
        // A line of anything that never ends brings nothing, and is read no further.
        assert_eq!(reader.feed(&[b'x'; 1000]), Err(TooLong));
    }
}
