//! What the observatory lists and what its template opens.

use super::super::collection::{Body, ResourceRow, TemplateRow};
use super::readings;

/// Listed resources.
pub(super) const RESOURCES: &[ResourceRow] = &[
    ResourceRow {
        uri: "demo://welcome",
        name: "Welcome",
        description: "Where to begin; the library has a page of this address too",
        mime_type: "text/markdown",
        body: Body::Text(include_str!("../../../assets/demo/observatory/welcome.md")),
    },
    ResourceRow {
        uri: "observatory://conditions/now.json",
        name: "Conditions now",
        description: "Air, sky and dome as the instruments see them",
        mime_type: "application/json",
        body: Body::Text(include_str!("../../../assets/demo/observatory/now.json")),
    },
    ResourceRow {
        uri: "observatory://logs/last-night.md",
        name: "Last night's log",
        description: "What was seen, and when there was tea",
        mime_type: "text/markdown",
        body: Body::Text(include_str!("../../../assets/demo/observatory/last-night.md")),
    },
    ResourceRow {
        uri: "observatory://charts/summer.txt",
        name: "Summer star chart",
        description: "The Summer Triangle in plain characters",
        mime_type: "text/plain",
        body: Body::Text(include_str!("../../../assets/demo/observatory/summer.txt")),
    },
    ResourceRow {
        uri: "observatory://measurements/seeing.csv",
        name: "Seeing, last week of June",
        description: "How steady the air was, night by night",
        mime_type: "text/csv",
        body: Body::Text(include_str!("../../../assets/demo/observatory/seeing.csv")),
    },
];

/// Resource templates.
pub(super) const TEMPLATES: &[TemplateRow] = &[TemplateRow {
    uri_template: "observatory://readings/{station}/{day}",
    name: "Readings of a day",
    description: "Readings of one station (summit, meadow or harbour) on one day (YYYY-MM-DD)",
    mime_type: "application/json",
    read: readings::day_at,
}];
