//! Tests of calls and their recordings.

use leadscribe_engine::api::*;
use leadscribe_engine::record::{CallRecord, CampaignLeadRecord, CampaignRecord, LeadRecord};

use super::speech::new_token;
use super::transcripts::{claim_at, queue_call, transcribe};
use super::{
    FIRST_1000, TestStore, at, audit_at, audit_lines, call_record, campaign_lead_record, message, new_campaign,
    new_lead, outcomes, ready_recording, refusal, text,
};
use crate::storage::{CallQuery, FencedWrite, RecordingKey, Slice};

fn key(name: &str) -> RecordingKey {
    RecordingKey(name.to_owned())
}

pub async fn calls_are_stored_and_changed(store: TestStore) {
    let record = CallRecord {
        agent: text("Grace"),
        caller_number: text("+15550100"),
        callee_number: text("+15550101"),
        started_at: Some(Some(at(1))),
        ..call_record()
    };
    let created = store.create_call(record, &audit_at(0)).await.unwrap();
    assert_eq!((created.agent.as_deref(), created.started_at, created.ended_at), (Some("Grace"), Some(at(1)), None));
    assert_eq!((created.recording.state, created.transcription_state), (RecordingState::None, None));
    assert_eq!(store.call(created.id).await.unwrap().as_ref(), Some(&created));

    let end = |seconds| CallRecord { ended_at: Some(Some(at(seconds))), ..CallRecord::default() };
    let too_early = store.update_call(created.id, end(0), &audit_at(2)).await;
    assert_eq!(refusal(too_early), ["out_of_order", "/ended_at"]);
    let ended = store.update_call(created.id, end(61), &audit_at(2)).await.unwrap().unwrap();
    assert_eq!(ended.ended_at, Some(at(61)));
    assert_eq!(store.update_call(created.id, end(61), &audit_at(3)).await.unwrap(), Some(ended));
    assert_eq!(store.update_call(CallId(99), end(61), &audit_at(3)).await.unwrap(), None);
    let same_id = CallRecord { id: Some(created.id), ..call_record() };
    assert_eq!(refusal(store.create_call(same_id, &audit_at(3)).await), ["taken", "/id"]);
    assert_eq!(audit_lines(&store).await, ["call.create call:1", "call.update call:1"]);
}

pub async fn calls_require_existing_references(store: TestStore) {
    let of_lead = CallRecord { lead_id: Some(Some(LeadId(99))), ..call_record() };
    assert_eq!(refusal(store.create_call(of_lead, &audit_at(0)).await), ["unknown_lead", "/lead_id"]);
    let of_campaign = CallRecord { campaign_id: Some(Some(CampaignId(99))), ..call_record() };
    assert_eq!(refusal(store.create_call(of_campaign, &audit_at(0)).await)[0], "unknown_campaign");
    let of_campaign_lead = CallRecord { campaign_lead_id: Some(Some(CampaignLeadId(99))), ..call_record() };
    assert_eq!(refusal(store.create_call(of_campaign_lead, &audit_at(0)).await)[0], "unknown_campaign_lead");

    let campaign = new_campaign(&store, "Spring").await;
    let lead = new_lead(&store, LeadRecord::default()).await;
    let campaign_lead = store.create_campaign_lead(campaign_lead_record(lead, campaign), &audit_at(0)).await.unwrap();
    let record = CallRecord {
        lead_id: Some(Some(lead)),
        campaign_id: Some(Some(campaign)),
        campaign_lead_id: Some(Some(campaign_lead.id)),
        ..call_record()
    };
    let call = store.create_call(record, &audit_at(1)).await.unwrap().id;
    assert!(store.delete_lead(lead, None, &audit_at(2)).await.unwrap());
    let stored = store.call(call).await.unwrap().unwrap();
    assert_eq!((stored.lead_id, stored.campaign_lead_id, stored.campaign_id), (None, None, Some(campaign)));
    // A fallback lead may be deleted before the call is stored.
    let with_fallback_lead = CallRecord { fallback_lead_id: Some(lead), ..call_record() };
    assert_eq!(store.create_call(with_fallback_lead.clone(), &audit_at(2)).await.unwrap().lead_id, None);
    let row = CallRecord { id: Some(CallId(50)), ..with_fallback_lead };
    assert_eq!(outcomes(&store.import_calls(vec![row], &audit_at(2)).await.unwrap().rows), ["inserted"]);
    assert_eq!(store.call(CallId(50)).await.unwrap().unwrap().lead_id, None);
    assert!(store.delete_campaign(campaign, None, &audit_at(3)).await.unwrap());
    assert_eq!(store.call(call).await.unwrap().unwrap().campaign_id, None);
}

