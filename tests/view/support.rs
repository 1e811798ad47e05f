//! A screen with made-up servers, and hands on its keys.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use unicode_width::UnicodeWidthStr;
use vestibule::domain::*;
use vestibule::registry::*;
use vestibule::schema::Checker;
use vestibule::tui::state::traffic::Message;
use vestibule::tui::state::{Page, State, opened};
use vestibule::tui::{Effect, Moment, Msg, Theme, update, view};

pub fn id(name: &str) -> ServerId {
    ServerId::new(name).unwrap()
}

pub fn resource(name: &str, uri: &str) -> Resource {
    Resource {
        uri: uri.into(),
        name: name.into(),
        title: None,
        description: None,
        mime_type: Some("text/plain".into()),
        size: None,
        annotations: None,
    }
}

pub fn prompt(name: &str, arguments: &[(&str, bool)]) -> Prompt {
    let argument = |(name, required): &(&str, bool)| PromptArgument {
        name: (*name).into(),
        title: None,
        description: Some(format!("what to write for {name}").into()),
        required: *required,
    };
    Prompt {
        name: name.into(),
        title: None,
        description: Some("Does something with what is written.".into()),
        arguments: arguments.iter().map(argument).collect(),
    }
}

pub fn tool(name: &str) -> Tool {
    let schema = serde_json::json!({
        "type": "object",
        "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["query"]
    });
    Tool {
        name: name.into(),
        title: None,
        description: Some("Looks for things.\nSlowly.".into()),
        input_schema: schema.as_object().unwrap().clone(),
        output_schema: None,
        needs_task: false,
        annotations: Some(ToolAnnotations {
            read_only: Some(true),
            open_world: Some(true),
            ..Default::default()
        }),
    }
}

pub fn up() -> Link {
    Link::Up(ServerFacts {
        era: Era::Legacy,
        era_reason: "fell back after server/discover was not known".into(),
        version: "2025-11-25".into(),
        name: Some("Library".into()),
        release: Some("1.0".into()),
        instructions: None,
        capabilities: Capabilities {
            resources: true,
            prompts: true,
            tools: true,
            ..Default::default()
        },
    })
}

pub fn fresh<T>(items: Vec<T>) -> Arc<Listing<Arc<T>>> {
    Arc::new(Listing {
        items: items.into_iter().map(Arc::new).collect(),
        ..Listing::empty(ListingState::Fresh)
    })
}

/// The listing with something changed.
pub fn with<T: Clone>(
    mut listing: Arc<Listing<T>>,
    change: impl FnOnce(&mut Listing<T>),
) -> Arc<Listing<T>> {
    change(Arc::make_mut(&mut listing));
    listing
}

pub fn server(name: &str, link: Link, lists: Lists) -> ServerView {
    ServerView {
        id: id(name),
        transport: "stdio",
        source: "servers.json".into(),
        details: vec![format!("run-{name} --root=/srv")],
        link,
        again: None,
        connects: 1,
        lists: Arc::new(lists),
        subscriptions: Arc::default(),
        permissions: Arc::default(),
        noise: Noise::default(),
        sampling: false,
    }
}

pub fn registry(servers: Vec<ServerView>) -> Arc<RegistryView> {
    fn rows<T: Addressed>(
        servers: &[ServerView],
        items: impl Fn(&Lists) -> &Vec<Arc<T>>,
    ) -> Arc<Vec<Row<T>>> {
        let mut rows = Vec::new();
        for server in servers {
            for item in items(&server.lists) {
                let item = item.clone();
                rows.push(Row {
                    server: server.id.clone(),
                    item,
                    ambiguous: false,
                    copies: 1,
                    needs_confirmation: false,
                });
            }
        }
        Arc::new(rows)
    }
    let catalogue = Catalogue {
        resources: rows(&servers, |l| &l.resources.items),
        templates: rows(&servers, |l| &l.templates.items),
        prompts: rows(&servers, |l| &l.prompts.items),
        tools: rows(&servers, |l| &l.tools.items),
    };
    RegistryView {
        generation: 1,
        servers: servers.into_iter().map(Arc::new).collect(),
        catalogue: Arc::new(catalogue),
    }
    .into()
}

