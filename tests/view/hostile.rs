//! Whatever servers write, in every field, no cell of the screen drives a terminal or hides.

use crate::support::*;
use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use serde_json::json;
use std::time::Duration;
use unicode_width::UnicodeWidthStr;
use vestibule::domain::*;
use vestibule::registry::*;
use vestibule::tui::state::{Page, opened};
use vestibule::tui::{Effect, Msg, Theme, view};

/// Characters that drive, turn around, hide or join, and some that they do it to.
const NASTY: &str = "\0\u{7}\u{8}\t\n\r\u{1b}\u{7f}\u{85}\u{90}\u{9b}\u{9c} a[2J];\u{a0}\u{ad}\u{301}\
    \u{34f}\u{61c}\u{627}\u{64e}\u{915}\u{94d}\u{115f}\u{1160}\u{1161}\u{11a8}\u{180b}\u{180e}\u{200b}\
    \u{200c}\u{200d}\u{200e}\u{200f}\u{2028}\u{2029}\u{202a}\u{202e}\u{2060}\u{2066}\u{2069}\u{206a}\
    \u{20e3}\u{2764}\u{2800}\u{3000}\u{3164}\u{e000}\u{fdd0}\u{fe00}\u{fe0f}\u{feff}\u{ffa0}\u{fff9}\
    \u{fffc}\u{fffd}\u{1d173}\u{1f1e9}\u{1f1ea}\u{1f3f4}\u{1f3fb}\u{1f468}\u{5d0}\u{65e5}\u{e0001}\
    \u{e0041}\u{e0067}\u{e007f}\u{e0100}\u{f0000}\u{10ffff}⟨⟩␛U+TAG:";

fn nasty_text() -> impl Strategy<Value = String> {
    let special = prop::sample::select(NASTY.chars().collect::<Vec<_>>());
    let character = prop_oneof![
        8 => special,
        1 => any::<char>(),
        1 => prop::char::range('\0', '\u{ff}'),
        1 => prop::char::range('\u{e0000}', '\u{e01ff}'),
    ];
    prop::collection::vec(character, 0..24).prop_map(String::from_iter)
}

/// Gives one text after another, again from the start when they have all been given.
struct Texts(std::iter::Cycle<std::vec::IntoIter<String>>);

impl Texts {
    fn word(&mut self) -> String {
        self.0.next().unwrap_or_default()
    }

    fn next(&mut self) -> UntrustedText {
        self.word().into()
    }

    fn some(&mut self) -> Option<UntrustedText> {
        Some(self.next())
    }

    fn annotations(&mut self) -> Option<Annotations> {
        let (audience, last_modified) = (vec![self.next()], self.some());
        Some(Annotations { audience, priority: Some(0.1), last_modified })
    }

    fn fault(&mut self) -> Fault {
        Fault::new(FaultKind::ServerError, "the server answered with an error")
            .because(self.word())
            .because(self.word())
            .hint("try again")
    }

    fn malformed<T>(&mut self, listing: &mut Listing<T>) {
        let (label, raw) = (self.some(), self.next());
        listing.malformed.push(Malformed { why: "a field is missing".into(), label, raw });
        listing.state = ListingState::Partial(self.fault());
    }

    fn lists(&mut self) -> Lists {
        let resource = |texts: &mut Self, uri: UntrustedText| Resource {
            uri,
            name: texts.next(),
            title: texts.some(),
            description: texts.some(),
            mime_type: texts.some(),
            size: Some(1),
            annotations: texts.annotations(),
        };
        // An address that is all hostile, and an ordinary one to be opened for sure.
        let uri = self.next();
        let resources = vec![resource(self, uri), resource(self, "plain://one".into())];
        let template = ResourceTemplate {
            uri_template: self.next(),
            name: self.next(),
            title: self.some(),
            description: self.some(),
            mime_type: self.some(),
            annotations: self.annotations(),
        };
        let argument = PromptArgument {
            name: self.next(),
            title: self.some(),
            description: self.some(),
            required: false,
        };
        let prompt = Prompt {
            name: self.next(),
            title: self.some(),
            description: self.some(),
            arguments: vec![argument],
        };
        let mut plain = prompt.clone();
        plain.arguments.clear();
        plain.name = format!("plain{}", self.word()).into();
        let schema = json!({ "type": "object", self.word(): { self.word(): self.word() } });
        let tool = Tool {
            name: self.next(),
            title: self.some(),
            description: self.some(),
            input_schema: schema.as_object().unwrap().clone(),
            output_schema: schema.as_object().cloned(),
            needs_task: false,
            annotations: Some(ToolAnnotations { title: self.some(), ..Default::default() }),
        };
        Lists {
            resources: with(fresh(resources), |listing| self.malformed(listing)),
            templates: with(fresh(vec![template]), |listing| self.malformed(listing)),
            prompts: with(fresh(vec![prompt, plain]), |listing| self.malformed(listing)),
            tools: with(fresh(vec![tool]), |listing| self.malformed(listing)),
            hidden: Hidden::default(),
        }
    }