pub async fn call_takes_lead_and_campaign_from_its_campaign_lead(store: TestStore) {
    let (spring, autumn) = (new_campaign(&store, "Spring").await, new_campaign(&store, "Autumn").await);
    let (ann, bob) = (new_lead(&store, LeadRecord::default()).await, new_lead(&store, LeadRecord::default()).await);
    let campaign_lead = store.create_campaign_lead(campaign_lead_record(bob, autumn), &audit_at(0)).await.unwrap().id;
    let call = |lead: Option<LeadId>, campaign: Option<CampaignId>| CallRecord {
        lead_id: lead.map(Some),
        campaign_id: campaign.map(Some),
        campaign_lead_id: Some(Some(campaign_lead)),
        started_at: Some(Some(at(1))),
        ..call_record()
    };
    let refused = ["campaign_lead_mismatch", "/campaign_lead_id"];
    let contradictions =
        [(Some(ann), Some(spring)), (Some(ann), Some(autumn)), (Some(bob), Some(spring)), (Some(ann), None)];
    for (lead, campaign) in contradictions {
        assert_eq!(refusal(store.create_call(call(lead, campaign), &audit_at(1)).await), refused);
        let row = CallRecord { id: Some(CallId(50)), ..call(lead, campaign) };
        let outcome = store.import_calls(vec![row], &audit_at(1)).await.unwrap();
        assert_eq!(outcomes(&outcome.rows), ["campaign_lead_mismatch Column(\"campaign_lead_id\")"]);
    }
    assert_eq!(store.campaign_lead(campaign_lead).await.unwrap().unwrap().calls_count, 0);

    // Omitted members are taken from the campaign lead, in preference to the fallback lead; an explicit null is kept.
    let references = |call: &Call| (call.lead_id, call.campaign_id, call.campaign_lead_id);
    let autumn_references = (Some(bob), Some(autumn), Some(campaign_lead));
    let with_fallback_lead = CallRecord { fallback_lead_id: Some(ann), ..call(None, None) };
    let created = store.create_call(with_fallback_lead.clone(), &audit_at(2)).await.unwrap();
    assert_eq!(references(&created), autumn_references);
    let without_lead = CallRecord { lead_id: Some(None), ..call(None, None) };
    assert_eq!(
        references(&store.create_call(without_lead, &audit_at(2)).await.unwrap()),
        (None, Some(autumn), Some(campaign_lead))
    );
    let row = CallRecord { id: Some(CallId(60)), ..with_fallback_lead };
    let outcome = store.import_calls(vec![row.clone(), row], &audit_at(2)).await.unwrap();
    assert_eq!(outcomes(&outcome.rows), ["inserted", "unchanged"]);
    assert_eq!(references(&store.call(CallId(60)).await.unwrap().unwrap()), autumn_references);

    // A change must not make the references contradict each other; changes to other members aren't checked.
    let other_lead = CallRecord { lead_id: Some(Some(ann)), ..CallRecord::default() };
    assert_eq!(refusal(store.update_call(created.id, other_lead.clone(), &audit_at(3)).await), refused);
    let row = CallRecord { id: Some(CallId(60)), ..other_lead };
    let outcome = store.import_calls(vec![row], &audit_at(3)).await.unwrap();
    assert_eq!(outcomes(&outcome.rows), ["campaign_lead_mismatch Column(\"campaign_lead_id\")"]);
    // A change of the campaign lead alone also changes lead and campaign.
    let other_campaign_lead =
        store.create_campaign_lead(campaign_lead_record(ann, spring), &audit_at(3)).await.unwrap().id;
    let moved_to = |campaign_lead| CallRecord { campaign_lead_id: Some(Some(campaign_lead)), ..CallRecord::default() };
    let spring_references = (Some(ann), Some(spring), Some(other_campaign_lead));
    assert_eq!(
        references(&store.update_call(created.id, moved_to(other_campaign_lead), &audit_at(3)).await.unwrap().unwrap()),
        spring_references
    );
    let row = CallRecord { id: Some(CallId(60)), ..moved_to(other_campaign_lead) };
    assert_eq!(
        outcomes(&store.import_calls(vec![row.clone(), row], &audit_at(3)).await.unwrap().rows),
        ["updated", "unchanged"]
    );
    assert_eq!(references(&store.call(CallId(60)).await.unwrap().unwrap()), spring_references);
    for id in [created.id, CallId(60)] {
        assert_eq!(
            references(&store.update_call(id, moved_to(campaign_lead), &audit_at(3)).await.unwrap().unwrap()),
            autumn_references
        );
    }
    let moved = CampaignLeadRecord { id: Some(campaign_lead), ..campaign_lead_record(bob, spring) };
    let outcome = store.import_campaign_leads(vec![moved], &audit_at(4)).await.unwrap();
    assert_eq!(outcomes(&outcome.rows), ["updated"]);
    let agent = CallRecord { agent: text("Grace"), ..CallRecord::default() };
    assert_eq!(
        references(&store.update_call(created.id, agent.clone(), &audit_at(5)).await.unwrap().unwrap()),
        autumn_references
    );
    let row = CallRecord { id: Some(CallId(60)), ..agent };
    assert_eq!(outcomes(&store.import_calls(vec![row], &audit_at(5)).await.unwrap().rows), ["updated"]);
}

