//! Exports all matching leads as a file.

use leadscribe_engine::filter::fields::FieldId;
use leptos::prelude::*;

use crate::api::export_url;
use crate::i18n::texts::{common, leads as texts};
use crate::ui::filter_editor::filter_text::canonicalize;
use crate::ui::lead::columns::Column;
use crate::ui::list::export_menu::{ExportFile, ExportMenu};

/// File with the shown columns.
const SHOWN_COLUMNS: &str = "shown";

/// Fields that the first column shows.
const LEAD_COLUMN_FIELDS: [FieldId; 3] = [FieldId::Id, FieldId::FirstName, FieldId::LastName];

/// Links to the files.
#[component]
pub fn LeadExport(
    filter: Memo<String>,
    /// Shown columns, in addition to the first one.
    columns: Memo<Vec<Column>>,
) -> impl IntoView {
    let shown_columns = Memo::new(move |_| {
        let lead_fields = LEAD_COLUMN_FIELDS.map(Column::Field);
        let other_columns =
            columns.get().into_iter().filter(|column| !lead_fields.contains(column)).collect::<Vec<_>>();
        lead_fields.iter().chain(&other_columns).map(|column| column.name().into_owned()).collect::<Vec<_>>()
    });
    let file = move |test_id: &'static str, format: &'static str, label: &'static str, description: &'static str| {
        let columns = move || if test_id == SHOWN_COLUMNS { shown_columns.get() } else { Vec::new() };
        let href = Signal::derive(move || export_url(&canonicalize(&filter.get()), format, &columns()));
        ExportFile { test_id, href, label, description }
    };
    let files = vec![
        file(SHOWN_COLUMNS, "csv", texts::csv_as_shown(), texts::csv_as_shown_hint()),
        file("csv", "csv", texts::csv(), texts::csv_hint()),
        file("jsonl", "jsonl", common::json_lines(), texts::json_lines_hint()),
    ];
    view! { <ExportMenu files /> }
}
