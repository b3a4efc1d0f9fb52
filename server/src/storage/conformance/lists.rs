//! Tests of sorted lists and of reading complete lists.

use std::cmp::Ordering;

use leadscribe_engine::api::*;
use leadscribe_engine::callback::CallbackTarget;
use leadscribe_engine::filter::predicate::Cursor;
use leadscribe_engine::record::{CallRecord, CampaignLeadRecord, CampaignRecord, LeadRecord};
use serde::Serialize;
use serde_json::Value;

use super::speech::{new_token, submit_calls};
use super::transcripts::{claim_at, queue_call, sample_transcript, spoken_segment};
use super::{
    FIRST_1000, TestStore, at, audit_at, call_record, campaign_lead_record, new_campaign, new_lead, ready_recording,
    text,
};
use crate::storage::{
    AuditQuery, CallQuery, CampaignQuery, DeliveryQuery, ExportStore, FencedWrite, ImportQuery, ListQuery, NewImport,
    Store, TranscriptQuery,
};
use crate::transcript::NewTranscript;

/// Complete list, read `limit` positions at a time.
async fn read_whole_list<Q: ListQuery>(store: &TestStore, query: &Q, limit: u32) -> Vec<Value>
where
    dyn Store: ExportStore<Q>,
{
    let mut next = Some(Cursor::Start);
    let mut all_entries = Vec::new();
    while let Some(after) = next {
        let positions = store.positions(query, &after, limit).await.unwrap();
        assert!(positions.ids.len() <= limit as usize);
        let entries = store.entries(query, &positions.ids).await.unwrap();
        assert_eq!(entries.len(), positions.ids.len());
        all_entries.extend(to_values(&entries));
        next = positions.next;
    }
    all_entries
}

fn to_values(entries: &[impl Serialize]) -> Vec<Value> {
    entries.iter().map(|entry| serde_json::to_value(entry).unwrap()).collect()
}

fn member<'a>(entry: &'a Value, name: &str) -> &'a Value {
    name.split('.').fold(entry, |value, member| &value[member])
}

/// Null comes last; texts are compared ignoring case.
fn compare_values(left: &Value, right: &Value, descending: bool) -> Ordering {
    let ordering = match (left, right) {
        (Value::Null, _) | (_, Value::Null) => return left.is_null().cmp(&right.is_null()),
        (Value::String(left), Value::String(right)) => left.to_ascii_lowercase().cmp(&right.to_ascii_lowercase()),
        (Value::Bool(left), Value::Bool(right)) => left.cmp(right),
        _ => left.as_f64().unwrap().total_cmp(&right.as_f64().unwrap()),
    };
    if descending { ordering.reverse() } else { ordering }
}

/// Checks every order of a list, both as a complete list and as pages from `page`. `extend` adds sort values that
/// entries don't contain.
async fn check_every_order<Q: ListQuery, By: ListOrder, T: Serialize>(
    store: &TestStore,
    id: &str,
    query: impl Fn(Order<By>) -> Q,
    page: impl AsyncFn(&Q) -> Vec<T>,
    extend: impl Fn(&mut Value),
) where
    dyn Store: ExportStore<Q>,
{
    let mut all_entries = read_whole_list(store, &query(By::DEFAULT), 100).await;
    all_entries.iter_mut().for_each(&extend);
    assert!(all_entries.len() >= 3, "too few entries to check the order: {all_entries:?}");
    let ids = |entries: &[Value]| entries.iter().map(|entry| entry[id].as_i64().unwrap()).collect::<Vec<_>>();
    for name in Order::<By>::names() {
        let order = Order::<By>::from_name(&name).unwrap();
        let mut expected = all_entries.clone();
        expected.sort_by(|left, right| {
            let compare_member = |name: &str| compare_values(member(left, name), member(right, name), order.descending);
            compare_member(order.by.name()).then_with(|| compare_member(id))
        });
        let query = query(order);
        assert_eq!(ids(&to_values(&page(&query).await)), ids(&expected), "{name}");
        for limit in [1, 2, 100] {
            assert_eq!(ids(&read_whole_list(store, &query, limit).await), ids(&expected), "{name}, {limit} at a time");
        }
    }
}

