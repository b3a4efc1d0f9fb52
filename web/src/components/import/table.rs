//! Table of imports with their results.

use leadscribe_engine::api::Import;
use leptos::prelude::*;

use super::undo::possible;
use crate::components::badge::ImportBadges;
use crate::components::icon::Glyph;
use crate::components::list::heads::{Head, heads};
use crate::components::list::list_table::ListTable;
use crate::components::list::managed::{RowAction, RowActions};
use crate::components::list::table::SkeletonRows;
use crate::components::moment::Moment;
use crate::order::ListOrder;
use crate::texts::imports;
use crate::when::count;

/// Column headers. The start time sorts by id, because ids are assigned in order of start.
pub static HEADS: [Head; 7] = [
    Head::new(imports::file).by("file_name"),
    Head::new(imports::holds).by("kind"),
    Head::new(imports::started).by(LATEST),
    Head::new(imports::rows).by("-counts.read").class("number"),
    Head::new(imports::refused).by("-counts.rejected").class("number"),
    Head::new(imports::state).by("state"),
    Head::new(imports::actions).hidden(),
];

/// Default sort order of imports.
pub const LATEST: &str = "-id";

#[component]
pub fn ImportTable(
    /// `None` until the first response arrives.
    imports: Signal<Option<Vec<Import>>>,
    stale: Signal<bool>,
    order: ListOrder,
    /// Query string of the page, preserved when an import is opened.
    query: Signal<String>,
    /// True if the user may undo imports.
    may_undo: bool,
    on_undo: Callback<Import>,
) -> impl IntoView {
    let row = move |import| view! { <ImportRow import query may_undo on_undo /> };
    let rows = move || match imports.get() {
        None => view! { <SkeletonRows columns=HEADS.len() rows=4 /> }.into_any(),
        Some(imports) => imports.into_iter().map(row).collect_view().into_any(),
    };
    let heads = heads(&HEADS, Some(order)).into_any();
    view! {
        <ListTable caption=imports::earlier() stale heads>
            {rows}
        </ListTable>
    }
}

#[component]
fn ImportRow(import: Import, query: Signal<String>, may_undo: bool, on_undo: Callback<Import>) -> impl IntoView {
    let (id, undoable) = (import.id, possible(&import).is_some());
    let undo = import.undo.as_ref().map(|undo| undo.state);
    let asked = import.clone();
    view! {
        <tr data-row="" data-test="import-row" data-id=id.to_string()>
            <td class="lead-cell">
                <a class="link-button" data-opens="" href=move || format!("/imports/{id}{}", query.get())>
                    {import.file_name}
                </a>
            </td>
            <td data-label=imports::holds()>{imports::kind(import.kind)}</td>
            <td data-label=imports::started()>
                <Moment at=import.started_at />
            </td>
            <td data-label=imports::rows() class="number">
                {count(import.counts.read)}
            </td>
            <td data-label=imports::refused() class="number">
                {count(import.counts.rejected)}
            </td>
            <td data-label=imports::state()>
                <ImportBadges state=import.state undo />
            </td>
            <td class="fit">
                <RowActions may_act=may_undo && undoable>
                    <RowAction
                        glyph=Glyph::Undo
                        label=imports::undo()
                        test="undo-listed"
                        on_press={
                            let asked = asked.clone();
                            move || on_undo.run(asked.clone())
                        }
                    />
                </RowActions>
            </td>
        </tr>
    }
}
