//! Tests of sorted lists and of reading complete lists.

use std::cmp::Ordering;

use leadscribe_engine::api::*;
use leadscribe_engine::filter::predicate::Cursor;
use leadscribe_engine::record::{CallRecord, CampaignLeadRecord, CampaignRecord, LeadRecord};
use serde_json::Value;

use super::speech::{new_token, send};
use super::transcripts::{a_transcript, claim_at, queued, says};
use super::{ALL, Tested, a_call, a_recording, at, by, in_campaign, new_campaign, new_lead, text};
use crate::storage::{
    AuditQuery, ByClaim, CallQuery, CampaignQuery, DeliveryQuery, ExportStore, ImportQuery, ListQuery, NewImport,
    Store, Target, TranscriptQuery,
};
use crate::transcript::NewTranscript;

/// Complete list, read `most` positions at a time.
async fn whole<Q: ListQuery>(store: &Tested, query: &Q, most: u32) -> Vec<Value>
where
    dyn Store: ExportStore<Q>,
{
    let mut next = Some(Cursor::Start);
    let mut all = Vec::new();
    while let Some(after) = next {
        let places = store.places(query, &after, most).await.unwrap();
        assert!(places.ids.len() <= most as usize);
        let entries = store.entries(query, &places.ids).await.unwrap();
        assert_eq!(entries.len(), places.ids.len());
        all.extend(entries.iter().map(|entry| serde_json::to_value(entry).unwrap()));
        next = places.next;
    }
    all
}

fn member<'a>(entry: &'a Value, name: &str) -> &'a Value {
    name.split('.').fold(entry, |value, member| &value[member])
}

/// Null comes last; texts are compared ignoring case.
fn compared(one: &Value, other: &Value, descending: bool) -> Ordering {
    let ordering = match (one, other) {
        (Value::Null, _) | (_, Value::Null) => return one.is_null().cmp(&other.is_null()),
        (Value::String(one), Value::String(other)) => one.to_ascii_lowercase().cmp(&other.to_ascii_lowercase()),
        (Value::Bool(one), Value::Bool(other)) => one.cmp(other),
        _ => one.as_f64().unwrap().total_cmp(&other.as_f64().unwrap()),
    };
    if descending { ordering.reverse() } else { ordering }
}

/// Checks every order of a list, both as complete list and as pages from `page`. `extend` adds sort values that entries don't contain.
async fn every_order<Q: ListQuery, By: ListOrder>(
    store: &Tested,
    id: &str,
    query: impl Fn(Order<By>) -> Q,
    page: impl AsyncFn(&Q) -> Vec<i64>,
    extend: impl Fn(&mut Value),
) where
    dyn Store: ExportStore<Q>,
{
    let mut all = whole(store, &query(By::DEFAULT), 100).await;
    all.iter_mut().for_each(&extend);
    assert!(all.len() >= 3, "too few to tell an order: {all:?}");
    let ids = |entries: &[Value]| entries.iter().map(|entry| entry[id].as_i64().unwrap()).collect::<Vec<_>>();
    for name in Order::<By>::names() {
        let order = Order::<By>::from_name(&name).unwrap();
        let mut expected = all.clone();
        expected.sort_by(|one, other| {
            let of = |name: &str| compared(member(one, name), member(other, name), order.descending);
            of(order.by.name()).then_with(|| of(id))
        });
        let query = query(order);
        assert_eq!(page(&query).await, ids(&expected), "{name}");
        for most in [1, 2, 100] {
            assert_eq!(ids(&whole(store, &query, most).await), ids(&expected), "{name}, {most} at a time");
        }
    }
}

