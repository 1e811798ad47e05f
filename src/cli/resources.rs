//! `vestibule resources`: address, server, name, media type, description.

use super::{
    list::{Item, cell, first_line},
    table::{Column, Cut},
};
use crate::{
    domain::{Listing, Resource},
    registry::{Lists, RegistryView, ResourceRow, Row},
};
use std::sync::Arc;

impl Item for Resource {
    type Json = ResourceRow;
    const NOUN: &'static str = "resources";
    const COLUMNS: [Column; 5] = [
        ("uri", Cut::Middle),
        ("server", Cut::End),
        ("name", Cut::End),
        ("type", Cut::End),
        ("description", Cut::End),
    ];

    fn rows(view: &RegistryView) -> &[Row<Self>] {
        &view.catalogue.resources
    }

    fn listing(lists: &Lists) -> &Listing<Arc<Self>> {
        &lists.resources
    }

    fn nothing(view: &RegistryView) -> String {
        match view.catalogue.templates.len() {
            0 => "there are no resources".into(),
            1 => "there are no fixed resources, 1 template: see `vestibule templates`".into(),
            n => format!("there are no fixed resources, {n} templates: see `vestibule templates`"),
        }
    }

    fn json(row: &Row<Self>) -> ResourceRow {
        row.into()
    }

    fn cells(row: &Row<Self>) -> [String; 5] {
        [
            cell(Some(&row.address())),
            row.server.to_string(),
            cell(Some(&row.item.name)),
            cell(row.item.mime_type.as_ref()),
            first_line(row.item.description.as_ref()),
        ]
    }
}
