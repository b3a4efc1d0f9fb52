//! The columns of each kind of file, and a file to start from.

use leadscribe_engine::api::ImportKind;
use leadscribe_engine::record::columns;
use leptos::prelude::*;

use super::icon::{Glyph, Icon};

#[component]
pub fn ImportColumns(#[prop(into)] kind: Signal<ImportKind>) -> impl IntoView {
    let list =
        move || columns(kind.get()).into_iter().map(|name| view! { <li class="chip mono">{name}</li> }).collect_view();
    let link = move || format!("data:text/csv;charset=utf-8,{}", columns(kind.get()).join("%2C"));
    let note = move || match kind.get() {
        ImportKind::Leads => "Custom fields stand as custom.<name>.",
        ImportKind::Calls => "Recordings are uploaded per call, or imported with the command line.",
        ImportKind::CampaignLeads => "An unknown status is added to the list of statuses.",
        ImportKind::Campaigns => "Calling hours go by each lead's own time zone.",
    };
    view! {
        <div class="stack-tight">
            <h3>"Columns"</h3>
            <ul class="chips">{list}</ul>
            <p class="small secondary">
                "The first line names them, in any order; other names can be given their field. An empty cell is no value. " {note}
            </p>
            <p>
                <a class="button button-small" href=link download=move || format!("{}.csv", kind.get())>
                    <Icon glyph=Glyph::Download />
                    "Empty file with these columns"
                </a>
            </p>
        </div>
    }
}