pub async fn calls_count_as_attempts(store: TestStore) {
    let campaign =
        CampaignRecord { name: Some("Spring".to_owned()), freeze_minutes: Some(30), ..CampaignRecord::default() };
    let campaign = store.create_campaign(campaign, &audit_at(0)).await.unwrap().id;
    let lead = new_lead(&store, LeadRecord::default()).await;
    let campaign_lead = store.create_campaign_lead(campaign_lead_record(lead, campaign), &audit_at(0)).await.unwrap();
    let before = audit_lines(&store).await.len();
    let read_counts = async || {
        let campaign_lead = store.campaign_lead(campaign_lead.id).await.unwrap().unwrap();
        (campaign_lead.calls_count, campaign_lead.last_call_at, campaign_lead.freeze_until, campaign_lead.updated_at)
    };
    let call = |started, direction| CallRecord {
        direction: Some(direction),
        started_at: Some(Some(at(started))),
        ..call_record()
    };

    // Matched by the campaign lead, and by its lead and campaign.
    let with_campaign_lead =
        CallRecord { campaign_lead_id: Some(Some(campaign_lead.id)), ..call(1, Direction::Outbound) };
    let first = store.create_call(with_campaign_lead.clone(), &audit_at(10)).await.unwrap();
    assert_eq!(read_counts().await, (1, Some(at(1)), Some(at(1 + 30 * 60)), at(10)));
    let with_lead_and_campaign =
        CallRecord { lead_id: Some(Some(lead)), campaign_id: Some(Some(campaign)), ..call(2, Direction::Outbound) };
    let second = store.create_call(with_lead_and_campaign, &audit_at(11)).await.unwrap();
    let after_two = (2, Some(at(2)), Some(at(2 + 30 * 60)), at(11));
    assert_eq!(read_counts().await, after_two);
    let changed = store.campaign_lead(campaign_lead.id).await.unwrap().unwrap();
    assert_eq!((changed.last_call_status.as_deref(), changed.calls_today), (Some(second.status.as_str()), 2));
    let attempt =
        |call: CallId| [format!("call.create call:{call}"), "campaign_lead.update campaign_lead:1".to_owned()];
    assert_eq!(audit_lines(&store).await[before..], [attempt(first.id), attempt(second.id)].concat());

    // Calls that start before the last counted one, inbound calls, calls without a campaign, changes and imports don't change the counts.
    let inbound = CallRecord { campaign_lead_id: Some(Some(campaign_lead.id)), ..call(3, Direction::Inbound) };
    let without_campaign = CallRecord { lead_id: Some(Some(lead)), ..call(3, Direction::Outbound) };
    for call in [with_campaign_lead.clone(), inbound, without_campaign] {
        store.create_call(call, &audit_at(12)).await.unwrap();
    }
    let later = CallRecord { started_at: Some(Some(at(4))), ..CallRecord::default() };
    store.update_call(first.id, later, &audit_at(13)).await.unwrap();
    let imported = CallRecord { id: Some(CallId(90)), started_at: Some(Some(at(5))), ..with_campaign_lead };
    store.import_calls(vec![imported], &audit_at(14)).await.unwrap();
    assert_eq!(read_counts().await, after_two);

    // A call that starts in the future counts as started when it is reported, so that later calls count.
    for (started, reported, calls) in [(1_000_000_000, 20, 3), (21, 22, 4)] {
        let future_call =
            CallRecord { campaign_lead_id: Some(Some(campaign_lead.id)), ..call(started, Direction::Outbound) };
        store.create_call(future_call, &audit_at(reported)).await.unwrap();
        let expected_start = started.min(reported);
        assert_eq!(
            read_counts().await,
            (calls, Some(at(expected_start)), Some(at(expected_start + 30 * 60)), at(reported))
        );
    }
}

