//! Undo of an import: its availability, its progress, and the records it skipped.

use leadscribe_engine::api::{
    ApiKeyId, Import, ImportKind, ImportState, ImportUndo, ImportUndoState, LeftReason, LeftRow, UserId,
};
use leptos::prelude::*;

use crate::components::dialog::confirm::Question;
use crate::components::icon::{Glyph, Icon};
use crate::components::progress_bar::{ProgressBar, percent};
use crate::components::prose::prose;
use crate::language::language;
use crate::session::use_session;
use crate::texts::imports;
use crate::when::{self, count};

/// Undo of the import or the rest of it, if currently possible.
pub fn possible(import: &Import) -> Option<&ImportUndo> {
    let changed_something = |undo: &&ImportUndo| undo.to_delete + undo.to_restore > 0;
    let is_possible = |undo: &&ImportUndo| matches!(undo.state, ImportUndoState::Possible | ImportUndoState::Cancelled);
    import.undo.as_ref().filter(|_| import.state != ImportState::Running).filter(is_possible).filter(changed_something)
}

/// Confirmation before an import is undone.
pub fn question(import: &Import) -> Question {
    let (deletes, restores) = import.undo.as_ref().map_or((0, 0), |undo| (undo.to_delete, undo.to_restore));
    // For the rest of an undo, deletions and restorations aren't counted separately.
    let rest = import.undo.as_ref().filter(|undo| undo.state == ImportUndoState::Cancelled);
    let rest = rest.map(|undo| imports::undo_rest((undo.to_delete + undo.to_restore).saturating_sub(done(undo))));
    let is_whole = rest.is_none();
    let sentences = [
        rest,
        (is_whole && deletes > 0).then(|| imports::undo_deletes(deletes)),
        (is_whole && restores > 0).then(|| imports::undo_restores(restores)),
        Some(imports::undo_leaves().to_owned()),
        import.campaign.is_some().then(|| imports::undo_takes_out().to_owned()),
        (deletes > 0).then(|| imports::undo_leaves_used(import.kind).to_owned()),
        Some(imports::undo_once().to_owned()),
    ];
    Question {
        title: imports::undo_title(&import.file_name),
        text: sentences.into_iter().flatten().collect::<Vec<_>>().join(" "),
        action: imports::undo_now(),
    }
}

/// Button that undoes an import, or the progress of its undo.
#[component]
pub fn UndoPart(import: Import, may_undo: bool, on_undo: Callback<Import>) -> impl IntoView {
    let report = import.undo.clone().filter(|undo| undo.state != ImportUndoState::Possible);
    let offer = possible(&import).filter(|_| may_undo).map(|undo| {
        let until = imports::undo_until(when::local(undo.kept_until));
        let label = match undo.state {
            ImportUndoState::Cancelled => imports::undo_the_rest(),
            _ => imports::undo_import(),
        };
        let asked = import.clone();
        view! {
            <div class="row import-actions">
                <button type="button" class="button" data-test="undo-import" on:click=move |_| on_undo.run(asked.clone())>
                    <Icon glyph=Glyph::Undo />
                    {label}
                </button>
                <span class="small secondary">{until}</span>
            </div>
        }
    });
    view! {
        {report.map(|undo| view! { <UndoReport undo /> })}
        {offer}
    }
    .into_any()
}

#[component]
fn UndoReport(undo: ImportUndo) -> impl IntoView {
    let session = use_session();
    let own = session.user().map(|user| user.id.subject()).unwrap_or_default();
    let who = actor(undo.by.as_deref().unwrap_or_default(), &own);
    let (done, all) = (done(&undo), undo.to_delete + undo.to_restore);
    let of_all = imports::undone_of(count(done), count(all));
    let head = match undo.finished_at {
        None if undo.state == ImportUndoState::Cancelled => view! {
            <p class="secondary" data-test="undo-cancelled">
                {imports::undo_cancelled()} " " {of_all}
            </p>
        }
        .into_any(),
        Some(at) => view! {
            <p class="secondary" title=undo.by.clone()>
                {imports::undone_by(&who, when::local(at))}
            </p>
        }
        .into_any(),
        None => view! {
            <p class="secondary" title=undo.by.clone()>
                {imports::being_undone_by(&who)} ". " {of_all}
            </p>
            <ProgressBar label=imports::being_undone() percent=percent(done, all) />
        }
        .into_any(),
    };
    let tile = |label: &'static str, number: u64, test: &'static str| {
        view! {
            <div class="tile">
                <dt>{label}</dt>
                <dd data-test=test>{count(number)}</dd>
            </div>
        }
    };
    view! {
        <div class="stack import-undo" data-test="import-undo" data-state=undo.state.as_str()>
            {head}
            <dl class="tiles">
                {tile(imports::deleted(), undo.deleted, "undo-deleted")}
                {tile(imports::restored(), undo.restored, "undo-restored")} {tile(imports::left(), undo.left, "undo-left")}
            </dl>
        </div>
    }
}

