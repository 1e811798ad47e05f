//! `observatory`: an observatory on a hill that speaks the modern era.

mod plan;
mod prompts;
mod readings;
mod resources;
mod tools;

use super::collection::Collection;
use crate::domain::Era;

/// The observatory. Each of its lists fits on one page.
pub(super) static COLLECTION: Collection = Collection {
    name: "observatory",
    title: "Hill Observatory",
    description: "An observatory on the hill: readings, charts, an owl",
    instructions: "Read demo://welcome first. Readings are at \
                   observatory://readings/{station}/{day}, a day being YYYY-MM-DD.",
    era: Era::Modern,
    page_size: 50,
    resources: resources::RESOURCES,
    templates: resources::TEMPLATES,
    prompts: prompts::PROMPTS,
    tools: tools::TOOLS,
};
