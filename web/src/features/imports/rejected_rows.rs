//! Rejected rows of an import with their reasons, a download of all of them, and an editor for each.

use leadscribe_engine::api::{Import, RejectedRow};
use leadscribe_engine::diagnostic::{Diagnostic, Location};
use leptos::prelude::*;

use super::corrections::{CorrectionResult, Corrections};
use super::draft::{RowDraft, can_be_corrected, column_index};
use super::mapping::column_chip;
use crate::api::rejected_csv_url;
use crate::browser::focus::focus_after_render;
use crate::i18n::texts::{common, imports};
use crate::i18n::{aria_invalid, datetime, language};
use crate::ui::input::{Button, Field, FieldDiagnostics, FieldError};
use crate::ui::lazy_view::lazy_view;
use crate::ui::prose::{detail, prose, suggestion};
use crate::ui::{ErrorNotice, Glyph, Icon};

/// Length in bytes above which a cell is edited in a multi-line input.
const MULTILINE_THRESHOLD_BYTES: usize = 80;

lazy_view!(dialogs: pub fn rejected_rows(RejectedRowsProps) = RejectedRows);

/// Table of rejected rows, with an editor for each row that can be corrected.
#[component]
pub fn RejectedRows(
    import: Import,
    /// Total number of rejected rows.
    count: u64,
    rows: Vec<RejectedRow>,
    corrections: Corrections,
    /// True if the user may correct rows.
    can_correct: bool,
) -> impl IntoView {
    let shown_count = rows.len() as u64;
    let can_correct = can_correct && can_be_corrected(&import);
    let id = import.id;
    let import = StoredValue::new(import);
    let row_views =
        rows.into_iter().map(|row| view! { <RejectedRowView import row corrections can_correct /> }).collect_view();
    view! {
        <section class="table-card mobile-cards" aria-label=imports::rejected_rows()>
            <div class="card-header">
                <h2>{imports::rows_rejected(count)}</h2>
                <a class="button button-small" href=rejected_csv_url(id) download data-test="rejected-csv">
                    <Icon glyph=Glyph::Download />
                    {imports::rejected_csv()}
                </a>
            </div>
            <div class="table-wrap" tabindex="0" role="region" aria-label=imports::rows_and_reasons()>
                <table class="table rejected-table">
                    <thead>
                        <tr>
                            <th scope="col" class="number fit">{imports::line()}</th>
                            <th scope="col">{common::reason()}</th>
                            <th scope="col">{imports::original_row()}</th>
                            {can_correct.then(|| view! { <th scope="col" class="fit">{common::actions()}</th> })}
                        </tr>
                    </thead>
                    <tbody>{row_views}</tbody>
                </table>
            </div>
            {(shown_count < count)
                .then(|| {
                    view! { <p class="table-footer">{imports::first_rows_shown(datetime::format_count(shown_count))}</p> }
                })}
            {can_correct.then(|| view! { <SendCorrectionsButton import corrections /> })}
        </section>
    }
}

/// A rejected row, followed by its editor once opened.
#[component]
fn RejectedRowView(
    import: StoredValue<Import>,
    row: RejectedRow,
    corrections: Corrections,
    can_correct: bool,
) -> impl IntoView {
    let key = import.with_value(|import| (import.id, row.line));
    let is_open = Memo::new(move |_| corrections.with_draft(key, |draft| draft.is_some()));
    let can_edit = import.with_value(|import| RowDraft::from_rejected_row(&row, import).is_some());
    let diagnostics = row.diagnostics.iter().map(reason_item).collect_view();
    let text = row.row.clone();
    let row = StoredValue::new(row);
    let first_input_id = move || {
        let columns = row.with_value(|row| import.with_value(|import| invalid_columns(import, &row.diagnostics)));
        input_id(key.1, columns.first().copied().unwrap_or_default())
    };
    let start_editing = move |_| {
        import.with_value(|import| row.with_value(|row| corrections.start(row, import)));
        focus_after_render(first_input_id());
    };
    let action = move || match can_edit {
        true => view! {
            <button
                type="button"
                class="button button-small"
                data-test="correct-row"
                aria-label=imports::correct_line(key.1)
                hidden=move || is_open.get()
                on:click=start_editing
            >
                {imports::correct_row()}
            </button>
        }
        .into_any(),
        false => view! { <span class="small secondary">{imports::too_long_to_correct()}</span> }.into_any(),
    };
    view! {
        <tr data-test="rejected-row" class:has-editor=move || is_open.get()>
            <td class="number fit" data-label=imports::line()>{key.1}</td>
            <td data-label=common::reason()>
                <ul class="stack-tight">{diagnostics}</ul>
            </td>
            <td data-label=imports::row()>
                <code class="csv-row" title=text.clone()>
                    {text.clone()}
                </code>
            </td>
            {can_correct.then(|| view! { <td class="fit" data-label=common::actions()>{action}</td> })}
        </tr>
        <Show when=move || is_open.get()>
            <tr class="row-editor" data-test="row-editor">
                <td colspan="4">
                    <RowEditor import corrections line=key.1 />
                </td>
            </tr>
        </Show>
    }
}

