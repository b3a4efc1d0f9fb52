//! Export of a whole list as a file.

use leptos::prelude::*;

use crate::api::ListQuery;
use crate::components::icon::Glyph;
use crate::components::input::drop_down::DropDown;
use crate::texts::common as texts;

/// A downloadable file format.
pub struct ExportFile {
    /// Unique name for tests.
    pub test: &'static str,
    pub href: Signal<String>,
    pub label: &'static str,
    /// Description of the content and its use.
    pub about: &'static str,
}

/// Menu of files.
#[component]
pub fn ExportMenu(files: Vec<ExportFile>) -> impl IntoView {
    let links = files.into_iter().map(|file| {
        view! {
            <a href=file.href download data-test=format!("export-{}", file.test)>
                <span class="strong">{file.label}</span>
                <span class="small secondary">{file.about}</span>
            </a>
        }
    });
    let links = links.collect_view();
    let face = || view! { <span class="export-label">{texts::export()}</span> };
    view! {
        <DropDown label=texts::export() glyph=Glyph::Download test="export" face=ViewFn::from(face)>
            {links}
        </DropDown>
    }
    .into_any()
}

/// Export of all rows that a query finds, in its order.
pub fn files_of<Q: ListQuery>(wanted: Memo<Q>) -> Vec<ExportFile> {
    let href = move |format: &'static str| Signal::derive(move || wanted.with(|wanted| wanted.file_url(format)));
    vec![
        ExportFile { test: "csv", href: href("csv"), label: texts::csv(), about: texts::about_csv() },
        ExportFile { test: "jsonl", href: href("jsonl"), label: texts::json_lines(), about: texts::about_json_lines() },
    ]
}
