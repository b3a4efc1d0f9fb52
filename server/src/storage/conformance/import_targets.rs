//! Tests of imports into a campaign, of the leads that an import created, and of imports that correct rejected rows.

use leadscribe_engine::api::*;
use leadscribe_engine::record::{CampaignLeadRecord, Format, LeadRecord, Mapping};

use super::import_undo::undo_completely;
use super::lead_actions::find_lead_ids;
use super::{
    FIRST_1000, TestStore, at, audit_at, campaign_lead_record, new_campaign, new_lead, outcomes, refusal, text,
};
use crate::storage::{ImportBatch, ImportRows, NewImport};

fn lead_in_city(id: LeadId, city: &str) -> LeadRecord {
    LeadRecord { id: Some(id), city: text(city), ..LeadRecord::default() }
}

fn import_into_campaign(campaign: CampaignId, status: Option<&str>) -> NewImport {
    let status = status.map(str::to_owned);
    NewImport { campaign: Some(campaign), status, is_undoable: true, ..NewImport::new(ImportKind::Leads, "a.csv") }
}

async fn run_import(store: &TestStore, new: &NewImport, rows: Vec<LeadRecord>) -> (ImportId, Vec<String>, u64) {
    let mut import = store.create_import(new, &audit_at(10)).await.unwrap();
    let batch = ImportBatch::new(import.id, rows.len() as u64, new.is_undoable, ImportRows::Leads(rows, None));
    let outcome = store.import_batch(batch.into(), &audit_at(11)).await.unwrap();
    if let Some(campaign) = &mut import.campaign {
        campaign.leads_added = outcome.leads_added;
    }
    import.state = ImportState::Completed;
    store.update_import(&import, &[], at(12)).await.unwrap();
    (import.id, outcomes(&outcome.rows), outcome.leads_added)
}

