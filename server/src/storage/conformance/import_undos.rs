//! Tests of undoing imports.

use std::sync::Arc;

use leadscribe_engine::api::*;
use leadscribe_engine::record::{CallRecord, CampaignLeadRecord, CampaignRecord, LeadRecord};

use super::speech::{recorded, send};
use super::transcripts::transcribe;
use super::{
    ALL, Tested, a_call, a_recording, at, by, in_campaign, logged, new_campaign, new_lead, outcomes, refusal, text,
};
use crate::storage::{CallQuery, CampaignQuery, ImportBatch, ImportRows, NewImport, RecordingKey, Slice, UNDO_KEPT};

/// Runs an undoable import of these batches, one second apart from 10 seconds after noon, to its end.
pub(super) async fn imported(
    store: &Tested,
    kind: ImportKind,
    batches: impl IntoIterator<Item = ImportRows>,
) -> ImportId {
    let new = NewImport { undoable: true, ..NewImport::new(kind, "a.csv") };
    let mut import = store.create_import(&new, &by(10)).await.unwrap();
    for (rows, seconds) in batches.into_iter().zip(10_u32..) {
        store.import_batch(batch(import.id, seconds.into(), rows), &by(seconds.into())).await.unwrap();
    }
    import.state = ImportState::Completed;
    store.update_import(&import, &[], at(20)).await.unwrap();
    import.id
}

/// Batch of an undoable import, after which `rows_read` rows of the file are read.
fn batch(import: ImportId, rows_read: u64, rows: ImportRows) -> Arc<ImportBatch> {
    Arc::new(ImportBatch::new(import, rows_read, true, rows))
}

/// Undoes an import completely, an hour after noon.
pub(super) async fn undo(store: &Tested, id: ImportId) -> ImportUndo {
    store.begin_undo(id, &by(3_600)).await.unwrap().unwrap();
    while store.undo_import_step(id, at(3_601)).await.unwrap() {}
    undo_of(store, id).await
}

async fn undo_of(store: &Tested, id: ImportId) -> ImportUndo {
    store.import(id).await.unwrap().unwrap().undo.unwrap()
}

/// Numbers of deleted, restored and unchanged records.
pub(super) fn counts(undo: &ImportUndo) -> [u64; 3] {
    [undo.deleted, undo.restored, undo.left]
}

/// Ids of the unchanged records, with the reasons.
pub(super) async fn left(store: &Tested, id: ImportId) -> Vec<(i64, LeftReason)> {
    let page = store.left_rows(id, ALL).await.unwrap();
    assert_eq!(page.total, page.items.len() as u64);
    page.items.into_iter().map(|row| (row.id, row.reason)).collect()
}

async fn lead(store: &Tested, id: LeadId) -> Option<Lead> {
    Some(store.lead(id, at(0)).await.unwrap()?.leads[0].lead.to_lead())
}

/// Number of leads that match a filter, from the lead index or the database.
async fn found(store: &Tested, filter: &str) -> u64 {
    let filter = leadscribe_engine::filter::read(filter, &leadscribe_engine::filter::Limits::default()).unwrap();
    store.look_up(&filter, at(0)).await.unwrap().total
}

fn city(id: Option<LeadId>, city: &str) -> LeadRecord {
    LeadRecord { id, city: text(city), ..LeadRecord::default() }
}

