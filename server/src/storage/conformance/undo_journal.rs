//! Tests of the common undo rule of imports and actions: a record is restored unless it was changed or used since.

use leadscribe_engine::api::*;
use leadscribe_engine::record::{CallRecord, CampaignLeadRecord, LeadRecord};

use super::import_undos::{counts, imported, left, undo};
use super::lead_actions::{action, undone};
use super::{Tested, a_call, by, in_campaign, new_campaign, new_lead};
use crate::storage::ImportRows;

pub async fn called_leads_stay_in_the_campaign_of_an_import(store: Tested) {
    let (spring, autumn) = (new_campaign(&store, "Spring").await, new_campaign(&store, "Autumn").await);
    let (called, other) =
        (new_lead(&store, LeadRecord::default()).await, new_lead(&store, LeadRecord::default()).await);
    let rows = ImportRows::CampaignLeads(vec![in_campaign(called, spring), in_campaign(other, spring)]);
    let import = imported(&store, ImportKind::CampaignLeads, [rows]).await;
    // An inbound call changes no campaign lead, and these calls name none.
    for (lead, campaign) in [(called, spring), (other, autumn)] {
        let call = CallRecord {
            direction: Some(Direction::Inbound),
            lead_id: Some(Some(lead)),
            campaign_id: Some(Some(campaign)),
            ..a_call()
        };
        store.create_call(call, &by(50)).await.unwrap();
    }
    assert_eq!(counts(&undo(&store, import).await), [1, 0, 1]);
    assert_eq!(left(&store, import).await, [(1, LeftReason::HasCalls)]);
}

pub async fn undo_of_an_action_restores_only_what_it_changed(store: Tested) {
    let spring = new_campaign(&store, "Spring").await;
    let lead = new_lead(&store, LeadRecord::default()).await;
    let campaign_lead = store.create_campaign_lead(in_campaign(lead, spring), &by(0)).await.unwrap();
    // The status is already `new`; a user changes it later.
    let set = action(r#"{"lead_ids": [1], "campaign_id": 1, "set": {"status": "new", "weight": 5}}"#);
    let done = store.change_leads(&set, &by(1)).await.unwrap();
    let busy = CampaignLeadRecord { status: Some("busy".to_owned()), ..CampaignLeadRecord::default() };
    store.update_campaign_lead(campaign_lead.id, busy, None, &by(2)).await.unwrap();
    let undo = store.undo_lead_action(done.id.unwrap(), &by(3)).await.unwrap().unwrap();
    assert_eq!((undo.leads, undo.campaign_leads), (undone(1, 0), undone(1, 0)));
    let now = store.campaign_lead(campaign_lead.id).await.unwrap().unwrap();
    assert_eq!((now.status.as_str(), now.weight), ("busy", 0));
}

pub async fn undo_leaves_a_new_lead_with_a_deleted_id(store: Tested) {
    let chosen = || LeadRecord { id: Some(LeadId(40)), ..LeadRecord::default() };
    new_lead(&store, chosen()).await;
    let done =
        store.change_leads(&action(r#"{"lead_ids": [40], "set": {"do_not_call": true}}"#), &by(1)).await.unwrap();
    store.delete_lead(LeadId(40), &by(2)).await.unwrap();
    new_lead(&store, LeadRecord { do_not_call: Some(true), ..chosen() }).await;
    let undo = store.undo_lead_action(done.id.unwrap(), &by(3)).await.unwrap().unwrap();
    assert_eq!(undo.leads, undone(0, 1));
}
