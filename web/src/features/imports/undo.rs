//! Undo of an import: its availability, its progress, and the records it skipped.

use leadscribe_engine::api::{
    ApiKeyId, Import, ImportKind, ImportState, ImportUndo, ImportUndoState, SkippedRecord, UndoSkipReason, UserId,
};
use leptos::prelude::*;

use super::report::tile;
use crate::api::use_session;
use crate::i18n::datetime::format_count;
use crate::i18n::texts::{common, imports};
use crate::i18n::{datetime, language};
use crate::ui::dialog::Question;
use crate::ui::prose::prose;
use crate::ui::{Glyph, Icon, ProgressBar, percent};

/// The import's undo, or the rest of a cancelled undo, if it is possible now.
pub fn available_undo(import: &Import) -> Option<&ImportUndo> {
    let has_changes = |undo: &&ImportUndo| undo.to_delete + undo.to_restore > 0;
    let is_possible = |undo: &&ImportUndo| matches!(undo.state, ImportUndoState::Possible | ImportUndoState::Cancelled);
    import.undo.as_ref().filter(|_| import.state != ImportState::Running).filter(is_possible).filter(has_changes)
}

/// Confirmation before an import is undone.
pub fn undo_question(import: &Import) -> Question {
    let (deletes, restores) = import.undo.as_ref().map_or((0, 0), |undo| (undo.to_delete, undo.to_restore));
    // For the rest of an undo, deletions and restorations aren't counted separately.
    let remaining = import.undo.as_ref().filter(|undo| undo.state == ImportUndoState::Cancelled);
    let remaining = remaining
        .map(|undo| imports::undo_remaining((undo.to_delete + undo.to_restore).saturating_sub(processed_count(undo))));
    let is_complete_undo = remaining.is_none();
    let sentences = [
        remaining,
        (is_complete_undo && deletes > 0).then(|| imports::undo_deletes(deletes)),
        (is_complete_undo && restores > 0).then(|| imports::undo_restores(restores)),
        Some(imports::undo_keeps_changed().to_owned()),
        import.campaign.is_some().then(|| imports::undo_removes_from_campaign().to_owned()),
        (deletes > 0).then(|| imports::undo_keeps_used(import.kind).to_owned()),
        Some(imports::undo_once().to_owned()),
    ];
    Question::new(
        imports::undo_title(&import.file_name),
        sentences.into_iter().flatten().collect::<Vec<_>>().join(" "),
        imports::undo_now(),
    )
}

/// Button that undoes an import, or the progress of its undo.
#[component]
pub fn UndoSection(import: Import, can_undo: bool, on_undo: Callback<Import>) -> impl IntoView {
    let report = import.undo.clone().filter(|undo| undo.state != ImportUndoState::Possible);
    let button = available_undo(&import).filter(|_| can_undo).map(|undo| {
        let until = imports::undo_until(datetime::format_local(undo.undoable_until));
        let label = match undo.state {
            ImportUndoState::Cancelled => imports::undo_the_rest(),
            _ => imports::undo_import(),
        };
        let import = import.clone();
        view! {
            <div class="row import-actions">
                <button type="button" class="button" data-test="undo-import" on:click=move |_| on_undo.run(import.clone())>
                    <Icon glyph=Glyph::Undo />
                    {label}
                </button>
                <span class="small secondary">{until}</span>
            </div>
        }
    });
    (report.map(|undo| view! { <UndoReport undo /> }), button).into_any()
}

#[component]
fn UndoReport(undo: ImportUndo) -> impl IntoView {
    let session = use_session();
    let current_actor = session.user().map(|user| user.id.subject()).unwrap_or_default();
    let actor = actor_name(undo.actor.as_deref().unwrap_or_default(), &current_actor);
    let (done, total) = (processed_count(&undo), undo.to_delete + undo.to_restore);
    let progress_text = imports::undo_progress(format_count(done), format_count(total));
    let is_running = undo.finished_at.is_none() && undo.state != ImportUndoState::Cancelled;
    let (test_id, text) = match undo.finished_at {
        Some(at) => (None, imports::undone_by(&actor, datetime::format_local(at))),
        None if is_running => (None, format!("{}. {progress_text}", imports::being_undone_by(&actor))),
        None => (Some("undo-cancelled"), format!("{} {progress_text}", imports::undo_cancelled())),
    };
    let actor = undo.actor.clone().filter(|_| test_id.is_none());
    view! {
        <div class="stack import-undo" data-test="import-undo" data-state=undo.state.as_str()>
            <p class="secondary" title=actor data-test=test_id>
                {text}
            </p>
            {is_running.then(|| view! { <ProgressBar label=imports::being_undone() percent=percent(done, total) /> })}
            <dl class="tiles">
                {tile(imports::deleted(), undo.deleted, "undo-deleted")}
                {tile(imports::restored(), undo.restored, "undo-restored")} {tile(imports::kept(), undo.skipped, "undo-skipped")}
            </dl>
        </div>
    }
}

