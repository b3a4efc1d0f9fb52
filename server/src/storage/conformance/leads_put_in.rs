//! Tests of actions that put leads into a campaign, and of their undo.

use leadscribe_engine::api::*;
use leadscribe_engine::record::{CallRecord, CampaignLeadRecord, CampaignRecord, LeadRecord};

use super::lead_actions::{Sample, action, changes, found, inside, sample, undone};
use super::{ALL, Tested, a_call, at, by, in_campaign, logged, new_campaign, new_lead, text};

pub async fn action_puts_leads_into_a_campaign_and_is_undone(store: Tested) {
    let Sample { spring, summer, leads } = sample(&store).await;
    let before = logged(&store).await.len();
    // The second and third are already in Summer and stay unchanged there.
    let put_in = action(&format!(
        r#"{{"lead_ids": [1, 2, 3, 4, 99], "set": {{"campaign_id": {summer}, "weight": 7, "assigned_user_id": 5}}}}"#
    ));
    let expected =
        LeadActionOutcome { leads: changes(2, 2), campaign_leads: changes(2, 2), missing: 1, ..Default::default() };
    let counted = store.count_leads_to_change(&put_in, at(5)).await.unwrap();
    assert_eq!(counted, LeadActionOutcome { callable: Some(CallableChange::default()), ..expected });
    assert_eq!(store.campaign_lead(CampaignLeadId(6)).await.unwrap(), None, "counting changes nothing");

    let done = store.change_leads(&put_in, &by(6)).await.unwrap();
    assert_eq!(done, LeadActionOutcome { id: done.id, ..expected });
    let id = done.id.unwrap();
    let new = |id, lead| {
        let record = CampaignLeadRecord {
            weight: Some(7),
            assigned_user_id: Some(Some(UserId(5))),
            ..in_campaign(leads[lead], summer)
        };
        record.create(CampaignLeadId(id), at(6)).unwrap()
    };
    for (id, lead) in [(6, 0), (7, 3)] {
        assert_eq!(store.campaign_lead(CampaignLeadId(id)).await.unwrap(), Some(new(id, lead)));
    }
    assert_eq!(inside(&store).await, vec![("new".to_owned(), 0, at(0)); 5]);
    assert_eq!(found(&store, &format!(r#"{{"campaign_id": {summer}}}"#)).await, [1, 2, 3, 4]);
    let lead = store.lead(leads[3], at(6)).await.unwrap().unwrap().leads[0].lead.to_lead();
    assert_eq!((lead.updated_at, lead.global_updated_at), (at(0), at(6)));
    let created = |id| format!("campaign_lead.create campaign_lead:{id}");
    assert_eq!(
        logged(&store).await[before..],
        [format!("lead_action.create lead_action:{id}"), created(6), created(7)]
    );
    assert_eq!(store.lead_history(leads[3], ALL).await.unwrap().items[0].fields, [""; 0]);
    let again = store.change_leads(&put_in, &by(7)).await.unwrap();
    assert_eq!((again.id, again.leads, again.campaign_leads), (None, changes(0, 4), changes(0, 4)));
    let entry = store.lead_actions(None, ALL).await.unwrap().items.remove(0);
    assert_eq!((entry.set, entry.leads, entry.campaign_leads), (put_in.set, 2, 2));

    let undo = store.undo_lead_action(id, &by(8)).await.unwrap().unwrap();
    assert_eq!((undo.leads, undo.campaign_leads), (undone(2, 0), undone(2, 0)));
    assert_eq!(found(&store, &format!(r#"{{"campaign_id": {summer}}}"#)).await, [2, 3]);
    assert_eq!(found(&store, r#"{"campaign_id": null}"#).await, [4]);
    let log = logged(&store).await;
    let deleted = |id| format!("campaign_lead.delete campaign_lead:{id}");
    assert_eq!(log[before + 3..], [format!("lead_action.undo lead_action:{id}"), deleted(6), deleted(7)]);

    // All matches of a filter, with changes of the lead itself; ids are never reused.
    let all = action(&format!(
        r#"{{"filter": {{"campaign_id": null}}, "set": {{"campaign_id": {spring}, "status": "busy", "do_not_call": true}}}}"#
    ));
    let done = store.change_leads(&all, &by(9)).await.unwrap();
    assert_eq!((done.leads, done.campaign_leads), (changes(1, 0), changes(1, 0)));
    let made = store.campaign_lead(CampaignLeadId(8)).await.unwrap().unwrap();
    assert_eq!((made.lead_id, made.campaign_id, made.status.as_str()), (leads[3], spring, "busy"));
    let undo = store.undo_lead_action(done.id.unwrap(), &by(10)).await.unwrap().unwrap();
    assert_eq!((undo.leads, undo.campaign_leads), (undone(1, 0), undone(1, 0)));
    assert_eq!(found(&store, r#"{"do_not_call": true}"#).await, [0; 0]);
}

pub async fn undo_keeps_leads_with_activity_in_the_campaign(store: Tested) {
    let spring = new_campaign(&store, "Spring").await;
    for _ in 0..6 {
        new_lead(&store, LeadRecord::default()).await;
    }
    let put_in =
        action(&format!(r#"{{"lead_ids": [1, 2, 3, 4, 5, 6], "set": {{"campaign_id": {spring}, "status": "busy"}}}}"#));
    let done = store.change_leads(&put_in, &by(1)).await.unwrap();
    assert_eq!(done.campaign_leads, changes(6, 0));
    // Two were called, which only the calls show; one was removed; two were changed, one of them back again.
    let called = CallRecord { direction: Some(Direction::Inbound), campaign_id: Some(Some(spring)), ..a_call() };
    let by_itself = CallRecord { campaign_lead_id: Some(Some(CampaignLeadId(1))), ..called.clone() };
    let by_its_lead = CallRecord { lead_id: Some(Some(LeadId(6))), ..called };
    for call in [by_itself, by_its_lead] {
        store.create_call(call, &by(2)).await.unwrap();
    }
    let weight = |weight| CampaignLeadRecord { weight: Some(weight), ..CampaignLeadRecord::default() };
    for (id, weights) in [(2, &[3][..]), (4, &[3, 0])] {
        for number in weights {
            store.update_campaign_lead(CampaignLeadId(id), weight(*number), None, &by(2)).await.unwrap();
        }
    }
    store.delete_campaign_lead(CampaignLeadId(3), &by(2)).await.unwrap();
    let undo = store.undo_lead_action(done.id.unwrap(), &by(3)).await.unwrap().unwrap();
    assert_eq!((undo.leads, undo.campaign_leads), (undone(1, 5), undone(1, 5)));
    assert_eq!(found(&store, &format!(r#"{{"campaign_id": {spring}}}"#)).await, [1, 2, 4, 6]);
}

pub async fn action_counts_callable_leads_put_into_a_campaign(store: Tested) {
    let spring = new_campaign(&store, "Spring").await;
    let off = CampaignRecord { name: Some("Winter".to_owned()), active: Some(false), ..CampaignRecord::default() };
    let winter = store.create_campaign(off, &by(0)).await.unwrap().id;
    let phone = LeadRecord { phone_normalized: text("+442079460018"), ..LeadRecord::default() };
    let silent = LeadRecord { do_not_call: Some(true), ..phone.clone() };
    for record in [LeadRecord::default(), phone.clone(), phone, silent] {
        new_lead(&store, record).await;
    }
    store.create_campaign_lead(in_campaign(LeadId(2), spring), &by(0)).await.unwrap();
    let counted = async |set: String| {
        let all = action(&format!(r#"{{"lead_ids": [1, 2, 3, 4], "set": {{{set}}}}}"#));
        let counted = store.count_leads_to_change(&all, at(5)).await.unwrap();
        let callable = counted.callable.unwrap();
        (counted.campaign_leads.changed, callable.gained, callable.lost, callable.released)
    };
    assert_eq!(counted(format!(r#""campaign_id": {spring}"#)).await, (3, 1, 0, 0), "the second can be called already");
    assert_eq!(counted(format!(r#""campaign_id": {winter}"#)).await, (4, 0, 0, 0), "nobody is called for it");
    assert_eq!(counted(format!(r#""campaign_id": {spring}, "status": "closed""#)).await, (3, 0, 0, 0));
    assert_eq!(counted(format!(r#""campaign_id": {spring}, "do_not_call": false"#)).await, (3, 2, 0, 1));
    assert_eq!(counted(format!(r#""campaign_id": {spring}, "do_not_call": true"#)).await, (3, 0, 1, 0));
}
