//! Exports all matching leads as a file.

use leadscribe_engine::filter::fields::FieldId;
use leptos::prelude::*;

use crate::api::export_url;
use crate::components::lead::columns::Column;
use crate::components::list::export_menu::{ExportFile, ExportMenu};
use crate::filter_text::canonical;
use crate::texts::{common, leads as texts};

/// File with the shown columns.
const SHOWN: &str = "shown";

/// Fields that the first column shows.
const OF_LEAD: [FieldId; 3] = [FieldId::Id, FieldId::FirstName, FieldId::LastName];

/// Links to the files.
#[component]
pub fn LeadExport(
    filter: Memo<String>,
    /// Shown columns, in addition to the first one.
    columns: Memo<Vec<Column>>,
) -> impl IntoView {
    let shown = Memo::new(move |_| {
        let of_lead = OF_LEAD.map(Column::Field);
        let others = columns.get().into_iter().filter(|column| !of_lead.contains(column)).collect::<Vec<_>>();
        of_lead.iter().chain(&others).map(|column| column.name().into_owned()).collect::<Vec<_>>()
    });
    let file = move |test: &'static str, format: &'static str, label: &'static str, about: &'static str| {
        let columns = move || if test == SHOWN { shown.get() } else { Vec::new() };
        let href = Signal::derive(move || export_url(&canonical(&filter.get()), format, &columns()));
        ExportFile { test, href, label, about }
    };
    let files = vec![
        file(SHOWN, "csv", texts::csv_as_shown(), texts::about_csv_as_shown()),
        file("csv", "csv", texts::csv(), texts::about_csv()),
        file("jsonl", "jsonl", common::json_lines(), texts::about_json_lines()),
    ];
    view! { <ExportMenu files /> }
}
