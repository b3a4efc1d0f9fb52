//! Tests of bulk actions on leads and of their undo.

use leadscribe_engine::api::*;
use leadscribe_engine::filter::Limits;
use leadscribe_engine::record::{CampaignLeadRecord, LeadAction, LeadRecord};

use super::{
    FIRST_1000, Slice, TestStore, at, audit_at, audit_lines, campaign_lead_record, new_campaign, new_lead, refusal,
    text,
};
use crate::storage::ACTION_UNDO_RETENTION;

pub(super) fn action(text: &str) -> LeadAction {
    LeadAction::from_json(text, &Limits::default()).unwrap()
}

pub(super) fn change_counts(changed: u64, unchanged: u64) -> ChangeCounts {
    ChangeCounts { changed, unchanged }
}

pub(super) fn undo_counts(restored: u64, skipped: u64) -> UndoCounts {
    UndoCounts { restored, skipped }
}

/// Four leads: three in Spring, of which the second and third are also in Summer.
pub(super) struct Sample {
    pub spring: CampaignId,
    pub summer: CampaignId,
    pub leads: [LeadId; 4],
}

pub(super) async fn create_sample(store: &TestStore) -> Sample {
    let (spring, summer) = (new_campaign(store, "Spring").await, new_campaign(store, "Summer").await);
    let mut leads = [LeadId(0); 4];
    for (lead, city) in leads.iter_mut().zip(["Bonn", "Bonn", "Köln", "Bonn"]) {
        *lead = new_lead(store, LeadRecord { city: text(city), ..LeadRecord::default() }).await;
    }
    for (lead, campaign) in [(0, spring), (1, spring), (2, spring), (1, summer), (2, summer)] {
        store.create_campaign_lead(campaign_lead_record(leads[lead], campaign), &audit_at(0)).await.unwrap();
    }
    Sample { spring, summer, leads }
}

/// Status, weight and time of change of each campaign lead, by lead and campaign.
pub(super) async fn campaign_lead_states(store: &TestStore) -> Vec<(String, i64, Timestamp)> {
    let mut states = Vec::new();
    for id in 1..=5 {
        let campaign_lead = store.campaign_lead(CampaignLeadId(id)).await.unwrap().unwrap();
        states.push((campaign_lead.status, campaign_lead.weight, campaign_lead.updated_at));
    }
    states
}

/// Ids of the leads that match a filter, from the lead index or the database.
pub(super) async fn find_lead_ids(store: &TestStore, filter: &str) -> Vec<i64> {
    let filter = leadscribe_engine::filter::parse_and_check(filter, &Limits::default()).unwrap();
    store.look_up(&filter, at(0)).await.unwrap().leads.iter().map(|lead| lead.lead.id().0).collect()
}