pub async fn calls_are_listed_by_query(store: TestStore) {
    let lead_record = LeadRecord { first_name: text("Ada"), last_name: text("Lovelace"), ..LeadRecord::default() };
    let lead = new_lead(&store, lead_record).await;
    let campaign = new_campaign(&store, "Spring").await;
    let records = [
        CallRecord { agent: text("Grace"), lead_id: Some(Some(lead)), ..call_record() },
        CallRecord { created_at: Some(at(20)), status: Some(CallStatus::Busy), ..call_record() },
        CallRecord {
            created_at: Some(at(20)),
            caller_number: text("+1555X"),
            campaign_id: Some(Some(campaign)),
            ..call_record()
        },
        CallRecord { created_at: Some(at(10)), direction: Some(Direction::Inbound), ..call_record() },
    ];
    for record in records {
        store.create_call(record, &audit_at(0)).await.unwrap();
    }
    store.set_recording(CallId(1), &ready_recording(30.0, 2), Some(&key("1")), &audit_at(1)).await.unwrap();
    store.set_recording(CallId(2), &ready_recording(30.0, 2), Some(&key("2")), &audit_at(1)).await.unwrap();
    super::speech::submit_calls(&store, &[1]).await;

    let ids = async |query: CallQuery| {
        let page = store.calls(&query, FIRST_1000).await.unwrap();
        let ids: Vec<i64> = page.items.iter().map(|call| call.id.0).collect();
        assert_eq!(page.total, ids.len() as u64);
        ids
    };
    let default_query = CallQuery::default;
    assert_eq!(ids(default_query()).await, [3, 2, 4, 1]);
    assert_eq!(
        ids(CallQuery { order: Order::from_name("created_at").unwrap(), ..default_query() }).await,
        [1, 4, 2, 3]
    );
    assert_eq!(ids(CallQuery { ids: vec![CallId(4), CallId(1), CallId(77)], ..default_query() }).await, [4, 1]);
    assert_eq!(ids(CallQuery { lead_id: Some(lead), ..default_query() }).await, [1]);
    assert_eq!(ids(CallQuery { campaign_id: Some(campaign), ..default_query() }).await, [3]);
    assert_eq!(ids(CallQuery { direction: Some(Direction::Inbound), ..default_query() }).await, [4]);
    assert_eq!(ids(CallQuery { status: Some(CallStatus::Busy), ..default_query() }).await, [2]);
    assert_eq!(ids(CallQuery { recording: Some(RecordingState::Ready), ..default_query() }).await, [2, 1]);
    assert_eq!(ids(CallQuery { transcription: Some(None), ..default_query() }).await, [3, 2, 4]);
    assert_eq!(ids(CallQuery { transcription: Some(Some(TranscriptionState::Queued)), ..default_query() }).await, [1]);
    assert_eq!(
        ids(CallQuery { transcription: Some(Some(TranscriptionState::Failed)), ..default_query() }).await,
        [0; 0]
    );
    assert_eq!(ids(CallQuery { from: Some(at(10)), till: Some(at(19)), ..default_query() }).await, [4]);
    assert_eq!(ids(CallQuery { from: Some(at(20)), till: Some(at(20)), ..default_query() }).await, [3, 2]);
    assert_eq!(ids(CallQuery { search: Some("gRA".to_owned()), ..default_query() }).await, [1]);
    assert_eq!(ids(CallQuery { search: Some("555x".to_owned()), ..default_query() }).await, [3]);
    assert_eq!(ids(CallQuery { search: Some("DA LOVE".to_owned()), ..default_query() }).await, [1]);
    assert_eq!(ids(CallQuery { search: Some("%".to_owned()), ..default_query() }).await, [0; 0]);
    let both_conditions =
        CallQuery { recording: Some(RecordingState::Ready), status: Some(CallStatus::Busy), ..default_query() };
    assert_eq!(ids(both_conditions).await, [2]);
    let page = store.calls(&default_query(), Slice { count: 2, offset: 1 }).await.unwrap();
    assert_eq!((page.items.iter().map(|call| call.id.0).collect::<Vec<_>>(), page.total), (vec![2, 4], 4));
}

