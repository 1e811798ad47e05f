//! The form of a tool with many arguments.

use crate::{
    figure::Figure,
    measure::{cpu_seconds, medians},
    rows,
    screen::Screen,
};
use crossterm::event::KeyCode;
use serde_json::{Map, Value, json};
use std::{hint::black_box, sync::Arc};
use vestibule::{
    domain::{Listing, ListingState, Tool},
    registry::Lists,
    tui::Msg,
};

/// How many arguments the tool has.
const PROPERTIES: usize = 1_000;
/// How often the form is opened for one figure.
const TIMES: usize = 100;

fn schema() -> Value {
    let property = |n: usize| {
        let description = format!("What the field with the number {n} is for, in a few words.");
        let mut property = match n % 4 {
            0 => json!({"type": "string", "minLength": 1, "maxLength": 80}),
            1 => json!({"type": "integer", "minimum": 0, "maximum": 100, "default": n % 100}),
            2 => json!({"type": "string", "enum": ["low", "medium", "high", "urgent"]}),
            _ => json!({"type": ["boolean", "null"]}),
        };
        property["title"] = format!("Field {n}").into();
        property["description"] = description.into();
        (format!("field_{n:04}"), property)
    };
    let required: Vec<String> =
        (0..PROPERTIES / 10).map(|n| format!("field_{:04}", n * 10)).collect();
    let properties: Map<String, Value> = (0..PROPERTIES).map(property).collect();
    json!({"type": "object", "properties": properties, "required": required})
}

pub(crate) fn form() -> Vec<Figure> {
    let (ours, baseline) = (medians("form-open"), medians("form-parse"));
    vec![Figure::ratio("CPU", ours[0], baseline[0], 5.0)]
}

/// From the key that opens the form to its first frame.
pub(crate) fn open() -> Vec<f64> {
    let Value::Object(input_schema) = schema() else { panic!("an object") };
    let tool = Tool {
        name: "many".into(),
        title: None,
        description: None,
        input_schema,
        output_schema: None,
        annotations: None,
        needs_task: false,
    };
    let tools = Listing { items: vec![Arc::new(tool)], ..Listing::empty(ListingState::Fresh) };
    let lists = Lists { tools: Arc::new(tools), ..Lists::default() };
    let mut screen = Screen::of((80, 24));
    screen.send(Msg::View(rows::view_of(lists)));
    screen.key(KeyCode::Char('3'));
    screen.draw();
    let before = screen.state.clone();
    let mut spent = 0.0;
    for _ in 0..TIMES {
        screen.state = before.clone();
        let began = cpu_seconds();
        screen.key(KeyCode::Enter);
        screen.draw();
        spent += cpu_seconds() - began;
        assert!(screen.state.form.is_some(), "the form is open");
    }
    vec![spent / TIMES as f64]
}

/// Parsing the schema from its text.
pub(crate) fn parse() -> Vec<f64> {
    let text = schema().to_string();
    let mut spent = 0.0;
    for _ in 0..TIMES {
        let began = cpu_seconds();
        let value: Value = serde_json::from_str(&text).expect("JSON");
        spent += cpu_seconds() - began;
        black_box(value);
    }
    vec![spent / TIMES as f64]
}
