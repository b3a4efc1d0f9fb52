//! Imports, newest first.

use leadscribe_engine::api::{Import, ImportUndoState};
use leptos::prelude::*;

use super::badge::{Badge, ImportBadge, Tone};
use super::icon::Glyph;
use super::import_undo::possible;
use super::managed_list::{RowAction, RowActions};
use super::moment::Moment;
use super::table::SkeletonRows;
use crate::texts::imports;
use crate::when::count;

#[component]
pub fn ImportTable(
    imports: Option<Vec<Import>>,
    /// Whether who looks may undo imports.
    may_undo: bool,
    on_undo: Callback<Import>,
) -> impl IntoView {
    let rows = match imports {
        None => view! { <SkeletonRows columns=7 rows=4 /> }.into_any(),
        Some(imports) => {
            imports.into_iter().map(|import| view! { <ImportRow import may_undo on_undo /> }).collect_view().into_any()
        }
    };
    view! {
        <div class="table-wrap">
            <table class="table">
                <thead>
                    <tr>
                        <th scope="col">{imports::file()}</th>
                        <th scope="col">{imports::holds()}</th>
                        <th scope="col">{imports::started()}</th>
                        <th scope="col" class="number">
                            {imports::rows()}
                        </th>
                        <th scope="col" class="number">
                            {imports::refused()}
                        </th>
                        <th scope="col">{imports::state()}</th>
                        <th scope="col">
                            <span class="visually-hidden">{imports::actions()}</span>
                        </th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

#[component]
fn ImportRow(import: Import, may_undo: bool, on_undo: Callback<Import>) -> impl IntoView {
    let (id, undoable) = (import.id, possible(&import).is_some());
    let asked = import.clone();
    let undone = import.undo.and_then(|undo| match undo.state {
        ImportUndoState::Possible => None,
        ImportUndoState::Running => Some(view! { <Badge tone=Tone::Info text=imports::being_undone() /> }),
        ImportUndoState::Cancelled => Some(view! { <Badge tone=Tone::Neutral text=imports::partly_undone() /> }),
        ImportUndoState::Completed => Some(view! { <Badge tone=Tone::Neutral text=imports::undone() /> }),
    });
    view! {
        <tr data-row="" data-test="import-row" data-id=id.to_string()>
            <td class="lead-cell">
                <a class="link-button" data-opens="" href=format!("/imports/{id}")>
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
                <span class="row">
                    <ImportBadge state=import.state />
                    {undone}
                </span>
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
