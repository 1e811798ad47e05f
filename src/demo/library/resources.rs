//! What the library lists and what its template opens.

use super::super::collection::{Body, ResourceRow, TemplateRow};
use super::{books, catalogue, margin};

/// The bookplate: a PNG of 64 by 64 pixels.
pub(super) const BOOKPLATE: &[u8] = include_bytes!("../../../assets/demo/library/bookplate.png");

/// The shelves, as JSON.
pub(super) const SHELVES: &str = include_str!("../../../assets/demo/library/shelves.json");

/// The notice board as it is in the morning.
const NOTICES: &str = include_str!("../../../assets/demo/library/notice.txt");

/// Where the cat is seen, all of one length; the first is that of the morning.
const HAUNTS: &[&str] = &["window", "ladder", "kettle", "stairs", "basket", "stacks"];

/// The notice board, with where the cat was seen by now.
fn notices(changes: u64) -> String {
    let place = HAUNTS.get((changes % HAUNTS.len() as u64) as usize);
    NOTICES.replace("window", place.copied().unwrap_or("window"))
}

/// Listed resources.
pub(super) const RESOURCES: &[ResourceRow] = &[
    ResourceRow {
        uri: "demo://welcome",
        name: "Welcome",
        description: "Where to begin; the observatory has a page of this address too",
        mime_type: "text/markdown",
        body: Body::Text(include_str!("../../../assets/demo/library/welcome.md")),
    },
    ResourceRow {
        uri: "library://about",
        name: "About this library",
        description: "Opening hours and who is at the desk",
        mime_type: "text/markdown",
        body: Body::Text(include_str!("../../../assets/demo/library/about.md")),
    },
    ResourceRow {
        uri: "library://notices/today",
        name: "Notice board",
        description: "Lost, found and flickering",
        mime_type: "text/plain",
        body: Body::Live { first: NOTICES, after: notices },
    },
    ResourceRow {
        uri: "library://catalogue/shelves.json",
        name: "Shelves",
        description: "Every shelf with its subject and number of books",
        mime_type: "application/json",
        body: Body::Text(SHELVES),
    },
    ResourceRow {
        uri: "library://catalogue/full.txt",
        name: "Full catalogue",
        description: "All 25,000 entries, one a line: two megabytes",
        mime_type: "text/plain",
        body: Body::Made { size: catalogue::BYTES, write: catalogue::full },
    },
    ResourceRow {
        uri: "library://pictures/bookplate.png",
        name: "Bookplate",
        description: "The picture inside every cover",
        mime_type: "image/png",
        body: Body::Bytes(BOOKPLATE),
    },
    ResourceRow {
        uri: "library://desk/overdue.py",
        name: "overdue.py",
        description: "How the desk works out what a late book costs",
        mime_type: "text/x-python",
        body: Body::Text(include_str!("../../../assets/demo/library/overdue.py")),
    },
    ResourceRow {
        uri: "library://desk/shelf_mark.rs",
        name: "shelf_mark.rs",
        description: "How the desk reads the mark on a spine",
        mime_type: "text/x-rust",
        body: Body::Text(include_str!("../../../assets/demo/library/shelf_mark.rs")),
    },
    ResourceRow {
        uri: "library://notes/margin",
        name: margin::NAME,
        description: margin::DESCRIPTION,
        mime_type: "text/plain",
        body: Body::Made { size: margin::BYTES, write: margin::note },
    },
];

/// Resource templates.
pub(super) const TEMPLATES: &[TemplateRow] = &[TemplateRow {
    uri_template: "library://books/{id}",
    name: "Book",
    description: "One book by its number, from 1 to 6",
    mime_type: "text/markdown",
    variables: &[("id", books::numbers)],
    read: books::card_at,
}];
