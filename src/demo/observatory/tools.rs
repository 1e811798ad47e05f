//! What the observatory's instruments can do.

use super::super::collection::{Arguments, Call, Effect, ToolRow};
use super::{plan, readings};

/// Tools.
pub(super) const TOOLS: &[ToolRow] = &[
    ToolRow {
        name: "read_sensors",
        title: "Read the sensors",
        description: "What one station measures right now",
        input_schema: r#"{
            "type": "object",
            "properties": {
                "station": { "type": "string", "enum": ["summit", "meadow", "harbour"] }
            },
            "required": ["station"],
            "additionalProperties": false
        }"#,
        output_schema: None,
        effect: Effect::Reads,
        call: Call::Text(read_sensors),
    },
    ToolRow {
        name: "point_telescope",
        title: "Point the telescope",
        description: "Turn the telescope to a target by name",
        input_schema: r#"{
            "type": "object",
            "properties": {
                "target": { "type": "string", "minLength": 1, "description": "Such as Vega" }
            },
            "required": ["target"],
            "additionalProperties": false
        }"#,
        output_schema: None,
        effect: Effect::Changes,
        call: Call::Text(point_telescope),
    },
    ToolRow {
        name: "erase_plates",
        title: "Erase the plates",
        description: "Wipe tonight's photographic plates; they cannot be taken again",
        input_schema: r#"{ "type": "object", "additionalProperties": false }"#,
        output_schema: None,
        effect: Effect::Destroys,
        call: Call::Text(erase_plates),
    },
    ToolRow {
        name: "develop_plates",
        title: "Develop the plates",
        description: "Develop photographic plates one after another, and tell of each",
        input_schema: r#"{
            "type": "object",
            "properties": {
                "plates": {
                    "type": "integer", "minimum": 1, "maximum": 240, "default": 20,
                    "description": "Four are done in a second"
                }
            },
            "additionalProperties": false
        }"#,
        output_schema: None,
        effect: Effect::Changes,
        call: Call::Steps { count: plates, step: developed, done: dried },
    },
    ToolRow {
        name: "plan_night",
        title: "Plan a night",
        description: "Work out how a night of observing would go",
        input_schema: plan::INPUT,
        output_schema: Some(plan::OUTPUT),
        effect: Effect::Reads,
        call: Call::Structured(plan::night),
    },
    ToolRow {
        name: "wake_the_owl",
        title: "Wake the owl",
        description: "Never works in the daytime, and it is always daytime here",
        input_schema: r#"{ "type": "object", "additionalProperties": false }"#,
        output_schema: None,
        effect: Effect::Changes,
        call: Call::Text(wake_the_owl),
    },
    ToolRow {
        name: "choose_folder",
        title: "Choose a folder for charts",
        description: "Asks which folders you share, and says which of them charts would go to",
        input_schema: r#"{ "type": "object", "additionalProperties": false }"#,
        output_schema: None,
        effect: Effect::Reads,
        call: Call::Roots(choose_folder),
    },
];

fn read_sensors(arguments: &Arguments<'_>) -> Result<String, String> {
    let station = arguments.text("station").ok_or("Which station?")?;
    readings::now(station)
        .map(|reading| reading.to_string())
        .ok_or_else(|| format!("There is no station called {station}."))
}

fn point_telescope(arguments: &Arguments<'_>) -> Result<String, String> {
    let target = arguments.text("target").ok_or("The telescope needs a target.")?;
    Ok(format!("The dome turns. {target} is in view, if you believe hard. (A demo.)"))
}

fn erase_plates(_: &Arguments<'_>) -> Result<String, String> {
    Ok("All plates are blank. (They always were: this is a demo.)".to_owned())
}

fn plates(arguments: &Arguments<'_>) -> Result<u64, String> {
    match arguments.value("plates") {
        None => Ok(20),
        Some(_) => arguments
            .number("plates")
            .filter(|plates| (1..=240).contains(plates))
            .ok_or_else(|| "The bath holds 1 to 240 plates.".to_owned()),
    }
}

fn developed(plate: u64) -> String {
    format!("plate {plate} is in the bath")
}

fn dried(plates: u64) -> String {
    format!("{plates} plates hang on the line. (A demo: they are all blank.)")
}

fn wake_the_owl(_: &Arguments<'_>) -> Result<String, String> {
    Err("The owl is asleep, and says so.".to_owned())
}

fn choose_folder(roots: &[String]) -> String {
    match roots {
        [] => "You share no folders, so the charts stay here.".to_owned(),
        [first, ..] => format!("Of {} shared, charts would go to {first}.", roots.len()),
    }
}
