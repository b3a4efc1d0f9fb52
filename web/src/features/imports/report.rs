//! Report of an import: progress, counts, and links to the imported records.

use std::borrow::Cow;

use leadscribe_engine::api::{
    FindingCode, FindingSample, Import, ImportCampaign, ImportCounts, ImportFinding, ImportKind, ImportState,
    ImportUndoState,
};
use leptos::prelude::*;

use crate::i18n::datetime::format_count;
use crate::i18n::language;
use crate::i18n::texts::{common, imports};
use crate::ui::filter_editor::filter_text::{latest_list_url, list_url};
use crate::ui::input::FieldError;
use crate::ui::prose::prose;
use crate::ui::{Glyph, Icon, ImportBadges, ProgressBar};

/// Report of an import. `children` come last.
#[component]
pub fn ImportReport(import: Import, children: Children) -> impl IntoView {
    let percent = (import.progress.clamp(0.0, 1.0) * 100.0).round() as u64;
    let (counts, dry_run, is_stopping) = (import.counts, import.dry_run, import.is_stopping());
    let undo = import.undo.as_ref().map(|undo| undo.state);
    let chips = import.new_statuses.into_iter().map(|name| view! { <li class="chip tone-info">{name}</li> });
    let chips = chips.collect_view();
    let statuses = (!chips.is_empty()).then(|| {
        view! {
            <div class="row">
                <span class="label">{imports::new_statuses()}</span>
                <ul class="chips">{chips}</ul>
            </div>
        }
    });
    let error = import.error.map(|error| prose(&error.text(language())));
    let has_new_leads = import.kind == ImportKind::Leads && !dry_run && counts.inserted > 0;
    let new_leads = has_new_leads.then(|| {
        let href = list_url(&format!(r#"{{"import_id":{}}}"#, import.id));
        view! { <p><a href=href data-test="new-leads-link">{imports::new_leads(counts.inserted)}</a></p> }
    });
    let corrected_import = import.corrects_import_id.map(|id| {
        view! { <p><a href=format!("/imports/{id}") data-test="import-corrects">{imports::corrects(id)}</a></p> }
    });
    let note = |test_id: &'static str, text: Cow<'static, str>| {
        view! {
            <p class="secondary" data-test=test_id>
                {text}
            </p>
        }
    };
    let (title, test_id) = match dry_run {
        true => (imports::preview_changes().to_owned(), "import-dry-run-report"),
        false => (import.file_name, "import-report"),
    };
    view! {
        <section class="card" aria-label=imports::this_import() data-test=test_id>
            <div class="card-header">
                <div class="row">
                    <Icon glyph=Glyph::File />
                    <h2>{title}</h2>
                    {dry_run.then(|| view! { <span class="secondary">{imports::nothing_written()}</span> })}
                </div>
                <span data-test="import-state" data-state=import.state.as_str() role="status">
                    <ImportBadges state=import.state undo />
                </span>
            </div>
            <div class="card-body stack">
                <ProgressBar label=common::progress() percent />
                <dl class="tiles">
                    {tile(imports::rows_read(), counts.read, "import-read")}
                    {tile(imports::new(), counts.inserted, "import-inserted")}
                    {tile(imports::changed(), counts.updated, "import-updated")}
                    {tile(imports::unchanged(), counts.unchanged, "import-unchanged")}
                    {tile(imports::not_imported(), counts.rejected, "import-rejected")}
                </dl>
                {statuses}
                {error.map(|error| view! { <FieldError role="alert">{error}</FieldError> })}
                {undialable_notice(counts, dry_run)}
                {new_leads}
                {import.campaign.map(|campaign| campaign_summary(campaign, dry_run))}
                {corrected_import}
                {(counts.corrected > 0).then(|| note("import-corrected", imports::rows_corrected(counts.corrected).into()))}
                <FindingsTable findings=import.findings />
                {is_stopping.then(|| note("import-stopping", imports::stopping().into()))}
                {outcome_text(import.state, counts, dry_run, undo).map(|text| note("import-outcome", text))}
                {children()}
            </div>
        </section>
    }
}

pub fn tile(label: &'static str, number: u64, test_id: &'static str) -> impl IntoView {
    view! {
        <div class="tile">
            <dt>{label}</dt>
            <dd data-test=test_id>{format_count(number)}</dd>
        </div>
    }
}

/// Number of leads added to the campaign.
fn campaign_summary(campaign: ImportCampaign, dry_run: bool) -> impl IntoView {
    let ImportCampaign { id, name, leads_added, .. } = campaign;
    let text = match dry_run {
        true => imports::leads_will_be_added_to_campaign(leads_added),
        false => imports::leads_added_to_campaign(leads_added),
    };
    view! {
        <p data-test="import-added-to-campaign">
            {text} " "
            <a href=format!("/campaigns/{id}")>{name.unwrap_or_else(|| common::campaign_number(id.0))}</a>
        </p>
    }
}

/// Filter for leads that have only undialable phone numbers.
const INVALID_PHONE_FILTER: &str = r#"{"not_callable_reason":"invalid_phone"}"#;

/// Number of rows with undialable phone numbers, and a link to them.
fn undialable_notice(counts: ImportCounts, dry_run: bool) -> Option<impl IntoView> {
    let details = || match dry_run {
        true => imports::undialable_hint().into_any(),
        false => view! { <a href=latest_list_url(INVALID_PHONE_FILTER)>{imports::show_undialable()}</a> }.into_any(),
    };
    (counts.undialable > 0).then(|| {
        view! {
            <div class="notice tone-warning" data-test="import-undialable">
                <Icon glyph=Glyph::Alert />
                <div class="notice-body">
                    <strong>{imports::undialable(counts.undialable)}</strong>
                    <p>{details()}</p>
                </div>
            </div>
        }
    })
}

/// Outcome of the rows, unless another part of the page shows it.
fn outcome_text(
    state: ImportState,
    counts: ImportCounts,
    dry_run: bool,
    undo: Option<ImportUndoState>,
) -> Option<Cow<'static, str>> {
    // The undo report shows the outcome.
    let is_undone = undo.is_some_and(|undo| undo != ImportUndoState::Possible);
    match state {
        ImportState::Completed if counts.rejected > 0 || is_undone => None,
        ImportState::Completed if dry_run => Some(imports::all_rows_will_be_imported().into()),
        ImportState::Completed => Some(imports::all_rows_imported().into()),
        ImportState::Cancelled if dry_run => Some(imports::dry_run_cancelled(counts.read).into()),
        ImportState::Cancelled => Some(imports::import_cancelled(counts.read).into()),
        ImportState::Running | ImportState::Failed => None,
    }
}

/// Notes about imported rows, with the cell and the imported value.
#[component]
fn FindingsTable(findings: Vec<ImportFinding>) -> impl IntoView {
    let has_findings = !findings.is_empty();
    let rows = findings.into_iter().map(|ImportFinding { code, column, count: cells, samples }| {
        let icon = code.is_warning().then(|| view! { <Icon glyph=Glyph::Alert /> });
        let has_more = cells > samples.len() as u64;
        view! {
            <tr data-test="finding" data-code=code.as_str() class:is-warning=code.is_warning()>
                <td class="number fit" data-label=common::count()>{format_count(cells)}</td>
                <td class="finding-what" data-label=imports::finding()>
                    <div class="finding-text">
                        {icon}
                        <div>
                            <p>{imports::finding_text(code)}</p>
                            {column.map(|column| view! { <p class="small secondary">{imports::in_column(column)}</p> })}
                        </div>
                    </div>
                </td>
                <td data-label=imports::examples()>
                    <ul class="finding-samples">
                        {samples.into_iter().map(|entry| sample_item(code, entry)).collect_view()}
                        {has_more.then(|| view! { <li class="secondary">"…"</li> })}
                    </ul>
                </td>
            </tr>
        }
        .into_any()
    });
    has_findings.then(|| {
        view! {
            <div class="table-wrap mobile-cards" tabindex="0" role="region" aria-label=imports::findings()>
                <table class="table" data-test="findings">
                    <caption class="findings-caption">{imports::findings()}</caption>
                    <thead>
                        <tr>
                            <th scope="col" class="number fit">{common::count()}</th>
                            <th scope="col">{imports::finding()}</th>
                            <th scope="col">{imports::examples()}</th>
                        </tr>
                    </thead>
                    <tbody>{rows.collect_view()}</tbody>
                </table>
            </div>
        }
        .into_any()
    })
}

fn sample_item(code: FindingCode, FindingSample { line, cell, result }: FindingSample) -> AnyView {
    let cell = cell.map(|cell| {
        let result = result.map(|result| match code {
            FindingCode::UnknownCountry => view! { " " {imports::did_you_mean(result)} }.into_any(),
            _ => view! {
                <span aria-hidden="true">" → "</span>
                <span class="visually-hidden">{imports::read_as()}</span>
                <code>{result}</code>
            }
            .into_any(),
        });
        view! { <code>{cell}</code> {result} " " }
    });
    view! {
        <li>
            {cell}
            <span class="small secondary">{imports::at_line(line)}</span>
        </li>
    }
    .into_any()
}
