//! The whole result as a file.

use leptos::prelude::*;

use crate::api::export_url;
use crate::components::drop_down::DropDown;
use crate::components::icon::Glyph;
use crate::filter_text::canonical;
use crate::texts::leads as texts;

/// Files to choose from, which the browser saves while they come.
#[component]
pub fn ExportMenu(filter: Memo<String>) -> impl IntoView {
    let file = move |format: &'static str, label: &'static str, about: &'static str| {
        let href = move || export_url(&canonical(&filter.get()), format);
        view! {
            <a href=href download data-test=format!("export-{format}")>
                <span class="strong">{label}</span>
                <span class="small secondary">{about}</span>
            </a>
        }
        .into_any()
    };
    view! {
        <DropDown label=texts::export() glyph=Glyph::Download test="export">
            {file("csv", texts::csv(), texts::about_csv())}
            {file("jsonl", texts::json_lines(), texts::about_json_lines())}
        </DropDown>
    }
}