/// Number of records that the undo has processed.
fn done(undo: &ImportUndo) -> u64 {
    undo.deleted + undo.restored + undo.left
}

/// Display name of the actor, without information that only admins see. `own` is the reader's name in the log.
fn actor(actor: &str, own: &str) -> String {
    if actor == own {
        return imports::you().to_owned();
    }
    match actor.split_once(':') {
        Some((UserId::KIND, id)) => imports::member_of_staff(id),
        Some((ApiKeyId::KIND, id)) => imports::api_key(id),
        _ => actor.to_owned(),
    }
}

/// Records that the undo skipped, with the reason for each.
#[component]
pub fn LeftTable(total: u64, rows: Vec<LeftRow>) -> impl IntoView {
    let shown = rows.len() as u64;
    let lines = rows.into_iter().map(|row| {
        let name = name_of(&row);
        let thing = match place_of(&row) {
            Some(place) => view! { <a href=place>{name}</a> }.into_any(),
            None => name.into_any(),
        };
        let detail = (row.reason == LeftReason::Conflict).then(|| view! { " " {prose(&row.message.text(language()))} });
        view! {
            <tr data-test="left-row" data-reason=row.reason.as_str()>
                <td class="lead-cell" data-label=imports::what()>
                    {thing}
                </td>
                <td data-label=imports::why()>{imports::because(row.reason)} {detail}</td>
            </tr>
        }
    });
    view! {
        <section class="table-card as-cards" aria-label=imports::left()>
            <div class="card-head">
                <h2>{imports::rows_left(total)}</h2>
            </div>
            <div class="table-wrap" tabindex="0" role="region" aria-label=imports::rows_and_reasons()>
                <table class="table">
                    <thead>
                        <tr>
                            <th scope="col">{imports::what()}</th>
                            <th scope="col">{imports::why()}</th>
                        </tr>
                    </thead>
                    <tbody>{lines.collect_view()}</tbody>
                </table>
            </div>
            {(shown < total).then(|| view! { <p class="table-foot">{imports::first_left_shown(count(shown))}</p> })}
        </section>
    }
}

fn name_of(row: &LeftRow) -> String {
    match (row.kind, row.lead_id) {
        (ImportKind::Campaigns, _) => imports::campaign_numbered(row.id),
        (ImportKind::Leads, _) => imports::lead_numbered(row.id),
        (ImportKind::CampaignLeads, Some(lead)) => imports::campaign_lead_of(row.id, lead),
        (ImportKind::CampaignLeads, None) => imports::campaign_lead_numbered(row.id),
        (ImportKind::Calls, _) => imports::call_numbered(row.id),
    }
}

/// Path of the record's page; `None` if it was deleted.
fn place_of(row: &LeftRow) -> Option<String> {
    let (page, id) = match row.kind {
        ImportKind::Campaigns => ("campaigns", row.id),
        ImportKind::Leads | ImportKind::CampaignLeads => ("leads", row.lead_id?.0),
        ImportKind::Calls => ("calls", row.id),
    };
    (row.reason != LeftReason::Deleted).then(|| format!("/{page}/{id}"))
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::LeadId;

    use super::*;

    #[test]
    fn links_skipped_records_to_their_pages() {
        let row = |kind, reason, lead_id| LeftRow { kind, id: 7, lead_id, reason, message: "".into() };
        for (kind, place, name) in [
            (ImportKind::Campaigns, "/campaigns/7", "Campaign 7"),
            (ImportKind::Leads, "/leads/3", "Lead 7"),
            (ImportKind::CampaignLeads, "/leads/3", "Campaign lead 7, of lead 3"),
            (ImportKind::Calls, "/calls/7", "Call 7"),
        ] {
            let changed = row(kind, LeftReason::Changed, Some(LeadId(3)));
            assert_eq!((place_of(&changed).as_deref(), name_of(&changed).as_str()), (Some(place), name));
        }
        for kind in ImportKind::ALL {
            assert_eq!(place_of(&row(*kind, LeftReason::Deleted, None)), None, "{kind}");
        }
        let gone = row(ImportKind::CampaignLeads, LeftReason::Deleted, None);
        assert_eq!(name_of(&gone), "Campaign lead 7");
    }

    #[test]
    fn undo_actors_have_display_names() {
        for (name, said) in [("user:3", "you"), ("user:33", "user 33"), ("api_key:5", "API key 5"), ("demo", "demo")] {
            assert_eq!(actor(name, "user:3"), said);
        }
    }
}
