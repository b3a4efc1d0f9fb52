//! Refused rows of an import with their reasons, a download of all of them, and an editor for each.

use leadscribe_engine::api::{Import, RejectedRow};
use leadscribe_engine::diagnostic::{Diagnostic, Message, Place};
use leptos::prelude::*;

use super::corrections::{Corrections, SentRows};
use super::draft::{RowDraft, can_be_corrected, place_of};
use super::mapping::column_chip;
use crate::api::rejected_csv_url;
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::{Glyph, Icon};
use crate::components::input::field::{Field, FieldFaults};
use crate::components::input::work_button::WorkButton;
use crate::components::prose::{detail, prose, suggestion};
use crate::faults::invalid;
use crate::focus::focus_soon;
use crate::language::language;
use crate::texts::imports;
use crate::when;

/// Length in bytes above which a cell is edited in a multi-line input.
const LONG_CELL: usize = 80;

/// First refused rows of an import.
pub struct RefusedRows {
    pub import: Import,
    /// Total number of refused rows.
    pub count: u64,
    pub rows: Vec<RejectedRow>,
    pub corrections: Corrections,
    /// True if the user may correct them.
    pub may_correct: bool,
}

/// Table of refused rows, with an editor for each row that can be corrected.
pub fn refused_rows(RefusedRows { import, count, rows, corrections, may_correct }: RefusedRows) -> AnyView {
    let shown = rows.len() as u64;
    let may_correct = may_correct && can_be_corrected(&import);
    let id = import.id;
    let import = StoredValue::new(import);
    let lines = rows.into_iter().map(|row| view! { <RefusedRow import row corrections may_correct /> }).collect_view();
    view! {
        <section class="table-card as-cards" aria-label=imports::refused_rows()>
            <div class="card-head">
                <h2>{imports::rows_refused(count)}</h2>
                <a class="button button-small" href=rejected_csv_url(id) download data-test="rejected-csv">
                    <Icon glyph=Glyph::Download />
                    {imports::refused_csv()}
                </a>
            </div>
            <div class="table-wrap" tabindex="0" role="region" aria-label=imports::rows_and_reasons()>
                <table class="table rejected-table">
                    <thead>
                        <tr>
                            <th scope="col" class="number fit">{imports::line()}</th>
                            <th scope="col">{imports::reason()}</th>
                            <th scope="col">{imports::row_as_it_stood()}</th>
                            {may_correct.then(|| view! { <th scope="col" class="fit">{imports::actions()}</th> })}
                        </tr>
                    </thead>
                    <tbody>{lines}</tbody>
                </table>
            </div>
            {(shown < count)
                .then(|| {
                    view! { <p class="table-foot">{imports::first_shown(when::count(shown))}</p> }
                })}
            {may_correct.then(|| view! { <SendCorrected import corrections /> })}
        </section>
    }
    .into_any()
}