/// Number of records that the undo has processed.
fn processed_count(undo: &ImportUndo) -> u64 {
    undo.deleted + undo.restored + undo.skipped
}

/// Display name of the actor, without information that only admins see. `current_actor` is the logged-in user's name in
/// the log.
fn actor_name(actor: &str, current_actor: &str) -> String {
    if actor == current_actor {
        return imports::you().to_owned();
    }
    match actor.split_once(':') {
        Some((UserId::KIND, id)) => imports::user_number(id),
        Some((ApiKeyId::KIND, id)) => common::api_key_number(id),
        _ => actor.to_owned(),
    }
}

/// Records that the undo skipped, with the reason for each.
#[component]
pub fn SkippedTable(total: u64, rows: Vec<SkippedRecord>) -> impl IntoView {
    let shown_count = rows.len() as u64;
    let row_views = rows.into_iter().map(|row| {
        let name = record_name(&row);
        let record = match record_href(&row) {
            Some(href) => view! { <a href=href>{name}</a> }.into_any(),
            None => name.into_any(),
        };
        view! {
            <tr data-test="skipped-row" data-reason=row.reason.as_str()>
                <td class="lead-cell" data-label=imports::record()>
                    {record}
                </td>
                <td data-label=common::reason()>{prose(&row.message.text(language()))}</td>
            </tr>
        }
    });
    view! {
        <section class="table-card mobile-cards" aria-label=imports::kept()>
            <div class="card-header">
                <h2>{imports::records_kept(total)}</h2>
            </div>
            <div class="table-wrap" tabindex="0" role="region" aria-label=imports::rows_and_reasons()>
                <table class="table">
                    <thead>
                        <tr>
                            <th scope="col">{imports::record()}</th>
                            <th scope="col">{common::reason()}</th>
                        </tr>
                    </thead>
                    <tbody>{row_views.collect_view()}</tbody>
                </table>
            </div>
            {(shown_count < total).then(|| view! { <p class="table-footer">{imports::first_kept_shown(format_count(shown_count))}</p> })}
        </section>
    }
}

fn record_name(row: &SkippedRecord) -> String {
    match (row.kind, row.lead_id) {
        (ImportKind::Campaigns, _) => common::campaign_number(row.id),
        (ImportKind::Leads, _) => common::lead_number(row.id),
        (ImportKind::CampaignLeads, Some(lead)) => imports::campaign_lead_of(row.id, lead),
        (ImportKind::CampaignLeads, None) => imports::campaign_lead_numbered(row.id),
        (ImportKind::Calls, _) => common::call_number(row.id),
    }
}

/// Path of the record's page; `None` if it was deleted.
fn record_href(row: &SkippedRecord) -> Option<String> {
    let (page, id) = match row.kind {
        ImportKind::Campaigns => ("campaigns", row.id),
        ImportKind::Leads | ImportKind::CampaignLeads => ("leads", row.lead_id?.0),
        ImportKind::Calls => ("calls", row.id),
    };
    (row.reason != UndoSkipReason::Deleted).then(|| format!("/{page}/{id}"))
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::LeadId;
    use leadscribe_engine::diagnostic::conflict;

    use crate::features::imports::undo::*;

    #[test]
    fn links_skipped_records_to_their_pages() {
        let row =
            |kind, reason, lead_id| SkippedRecord { kind, id: 7, lead_id, reason, message: conflict::has_calls_now() };
        for (kind, href, name) in [
            (ImportKind::Campaigns, "/campaigns/7", "Campaign 7"),
            (ImportKind::Leads, "/leads/3", "Lead 7"),
            (ImportKind::CampaignLeads, "/leads/3", "Campaign lead 7, of lead 3"),
            (ImportKind::Calls, "/calls/7", "Call 7"),
        ] {
            let changed = row(kind, UndoSkipReason::Changed, Some(LeadId(3)));
            assert_eq!((record_href(&changed).as_deref(), record_name(&changed).as_str()), (Some(href), name));
            assert_eq!(record_href(&row(kind, UndoSkipReason::Deleted, None)), None, "{kind}");
        }
    }
}
