//! `vestibule prompts`: address, server, title, arguments (optional ones in brackets), description.

use super::{
    list::{Item, cell, first_line},
    table::{Column, Cut},
};
use crate::{
    content,
    domain::{Listing, Prompt, PromptArgument},
    registry::{Lists, PromptRow, RegistryView, Row},
};
use std::sync::Arc;

impl Item for Prompt {
    type Json = PromptRow;
    const NOUN: &'static str = "prompts";
    const COLUMNS: [Column; 5] = [
        ("name", Cut::End),
        ("server", Cut::End),
        ("title", Cut::End),
        ("arguments", Cut::End),
        ("description", Cut::End),
    ];

    fn rows(view: &RegistryView) -> &[Row<Self>] {
        &view.catalogue.prompts
    }

    fn listing(lists: &Lists) -> &Listing<Arc<Self>> {
        &lists.prompts
    }

    fn json(row: &Row<Self>) -> PromptRow {
        row.into()
    }

    fn cells(row: &Row<Self>) -> [String; 5] {
        let arguments: Vec<String> = row.item.arguments.iter().map(argument).collect();
        [
            cell(Some(&row.address())),
            row.server.to_string(),
            cell(row.item.title.as_ref()),
            arguments.join(" "),
            first_line(row.item.description.as_ref()),
        ]
    }
}

fn argument(argument: &PromptArgument) -> String {
    let name = content::plain_line(&argument.name);
    if argument.required { format!("{name}=") } else { format!("[{name}=]") }
}
