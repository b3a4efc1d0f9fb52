//! The whole result as a file.

use leadscribe_engine::filter::fields::FieldId;
use leptos::prelude::*;

use crate::api::export_url;
use crate::components::drop_down::DropDown;
use crate::components::icon::Glyph;
use crate::components::lead_columns::Column;
use crate::filter_text::canonical;
use crate::texts::leads as texts;

/// What the first column shows of the lead itself.
const OF_LEAD: [FieldId; 3] = [FieldId::Id, FieldId::FirstName, FieldId::LastName];

/// Files to choose from, which the browser saves while they come.
#[component]
pub fn ExportMenu(
    filter: Memo<String>,
    /// Those that are shown, beside the lead itself.
    columns: Memo<Vec<Column>>,
) -> impl IntoView {
    let shown = Memo::new(move |_| {
        let of_lead = OF_LEAD.map(Column::Field);
        let others = columns.get().into_iter().filter(|column| !of_lead.contains(column)).collect::<Vec<_>>();
        of_lead.iter().chain(&others).map(|column| column.name().into_owned()).collect::<Vec<_>>()
    });
    let file = move |format: &'static str, is_shown: bool, label: &'static str, about: &'static str| {
        let columns = move || if is_shown { shown.get() } else { Vec::new() };
        let href = move || export_url(&canonical(&filter.get()), format, &columns());
        let test = if is_shown { "shown" } else { format };
        view! {
            <a href=href download data-test=format!("export-{test}")>
                <span class="strong">{label}</span>
                <span class="small secondary">{about}</span>
            </a>
        }
        .into_any()
    };
    view! {
        <DropDown label=texts::export() glyph=Glyph::Download test="export">
            {file("csv", true, texts::csv_as_shown(), texts::about_csv_as_shown())}
            {file("csv", false, texts::csv(), texts::about_csv())}
            {file("jsonl", false, texts::json_lines(), texts::about_json_lines())}
        </DropDown>
    }
}