pub async fn calls_are_filtered_by_end_of_transcription(store: TestStore) {
    let token = new_token(&store, 1).await;
    for seconds in [1, 2, 3, 4] {
        queue_call(&store, token, seconds).await;
    }
    // The first is transcribed, the second fails and is transcribed a day later, the third fails, the fourth is queued.
    transcribe(&store, vec![], 10).await;
    for seconds in [20, 30] {
        let claim = claim_at(&store, seconds).await.unwrap().claim;
        assert_eq!(
            store.fail_transcription(claim, &message("no such codec"), at(seconds)).await.unwrap(),
            FencedWrite::Done
        );
    }
    super::speech::submit_calls(&store, &[2]).await;
    transcribe(&store, vec![], 40).await;
    let ids = async |from: Option<i64>, till: Option<i64>| {
        let (transcription_from, transcription_till) = (from.map(at), till.map(at));
        let query = CallQuery { transcription_from, transcription_till, ..CallQuery::default() };
        let page = store.calls(&query, FIRST_1000).await.unwrap();
        page.items.iter().map(|call| call.id.0).collect::<Vec<_>>()
    };
    assert_eq!(ids(None, None).await, [4, 3, 2, 1]);
    assert_eq!(ids(Some(10), None).await, [3, 2, 1]);
    assert_eq!(ids(None, Some(29)).await, [2, 1]);
    assert_eq!(ids(Some(11), Some(40)).await, [3, 2]);
    assert_eq!(ids(Some(31), None).await, [2]);
    assert_eq!(ids(Some(10), Some(10)).await, [1]);
    assert_eq!(ids(Some(41), None).await, [0; 0]);
}

