//! How an import goes, and the rows it refused.

use leadscribe_engine::api::{Import, ImportId, ImportState, RejectedRow};
use leadscribe_engine::fault::Place;
use leptos::prelude::*;

use super::badge::ImportBadge;
use super::icon::{Glyph, Icon};
use super::prose::prose;
use crate::api::rejected_csv_url;
use crate::when::{count, counted};

#[component]
pub fn ImportReport(import: Import) -> impl IntoView {
    let percent = (import.progress.clamp(0.0, 1.0) * 100.0).round();
    let (counts, dry_run) = (import.counts, import.dry_run);
    let tile = |label: &'static str, number: u64, test: &'static str| {
        view! {
            <div class="tile">
                <dt>{label}</dt>
                <dd data-test=test>{count(number)}</dd>
            </div>
        }
    };
    let statuses = (!import.new_statuses.is_empty()).then(|| {
        let chips = import.new_statuses.iter().map(|name| view! { <li class="chip tone-info">{name.clone()}</li> });
        view! {
            <div class="row">
                <span class="label">"New statuses"</span>
                <ul class="chips">{chips.collect_view()}</ul>
            </div>
        }
    });
    view! {
        <section class="card" aria-label="This import" data-test=if dry_run { "import-tried" } else { "import-report" }>
            <div class="card-head">
                <div class="row">
                    <Icon glyph=Glyph::File />
                    <h2>{if dry_run { "What would change".to_owned() } else { import.file_name }}</h2>
                    {dry_run.then(|| view! { <span class="secondary">"Nothing is written yet."</span> })}
                </div>
                <span data-test="import-state" data-state=import.state.as_str() role="status">
                    <ImportBadge state=import.state />
                </span>
            </div>
            <div class="card-body stack">
                <div
                    class="progress"
                    role="progressbar"
                    aria-label="Progress"
                    aria-valuemin="0"
                    aria-valuemax="100"
                    aria-valuenow=percent.to_string()
                >
                    <div class="progress-bar" style:width=format!("{percent}%")></div>
                </div>
                <dl class="tiles">
                    {tile("Rows read", counts.read, "import-read")} {tile("New", counts.inserted, "import-inserted")}
                    {tile("Changed", counts.updated, "import-updated")}
                    {tile("Unchanged", counts.unchanged, "import-unchanged")}
                    {tile("Refused", counts.rejected, "import-rejected")}
                </dl>
                {statuses}
                {import
                    .error
                    .map(|error| {
                        view! {
                            <p class="field-fault" role="alert">
                                <Icon glyph=Glyph::Alert />
                                <span>{prose(&error)}</span>
                            </p>
                        }
                    })}
                {(import.state == ImportState::Completed && counts.rejected == 0)
                    .then(|| {
                        let all = if dry_run { "Every row would go in." } else { "Every row is in." };
                        view! { <p class="secondary">{all}</p> }
                    })}
            </div>
        </section>
    }
}

/// The first refused rows, and all of them as a file.
#[component]
pub fn RejectedTable(id: ImportId, count: u64, rows: Vec<RejectedRow>) -> impl IntoView {
    let shown = rows.len() as u64;
    let lines = rows.into_iter().map(|row| {
        let faults = row.faults.into_iter().map(|fault| {
            let column = match fault.place {
                Place::Column(name) => Some(name),
                _ => None,
            };
            let hint = fault.hint.as_deref().map(|hint| view! { " " {prose(hint)} });
            view! {
                <li>
                    {column.map(|name| view! { <span class="chip mono">{name}</span> " " })} {prose(&fault.detail)}
                    <span class="secondary">{hint}</span>
                </li>
            }
        });
        view! {
            <tr data-test="rejected-row">
                <td class="number fit" data-label="Line">{row.line}</td>
                <td data-label="Reason">
                    <ul class="stack-tight">{faults.collect_view()}</ul>
                </td>
                <td data-label="Row">
                    <code class="csv-row" title=row.row.clone()>
                        {row.row.clone()}
                    </code>
                </td>
            </tr>
        }
    });
    view! {
        <section class="table-card as-cards" aria-label="Refused rows">
            <div class="card-head">
                <h2>{counted(count, "row", "rows")} " refused"</h2>
                <a class="button button-small" href=rejected_csv_url(id) download data-test="rejected-csv">
                    <Icon glyph=Glyph::Download />
                    "All refused rows as CSV"
                </a>
            </div>
            <div class="table-wrap" tabindex="0" role="region" aria-label="Rows and reasons">
                <table class="table">
                    <thead>
                        <tr>
                            <th scope="col" class="number fit">"Line"</th>
                            <th scope="col">"Reason"</th>
                            <th scope="col">"Row as it stood"</th>
                        </tr>
                    </thead>
                    <tbody>{lines.collect_view()}</tbody>
                </table>
            </div>
            {(shown < count)
                .then(|| {
                    view! { <p class="table-foot">"The first " {shown} " are shown; the file has all of them."</p> }
                })}
        </section>
    }
}
