//! Tests of undoing imports.

use std::sync::Arc;

use leadscribe_engine::api::*;
use leadscribe_engine::diagnostic::conflict;
use leadscribe_engine::record::{CallRecord, CampaignLeadRecord, CampaignRecord, LeadRecord};

use super::speech::{create_recorded_call, submit_calls};
use super::transcripts::transcribe;
use super::{
    FIRST_1000, TestStore, at, audit_at, audit_lines, call_record, campaign_lead_record, new_campaign, new_lead,
    outcomes, ready_recording, refusal, refused_diagnostic, text,
};
use crate::storage::{
    CallQuery, CampaignQuery, ImportBatch, ImportRows, NewImport, RecordingKey, Slice, UNDO_RETENTION,
};

/// Runs an undoable import of these batches to its end. The first is imported 10 seconds after noon, and each following
/// one a second later.
pub(super) async fn run_import(
    store: &TestStore,
    kind: ImportKind,
    batches: impl IntoIterator<Item = ImportRows>,
) -> ImportId {
    let new = NewImport { is_undoable: true, ..NewImport::new(kind, "a.csv") };
    let mut import = store.create_import(&new, &audit_at(10)).await.unwrap();
    for (rows, seconds) in batches.into_iter().zip(10_u32..) {
        store.import_batch(undoable_batch(import.id, seconds.into(), rows), &audit_at(seconds.into())).await.unwrap();
    }
    import.state = ImportState::Completed;
    store.update_import(&import, &[], at(20)).await.unwrap();
    import.id
}

/// Batch of an undoable import, after which `rows_read` rows of the file are read.
fn undoable_batch(import: ImportId, rows_read: u64, rows: ImportRows) -> Arc<ImportBatch> {
    Arc::new(ImportBatch::new(import, rows_read, true, rows))
}

/// Undoes an import completely, an hour after noon.
pub(super) async fn undo_completely(store: &TestStore, id: ImportId) -> ImportUndo {
    store.begin_undo(id, &audit_at(3_600)).await.unwrap().unwrap();
    while store.undo_import_step(id, at(3_601)).await.unwrap() {}
    load_undo(store, id).await
}

async fn load_undo(store: &TestStore, id: ImportId) -> ImportUndo {
    store.import(id).await.unwrap().unwrap().undo.unwrap()
}

/// Numbers of deleted, restored and skipped records.
pub(super) fn undo_totals(undo: &ImportUndo) -> [u64; 3] {
    [undo.deleted, undo.restored, undo.skipped]
}

/// Ids of the skipped records, with the reasons.
pub(super) async fn skipped_records(store: &TestStore, id: ImportId) -> Vec<(i64, UndoSkipReason)> {
    let page = store.rows_skipped_by_undo(id, FIRST_1000).await.unwrap();
    assert_eq!(page.total, page.items.len() as u64);
    page.items.into_iter().map(|row| (row.id, row.reason)).collect()
}

async fn find_lead(store: &TestStore, id: LeadId) -> Option<Lead> {
    Some(store.lead(id, at(0)).await.unwrap()?.leads[0].lead.to_lead())
}

/// Number of leads that match a filter, from the lead index or the database.
async fn count_matches(store: &TestStore, filter: &str) -> u64 {
    let filter =
        leadscribe_engine::filter::parse_and_check(filter, &leadscribe_engine::filter::Limits::default()).unwrap();
    store.look_up(&filter, at(0)).await.unwrap().total
}

fn lead_in_city(id: Option<LeadId>, city: &str) -> LeadRecord {
    LeadRecord { id, city: text(city), ..LeadRecord::default() }
}