pub async fn calls_are_ordered(store: TestStore) {
    let (spring, autumn) = (new_campaign(&store, "spring").await, new_campaign(&store, "Autumn").await);
    let lead = new_lead(&store, LeadRecord::default()).await;
    let records = [
        CallRecord {
            agent: text("bob"),
            campaign_id: Some(Some(spring)),
            started_at: Some(Some(at(5))),
            ..call_record()
        },
        CallRecord { agent: text("Ann"), campaign_id: Some(Some(autumn)), created_at: Some(at(20)), ..call_record() },
        CallRecord {
            agent: text("Cy"),
            campaign_id: Some(Some(autumn)),
            lead_id: Some(Some(lead)),
            created_at: Some(at(20)),
            started_at: Some(Some(at(1))),
            ended_at: Some(Some(at(9))),
            ..call_record()
        },
        CallRecord { caller_number: text("+15552"), status: Some(CallStatus::Busy), ..call_record() },
        CallRecord {
            caller_number: text("+15551"),
            callee_number: text("+49301"),
            direction: Some(Direction::Inbound),
            started_at: Some(Some(at(5))),
            ..call_record()
        },
    ];
    for record in records {
        store.create_call(record, &audit_at(0)).await.unwrap();
    }
    store.set_recording(CallId(2), &ready_recording(30.5, 2), None, &audit_at(1)).await.unwrap();
    store.set_recording(CallId(4), &ready_recording(9.0, 1), None, &audit_at(1)).await.unwrap();
    submit_calls(&store, &[4]).await;
    let page = async |query: &CallQuery| store.calls(query, FIRST_1000).await.unwrap().items;
    let add_campaign_name = |call: &mut Value| {
        let name = match call["campaign_id"].as_i64().map(CampaignId) {
            Some(id) if id == spring => Value::from("spring"),
            Some(_) => Value::from("Autumn"),
            None => Value::Null,
        };
        call["campaign_name"] = name;
    };
    check_every_order(&store, "id", |order| CallQuery { order, ..CallQuery::default() }, page, add_campaign_name).await;

    let query = CallQuery { campaign_id: Some(autumn), ..CallQuery::default() };
    let listed = read_whole_list(&store, &query, 1).await;
    assert_eq!(listed.iter().map(|call| call["id"].as_i64().unwrap()).collect::<Vec<_>>(), [3, 2]);
    // Entries that no longer match or no longer exist are omitted.
    let entries = store.entries(&query, &[1, 2, 3, 77]).await.unwrap();
    assert_eq!(entries.iter().map(|call| call.id.0).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(store.entries(&query, &[]).await.unwrap(), []);
}

pub async fn campaigns_are_ordered(store: TestStore) {
    for (name, active) in [("beta", true), ("Alpha", false), ("gamma", true), ("Zeta", false)] {
        let record = CampaignRecord {
            name: Some(name.to_owned()),
            active: Some(active),
            created_at: Some(at(if active { 5 } else { 3 })),
            ..CampaignRecord::default()
        };
        store.create_campaign(record, &audit_at(0)).await.unwrap();
    }
    for (campaign, status, calls_count) in
        [(1, "new", 0), (1, "busy", 2), (3, "new", 0), (4, "closed", 1), (4, "new", 1)]
    {
        let lead = new_lead(&store, LeadRecord::default()).await;
        let record = CampaignLeadRecord {
            status: Some(status.to_owned()),
            calls_count: Some(calls_count),
            ..campaign_lead_record(lead, CampaignId(campaign))
        };
        store.create_campaign_lead(record, &audit_at(0)).await.unwrap();
    }
    let page = async |query: &CampaignQuery| {
        let campaigns = store.campaigns(query, FIRST_1000).await.unwrap().items;
        let progress = store.campaign_progress(query, FIRST_1000).await.unwrap().items;
        assert!(progress.iter().map(|progress| progress.campaign_id).eq(campaigns.iter().map(|campaign| campaign.id)));
        campaigns
    };
    check_every_order(&store, "id", |order| CampaignQuery { order, ..CampaignQuery::default() }, page, |_| ()).await;
    let query = CampaignQuery { search: Some("ALPHA".to_owned()), ..CampaignQuery::default() };
    assert_eq!(read_whole_list(&store, &query, 1).await.len(), 1);
}

pub async fn deliveries_are_ordered(store: TestStore) {
    let (token, _) = super::deliveries::set_up_request(&store, 3).await;
    let other_target = CallbackTarget { url: "https://example.com/a".to_owned(), ..super::deliveries::target() };
    store.create_test_delivery(token, &other_target, super::deliveries::UNLIMITED, &audit_at(7)).await.unwrap();
    super::deliveries::deliver(&store, 8).await;
    let page = async |query: &DeliveryQuery| store.deliveries(query, FIRST_1000).await.unwrap().items;
    check_every_order(&store, "id", |order| DeliveryQuery { order, ..DeliveryQuery::default() }, page, |_| ()).await;
}

pub async fn imports_are_ordered(store: TestStore) {
    let kinds = [(ImportKind::Leads, "b.csv"), (ImportKind::Calls, "A.csv"), (ImportKind::Leads, "c.csv")];
    for ((kind, name), seconds) in kinds.into_iter().zip([0, 0, 5]) {
        let new = NewImport { is_undoable: true, ..NewImport::new(kind, name) };
        let mut import = store.create_import(&new, &audit_at(seconds)).await.unwrap();
        import.counts.read = 7 - u64::from(seconds == 5);
        import.counts.rejected = u64::from(name == "A.csv");
        if name == "A.csv" {
            (import.state, import.finished_at) = (ImportState::Completed, Some(at(9)));
        }
        store.update_import(&import, &[], at(9)).await.unwrap();
    }
    let dry_run = NewImport { is_dry_run: true, ..NewImport::new(ImportKind::Leads, "x.csv") };
    store.create_import(&dry_run, &audit_at(6)).await.unwrap();
    let page = async |query: &ImportQuery| store.imports(query, FIRST_1000).await.unwrap().items;
    check_every_order(&store, "id", |order| ImportQuery { order, ..ImportQuery::default() }, page, |_| ()).await;
}

pub async fn the_audit_log_is_ordered(store: TestStore) {
    for (action, subject, seconds) in [
        ("user.create", "lead:2", 0),
        ("call.update", "lead:1", 0),
        ("user.create", "call:1", 5),
        ("call.update", "x", 5),
    ] {
        store.record_event(action, subject, &audit_at(seconds)).await.unwrap();
    }
    let page = async |query: &AuditQuery| store.audit_log(query, FIRST_1000).await.unwrap().items;
    check_every_order(&store, "id", |order| AuditQuery { order, ..AuditQuery::default() }, page, |_| ()).await;
}

pub async fn transcripts_are_ordered(store: TestStore) {
    let token = new_token(&store, 1).await;
    for (seconds, duration, language) in
        [(5, 60.0, Some("en")), (5, 30.5, None), (3, 60.0, Some("de")), (9, 9.0, Some("en"))]
    {
        queue_call(&store, token, seconds).await;
        let claim = claim_at(&store, seconds).await.unwrap().claim;
        let language = language.map(str::to_owned);
        let new = NewTranscript {
            duration,
            language,
            ..sample_transcript(vec![spoken_segment(0.0, RecordingSide::Caller, "hello")])
        };
        assert_eq!(store.complete_transcription(claim, &new, at(seconds)).await.unwrap(), FencedWrite::Done);
    }
    let campaign = new_campaign(&store, "Spring").await;
    let lead = new_lead(&store, LeadRecord::default()).await;
    for (call, record) in [
        (2, CallRecord { agent: text("bob"), campaign_id: Some(Some(campaign)), ..CallRecord::default() }),
        (3, CallRecord { agent: text("Ann"), lead_id: Some(Some(lead)), ..CallRecord::default() }),
    ] {
        store.update_call(CallId(call), record, &audit_at(20)).await.unwrap();
    }
    let page = async |query: &TranscriptQuery| store.search_transcripts(query, FIRST_1000).await.unwrap().items;
    let query = |order| TranscriptQuery { order, ..TranscriptQuery::default() };
    check_every_order(&store, "call_id", query, page, |_| ()).await;
}

pub async fn positions_survive_concurrent_changes(store: TestStore) {
    for name in ["b", "d", "f", "h"] {
        new_campaign(&store, name).await;
    }
    let query = CampaignQuery { order: Order::from_name("name").unwrap(), ..CampaignQuery::default() };
    let first = store.positions(&query, &Cursor::Start, 2).await.unwrap();
    assert_eq!(first.ids, [1, 2]);
    new_campaign(&store, "a").await;
    new_campaign(&store, "g").await;
    assert!(store.delete_campaign(CampaignId(1), None, &audit_at(1)).await.unwrap());
    assert!(store.delete_campaign(CampaignId(3), None, &audit_at(1)).await.unwrap());
    let rest = store.positions(&query, &first.next.unwrap(), 9).await.unwrap();
    assert_eq!((rest.ids, rest.next), (vec![6, 4], None));
    // Nothing follows the last position of the list.
    let all = store.positions(&query, &Cursor::Start, 4).await.unwrap();
    assert_eq!(all.ids, [5, 2, 6, 4]);
    assert_eq!(store.positions(&query, &all.next.unwrap(), 4).await.unwrap().ids, [0; 0]);
}
