//! What the library helps to ask.

use super::super::collection::{
    ArgumentRow, Arguments, Block, Filled, Line, PromptRow, Speaker, values,
};
use super::resources::{BOOKPLATE, SHELVES};

/// Prompts.
pub(super) const PROMPTS: &[PromptRow] = &[
    PromptRow {
        name: "greet",
        title: "Greet the desk",
        description: "Say hello to the librarian; the observatory has a prompt of this name too",
        arguments: &[ArgumentRow {
            name: "name",
            description: "Who is greeting",
            required: false,
            values: readers,
        }],
        render: greet,
    },
    PromptRow {
        name: "recommend_book",
        title: "Recommend a book",
        description: "Ask for a book that suits a mood",
        arguments: &[
            ArgumentRow {
                name: "mood",
                description: "How the reader feels, such as rainy or restless",
                required: true,
                values: moods,
            },
            ArgumentRow {
                name: "pages",
                description: "The most pages the reader has patience for",
                required: false,
                values: pages,
            },
        ],
        render: recommend_book,
    },
    PromptRow {
        name: "tidy_the_notice_board",
        title: "Tidy the notice board",
        description: "Turn a heap of notices into three short ones; takes no arguments",
        arguments: &[],
        render: tidy_the_notice_board,
    },
    PromptRow {
        name: "describe_bookplate",
        title: "Describe the bookplate",
        description: "Put the bookplate into words for a reader who cannot see it",
        arguments: &[],
        render: describe_bookplate,
    },
];

fn readers(_: &Filled<'_>) -> Vec<String> {
    values(&["Ada Lovelace", "a passing reader", "the night porter"])
}

/// Moods, each with the numbers of pages that go with it.
const MOODS: &[(&str, &[&str])] = &[
    ("rainy", &["350", "500", "800"]),
    ("restless", &["40", "90"]),
    ("rested", &["200", "350"]),
    ("sleepy", &["12"]),
];

fn moods(_: &Filled<'_>) -> Vec<String> {
    MOODS.iter().map(|(mood, _)| (*mood).to_owned()).collect()
}

/// The patience of a mood; without one, all there is.
fn pages(filled: &Filled<'_>) -> Vec<String> {
    let mood = filled.text("mood");
    let fitting = MOODS.iter().filter(|(name, _)| mood.is_none_or(|mood| mood == *name));
    let mut pages: Vec<&str> = fitting.flat_map(|(_, pages)| pages.iter().copied()).collect();
    pages.sort_unstable_by_key(|pages| (pages.len(), *pages));
    pages.dedup();
    values(&pages)
}

fn greet(arguments: &Arguments<'_>) -> Vec<Line> {
    let name = arguments.text("name").unwrap_or("a passing reader");
    vec![Line::user(format!(
        "Good morning. I am {name}. Is the librarian in, or must I ask the cat?"
    ))]
}

fn recommend_book(arguments: &Arguments<'_>) -> Vec<Line> {
    let mood = arguments.text("mood").unwrap_or_default();
    let length = arguments
        .text("pages")
        .map_or_else(String::new, |pages| format!(" It should have at most {pages} pages."));
    vec![
        Line::user("These are our shelves."),
        Line {
            speaker: Speaker::User,
            block: Block::Resource {
                uri: "library://catalogue/shelves.json",
                mime_type: "application/json",
                text: SHELVES,
            },
        },
        Line::assistant("Thank you. Whom is the book for?"),
        Line::user(format!(
            "A reader in this mood: {mood}. Name one shelf and say why, in two sentences.{length}"
        )),
    ]
}

fn tidy_the_notice_board(_: &Arguments<'_>) -> Vec<Line> {
    vec![Line::user(
        "Read library://notices/today. Write three notices of one line each: what is lost, \
         what is found, and what happens on Thursday. Leave out the priest.",
    )]
}

fn describe_bookplate(_: &Arguments<'_>) -> Vec<Line> {
    vec![
        Line {
            speaker: Speaker::User,
            block: Block::Image { bytes: BOOKPLATE, mime_type: "image/png" },
        },
        Line::user("Describe this bookplate in one warm sentence, for someone who cannot see it."),
    ]
}