pub async fn import_is_undone_completely(store: Tested) {
    let exact = LeadRecord { lat: Some(Some(52.520_006_599_999_995)), ..city(None, "Bonn") };
    let (first, second) = (new_lead(&store, exact).await, new_lead(&store, city(None, "Köln")).await);
    let before = [lead(&store, first).await.unwrap(), lead(&store, second).await.unwrap()];
    let new_lat = LeadRecord { lat: Some(Some(1.5)), last_name: text("Moved"), ..city(Some(first), "Rome") };
    // A row with an id among rows without one, and a row without changes.
    let rows = vec![
        city(None, "Rome"),
        new_lat,
        city(Some(LeadId(40)), "Rome"),
        city(None, "Rome"),
        city(Some(second), "Köln"),
    ];
    let id = imported(&store, ImportKind::Leads, [ImportRows::Leads(rows, None)]).await;
    assert_eq!(found(&store, r#"{"city":"Rome"}"#).await, 4);
    let possible = undo_of(&store, id).await;
    assert_eq!((possible.state, possible.to_delete, possible.to_restore), (ImportUndoState::Possible, 3, 1));
    assert_eq!(possible.kept_until, at(10) + UNDO_KEPT);

    let logged_before = logged(&store).await.len();
    let begun = store.begin_undo(id, &by(100)).await.unwrap().unwrap().undo.unwrap();
    assert_eq!((begun.state, begun.by.as_deref()), (ImportUndoState::Running, Some("user:1")));
    assert!(!store.undo_import_step(id, at(200)).await.unwrap());
    let undone = undo_of(&store, id).await;
    let expected = ImportUndo {
        state: ImportUndoState::Completed,
        started_at: Some(at(100)),
        finished_at: Some(at(200)),
        deleted: 3,
        restored: 1,
        ..begun
    };
    assert_eq!(undone, expected);
    assert_eq!(found(&store, r#"{"city":"Rome"}"#).await, 0);
    assert_eq!(found(&store, r#"{"limit":"1;0"}"#).await, 2);
    let [first_before, second_before] = before;
    // The restore has a new time of change for clients that poll; everything else is exactly as before.
    let restored = Lead { updated_at: at(200), global_updated_at: at(200), ..first_before };
    assert_eq!(lead(&store, first).await, Some(restored));
    assert_eq!(lead(&store, second).await, Some(second_before));
    assert_eq!(left(&store, id).await, []);
    assert_eq!(logged(&store).await[logged_before..], [format!("import.undo import:{id}")]);
    assert!(!store.undo_import_step(id, at(300)).await.unwrap(), "nothing is left to do");
    // Its id is never reused.
    assert!(new_lead(&store, LeadRecord::default()).await.0 > 40);
}

pub async fn lead_history_lists_imports(store: Tested) {
    let spring = new_campaign(&store, "Spring").await;
    let (changed, same) = (new_lead(&store, city(None, "Ulm")).await, new_lead(&store, city(None, "Ulm")).await);
    let leads = ImportRows::Leads(vec![city(Some(changed), "Bonn"), city(Some(same), "Ulm")], None);
    let leads = imported(&store, ImportKind::Leads, [leads]).await;
    let put_in = ImportRows::CampaignLeads(vec![in_campaign(same, spring)]);
    let put_in = imported(&store, ImportKind::CampaignLeads, [put_in]).await;

    let history = async |lead: LeadId| -> Vec<(String, Option<String>)> {
        let entries = store.lead_history(lead, ALL).await.unwrap().items.into_iter();
        entries
            .filter(|entry| entry.action == "import.create")
            .map(|entry| (entry.subject, entry.subject_name))
            .collect()
    };
    let by = |import: ImportId| vec![(import.subject(), Some("a.csv".to_owned()))];
    assert_eq!(history(changed).await, by(leads));
    // A row without changes is not listed.
    assert_eq!(history(same).await, by(put_in));
    undo(&store, leads).await;
    assert_eq!(history(changed).await, []);
}

pub async fn every_kind_of_import_is_undone(store: Tested) {
    let (spring, one) = (new_campaign(&store, "Spring").await, new_lead(&store, LeadRecord::default()).await);
    let kept = store.create_campaign_lead(in_campaign(one, spring), &by(0)).await.unwrap();
    let call = store.create_call(CallRecord { original_identifier: text("x"), ..a_call() }, &by(0)).await.unwrap();
    let campaign = store.campaign(spring).await.unwrap().unwrap();

    let named = |id, name: &str| CampaignRecord { id, name: Some(name.to_owned()), ..CampaignRecord::default() };
    let rows = vec![named(Some(spring), "Summer"), named(None, "Autumn"), named(None, "Winter")];
    let campaigns = imported(&store, ImportKind::Campaigns, [ImportRows::Campaigns(rows)]).await;
    let autumn = store
        .campaigns(&CampaignQuery { search: text("autumn").flatten(), ..CampaignQuery::default() }, ALL)
        .await
        .unwrap()
        .items[0]
        .id;

    let hot = CampaignLeadRecord { status: Some("hot".to_owned()), weight: Some(9), ..in_campaign(one, spring) };
    let moved = CampaignLeadRecord { id: Some(kept.id), campaign_id: Some(autumn), ..CampaignLeadRecord::default() };
    let rows = vec![hot, moved, in_campaign(one, spring)];
    let campaign_leads = imported(&store, ImportKind::CampaignLeads, [ImportRows::CampaignLeads(rows)]).await;
    assert_eq!(found(&store, &format!(r#"{{"campaign_id":{autumn}}}"#)).await, 1);

    let answered = CallRecord { original_identifier: text("x"), agent: text("Grace"), ..CallRecord::default() };
    let rows = vec![CallRecord { lead_id: Some(Some(one)), ..a_call() }, answered];
    let calls = imported(&store, ImportKind::Calls, [ImportRows::Calls(rows)]).await;
    assert_eq!(store.calls(&CallQuery::default(), ALL).await.unwrap().total, 2);

    assert_eq!(counts(&undo(&store, calls).await), [1, 1, 0]);
    assert_eq!(store.calls(&CallQuery::default(), ALL).await.unwrap().items, [call]);
    // The created campaign lead uses the pair that the other released, so it is deleted before the other is restored.
    assert_eq!(counts(&undo(&store, campaign_leads).await), [1, 1, 0]);
    let restored = CampaignLead { updated_at: at(3_601), ..kept };
    assert_eq!(store.campaign_lead(restored.id).await.unwrap(), Some(restored));
    assert_eq!(found(&store, &format!(r#"{{"campaign_id":{autumn}}}"#)).await, 0);
    assert!(store.statuses().await.unwrap().iter().any(|status| status.name == "hot"), "statuses stay");
    assert_eq!(counts(&undo(&store, campaigns).await), [2, 1, 0]);
    let restored = Campaign { updated_at: at(3_601), ..campaign };
    assert_eq!(store.campaigns(&CampaignQuery::default(), ALL).await.unwrap().items, [restored]);
}

pub async fn undo_leaves_changed_or_used_records(store: Tested) {
    let spring = new_campaign(&store, "Spring").await;
    let (other, gone) = (new_lead(&store, city(None, "Bonn")).await, new_lead(&store, city(None, "Bonn")).await);
    let mut rows: Vec<_> = (11..=16).map(|id| city(Some(LeadId(id)), "Rome")).collect();
    rows.extend([city(Some(other), "Rome"), city(Some(gone), "Rome")]);
    let leads = imported(&store, ImportKind::Leads, [ImportRows::Leads(rows, None)]).await;
    store
        .update_lead(LeadId(11), LeadRecord { state: text("NW"), ..LeadRecord::default() }, None, None, &by(50))
        .await
        .unwrap();
    store.create_campaign_lead(in_campaign(LeadId(12), spring), &by(50)).await.unwrap();
    store.create_call(CallRecord { lead_id: Some(Some(LeadId(13))), ..a_call() }, &by(50)).await.unwrap();
    store.delete_lead(LeadId(14), &by(50)).await.unwrap();
    store.delete_lead(gone, &by(50)).await.unwrap();
    // Changes a field that the import didn't: the undo restores the imported field and keeps this change.
    store
        .update_lead(other, LeadRecord { state: text("NW"), ..LeadRecord::default() }, None, None, &by(50))
        .await
        .unwrap();
    assert_eq!(counts(&undo(&store, leads).await), [2, 1, 5]);
    use LeftReason::{Changed, Deleted, HasCalls, HasLeads, InCampaign, Transcribed};
    assert_eq!(
        left(&store, leads).await,
        [(gone.0, Deleted), (11, Changed), (12, InCampaign), (13, HasCalls), (14, Deleted)]
    );
    let page = store.left_rows(leads, Slice { count: 1, offset: 1 }).await.unwrap();
    let expected = LeftRow {
        kind: ImportKind::Leads,
        id: 11,
        lead_id: Some(LeadId(11)),
        reason: Changed,
        message: "somebody changed it since".into(),
    };
    assert_eq!((page.items, page.total), (vec![expected], 5));
    let now = lead(&store, other).await.unwrap();
    assert_eq!((now.city.as_deref(), now.state.as_deref()), (Some("Bonn"), Some("NW")));

    let named = |id, name: &str| CampaignRecord {
        id: Some(CampaignId(id)),
        name: Some(name.to_owned()),
        ..CampaignRecord::default()
    };
    let rows = vec![named(21, "A"), named(22, "B"), named(23, "C")];
    let campaigns = imported(&store, ImportKind::Campaigns, [ImportRows::Campaigns(rows)]).await;
    store.create_campaign_lead(in_campaign(other, CampaignId(21)), &by(50)).await.unwrap();
    store.create_call(CallRecord { campaign_id: Some(Some(CampaignId(22))), ..a_call() }, &by(50)).await.unwrap();
    assert_eq!(counts(&undo(&store, campaigns).await), [1, 0, 2]);
    assert_eq!(left(&store, campaigns).await, [(21, HasLeads), (22, HasCalls)]);

    let inside = CampaignLeadRecord { id: Some(CampaignLeadId(31)), ..in_campaign(LeadId(11), spring) };
    let rows = ImportRows::CampaignLeads(vec![inside]);
    let campaign_leads = imported(&store, ImportKind::CampaignLeads, [rows]).await;
    let of_it = CallRecord { campaign_lead_id: Some(Some(CampaignLeadId(31))), ..a_call() };
    store.create_call(of_it, &by(50)).await.unwrap();
    assert_eq!(counts(&undo(&store, campaign_leads).await), [0, 0, 1]);
    assert_eq!(store.left_rows(campaign_leads, ALL).await.unwrap().items[0].lead_id, Some(LeadId(11)));

    let rows = (41..=43).map(|id| CallRecord { id: Some(CallId(id)), ..a_call() }).collect();
    let calls = imported(&store, ImportKind::Calls, [ImportRows::Calls(rows)]).await;
    let key = RecordingKey("41".to_owned());
    store.set_recording(CallId(41), &a_recording(60.0, 2), Some(&key), &by(50)).await.unwrap();
    store.update_call(CallId(42), CallRecord { agent: text("Bo"), ..CallRecord::default() }, &by(50)).await.unwrap();
    assert_eq!(counts(&undo(&store, calls).await), [2, 0, 1], "the recording goes with its call");
    assert_eq!(left(&store, calls).await, [(42, Changed)]);
    assert_eq!(store.recording_key(CallId(41)).await.unwrap(), None);

    // A call from before the import is restored even if it was transcribed. A call that the import created was submitted to speech
    // recognition, although none of its members shows that any more.
    let before = recorded(&store, 0, 60.0, 2).await;
    let agent = |id| CallRecord { id: Some(CallId(id)), agent: text("Bo"), ..a_call() };
    let rows = ImportRows::Calls(vec![agent(before), agent(51)]);
    let calls = imported(&store, ImportKind::Calls, [rows]).await;
    let key = RecordingKey("51".to_owned());
    store.set_recording(CallId(51), &a_recording(60.0, 2), Some(&key), &by(50)).await.unwrap();
    send(&store, &[before, 51]).await;
    for _ in [before, 51] {
        transcribe(&store, Vec::new(), 60).await;
    }
    assert!(store.forget_recording(CallId(51), &key, &by(70)).await.unwrap());
    assert_eq!(counts(&undo(&store, calls).await), [0, 1, 1]);
    assert_eq!(left(&store, calls).await, [(51, Transcribed)]);
    let now = store.call(CallId(before)).await.unwrap().unwrap();
    assert_eq!((now.agent, now.recording.state), (None, RecordingState::Ready));
}

pub async fn undo_journal_forgets_deleted_leads(store: Tested) {
    let spring = new_campaign(&store, "Spring").await;
    let known = new_lead(&store, city(None, "Bonn")).await;
    let made = |id| LeadRecord { updated_at: Some(at(10)), ..city(Some(LeadId(id)), "Rome") };
    let rows = ImportRows::Leads(vec![city(Some(known), "Rome"), made(40), made(41)], None);
    let leads = imported(&store, ImportKind::Leads, [rows]).await;
    let inside = |id, lead| CampaignLeadRecord {
        id: Some(CampaignLeadId(id)),
        updated_at: Some(at(10)),
        ..in_campaign(LeadId(lead), spring)
    };
    let rows = ImportRows::CampaignLeads(vec![inside(50, 40), inside(51, 41)]);
    let put_in = imported(&store, ImportKind::CampaignLeads, [rows]).await;
    for id in [known, LeadId(40)] {
        assert!(store.delete_lead(id, &by(50)).await.unwrap());
    }
    assert!(store.delete_campaign_lead(CampaignLeadId(51), &by(50)).await.unwrap());
    // The undo remembers the record and distinguishes it from a new one with the same id and the same values.
    store.create_lead(made(40), &by(60)).await.unwrap();
    store.create_campaign_lead(inside(50, 40), &by(60)).await.unwrap();
    let possible = undo_of(&store, leads).await;
    assert_eq!((possible.to_delete, possible.to_restore), (2, 1));
    use LeftReason::{Changed, Deleted};
    assert_eq!(counts(&undo(&store, put_in).await), [0, 0, 2]);
    assert_eq!(left(&store, put_in).await, [(50, Changed), (51, Deleted)]);
    assert_eq!(counts(&undo(&store, leads).await), [1, 0, 2]);
    assert_eq!(left(&store, leads).await, [(known.0, Deleted), (40, Changed)]);
}

pub async fn undo_restores_the_first_of_repeated_values(store: Tested) {
    let known = LeadRecord { original_identifier: text("k"), ..city(None, "Bonn") };
    let id = new_lead(&store, known).await;
    let row = |identifier: &str, city: &str, last_name: &str| LeadRecord {
        original_identifier: text(identifier),
        city: text(city),
        last_name: text(last_name),
        ..LeadRecord::default()
    };
    // Within one batch and across batches, for an existing lead and for one that the import creates.
    let first = vec![row("k", "Rome", "A"), row("new", "Rome", "A"), row("k", "Oslo", "A"), row("new", "Oslo", "A")];
    let second = vec![row("k", "Bern", "B"), row("new", "Bern", "B")];
    let import =
        imported(&store, ImportKind::Leads, [ImportRows::Leads(first, None), ImportRows::Leads(second, None)]).await;
    let possible = undo_of(&store, import).await;
    assert_eq!((possible.to_delete, possible.to_restore), (1, 1));
    assert_eq!(counts(&undo(&store, import).await), [1, 1, 0]);
    let now = lead(&store, id).await.unwrap();
    assert_eq!((now.city.as_deref(), now.last_name), (Some("Bonn"), None));
    assert_eq!(found(&store, r#"{"original_identifier":"new"}"#).await, 0);

    // Deleted during the import, and created again by a later batch.
    let new = NewImport { undoable: true, ..NewImport::new(ImportKind::Leads, "") };
    let mut import = store.create_import(&new, &by(4_000)).await.unwrap();
    let changed = || ImportRows::Leads(vec![city(Some(id), "Wien")], None);
    store.import_batch(batch(import.id, 1, changed()), &by(4_000)).await.unwrap();
    store.delete_lead(id, &by(4_001)).await.unwrap();
    store.import_batch(batch(import.id, 2, changed()), &by(4_002)).await.unwrap();
    import.state = ImportState::Completed;
    store.update_import(&import, &[], at(4_003)).await.unwrap();
    let possible = undo_of(&store, import.id).await;
    assert_eq!((possible.to_delete, possible.to_restore), (1, 0));
    assert_eq!(counts(&undo(&store, import.id).await), [1, 0, 0]);
    assert_eq!(lead(&store, id).await, None);
}

pub async fn undo_restores_names_passed_between_records(store: Tested) {
    for name in ["A", "B", "C"] {
        new_campaign(&store, name).await;
    }
    let named = |id, name: &str| CampaignRecord {
        id: Some(CampaignId(id)),
        name: Some(name.to_owned()),
        ..CampaignRecord::default()
    };
    let rows = vec![named(3, "D"), named(2, "C"), named(1, "B")];
    let import = imported(&store, ImportKind::Campaigns, [ImportRows::Campaigns(rows)]).await;
    assert_eq!(counts(&undo(&store, import).await), [0, 3, 0]);
    let names = async || {
        let page = store.campaigns(&CampaignQuery::default(), ALL).await.unwrap();
        page.items.into_iter().map(|campaign| campaign.name).collect::<Vec<_>>()
    };
    assert_eq!(names().await, ["A", "B", "C"]);

    let import = imported(&store, ImportKind::Campaigns, [ImportRows::Campaigns(vec![named(1, "Z")])]).await;
    new_campaign(&store, "A").await;
    assert_eq!(counts(&undo(&store, import).await), [0, 0, 1]);
    let row = store.left_rows(import, ALL).await.unwrap().items.remove(0);
    assert_eq!((row.id, row.lead_id, row.reason), (1, None, LeftReason::Conflict));
    assert_eq!(row.message, "name `A` is already used by campaign 4");
    assert_eq!(names().await, ["Z", "B", "C", "A"]);
}

pub async fn undo_runs_in_steps(store: Tested) {
    let rows = (0..1_200).map(|_| city(None, "Rome")).collect();
    let import = imported(&store, ImportKind::Leads, [ImportRows::Leads(rows, None)]).await;
    assert_eq!(store.stalled_undos(at(9_999)).await.unwrap(), []);
    store.begin_undo(import, &by(100)).await.unwrap().unwrap();
    assert!(store.undo_import_step(import, at(110)).await.unwrap());
    assert_eq!(counts(&undo_of(&store, import).await), [500, 0, 0]);
    assert_eq!(found(&store, r#"{"city":"Rome"}"#).await, 700);
    assert_eq!(store.stalled_undos(at(109)).await.unwrap(), []);
    assert_eq!(store.stalled_undos(at(110)).await.unwrap(), [import]);
    // Two concurrent processes undo nothing twice.
    let go_on = async || while store.undo_import_step(import, at(120)).await.unwrap() {};
    tokio::join!(go_on(), go_on());
    assert_eq!(counts(&undo_of(&store, import).await), [1_200, 0, 0]);
    assert_eq!(store.stalled_undos(at(9_999)).await.unwrap(), []);
    assert_eq!(found(&store, r#"{"city":"Rome"}"#).await, 0);
}

pub async fn cancelled_undo_can_be_continued(store: Tested) {
    let rows = (0..1_200).map(|_| city(None, "Rome")).collect();
    let import = imported(&store, ImportKind::Leads, [ImportRows::Leads(rows, None)]).await;
    let refused = async || refusal(store.cancel_undo(import, &by(90)).await).0;
    assert_eq!(refused().await, "ended", "it wasn't begun");
    assert_eq!(store.cancel_undo(ImportId(99), &by(90)).await.unwrap(), None);

    let possible = undo_of(&store, import).await;
    store.begin_undo(import, &by(100)).await.unwrap().unwrap();
    let untouched = store.cancel_undo(import, &by(101)).await.unwrap().unwrap();
    assert_eq!(untouched.undo, Some(possible), "nothing was undone");

    store.begin_undo(import, &by(102)).await.unwrap().unwrap();
    assert!(store.undo_import_step(import, at(103)).await.unwrap());
    let cancelled = store.cancel_undo(import, &by(104)).await.unwrap().unwrap().undo.unwrap();
    assert_eq!((cancelled.state, counts(&cancelled)), (ImportUndoState::Cancelled, [500, 0, 0]));
    assert_eq!((cancelled.by.as_deref(), cancelled.started_at), (Some("user:1"), None));
    assert!(!store.undo_import_step(import, at(105)).await.unwrap(), "it stands still");
    assert_eq!(store.stalled_undos(at(9_999)).await.unwrap(), []);
    assert_eq!(refused().await, "ended");
    assert_eq!(found(&store, r#"{"city":"Rome"}"#).await, 700);

    assert_eq!(counts(&undo(&store, import).await), [1_200, 0, 0]);
    assert_eq!(refused().await, "ended");
    assert_eq!(found(&store, r#"{"city":"Rome"}"#).await, 0);
    let entries =
        ["undo", "cancel_undo", "undo", "cancel_undo", "undo"].map(|verb| format!("import.{verb} import:{import}"));
    assert!(logged(&store).await.ends_with(&entries));
}

pub async fn retried_batch_is_imported_once(store: Tested) {
    let new = NewImport { undoable: true, ..NewImport::new(ImportKind::Leads, "") };
    let mut import = store.create_import(&new, &by(0)).await.unwrap();
    // The rows alone don't show that they were imported before.
    let rows = || ImportRows::Leads(vec![city(None, "Rome"), city(None, "Rome")], None);
    let first = batch(import.id, 2, rows());
    let outcome = store.import_batch(first.clone(), &by(1)).await.unwrap();
    assert_eq!(outcomes(&outcome.rows), ["inserted", "inserted"]);
    assert_eq!(store.import_batch(first.clone(), &by(2)).await.unwrap(), outcome);
    store.import_batch(batch(import.id, 4, rows()), &by(3)).await.unwrap();
    assert_eq!(store.import_batch(first, &by(4)).await.unwrap(), outcome);
    // A new batch with the same position fails, because its outcome isn't known.
    assert!(store.import_batch(batch(import.id, 4, rows()), &by(5)).await.is_err());
    assert!(store.import_batch(batch(ImportId(99), 2, rows()), &by(5)).await.is_err());
    assert_eq!(found(&store, r#"{"city":"Rome"}"#).await, 4);
    assert_eq!(undo_of(&store, import.id).await.to_delete, 4);
    // Counts are updated with each batch, in case the process crashes before progress is saved.
    let counted = store.import(import.id).await.unwrap().unwrap().counts;
    assert_eq!((counted.read, counted.inserted), (4, 4));

    import.state = ImportState::Completed;
    let row = |line| RejectedRow { line, faults: Vec::new(), row: "x".to_owned() };
    for _ in 0..2 {
        store.update_import(&import, &[row(3), row(4)], at(6)).await.unwrap();
    }
    store.update_import(&import, &[row(7)], at(7)).await.unwrap();
    assert_eq!(store.rejected_rows(import.id, ALL).await.unwrap().items, [row(3), row(4), row(7)]);
    assert_eq!(counts(&undo(&store, import.id).await), [4, 0, 0]);
}

pub async fn undo_is_refused_if_impossible(store: Tested) {
    let rows = || ImportRows::Leads(vec![city(None, "Rome")], None);
    let refused = async |id| refusal(store.begin_undo(id, &by(60)).await).0;
    let new = NewImport { undoable: true, ..NewImport::new(ImportKind::Leads, "") };
    let mut running = store.create_import(&new, &by(0)).await.unwrap();
    store.import_batch(batch(running.id, 1, rows()), &by(1)).await.unwrap();
    assert_eq!(refused(running.id).await, "running");
    let mut plain = store.create_import(&NewImport { undoable: false, ..new.clone() }, &by(0)).await.unwrap();
    plain.state = ImportState::Completed;
    store.update_import(&plain, &[], at(2)).await.unwrap();
    assert_eq!((plain.undo, refused(plain.id).await.as_str()), (None, "not_kept"));
    let dry = store.create_import(&NewImport { dry_run: true, ..new }, &by(0)).await.unwrap();
    assert_eq!(dry.undo, None);
    assert_eq!(store.begin_undo(ImportId(99), &by(60)).await.unwrap(), None);
    assert_eq!(store.left_rows(ImportId(99), ALL).await.unwrap().total, 0);

    running.state = ImportState::Failed;
    store.update_import(&running, &[], at(2)).await.unwrap();
    store.begin_undo(running.id, &by(60)).await.unwrap().unwrap();
    assert_eq!(refused(running.id).await, "undone");
    // A stalled process that continues changes nothing more.
    assert!(store.import_batch(batch(running.id, 2, rows()), &by(61)).await.is_err());
    assert_eq!(found(&store, r#"{"city":"Rome"}"#).await, 1);
    while store.undo_import_step(running.id, at(62)).await.unwrap() {}
    assert_eq!(refused(running.id).await, "undone");
    assert_eq!(found(&store, r#"{"city":"Rome"}"#).await, 0);
}

pub async fn undo_journal_is_purged(store: Tested) {
    let rows = |count| ImportRows::Leads((0..count).map(|_| city(None, "Rome")).collect(), None);
    let old = imported(&store, ImportKind::Leads, [rows(10_001)]).await;
    let undoing = imported(&store, ImportKind::Leads, [rows(2)]).await;
    store.begin_undo(undoing, &by(30)).await.unwrap().unwrap();
    let purge = async |before| store.purge_undo_journal(before, at(0)).await;
    assert_eq!(purge(at(10)).await.unwrap(), 0);
    assert_eq!(purge(at(11)).await.unwrap(), 10_000, "some at a time");
    assert_eq!(store.import(old).await.unwrap().unwrap().undo, None);
    assert_eq!(refusal(store.begin_undo(old, &by(40)).await).0, "not_kept");
    assert_eq!(purge(at(11)).await.unwrap(), 1);
    assert_eq!(purge(at(11)).await.unwrap(), 0);
    assert!(!store.undo_import_step(undoing, at(50)).await.unwrap());
    assert_eq!(counts(&undo_of(&store, undoing).await), [2, 0, 0]);
    assert_eq!(found(&store, r#"{"city":"Rome"}"#).await, 10_001);
}