pub async fn action_changes_leads_and_is_undone(store: TestStore) {
    let Sample { leads, .. } = create_sample(&store).await;
    let change = LeadRecord { do_not_call: Some(true), ..LeadRecord::default() };
    store.update_lead(leads[0], change, None, None, &audit_at(1)).await.unwrap();
    let set_do_not_call = action(r#"{"lead_ids": [1, 2, 4, 99], "set": {"do_not_call": true}}"#);
    let audit_count_before = audit_lines(&store).await.len();

    let preview = store.preview_lead_action(&set_do_not_call, at(5)).await.unwrap();
    let expected = LeadActionOutcome {
        leads: change_counts(2, 1),
        missing: 1,
        callable: Some(CallableChange::default()),
        ..LeadActionOutcome::default()
    };
    assert_eq!(preview, expected);
    assert_eq!(find_lead_ids(&store, r#"{"do_not_call": true}"#).await, [1]);
    assert_eq!(audit_lines(&store).await.len(), audit_count_before, "the preview changes nothing");

    let outcome = store.run_lead_action(&set_do_not_call, &audit_at(6)).await.unwrap();
    assert_eq!(outcome, LeadActionOutcome { id: outcome.id, callable: None, ..expected });
    let id = outcome.id.unwrap();
    assert_eq!(find_lead_ids(&store, r#"{"do_not_call": true}"#).await, [1, 2, 4]);
    let lead = store.lead(leads[1], at(6)).await.unwrap().unwrap().leads[0].lead.to_lead();
    assert_eq!((lead.updated_at, lead.global_updated_at), (at(6), at(6)));
    let expected =
        [format!("lead_action.create lead_action:{id}"), "lead.update lead:2".into(), "lead.update lead:4".into()];
    assert_eq!(audit_lines(&store).await[audit_count_before..], expected);

    let history = store.lead_history(leads[1], FIRST_1000).await.unwrap();
    assert_eq!(history.items[0].fields, ["do_not_call"]);

    let repeated = store.run_lead_action(&set_do_not_call, &audit_at(7)).await.unwrap();
    assert_eq!((repeated.id, repeated.leads), (None, change_counts(0, 3)), "unchanged values are not counted");

    let undo = store.undo_lead_action(id, &audit_at(8)).await.unwrap().unwrap();
    assert_eq!((undo.id, undo.leads, undo.campaign_leads), (id, undo_counts(2, 0), undo_counts(0, 0)));
    assert_eq!(find_lead_ids(&store, r#"{"do_not_call": true}"#).await, [1]);
    assert_eq!(audit_lines(&store).await[audit_count_before + 3], format!("lead_action.undo lead_action:{id}"));
    assert_eq!(refusal(store.undo_lead_action(id, &audit_at(9)).await), ["already_undone", ""]);
    assert_eq!(store.undo_lead_action(LeadActionId(99), &audit_at(9)).await.unwrap(), None);
}

pub async fn action_counts_changes_of_callability(store: TestStore) {
    let (spring, summer) = (new_campaign(&store, "Spring").await, new_campaign(&store, "Summer").await);
    let phone = LeadRecord { phone_normalized: text("+442079460018"), ..LeadRecord::default() };
    let do_not_call_lead = LeadRecord { do_not_call: Some(true), ..phone.clone() };
    let status = |lead, campaign, status: &str| CampaignLeadRecord {
        status: Some(status.to_owned()),
        ..campaign_lead_record(lead, campaign)
    };
    // A lead without a number, a callable lead, and three that refused: one in both campaigns, one with `do_not_call`.
    let mut leads = Vec::new();
    for record in [LeadRecord::default(), phone.clone(), phone.clone(), phone, do_not_call_lead] {
        leads.push(new_lead(&store, record).await);
    }
    for (lead, campaign, name) in [
        (0, spring, "refused"),
        (1, spring, "new"),
        (2, spring, "refused"),
        (3, spring, "refused"),
        (3, summer, "refused"),
        (4, spring, "refused"),
    ] {
        store.create_campaign_lead(status(leads[lead], campaign, name), &audit_at(0)).await.unwrap();
    }
    let frozen = CampaignLeadRecord { freeze_until: Some(Some(at(60))), ..CampaignLeadRecord::default() };
    store.update_campaign_lead(CampaignLeadId(3), frozen, None, &audit_at(1)).await.unwrap();
    let count_changes = async |set: &str| {
        let all = action(&format!(r#"{{"lead_ids": [1, 2, 3, 4, 5], "set": {set}}}"#));
        let callable = store.preview_lead_action(&all, at(5)).await.unwrap().callable.unwrap();
        (callable.gained, callable.lost, callable.unblocked)
    };
    assert_eq!(count_changes(r#"{"status": "new"}"#).await, (1, 0, 2), "the frozen lead is not callable yet");
    assert_eq!(count_changes(r#"{"status": "new", "freeze_until": null}"#).await, (2, 0, 2));
    assert_eq!(count_changes(r#"{"status": "new", "do_not_call": false}"#).await, (2, 0, 3));
    assert_eq!(count_changes(r#"{"status": "busy", "do_not_call": true}"#).await, (0, 1, 0));
    assert_eq!(count_changes(r#"{"status": "closed"}"#).await, (0, 1, 0));
    assert_eq!(count_changes(r#"{"weight": 7}"#).await, (0, 0, 0));
}

pub async fn action_changes_the_campaign_leads_that_a_filter_shows(store: TestStore) {
    let Sample { spring, summer, .. } = create_sample(&store).await;
    let initial_state = ("new".to_owned(), 0, at(0));
    let changed_state = |seconds| ("busy".to_owned(), 7, at(seconds));
    let set = r#""set": {"status": "busy", "weight": 7}"#;

    let in_bonn =
        action(&format!(r#"{{"filter": {{"city": "Bonn", "campaign_id": {spring}, "limit": "1;0"}}, {set}}}"#));
    let preview = store.preview_lead_action(&in_bonn, at(1)).await.unwrap();
    assert_eq!((preview.leads, preview.campaign_leads), (change_counts(2, 0), change_counts(2, 0)));
    let first = store.run_lead_action(&in_bonn, &audit_at(1)).await.unwrap();
    assert_eq!(
        campaign_lead_states(&store).await,
        [changed_state(1), changed_state(1), initial_state.clone(), initial_state.clone(), initial_state.clone()]
    );
    assert_eq!(find_lead_ids(&store, r#"{"status": "busy"}"#).await, [1, 2]);

    // The second lead already has the values, and the fourth is in no campaign.
    let by_ids = action(&format!(r#"{{"lead_ids": [2, 3, 4], "campaign_id": {spring}, {set}}}"#));
    let second = store.run_lead_action(&by_ids, &audit_at(2)).await.unwrap();
    assert_eq!((second.leads, second.campaign_leads), (change_counts(1, 2), change_counts(1, 1)));
    assert_eq!(
        campaign_lead_states(&store).await,
        [changed_state(1), changed_state(1), changed_state(2), initial_state.clone(), initial_state.clone()]
    );

    // Filter with two campaigns, limited to one of them.
    let narrowed = action(&format!(r#"{{"filter": {{"id": [1, 2]}}, "campaign_id": {summer}, {set}}}"#));
    let third = store.run_lead_action(&narrowed, &audit_at(3)).await.unwrap();
    assert_eq!((third.leads, third.campaign_leads), (change_counts(1, 1), change_counts(1, 0)));
    assert_eq!(
        campaign_lead_states(&store).await,
        [changed_state(1), changed_state(1), changed_state(2), changed_state(3), initial_state.clone()]
    );

    store.undo_lead_action(first.id.unwrap(), &audit_at(4)).await.unwrap();
    let restored = ("new".to_owned(), 0, at(4));
    assert_eq!(
        campaign_lead_states(&store).await,
        [restored.clone(), restored, changed_state(2), changed_state(3), initial_state]
    );
    let lead = store.lead(LeadId(1), at(4)).await.unwrap().unwrap().leads[0].lead.to_lead();
    assert_eq!((lead.updated_at, lead.global_updated_at), (at(0), at(4)));
}

pub async fn action_undo_leaves_changed_records(store: TestStore) {
    let Sample { leads, .. } = create_sample(&store).await;
    let freeze = action(
        r#"{"filter": {"limit": "1;0"}, "set": {"freeze_until": "2026-06-01T00:00:00Z", "assigned_user_id": 5}}"#,
    );
    let outcome = store.run_lead_action(&freeze, &audit_at(1)).await.unwrap();
    assert_eq!((outcome.leads, outcome.campaign_leads), (change_counts(3, 1), change_counts(5, 0)));

    // The first lead gets a change of another field, the second a change of a field that the action set. The third is deleted.
    let weight = CampaignLeadRecord { weight: Some(3), ..CampaignLeadRecord::default() };
    store.update_campaign_lead(CampaignLeadId(1), weight, None, &audit_at(2)).await.unwrap();
    let without_freeze = CampaignLeadRecord { freeze_until: Some(None), ..CampaignLeadRecord::default() };
    store.update_campaign_lead(CampaignLeadId(2), without_freeze, None, &audit_at(2)).await.unwrap();
    store.delete_lead(leads[2], None, &audit_at(2)).await.unwrap();

    let undo = store.undo_lead_action(outcome.id.unwrap(), &audit_at(3)).await.unwrap().unwrap();
    assert_eq!((undo.leads, undo.campaign_leads), (undo_counts(2, 2), undo_counts(2, 3)));
    let mut states = Vec::new();
    for id in [1, 2, 4] {
        let campaign_lead = store.campaign_lead(CampaignLeadId(id)).await.unwrap().unwrap();
        states.push((campaign_lead.freeze_until, campaign_lead.assigned_user_id, campaign_lead.weight));
    }
    assert_eq!(states, [(None, None, 3), (None, Some(UserId(5)), 0), (None, None, 0)]);
}

pub async fn action_undo_does_not_restore_a_deleted_status(store: TestStore) {
    create_sample(&store).await;
    let status = LeadStatus { name: "later".to_owned(), label: "Later".to_owned(), dialable: true };
    store.put_status(status, &audit_at(0)).await.unwrap();
    let later = CampaignLeadRecord { status: Some("later".to_owned()), ..CampaignLeadRecord::default() };
    store.update_campaign_lead(CampaignLeadId(1), later, None, &audit_at(1)).await.unwrap();
    let close = action(r#"{"lead_ids": [1, 2], "set": {"status": "closed"}}"#);
    let outcome = store.run_lead_action(&close, &audit_at(2)).await.unwrap();
    store.delete_status("later", &audit_at(3)).await.unwrap();
    let undo = store.undo_lead_action(outcome.id.unwrap(), &audit_at(4)).await.unwrap().unwrap();
    assert_eq!((undo.leads, undo.campaign_leads), (undo_counts(1, 1), undo_counts(2, 1)));
}

pub async fn action_is_limited_and_requires_existing_references(store: TestStore) {
    create_sample(&store).await;
    for (text, code, location) in [
        (r#"{"lead_ids": [1], "set": {"status": "bussy"}}"#, "unknown_status", "/set/status"),
        (r#"{"lead_ids": [1], "campaign_id": 99, "set": {"weight": 1}}"#, "unknown_campaign", "/campaign_id"),
        (r#"{"lead_ids": [1], "set": {"campaign_id": 99}}"#, "unknown_campaign", "/set/campaign_id"),
        (r#"{"lead_ids": [4], "set": {"campaign_id": 1, "status": "bussy"}}"#, "unknown_status", "/set/status"),
    ] {
        let expected = [code, location];
        assert_eq!(refusal(store.preview_lead_action(&action(text), at(1)).await), expected);
        assert_eq!(refusal(store.run_lead_action(&action(text), &audit_at(1)).await), expected);
    }
    let rows: Vec<_> = (0..10_000).map(|_| LeadRecord { state: text("many"), ..LeadRecord::default() }).collect();
    store.import_leads(rows, &audit_at(1)).await.unwrap();
    let oversized_action = action(r#"{"filter": {"limit": "1;0"}, "set": {"do_not_call": true}}"#);
    let expected = ["too_many", "/filter"];
    assert_eq!(refusal(store.preview_lead_action(&oversized_action, at(2)).await), expected);
    assert_eq!(refusal(store.run_lead_action(&oversized_action, &audit_at(2)).await), expected);
    assert_eq!(find_lead_ids(&store, r#"{"do_not_call": true}"#).await, [0; 0], "a refused action changes nothing");
    let largest_action = action(r#"{"filter": {"state": "many"}, "set": {"do_not_call": true}}"#);
    let outcome = store.run_lead_action(&largest_action, &audit_at(3)).await.unwrap();
    assert_eq!(outcome.leads, change_counts(10_000, 0));
    let undo = store.undo_lead_action(outcome.id.unwrap(), &audit_at(4)).await.unwrap().unwrap();
    assert_eq!(undo.leads, undo_counts(10_000, 0));
}

pub async fn long_action_runs_in_parts(store: TestStore) {
    let Sample { spring, .. } = create_sample(&store).await;
    let run_part = async |target: &str, after: &str, seconds| {
        let text = format!(r#"{{{target}{after}, "max_leads": 2, "set": {{"status": "busy"}}}}"#);
        store.run_lead_action(&action(&text), &audit_at(seconds)).await.unwrap()
    };
    // Changed leads no longer match the filter. Parts continue after the last id, so no lead is skipped.
    let new = r#""filter": {"status": "new", "limit": "1;0"}, "campaign_id": 1"#;
    assert_eq!(spring.0, 1);
    let first = run_part(new, "", 1).await;
    assert_eq!(
        (first.leads, first.campaign_leads, first.next_after_id),
        (change_counts(2, 0), change_counts(2, 0), Some(LeadId(2)))
    );
    let last = run_part(new, r#", "after_id": 2"#, 2).await;
    assert_eq!((last.leads, last.campaign_leads, last.next_after_id), (change_counts(1, 0), change_counts(1, 0), None));
    let nothing = run_part(new, r#", "after_id": 3"#, 3).await;
    assert_eq!(nothing, LeadActionOutcome::default());
    for (outcome, seconds) in [(last, 4), (first, 5)] {
        let undo = store.undo_lead_action(outcome.id.unwrap(), &audit_at(seconds)).await.unwrap().unwrap();
        assert_eq!(undo.leads, undo_counts(outcome.leads.changed, 0));
    }

    let lead_ids = r#""lead_ids": [1, 2, 3, 4, 99]"#;
    let mut results = Vec::new();
    for (after, seconds) in [("", 6), (r#", "after_id": 2"#, 7), (r#", "after_id": 4"#, 8)] {
        let outcome = run_part(lead_ids, after, seconds).await;
        results.push((outcome.leads, outcome.missing, outcome.next_after_id.map(|id| id.0)));
    }
    assert_eq!(
        results,
        [(change_counts(2, 0), 0, Some(2)), (change_counts(1, 1), 0, Some(4)), (change_counts(0, 0), 1, None)]
    );
    assert_eq!(find_lead_ids(&store, r#"{"status": "busy"}"#).await, [1, 2, 3]);

    // Works for more matches than a single action may change.
    let rows: Vec<_> = (0..10_001).map(|_| LeadRecord { state: text("many"), ..LeadRecord::default() }).collect();
    store.import_leads(rows, &audit_at(9)).await.unwrap();
    let limited_action = action(r#"{"filter": {"state": "many"}, "max_leads": 3, "set": {"do_not_call": true}}"#);
    let preview = store.preview_lead_action(&limited_action, at(9)).await.unwrap();
    assert_eq!((preview.leads, preview.next_after_id.is_some()), (change_counts(3, 0), true));
}

pub async fn actions_are_listed(store: TestStore) {
    create_sample(&store).await;
    assert_eq!(store.lead_actions(None, FIRST_1000).await.unwrap(), Page { items: Vec::new(), total: 0 });
    let sets = [
        r#"{"do_not_call": true}"#,
        r#"{"status": "busy", "weight": -5}"#,
        r#"{"assigned_user_id": 4, "freeze_until": null, "do_not_call": false}"#,
        r#"{"assigned_user_id": null, "freeze_until": "2026-06-01T00:00:00Z"}"#,
    ];
    let mut entries = Vec::new();
    // Two leads with three campaign leads, and one lead with none.
    for ((set, seconds), (leads, campaign_leads)) in sets.into_iter().zip(1..).zip([(3, 0), (2, 3), (3, 3), (2, 3)]) {
        let change = action(&format!(r#"{{"lead_ids": [1, 2, 4], "set": {set}}}"#));
        let outcome = store.run_lead_action(&change, &audit_at(seconds)).await.unwrap();
        assert_eq!((outcome.leads.changed, outcome.campaign_leads.changed), (leads, campaign_leads), "{set}");
        entries.push(LeadActionEntry {
            id: outcome.id.unwrap(),
            performed_at: at(seconds),
            actor: audit_at(seconds).actor,
            set: change.values,
            leads,
            campaign_leads,
            undone_at: None,
        });
    }
    entries.reverse();
    assert_eq!(store.lead_actions(None, FIRST_1000).await.unwrap(), Page { items: entries.clone(), total: 4 });
    store.undo_lead_action(entries[1].id, &audit_at(9)).await.unwrap().unwrap();
    entries[1].undone_at = Some(at(9));
    let page = store.lead_actions(None, Slice { count: 2, offset: 1 }).await.unwrap();
    assert_eq!(page, Page { items: entries[1..3].to_vec(), total: 4 });
    let undone = store.lead_actions(Some(true), FIRST_1000).await.unwrap();
    assert_eq!(undone, Page { items: vec![entries.remove(1)], total: 1 });
    assert_eq!(store.lead_actions(Some(false), FIRST_1000).await.unwrap(), Page { items: entries, total: 3 });
}

pub async fn old_actions_are_purged(store: TestStore) {
    const WEEK_SECONDS: i64 = 7 * 86_400;
    create_sample(&store).await;
    let mut ids = Vec::new();
    for (weight, seconds) in [(1, 1), (2, 2), (3, 3), (4, WEEK_SECONDS + 2)] {
        let weight = action(&format!(r#"{{"lead_ids": [1], "set": {{"weight": {weight}}}}}"#));
        ids.push(store.run_lead_action(&weight, &audit_at(seconds)).await.unwrap().id.unwrap());
    }
    // Only the first is older than a week.
    let purge = async || store.purge_undo_journal(at(0), at(WEEK_SECONDS + 2) - ACTION_UNDO_RETENTION).await.unwrap();
    assert_eq!([purge().await, purge().await], [1, 0]);
    assert_eq!(store.lead_actions(None, FIRST_1000).await.unwrap().total, 3);
    assert_eq!(store.undo_lead_action(ids[0], &audit_at(WEEK_SECONDS + 3)).await.unwrap(), None);
    for id in ids[1..].iter().rev() {
        let undo = store.undo_lead_action(*id, &audit_at(WEEK_SECONDS + 3)).await.unwrap().unwrap();
        assert_eq!(undo.leads, undo_counts(1, 0));
    }
}
