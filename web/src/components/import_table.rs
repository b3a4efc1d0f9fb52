//! Imports, newest first.

use leadscribe_engine::api::{Import, ImportId};
use leptos::prelude::*;

use super::badge::{ImportBadge, spelled};
use super::moment::Moment;
use super::table::SkeletonRows;
use crate::when::count;

#[component]
pub fn ImportTable(imports: Option<Vec<Import>>, on_open: Callback<ImportId>) -> impl IntoView {
    let rows = match imports {
        None => view! { <SkeletonRows columns=6 rows=4 /> }.into_any(),
        Some(imports) => {
            imports.into_iter().map(|import| view! { <ImportRow import on_open /> }).collect_view().into_any()
        }
    };
    view! {
        <div class="table-wrap">
            <table class="table">
                <thead>
                    <tr>
                        <th scope="col">"File"</th>
                        <th scope="col">"Holds"</th>
                        <th scope="col">"Started"</th>
                        <th scope="col" class="number">"Rows"</th>
                        <th scope="col" class="number">"Refused"</th>
                        <th scope="col">"State"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

#[component]
fn ImportRow(import: Import, on_open: Callback<ImportId>) -> impl IntoView {
    view! {
        <tr data-test="import-row" data-id=import.id.to_string()>
            <td class="lead-cell">
                <button type="button" class="link-button" on:click=move |_| on_open.run(import.id)>
                    {import.file_name}
                </button>
            </td>
            <td data-label="Holds">{spelled(import.kind.as_str())}</td>
            <td data-label="Started">
                <Moment at=import.started_at />
            </td>
            <td data-label="Rows" class="number">{count(import.counts.read)}</td>
            <td data-label="Refused" class="number">{count(import.counts.rejected)}</td>
            <td data-label="State">
                <ImportBadge state=import.state />
            </td>
        </tr>
    }
}
