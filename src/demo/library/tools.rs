//! What the library's desk can do.

use super::super::collection::{Arguments, Effect, ToolRow};
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
        effect: Effect::Reads,
        call: search_catalogue,
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
        effect: Effect::Destroys,
        call: reserve_book,
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
