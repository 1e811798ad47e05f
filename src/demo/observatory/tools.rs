//! What the observatory's instruments can do.

use super::super::collection::{Arguments, Effect, ToolRow};
use super::readings;

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
        effect: Effect::Reads,
        call: read_sensors,
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
        effect: Effect::Changes,
        call: point_telescope,
    },
    ToolRow {
        name: "erase_plates",
        title: "Erase the plates",
        description: "Wipe tonight's photographic plates; they cannot be taken again",
        input_schema: r#"{ "type": "object", "additionalProperties": false }"#,
        effect: Effect::Destroys,
        call: erase_plates,
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