pub async fn import_adds_leads_to_a_campaign(store: TestStore) {
    let (spring, other) = (new_campaign(&store, "Spring").await, new_campaign(&store, "Other").await);
    let (same, changed) =
        (new_lead(&store, LeadRecord::default()).await, new_lead(&store, LeadRecord::default()).await);
    let lead_in_campaign = new_lead(&store, LeadRecord::default()).await;
    let record = CampaignLeadRecord { weight: Some(9), ..campaign_lead_record(lead_in_campaign, spring) };
    let existing_campaign_lead = store.create_campaign_lead(record, &audit_at(0)).await.unwrap();
    let rows = || {
        let unnamed = LeadRecord { city: text("Ulm"), original_identifier: text("x"), ..LeadRecord::default() };
        vec![
            LeadRecord { id: Some(same), ..LeadRecord::default() },
            lead_in_city(changed, "Rome"),
            lead_in_city(lead_in_campaign, "Oslo"),
            lead_in_city(LeadId(50), "Bern"),
            unnamed,
        ]
    };
    let new = import_into_campaign(spring, Some("no_answer"));
    let dry_run = NewImport { is_dry_run: true, ..new.clone() };
    let dry_run = store.create_import(&dry_run, &audit_at(9)).await.unwrap().id;
    let preview = store.preview_import(dry_run, ImportRows::Leads(rows(), None), &audit_at(9)).await.unwrap();
    assert_eq!(
        (preview.leads_added, find_lead_ids(&store, r#"{"campaign_name": "Spring"}"#).await),
        (4, vec![lead_in_campaign.0])
    );

    let (id, outcomes, leads_added) = run_import(&store, &new, rows()).await;
    assert_eq!(outcomes, ["unchanged", "updated", "updated", "inserted", "inserted"]);
    assert_eq!(leads_added, 4);
    let expected = ImportCampaign {
        id: spring,
        name: Some("Spring".to_owned()),
        status: Some("no_answer".to_owned()),
        leads_added: 4,
    };
    assert_eq!(store.import(id).await.unwrap().unwrap().campaign, Some(expected));
    // The dry run may have used the id of the last lead.
    let lead_in_campaign = find_lead_ids(&store, r#"{"campaign_name": "Spring", "status": "no_answer"}"#).await;
    assert_eq!((&lead_in_campaign[..3], lead_in_campaign.len()), (&[1, 2, 50][..], 4));
    assert_eq!(store.campaign_lead(existing_campaign_lead.id).await.unwrap().unwrap().weight, 9);

    let (_, outcomes, leads_added) = run_import(&store, &new, rows()).await;
    assert_eq!((outcomes, leads_added), (vec!["unchanged".to_owned(); 5], 0));
    let (_, _, leads_added) = run_import(&store, &import_into_campaign(other, None), rows()).await;
    assert_eq!(
        (leads_added, find_lead_ids(&store, r#"{"campaign_name": "Other", "status": "new"}"#).await.len()),
        (5, 5)
    );
}

pub async fn undo_removes_imported_leads_from_the_campaign(store: TestStore) {
    let spring = new_campaign(&store, "Spring").await;
    let existing_lead = new_lead(&store, LeadRecord::default()).await;
    let rows = vec![
        LeadRecord { id: Some(existing_lead), ..LeadRecord::default() },
        lead_in_city(LeadId(50), "Bern"),
        lead_in_city(LeadId(51), "Ulm"),
    ];
    let (id, _, leads_added) = run_import(&store, &import_into_campaign(spring, None), rows).await;
    assert_eq!(leads_added, 3);
    let undo_before = store.import(id).await.unwrap().unwrap().undo.unwrap();
    assert_eq!((undo_before.to_delete, undo_before.to_restore), (5, 0), "two leads and three campaign leads");
    // A lead whose campaign lead was changed stays in the campaign.
    let campaign_lead = store.lead(LeadId(51), at(0)).await.unwrap().unwrap().leads[0].campaign_leads[0].id;
    let change = CampaignLeadRecord { weight: Some(3), ..CampaignLeadRecord::default() };
    store.update_campaign_lead(campaign_lead, change, None, &audit_at(20)).await.unwrap().unwrap();

    let undo_state = undo_completely(&store, id).await;
    assert_eq!((undo_state.deleted, undo_state.restored, undo_state.skipped), (3, 0, 2));
    assert_eq!(find_lead_ids(&store, r#"{"limit": "200;0"}"#).await, [existing_lead.0, 51]);
    assert_eq!(find_lead_ids(&store, r#"{"campaign_name": "Spring"}"#).await, [51]);
    let skipped = store.rows_skipped_by_undo(id, FIRST_1000).await.unwrap().items;
    let skipped: Vec<_> = skipped.into_iter().map(|row| (row.kind, row.lead_id, row.reason)).collect();
    let lead = Some(LeadId(51));
    assert!(skipped.contains(&(ImportKind::CampaignLeads, lead, UndoSkipReason::Changed)), "{skipped:?}");
    assert!(skipped.contains(&(ImportKind::Leads, lead, UndoSkipReason::InCampaign)), "{skipped:?}");
}

pub async fn unknown_campaign_or_status_is_refused(store: TestStore) {
    let spring = new_campaign(&store, "Spring").await;
    let result = store.create_import(&import_into_campaign(CampaignId(99), None), &audit_at(0)).await;
    assert_eq!(refusal(result), ["unknown_campaign", "campaign_id"]);
    let result = store.create_import(&import_into_campaign(spring, Some("no_answr")), &audit_at(0)).await;
    assert_eq!(refusal(result), ["unknown_status", "status"]);

    // All rows are rejected and nothing is written if the campaign has been deleted.
    let import = store.create_import(&import_into_campaign(spring, None), &audit_at(0)).await.unwrap();
    assert!(store.delete_campaign(spring, None, &audit_at(1)).await.unwrap());
    let batch = ImportBatch::new(import.id, 1, true, ImportRows::Leads(vec![lead_in_city(LeadId(50), "Bern")], None));
    let outcome = store.import_batch(batch.into(), &audit_at(2)).await.unwrap();
    assert_eq!(outcomes(&outcome.rows), ["unknown_campaign Column(\"\")"]);
    assert_eq!(find_lead_ids(&store, r#"{"limit": "200;0"}"#).await, [0; 0]);
}

pub async fn leads_are_found_by_their_import(store: TestStore) {
    let existing_lead = new_lead(&store, LeadRecord::default()).await;
    let new = NewImport::new(ImportKind::Leads, "a.csv");
    let (first, _, _) = run_import(
        &store,
        &new,
        vec![lead_in_city(existing_lead, "Rome"), lead_in_city(LeadId(50), "Bern"), lead_in_city(LeadId(51), "Ulm")],
    )
    .await;
    let (second, _, _) = run_import(&store, &new, vec![lead_in_city(LeadId(50), "Bonn"), LeadRecord::default()]).await;
    assert_eq!(find_lead_ids(&store, &format!(r#"{{"import_id": {first}}}"#)).await, [50, 51]);
    assert_eq!(find_lead_ids(&store, &format!(r#"{{"import_id": {second}}}"#)).await, [52]);
    assert_eq!(find_lead_ids(&store, r#"{"import_id": null}"#).await, [existing_lead.0]);
    assert_eq!(find_lead_ids(&store, r#"{"_order": ["-import_id", "id"]}"#).await, [52, 50, 51, existing_lead.0]);
}

/// An import of leads with rejected rows at lines 3 and 5.
async fn import_with_rejected_rows(store: &TestStore) -> Import {
    let mut import = store.create_import(&NewImport::new(ImportKind::Leads, "a.csv"), &audit_at(0)).await.unwrap();
    let rejected_row = |line| RejectedRow { line, diagnostics: Vec::new(), row: "x".to_owned() };
    import.counts = ImportCounts { read: 9, rejected: 2, ..ImportCounts::default() };
    import.state = ImportState::Completed;
    store.update_import(&import, &[rejected_row(3), rejected_row(5)], at(1)).await.unwrap();
    import
}

pub async fn corrected_rows_are_no_longer_listed(store: TestStore) {
    let first = import_with_rejected_rows(&store).await;
    let new =
        NewImport { corrected_import: Some(first.id), is_undoable: true, ..NewImport::new(ImportKind::Leads, "b.csv") };
    let (second, _, _) = run_import(&store, &new, vec![lead_in_city(LeadId(50), "Bern")]).await;
    let uncorrected = async |lines: &[u64]| {
        let rows = store.uncorrected_rejected_rows(first.id, lines).await.unwrap();
        rows.into_iter().map(|row| (row.line, row.row)).collect::<Vec<_>>()
    };
    assert_eq!(uncorrected(&[2, 5]).await, [(5, "x".to_owned())]);
    store.mark_corrected(second, &[3, 4]).await.unwrap();
    assert_eq!(uncorrected(&[3, 4]).await, []);
    let list_rejected = async || {
        let page = store.rejected_rows(first.id, FIRST_1000).await.unwrap();
        assert_eq!(page.total, page.items.len() as u64);
        let next = store.next_rejected_rows(first.id, Default::default(), 10, 1_000).await.unwrap();
        assert_eq!(
            next.iter().map(|(_, row)| row.line).collect::<Vec<_>>(),
            page.items.iter().map(|row| row.line).collect::<Vec<_>>()
        );
        let corrected = store.import(first.id).await.unwrap().unwrap().counts.corrected;
        (page.items.into_iter().map(|row| row.line).collect::<Vec<_>>(), corrected)
    };
    assert_eq!(list_rejected().await, (vec![5], 1));
    store.mark_corrected(second, &[3]).await.unwrap();
    assert_eq!(list_rejected().await, (vec![5], 1), "a row is counted once");
    assert_eq!(store.import(second).await.unwrap().unwrap().corrects_import_id, Some(first.id));

    undo_completely(&store, second).await;
    assert_eq!(list_rejected().await, (vec![3, 5], 0), "an undo of the correction lists its rows again");
}

pub async fn only_rejected_rows_of_finished_imports_are_corrected(store: TestStore) {
    let first = import_with_rejected_rows(&store).await;
    let correcting = |corrected_import, kind| NewImport {
        corrected_import: Some(corrected_import),
        ..NewImport::new(kind, "b.csv")
    };
    let code = async |corrected_import, kind| {
        let [code, location] = refusal(store.create_import(&correcting(corrected_import, kind), &audit_at(2)).await);
        assert_eq!(location, "corrects_import_id");
        code
    };
    let leads = ImportKind::Leads;
    assert_eq!(code(ImportId(99), leads).await, "unknown_import");
    assert_eq!(code(first.id, ImportKind::Calls).await, "wrong_kind");
    let running = store.create_import(&NewImport::new(leads, "c.csv"), &audit_at(2)).await.unwrap();
    assert_eq!(code(running.id, leads).await, "running");
    let dry_run = NewImport { is_dry_run: true, ..NewImport::new(leads, "c.csv") };
    let dry_run = store.create_import(&dry_run, &audit_at(2)).await.unwrap();
    assert_eq!(code(dry_run.id, leads).await, "dry_run");
    let (second, _, _) = run_import(&store, &correcting(first.id, leads), vec![LeadRecord::default()]).await;
    assert_eq!(code(second, leads).await, "is_correction");
    let mapping = Mapping { format: Format::Asterisk, ..Mapping::default() };
    let calls = NewImport { mapping, ..NewImport::new(ImportKind::Calls, "Master.csv") };
    let mut calls = store.create_import(&calls, &audit_at(2)).await.unwrap();
    calls.state = ImportState::Completed;
    store.update_import(&calls, &[], at(3)).await.unwrap();
    assert_eq!(code(calls.id, ImportKind::Calls).await, "call_detail_records");
}
