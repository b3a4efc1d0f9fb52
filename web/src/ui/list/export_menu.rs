//! Export of a whole list as a file.

use leptos::prelude::*;

use crate::api::ListQuery;
use crate::i18n::texts::common as texts;
use crate::ui::Glyph;
use crate::ui::input::DropDown;

/// A downloadable file format.
pub struct ExportFile {
    /// Unique name for tests.
    pub test_id: &'static str,
    pub href: Signal<String>,
    pub label: &'static str,
    /// Description of the content and its use.
    pub description: &'static str,
}

#[component]
pub fn ExportMenu(files: Vec<ExportFile>) -> impl IntoView {
    let links = files.into_iter().map(|file| {
        view! {
            <a href=file.href download data-test=format!("export-{}", file.test_id)>
                <span class="strong">{file.label}</span>
                <span class="small secondary">{file.description}</span>
            </a>
        }
    });
    let links = links.collect_view();
    let button_content = || view! { <span class="export-label">{texts::export()}</span> };
    view! {
        <DropDown label=texts::export() glyph=Glyph::Download test_id="export" button_content=ViewFn::from(button_content)>
            {links}
        </DropDown>
    }
}

/// Export of all rows that a query finds, in its order.
pub fn export_files<Q: ListQuery>(query: Memo<Q>) -> Vec<ExportFile> {
    let href = move |format: &'static str| Signal::derive(move || query.with(|query| query.file_url(format)));
    [("csv", texts::csv(), texts::csv_hint()), ("jsonl", texts::json_lines(), texts::json_lines_hint())]
        .map(|(format, label, description)| ExportFile { test_id: format, href: href(format), label, description })
        .into()
}