    fn servers(&mut self) -> Vec<ServerView> {
        let mut link = up();
        if let Link::Up(facts) = &mut link {
            facts.name = self.some();
            facts.release = self.some();
            facts.instructions = self.some();
            facts.capabilities.completions = true;
        }
        let mut down = server("down", Link::Down { why: self.fault() }, Lists::default());
        down.connects = 0;
        vec![server("evil", link, self.lists()), down]
    }

    fn reading(&mut self) -> Page {
        let block = |texts: &mut Self, body| ResourceContents {
            uri: texts.some(),
            mime_type: texts.some(),
            body,
            notes: vec![],
        };
        let text = ResourceBody::Text(self.next());
        let blob = ResourceBody::Blob(self.word().into_bytes().into());
        let contents = vec![block(self, text), block(self, blob)];
        let took = Duration::from_millis(3);
        opened::reading(Reading { server: id("evil"), uri: self.next(), contents, took })
    }

    fn rendering(&mut self) -> Page {
        let content = vec![
            Content::text(self.word()),
            Content::from_value(json!({ "type": self.word(), "x": self.word() })),
            Content::from_value(
                json!({ "type": "image", "mimeType": self.word(), "data": "AAAA" }),
            ),
            Content::from_value(json!({
                "type": "resource_link", "uri": self.word(), "name": self.word(),
                "title": self.word(), "description": self.word(), "mimeType": self.word(),
            })),
            Content::from_value(json!({ "type": "resource", "resource": {
                "uri": self.word(), "mimeType": self.word(), "text": self.word(),
            } })),
        ];
        let user = Message { role: Role::User, content, array: true, extra: Extra::new() };
        opened::rendering(Rendering {
            server: id("evil"),
            name: self.next(),
            prompt: RenderedPrompt { description: self.some(), messages: vec![user] },
            took: Duration::from_millis(3),
        })
    }
}

/// Whether a character does nothing that a person sees, wherever it stands.
fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}'
        | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{2800}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{e001f}'
        | '\u{f0000}'..='\u{10ffff}')
}