pub async fn recordings_are_set(store: TestStore) {
    let call = store.create_call(call_record(), &audit_at(0)).await.unwrap().id;
    assert_eq!(store.recording_key(call).await.unwrap(), None);
    let recording = ready_recording(12.5, 2);
    assert_eq!(store.set_recording(call, &recording, Some(&key("a")), &audit_at(1)).await.unwrap(), Some(None));
    assert_eq!(store.recording_key(call).await.unwrap(), Some((recording.clone(), key("a"))));
    assert_eq!(store.call(call).await.unwrap().unwrap().recording, recording);
    // Same key: there is no old recording to remove.
    assert_eq!(store.set_recording(call, &recording, Some(&key("a")), &audit_at(2)).await.unwrap(), Some(None));
    assert_eq!(
        store.set_recording(call, &recording, Some(&key("b")), &audit_at(3)).await.unwrap(),
        Some(Some(key("a")))
    );
    let failed_recording = Recording { state: RecordingState::Failed, ..recording };
    assert_eq!(store.set_recording(call, &failed_recording, None, &audit_at(4)).await.unwrap(), Some(Some(key("b"))));
    assert_eq!(store.recording_key(call).await.unwrap(), None);
    assert_eq!(store.set_recording(CallId(99), &failed_recording, None, &audit_at(5)).await.unwrap(), None);
    assert_eq!(store.recording_key(CallId(99)).await.unwrap(), None);
    assert_eq!(audit_lines(&store).await.last().unwrap(), "recording.upload call:1");
}

pub async fn recording_keys_are_listed_in_every_state(store: TestStore) {
    for (name, state) in [("a", RecordingState::Ready), ("b", RecordingState::Failed), ("c", RecordingState::None)] {
        let call = store.create_call(call_record(), &audit_at(0)).await.unwrap().id;
        let recording = Recording { state, ..ready_recording(12.5, 2) };
        store.set_recording(call, &recording, Some(&key(name)), &audit_at(1)).await.unwrap();
    }
    let without_recording = store.create_call(call_record(), &audit_at(0)).await.unwrap().id;
    let ids = [CallId(1), CallId(2), CallId(3), without_recording, CallId(99)].into();
    let expected = [(CallId(1), key("a")), (CallId(2), key("b")), (CallId(3), key("c"))];
    assert_eq!(store.recording_keys(&ids).await.unwrap(), expected.into());
    assert_eq!(store.recording_keys(&[CallId(2)].into()).await.unwrap(), [(CallId(2), key("b"))].into());
    assert!(store.recording_keys(&[].into()).await.unwrap().is_empty());
}

pub async fn recording_without_bytes_is_not_ready(store: TestStore) {
    let ready = CallRecord { recording_state: Some(RecordingState::Ready), ..call_record() };
    let call = store.create_call(ready.clone(), &audit_at(0)).await.unwrap();
    assert_eq!(call.recording.state, RecordingState::Pending);
    let row = CallRecord { id: Some(call.id), ..ready };
    assert_eq!(outcomes(&store.import_calls(vec![row.clone()], &audit_at(1)).await.unwrap().rows), ["unchanged"]);
    store.set_recording(call.id, &ready_recording(12.5, 2), Some(&key("a")), &audit_at(1)).await.unwrap();
    assert_eq!(outcomes(&store.import_calls(vec![row], &audit_at(1)).await.unwrap().rows), ["unchanged"]);
    assert_eq!(store.call(call.id).await.unwrap().unwrap().recording.state, RecordingState::Ready);
}

pub async fn recording_with_bytes_stays_ready(store: TestStore) {
    let pending = CallRecord { recording_state: Some(RecordingState::Pending), ..call_record() };
    let row = CallRecord { id: Some(CallId(1)), ..pending };
    assert_eq!(outcomes(&store.import_calls(vec![row.clone()], &audit_at(0)).await.unwrap().rows), ["inserted"]);
    store.set_recording(CallId(1), &ready_recording(12.5, 2), Some(&key("a")), &audit_at(1)).await.unwrap();
    let key_before = store.recording_key(CallId(1)).await.unwrap();

    // The same file again, as it was before the recording was uploaded.
    for state in [RecordingState::Pending, RecordingState::Failed, RecordingState::None] {
        let row = CallRecord { recording_state: Some(state), ..row.clone() };
        let other = CallRecord { agent: text(state.as_str()), ..row.clone() };
        let outcome = store.import_calls(vec![row, other], &audit_at(2)).await.unwrap();
        assert_eq!(outcomes(&outcome.rows), ["unchanged", "updated"]);
        let change = CallRecord { recording_state: Some(state), agent: text("Grace"), ..CallRecord::default() };
        let refused = ["recording_stored", "/recording_state"];
        assert_eq!(refusal(store.update_call(CallId(1), change, &audit_at(3)).await), refused);
    }
    assert_eq!(store.recording_key(CallId(1)).await.unwrap(), key_before);
    assert_eq!(store.call(CallId(1)).await.unwrap().unwrap().agent.as_deref(), Some("none"));

    // Once the recording is deleted, records set the state.
    assert!(store.remove_recording(CallId(1), &key("a"), &audit_at(4)).await.unwrap());
    let change = CallRecord { recording_state: Some(RecordingState::Failed), ..CallRecord::default() };
    let changed = store.update_call(CallId(1), change, &audit_at(5)).await.unwrap().unwrap();
    assert_eq!(changed.recording.state, RecordingState::Failed);
}