/// A refused row, followed by its editor once opened.
#[component]
fn RefusedRow(
    import: StoredValue<Import>,
    row: RejectedRow,
    corrections: Corrections,
    may_correct: bool,
) -> impl IntoView {
    let key = import.with_value(|import| (import.id, row.line));
    let is_open = Memo::new(move |_| corrections.with_draft(key, |draft| draft.is_some()));
    let can_open = import.with_value(|import| RowDraft::of(&row, import).is_some());
    let faults = row.faults.iter().map(reason).collect_view();
    let text = row.row.clone();
    let row = StoredValue::new(row);
    let first_input = move || {
        let places = row.with_value(|row| import.with_value(|import| faulty_places(import, &row.faults)));
        input_id(key.1, places.first().copied().unwrap_or_default())
    };
    let open = move |_| {
        import.with_value(|import| row.with_value(|row| corrections.open(row, import)));
        focus_soon(first_input());
    };
    let action = move || match can_open {
        true => view! {
            <button
                type="button"
                class="button button-small"
                data-test="correct-row"
                aria-label=imports::correct_line(key.1)
                hidden=move || is_open.get()
                on:click=open
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
            <td data-label=imports::reason()>
                <ul class="stack-tight">{faults}</ul>
            </td>
            <td data-label=imports::row()>
                <code class="csv-row" title=text.clone()>
                    {text.clone()}
                </code>
            </td>
            {may_correct.then(|| view! { <td class="fit" data-label=imports::actions()>{action}</td> })}
        </tr>
        <Show when=move || is_open.get()>
            <tr class="row-editor" data-test="row-editor">
                <td colspan="4">
                    <RowEditor import corrections line=key.1 />
                </td>
            </tr>
        </Show>
    }
    .into_any()
}

fn reason(fault: &Diagnostic) -> AnyView {
    let column = match &fault.place {
        Place::Column(name) => Some(name.clone()),
        _ => None,
    };
    let (detail, suggestion) = (detail(fault), suggestion(fault));
    view! {
        <li>
            {column.filter(|column| !column.is_empty()).map(column_chip)} {detail}
            <span class="secondary">{suggestion}</span>
        </li>
    }
    .into_any()
}

/// Indexes of the columns with faults, in ascending order.
fn faulty_places(import: &Import, faults: &[Diagnostic]) -> Vec<usize> {
    let mut places: Vec<_> = faults.iter().filter_map(|fault| place_of(&import.columns, fault)).collect();
    places.sort_unstable();
    places
}

fn input_id(line: u64, place: usize) -> String {
    format!("correct-{line}-{place}")
}

/// One input per cell of a row, with the current faults.
#[component]
fn RowEditor(import: StoredValue<Import>, corrections: Corrections, line: u64) -> impl IntoView {
    let key = import.with_value(|import| (import.id, line));
    let faults = Memo::new(move |_| {
        corrections.with_draft(key, |draft| {
            draft.map(|draft| import.with_value(|import| draft.faults(import))).unwrap_or_default()
        })
    });
    let cells = corrections.draft_cells(key);
    let inputs = cells.into_iter().enumerate().map(|(place, text)| {
        let name = import.with_value(|import| import.columns.get(place).cloned()).filter(|name| !name.is_empty());
        let label = name.unwrap_or_else(|| imports::nameless_column(place + 1));
        let at_cell = Signal::derive(move || {
            let is_here =
                |fault: &Diagnostic| import.with_value(|import| place_of(&import.columns, fault)) == Some(place);
            faults.get().into_iter().filter(is_here).collect::<Vec<_>>()
        });
        let id = input_id(line, place);
        let set = move |text: String| corrections.set_cell(key, place, text);
        let note = format!("{id}-note");
        let rows = if text.contains('\n') || text.len() > LONG_CELL { "3" } else { "1" };
        let input = view! {
            <textarea
                id=id.clone()
                class="input"
                rows=rows
                autocomplete="off"
                aria-describedby=note
                aria-invalid=invalid(at_cell)
                data-test="correct-cell"
                prop:value=text
                on:input:target=move |event| set(event.target().value())
            />
        };
        view! {
            <Field id label faults=at_cell>
                {input}
            </Field>
        }
        .into_any()
    });
    let of_row = Signal::derive(move || {
        let is_elsewhere = |fault: &Diagnostic| import.with_value(|import| place_of(&import.columns, fault)).is_none();
        faults.get().into_iter().filter(is_elsewhere).collect::<Vec<_>>()
    });
    let busy = corrections.is_busy();
    view! {
        <fieldset class="bare correct-cells" disabled=busy aria-label=imports::correct_line(line)>
            {inputs.collect_view()}
        </fieldset>
        <FieldFaults faults=of_row />
        <div class="row">
            <button
                type="button"
                class="button button-small"
                data-test="discard-row"
                disabled=busy
                on:click=move |_| corrections.discard(key)
            >
                {imports::discard_correction()}
            </button>
        </div>
    }
    .into_any()
}

/// Button that sends the corrected rows.
#[component]
fn SendCorrected(import: StoredValue<Import>, corrections: Corrections) -> impl IntoView {
    let ready = Memo::new(move |_| import.with_value(|import| corrections.ready(import)));
    let send = Callback::new(move |()| import.with_value(|import| corrections.send(import)));
    view! {
        <div class="card-body row import-actions">
            <WorkButton
                class="button button-primary"
                held=corrections.is_busy()
                disabled=Signal::derive(move || ready.get() == 0)
                test="send-corrected"
                on_press=send
            >
                {move || imports::import_corrected(ready.get())}
            </WorkButton>
            <span class="small secondary">{imports::correct_hint()}</span>
        </div>
    }
    .into_any()
}

/// Result of the rows sent last. It stays visible when no refused row is left.
#[component]
pub fn CorrectionOutcome(corrections: Corrections) -> impl IntoView {
    view! {
        <p role="status" class="secondary" data-test="correction-outcome">
            {move || corrections.outcome().and_then(|sent| outcome_text(&sent))}
        </p>
        {move || corrections.outcome().and_then(|sent| sent.failure).map(|error| failed(&error))}
        {move || corrections.attempt().refusal().map(|error| view! { <ErrorNotice error /> })}
    }
    .into_any()
}

/// Number of rows imported and refused again; `None` if the import failed before the first row.
fn outcome_text(sent: &SentRows) -> Option<String> {
    match (sent.imported, sent.refused) {
        (0, 0) if sent.failure.is_some() => None,
        (imported, 0) => Some(imports::corrected_rows_in(imported)),
        (imported, again) => {
            Some(format!("{} {}", imports::corrected_rows_in(imported), imports::refused_again(again)))
        }
    }
}

/// Reason why the import of corrected rows failed.
fn failed(error: &Message) -> AnyView {
    view! {
        <p class="field-fault" role="alert" data-test="correction-failed">
            <Icon glyph=Glyph::Alert />
            <span>{imports::corrections_failed()} " " {prose(&error.text(language()))}</span>
        </p>
    }
    .into_any()
}