pub async fn import_is_undone_completely(store: TestStore) {
    let with_latitude = LeadRecord { lat: Some(Some(52.520_006_599_999_995)), ..lead_in_city(None, "Bonn") };
    let (first, second) = (new_lead(&store, with_latitude).await, new_lead(&store, lead_in_city(None, "Köln")).await);
    let before = [find_lead(&store, first).await.unwrap(), find_lead(&store, second).await.unwrap()];
    let new_lat = LeadRecord { lat: Some(Some(1.5)), last_name: text("Moved"), ..lead_in_city(Some(first), "Rome") };
    // A row with an id among rows without one, and a row without changes.
    let rows = vec![
        lead_in_city(None, "Rome"),
        new_lat,
        lead_in_city(Some(LeadId(40)), "Rome"),
        lead_in_city(None, "Rome"),
        lead_in_city(Some(second), "Köln"),
    ];
    let id = run_import(&store, ImportKind::Leads, [ImportRows::Leads(rows, None)]).await;
    assert_eq!(count_matches(&store, r#"{"city":"Rome"}"#).await, 4);
    let undo_before = load_undo(&store, id).await;
    assert_eq!((undo_before.state, undo_before.to_delete, undo_before.to_restore), (ImportUndoState::Possible, 3, 1));
    assert_eq!(undo_before.undoable_until, at(10) + UNDO_RETENTION);

    let logged_before = audit_lines(&store).await.len();
    let running = store.begin_undo(id, &audit_at(100)).await.unwrap().unwrap().undo.unwrap();
    assert_eq!((running.state, running.actor.as_deref()), (ImportUndoState::Running, Some("user:1")));
    assert!(!store.undo_import_step(id, at(200)).await.unwrap());
    let completed = load_undo(&store, id).await;
    let expected = ImportUndo {
        state: ImportUndoState::Completed,
        started_at: Some(at(100)),
        finished_at: Some(at(200)),
        deleted: 3,
        restored: 1,
        ..running
    };
    assert_eq!(completed, expected);
    assert_eq!(count_matches(&store, r#"{"city":"Rome"}"#).await, 0);
    assert_eq!(count_matches(&store, r#"{"limit":"1;0"}"#).await, 2);
    let [first_before, second_before] = before;
    // A restored lead has a new `updated_at`, for clients that poll. Everything else is exactly as before.
    let restored = Lead { updated_at: at(200), global_updated_at: at(200), ..first_before };
    assert_eq!(find_lead(&store, first).await, Some(restored));
    assert_eq!(find_lead(&store, second).await, Some(second_before));
    assert_eq!(skipped_records(&store, id).await, []);
    assert_eq!(audit_lines(&store).await[logged_before..], [format!("import.undo import:{id}")]);
    assert!(!store.undo_import_step(id, at(300)).await.unwrap(), "the undo is complete");
    // Ids of deleted leads are never reused.
    assert!(new_lead(&store, LeadRecord::default()).await.0 > 40);
}

pub async fn lead_history_lists_imports(store: TestStore) {
    let spring = new_campaign(&store, "Spring").await;
    let (changed, same) =
        (new_lead(&store, lead_in_city(None, "Ulm")).await, new_lead(&store, lead_in_city(None, "Ulm")).await);
    let leads = ImportRows::Leads(vec![lead_in_city(Some(changed), "Bonn"), lead_in_city(Some(same), "Ulm")], None);
    let leads = run_import(&store, ImportKind::Leads, [leads]).await;
    let campaign_leads = ImportRows::CampaignLeads(vec![campaign_lead_record(same, spring)]);
    let campaign_leads = run_import(&store, ImportKind::CampaignLeads, [campaign_leads]).await;

    let history = async |lead: LeadId| -> Vec<(String, Option<String>)> {
        let entries = store.lead_history(lead, FIRST_1000).await.unwrap().items.into_iter();
        entries
            .filter(|entry| entry.action == "import.create")
            .map(|entry| (entry.subject, entry.subject_name))
            .collect()
    };
    let import_entry = |import: ImportId| vec![(import.subject(), Some("a.csv".to_owned()))];
    assert_eq!(history(changed).await, import_entry(leads));
    // A row without changes is not listed.
    assert_eq!(history(same).await, import_entry(campaign_leads));
    undo_completely(&store, leads).await;
    assert_eq!(history(changed).await, []);
}

pub async fn every_kind_of_import_is_undone(store: TestStore) {
    let (spring, lead_id) = (new_campaign(&store, "Spring").await, new_lead(&store, LeadRecord::default()).await);
    let campaign_lead = store.create_campaign_lead(campaign_lead_record(lead_id, spring), &audit_at(0)).await.unwrap();
    let call =
        store.create_call(CallRecord { original_identifier: text("x"), ..call_record() }, &audit_at(0)).await.unwrap();
    let campaign = store.campaign(spring).await.unwrap().unwrap();

    let campaign_record =
        |id, name: &str| CampaignRecord { id, name: Some(name.to_owned()), ..CampaignRecord::default() };
    let rows =
        vec![campaign_record(Some(spring), "Summer"), campaign_record(None, "Autumn"), campaign_record(None, "Winter")];
    let campaigns = run_import(&store, ImportKind::Campaigns, [ImportRows::Campaigns(rows)]).await;
    let autumn = store
        .campaigns(&CampaignQuery { search: text("autumn").flatten(), ..CampaignQuery::default() }, FIRST_1000)
        .await
        .unwrap()
        .items[0]
        .id;

    let changed_status =
        CampaignLeadRecord { status: Some("hot".to_owned()), weight: Some(9), ..campaign_lead_record(lead_id, spring) };
    let moved =
        CampaignLeadRecord { id: Some(campaign_lead.id), campaign_id: Some(autumn), ..CampaignLeadRecord::default() };
    let rows = vec![changed_status, moved, campaign_lead_record(lead_id, spring)];
    let campaign_leads = run_import(&store, ImportKind::CampaignLeads, [ImportRows::CampaignLeads(rows)]).await;
    assert_eq!(count_matches(&store, &format!(r#"{{"campaign_id":{autumn}}}"#)).await, 1);

    let answered = CallRecord { original_identifier: text("x"), agent: text("Grace"), ..CallRecord::default() };
    let rows = vec![CallRecord { lead_id: Some(Some(lead_id)), ..call_record() }, answered];
    let calls = run_import(&store, ImportKind::Calls, [ImportRows::Calls(rows)]).await;
    assert_eq!(store.calls(&CallQuery::default(), FIRST_1000).await.unwrap().total, 2);

    assert_eq!(undo_totals(&undo_completely(&store, calls).await), [1, 1, 0]);
    assert_eq!(store.calls(&CallQuery::default(), FIRST_1000).await.unwrap().items, [call]);
    // The created campaign lead has the lead and campaign that the updated one had, so it is deleted before the update is undone.
    assert_eq!(undo_totals(&undo_completely(&store, campaign_leads).await), [1, 1, 0]);
    let restored = CampaignLead { updated_at: at(3_601), ..campaign_lead };
    assert_eq!(store.campaign_lead(restored.id).await.unwrap(), Some(restored));
    assert_eq!(count_matches(&store, &format!(r#"{{"campaign_id":{autumn}}}"#)).await, 0);
    assert!(store.statuses().await.unwrap().iter().any(|status| status.name == "hot"), "statuses are not undone");
    assert_eq!(undo_totals(&undo_completely(&store, campaigns).await), [2, 1, 0]);
    let restored = Campaign { updated_at: at(3_601), ..campaign };
    assert_eq!(store.campaigns(&CampaignQuery::default(), FIRST_1000).await.unwrap().items, [restored]);
}

pub async fn undo_leaves_changed_or_used_records(store: TestStore) {
    let spring = new_campaign(&store, "Spring").await;
    let (other, deleted_lead) =
        (new_lead(&store, lead_in_city(None, "Bonn")).await, new_lead(&store, lead_in_city(None, "Bonn")).await);
    let mut rows: Vec<_> = (11..=16).map(|id| lead_in_city(Some(LeadId(id)), "Rome")).collect();
    rows.extend([lead_in_city(Some(other), "Rome"), lead_in_city(Some(deleted_lead), "Rome")]);
    let leads = run_import(&store, ImportKind::Leads, [ImportRows::Leads(rows, None)]).await;
    store
        .update_lead(LeadId(11), LeadRecord { state: text("NW"), ..LeadRecord::default() }, None, None, &audit_at(50))
        .await
        .unwrap();
    store.create_campaign_lead(campaign_lead_record(LeadId(12), spring), &audit_at(50)).await.unwrap();
    store.create_call(CallRecord { lead_id: Some(Some(LeadId(13))), ..call_record() }, &audit_at(50)).await.unwrap();
    store.delete_lead(LeadId(14), None, &audit_at(50)).await.unwrap();
    store.delete_lead(deleted_lead, None, &audit_at(50)).await.unwrap();
    // Changes a field that the import didn't: the undo restores the imported field and keeps this change.
    store
        .update_lead(other, LeadRecord { state: text("NW"), ..LeadRecord::default() }, None, None, &audit_at(50))
        .await
        .unwrap();
    assert_eq!(undo_totals(&undo_completely(&store, leads).await), [2, 1, 5]);
    use UndoSkipReason::{Changed, Deleted, HasCalls, HasLeads, InCampaign, Transcribed};
    assert_eq!(
        skipped_records(&store, leads).await,
        [(deleted_lead.0, Deleted), (11, Changed), (12, InCampaign), (13, HasCalls), (14, Deleted)]
    );
    let page = store.rows_skipped_by_undo(leads, Slice { count: 1, offset: 1 }).await.unwrap();
    let expected = SkippedRecord {
        kind: ImportKind::Leads,
        id: 11,
        lead_id: Some(LeadId(11)),
        reason: Changed,
        message: conflict::changed_since(),
    };
    assert_eq!((page.items, page.total), (vec![expected], 5));
    let restored = find_lead(&store, other).await.unwrap();
    assert_eq!((restored.city.as_deref(), restored.state.as_deref()), (Some("Bonn"), Some("NW")));

    let campaign_record = |id, name: &str| CampaignRecord {
        id: Some(CampaignId(id)),
        name: Some(name.to_owned()),
        ..CampaignRecord::default()
    };
    let rows = vec![campaign_record(21, "A"), campaign_record(22, "B"), campaign_record(23, "C")];
    let campaigns = run_import(&store, ImportKind::Campaigns, [ImportRows::Campaigns(rows)]).await;
    store.create_campaign_lead(campaign_lead_record(other, CampaignId(21)), &audit_at(50)).await.unwrap();
    store
        .create_call(CallRecord { campaign_id: Some(Some(CampaignId(22))), ..call_record() }, &audit_at(50))
        .await
        .unwrap();
    assert_eq!(undo_totals(&undo_completely(&store, campaigns).await), [1, 0, 2]);
    assert_eq!(skipped_records(&store, campaigns).await, [(21, HasLeads), (22, HasCalls)]);

    let campaign_lead = CampaignLeadRecord { id: Some(CampaignLeadId(31)), ..campaign_lead_record(LeadId(11), spring) };
    let rows = ImportRows::CampaignLeads(vec![campaign_lead]);
    let campaign_leads = run_import(&store, ImportKind::CampaignLeads, [rows]).await;
    let linked_call = CallRecord { campaign_lead_id: Some(Some(CampaignLeadId(31))), ..call_record() };
    store.create_call(linked_call, &audit_at(50)).await.unwrap();
    assert_eq!(undo_totals(&undo_completely(&store, campaign_leads).await), [0, 0, 1]);
    assert_eq!(
        store.rows_skipped_by_undo(campaign_leads, FIRST_1000).await.unwrap().items[0].lead_id,
        Some(LeadId(11))
    );

    let rows = (41..=43).map(|id| CallRecord { id: Some(CallId(id)), ..call_record() }).collect();
    let calls = run_import(&store, ImportKind::Calls, [ImportRows::Calls(rows)]).await;
    let key = RecordingKey("41".to_owned());
    store.set_recording(CallId(41), &ready_recording(60.0, 2), Some(&key), &audit_at(50)).await.unwrap();
    store
        .update_call(CallId(42), CallRecord { agent: text("Bo"), ..CallRecord::default() }, &audit_at(50))
        .await
        .unwrap();
    assert_eq!(undo_totals(&undo_completely(&store, calls).await), [2, 0, 1], "the recording is deleted with its call");
    assert_eq!(skipped_records(&store, calls).await, [(42, Changed)]);
    assert_eq!(store.recording_key(CallId(41)).await.unwrap(), None);

    // A call that existed before the import is restored even if it was transcribed. A call that the import created is kept if it was
    // transcribed, although none of its members shows that.
    let existing_call = create_recorded_call(&store, 0, 60.0, 2).await;
    let agent = |id| CallRecord { id: Some(CallId(id)), agent: text("Bo"), ..call_record() };
    let rows = ImportRows::Calls(vec![agent(existing_call), agent(51)]);
    let calls = run_import(&store, ImportKind::Calls, [rows]).await;
    let key = RecordingKey("51".to_owned());
    store.set_recording(CallId(51), &ready_recording(60.0, 2), Some(&key), &audit_at(50)).await.unwrap();
    submit_calls(&store, &[existing_call, 51]).await;
    for _ in [existing_call, 51] {
        transcribe(&store, Vec::new(), 60).await;
    }
    assert!(store.remove_recording(CallId(51), &key, &audit_at(70)).await.unwrap());
    assert_eq!(undo_totals(&undo_completely(&store, calls).await), [0, 1, 1]);
    assert_eq!(skipped_records(&store, calls).await, [(51, Transcribed)]);
    let restored = store.call(CallId(existing_call)).await.unwrap().unwrap();
    assert_eq!((restored.agent, restored.recording.state), (None, RecordingState::Ready));
}

pub async fn undo_journal_forgets_deleted_leads(store: TestStore) {
    let spring = new_campaign(&store, "Spring").await;
    let existing_lead = new_lead(&store, lead_in_city(None, "Bonn")).await;
    let lead_row = |id| LeadRecord { updated_at: Some(at(10)), ..lead_in_city(Some(LeadId(id)), "Rome") };
    let rows = ImportRows::Leads(vec![lead_in_city(Some(existing_lead), "Rome"), lead_row(40), lead_row(41)], None);
    let leads = run_import(&store, ImportKind::Leads, [rows]).await;
    let campaign_lead_row = |id, lead| CampaignLeadRecord {
        id: Some(CampaignLeadId(id)),
        updated_at: Some(at(10)),
        ..campaign_lead_record(LeadId(lead), spring)
    };
    let rows = ImportRows::CampaignLeads(vec![campaign_lead_row(50, 40), campaign_lead_row(51, 41)]);
    let campaign_leads = run_import(&store, ImportKind::CampaignLeads, [rows]).await;
    for id in [existing_lead, LeadId(40)] {
        assert!(store.delete_lead(id, None, &audit_at(50)).await.unwrap());
    }
    assert!(store.delete_campaign_lead(CampaignLeadId(51), None, &audit_at(50)).await.unwrap());
    // The undo distinguishes a deleted record from a new one with the same id and the same values.
    store.create_lead(lead_row(40), &audit_at(60)).await.unwrap();
    store.create_campaign_lead(campaign_lead_row(50, 40), &audit_at(60)).await.unwrap();
    let undo_before = load_undo(&store, leads).await;
    assert_eq!((undo_before.to_delete, undo_before.to_restore), (2, 1));
    use UndoSkipReason::{Changed, Deleted};
    assert_eq!(undo_totals(&undo_completely(&store, campaign_leads).await), [0, 0, 2]);
    assert_eq!(skipped_records(&store, campaign_leads).await, [(50, Changed), (51, Deleted)]);
    assert_eq!(undo_totals(&undo_completely(&store, leads).await), [1, 0, 2]);
    assert_eq!(skipped_records(&store, leads).await, [(existing_lead.0, Deleted), (40, Changed)]);
}

pub async fn undo_restores_the_first_of_repeated_values(store: TestStore) {
    let existing = LeadRecord { original_identifier: text("k"), ..lead_in_city(None, "Bonn") };
    let id = new_lead(&store, existing).await;
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
        run_import(&store, ImportKind::Leads, [ImportRows::Leads(first, None), ImportRows::Leads(second, None)]).await;
    let undo_before = load_undo(&store, import).await;
    assert_eq!((undo_before.to_delete, undo_before.to_restore), (1, 1));
    assert_eq!(undo_totals(&undo_completely(&store, import).await), [1, 1, 0]);
    let restored = find_lead(&store, id).await.unwrap();
    assert_eq!((restored.city.as_deref(), restored.last_name), (Some("Bonn"), None));
    assert_eq!(count_matches(&store, r#"{"original_identifier":"new"}"#).await, 0);

    // Deleted during the import, and created again by a later batch.
    let new = NewImport { is_undoable: true, ..NewImport::new(ImportKind::Leads, "") };
    let mut import = store.create_import(&new, &audit_at(4_000)).await.unwrap();
    let changed = || ImportRows::Leads(vec![lead_in_city(Some(id), "Wien")], None);
    store.import_batch(undoable_batch(import.id, 1, changed()), &audit_at(4_000)).await.unwrap();
    store.delete_lead(id, None, &audit_at(4_001)).await.unwrap();
    store.import_batch(undoable_batch(import.id, 2, changed()), &audit_at(4_002)).await.unwrap();
    import.state = ImportState::Completed;
    store.update_import(&import, &[], at(4_003)).await.unwrap();
    let undo_before = load_undo(&store, import.id).await;
    assert_eq!((undo_before.to_delete, undo_before.to_restore), (1, 0));
    assert_eq!(undo_totals(&undo_completely(&store, import.id).await), [1, 0, 0]);
    assert_eq!(find_lead(&store, id).await, None);
}

pub async fn undo_restores_names_passed_between_records(store: TestStore) {
    for name in ["A", "B", "C"] {
        new_campaign(&store, name).await;
    }
    let campaign_record = |id, name: &str| CampaignRecord {
        id: Some(CampaignId(id)),
        name: Some(name.to_owned()),
        ..CampaignRecord::default()
    };
    let rows = vec![campaign_record(3, "D"), campaign_record(2, "C"), campaign_record(1, "B")];
    let import = run_import(&store, ImportKind::Campaigns, [ImportRows::Campaigns(rows)]).await;
    assert_eq!(undo_totals(&undo_completely(&store, import).await), [0, 3, 0]);
    let names = async || {
        let page = store.campaigns(&CampaignQuery::default(), FIRST_1000).await.unwrap();
        page.items.into_iter().map(|campaign| campaign.name).collect::<Vec<_>>()
    };
    assert_eq!(names().await, ["A", "B", "C"]);

    let import =
        run_import(&store, ImportKind::Campaigns, [ImportRows::Campaigns(vec![campaign_record(1, "Z")])]).await;
    new_campaign(&store, "A").await;
    assert_eq!(undo_totals(&undo_completely(&store, import).await), [0, 0, 1]);
    let row = store.rows_skipped_by_undo(import, FIRST_1000).await.unwrap().items.remove(0);
    assert_eq!((row.id, row.lead_id, row.reason), (1, None, UndoSkipReason::Conflict));
    assert_eq!(
        row.message,
        "the previous values conflict with the current data: name `A` is already used by campaign 4"
    );
    assert_eq!(names().await, ["Z", "B", "C", "A"]);
}

pub async fn undo_runs_in_steps(store: TestStore) {
    let rows = (0..1_200).map(|_| lead_in_city(None, "Rome")).collect();
    let import = run_import(&store, ImportKind::Leads, [ImportRows::Leads(rows, None)]).await;
    assert_eq!(store.stalled_undos(at(9_999)).await.unwrap(), []);
    store.begin_undo(import, &audit_at(100)).await.unwrap().unwrap();
    assert!(store.undo_import_step(import, at(110)).await.unwrap());
    assert_eq!(undo_totals(&load_undo(&store, import).await), [500, 0, 0]);
    assert_eq!(count_matches(&store, r#"{"city":"Rome"}"#).await, 700);
    assert_eq!(store.stalled_undos(at(109)).await.unwrap(), []);
    assert_eq!(store.stalled_undos(at(110)).await.unwrap(), [import]);
    // Two concurrent processes undo nothing twice.
    let run_steps = async || while store.undo_import_step(import, at(120)).await.unwrap() {};
    tokio::join!(run_steps(), run_steps());
    assert_eq!(undo_totals(&load_undo(&store, import).await), [1_200, 0, 0]);
    assert_eq!(store.stalled_undos(at(9_999)).await.unwrap(), []);
    assert_eq!(count_matches(&store, r#"{"city":"Rome"}"#).await, 0);
}

pub async fn cancelled_undo_can_be_continued(store: TestStore) {
    let rows = (0..1_200).map(|_| lead_in_city(None, "Rome")).collect();
    let import = run_import(&store, ImportKind::Leads, [ImportRows::Leads(rows, None)]).await;
    let cancel_refusal = async || refused_diagnostic(store.cancel_undo(import, &audit_at(90)).await).code;
    assert_eq!(cancel_refusal().await, "not_running", "the undo was not started");
    assert_eq!(store.cancel_undo(ImportId(99), &audit_at(90)).await.unwrap(), None);

    let undo_before = load_undo(&store, import).await;
    store.begin_undo(import, &audit_at(100)).await.unwrap().unwrap();
    let untouched = store.cancel_undo(import, &audit_at(101)).await.unwrap().unwrap();
    assert_eq!(untouched.undo, Some(undo_before), "nothing was undone");

    store.begin_undo(import, &audit_at(102)).await.unwrap().unwrap();
    assert!(store.undo_import_step(import, at(103)).await.unwrap());
    let cancelled = store.cancel_undo(import, &audit_at(104)).await.unwrap().unwrap().undo.unwrap();
    assert_eq!((cancelled.state, undo_totals(&cancelled)), (ImportUndoState::Cancelled, [500, 0, 0]));
    assert_eq!((cancelled.actor.as_deref(), cancelled.started_at), (Some("user:1"), None));
    assert!(!store.undo_import_step(import, at(105)).await.unwrap(), "a cancelled undo doesn't continue");
    assert_eq!(store.stalled_undos(at(9_999)).await.unwrap(), []);
    assert_eq!(cancel_refusal().await, "not_running");
    assert_eq!(count_matches(&store, r#"{"city":"Rome"}"#).await, 700);

    assert_eq!(undo_totals(&undo_completely(&store, import).await), [1_200, 0, 0]);
    assert_eq!(cancel_refusal().await, "not_running");
    assert_eq!(count_matches(&store, r#"{"city":"Rome"}"#).await, 0);
    let entries =
        ["undo", "cancel_undo", "undo", "cancel_undo", "undo"].map(|verb| format!("import.{verb} import:{import}"));
    assert!(audit_lines(&store).await.ends_with(&entries));
}

pub async fn retried_batch_is_imported_once(store: TestStore) {
    let new = NewImport { is_undoable: true, ..NewImport::new(ImportKind::Leads, "") };
    let mut import = store.create_import(&new, &audit_at(0)).await.unwrap();
    // The rows alone don't show that they were imported before.
    let rows = || ImportRows::Leads(vec![lead_in_city(None, "Rome"), lead_in_city(None, "Rome")], None);
    let first = undoable_batch(import.id, 2, rows());
    let outcome = store.import_batch(first.clone(), &audit_at(1)).await.unwrap();
    assert_eq!(outcomes(&outcome.rows), ["inserted", "inserted"]);
    assert_eq!(store.import_batch(first.clone(), &audit_at(2)).await.unwrap(), outcome);
    store.import_batch(undoable_batch(import.id, 4, rows()), &audit_at(3)).await.unwrap();
    assert_eq!(store.import_batch(first, &audit_at(4)).await.unwrap(), outcome);
    // A new batch with the same position fails, because its outcome isn't known.
    assert!(store.import_batch(undoable_batch(import.id, 4, rows()), &audit_at(5)).await.is_err());
    assert!(store.import_batch(undoable_batch(ImportId(99), 2, rows()), &audit_at(5)).await.is_err());
    assert_eq!(count_matches(&store, r#"{"city":"Rome"}"#).await, 4);
    assert_eq!(load_undo(&store, import.id).await.to_delete, 4);
    // Counts are updated with each batch, in case the process crashes before progress is saved.
    let stored_counts = store.import(import.id).await.unwrap().unwrap().counts;
    assert_eq!((stored_counts.read, stored_counts.inserted), (4, 4));

    import.state = ImportState::Completed;
    let row = |line| RejectedRow { line, diagnostics: Vec::new(), row: "x".to_owned() };
    for _ in 0..2 {
        store.update_import(&import, &[row(3), row(4)], at(6)).await.unwrap();
    }
    store.update_import(&import, &[row(7)], at(7)).await.unwrap();
    assert_eq!(store.rejected_rows(import.id, FIRST_1000).await.unwrap().items, [row(3), row(4), row(7)]);
    assert_eq!(undo_totals(&undo_completely(&store, import.id).await), [4, 0, 0]);
}

pub async fn undo_is_refused_if_impossible(store: TestStore) {
    let rows = || ImportRows::Leads(vec![lead_in_city(None, "Rome")], None);
    let begin_refusal = async |id| refused_diagnostic(store.begin_undo(id, &audit_at(60)).await).code;
    let new = NewImport { is_undoable: true, ..NewImport::new(ImportKind::Leads, "") };
    let mut running = store.create_import(&new, &audit_at(0)).await.unwrap();
    store.import_batch(undoable_batch(running.id, 1, rows()), &audit_at(1)).await.unwrap();
    assert_eq!(begin_refusal(running.id).await, "running");
    let mut not_undoable =
        store.create_import(&NewImport { is_undoable: false, ..new.clone() }, &audit_at(0)).await.unwrap();
    not_undoable.state = ImportState::Completed;
    store.update_import(&not_undoable, &[], at(2)).await.unwrap();
    assert_eq!((not_undoable.undo, begin_refusal(not_undoable.id).await.as_str()), (None, "not_undoable"));
    let dry_run = store.create_import(&NewImport { is_dry_run: true, ..new }, &audit_at(0)).await.unwrap();
    assert_eq!(dry_run.undo, None);
    assert_eq!(store.begin_undo(ImportId(99), &audit_at(60)).await.unwrap(), None);
    assert_eq!(store.rows_skipped_by_undo(ImportId(99), FIRST_1000).await.unwrap().total, 0);

    running.state = ImportState::Failed;
    store.update_import(&running, &[], at(2)).await.unwrap();
    store.begin_undo(running.id, &audit_at(60)).await.unwrap().unwrap();
    assert_eq!(begin_refusal(running.id).await, "undo_running");
    // A stalled process that continues has no further effect.
    assert!(store.import_batch(undoable_batch(running.id, 2, rows()), &audit_at(61)).await.is_err());
    assert_eq!(count_matches(&store, r#"{"city":"Rome"}"#).await, 1);
    while store.undo_import_step(running.id, at(62)).await.unwrap() {}
    assert_eq!(begin_refusal(running.id).await, "already_undone");
    assert_eq!(count_matches(&store, r#"{"city":"Rome"}"#).await, 0);
}

pub async fn undo_journal_is_purged(store: TestStore) {
    let rows = |count| ImportRows::Leads((0..count).map(|_| lead_in_city(None, "Rome")).collect(), None);
    let old = run_import(&store, ImportKind::Leads, [rows(10_001)]).await;
    let undoing = run_import(&store, ImportKind::Leads, [rows(2)]).await;
    store.begin_undo(undoing, &audit_at(30)).await.unwrap().unwrap();
    let purge = async |before| store.purge_undo_journal(before, at(0)).await;
    assert_eq!(purge(at(10)).await.unwrap(), 0);
    assert_eq!(purge(at(11)).await.unwrap(), 10_000, "rows are purged in batches");
    assert_eq!(store.import(old).await.unwrap().unwrap().undo, None);
    assert_eq!(refusal(store.begin_undo(old, &audit_at(40)).await)[0], "not_undoable");
    assert_eq!(purge(at(11)).await.unwrap(), 1);
    assert_eq!(purge(at(11)).await.unwrap(), 0);
    assert!(!store.undo_import_step(undoing, at(50)).await.unwrap());
    assert_eq!(undo_totals(&load_undo(&store, undoing).await), [2, 0, 0]);
    assert_eq!(count_matches(&store, r#"{"city":"Rome"}"#).await, 10_001);
}
