//! What the observatory helps to ask.

use super::super::collection::{ArgumentRow, Arguments, Filled, Line, PromptRow, values};

/// Prompts.
pub(super) const PROMPTS: &[PromptRow] = &[
    PromptRow {
        name: "greet",
        title: "Greet the night shift",
        description: "Say hello to the astronomer; the library has a prompt of this name too",
        arguments: &[ArgumentRow {
            name: "name",
            description: "Who is greeting",
            required: false,
            values: visitors,
        }],
        render: greet,
    },
    PromptRow {
        name: "plan_the_night",
        title: "Plan the night",
        description: "Ask for an observing plan around one target",
        arguments: &[
            ArgumentRow {
                name: "target",
                description: "What to look at, such as Vega or the Moon",
                required: true,
                values: targets,
            },
            ArgumentRow {
                name: "until",
                description: "When to be in bed, such as 02:00",
                required: false,
                values: bedtimes,
            },
        ],
        render: plan_the_night,
    },
    PromptRow {
        name: "explain_seeing",
        title: "Explain seeing",
        description: "Why stars twinkle, for a visitor of ten years; takes no arguments",
        arguments: &[],
        render: explain_seeing,
    },
];

fn visitors(_: &Filled<'_>) -> Vec<String> {
    values(&["a visitor from the valley", "Vera", "Tycho"])
}

fn targets(_: &Filled<'_>) -> Vec<String> {
    values(&[
        "Albireo", "Altair", "Arcturus", "Deneb", "Jupiter", "M13", "M27", "M31", "M57", "Mizar",
        "Saturn", "the Moon", "Vega",
    ])
}

/// The Moon is up late, and the rest is best before it rises.
fn bedtimes(filled: &Filled<'_>) -> Vec<String> {
    match filled.text("target") {
        Some("the Moon") => values(&["03:00", "04:00", "dawn"]),
        Some(_) | None => values(&["23:30", "00:30", "02:00"]),
    }
}

fn greet(arguments: &Arguments<'_>) -> Vec<Line> {
    let name = arguments.text("name").unwrap_or("a visitor from the valley");
    vec![Line::user(format!("Good evening. I am {name}. Is it clear tonight, and is there tea?"))]
}

fn plan_the_night(arguments: &Arguments<'_>) -> Vec<Line> {
    let target = arguments.text("target").unwrap_or_default();
    let until = arguments.text("until").unwrap_or("dawn");
    vec![
        Line::user("Read observatory://conditions/now.json before you answer."),
        Line::assistant("I have the conditions. What would you like to see, and until when?"),
        Line::user(format!(
            "{target}, until {until}. Give me a plan of five lines, with one break for tea."
        )),
    ]
}

fn explain_seeing(_: &Arguments<'_>) -> Vec<Line> {
    vec![Line::user(
        "Explain to a ten-year-old, in four sentences, why stars twinkle and planets hardly do. \
         Use observatory://measurements/seeing.csv for one true example.",
    )]
}
