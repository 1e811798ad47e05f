//! What the observatory lists and what its template opens.

use super::super::collection::{Body, ResourceRow, TemplateRow};
use super::readings;

/// The conditions as they are when one comes in.
const NOW: &str = include_str!("../../../assets/demo/observatory/now.json");

/// The conditions by now: the dome turns, and the air gets colder and warmer again.
fn conditions(changes: u64) -> String {
    let azimuth = 214 + changes % 140;
    let colder = [4, 3, 1, 0, 2].get((changes % 5) as usize).copied().unwrap_or(4);
    NOW.replace("214.5", &format!("{azimuth}.5")).replace("9.4", &format!("9.{colder}"))
}

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
        body: Body::Live { first: NOW, after: conditions },
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
    variables: &[("station", readings::stations), ("day", readings::days)],
    read: readings::day_at,
}];
