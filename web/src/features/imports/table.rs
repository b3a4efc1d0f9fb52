//! Columns and rows of the table of imports.

use leadscribe_engine::api::Import;
use leptos::prelude::*;

use super::undo::available_undo;
use crate::i18n::datetime::format_count;
use crate::i18n::texts::{common, imports};
use crate::ui::list::{ColumnHeader, RowAction, RowActions};
use crate::ui::{Glyph, ImportBadges, LocalTime};

/// Column headers. The start time sorts by id, because ids are assigned in order of start.
pub static COLUMNS: [ColumnHeader; 7] = [
    ColumnHeader::new(imports::file).sorted_by("file_name"),
    ColumnHeader::new(imports::kind_column).sorted_by("kind"),
    ColumnHeader::new(imports::started).sorted_by(DEFAULT_ORDER),
    ColumnHeader::new(imports::rows).sorted_by("-counts.read").class("number"),
    ColumnHeader::new(imports::not_imported).sorted_by("-counts.rejected").class("number"),
    ColumnHeader::new(common::status).sorted_by("state"),
    ColumnHeader::new(common::actions).hidden(),
];

pub const DEFAULT_ORDER: &str = "-id";

/// Row of an import. `query` is the query string of the page, preserved when an import is opened.
pub fn import_row(import: Import, query: Signal<String>, can_undo: bool, on_undo: Callback<Import>) -> AnyView {
    let (id, is_undoable) = (import.id, available_undo(&import).is_some());
    let undo = import.undo.as_ref().map(|undo| undo.state);
    let stored_import = StoredValue::new(import.clone());
    let undo_import = move || on_undo.run(stored_import.get_value());
    view! {
        <tr data-row="" data-test="import-row" data-id=id.to_string()>
            <td class="lead-cell">
                <a class="link-button" data-row-link="" href=move || format!("/imports/{id}{}", query.get())>
                    {import.file_name}
                </a>
            </td>
            <td data-label=imports::kind_column()>{imports::kind(import.kind)}</td>
            <td data-label=imports::started()>
                <LocalTime at=import.started_at />
            </td>
            <td data-label=imports::rows() class="number">
                {format_count(import.counts.read)}
            </td>
            <td data-label=imports::not_imported() class="number">
                {format_count(import.counts.rejected)}
            </td>
            <td data-label=common::status()>
                <ImportBadges state=import.state undo />
            </td>
            <td class="fit">
                <RowActions can_act=can_undo && is_undoable>
                    <RowAction glyph=Glyph::Undo label=imports::undo() test_id="undo-listed" on_press=undo_import />
                </RowActions>
            </td>
        </tr>
    }
    .into_any()
}
