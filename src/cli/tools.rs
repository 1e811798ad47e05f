//! `vestibule tools`: address, server, title, what the server claims about it, description.

use super::{
    list::{Item, cell, first_line},
    table::{Column, Cut},
};
use crate::{
    domain::{Listing, Tool, ToolAnnotations},
    registry::{Lists, RegistryView, Row, ToolRow},
};
use std::sync::Arc;

impl Item for Tool {
    type Json = ToolRow;
    const NOUN: &'static str = "tools";
    const COLUMNS: [Column; 5] = [
        ("name", Cut::End),
        ("server", Cut::End),
        ("title", Cut::End),
        ("claims", Cut::End),
        ("description", Cut::End),
    ];

    fn rows(view: &RegistryView) -> &[Row<Self>] {
        &view.catalogue.tools
    }

    fn listing(lists: &Lists) -> &Listing<Arc<Self>> {
        &lists.tools
    }

    fn json(row: &Row<Self>) -> ToolRow {
        row.into()
    }

    fn cells(row: &Row<Self>) -> [String; 5] {
        let annotations = row.item.annotations.as_ref();
        let title = row.item.title.as_ref().or(annotations.and_then(|a| a.title.as_ref()));
        [
            cell(Some(&row.address())),
            row.server.to_string(),
            cell(title),
            annotations.map(claims).unwrap_or_default(),
            first_line(row.item.description.as_ref()),
        ]
    }
}

/// What the server claims, as claims: they decide nothing.
fn claims(hints: &ToolAnnotations) -> String {
    let claimed = [
        (hints.read_only, "says:read-only"),
        (hints.destructive, "says:destructive"),
        (hints.idempotent, "says:idempotent"),
        (hints.open_world, "says:open-world"),
    ];
    let words = claimed.iter().filter(|(hint, _)| *hint == Some(true)).map(|(_, word)| *word);
    words.collect::<Vec<_>>().join(" ")
}
