//! The books that can be opened one by one.

use super::super::collection::Filled;

/// A book on the shelves.
#[derive(Debug)]
pub(super) struct Book {
    /// Its title.
    pub(super) title: &'static str,
    /// Who wrote it.
    pub(super) author: &'static str,
    /// The year on its title page.
    year: u16,
    /// The pencil mark on its spine.
    pub(super) shelf: &'static str,
    /// How it begins.
    opening: &'static str,
}

/// All books; a book's number is its place here, counted from one.
pub(super) static BOOKS: &[Book] = &[
    Book {
        title: "The Ferryman's Arithmetic",
        author: "Marguerite Aldous",
        year: 1911,
        shelf: "A-001",
        opening: "Two shores and one boat make three reasons to be late.",
    },
    Book {
        title: "A Hedge Against the Weather",
        author: "P. Thornbury",
        year: 1934,
        shelf: "B-014",
        opening: "We planted it to keep out the wind, and it kept out the road.",
    },
    Book {
        title: "Tides and Timetables",
        author: "Ines Calloway",
        year: 1952,
        shelf: "C-042",
        opening: "The 6.40 has only ever been punctual at the spring tide.",
    },
    Book {
        title: "Stories Told by Reliable Foxes",
        author: "Anonymous, twice",
        year: 1978,
        shelf: "D-007",
        opening: "First of all, the hens were already like that.",
    },
    Book {
        title: "The Clock That Went to Sea",
        author: "Joost van der Mere",
        year: 1989,
        shelf: "C-019",
        opening: "It gained four minutes a day and, by March, an accent.",
    },
    Book {
        title: "Lamps of the Northern Quay",
        author: "Sunniva Hald",
        year: 2003,
        shelf: "A-120",
        opening: "There were nine, if you count the one that only I remember.",
    },
];

/// Where the books are.
const PREFIX: &str = "library://books/";

/// The numbers of the books.
pub(super) fn numbers(_: &Filled<'_>) -> Vec<String> {
    (1..=BOOKS.len()).map(|number| number.to_string()).collect()
}

/// The card of the book at a URI such as `library://books/1`, as markdown.
pub(super) fn card_at(uri: &str) -> Option<String> {
    card(uri.strip_prefix(PREFIX)?)
}

/// The card of a book by its number. Only the plain form of a number is one: `01` is not.
pub(super) fn card(id: &str) -> Option<String> {
    let number: usize = id.parse().ok().filter(|number: &usize| number.to_string() == id)?;
    let book = BOOKS.get(number.checked_sub(1)?)?;
    let Book { title, author, year, shelf, opening } = book;
    Some(format!(
        "# {title}\n\n*{author}, {year}*\n\n- Shelf mark: `{shelf}`\n- Number: {number}\n\n> {opening}\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_book_has_a_card_and_nothing_else_does() {
        for number in 1..=BOOKS.len() {
            assert!(card_at(&format!("{PREFIX}{number}")).is_some(), "{number}");
        }
        let none = ["0", "7", "01", "+1", "1/2", "", " 1", "-1", "99999999999999999999999"];
        assert!(none.iter().all(|id| card(id).is_none()));
    }
}
