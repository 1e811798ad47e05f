//! What the library's desk can do.

use super::super::collection::{Arguments, Block, Call, Effect, ToolRow};
use super::books::{self, BOOKS};

/// Tools.
pub(super) const TOOLS: &[ToolRow] = &[
    ToolRow {
        name: "search_catalogue",
        title: "Search the catalogue",
        description: "Find books by a word of the title or the author's name",
        input_schema: r#"{
            "type": "object",
            "properties": {
                "query": { "type": "string", "minLength": 1, "description": "A word to look for" }
            },
            "required": ["query"],
            "additionalProperties": false
        }"#,
        output_schema: None,
        effect: Effect::Reads,
        call: Call::Text(search_catalogue),
    },
    ToolRow {
        name: "reserve_book",
        title: "Reserve a book",
        description: "Put a book aside; whoever reserved it before loses it",
        input_schema: r#"{
            "type": "object",
            "properties": {
                "id": { "type": "integer", "minimum": 1, "description": "The book's number" },
                "reader": { "type": "string", "description": "Whose name goes on the slip" }
            },
            "required": ["id"],
            "additionalProperties": false
        }"#,
        output_schema: None,
        effect: Effect::Destroys,
        call: Call::Text(reserve_book),
    },
    ToolRow {
        name: "recatalogue",
        title: "Catalogue a shelf anew",
        description: "Go through a shelf book by book, and tell of each; four books a second",
        input_schema: r#"{
            "type": "object",
            "properties": {
                "seconds": {
                    "type": "integer", "minimum": 1, "maximum": 60, "default": 5,
                    "description": "How long it takes"
                }
            },
            "additionalProperties": false
        }"#,
        output_schema: None,
        effect: Effect::Changes,
        call: Call::Steps { count: shelf, step: catalogued, done: shelved },
    },
    ToolRow {
        name: "show_bookplate",
        title: "Show the bookplate",
        description: "The picture in every book, where it came from, and the rules that go with it",
        input_schema: r#"{ "type": "object", "additionalProperties": false }"#,
        output_schema: None,
        effect: Effect::Reads,
        call: Call::Blocks(show_bookplate),
    },
];

fn search_catalogue(arguments: &Arguments<'_>) -> Result<String, String> {
    let query = arguments.text("query").ok_or("The desk needs a word to look for.")?.to_lowercase();
    let found: Vec<String> = (1..)
        .zip(BOOKS)
        .filter(|(_, book)| {
            book.title.to_lowercase().contains(&query)
                || book.author.to_lowercase().contains(&query)
        })
        .map(|(number, book)| format!("{number}. {}, {} ({})", book.title, book.author, book.shelf))
        .collect();
    if found.is_empty() {
        return Ok("Nothing under that word. Try \"tide\" or \"fox\".".to_owned());
    }
    Ok(found.join("\n"))
}

fn reserve_book(arguments: &Arguments<'_>) -> Result<String, String> {
    let id = arguments.number("id").ok_or("The desk needs the number of a book.")?;
    let reader = arguments.text("reader").unwrap_or("a passing reader");
    books::card(&id.to_string()).ok_or_else(|| format!("There is no book number {id}."))?;
    Ok(format!("Book {id} waits at the desk for {reader}. (A demo: nothing was really moved.)"))
}

/// The books of a shelf, four for each second.
fn shelf(arguments: &Arguments<'_>) -> Result<u64, String> {
    match arguments.value("seconds") {
        None => Ok(20),
        Some(_) => arguments
            .number("seconds")
            .filter(|seconds| (1..=60).contains(seconds))
            .map(|seconds| seconds * 4)
            .ok_or_else(|| "The desk gives it 1 to 60 seconds.".to_owned()),
    }
}

fn catalogued(book: u64) -> String {
    format!("book {book} is on its card")
}

fn shelved(books: u64) -> String {
    format!("{books} cards, none of them lost. (A demo: there was no shelf.)")
}

fn show_bookplate(_: &Arguments<'_>) -> Result<Vec<Block>, String> {
    Ok(vec![
        Block::Text("Every book has this picture inside its cover:".into()),
        Block::Link { uri: "library://pictures/bookplate.png", name: "The bookplate" },
        Block::Resource {
            uri: "library://books/1",
            mime_type: "text/markdown",
            text: "# The first book that got one\n\n*The Ferryman's Arithmetic*\n",
        },
        Block::Image {
            bytes: include_bytes!("../../../assets/demo/library/bookplate.png"),
            mime_type: "image/png",
        },
    ])
}