/// Whether a character changes only what it stands behind: joiners, selectors, tags.
fn needs_another(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{180b}'..='\u{180d}'
        | '\u{e0020}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Whether the text of a cell drives the terminal, or is or hides something unseen.
fn is_wrong(symbol: &str) -> bool {
    symbol.chars().any(|c| c.is_control() || is_unseen(c))
        || symbol.chars().next().is_some_and(needs_another)
        || !symbol.is_empty() && symbol.width() == 0
        // A flag is the only thing that tags may stand behind.
        || symbol.contains(|c| matches!(c, '\u{e0020}'..='\u{e007f}'))
            && !symbol.starts_with('\u{1f3f4}')
}

#[test]
fn the_check_finds_what_it_is_for() {
    for symbol in ["\u{1b}", "\n", "\u{9b}", "a\u{202e}", "\u{200d}", "\u{301}", "a\u{e0041}"] {
        assert!(is_wrong(symbol), "{} passes", symbol.escape_unicode());
    }
    for symbol in ["a", " ", "", "日", "e\u{301}", "\u{2764}\u{fe0f}", "␛", "⟨"] {
        assert!(!is_wrong(symbol), "{symbol} does not pass");
    }
}

/// Draws, and looks at each cell.
fn check(screen: &Screen, scene: &str) -> Result<(), TestCaseError> {
    let (width, height) = screen.state.size;
    let area = Rect::new(0, 0, width, height);
    let mut buffer = Buffer::empty(area);
    view::draw(&screen.state, &Theme::new(true), area, &mut buffer);
    for cell in buffer.content() {
        let symbol = cell.symbol();
        prop_assert!(!is_wrong(symbol), "{scene}: {}\n{}", symbol.escape_unicode(), text(&buffer));
    }
    Ok(())
}

/// Presses Enter, and gives the call that this starts.
fn opens(screen: &mut Screen) -> Option<CallId> {
    screen.keys("Enter").into_iter().find_map(|effect| match effect {
        Effect::Read { call, .. } | Effect::Render { call, .. } => Some(call),
        _ => None,
    })
}

/// All the way back, to the pane of servers with all of them selected.
fn home(screen: &mut Screen) {
    screen.keys("Esc Esc Esc Esc Esc Esc g");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_cell_holds_anything_that_drives_or_hides(
        texts in prop::collection::vec(nasty_text(), 40),
        (width, height) in (40_u16..180, 10_u16..60),
        typed in nasty_text(),
    ) {
        let mut texts = Texts(texts.into_iter().cycle());
        let mut screen = Screen::empty(width, height);
        screen.send(Msg::View(registry(texts.servers())));
        check(&screen, "the first list")?;
        for place in ["1 g", "1 G", "2 g", "2 G", "3 g", "3 G", "g", "g j", "g j j"] {
            for down in 0..5 {
                home(&mut screen);
                screen.keys(place);
                for _ in 0..down {
                    screen.keys(if place.contains('G') { "k" } else { "j" });
                }
                check(&screen, place)?;
                screen.keys("l l");
                check(&screen, "its details")?;
                screen.keys("PgDn");
                check(&screen, "further down in its details")?;
            }
        }
        home(&mut screen);
        screen.keys("1 g j");
        let call = opens(&mut screen);
        prop_assert!(call.is_some(), "nothing was opened");
        screen.answer(call.unwrap(), Ok(texts.reading()));
        check(&screen, "content")?;
        screen.keys("G");
        check(&screen, "the end of the content")?;
        home(&mut screen);
        screen.keys("1 g");
        let call = opens(&mut screen);
        prop_assert!(call.is_some(), "nothing else was opened");
        screen.answer(call.unwrap(), Err(texts.fault()));
        check(&screen, "a fault")?;
        home(&mut screen);
        screen.keys("2 g o");
        prop_assert!(screen.state.form.is_some(), "no form");
        check(&screen, "a form")?;
        screen.send(Msg::Paste(typed.clone()));
        check(&screen, "a form with something in it")?;
        let effects = screen.after(1000).send(Msg::Wake);
        let asked = effects.into_iter().find_map(|effect| match effect {
            Effect::Complete { call, .. } => Some(call),
            _ => None,
        });
        prop_assert!(asked.is_some(), "nothing was asked");
        let values = vec![texts.next(), texts.next(), texts.next()];
        let completion = Completion { values, ..Completion::default() };
        screen.send(Msg::Completed { call: asked.unwrap(), result: Ok(completion) });
        check(&screen, "proposals")?;
        screen.keys("Ctrl-n");
        check(&screen, "a chosen proposal")?;
        screen.keys("Enter");
        check(&screen, "a proposal in the field")?;
        home(&mut screen);
        screen.keys("2 g j");
        let call = opens(&mut screen);
        prop_assert!(call.is_some(), "nothing was rendered");
        screen.answer(call.unwrap(), Ok(texts.rendering()));
        check(&screen, "a rendered prompt")?;
        screen.keys("G");
        check(&screen, "its end")?;
        home(&mut screen);
        screen.keys("g j e");
        let lines = |texts: &mut Texts| vec![texts.next(), texts.next()];
        let (stderr, stray) = (lines(&mut texts), lines(&mut texts));
        screen.send(Msg::Noise { server: id("evil"), stderr, stray });
        check(&screen, "its own output")?;
        screen.keys("t");
        let call = serde_json::json!({ "id": texts.next().raw(), "method": texts.next().raw() });
        let spoken = [call.to_string(), texts.next().into_raw()];
        screen.send(messages("evil", &spoken.each_ref().map(String::as_str)));
        check(&screen, "its messages")?;
        for which in ["Enter", "Esc k Enter"] {
            screen.keys(which);
            check(&screen, "one of its messages")?;
        }
        screen.keys("Esc");
        home(&mut screen);
        screen.keys("1 /");
        screen.send(Msg::Paste(typed));
        check(&screen, "a filter")?;
        home(&mut screen);
        screen.keys("n");
        check(&screen, "notices")?;
    }
}
