//! `library`: a small town library that speaks the legacy era.

mod books;
mod catalogue;
mod margin;
mod prompts;
mod resources;
mod tools;

use super::collection::Collection;
use crate::domain::Era;

/// The library. Its lists come in pages of four, so that its resources take several.
pub(super) static COLLECTION: Collection = Collection {
    name: "library",
    title: "Town Library",
    description: "A small town library: books, notices, one cat",
    instructions: "Read demo://welcome first. Books are at library://books/{id}.",
    era: Era::Legacy,
    page_size: 4,
    resources: resources::RESOURCES,
    templates: resources::TEMPLATES,
    prompts: prompts::PROMPTS,
    tools: tools::TOOLS,
};
