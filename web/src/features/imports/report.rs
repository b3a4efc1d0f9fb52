//! Report of an import: progress, counts, and links to the imported records.

use std::borrow::Cow;

use leadscribe_engine::api::{
    Import, ImportCampaign, ImportCounts, ImportId, ImportKind, ImportState, ImportUndoState,
};
use leptos::prelude::*;

use super::findings::FindingsTable;
use crate::i18n::datetime::format_count;
use crate::i18n::locale::language;
use crate::i18n::texts::imports;
use crate::ui::badge::ImportBadges;
use crate::ui::filter_editor::filter_text::{latest_list_url, list_url};
use crate::ui::icon::{Glyph, Icon};
use crate::ui::progress_bar::ProgressBar;
use crate::ui::prose::prose;

/// The report; `children` follow the counts.
#[component]
pub fn ImportReport(import: Import, children: Children) -> impl IntoView {
    let percent = (import.progress.clamp(0.0, 1.0) * 100.0).round() as u64;
    let (counts, dry_run) = (import.counts, import.dry_run);
    let is_stopping = import.is_stopping();
    let tile = |label: &'static str, number: u64, test_id: &'static str| {
        view! {
            <div class="tile">
                <dt>{label}</dt>
                <dd data-test=test_id>{format_count(number)}</dd>
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
        <section class="card" aria-label=imports::this_import() data-test=if dry_run { "import-dry-run-report" } else { "import-report" }>
            <div class="card-header">
                <div class="row">
                    <Icon glyph=Glyph::File />
                    <h2>{if dry_run { imports::preview_changes().to_owned() } else { import.file_name.clone() }}</h2>
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
                    {tile(imports::not_imported(), counts.rejected, "import-rejected")}
                </dl>
                {statuses}
                {import
                    .error
                    .clone()
                    .map(|error| {
                        view! {
                            <p class="field-error" role="alert">
                                <Icon glyph=Glyph::Alert />
                                <span>{prose(&error.text(language()))}</span>
                            </p>
                        }
                    })}
                {undialable_notice(counts, dry_run)}
                {new_leads_link(&import).map(|(href, text)| view! { <p><a href=href data-test="new-leads-link">{text}</a></p> })}
                {import.campaign.clone().map(|campaign| campaign_summary(campaign, dry_run))}
                {import.corrects_import_id.map(corrects_link)}
                {(counts.corrected > 0)
                    .then(|| view! { <p class="secondary" data-test="import-corrected">{imports::rows_corrected(counts.corrected)}</p> })}
                <FindingsTable findings=import.findings.clone() />
                {is_stopping.then(|| view! { <p class="secondary" data-test="import-stopping">{imports::stopping()}</p> })}
                {outcome_text(import.state, counts, dry_run, undo).map(|text| view! { <p class="secondary" data-test="import-outcome">{text}</p> })}
                {children()}
            </div>
        </section>
    }
    .into_any()
}

/// Link to the leads that an import created, with its label.
fn new_leads_link(import: &Import) -> Option<(String, String)> {
    let counts = import.counts;
    let has_new_leads = import.kind == ImportKind::Leads && !import.dry_run && counts.inserted > 0;
    has_new_leads.then(|| (list_url(&format!(r#"{{"import_id":{}}}"#, import.id)), imports::new_leads(counts.inserted)))
}

/// Number of leads added to the campaign.
fn campaign_summary(campaign: ImportCampaign, dry_run: bool) -> AnyView {
    let ImportCampaign { id, name, leads_added, .. } = campaign;
    let name = name.unwrap_or_else(|| imports::campaign_numbered(id.0));
    let text = if dry_run {
        imports::leads_will_be_added_to_campaign(leads_added)
    } else {
        imports::leads_added_to_campaign(leads_added)
    };
    view! {
        <p data-test="import-added-to-campaign">
            {text} " "
            <a href=format!("/campaigns/{id}")>{name}</a>
        </p>
    }
    .into_any()
}

/// Link to the import whose rejected rows this import corrects.
fn corrects_link(import: ImportId) -> AnyView {
    view! {
        <p>
            <a href=format!("/imports/{import}") data-test="import-corrects">
                {imports::corrects(import)}
            </a>
        </p>
    }
    .into_any()
}

/// Filter for leads that have only undialable phone numbers.
const INVALID_PHONE_FILTER: &str = r#"{"not_callable_reason":"invalid_phone"}"#;

/// Number of rows with undialable phone numbers, and a link to them.
fn undialable_notice(counts: ImportCounts, dry_run: bool) -> Option<impl IntoView> {
    let details = || match dry_run {
        true => view! { <p>{imports::undialable_hint()}</p> }.into_any(),
        false => {
            view! { <p><a href=latest_list_url(INVALID_PHONE_FILTER)>{imports::show_undialable()}</a></p> }.into_any()
        }
    };
    (counts.undialable > 0).then(|| {
        view! {
            <div class="notice tone-warning" data-test="import-undialable">
                <Icon glyph=Glyph::Alert />
                <div class="notice-body">
                    <strong>{imports::undialable(counts.undialable)}</strong>
                    {details()}
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
