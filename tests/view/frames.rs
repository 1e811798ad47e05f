//! Every view at three sizes, as a person sees it.

use crate::support::*;
use std::time::Duration;
use vestibule::content::export::Refusal;
use vestibule::domain::*;
use vestibule::registry::{Lists, Rendering, ServerView};
use vestibule::tui::state::{Page, opened};
use vestibule::tui::{Effect, Msg};

/// Brings a screen into one state.
pub type Scene = (&'static str, fn(&mut Screen));

fn article() -> String {
    (1..=120)
        .map(|n| {
            format!("{n}. The clerk wrote the number on a card, and the card went into a box.")
        })
        .collect::<Vec<_>>()
        .join("\n")
}

fn rendered() -> Page {
    let blocks = vec![
        Content::text("Summarise the opening hours\u{202e}, briefly."),
        Content::from_value(serde_json::json!({
            "type": "image", "mimeType": "image/png", "data": "iVBORw0KGgoAAAANSUhEUg=="
        })),
        Content::from_value(serde_json::json!({"type": "hologram", "depth": 3})),
    ];
    let user = Message { role: Role::User, content: blocks, array: true, extra: Extra::new() };
    let messages = vec![user, Message::text(Role::Assistant, "Gladly.")];
    opened::rendering(Rendering {
        server: id("library"),
        name: "summarise".into(),
        prompt: RenderedPrompt { description: Some("A summary.".into()), messages },
        took: Duration::from_millis(80),
    })
}

/// The scenes.
pub const SCENES: &[Scene] = &[
    ("first_frame", |s| {
        let slow =
            |name| ServerView { connects: 0, ..server(name, Link::Connecting, Default::default()) };
        s.send(Msg::View(registry(vec![slow("library"), slow("git")])));
        s.after(3000).send(Msg::Wake);
    }),
    ("no_servers", |_| ()),
    ("list", |s| drop(s.send(Msg::View(registry(servers()))))),
    ("servers", |s| {
        s.send(Msg::View(registry(servers())));
        s.keys("h G");
    }),
    ("malformed", |s| {
        s.send(Msg::View(registry(servers())));
        s.keys("G l");
    }),
    ("hostile_name", |s| {
        s.send(Msg::View(registry(servers())));
        s.keys("j j j l");
    }),
    ("odd_names", |s| {
        let names = [
            "♻\u{fe0f}♻\u{fe0f}",
            "👨\u{200d}👩\u{200d}👧",
            "🇩🇪",
            "👍🏽",
            "नमस्ते",
            "ｆｕｌｌ",
            "e\u{301}",
            "\u{200b}\u{200d}",
            "漢字あ가나다",
        ];
        let long = names.concat().repeat(3);
        let marks = format!("a{}z", "\u{301}".repeat(40));
        let names = names.into_iter().chain([long.as_str(), marks.as_str()]).enumerate();
        let rows = names.map(|(n, name)| resource(name, &format!("odd://{n}"))).collect();
        let lists = Lists { resources: fresh(rows), ..Default::default() };
        s.send(Msg::View(registry(vec![server("odd", up(), lists)])));
        s.keys("G k");
    }),
    ("tools", |s| {
        s.send(Msg::View(registry(servers())));
        s.keys("3");
    }),
    ("filter", |s| {
        s.send(Msg::View(registry(servers())));
        s.keys("/");
        s.type_text("room");
    }),
    ("waiting", |s| {
        s.send(Msg::View(registry(servers())));
        s.open();
        s.after(1200).send(Msg::Wake);
    }),
    ("content", |s| {
        s.send(Msg::View(registry(servers())));
        let call = s.open();
        s.answer(call, Ok(text_page("library://rooms/reading", &article())));
        s.keys("PgDn j");
    }),
    ("blob", |s| {
        s.send(Msg::View(registry(servers())));
        let call = s.open();
        let bytes: Vec<u8> = (0..400_u32).map(|n| u8::try_from(n % 256).unwrap()).collect();
        s.answer(call, Ok(page_of("library://rooms/reading", ResourceBody::Blob(bytes.into()))));
    }),
    ("failed", |s| {
        s.send(Msg::View(registry(servers())));
        let call = s.open();
        let fault = Fault::new(FaultKind::ServerError, "the server answered with an error")
            .because("-32002 Resource not found\u{1b}[2J")
            .hint("r lists the server's resources again");
        s.answer(call, Err(fault));
    }),
    ("prompt", |s| {
        s.send(Msg::View(registry(servers())));
        s.keys("2");
    }),
    ("form", |s| {
        s.send(Msg::View(registry(servers())));
        s.keys("2 Enter Tab");
        s.type_text("short and dry");
        s.keys("Tab Ctrl-e BackTab BackTab Enter");
    }),
    ("rendered", |s| {
        s.send(Msg::View(registry(servers())));
        s.keys("2 j");
        let call = s.open();
        s.answer(call, Ok(rendered()));
    }),
    ("own_output", |s| {
        s.send(Msg::View(registry(servers())));
        s.keys("e");
        let stderr = vec!["listening on stdio".into(), "warn: \u{1b}[31mred\u{1b}[0m".into()];
        s.send(Msg::Noise { server: id("library"), stderr, stray: vec!["hello?".into()] });
    }),
    ("messages", |s| {
        s.send(Msg::View(registry(servers())));
        s.keys("t");
        s.send(messages("library", &EXCHANGE));
        s.keys("k k");
    }),
    ("message", |s| {
        s.send(Msg::View(registry(servers())));
        s.keys("t");
        s.send(messages("library", &EXCHANGE));
        s.keys("k Enter");
    }),
    ("messages_filtered", |s| {
        s.send(Msg::View(registry(servers())));
        s.keys("t");
        s.send(messages("library", &EXCHANGE));
        s.keys("/");
        s.type_text("list");
    }),
    ("save", |s| {
        s.send(Msg::View(registry(servers())));
        let call = s.open();
        s.answer(call, Ok(text_page("library://rooms/reading", &article())));
        s.keys("s");
    }),
    ("save_over", |s| {
        s.send(Msg::View(registry(servers())));
        let call = s.open();
        s.answer(call, Ok(text_page("library://rooms/reading", &article())));
        let saves = s.keys("s Enter");
        let [Effect::Save { call, .. }] = saves.as_slice() else { panic!("{saves:?}") };
        let fault = Fault::new(FaultKind::Usage, "`reading.txt` exists already");
        s.send(Msg::Saved { call: *call, result: Err(Refusal { exists: true, fault }) });
    }),
    ("palette", |s| {
        s.send(Msg::View(registry(servers())));
        s.keys(":");
    }),
    ("palette_narrowed", |s| {
        s.send(Msg::View(registry(servers())));
        s.keys(":");
        s.type_text("copy");
    }),
    ("help", |s| {
        s.send(Msg::View(registry(servers())));
        s.keys("?");
    }),
    ("notices", |s| {
        s.send(Msg::View(registry(servers())));
        s.after(65_000).send(Msg::Paste("x".into()));
        s.after(4000).keys("n");
    }),
    ("quit_question", |s| {
        s.send(Msg::View(registry(servers())));
        s.open();
        s.keys("q");
    }),
];

/// Takes a picture of each scene at each of three sizes.
pub fn at_three_sizes(scenes: &[Scene]) {
    for (name, scene) in scenes {
        for (width, height) in [(80, 24), (200, 50), (40, 10)] {
            let mut screen = Screen::empty(width, height);
            scene(&mut screen);
            let (text, cursor) = screen.draw();
            let cursor = cursor.map_or("no cursor".into(), |c| format!("cursor {} {}", c.x, c.y));
            insta::assert_snapshot!(
                format!("{name}_{width}x{height}"),
                format!("{text}\n{cursor}")
            );
        }
    }
}

#[test]
fn every_view_at_three_sizes() {
    at_three_sizes(SCENES);
}

#[test]
fn a_terminal_too_small_is_told_what_is_needed_and_keeps_its_state() {
    let mut screen = Screen::new(80, 24);
    screen.keys("j");
    let before = screen.draw();
    screen.send(Msg::Resize(39, 24));
    assert_eq!(screen.draw().0.trim(), "vestibule needs at least 40x10");
    screen.send(Msg::Resize(0, 0));
    screen.send(Msg::Resize(80, 24));
    assert_eq!(screen.draw(), before);
}

#[test]
fn no_raw_control_and_no_invisible_character_reaches_a_cell() {
    let mut screen = Screen::new(120, 40);
    for keys in ["j j j", "3 j", "2 Enter", "Esc 1 e"] {
        screen.keys(keys);
        let (text, _) = screen.draw();
        let bad = |c: char| {
            (c.is_control() && c != '\n')
                || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}')
        };
        assert!(!text.contains(bad), "{keys}: {text}");
    }
}
