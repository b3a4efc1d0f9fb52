//! Tests of the common undo rule of imports and actions: a record is restored unless it was changed or used since.

use leadscribe_engine::api::*;
use leadscribe_engine::record::{CallRecord, CampaignLeadRecord, LeadRecord};

use super::import_undo::{run_import, skipped_records, undo_completely, undo_totals};
use super::lead_actions::{action, undo_counts};
use super::{TestStore, audit_at, call_record, campaign_lead_record, new_campaign, new_lead};
use crate::storage::ImportRows;

pub async fn called_leads_stay_in_the_campaign_of_an_import(store: TestStore) {
    let (spring, autumn) = (new_campaign(&store, "Spring").await, new_campaign(&store, "Autumn").await);
    let (called, other) =
        (new_lead(&store, LeadRecord::default()).await, new_lead(&store, LeadRecord::default()).await);
    let rows =
        ImportRows::CampaignLeads(vec![campaign_lead_record(called, spring), campaign_lead_record(other, spring)]);
    let import = run_import(&store, ImportKind::CampaignLeads, [rows]).await;
    // An inbound call changes no campaign lead, and these calls name none.
    for (lead, campaign) in [(called, spring), (other, autumn)] {
        let call = CallRecord {
            direction: Some(Direction::Inbound),
            lead_id: Some(Some(lead)),
            campaign_id: Some(Some(campaign)),
            ..call_record()
        };
        store.create_call(call, &audit_at(50)).await.unwrap();
    }
    assert_eq!(undo_totals(&undo_completely(&store, import).await), [1, 0, 1]);
    assert_eq!(skipped_records(&store, import).await, [(1, UndoSkipReason::HasCalls)]);
}

pub async fn undo_of_an_action_restores_only_what_it_changed(store: TestStore) {
    let spring = new_campaign(&store, "Spring").await;
    let lead = new_lead(&store, LeadRecord::default()).await;
    let campaign_lead = store.create_campaign_lead(campaign_lead_record(lead, spring), &audit_at(0)).await.unwrap();
    // The status is already `new`; a user changes it later.
    let set = action(r#"{"lead_ids": [1], "campaign_id": 1, "set": {"status": "new", "weight": 5}}"#);
    let outcome = store.run_lead_action(&set, &audit_at(1)).await.unwrap();
    let busy = CampaignLeadRecord { status: Some("busy".to_owned()), ..CampaignLeadRecord::default() };
    store.update_campaign_lead(campaign_lead.id, busy, None, &audit_at(2)).await.unwrap();
    let undo = store.undo_lead_action(outcome.id.unwrap(), &audit_at(3)).await.unwrap().unwrap();
    assert_eq!((undo.leads, undo.campaign_leads), (undo_counts(1, 0), undo_counts(1, 0)));
    let current = store.campaign_lead(campaign_lead.id).await.unwrap().unwrap();
    assert_eq!((current.status.as_str(), current.weight), ("busy", 0));
}

pub async fn undo_leaves_a_new_lead_with_a_deleted_id(store: TestStore) {
    let lead_record = || LeadRecord { id: Some(LeadId(40)), ..LeadRecord::default() };
    new_lead(&store, lead_record()).await;
    let outcome = store
        .run_lead_action(&action(r#"{"lead_ids": [40], "set": {"do_not_call": true}}"#), &audit_at(1))
        .await
        .unwrap();
    store.delete_lead(LeadId(40), None, &audit_at(2)).await.unwrap();
    new_lead(&store, LeadRecord { do_not_call: Some(true), ..lead_record() }).await;
    let undo = store.undo_lead_action(outcome.id.unwrap(), &audit_at(3)).await.unwrap().unwrap();
    assert_eq!(undo.leads, undo_counts(0, 1));
}
