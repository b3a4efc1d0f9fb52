//! How an import goes, and the rows it refused.

use std::borrow::Cow;

use leadscribe_engine::api::{Import, ImportCounts, ImportId, ImportState, ImportUndoState, RejectedRow};
use leadscribe_engine::fault::Place;
use leptos::prelude::*;

use super::mapping::column_chip;
use crate::api::rejected_csv_url;
use crate::components::badge::ImportBadges;
use crate::components::icon::{Glyph, Icon};
use crate::components::progress_bar::ProgressBar;
use crate::components::prose::{detail, hint, prose};
use crate::faults::told;
use crate::filter_text::latest_of;
use crate::texts::imports;
use crate::when::{self, count};

/// The import, with `children` below what became of its rows.
#[component]
pub fn ImportReport(import: Import, children: Children) -> impl IntoView {
    let percent = (import.progress.clamp(0.0, 1.0) * 100.0).round() as u64;
    let (counts, dry_run) = (import.counts, import.dry_run);
    let is_stopping = import.is_stopping();
    let tile = |label: &'static str, number: u64, test: &'static str| {
        view! {
            <div class="tile">
                <dt>{label}</dt>
                <dd data-test=test>{count(number)}</dd>
            </div>
        }
    };
    let undo = import.undo.as_ref().map(|undo| undo.state);
    let statuses = (!import.new_statuses.is_empty()).then(|| {
        let chips = import.new_statuses.iter().map(|name| view! { <li class="chip tone-info">{name.clone()}</li> });
        view! {
            <div class="row">
                <span class="label">{imports::new_statuses()}</span>
                <ul class="chips">{chips.collect_view()}</ul>
            </div>
        }
    });
    view! {
        <section class="card" aria-label=imports::this_import() data-test=if dry_run { "import-tried" } else { "import-report" }>
            <div class="card-head">
                <div class="row">
                    <Icon glyph=Glyph::File />
                    <h2>{if dry_run { imports::what_would_change().to_owned() } else { import.file_name }}</h2>
                    {dry_run.then(|| view! { <span class="secondary">{imports::nothing_written()}</span> })}
                </div>
                <span data-test="import-state" data-state=import.state.as_str() role="status">
                    <ImportBadges state=import.state undo />
                </span>
            </div>
            <div class="card-body stack">
                <ProgressBar label=imports::progress() percent />
                <dl class="tiles">
                    {tile(imports::rows_read(), counts.read, "import-read")}
                    {tile(imports::new(), counts.inserted, "import-inserted")}
                    {tile(imports::changed(), counts.updated, "import-updated")}
                    {tile(imports::unchanged(), counts.unchanged, "import-unchanged")}
                    {tile(imports::refused(), counts.rejected, "import-rejected")}
                </dl>
                {statuses}
                {import
                    .error
                    .map(|error| {
                        view! {
                            <p class="field-fault" role="alert">
                                <Icon glyph=Glyph::Alert />
                                <span>{prose(&told(&error))}</span>
                            </p>
                        }
                    })}
                {undialable(counts, dry_run)}
                {is_stopping.then(|| view! { <p class="secondary" data-test="import-stopping">{imports::stopping()}</p> })}
                {outcome(import.state, counts, dry_run, undo).map(|text| view! { <p class="secondary" data-test="import-outcome">{text}</p> })}
                {children()}
            </div>
        </section>
    }
}

/// What finds the leads that have numbers of which none can be dialled.
const WITH_INVALID_PHONE: &str = r#"{"not_callable_reason":"invalid_phone"}"#;

/// How many rows came with numbers that can't be dialled, and what can be done about it.
fn undialable(counts: ImportCounts, dry_run: bool) -> Option<impl IntoView> {
    let more = || match dry_run {
        true => view! { <p>{imports::undialable_why()}</p> }.into_any(),
        false => view! { <p><a href=latest_of(WITH_INVALID_PHONE)>{imports::see_undialable()}</a></p> }.into_any(),
    };
    (counts.undialable > 0).then(|| {
        view! {
            <div class="notice tone-warning" data-test="import-undialable">
                <Icon glyph=Glyph::Alert />
                <div class="notice-body">
                    <strong>{imports::undialable(counts.undialable)}</strong>
                    {more()}
                </div>
            </div>
        }
    })
}

/// What came of the rows, where it isn't told otherwise.
fn outcome(
    state: ImportState,
    counts: ImportCounts,
    dry_run: bool,
    undo: Option<ImportUndoState>,
) -> Option<Cow<'static, str>> {
    // An undo tells what became of them.
    let is_undone = undo.is_some_and(|undo| undo != ImportUndoState::Possible);
    match state {
        ImportState::Completed if counts.rejected > 0 || is_undone => None,
        ImportState::Completed if dry_run => Some(imports::all_would_go_in().into()),
        ImportState::Completed => Some(imports::all_are_in().into()),
        ImportState::Cancelled if dry_run => Some(imports::count_cancelled(counts.read).into()),
        ImportState::Cancelled => Some(imports::import_cancelled(counts.read).into()),
        ImportState::Running | ImportState::Failed => None,
    }
}

/// The first refused rows, and all of them as a file.
#[component]
pub fn RejectedTable(id: ImportId, count: u64, rows: Vec<RejectedRow>) -> impl IntoView {
    let shown = rows.len() as u64;
    let lines = rows.into_iter().map(|row| {
        let faults = row.faults.into_iter().map(|fault| {
            let (detail, hint) = (detail(&fault), hint(&fault));
            let column = match fault.place {
                Place::Column(name) => Some(name),
                _ => None,
            };
            view! {
                <li>
                    {column.map(column_chip)} {detail}
                    <span class="secondary">{hint}</span>
                </li>
            }
        });
        view! {
            <tr data-test="rejected-row">
                <td class="number fit" data-label=imports::line()>{row.line}</td>
                <td data-label=imports::reason()>
                    <ul class="stack-tight">{faults.collect_view()}</ul>
                </td>
                <td data-label=imports::row()>
                    <code class="csv-row" title=row.row.clone()>
                        {row.row.clone()}
                    </code>
                </td>
            </tr>
        }
    });
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
                <table class="table">
                    <thead>
                        <tr>
                            <th scope="col" class="number fit">{imports::line()}</th>
                            <th scope="col">{imports::reason()}</th>
                            <th scope="col">{imports::row_as_it_stood()}</th>
                        </tr>
                    </thead>
                    <tbody>{lines.collect_view()}</tbody>
                </table>
            </div>
            {(shown < count)
                .then(|| {
                    view! { <p class="table-foot">{imports::first_shown(when::count(shown))}</p> }
                })}
        </section>
    }
}