/// Four servers: two up, one of them hostile, one being connected, one dead.
pub fn servers() -> Vec<ServerView> {
    let mut books = resource("reading-room.md", "library://rooms/reading");
    books.title = Some("The reading room".into());
    books.description = Some("Where the long tables are.\nOpen until nine.".into());
    books.size = Some(18_204);
    books.annotations = Some(Annotations {
        audience: vec!["user".into()],
        priority: Some(0.8),
        last_modified: Some("2026-11-30".into()),
    });
    let library = Lists {
        resources: with(
            fresh(vec![
                books,
                resource("opening hours", "library://hours"),
                resource("漢字の部屋", "library://rooms/kanji"),
            ]),
            |listing| {
                listing.malformed = vec![Malformed {
                    why: "uri should be a string".into(),
                    label: Some("broken".into()),
                    raw: "{\"uri\": 7, \"name\": \"broken\"}".into(),
                }]
            },
        ),
        templates: fresh(vec![ResourceTemplate {
            uri_template: "library://books/{isbn}".into(),
            name: "book".into(),
            title: None,
            description: Some("One book by its number.".into()),
            mime_type: Some("text/markdown".into()),
            annotations: None,
        }]),
        prompts: fresh(vec![
            prompt("summarise", &[("topic", true), ("style", false), ("length", false)]),
            prompt("greet", &[]),
        ]),
        tools: fresh(vec![tool("search")]),
        hidden: Hidden::default(),
    };
    let hostile = Lists {
        resources: fresh(vec![resource("ad\u{200b}min\u{1b}]0;x\u{7}", "evil://\u{202e}gpj.exe")]),
        tools: with(fresh(vec![tool("wipe")]), |listing| {
            listing.state = ListingState::Partial(
                Fault::new(FaultKind::Timeout, "page 2 did not come").because("no answer in 60 s"),
            );
        }),
        ..Default::default()
    };
    let why = Fault::new(FaultKind::Unreachable, "the program could not be started")
        .because("No such file or directory (os error 2)")
        .hint("check the command in servers.json");
    let never = |name, link| ServerView { connects: 0, ..server(name, link, Lists::default()) };
    vec![
        server("library", up(), library),
        server("hostile", up(), hostile),
        never("slow", Link::Connecting),
        never("dead", Link::Down { why }),
    ]
}

/// The screen under test.
pub struct Screen {
    pub state: State,
    pub now: Moment,
}

impl Screen {
    pub fn empty(width: u16, height: u16) -> Self {
        Self { state: State::new((width, height)), now: Moment::default() }
    }

    pub fn new(width: u16, height: u16) -> Self {
        let mut screen = Self::empty(width, height);
        screen.send(Msg::View(registry(servers())));
        screen
    }

    /// Sends a message. What is to be held against a schema is, at once.
    pub fn send(&mut self, msg: Msg) -> Vec<Effect> {
        let mut left = Vec::new();
        for effect in update(&mut self.state, self.now, msg) {
            match effect {
                Effect::Check { tool, arguments } => {
                    left.extend(update(&mut self.state, self.now, checked(tool, arguments)));
                }
                other => left.push(other),
            }
        }
        left
    }

    pub fn after(&mut self, millis: u64) -> &mut Self {
        self.now = Moment(self.now.0 + Duration::from_millis(millis));
        self
    }

    /// Presses keys, written as in `j j Enter Ctrl-d`.
    pub fn keys(&mut self, keys: &str) -> Vec<Effect> {
        keys.split(' ').flat_map(|key| self.send(Msg::Key(event(key)))).collect()
    }

    /// Types letters.
    pub fn type_text(&mut self, text: &str) {
        for c in text.chars() {
            let effects = self.send(Msg::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE)));
            let others = self.search(effects);
            assert_eq!(others, [], "a typed letter did something");
        }
    }

    /// Does the searches among some effects to their end; gives the other effects.
    pub fn search(&mut self, effects: Vec<Effect>) -> Vec<Effect> {
        let mut others = Vec::new();
        for effect in effects {
            match effect {
                Effect::Search(job) => job.run(|| true, |found| drop(self.send(Msg::Found(found)))),
                other => others.push(other),
            }
        }
        others
    }

    /// Presses Enter on a resource and gives the call.
    pub fn open(&mut self) -> CallId {
        match self.keys("Enter").as_slice() {
            [Effect::Read { call, .. } | Effect::Render { call, .. }] => *call,
            other => panic!("no call but {other:?}"),
        }
    }

    pub fn answer(&mut self, call: CallId, result: Result<Page, Fault>) {
        self.send(Msg::Opened { call, result });
    }

    pub fn draw(&self) -> (String, Option<Position>) {
        let (width, height) = self.state.size;
        let area = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(area);
        let cursor = view::draw(&self.state, &Theme::new(true), area, &mut buffer);
        (text(&buffer), cursor)
    }

    pub fn shows(&self, what: &str) -> bool {
        self.draw().0.contains(what)
    }
}