pub async fn calls_are_imported(store: TestStore) {
    let row = |id, agent| CallRecord { id: Some(CallId(id)), agent: text(agent), ..call_record() };
    let unknown = CallRecord { id: Some(CallId(3)), lead_id: Some(Some(LeadId(99))), ..call_record() };
    let bare = CallRecord { id: Some(CallId(4)), ..CallRecord::default() };
    let rows = vec![row(1, "Grace"), row(2, "Grace"), row(2, "Alan"), row(1, "Grace"), unknown, bare];
    let outcome = store.import_calls(rows, &audit_at(1)).await.unwrap();
    assert_eq!(
        outcomes(&outcome.rows),
        [
            "inserted",
            "inserted",
            "updated",
            "unchanged",
            "unknown_lead Column(\"lead_id\")",
            "required Column(\"direction\")"
        ]
    );
    assert_eq!(store.calls(&CallQuery::default(), FIRST_1000).await.unwrap().total, 2);
}

pub async fn calls_are_imported_by_identifier(store: TestStore) {
    let row = |identifier: &str, agent| CallRecord {
        original_identifier: text(identifier),
        agent: text(agent),
        ..call_record()
    };
    let rows = vec![row("a", "Grace"), row("b", "Alan"), row("a", "Alan"), row("a", "Alan")];
    let outcome = store.import_calls(rows, &audit_at(1)).await.unwrap();
    assert_eq!(outcomes(&outcome.rows), ["inserted", "inserted", "updated", "unchanged"]);
    let find_call = async |identifier: &str| {
        let query = CallQuery { original_identifier: Some(identifier.to_owned()), ..CallQuery::default() };
        store.calls(&query, FIRST_1000).await.unwrap().items.pop()
    };
    let first = find_call("a").await.unwrap();
    assert_eq!((first.original_identifier.as_deref(), first.agent.as_deref()), (Some("a"), Some("Alan")));
    assert_eq!(find_call("c").await, None);

    // Identifiers are unique; a row may take an identifier that an earlier row released.
    let with_identifier = |id: CallId, identifier| CallRecord {
        id: Some(id),
        original_identifier: Some(identifier),
        ..CallRecord::default()
    };
    let second = find_call("b").await.unwrap().id;
    let taken_row = with_identifier(second, Some("a".to_owned()));
    let rows = vec![taken_row.clone(), with_identifier(first.id, None), taken_row, row("b", "Grace")];
    let outcome = store.import_calls(rows, &audit_at(2)).await.unwrap();
    assert_eq!(outcomes(&outcome.rows), ["taken Column(\"original_identifier\")", "updated", "updated", "inserted"]);
    assert_eq!(find_call("a").await.unwrap().id, second);
    let refused = ["taken", "/original_identifier"];
    assert_eq!(refusal(store.create_call(row("a", "Grace"), &audit_at(3)).await), refused);
    let change = CallRecord { original_identifier: text("b"), ..CallRecord::default() };
    assert_eq!(refusal(store.update_call(second, change, &audit_at(3)).await), refused);
}