pub async fn calls_are_ordered(store: Tested) {
    let (spring, autumn) = (new_campaign(&store, "spring").await, new_campaign(&store, "Autumn").await);
    let lead = new_lead(&store, LeadRecord::default()).await;
    let records = [
        CallRecord { agent: text("bob"), campaign_id: Some(Some(spring)), started_at: Some(Some(at(5))), ..a_call() },
        CallRecord { agent: text("Ann"), campaign_id: Some(Some(autumn)), created_at: Some(at(20)), ..a_call() },
        CallRecord {
            agent: text("Cy"),
            campaign_id: Some(Some(autumn)),
            lead_id: Some(Some(lead)),
            created_at: Some(at(20)),
            started_at: Some(Some(at(1))),
            ended_at: Some(Some(at(9))),
            ..a_call()
        },
        CallRecord { caller_number: text("+15552"), status: Some(CallStatus::Busy), ..a_call() },
        CallRecord {
            caller_number: text("+15551"),
            callee_number: text("+49301"),
            direction: Some(Direction::Inbound),
            started_at: Some(Some(at(5))),
            ..a_call()
        },
    ];
    for record in records {
        store.create_call(record, &by(0)).await.unwrap();
    }
    store.set_recording(CallId(2), &a_recording(30.5, 2), None, &by(1)).await.unwrap();
    store.set_recording(CallId(4), &a_recording(9.0, 1), None, &by(1)).await.unwrap();
    send(&store, &[4]).await;
    let page = async |query: &CallQuery| {
        let page = store.calls(query, ALL).await.unwrap();
        page.items.iter().map(|call| call.id.0).collect::<Vec<_>>()
    };
    let named = |call: &mut Value| {
        let name = match call["campaign_id"].as_i64().map(CampaignId) {
            Some(id) if id == spring => Value::from("spring"),
            Some(_) => Value::from("Autumn"),
            None => Value::Null,
        };
        call["campaign_name"] = name;
    };
    every_order(&store, "id", |order| CallQuery { order, ..CallQuery::default() }, page, named).await;

    let query = CallQuery { campaign_id: Some(autumn), ..CallQuery::default() };
    let found = whole(&store, &query, 1).await;
    assert_eq!(found.iter().map(|call| call["id"].as_i64().unwrap()).collect::<Vec<_>>(), [3, 2]);
    // Entries that no longer match or no longer exist are omitted.
    let entries = store.entries(&query, &[1, 2, 3, 77]).await.unwrap();
    assert_eq!(entries.iter().map(|call| call.id.0).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(store.entries(&query, &[]).await.unwrap(), []);
}

pub async fn campaigns_are_ordered(store: Tested) {
    for (name, active) in [("beta", true), ("Alpha", false), ("gamma", true), ("Zeta", false)] {
        let record = CampaignRecord {
            name: Some(name.to_owned()),
            active: Some(active),
            created_at: Some(at(if active { 5 } else { 3 })),
            ..CampaignRecord::default()
        };
        store.create_campaign(record, &by(0)).await.unwrap();
    }
    for (campaign, status, calls_count) in
        [(1, "new", 0), (1, "busy", 2), (3, "new", 0), (4, "closed", 1), (4, "new", 1)]
    {
        let lead = new_lead(&store, LeadRecord::default()).await;
        let record = CampaignLeadRecord {
            status: Some(status.to_owned()),
            calls_count: Some(calls_count),
            ..in_campaign(lead, CampaignId(campaign))
        };
        store.create_campaign_lead(record, &by(0)).await.unwrap();
    }
    let page = async |query: &CampaignQuery| {
        let campaigns = store.campaigns(query, ALL).await.unwrap().items;
        let ids: Vec<_> = campaigns.iter().map(|campaign| campaign.id).collect();
        let progress = store.campaign_progress(query, ALL).await.unwrap().items;
        assert_eq!(progress.iter().map(|progress| progress.campaign_id).collect::<Vec<_>>(), ids);
        ids.iter().map(|id| id.0).collect::<Vec<_>>()
    };
    every_order(&store, "id", |order| CampaignQuery { order, ..CampaignQuery::default() }, page, |_| ()).await;
    let query = CampaignQuery { search: Some("ALPHA".to_owned()), ..CampaignQuery::default() };
    assert_eq!(whole(&store, &query, 1).await.len(), 1);
}

pub async fn deliveries_are_ordered(store: Tested) {
    let (token, _) = super::deliveries::requested(&store, 3).await;
    let elsewhere = Target { url: "https://example.com/a".to_owned(), ..super::deliveries::target() };
    store.create_test_delivery(token, &elsewhere, super::deliveries::UNLIMITED, &by(7)).await.unwrap();
    super::deliveries::deliver(&store, 8).await;
    let page = async |query: &DeliveryQuery| {
        let page = store.deliveries(query, ALL).await.unwrap();
        page.items.iter().map(|delivery| delivery.id.0).collect::<Vec<_>>()
    };
    every_order(&store, "id", |order| DeliveryQuery { order, ..DeliveryQuery::default() }, page, |_| ()).await;
}

pub async fn imports_are_ordered(store: Tested) {
    let kinds = [(ImportKind::Leads, "b.csv"), (ImportKind::Calls, "A.csv"), (ImportKind::Leads, "c.csv")];
    for ((kind, name), seconds) in kinds.into_iter().zip([0, 0, 5]) {
        let new = NewImport { undoable: true, ..NewImport::new(kind, name) };
        let mut import = store.create_import(&new, &by(seconds)).await.unwrap();
        import.counts.read = 7 - u64::from(seconds == 5);
        import.counts.rejected = u64::from(name == "A.csv");
        if name == "A.csv" {
            (import.state, import.finished_at) = (ImportState::Completed, Some(at(9)));
        }
        store.update_import(&import, &[], at(9)).await.unwrap();
    }
    let tried = NewImport { dry_run: true, ..NewImport::new(ImportKind::Leads, "x.csv") };
    store.create_import(&tried, &by(6)).await.unwrap();
    let page = async |query: &ImportQuery| {
        let page = store.imports(query, ALL).await.unwrap();
        page.items.iter().map(|import| import.id.0).collect::<Vec<_>>()
    };
    every_order(&store, "id", |order| ImportQuery { order, ..ImportQuery::default() }, page, |_| ()).await;
}

pub async fn the_audit_log_is_ordered(store: Tested) {
    for (action, subject, seconds) in [
        ("user.create", "lead:2", 0),
        ("call.update", "lead:1", 0),
        ("user.create", "call:1", 5),
        ("call.update", "x", 5),
    ] {
        store.note(action, subject, &by(seconds)).await.unwrap();
    }
    let page = async |query: &AuditQuery| {
        let page = store.audit_log(query, ALL).await.unwrap();
        page.items.iter().map(|entry| entry.id.0).collect::<Vec<_>>()
    };
    every_order(&store, "id", |order| AuditQuery { order, ..AuditQuery::default() }, page, |_| ()).await;
}

pub async fn transcripts_are_ordered(store: Tested) {
    let token = new_token(&store, 1).await;
    for (seconds, duration, language) in
        [(5, 60.0, Some("en")), (5, 30.5, None), (3, 60.0, Some("de")), (9, 9.0, Some("en"))]
    {
        queued(&store, token, seconds).await;
        let claim = claim_at(&store, seconds).await.unwrap().claim;
        let language = language.map(str::to_owned);
        let new = NewTranscript { duration, language, ..a_transcript(vec![says(0.0, RecordingSide::Caller, "hello")]) };
        assert_eq!(store.complete_transcription(claim, &new, at(seconds)).await.unwrap(), ByClaim::Done);
    }
    let campaign = new_campaign(&store, "Spring").await;
    let lead = new_lead(&store, LeadRecord::default()).await;
    for (call, record) in [
        (2, CallRecord { agent: text("bob"), campaign_id: Some(Some(campaign)), ..CallRecord::default() }),
        (3, CallRecord { agent: text("Ann"), lead_id: Some(Some(lead)), ..CallRecord::default() }),
    ] {
        store.update_call(CallId(call), record, &by(20)).await.unwrap();
    }
    let page = async |query: &TranscriptQuery| {
        let page = store.search_transcripts(query, ALL).await.unwrap();
        page.items.iter().map(|hit| hit.call_id.0).collect::<Vec<_>>()
    };
    let query = |order| TranscriptQuery { order, ..TranscriptQuery::default() };
    every_order(&store, "call_id", query, page, |_| ()).await;
}

pub async fn positions_survive_concurrent_changes(store: Tested) {
    for name in ["b", "d", "f", "h"] {
        new_campaign(&store, name).await;
    }
    let query = CampaignQuery { order: Order::from_name("name").unwrap(), ..CampaignQuery::default() };
    let first = store.places(&query, &Cursor::Start, 2).await.unwrap();
    assert_eq!(first.ids, [1, 2]);
    new_campaign(&store, "a").await;
    new_campaign(&store, "g").await;
    assert!(store.delete_campaign(CampaignId(1), &by(1)).await.unwrap());
    assert!(store.delete_campaign(CampaignId(3), &by(1)).await.unwrap());
    let rest = store.places(&query, &first.next.unwrap(), 9).await.unwrap();
    assert_eq!((rest.ids, rest.next), (vec![6, 4], None));
    // Nothing follows the last position of the list.
    let all = store.places(&query, &Cursor::Start, 4).await.unwrap();
    assert_eq!(all.ids, [5, 2, 6, 4]);
    assert_eq!(store.places(&query, &all.next.unwrap(), 4).await.unwrap().ids, [0; 0]);
}
