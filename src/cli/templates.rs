//! `vestibule templates`: address, server, name, media type, description.

use super::{
    list::{Item, cell, first_line},
    table::{Column, Cut},
};
use crate::{
    domain::{Listing, ResourceTemplate},
    registry::{Lists, RegistryView, Row, TemplateRow},
};
use std::sync::Arc;

impl Item for ResourceTemplate {
    type Json = TemplateRow;
    const NOUN: &'static str = "templates";
    const COLUMNS: [Column; 5] = [
        ("uri template", Cut::Middle),
        ("server", Cut::End),
        ("name", Cut::End),
        ("type", Cut::End),
        ("description", Cut::End),
    ];

    fn rows(view: &RegistryView) -> &[Row<Self>] {
        &view.catalogue.templates
    }

    fn listing(lists: &Lists) -> &Listing<Arc<Self>> {
        &lists.templates
    }

    fn json(row: &Row<Self>) -> TemplateRow {
        row.into()
    }

    fn cells(row: &Row<Self>) -> [String; 5] {
        [
            cell(Some(&row.address())),
            row.server.to_string(),
            cell(Some(&row.item.name)),
            cell(row.item.mime_type.as_ref()),
            match row.problem() {
                Some(why) => format!("cannot be filled in: {why}"),
                None => first_line(row.item.description.as_ref()),
            },
        ]
    }
}
