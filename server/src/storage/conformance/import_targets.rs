//! Tests of imports into a campaign, of the leads that an import created, and of imports that correct refused rows.

use leadscribe_engine::api::*;
use leadscribe_engine::record::{CampaignLeadRecord, Format, LeadRecord, Mapping};

use super::{ALL, Tested, at, by, in_campaign, new_campaign, new_lead, outcomes, refusal, text};
use crate::storage::{ImportBatch, ImportRows, NewImport};

fn city(id: LeadId, city: &str) -> LeadRecord {
    LeadRecord { id: Some(id), city: text(city), ..LeadRecord::default() }
}

fn into_campaign(campaign: CampaignId, status: Option<&str>) -> NewImport {
    let status = status.map(str::to_owned);
    NewImport { campaign: Some(campaign), status, undoable: true, ..NewImport::new(ImportKind::Leads, "a.csv") }
}

async fn import(store: &Tested, new: &NewImport, rows: Vec<LeadRecord>) -> (ImportId, Vec<String>, u64) {
    let mut import = store.create_import(new, &by(10)).await.unwrap();
    let batch = ImportBatch::new(import.id, rows.len() as u64, new.undoable, ImportRows::Leads(rows, None));
    let outcome = store.import_batch(batch.into(), &by(11)).await.unwrap();
    if let Some(campaign) = &mut import.campaign {
        campaign.leads_added = outcome.put_in;
    }
    import.state = ImportState::Completed;
    store.update_import(&import, &[], at(12)).await.unwrap();
    (import.id, outcomes(&outcome.rows), outcome.put_in)
}

/// Ids of the leads that match a filter.
async fn found(store: &Tested, filter: &str) -> Vec<i64> {
    let filter = leadscribe_engine::filter::read(filter, &leadscribe_engine::filter::Limits::default()).unwrap();
    store.look_up(&filter, at(0)).await.unwrap().leads.iter().map(|found| found.lead.to_lead().id.0).collect()
}

async fn undo(store: &Tested, id: ImportId) -> ImportUndo {
    store.begin_undo(id, &by(3_600)).await.unwrap().unwrap();
    while store.undo_import_step(id, at(3_601)).await.unwrap() {}
    store.import(id).await.unwrap().unwrap().undo.unwrap()
}