/// A page as a read of one text block gives it.
pub fn text_page(uri: &str, text: &str) -> Page {
    page_of(uri, ResourceBody::Text(text.into()))
}

pub fn page_of(uri: &str, body: ResourceBody) -> Page {
    let block = ResourceContents {
        uri: Some(uri.into()),
        mime_type: Some("text/plain".into()),
        body,
        notes: vec![],
    };
    opened::reading(Reading {
        server: id("library"),
        uri: uri.into(),
        contents: vec![block],
        took: Duration::from_millis(120),
    })
}

/// What stands in a short conversation: sent and received in turn.
pub const EXCHANGE: [&str; 6] = [
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#,
    r#"{"jsonrpc":"2.0","id":0,"result":{"serverInfo":{"name":"Library"}}}"#,
    r#"{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{}}"#,
    r#"{"jsonrpc":"2.0","id":1,"result":{"resources":[{"uri":"library://hours","name":"a\u202eb"}]}}"#,
    r#"{"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"x"}}"#,
    r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"no such prompt"}}"#,
];

/// The messages of a server, as the first answer brings them.
pub fn messages(server: &str, texts: &[&str]) -> Msg {
    let message = |(n, text): (usize, &&str)| {
        let number = u64::try_from(n + 1).unwrap();
        let direction = if n % 2 == 0 { Direction::Sent } else { Direction::Received };
        let time = SystemTime::UNIX_EPOCH + Duration::from_millis(45_296_000 + number * 7);
        let bytes = text.as_bytes().to_vec();
        let length = bytes.len();
        Arc::new(Message::new(TrafficEntry { number, time, direction, bytes, length }))
    };
    let messages = texts.iter().enumerate().map(message).collect();
    Msg::Traffic { server: id(server), after: 0, oldest: Some(1), messages }
}

pub fn event(key: &str) -> KeyEvent {
    let (modifiers, name) = match key.strip_prefix("Ctrl-") {
        Some(name) => (KeyModifiers::CONTROL, name),
        None => (KeyModifiers::NONE, key),
    };
    let code = match name {
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "Tab" => KeyCode::Tab,
        "BackTab" => KeyCode::BackTab,
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "Left" => KeyCode::Left,
        "Right" => KeyCode::Right,
        "Home" => KeyCode::Home,
        "End" => KeyCode::End,
        "PgUp" => KeyCode::PageUp,
        "PgDn" => KeyCode::PageDown,
        "Backspace" => KeyCode::Backspace,
        "F3" => KeyCode::F(3),
        "F4" => KeyCode::F(4),
        "F5" => KeyCode::F(5),
        one => KeyCode::Char(one.chars().next().unwrap()),
    };
    KeyEvent::new(code, modifiers)
}

/// Holds arguments against a schema.
pub fn checked(tool: Arc<Tool>, arguments: Map<String, Value>) -> Msg {
    let value = Value::Object(arguments.clone());
    let found = Checker::new(&tool.input_schema).and_then(|checker| checker.check(&value));
    Msg::Checked { tool, arguments, found }
}

/// The cells as lines. The cell behind a wide character is no character of its own.
pub fn text(buffer: &Buffer) -> String {
    let area = buffer.area;
    let mut lines = Vec::new();
    for y in area.top()..area.bottom() {
        let mut line = String::new();
        let mut skip = 0;
        for x in area.left()..area.right() {
            if skip > 0 {
                skip -= 1;
                continue;
            }
            let symbol = buffer[(x, y)].symbol();
            skip = symbol.width().saturating_sub(1);
            line.push_str(symbol);
        }
        lines.push(line.trim_end().to_owned());
    }
    lines.join("\n")
}