fn reason_item(diagnostic: &Diagnostic) -> AnyView {
    let column = match &diagnostic.location {
        Location::Column(name) => Some(name.clone()),
        _ => None,
    };
    let (detail, suggestion) = (detail(diagnostic), suggestion(diagnostic));
    view! {
        <li>
            {column.filter(|column| !column.is_empty()).map(column_chip)} {detail}
            <span class="secondary">{suggestion}</span>
        </li>
    }
    .into_any()
}

/// Indexes of the columns with diagnostics, in ascending order.
fn invalid_columns(import: &Import, diagnostics: &[Diagnostic]) -> Vec<usize> {
    let mut columns: Vec<_> =
        diagnostics.iter().filter_map(|diagnostic| column_index(&import.columns, diagnostic)).collect();
    columns.sort_unstable();
    columns
}

fn input_id(line: u64, column: usize) -> String {
    format!("correct-{line}-{column}")
}

/// One input per cell of a row, with the current diagnostics.
#[component]
fn RowEditor(import: StoredValue<Import>, corrections: Corrections, line: u64) -> impl IntoView {
    let key = import.with_value(|import| (import.id, line));
    let diagnostics = Memo::new(move |_| {
        corrections.with_draft(key, |draft| {
            draft.map(|draft| import.with_value(|import| draft.current_diagnostics(import))).unwrap_or_default()
        })
    });
    let cells = untrack(|| corrections.with_draft(key, |draft| draft.map(|draft| draft.cells.clone())));
    let cells = cells.unwrap_or_default();
    // Diagnostics of a cell, or of the row as a whole.
    let diagnostics_at = move |column: Option<usize>| {
        Signal::derive(move || {
            let is_at = |diagnostic: &Diagnostic| {
                import.with_value(|import| column_index(&import.columns, diagnostic)) == column
            };
            diagnostics.get().into_iter().filter(is_at).collect::<Vec<_>>()
        })
    };
    let inputs = cells.into_iter().enumerate().map(|(column, text)| {
        let name = import.with_value(|import| import.columns.get(column).cloned()).filter(|name| !name.is_empty());
        let label = name.unwrap_or_else(|| imports::unnamed_column(column + 1));
        let (id, diagnostics) = (input_id(line, column), diagnostics_at(Some(column)));
        let rows = if text.contains('\n') || text.len() > MULTILINE_THRESHOLD_BYTES { "3" } else { "1" };
        let input = view! {
            <textarea
                id=id.clone()
                class="input"
                rows=rows
                autocomplete="off"
                aria-describedby=format!("{id}-note")
                aria-invalid=aria_invalid(diagnostics)
                data-test="correct-cell"
                prop:value=text
                on:input:target=move |event| corrections.set_cell(key, column, event.target().value())
            />
        };
        view! {
            <Field id label diagnostics>
                {input}
            </Field>
        }
        .into_any()
    });
    let is_busy = corrections.mutation.is_busy();
    let discard = move |_| corrections.discard(key);
    view! {
        <fieldset class="bare correct-cells" disabled=is_busy aria-label=imports::correct_line(line)>
            {inputs.collect_view()}
        </fieldset>
        <FieldDiagnostics diagnostics=diagnostics_at(None) />
        <div class="row">
            <button type="button" class="button button-small" data-test="discard-row" disabled=is_busy on:click=discard>
                {common::discard_changes()}
            </button>
        </div>
    }
}

/// Button that sends the corrected rows.
#[component]
fn SendCorrectionsButton(import: StoredValue<Import>, corrections: Corrections) -> impl IntoView {
    let ready_count = Memo::new(move |_| import.with_value(|import| corrections.ready_count(import)));
    let send = Callback::new(move |()| import.with_value(|import| corrections.send(import)));
    view! {
        <div class="card-body row import-actions">
            <Button
                class="button-primary"
                label=move || imports::import_corrected(ready_count.get())
                is_blocked=corrections.mutation.is_busy()
                disabled=Signal::derive(move || ready_count.get() == 0)
                test_id="send-corrected"
                on_press=send
            />
            <span class="small secondary">{imports::correct_hint()}</span>
        </div>
    }
}

/// Result for the rows that were sent last. It stays visible when no rejected row is left.
#[component]
pub fn CorrectionOutcome(corrections: Corrections) -> impl IntoView {
    let Corrections { outcome, mutation, .. } = corrections;
    let failure = move || {
        let error = outcome.get()?.failure?.text(language());
        Some(view! {
            <FieldError role="alert" test_id="correction-failed">
                {imports::corrections_failed()} " " {prose(&error)}
            </FieldError>
        })
    };
    view! {
        <p role="status" class="secondary" data-test="correction-outcome">
            {move || outcome.get().and_then(|result| result_text(&result))}
        </p>
        {failure}
        {move || mutation.error().map(|error| view! { <ErrorNotice error /> })}
    }
}

/// Number of rows imported and rejected again; `None` if the import failed before the first row.
fn result_text(result: &CorrectionResult) -> Option<String> {
    let imported = imports::corrected_rows_imported(result.imported);
    match (result.imported, result.rejected) {
        (0, 0) if result.failure.is_some() => None,
        (_, 0) => Some(imported),
        (0, rejected) => Some(imports::rejected_again(rejected)),
        (_, rejected) => Some(format!("{imported} {}", imports::rejected_again(rejected))),
    }
}
