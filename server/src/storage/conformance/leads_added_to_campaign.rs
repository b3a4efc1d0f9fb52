//! Tests of actions that add leads to a campaign, and of their undo.

use leadscribe_engine::api::*;
use leadscribe_engine::record::{CallRecord, CampaignLeadRecord, CampaignRecord, LeadRecord};

use super::lead_actions::{
    Sample, action, campaign_lead_states, change_counts, create_sample, find_lead_ids, undo_counts,
};
use super::{
    FIRST_1000, TestStore, at, audit_at, audit_lines, call_record, campaign_lead_record, new_campaign, new_lead, text,
};

pub async fn action_adds_leads_to_a_campaign_and_is_undone(store: TestStore) {
    let Sample { spring, summer, leads } = create_sample(&store).await;
    let before = audit_lines(&store).await.len();
    // The second and third are already in Summer and stay unchanged there.
    let add_action = action(&format!(
        r#"{{"lead_ids": [1, 2, 3, 4, 99], "set": {{"campaign_id": {summer}, "weight": 7, "assigned_user_id": 5}}}}"#
    ));
    let expected = LeadActionOutcome {
        leads: change_counts(2, 2),
        campaign_leads: change_counts(2, 2),
        missing: 1,
        ..Default::default()
    };
    let preview = store.preview_lead_action(&add_action, at(5)).await.unwrap();
    assert_eq!(preview, LeadActionOutcome { callable: Some(CallableChange::default()), ..expected });
    assert_eq!(store.campaign_lead(CampaignLeadId(6)).await.unwrap(), None, "the preview changes nothing");

    let outcome = store.run_lead_action(&add_action, &audit_at(6)).await.unwrap();
    assert_eq!(outcome, LeadActionOutcome { id: outcome.id, ..expected });
    let id = outcome.id.unwrap();
    let new = |id, lead| {
        let record = CampaignLeadRecord {
            weight: Some(7),
            assigned_user_id: Some(Some(UserId(5))),
            ..campaign_lead_record(leads[lead], summer)
        };
        record.create(CampaignLeadId(id), at(6)).unwrap()
    };
    for (id, lead) in [(6, 0), (7, 3)] {
        assert_eq!(store.campaign_lead(CampaignLeadId(id)).await.unwrap(), Some(new(id, lead)));
    }
    assert_eq!(campaign_lead_states(&store).await, vec![("new".to_owned(), 0, at(0)); 5]);
    assert_eq!(find_lead_ids(&store, &format!(r#"{{"campaign_id": {summer}}}"#)).await, [1, 2, 3, 4]);
    let lead = store.lead(leads[3], at(6)).await.unwrap().unwrap().leads[0].lead.to_lead();
    assert_eq!((lead.updated_at, lead.global_updated_at), (at(0), at(6)));
    let created = |id| format!("campaign_lead.create campaign_lead:{id}");
    assert_eq!(
        audit_lines(&store).await[before..],
        [format!("lead_action.create lead_action:{id}"), created(6), created(7)]
    );
    assert_eq!(store.lead_history(leads[3], FIRST_1000).await.unwrap().items[0].fields, [""; 0]);
    let repeated = store.run_lead_action(&add_action, &audit_at(7)).await.unwrap();
    assert_eq!(
        (repeated.id, repeated.leads, repeated.campaign_leads),
        (None, change_counts(0, 4), change_counts(0, 4))
    );
    let entry = store.lead_actions(None, FIRST_1000).await.unwrap().items.remove(0);
    assert_eq!((entry.set, entry.leads, entry.campaign_leads), (add_action.values, 2, 2));

    let undo = store.undo_lead_action(id, &audit_at(8)).await.unwrap().unwrap();
    assert_eq!((undo.leads, undo.campaign_leads), (undo_counts(2, 0), undo_counts(2, 0)));
    let lead = store.lead(leads[3], at(8)).await.unwrap().unwrap().leads[0].lead.to_lead();
    assert_eq!((lead.updated_at, lead.global_updated_at), (at(0), at(8)), "the undo is a change of the lead");
    assert_eq!(find_lead_ids(&store, &format!(r#"{{"campaign_id": {summer}}}"#)).await, [2, 3]);
    assert_eq!(find_lead_ids(&store, r#"{"campaign_id": null}"#).await, [4]);
    let log = audit_lines(&store).await;
    let deleted = |id| format!("campaign_lead.delete campaign_lead:{id}");
    assert_eq!(log[before + 3..], [format!("lead_action.undo lead_action:{id}"), deleted(6), deleted(7)]);

    // All matches of a filter, with changes of the lead itself; ids are never reused.
    let all = action(&format!(
        r#"{{"filter": {{"campaign_id": null}}, "set": {{"campaign_id": {spring}, "status": "busy", "do_not_call": true}}}}"#
    ));
    let outcome = store.run_lead_action(&all, &audit_at(9)).await.unwrap();
    assert_eq!((outcome.leads, outcome.campaign_leads), (change_counts(1, 0), change_counts(1, 0)));
    let created_lead = store.campaign_lead(CampaignLeadId(8)).await.unwrap().unwrap();
    assert_eq!(
        (created_lead.lead_id, created_lead.campaign_id, created_lead.status.as_str()),
        (leads[3], spring, "busy")
    );
    let undo = store.undo_lead_action(outcome.id.unwrap(), &audit_at(10)).await.unwrap().unwrap();
    assert_eq!((undo.leads, undo.campaign_leads), (undo_counts(1, 0), undo_counts(1, 0)));
    assert_eq!(find_lead_ids(&store, r#"{"do_not_call": true}"#).await, [0; 0]);
}

pub async fn undo_keeps_leads_with_activity_in_the_campaign(store: TestStore) {
    let spring = new_campaign(&store, "Spring").await;
    for _ in 0..6 {
        new_lead(&store, LeadRecord::default()).await;
    }
    let add_action =
        action(&format!(r#"{{"lead_ids": [1, 2, 3, 4, 5, 6], "set": {{"campaign_id": {spring}, "status": "busy"}}}}"#));
    let outcome = store.run_lead_action(&add_action, &audit_at(1)).await.unwrap();
    assert_eq!(outcome.campaign_leads, change_counts(6, 0));
    // Leads 1 and 6 were called, which only the calls show. Lead 3 was removed. Leads 2 and 4 were changed, and lead 4 was changed back.
    let called = CallRecord { direction: Some(Direction::Inbound), campaign_id: Some(Some(spring)), ..call_record() };
    let by_campaign_lead = CallRecord { campaign_lead_id: Some(Some(CampaignLeadId(1))), ..called.clone() };
    let by_lead = CallRecord { lead_id: Some(Some(LeadId(6))), ..called };
    for call in [by_campaign_lead, by_lead] {
        store.create_call(call, &audit_at(2)).await.unwrap();
    }
    let weight = |weight| CampaignLeadRecord { weight: Some(weight), ..CampaignLeadRecord::default() };
    for (id, weights) in [(2, &[3][..]), (4, &[3, 0])] {
        for number in weights {
            store.update_campaign_lead(CampaignLeadId(id), weight(*number), None, &audit_at(2)).await.unwrap();
        }
    }
    store.delete_campaign_lead(CampaignLeadId(3), None, &audit_at(2)).await.unwrap();
    let undo = store.undo_lead_action(outcome.id.unwrap(), &audit_at(3)).await.unwrap().unwrap();
    assert_eq!((undo.leads, undo.campaign_leads), (undo_counts(1, 5), undo_counts(1, 5)));
    assert_eq!(find_lead_ids(&store, &format!(r#"{{"campaign_id": {spring}}}"#)).await, [1, 2, 4, 6]);
}

pub async fn action_counts_callable_leads_added_to_a_campaign(store: TestStore) {
    let spring = new_campaign(&store, "Spring").await;
    let inactive = CampaignRecord { name: Some("Winter".to_owned()), active: Some(false), ..CampaignRecord::default() };
    let winter = store.create_campaign(inactive, &audit_at(0)).await.unwrap().id;
    let phone = LeadRecord { phone_normalized: text("+442079460018"), ..LeadRecord::default() };
    let do_not_call_lead = LeadRecord { do_not_call: Some(true), ..phone.clone() };
    for record in [LeadRecord::default(), phone.clone(), phone, do_not_call_lead] {
        new_lead(&store, record).await;
    }
    store.create_campaign_lead(campaign_lead_record(LeadId(2), spring), &audit_at(0)).await.unwrap();
    let count_changes = async |set: String| {
        let all = action(&format!(r#"{{"lead_ids": [1, 2, 3, 4], "set": {{{set}}}}}"#));
        let preview = store.preview_lead_action(&all, at(5)).await.unwrap();
        let callable = preview.callable.unwrap();
        (preview.campaign_leads.changed, callable.gained, callable.lost, callable.unblocked)
    };
    assert_eq!(
        count_changes(format!(r#""campaign_id": {spring}"#)).await,
        (3, 1, 0, 0),
        "the second lead was already callable"
    );
    assert_eq!(
        count_changes(format!(r#""campaign_id": {winter}"#)).await,
        (4, 0, 0, 0),
        "leads of an inactive campaign are not callable"
    );
    assert_eq!(count_changes(format!(r#""campaign_id": {spring}, "status": "closed""#)).await, (3, 0, 0, 0));
    assert_eq!(count_changes(format!(r#""campaign_id": {spring}, "do_not_call": false"#)).await, (3, 2, 0, 1));
    assert_eq!(count_changes(format!(r#""campaign_id": {spring}, "do_not_call": true"#)).await, (3, 0, 1, 0));
}