pub async fn import_puts_leads_into_a_campaign(store: Tested) {
    let (spring, other) = (new_campaign(&store, "Spring").await, new_campaign(&store, "Other").await);
    let (same, changed) =
        (new_lead(&store, LeadRecord::default()).await, new_lead(&store, LeadRecord::default()).await);
    let inside = new_lead(&store, LeadRecord::default()).await;
    let record = CampaignLeadRecord { weight: Some(9), ..in_campaign(inside, spring) };
    let before = store.create_campaign_lead(record, &by(0)).await.unwrap();
    let rows = || {
        let unnamed = LeadRecord { city: text("Ulm"), original_identifier: text("x"), ..LeadRecord::default() };
        vec![
            LeadRecord { id: Some(same), ..LeadRecord::default() },
            city(changed, "Rome"),
            city(inside, "Oslo"),
            city(LeadId(50), "Bern"),
            unnamed,
        ]
    };
    let new = into_campaign(spring, Some("no_answer"));
    let dry = NewImport { dry_run: true, ..new.clone() };
    let dry = store.create_import(&dry, &by(9)).await.unwrap().id;
    let tried = store.try_import(dry, ImportRows::Leads(rows(), None), &by(9)).await.unwrap();
    assert_eq!((tried.put_in, found(&store, r#"{"campaign_name": "Spring"}"#).await), (4, vec![inside.0]));

    let (id, outcomes, put_in) = import(&store, &new, rows()).await;
    assert_eq!(outcomes, ["unchanged", "updated", "updated", "inserted", "inserted"]);
    assert_eq!(put_in, 4);
    let expected = ImportCampaign {
        id: spring,
        name: Some("Spring".to_owned()),
        status: Some("no_answer".to_owned()),
        leads_added: 4,
    };
    assert_eq!(store.import(id).await.unwrap().unwrap().campaign, Some(expected));
    // The dry run may have used the id of the last lead.
    let inside = found(&store, r#"{"campaign_name": "Spring", "status": "no_answer"}"#).await;
    assert_eq!((&inside[..3], inside.len()), (&[1, 2, 50][..], 4));
    assert_eq!(store.campaign_lead(before.id).await.unwrap().unwrap().weight, 9);

    let (_, outcomes, put_in) = import(&store, &new, rows()).await;
    assert_eq!((outcomes, put_in), (vec!["unchanged".to_owned(); 5], 0));
    let (_, _, put_in) = import(&store, &into_campaign(other, None), rows()).await;
    assert_eq!((put_in, found(&store, r#"{"campaign_name": "Other", "status": "new"}"#).await.len()), (5, 5));
}

pub async fn undo_removes_imported_leads_from_the_campaign(store: Tested) {
    let spring = new_campaign(&store, "Spring").await;
    let known = new_lead(&store, LeadRecord::default()).await;
    let rows = vec![
        LeadRecord { id: Some(known), ..LeadRecord::default() },
        city(LeadId(50), "Bern"),
        city(LeadId(51), "Ulm"),
    ];
    let (id, _, put_in) = import(&store, &into_campaign(spring, None), rows).await;
    assert_eq!(put_in, 3);
    let undo_before = store.import(id).await.unwrap().unwrap().undo.unwrap();
    assert_eq!((undo_before.to_delete, undo_before.to_restore), (5, 0), "two leads and three campaign leads");
    // A lead whose campaign lead was changed stays in the campaign.
    let inside = store.lead(LeadId(51), at(0)).await.unwrap().unwrap().leads[0].campaign_leads[0].id;
    let change = CampaignLeadRecord { weight: Some(3), ..CampaignLeadRecord::default() };
    store.update_campaign_lead(inside, change, None, &by(20)).await.unwrap().unwrap();

    let undone = undo(&store, id).await;
    assert_eq!((undone.deleted, undone.restored, undone.left), (3, 0, 2));
    assert_eq!(found(&store, r#"{"limit": "200;0"}"#).await, [known.0, 51]);
    assert_eq!(found(&store, r#"{"campaign_name": "Spring"}"#).await, [51]);
    let left = store.left_rows(id, ALL).await.unwrap().items;
    let left: Vec<_> = left.into_iter().map(|row| (row.kind, row.lead_id, row.reason)).collect();
    let lead = Some(LeadId(51));
    assert!(left.contains(&(ImportKind::CampaignLeads, lead, LeftReason::Changed)), "{left:?}");
    assert!(left.contains(&(ImportKind::Leads, lead, LeftReason::InCampaign)), "{left:?}");
}

pub async fn unknown_campaign_or_status_is_refused(store: Tested) {
    let spring = new_campaign(&store, "Spring").await;
    let refused = store.create_import(&into_campaign(CampaignId(99), None), &by(0)).await;
    assert_eq!(refusal(refused), ("unknown_campaign".to_owned(), "campaign_id".to_owned()));
    let refused = store.create_import(&into_campaign(spring, Some("no_answr")), &by(0)).await;
    assert_eq!(refusal(refused), ("unknown_status".to_owned(), "status".to_owned()));

    // All rows are refused and nothing is written if the campaign has been deleted.
    let import = store.create_import(&into_campaign(spring, None), &by(0)).await.unwrap();
    assert!(store.delete_campaign(spring, &by(1)).await.unwrap());
    let batch = ImportBatch::new(import.id, 1, true, ImportRows::Leads(vec![city(LeadId(50), "Bern")], None));
    let outcome = store.import_batch(batch.into(), &by(2)).await.unwrap();
    assert_eq!(outcomes(&outcome.rows), ["unknown_campaign Column(\"\")"]);
    assert_eq!(found(&store, r#"{"limit": "200;0"}"#).await, [0; 0]);
}

pub async fn import_finds_the_leads_it_made(store: Tested) {
    let known = new_lead(&store, LeadRecord::default()).await;
    let new = NewImport::new(ImportKind::Leads, "a.csv");
    let (first, _, _) =
        import(&store, &new, vec![city(known, "Rome"), city(LeadId(50), "Bern"), city(LeadId(51), "Ulm")]).await;
    let (second, _, _) = import(&store, &new, vec![city(LeadId(50), "Bonn"), LeadRecord::default()]).await;
    assert_eq!(found(&store, &format!(r#"{{"import_id": {first}}}"#)).await, [50, 51]);
    assert_eq!(found(&store, &format!(r#"{{"import_id": {second}}}"#)).await, [52]);
    assert_eq!(found(&store, r#"{"import_id": null}"#).await, [known.0]);
    assert_eq!(found(&store, r#"{"_order": ["-import_id", "id"]}"#).await, [52, 50, 51, known.0]);
}

/// An import of leads with refused rows at lines 3 and 5.
async fn with_refused_rows(store: &Tested) -> Import {
    let mut import = store.create_import(&NewImport::new(ImportKind::Leads, "a.csv"), &by(0)).await.unwrap();
    let refused = |line| RejectedRow { line, faults: Vec::new(), row: "x".to_owned() };
    import.counts = ImportCounts { read: 9, rejected: 2, ..ImportCounts::default() };
    import.state = ImportState::Completed;
    store.update_import(&import, &[refused(3), refused(5)], at(1)).await.unwrap();
    import
}

pub async fn corrected_rows_are_no_longer_listed(store: Tested) {
    let first = with_refused_rows(&store).await;
    let new = NewImport { corrects: Some(first.id), undoable: true, ..NewImport::new(ImportKind::Leads, "b.csv") };
    let (second, _, _) = import(&store, &new, vec![city(LeadId(50), "Bern")]).await;
    let open = async |lines: &[u64]| {
        let rows = store.open_rejected_rows(first.id, lines).await.unwrap();
        rows.into_iter().map(|row| (row.line, row.row)).collect::<Vec<_>>()
    };
    assert_eq!(open(&[2, 5]).await, [(5, "x".to_owned())]);
    store.mark_corrected(second, &[3, 4]).await.unwrap();
    assert_eq!(open(&[3, 4]).await, []);
    let listed = async || {
        let page = store.rejected_rows(first.id, ALL).await.unwrap();
        assert_eq!(page.total, page.items.len() as u64);
        let next = store.next_rejected_rows(first.id, Default::default(), 10, 1_000).await.unwrap();
        assert_eq!(
            next.iter().map(|(_, row)| row.line).collect::<Vec<_>>(),
            page.items.iter().map(|row| row.line).collect::<Vec<_>>()
        );
        let corrected = store.import(first.id).await.unwrap().unwrap().counts.corrected;
        (page.items.into_iter().map(|row| row.line).collect::<Vec<_>>(), corrected)
    };
    assert_eq!(listed().await, (vec![5], 1));
    store.mark_corrected(second, &[3]).await.unwrap();
    assert_eq!(listed().await, (vec![5], 1), "a row is counted once");
    assert_eq!(store.import(second).await.unwrap().unwrap().corrects, Some(first.id));

    undo(&store, second).await;
    assert_eq!(listed().await, (vec![3, 5], 0), "an undo of the correction lists its rows again");
}

pub async fn only_refused_rows_of_a_finished_import_are_corrected(store: Tested) {
    let first = with_refused_rows(&store).await;
    let correcting = |corrects, kind| NewImport { corrects: Some(corrects), ..NewImport::new(kind, "b.csv") };
    let code = async |corrects, kind| {
        let (code, place) = refusal(store.create_import(&correcting(corrects, kind), &by(2)).await);
        assert_eq!(place, "corrects");
        code
    };
    let leads = ImportKind::Leads;
    assert_eq!(code(ImportId(99), leads).await, "unknown_import");
    assert_eq!(code(first.id, ImportKind::Calls).await, "other_kind");
    let running = store.create_import(&NewImport::new(leads, "c.csv"), &by(2)).await.unwrap();
    assert_eq!(code(running.id, leads).await, "running");
    let dry = NewImport { dry_run: true, ..NewImport::new(leads, "c.csv") };
    let dry = store.create_import(&dry, &by(2)).await.unwrap();
    assert_eq!(code(dry.id, leads).await, "dry_run");
    let (second, _, _) = import(&store, &correcting(first.id, leads), vec![LeadRecord::default()]).await;
    assert_eq!(code(second, leads).await, "is_correction");
    let mapping = Mapping { format: Format::Asterisk, ..Mapping::default() };
    let calls = NewImport { mapping, ..NewImport::new(ImportKind::Calls, "Master.csv") };
    let mut calls = store.create_import(&calls, &by(2)).await.unwrap();
    calls.state = ImportState::Completed;
    store.update_import(&calls, &[], at(3)).await.unwrap();
    assert_eq!(code(calls.id, ImportKind::Calls).await, "call_details");
}
